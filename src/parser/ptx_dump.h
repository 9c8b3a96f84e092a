/* Text of a resolved module, for tests and --dump=ptx_parse. */
#ifndef PARSER_PTX_DUMP_H
#define PARSER_PTX_DUMP_H

#include "base/strbuf.h"
#include "parser/ptx_ast.h"

void ptx_dump(struct strbuf *sb, const struct ptx_module *m);

#endif
