# check-parser: text in, tree or diagnostics out. check-parser-verdicts, check-parser-modules: what NVIDIA's ptxas accepts and refuses.
CHECKS += parser parser-verdicts parser-modules parser-hostile

$(B)/tests/parser/%: $(B)/tests/parser/%.o $(B)/libptx.a
	$(CC) -o $@ $< $(B)/libptx.a $(LDFLAGS) -lzstd -lm
check-parser: $(B)/tests/parser/dump
	@B=$(B) tests/run-check.sh parser tests/parser/run.sh
check-parser-verdicts: $(B)/tests/parser/verdicts
	@B=$(B) tests/run-check.sh parser-verdicts $< tests/parser/verdicts.tsv.zst tests/parser/verdicts.prologue \
		tests/parser/verdicts.known
check-parser-modules: $(B)/tests/parser/modules
	@B=$(B) tests/run-check.sh parser-modules $< tests/parser/modules.txt tests/parser/modules.known
check-parser-hostile: $(B)/tests/parser/hostile
	@B=$(B) tests/run-check.sh parser-hostile $< $(wildcard tests/ptx-corpus/s*/*.ptx)
bless: bless-parser
bless-parser: $(B)/tests/parser/dump
	@B=$(B) tests/parser/run.sh bless
# Asks ptxas again; needs a CUDA toolkit.
PTXAS ?= ptxas
verdicts: $(B)/tests/parser/gen_cases
	tests/parser/gen_verdicts.py $< $(PTXAS) tests/parser/verdicts.tsv.zst
	tests/parser/gen_modules.py $(PTXAS) tests/parser/modules.txt
.PHONY: check-parser check-parser-verdicts check-parser-modules check-parser-hostile bless-parser verdicts
