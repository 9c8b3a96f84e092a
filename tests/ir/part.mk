CHECKS += ir
check-ir: $(B)/ir-opt
	@B=$(B) tests/run-check.sh ir tests/ir/run.sh
bless: bless-ir
bless-ir: $(B)/ir-opt
	@B=$(B) tests/ir/run.sh bless
.PHONY: check-ir bless-ir
