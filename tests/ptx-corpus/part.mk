# The corpus: real CUDA programs, their PTX compiled by us and run in the simulator, beside what an NVIDIA GPU answered.
HARNESS_SRC := $(addprefix tests/harness/,case.c gen.c golden.c host.c product.c sim_run.c)
HARNESS_OBJ = $(HARNESS_SRC:%.c=$(B)/%.o) $(B)/libptxsim.a $(B)/libptx.a

$(B)/tests/harness/corpus: $(B)/tests/harness/corpus.o $(HARNESS_OBJ)
	$(CXX) -o $@ $(filter %.o,$^) $(B)/libptxsim.a $(B)/libptx.a $(LDFLAGS) $(LLVM_LDFLAGS) $(LLVM_LIBS)
$(B)/tests/harness/corpus-cuda: $(addprefix $(B)/tests/harness/,case.o gen.o golden.o host.o cuda.o cuda_main.o) $(B)/libptx.a
	$(CC) -o $@ $^ $(LDFLAGS) -ldl -lm

CHECKS += corpus
check-corpus: $(B)/tests/harness/corpus all
	@B=$(B) tests/run-check.sh corpus $< --objects $(B)/ptx-corpus --jobs 2

# gfx10.1 has hazards of its own and lacks dot products and scratch accesses without a register.
CHECKS += corpus-gfx1010
check-corpus-gfx1010: $(B)/tests/harness/corpus
	@B=$(B) tests/run-check.sh corpus-gfx1010 tests/harness/levels.sh $< --gpu gfx1010 --dialect sm_75 --jobs 2

# clang's code for the same sources: checks the simulator, the cases and the recordings against each other.
CHECKS += corpus-amdgpu
check-corpus-amdgpu: $(B)/tests/harness/corpus
	@B=$(B) tests/ptx-corpus/regenerate.sh --amdgpu
	@B=$(B) tests/run-check.sh corpus-amdgpu $< --dialect amdgpu --objects $(B)/ptx-corpus --jobs 2

BENCH_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard bench/*.c))
$(B)/bench/bench: $(BENCH_OBJ) $(addprefix $(B)/tests/harness/,case.o gen.o) $(B)/libptxsim.a $(B)/libptx.a
	@mkdir -p $(@D)
	$(CXX) -o $@ $(filter %.o,$^) $(B)/libptxsim.a $(B)/libptx.a $(LDFLAGS) $(LLVM_LDFLAGS) $(LLVM_LIBS)

# check-operations: no single operation takes more instructions than clang's but those of bench/operations.more.
CHECKS += operations
check-operations: $(B)/bench/bench
	@B=$(B) tests/run-check.sh operations bench/operations_check.sh

bench: all $(B)/bench/bench $(B)/tests/harness/corpus
	@B=$(B) tests/ptx-corpus/regenerate.sh --amdgpu
	PTXAS_AMD=$(B)/ptxas-amd $(B)/bench/bench $(B)/tests/harness/corpus $(B)/ptx-corpus
