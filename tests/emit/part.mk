CHECKS += emit emit-elf emit-island emit-vopd emit-asm
check-emit: $(B)/amd-as $(B)/ptx-run
	@B=$(B) tests/run-check.sh emit tests/emit/run.sh
check-emit-elf: $(B)/amd-as $(B)/tests/emit/comgr
	@B=$(B) tests/run-check.sh emit-elf tests/emit/elf.sh
check-emit-island: $(B)/amd-as $(B)/ptx-run
	@B=$(B) tests/run-check.sh emit-island tests/emit/island.sh
check-emit-vopd: $(B)/amd-as $(B)/ptx-run
	@B=$(B) tests/run-check.sh emit-vopd tests/emit/vopd.sh
check-emit-asm: $(B)/ptxas-amd
	@B=$(B) tests/run-check.sh emit-asm tests/emit/asm.sh
$(B)/tests/emit/comgr: tests/emit/comgr.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -o $@ $< $(LDFLAGS) -ldl
