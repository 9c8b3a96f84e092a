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
