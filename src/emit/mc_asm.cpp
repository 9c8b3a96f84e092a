#include "emit/mc_asm.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

extern "C" {
void LLVMInitializeAMDGPUTargetInfo(void);
void LLVMInitializeAMDGPUTargetMC(void);
void LLVMInitializeAMDGPUAsmParser(void);
}

using namespace llvm;

static const Target *find_target()
{
	static std::once_flag once;
	std::call_once(once, [] {
		LLVMInitializeAMDGPUTargetInfo();
		LLVMInitializeAMDGPUTargetMC();
		LLVMInitializeAMDGPUAsmParser();
	});
	std::string err;
	return TargetRegistry::lookupTarget(Triple("amdgcn-amd-amdhsa"), err);
}

namespace
{
class Collector : public MCStreamer
{
      public:
	Collector(MCContext &ctx, MCCodeEmitter &ce, SourceMgr &sm, const mc_asm_sink &sink)
	    : MCStreamer(ctx), ce(ce), sm(sm), sink(sink)
	{
	}
	void emitInstruction(const MCInst &inst, const MCSubtargetInfo &sti) override
	{
		SmallVector<MCFixup, 4> fixups;
		SmallVector<char, 24> bytes;
		std::vector<mc_operand> ops;
		ce.encodeInstruction(inst, bytes, fixups, sti);
		for (const MCOperand &o : inst)
			ops.push_back({o.isReg(), o.isImm(),
			               o.isReg() ? int64_t(o.getReg().id()) : o.isImm() ? o.getImm() : 0});
		mc_asm_inst i = {};
		i.line = sm.getLineAndColumn(inst.getLoc()).first;
		i.opcode = inst.getOpcode();
		i.ops = ops.data();
		i.nops = uint32_t(ops.size());
		i.bytes = reinterpret_cast<const uint8_t *>(bytes.data());
		i.nbytes = uint32_t(bytes.size());
		sink.inst(sink.ctx, &i);
	}
	bool emitSymbolAttribute(MCSymbol *, MCSymbolAttr) override
	{
		return true;
	}
	void emitCommonSymbol(MCSymbol *, uint64_t, Align) override
	{
	}

      private:
	MCCodeEmitter &ce;
	SourceMgr &sm;
	const mc_asm_sink &sink;
};
} // namespace

static void on_diag(const SMDiagnostic &d, void *ctx)
{
	auto *sink = static_cast<const mc_asm_sink *>(ctx);
	if (d.getKind() == SourceMgr::DK_Error)
		sink->error(sink->ctx, uint32_t(d.getLineNo()), d.getMessage().str().c_str());
}

bool mc_assemble(const char *gpu, const char *features, const char *text, size_t n, const struct mc_asm_sink *sink)
{
	const Target *t = find_target();
	if (!t)
		return false;
	Triple triple("amdgcn-amd-amdhsa");
	MCTargetOptions opts;
	std::unique_ptr<const MCRegisterInfo> mri(t->createMCRegInfo(triple));
	std::unique_ptr<const MCAsmInfo> mai(t->createMCAsmInfo(*mri, triple, opts));
	std::unique_ptr<const MCInstrInfo> mii(t->createMCInstrInfo());
	std::unique_ptr<const MCSubtargetInfo> sti(t->createMCSubtargetInfo(triple, gpu, features ? features : ""));
	if (!sti->isCPUStringValid(gpu))
		return false;
	SourceMgr sm;
	sm.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(StringRef(text, n)), SMLoc());
	sm.setDiagHandler(on_diag, const_cast<mc_asm_sink *>(sink));
	MCContext ctx(triple, mai.get(), mri.get(), sti.get(), &sm);
	std::unique_ptr<MCObjectFileInfo> mofi(t->createMCObjectFileInfo(ctx, true));
	ctx.setObjectFileInfo(mofi.get());
	std::unique_ptr<MCCodeEmitter> ce(t->createMCCodeEmitter(*mii, ctx));
	Collector out(ctx, *ce, sm, *sink);
	t->createNullTargetStreamer(out);
	std::unique_ptr<MCAsmParser> parser(createMCAsmParser(sm, ctx, out, *mai));
	std::unique_ptr<MCTargetAsmParser> tap(t->createMCAsmParser(*sti, *parser, *mii, opts));
	parser->setTargetParser(*tap);
	parser->Run(false, true);
	return true;
}

struct mc_names {
	std::unique_ptr<const MCRegisterInfo> mri;
	std::unique_ptr<const MCInstrInfo> mii;
	StringMap<uint32_t> regs;
};

struct mc_names *mc_names_new(void)
{
	const Target *t = find_target();
	if (!t)
		return nullptr;

	auto m = std::make_unique<mc_names>();
	m->mri.reset(t->createMCRegInfo(Triple("amdgcn-amd-amdhsa")));
	m->mii.reset(t->createMCInstrInfo());
	for (unsigned r = 1; r < m->mri->getNumRegs(); r++)
		m->regs[m->mri->getName(r)] = r;
	return m.release();
}

void mc_names_free(struct mc_names *m)
{
	delete m;
}

uint32_t mc_names_reg(const struct mc_names *m, const char *name)
{
	auto it = m->regs.find(name);
	return it == m->regs.end() ? 0 : it->second;
}

const char *mc_names_opcode(const struct mc_names *m, uint32_t opcode)
{
	return m->mii->getName(opcode).data();
}
