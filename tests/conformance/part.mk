# Instruction forms against recordings of NVIDIA hardware.
CONF := $(B)/tests/conformance
CONF_OBJ := $(addprefix $(CONF)/,forms.o values.o kernel.o table.o table_read.o by_model.o compare.o model/number.o model/model.o)

$(CONF)/conformance: $(CONF)/main.o $(CONF_OBJ) $(B)/libptxsim.a $(B)/libptx.a
	$(CXX) -o $@ $(filter %.o,$^) $(B)/libptxsim.a $(B)/libptx.a $(LDFLAGS) $(LLVM_LDFLAGS) $(LLVM_LIBS)
$(CONF)/conformance-cuda: $(addprefix $(CONF)/,cuda.o forms.o values.o kernel.o table.o) $(B)/tests/harness/cuda.o $(B)/libptx.a
	$(CC) -o $@ $^ $(LDFLAGS) -ldl -lm

conformance: $(CONF)/conformance $(B)/tests/harness/corpus
	@B=$(B) tests/conformance/run.sh

# Every eleventh form: under a minute.
CHECKS += conformance
check-conformance: $(CONF)/conformance
	@B=$(B) tests/run-check.sh conformance $< --sample 11
# Matrix instructions: programs of hand-written PTX (gen.py) with an H200's outputs.
CHECKS += matrix
check-matrix: $(B)/tests/harness/corpus
	@B=$(B) tests/run-check.sh matrix tests/harness/levels.sh $< --corpus tests/conformance/matrix --dialect sm_90 \
		--gpu gfx1030 --gpu gfx1100 --gpu gfx1010

# .ftz as compiled for any hardware (--ftz=exact), whenever that flushes a product.
CHECKS += ftz-unbounded ftz-grid ftz-before
check-ftz-unbounded check-ftz-grid check-ftz-before: check-ftz-%: $(CONF)/conformance
	@B=$(B) tests/run-check.sh ftz-$* $< --only ftz --sample 5 --ftz-exact --tiny $*
.PHONY: conformance check-matrix check-ftz-unbounded check-ftz-grid check-ftz-before
-include tests/conformance/memory/part.mk
