# The memory family: `make conformance-memory` all of it, check-conformance-memory every 29th form.
MEMORY := $(B)/tests/conformance/memory
MEMORY_OBJ := $(addprefix $(MEMORY)/,main.o forms.o access.o atomic.o other.o) \
	$(addprefix $(B)/tests/conformance/,table.o table_read.o values.o forms.o kernel.o)
$(MEMORY)/memory: $(MEMORY_OBJ) $(B)/libptxsim.a $(B)/libptx.a
	$(CXX) -o $@ $^ $(LDFLAGS) $(LLVM_LDFLAGS) $(LLVM_LIBS)

conformance-memory: $(MEMORY)/memory
	$<
conformance: conformance-memory
check-conformance-memory: $(MEMORY)/memory
	@B=$(B) tests/run-check.sh conformance-memory $< --sample 29 --seeds 3
CHECKS += conformance-memory
.PHONY: conformance-memory
