# Random programs whose NaN bits are seen, against a model of NVIDIA's hardware (random.c): 100 in make check, more with
# `make random-nan N=10000 SEED=1000`.
$(B)/tests/nan/random.o: ALL_CFLAGS += -ffp-contract=off
$(B)/tests/nan/random: $(B)/tests/nan/random.o $(B)/libptxsim.a $(B)/libptx.a
	@mkdir -p $(@D)
	$(CXX) -o $@ $< $(B)/libptxsim.a $(B)/libptx.a $(LDFLAGS) $(LLVM_LDFLAGS) $(LLVM_LIBS)
CHECKS += random-nan
check-random-nan: $(B)/tests/nan/random
	@B=$(B) tests/run-check.sh random-nan $<
random-nan: $(B)/tests/nan/random
	$< --seed $(SEED) --count $(N)
.PHONY: check-random-nan random-nan
