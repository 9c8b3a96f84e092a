# The form table's compiler runs at build time; Bison makes the grammar.
GEN_HDR += $(B)/gen/parser/ptx_words.h $(B)/gen/parser/ptx_gram.h
GEN_SRC += $(B)/gen/parser/ptx_words.c $(B)/gen/parser/ptx_gram.c
LIB_SRC := $(filter-out src/parser/gen_%.c,$(LIB_SRC))
HOSTCC ?= $(CC)

$(B)/gen_forms: src/parser/gen_forms.c src/parser/forms.h src/parser/types.def src/parser/sregs.def src/lexer/directives.def
	@mkdir -p $(@D)
	$(HOSTCC) -std=c11 -D_GNU_SOURCE $(WARN) -O1 -Isrc -o $@ $<
$(B)/gen/parser/ptx_words.h $(B)/gen/parser/ptx_words.c &: $(B)/gen_forms src/parser/forms.def
	@mkdir -p $(B)/gen/parser
	$(B)/gen_forms src/parser/forms.def $(B)/gen/parser/ptx_words.h $(B)/gen/parser/ptx_words.c
$(B)/gen/parser/ptx_gram.c $(B)/gen/parser/ptx_gram.h &: src/parser/ptx_gram.y
	@mkdir -p $(B)/gen/parser
	bison -Werror -o $(B)/gen/parser/ptx_gram.c --header=$(B)/gen/parser/ptx_gram.h $<
# Bison counts errors that nobody reads.
$(B)/gen/parser/ptx_gram.o: ALL_CFLAGS += -Wno-unused-but-set-variable
