# check-forms: every instruction that ptxas accepts compiles for both chips at -O0 and -O3, or is listed as refused.
CHECKS += forms
FORMS_ARGS = tests/parser/verdicts.tsv.zst tests/parser/verdicts.prologue tests/forms/refused.list
$(B)/tests/forms/%: $(B)/tests/forms/%.o $(B)/libptx.a
	@mkdir -p $(@D)
	$(CXX) -o $@ $< $(B)/libptx.a $(LDFLAGS) $(LLVM_LDFLAGS) $(LLVM_LIBS)
check-forms: $(B)/tests/forms/forms
	@B=$(B) tests/run-check.sh forms $< $(FORMS_ARGS)
bless: bless-forms
bless-forms: $(B)/tests/forms/forms
	$< $(FORMS_ARGS) --print >$(B)/refused.list && (grep '^#' tests/forms/refused.list; cat $(B)/refused.list) >$(B)/refused.new && \
		mv $(B)/refused.new tests/forms/refused.list
.PHONY: check-forms bless-forms

# check-model: the host model of floating-point forms (tests/conformance/model).
CHECKS += model
MODEL_OBJ = $(patsubst %,$(B)/tests/conformance/model/%.o,number model)
$(B)/tests/conformance/model/model_test.o: CFLAGS += -frounding-math
$(B)/tests/conformance/model/model_test: $(B)/tests/conformance/model/model_test.o $(MODEL_OBJ)
	$(CC) -o $@ $^ $(LDFLAGS) -lm
check-model: $(B)/tests/conformance/model/model_test
	@B=$(B) tests/run-check.sh model $< tests/conformance/model/h200.tsv
.PHONY: check-model
