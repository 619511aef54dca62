#include "conversion/TTIRToTTNN/TTIRToTTNN.h"

#include "dialects/TT/TT.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TT/TensorLayout.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"
#include "dialects/TTNN/TTNN.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinDialect.h"

namespace mlir::tt {

#define GEN_PASS_DEF_CONVERTTTIRTOTTNN
#include "conversion/TTIRToTTNN/Passes.h.inc"

namespace {

/// What the patterns take for granted, checked where an error can be emitted.
LogicalResult checkPreconditions(Operation *op) {
  if (!isa_and_present<BuiltinDialect, func::FuncDialect, TTDialect,
                       ttir::TTIRDialect, ttnn::TTNNDialect>(
          op->getDialect()) &&
      !isa<tensor::EmptyOp>(op))
    return op->emitOpError("has no library call in TTNN: expected ops of the "
                           "'ttir' dialect, which --tosa-to-ttir-pipeline and "
                           "--linalg-to-ttir-pipeline make of TOSA and linalg");
  auto hasNoLayout = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !isa_and_nonnull<LayoutAttr>(tensor.getEncoding());
  };
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (hasNoLayout(type))
        return op->emitError("expected tensors with a 'tt.layout' encoding, "
                             "found ")
               << type << "; run --ttir-layout first";
  ElementsAttr elements;
  if (auto constant = dyn_cast<ttir::ConstantOp>(op))
    elements = constant.getValue();
  else if (auto fill = dyn_cast<ttir::FillOp>(op))
    elements = fill.getValue();
  if (elements && !isa<DenseElementsAttr, DenseResourceElementsAttr>(elements))
    return op->emitOpError("expected dense elements, found ") << elements;
  if (auto conv = dyn_cast<ttir::Conv2dOp>(op))
    if (conv.getInput().getType().getRank() != 4)
      return op->emitOpError("expected an input of rank 4 (N, H, W, C), found ")
             << conv.getInput().getType();
  if (isa<ttir::MaxPool2dOp, ttir::AvgPool2dOp>(op) &&
      !op->hasAttr("original_height"))
    return op->emitOpError("expected original_height and original_width; run "
                           "--ttir-sliding-window-2d-fix-shapes first");
  if (isa<ttir::GenericOp, ttir::KernelOp, ttir::AllocOp, ttir::DeallocOp>(op))
    return op->emitOpError("has no library call in TTNN; it is lowered by the "
                           "TTMetal backend");
  return success();
}

/// Whether ttir-in-place lets the op overwrite its input, which has no later
/// reader.
bool writesInPlace(Operation *op) {
  auto update = dyn_cast<ttir::UpdateSliceOp>(op);
  return update && update.getInput() == update.getOutput() &&
         llvm::all_of(update.getInput().getUsers(), [&](Operation *user) {
           return user == op || (user->getBlock() == op->getBlock() &&
                                 user->isBeforeInBlock(op));
         });
}

/// Gives every op a destination of its own right in front of it: calls write
/// into theirs, so two calls must not share one, nor write over a value that is
/// still needed.
void separateDestinations(Operation *op) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (!dps || !isa<ttir::TTIROp>(op) || isa<ttir::ToLayoutOp>(op) ||
      writesInPlace(op))
    return;
  for (OpOperand &init : dps.getDpsInitsMutable())
    if (auto type = dyn_cast<RankedTensorType>(init.get().getType()))
      ttir::retypeDestination(init, type);
}

/// Programs say which chips they run on, also where none of their calls needs
/// the device; without a word it is the first chip of the device in use.
void nameChips(ModuleOp module, DeviceAttr device) {
  if (device.getChipIds() == ArrayRef<unsigned>(0u))
    return;
  module.walk([&](func::FuncOp func) {
    if (func.isDeclaration() || func->hasAttr(kPartAttr) ||
        func->hasAttr(LoadCachedOp::kFunctionAttr))
      return;
    Block &body = func.getBody().front();
    if (isa<ttnn::GetDeviceOp>(body.front()))
      return;
    auto builder = OpBuilder::atBlockBegin(&body);
    ttnn::GetDeviceOp::create(builder, func.getLoc(),
                              DeviceType::get(func.getContext(), device));
  });
}

class ConvertTTIRToTTNN
    : public impl::ConvertTTIRToTTNNBase<ConvertTTIRToTTNN> {
public:
  using Base::Base;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    if (failed(verifyPlacedTensors(module)))
      return signalPassFailure();
    const DeviceAttr device = ttir::getOrCreateDevice(module);
    if (!device)
      return signalPassFailure();
    WalkResult result = module.walk<WalkOrder::PreOrder>([](Operation *op) {
      return failed(checkPreconditions(op)) ? WalkResult::interrupt()
                                            : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    module.walk(separateDestinations);

    ConversionTarget target(getContext());
    target.addLegalDialect<BuiltinDialect, func::FuncDialect, TTDialect,
                           ttnn::TTNNDialect>();
    target.addIllegalDialect<ttir::TTIRDialect>();
    RewritePatternSet patterns(&getContext());
    populateTTIRToTTNNPatterns(patterns, numLinks);
    // Preconditions are checked above: no pattern fails half way.
    ConversionConfig config;
    config.allowPatternRollback = false;
    if (failed(
            applyFullConversion(module, target, std::move(patterns), config)))
      return signalPassFailure();
    nameChips(module, device);
  }
};

} // namespace
} // namespace mlir::tt
