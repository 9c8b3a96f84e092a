# check-mem: barriers, atomics, memory spaces: small programs on the simulator against results that the host computes.
CHECKS += mem
$(B)/tests/mem/run: $(B)/tests/mem/run.o $(patsubst %,$(B)/tools/ptx-run/%.o,args compile files run stats) $(B)/libptxsim.a $(B)/libptx.a
	@mkdir -p $(@D)
	$(CXX) -o $@ $(filter %.o,$^) $(B)/libptxsim.a $(B)/libptx.a $(LDFLAGS) $(LLVM_LDFLAGS) $(LLVM_LIBS)
check-mem: $(B)/tests/mem/run
	@B=$(B) tests/run-check.sh mem $< tests/mem
.PHONY: check-mem
# Local arrays: which become registers, beside clang's decisions. record.py made the kernels and clang.tsv.
CHECKS += mem-shapes
check-mem-shapes: $(B)/ptxas-amd $(B)/ptx-run
	@B=$(B) tests/run-check.sh mem-shapes tests/mem/shapes/check.sh
.PHONY: check-mem-shapes

# check-local-arrays: bench/local_arrays, the same at -O0 and -O3, and as many in registers as bench/LOCAL_ARRAYS.md says.
CHECKS += local-arrays
check-local-arrays: all
	@B=$(B) tests/run-check.sh local-arrays bench/local_arrays/run.sh check
bench-local-arrays: all
	@B=$(B) bench/local_arrays/run.sh table >bench/LOCAL_ARRAYS.md
.PHONY: bench-local-arrays
