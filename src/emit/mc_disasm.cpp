#include "emit/mc_disasm.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>

#include "llvm/ADT/SmallString.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"

extern "C" {
void LLVMInitializeAMDGPUTargetInfo(void);
void LLVMInitializeAMDGPUTargetMC(void);
void LLVMInitializeAMDGPUDisassembler(void);
}

using namespace llvm;

struct mc_disasm {
	std::unique_ptr<const MCRegisterInfo> mri;
	std::unique_ptr<const MCAsmInfo> mai;
	std::unique_ptr<const MCInstrInfo> mii;
	std::unique_ptr<const MCSubtargetInfo> sti;
	std::unique_ptr<MCContext> ctx;
	std::unique_ptr<const MCDisassembler> dis;
	std::unique_ptr<MCInstPrinter> printer;
};

static void init_target()
{
	static std::once_flag once;
	std::call_once(once, [] {
		LLVMInitializeAMDGPUTargetInfo();
		LLVMInitializeAMDGPUTargetMC();
		LLVMInitializeAMDGPUDisassembler();
	});
}

struct mc_disasm *mc_disasm_new(const char *gpu, const char *features)
{
	init_target();
	Triple triple("amdgcn-amd-amdhsa");
	std::string err;
	const Target *t = TargetRegistry::lookupTarget(triple, err);
	if (!t)
		return nullptr;
	auto d = std::make_unique<mc_disasm>();
	MCTargetOptions opts;
	d->mri.reset(t->createMCRegInfo(triple));
	if (!d->mri)
		return nullptr;
	d->mai.reset(t->createMCAsmInfo(*d->mri, triple, opts));
	d->mii.reset(t->createMCInstrInfo());
	d->sti.reset(t->createMCSubtargetInfo(triple, gpu, features ? features : ""));
	if (!d->mai || !d->mii || !d->sti || !d->sti->isCPUStringValid(gpu))
		return nullptr;
	d->ctx = std::make_unique<MCContext>(triple, d->mai.get(), d->mri.get(), d->sti.get());
	d->dis.reset(t->createMCDisassembler(*d->sti, *d->ctx));
	d->printer.reset(t->createMCInstPrinter(triple, d->mai->getAssemblerDialect(), *d->mai, *d->mii, *d->mri));
	if (!d->dis || !d->printer)
		return nullptr;
	return d.release();
}

void mc_disasm_free(struct mc_disasm *d)
{
	delete d;
}

size_t mc_disasm_one(struct mc_disasm *d, const uint8_t *bytes, size_t n, uint64_t addr, char *buf, size_t size)
{
	MCInst inst;
	uint64_t len = 0;
	SmallString<256> text;
	raw_svector_ostream os(text);

	if (d->dis->getInstruction(inst, len, ArrayRef<uint8_t>(bytes, n), addr, nulls()) != MCDisassembler::Success)
		return 0;
	d->printer->printInst(&inst, addr, "", *d->sti, os);
	const char *s = text.c_str();
	s += strspn(s, " \t");
	snprintf(buf, size, "%s", s);
	return len;
}
