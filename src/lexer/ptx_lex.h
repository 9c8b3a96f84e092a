/* PTX lexer. Start conditions make the language regular: at a statement's start a word is a directive, a label, a
 * guard or an opcode with all its modifiers (one token); after that come operands up to `;`. */
#ifndef LEXER_PTX_LEX_H
#define LEXER_PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

enum lex_cond { LEX_STMT, LEX_GUARD, LEX_OPND, LEX_DECL, LEX_LOC };

/* What T_PERF* tokens carry. */
enum lex_perf {
	DIR_MAXNTID,
	DIR_REQNTID,
	DIR_REQNCTAPERCLUSTER,
	DIR_MINNCTAPERSM,
	DIR_MAXNCTAPERSM,
	DIR_MAXNREG,
	DIR_MAXCLUSTERRANK,
	DIR_ABI_PRESERVE,
	DIR_ABI_PRESERVE_CONTROL,
	DIR_NORETURN,
	DIR_EXPLICITCLUSTER,
	DIR_BLOCKSARECLUSTERS
};

struct lex_text {
	const char *p;
	uint32_t n;
};

struct lex {
	const char *cur, *end; /* *end is 0 */
	const char *tok;       /* the last token's first character */
	enum lex_cond cond;
	uint32_t line, bad_line;
	uint32_t depth;        /* of ( [ { in operands */
	bool in_init;          /* behind `=` in a declaration: braces are values */
	bool is_call;          /* operands of a call: `(` opens a list */
	bool loc_word;         /* LEX_LOC: an identifier belongs to the directive */
	bool has_sections;
	bool old_dwarf;        /* PTX before 2.0 */
	struct arena *arena;
	struct diags *diags;
	struct lex_text word;  /* text of the last identifier, number, string, opcode */
	uint64_t num;
	bool is_unsigned;
	double fnum;
	uint32_t val;          /* of a directive, a type, a selector */
};

/* `text` must be followed by a 0 byte at text[n]. */
void ptx_lex_init(struct lex *l, struct arena *a, struct diags *d, const char *text, size_t n);
/* Next token (numbers of ptx_gram.h), 0 at the end. */
int ptx_lex(struct lex *l);

#endif
