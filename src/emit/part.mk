# The table of encodings, learned from LLVM when the project is built.
GEN_SRC += $(B)/gen/emit/mc_table.c
GEN_MC_OBJ := $(B)/src/emit/gen/gen_mc.o $(B)/src/emit/gen/gen_encode.o $(B)/src/emit/gen/mc_shim.o \
	$(B)/src/emit/mc_code.o $(B)/src/emit/emit_asm.o $(B)/src/emit/mc_asm.o \
	$(patsubst %.c,$(B)/%.o,$(wildcard src/base/*.c))
$(B)/gen_mc: $(GEN_MC_OBJ)
	$(CXX) -o $@ $^ $(LDFLAGS) $(LLVM_LDFLAGS) $(LLVM_LIBS)
$(B)/gen/emit/mc_table.c: $(B)/gen_mc
	@mkdir -p $(@D)
	$(B)/gen_mc $@
