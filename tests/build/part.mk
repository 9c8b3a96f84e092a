CHECKS += build
check-build: $(B)/ptx-ir
	@B=$(B) tests/run-check.sh build tests/build/run.sh
bless: bless-build
bless-build: $(B)/ptx-ir
	@B=$(B) tests/build/run.sh bless
.PHONY: check-build bless-build
