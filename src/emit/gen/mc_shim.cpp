#include "emit/gen/mc_shim.h"

#include <cstring>
#include <memory>
#include <mutex>
#include <string>

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"

extern "C" {
void LLVMInitializeAMDGPUTargetInfo(void);
void LLVMInitializeAMDGPUTargetMC(void);
}

using namespace llvm;

struct mc_encoder {
	std::unique_ptr<const MCRegisterInfo> mri;
	std::unique_ptr<const MCAsmInfo> mai;
	std::unique_ptr<const MCInstrInfo> mii;
	std::unique_ptr<const MCSubtargetInfo> sti;
	std::unique_ptr<MCContext> ctx;
	std::unique_ptr<MCCodeEmitter> ce;
	unsigned hwmode;
	SmallVector<MCFixup, 4> fixups;
	SmallVector<char, 24> bytes;
};

struct mc_encoder *mc_encoder_new(const char *gpu, const char *features)
{
	static std::once_flag once;
	std::call_once(once, [] {
		LLVMInitializeAMDGPUTargetInfo();
		LLVMInitializeAMDGPUTargetMC();
	});
	Triple triple("amdgcn-amd-amdhsa");
	std::string err;
	const Target *t = TargetRegistry::lookupTarget(triple, err);
	if (!t)
		return nullptr;
	auto e = std::make_unique<mc_encoder>();
	MCTargetOptions opts;
	e->mri.reset(t->createMCRegInfo(triple));
	e->mai.reset(t->createMCAsmInfo(*e->mri, triple, opts));
	e->mii.reset(t->createMCInstrInfo());
	e->sti.reset(t->createMCSubtargetInfo(triple, gpu, features ? features : ""));
	if (!e->sti || !e->sti->isCPUStringValid(gpu))
		return nullptr;
	e->ctx = std::make_unique<MCContext>(triple, e->mai.get(), e->mri.get(), e->sti.get());
	e->ce.reset(t->createMCCodeEmitter(*e->mii, *e->ctx));
	e->hwmode = e->sti->getHwMode(MCSubtargetInfo::HwMode_RegInfo);
	return e.release();
}

void mc_encoder_free(struct mc_encoder *e)
{
	delete e;
}

size_t mc_encode(struct mc_encoder *e, uint32_t opcode, const struct mc_value *ops, uint32_t n, uint8_t *out)
{
	MCInst inst;
	inst.setOpcode(opcode);
	for (uint32_t k = 0; k < n; k++)
		inst.addOperand(ops[k].is_reg ? MCOperand::createReg(MCRegister(unsigned(ops[k].value)))
		                              : MCOperand::createImm(ops[k].value));
	e->bytes.clear();
	e->fixups.clear();
	e->ce->encodeInstruction(inst, e->bytes, e->fixups, *e->sti);
	size_t size = e->bytes.size() < 24 ? e->bytes.size() : 24;
	memcpy(out, e->bytes.data(), size);
	return size;
}

bool mc_fits(const struct mc_encoder *e, uint32_t opcode, uint32_t operand, uint32_t reg)
{
	ArrayRef<MCOperandInfo> info = e->mii->get(opcode).operands();
	if (operand >= info.size())
		return true;
	int rc = e->mii->getOpRegClassID(info[operand], e->hwmode);
	return rc >= 0 && e->mri->getRegClass(unsigned(rc)).contains(MCRegister(reg));
}
