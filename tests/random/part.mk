# Random programs: gen.py writes one that is device code and host program at once; the host says what is right.
$(B)/tests/random/run: $(B)/tests/random/run.o $(B)/tests/harness/case.o $(B)/tests/harness/gen.o $(B)/libptxsim.a $(B)/libptx.a
	@mkdir -p $(@D)
	$(CXX) -o $@ $(filter %.o,$^) $(B)/libptxsim.a $(B)/libptx.a $(LDFLAGS) $(LLVM_LDFLAGS) $(LLVM_LIBS)

# check-random-small: what random programs found, each as small as it goes.
CHECKS += random-small
check-random-small: $(B)/ptxas-amd $(B)/ptx-run
	@B=$(B) DIR=tests/random/small tests/run-check.sh random-small tests/mem/run.sh
.PHONY: check-random-small
