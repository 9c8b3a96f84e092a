# check-litmus: the memory model, a sample of the litmus tests; `make litmus` runs all of them. check-litmus-plant: with a wait or an invalidate
# taken out of the code, some test must fail.
LITMUS_SRC := $(wildcard tests/litmus/*.c)
$(B)/tests/litmus/litmus: $(LITMUS_SRC:%.c=$(B)/%.o) $(B)/libptxsim.a $(B)/libptx.a
	$(CXX) -o $@ $^ $(LDFLAGS) $(LLVM_LDFLAGS) $(LLVM_LIBS)

CHECKS += litmus litmus-plant
check-litmus: $(B)/tests/litmus/litmus
	@B=$(B) tests/run-check.sh litmus $< --sample 13 --seeds 10
check-litmus-plant: $(B)/tests/litmus/litmus
	@B=$(B) tests/run-check.sh litmus-plant tests/litmus/plants.sh $<
litmus: $(B)/tests/litmus/litmus
	$< --seeds 40
	$< --seeds 40 -O0
.PHONY: litmus

# Programs whose waves and blocks communicate, on weak memory.
CHECKS += weak-corpus
check-weak-corpus: $(B)/tests/harness/corpus
	@B=$(B) tests/run-check.sh weak-corpus tests/litmus/corpus.sh $<
