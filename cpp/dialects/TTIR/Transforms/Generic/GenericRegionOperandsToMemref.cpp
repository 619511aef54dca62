#include "dialects/TT/Remarks.h"
#include "dialects/TT/TileLayout.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRGENERICREGIONOPERANDSTOMEMREF
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kBufferRemarks("ttir-generic-region-operands-to-memref");

/// What the region sees of an operand: its shard in L1, or a tile at a time.
/// Where it takes tiles and the operand has rows, the kernel makes tiles.
BufferAttr getBuffer(LayoutAttr layout, bool takesTiles) {
  MLIRContext *context = layout.getContext();
  MemRefType memref = layout.getMemref();
  if (layout.getMemorySpace() == MemorySpace::DeviceL1 && !isPaged(layout))
    return BufferAttr::get(context, memref, BufferAccess::Alias);
  SmallVector<int64_t> block(memref.getRank(), 1);
  Type elementType = memref.getElementType();
  std::optional<DataType> format = elementTypeToDataType(elementType);
  if (!layout.isTiled() && takesTiles && format)
    elementType = TileType::get(context, *format);
  else if (!layout.isTiled())
    block.back() = memref.getShape().back(); // a row comes and goes at a time
  return BufferAttr::get(
      context,
      MemRefType::get(block, elementType, MemRefLayoutAttrInterface(),
                      MemorySpaceAttr::get(context, MemorySpace::DeviceL1)),
      BufferAccess::Stream);
}

/// A tensor of the buffer's scalars.
RankedTensorType getBufferType(Type elementType, BufferAttr buffer) {
  SmallVector<int64_t> shape(buffer.getMemref().getShape());
  if (auto tile = dyn_cast<TileType>(buffer.getMemref().getElementType())) {
    shape[shape.size() - 2] *= tile.getHeight();
    shape[shape.size() - 1] *= tile.getWidth();
  }
  return RankedTensorType::get(shape, elementType, buffer);
}

/// `arith` ops have operands of one type. If the formats of the buffers differ,
/// as those of block floats and plain numbers do, the op of 'ttir' replaces it.
template <typename EltwiseOp, typename ArithOp>
void replaceMixed(Block &block, ArithOp op) {
  Value output = block.getArguments().back();
  if (op.getLhs().getType() == output.getType() &&
      op.getRhs().getType() == output.getType())
    return;
  OpBuilder builder(op);
  SmallVector<Attribute> constraints(
      3, OperandConstraintAttr::get(builder.getContext(),
                                    OperandConstraint::AnyDeviceTile));
  auto eltwise =
      EltwiseOp::create(builder, op.getLoc(), TypeRange{output.getType()},
                        ValueRange{op.getLhs(), op.getRhs()},
                        ValueRange{output}, builder.getArrayAttr(constraints));
  op.replaceAllUsesWith(eltwise->getResult(0));
  op.erase();
}

bool hasBuffer(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa_and_present<BufferAttr>(type.getEncoding());
}

class TTIRGenericRegionOperandsToMemref
    : public impl::TTIRGenericRegionOperandsToMemrefBase<
          TTIRGenericRegionOperandsToMemref> {
public:
  using impl::TTIRGenericRegionOperandsToMemrefBase<
      TTIRGenericRegionOperandsToMemref>::TTIRGenericRegionOperandsToMemrefBase;

  void runOnOperation() final {
    WalkResult result = getOperation().walk([&](GenericOp op) {
      Block &block = op.getRegion().front();
      if (block.getNumArguments() == 0 || hasBuffer(block.getArgument(0)))
        return WalkResult::advance();
      return failed(convert(op, block)) ? WalkResult::interrupt()
                                        : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

private:
  static void report(GenericOp op, unsigned operand, LayoutAttr layout,
                     BufferAttr buffer) {
    bool isAlias = buffer.getBufferAccess() == BufferAccess::Alias;
    if (auto remark = kBufferRemarks.passed(op, isAlias ? "Alias" : "Stream"))
      remark << reason(isAlias
                           ? "operand {0}, {1}: its shard in L1 is the buffer"
                           : "operand {0}, {1}: its blocks come and go "
                             "through a buffer in L1",
                       operand, describe(layout))
             << rejected(isAlias ? "a buffer beside it: the core has the shard"
                                 : "the tensor itself: it is no shard of the "
                                   "core");
  }

  static LogicalResult convert(GenericOp op, Block &block) {
    auto constraints =
        op.getOperandConstraints().getAsRange<OperandConstraintAttr>();
    for (auto [argument, operand, constraint] : llvm::zip_equal(
             block.getArguments(), op->getOperands(), constraints)) {
      auto type = cast<RankedTensorType>(operand.getType());
      LayoutAttr layout = getLayoutOf(type);
      if (!layout || layout.isSystemMemorySpace())
        return op.emitOpError("expected operands with a layout on the device "
                              "(run ttir-layout first), found ")
               << type;
      bool takesTiles =
          bitEnumContainsAny(constraint.getValue(), OperandConstraint::Tile) &&
          !bitEnumContainsAny(constraint.getValue(), OperandConstraint::Scalar);
      BufferAttr buffer = getBuffer(layout, takesTiles);
      argument.setType(getBufferType(type.getElementType(), buffer));
      report(op, argument.getArgNumber(), layout, buffer);
    }
    for (Operation &nested : llvm::make_early_inc_range(block)) {
      if (auto add = dyn_cast<arith::AddFOp>(nested))
        replaceMixed<AddOp>(block, add);
      else if (auto multiply = dyn_cast<arith::MulFOp>(nested))
        replaceMixed<MultiplyOp>(block, multiply);
    }
    // What is computed in between has the shape of the result's buffer.
    auto output = cast<RankedTensorType>(block.getArguments().back().getType());
    auto outputBuffer = cast<BufferAttr>(output.getEncoding());
    for (Operation &nested : block) {
      for (OpResult result : nested.getResults()) {
        auto type = dyn_cast<RankedTensorType>(result.getType());
        if (!type)
          continue;
        auto tile =
            dyn_cast<TileType>(outputBuffer.getMemref().getElementType());
        std::optional<DataType> format =
            elementTypeToDataType(type.getElementType());
        MemRefType memref = outputBuffer.getMemref();
        if (tile && format && type.getElementType() != output.getElementType())
          memref = MemRefType::get(
              memref.getShape(),
              TileType::get(op.getContext(),
                            {tile.getHeight(), tile.getWidth()}, *format),
              MemRefLayoutAttrInterface(), memref.getMemorySpace());
        result.setType(
            getBufferType(type.getElementType(),
                          BufferAttr::get(op.getContext(), memref,
                                          outputBuffer.getBufferAccess())));
      }
    }
    return success();
  }
};

} // namespace
} // namespace mlir::tt::ttir
