#include "dialects/TT/Bounds.h"
#include "dialects/TT/Remarks.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRRESULTSONDEVICE
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kResultRemarks("ttir-results-on-device");

/// The type in tiles in DRAM; null if it has a layout, or cannot have one.
RankedTensorType getTiledType(Value value) {
  RankedTensorType type = getTensorType(value);
  if (!type || type.getEncoding() || type.getRank() == 0 ||
      !isComputable(type.getShape()) || type.getNumElements() == 0)
    return {};
  std::optional<DataType> format = elementTypeToDataType(type.getElementType());
  if (!format)
    return {};
  MLIRContext *context = type.getContext();
  return withLayout(type, LayoutAttr::get(type, MemorySpace::DeviceDRAM,
                                          GridAttr::get(context, /*rank=*/2),
                                          TileType::get(context, *format),
                                          TensorMemoryLayout::Interleaved));
}

struct TTIRResultsOnDevice
    : public impl::TTIRResultsOnDeviceBase<TTIRResultsOnDevice> {
  using Base::Base;

  void runOnOperation() override {
    // What parts return, others are given: one layout fits all.
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func->hasAttr(kPartAttr))
        placeResults(func);
  }

private:
  void placeResults(func::FuncOp func) {
    // Variables come last, and are there anyway.
    for (auto returnOp : func.getOps<func::ReturnOp>())
      for (Value value :
           returnOp.getOperands().drop_back(getNumWrittenVariables(func)))
        if (auto result = dyn_cast<OpResult>(value))
          placeResult(result);
    updateResultTypes(func);
  }

  /// Only what an op computes has a place of its own; parts of the program are
  /// given tensors as they take them.
  void placeResult(OpResult result) {
    auto op = dyn_cast<DestinationStyleOpInterface>(result.getOwner());
    RankedTensorType type = getTiledType(result);
    if (!op || op.getNumDpsInputs() == 0 || !type ||
        llvm::any_of(result.getUsers(), isControlFlow))
      return;
    retypeDestination(*op.getTiedOpOperand(result), type);
    result.setType(type);
    ++numPlaced;
    if (auto remark = kResultRemarks.passed(op, "OnDevice"))
      remark << reason("the result stays on the device, in {0}",
                       describe(getLayoutOf(type)))
             << rejected("on the host: results-on-device leaves what an op "
                         "computes where the next program can read it");
  }
};

} // namespace
} // namespace mlir::tt::ttir
