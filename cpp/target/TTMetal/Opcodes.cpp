#include "target/TTMetal/Opcodes.h"

#include "dialects/TTKernel/TTKernel.h"
#include "ttmlir/Target/TTMetal/instructions.inc"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttmetal;
namespace fbs = ::tt::target;
using fbs::metal::Opcode;

std::optional<Opcode> ttmetal::getOpcode(Operation *op) {
  static const llvm::StringMap<Opcode> opcodes{
#define TTMLIR_OPCODE(op, name) {op, Opcode::name},
      TTMLIR_KERNEL_OPS(TTMLIR_OPCODE)
#undef TTMLIR_OPCODE
  };
  auto found = opcodes.find(op->getName().getStringRef());
  if (found == opcodes.end())
    return std::nullopt;
  return found->second;
}

unsigned ttmetal::getBits(Type type) {
  if (type.isIndex())
    return 32;
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? integer.getWidth() : 0;
}

LogicalResult ttmetal::verifyArith(Operation *op) {
  bool fits = llvm::all_of(op->getOperandTypes(), [](Type type) {
    unsigned bits = getBits(type);
    return isa<ttkernel::NocAddrType, ttkernel::TensorAccessorType>(type) ||
           (bits >= 1 && bits <= 32);
  });
  auto compare = dyn_cast<arith::CmpIOp>(op);
  bool isSigned =
      compare && (compare.getPredicate() == arith::CmpIPredicate::slt ||
                  compare.getPredicate() == arith::CmpIPredicate::sle ||
                  compare.getPredicate() == arith::CmpIPredicate::sgt ||
                  compare.getPredicate() == arith::CmpIPredicate::sge);
  bool needsAll =
      isSigned ||
      isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp,
          arith::ShRSIOp, arith::DivSIOp, arith::RemSIOp, arith::MinSIOp,
          arith::MaxSIOp, arith::IndexCastOp>(op);
  if (fits && needsAll)
    fits = getBits(op->getOperand(0).getType()) == 32;
  if (isa<arith::ExtSIOp, arith::IndexCastOp>(op))
    fits &= getBits(op->getResult(0).getType()) == 32;
  if (fits && getBits(op->getResult(0).getType()) <= 32)
    return success();
  return op->emitOpError("has no instruction: expected integers of 32 bits, "
                         "found ")
         << op->getOperandTypes() << " -> " << op->getResultTypes();
}
