# libFuzzer, 60 s a target, under AddressSanitizer and UBSan; every allocation on its own (ARENA_MALLOC).
FUZZ_CC ?= clang-22
FUZZ_SECONDS ?= 60
FUZZ_FLAGS := -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -DARENA_MALLOC=1
FUZZERS += parser
FUZZ_parser_SRC := $(wildcard src/base/*.c) $(filter-out src/parser/gen_% src/parser/build%,$(wildcard src/parser/*.c)) \
	$(B)/gen/parser/ptx_words.c $(B)/gen/parser/ptx_gram.c $(B)/gen/lexer/ptx_lex.c
FUZZERS += build
FUZZ_build_SRC := $(filter-out src/parser/gen_%,$(wildcard src/base/*.c src/parser/*.c src/ir/*.c)) src/amd/amd_target.c $(B)/gen/parser/ptx_words.c \
	$(B)/gen/parser/ptx_gram.c $(B)/gen/lexer/ptx_lex.c

.SECONDEXPANSION:
$(B)/fuzz/fuzz_%: tests/fuzz/fuzz_%.c $$(FUZZ_$$*_SRC) | $(GEN_HDR)
	@mkdir -p $(@D)
	$(FUZZ_CC) $(FUZZ_FLAGS) $(INCLUDES) -o $@ $^ -lm
fuzz: $(FUZZERS:%=fuzz-%)
$(FUZZERS:%=fuzz-%): fuzz-%: $(B)/fuzz/fuzz_%
	@mkdir -p $(B)/fuzz/corpus_$* $(B)/fuzz/seeds_$*
	@cp tests/$*/*.ptx $(B)/fuzz/seeds_$*/ 2>/dev/null || true
	$< -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
		$(addprefix -dict=,$(wildcard tests/fuzz/fuzz_$*.dict)) $(B)/fuzz/corpus_$* $(B)/fuzz/seeds_$*
.PHONY: fuzz $(FUZZERS:%=fuzz-%)

# The whole compiler: our C with the sanitizers, the MC shim and LLVM as they are.
$(B)/fuzz/fuzz_compile: tests/fuzz/fuzz_compile.c $(B)/libptx.a
	@mkdir -p $(@D)
	$(FUZZ_CC) $(FUZZ_FLAGS) $(INCLUDES) -o $@ $< $(LIB_SRC) $(GEN_SRC) $(LIB_CXX:%.cpp=$(B)/%.o) \
		$(LLVM_LDFLAGS) $(LLVM_LIBS) -lstdc++
fuzz: fuzz-compile
fuzz-compile: $(B)/fuzz/fuzz_compile
	@mkdir -p $(B)/fuzz/corpus_compile $(B)/fuzz/seeds_compile
	@cp tests/build/*.ptx $(B)/fuzz/seeds_compile/ 2>/dev/null || true
	$< -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=4096 -max_len=4096 \
		$(B)/fuzz/corpus_compile $(B)/fuzz/seeds_compile
.PHONY: fuzz-compile
