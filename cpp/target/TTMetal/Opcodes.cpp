#include "target/TTMetal/Opcodes.h"

#include "dialects/TTKernel/TTKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttmetal;
namespace fbs = ::tt::target;
using fbs::metal::Opcode;

static std::optional<Opcode> findOpcode(StringRef name) {
  static const llvm::StringMap<Opcode> opcodes = [] {
    llvm::StringMap<Opcode> map;
    for (Opcode opcode : fbs::metal::EnumValuesOpcode())
      map[fbs::metal::EnumNameOpcode(opcode)] = opcode;
    return map;
  }();
  auto found = opcodes.find(name);
  if (found == opcodes.end())
    return std::nullopt;
  return found->second;
}

std::optional<Opcode> ttmetal::getOpcode(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  StringRef name = op->getName().stripDialect();
  if (dialect == "ttkernel")
    return findOpcode(llvm::StringSwitch<StringRef>(name)
                          .Case("assert", "assert_that")
                          .Case("return", "ret")
                          .Default(name));
  // A number is kept zero-extended, so widening it without a sign is a copy.
  if (isa<arith::ExtUIOp, arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return Opcode::move;
  if (dialect == "arith")
    return findOpcode(name);
  if (isa<func::ReturnOp>(op))
    return Opcode::ret;
  return std::nullopt;
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
