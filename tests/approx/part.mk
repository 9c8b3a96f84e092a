# Approximate functions against the manual's bounds, rounded ones against the host: a sample in make check, a million operands each in
# make conformance.
$(B)/tests/approx/approx.o: ALL_CFLAGS += -frounding-math -Itests/approx
$(B)/tests/approx/approx: $(B)/tests/approx/approx.o $(B)/libptxsim.a $(B)/libptx.a
	$(CXX) -o $@ $^ $(LDFLAGS) $(LLVM_LDFLAGS) $(LLVM_LIBS)

CHECKS += approx
check-approx: $(B)/tests/approx/approx
	@B=$(B) tests/run-check.sh approx $< --count 20480

CHECKS += reciprocal
check-reciprocal: $(B)/tests/approx/reciprocal
	@B=$(B) tests/run-check.sh reciprocal $<
$(B)/tests/approx/reciprocal: $(B)/tests/approx/reciprocal.o
	$(CC) -o $@ $^ $(LDFLAGS) -lm

conformance: conformance-approx
conformance-approx: $(B)/tests/approx/approx
	$<
.PHONY: conformance-approx
