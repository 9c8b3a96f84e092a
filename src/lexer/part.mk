# re2c: the lexer, with start conditions.
GEN_SRC += $(B)/gen/lexer/ptx_lex.c
$(B)/gen/lexer/ptx_lex.c: src/lexer/ptx_lex.re
	@mkdir -p $(@D)
	re2c -W -Wno-nondeterministic-tags -c --no-generation-date -i -o $@ $<
