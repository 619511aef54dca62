#include "dialects/TTIR/Transforms/Layout/Padding.h"

#include "dialects/TTIR/TTIR.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::tt::ttir {

/// Whether the tiles of a tensor have padding along one of its two innermost
/// dimensions that the reduction goes over.
template <typename ReductionOp> static bool readsPadding(ReductionOp op) {
  ArrayRef<int64_t> shape = op.getInput().getType().getShape();
  int64_t rank = shape.size();
  auto isPadded = [&](int64_t dim) {
    return dim >= std::max<int64_t>(rank - 2, 0) &&
           shape[dim] % TileType::kExtent;
  };
  ArrayAttr dims = op.getDimArgAttr();
  if (!dims || dims.empty())
    return llvm::any_of(llvm::seq<int64_t>(0, rank), isPadded);
  return llvm::any_of(dims.getAsRange<IntegerAttr>(), [&](IntegerAttr dim) {
    return isPadded(*shapes::normalizeDim(dim.getInt(), rank));
  });
}

OOBVal getRequiredPadding(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (operand.getOperandNumber() + 1 == op->getNumOperands())
    return OOBVal::Undef;
  return llvm::TypeSwitch<Operation *, OOBVal>(op)
      .Case([](MatmulOp matmul) {
        ArrayRef<int64_t> shape = matmul.getA().getType().getShape();
        int64_t inner = shape[shape.size() - (matmul.getTransposeA() ? 2 : 1)];
        return inner % TileType::kExtent ? OOBVal::Zero : OOBVal::Undef;
      })
      .Case([&](ScaledDotProductAttentionOp) {
        // What lies behind the keys and the width counts as nothing.
        auto type = cast<RankedTensorType>(operand.get().getType());
        ArrayRef<int64_t> shape = type.getShape();
        // The mask ends with the keys, positions with the queries.
        if (isa<IntegerType>(type.getElementType()))
          return OOBVal::Undef;
        bool isFull = llvm::all_of(shape.take_back(2), [](int64_t extent) {
          return extent % TileType::kExtent == 0;
        });
        return isFull ? OOBVal::Undef : OOBVal::Zero;
      })
      .Case<SumOp, MeanOp>([](auto reduction) {
        return readsPadding(reduction) ? OOBVal::Zero : OOBVal::Undef;
      })
      .Case([](MaxOp reduction) {
        return readsPadding(reduction) ? OOBVal::NegInf : OOBVal::Undef;
      })
      .Case([](MinOp reduction) {
        return readsPadding(reduction) ? OOBVal::Inf : OOBVal::Undef;
      })
      .Default(OOBVal::Undef);
}

} // namespace mlir::tt::ttir
