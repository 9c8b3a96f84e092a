# Random programs: gen.py writes one that is device code and host program at once; the host says what is right.
$(B)/tests/random/run: $(B)/tests/random/run.o $(B)/tests/harness/case.o $(B)/tests/harness/gen.o $(B)/libptxsim.a $(B)/libptx.a
	@mkdir -p $(@D)
	$(CXX) -o $@ $(filter %.o,$^) $(B)/libptxsim.a $(B)/libptx.a $(LDFLAGS) $(LLVM_LDFLAGS) $(LLVM_LIBS)

# check-random: a fixed set of them, as PTX of nvcc and clang, each in a few configurations (programs.zst is made by pack.py).
# check-random-small: what random programs found, each as small as it goes.
CHECKS += random random-small
check-random: $(B)/tests/random/run
	@B=$(B) tests/run-check.sh random $< --few 2 tests/random/programs.zst
check-random-small: $(B)/tests/mem/run
	@B=$(B) tests/run-check.sh random-small $< tests/random/small

# New programs: N of them from seed SEED on; what fails stays in $(B)/random with its source.
N ?= 20
SEED ?= 1000000
random: $(B)/tests/random/run
	@python3 tests/random/hunt.py $< $(B)/random $(SEED) $(N)
.PHONY: check-random check-random-small random
