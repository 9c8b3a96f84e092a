# check-sim-hip: HIP kernels compiled by clang-22 (committed: tests/sim/hip/objects) run on the simulator.
# check-sim-hip-fresh: the same, compiled now, where clang-22 is installed.
HIP_SRC := $(wildcard tests/sim/hip/*.c)
$(B)/tests/sim/hip/%.o: ALL_CFLAGS += -ffp-contract=off
$(B)/tests/sim/hip/cases_mode.o: ALL_CFLAGS += -frounding-math
$(B)/tests/sim/hip/run: $(HIP_SRC:%.c=$(B)/%.o) $(B)/libptxsim.a $(B)/libptx.a
	$(CXX) -o $@ $^ $(LDFLAGS) $(LLVM_LDFLAGS) $(LLVM_LIBS)

CHECKS += sim-hip sim-hip-fresh
check-sim-hip: $(B)/tests/sim/hip/run
	@B=$(B) tests/run-check.sh sim-hip $< tests/sim/hip/objects
check-sim-hip-fresh: $(B)/tests/sim/hip/run
	@B=$(B) tests/run-check.sh sim-hip-fresh tests/sim/hip/fresh.sh $< $(B)/tests/sim/hip/objects

# check-ptx-run: the command line, on committed code objects (tests/sim/asm).
CHECKS += ptx-run
check-ptx-run: $(B)/ptx-run
	@B=$(B) tests/run-check.sh ptx-run tests/sim/ptx-run/test.sh $<
