#include "conversion/TTIRToTTMetal/TTIRToTTMetal.h"
#include "dialects/TT/Mesh.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TT/TensorLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinDialect.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::tt {

#define GEN_PASS_DEF_CONVERTTTIRTOTTMETAL
#include "conversion/TTIRToTTMetal/Passes.h.inc"

namespace {

/// Whether the op is part of a kernel, before or after the conversion.
bool isInKernel(Operation *op) {
  return op->getParentOfType<ttir::GenericOp>() ||
         op->getParentOfType<ttmetal::DispatchOp>();
}

/// A tensor of the device has a layout, an address and cores.
LogicalResult checkTensor(Operation *op, Value value, DeviceAttr device) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return success();
  auto layout = dyn_cast_if_present<LayoutAttr>(type.getEncoding());
  if (!layout)
    return op->emitError("expected tensors with a 'tt.layout' encoding, found ")
           << type << "; run --ttir-layout first";
  if (layout.isSystemMemorySpace())
    return success();
  if (!fitsDevice(device, layout.getGrid(), layout.getMemLayout()))
    return op->emitError("has a tensor on the grid ")
           << layout.getGrid()
           << " that is not on the device: expected one inside "
           << GridAttr::get(op->getContext(),
                            device.getWorkerGrid().getShape());
  if (lookupAddress(value) || isPlacedByRuntime(value))
    return success();
  return op->emitError("expected a tensor that has an address, found none for "
                       "a value of type ")
         << type << "; run --ttir-allocate first";
}

/// Checks the preconditions of the patterns, where an error can be emitted.
LogicalResult checkPreconditions(Operation *op, DeviceAttr device) {
  if (isInKernel(op) || isa<ModuleOp>(op))
    return success();
  for (Value operand : op->getOperands())
    if (failed(checkTensor(op, operand, device)))
      return failure();
  return success();
}

/// The end of the tensors in L1 of a function.
uint64_t getFreeL1(func::FuncOp function, SystemDescAttr systemDesc) {
  uint64_t end = systemDesc.getChipDesc().getL1UnreservedBase();
  if (auto taken = function->getAttrOfType<IntegerAttr>(kTakenL1Attr))
    end = std::max<uint64_t>(end, taken.getInt());
  if (auto arguments =
          function->getAttrOfType<ArrayAttr>(ArgumentAllocationAttr::name))
    for (auto argument : arguments.getAsRange<ArgumentAllocationAttr>())
      if (argument.getMemorySpace() == MemorySpace::DeviceL1)
        end = std::max(end, argument.getAddress() + argument.getSize());
  function.walk([&](ttir::AllocOp op) {
    if (op.getMemorySpace() == MemorySpace::DeviceL1)
      end = std::max<uint64_t>(end, op.getAddress() + op.getSize());
  });
  return end;
}

/// The fallback of every op of `ttir`: an error that says what is supported.
struct UnsupportedPattern : public ConversionPattern {
  UnsupportedPattern(MLIRContext *context, Lowering &lowering,
                     std::string supported)
      : ConversionPattern(MatchAnyOpTypeTag(), /*benefit=*/0, context),
        lowering(lowering), supported(std::move(supported)) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value>,
                  ConversionPatternRewriter &rewriter) const final {
    if (isInKernel(op))
      return failure();
    op->emitOpError("has no kernels in TTMetal; those that have are ")
        << supported;
    lowering.failed = true;
    auto dps = dyn_cast<DestinationStyleOpInterface>(op);
    if (!dps || dps.getNumDpsInits() != op->getNumResults())
      return failure();
    rewriter.replaceOp(op, llvm::to_vector<4>(ValueRange(dps.getDpsInits())));
    return success();
  }

  Lowering &lowering;
  /// Names of the ops that have patterns.
  std::string supported;
};

/// The names of the ops that patterns are for.
std::string listOps(RewritePatternSet &patterns) {
  llvm::SetVector<StringRef> names;
  for (const auto &pattern : patterns.getNativePatterns())
    if (std::optional<OperationName> root = pattern->getRootKind())
      names.insert(root->getStringRef());
  return llvm::join(names, ", ");
}

class ConvertTTIRToTTMetal
    : public impl::ConvertTTIRToTTMetalBase<ConvertTTIRToTTMetal> {
public:
  using impl::ConvertTTIRToTTMetalBase<
      ConvertTTIRToTTMetal>::ConvertTTIRToTTMetalBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    if (failed(verifyPlacedTensors(module)))
      return signalPassFailure();
    if (allGatherSwizzle < 0) {
      module.emitError(
          "all-gather-swizzle: expected a number of rows of tiles, "
          "or 0 for none, found ")
          << allGatherSwizzle.getValue();
      return signalPassFailure();
    }
    for (const auto &entry : overrideComputeConfig.entries)
      if (entry.second.packerL1Acc) {
        module.emitError("override-compute-config: expected a fidelity, "
                         "math_approx_mode or fp32_dest_acc_en for '")
            << entry.getKey()
            << "', found packer_l1_acc: these kernels add up in the "
               "destination registers";
        return signalPassFailure();
      }
    Lowering lowering;
    lowering.useAllGatherKernel = useAllGatherKernel;
    lowering.allGatherSwizzle = allGatherSwizzle;
    lowering.computeConfigs = ComputeConfigDemands(
        mathFidelity, fp32DestAccEn, mathApproxMode,
        /*packerL1Acc=*/ComputeSwitch::Default, overrideComputeConfig);
    lowering.mesh = getScopeMesh(module);
    lowering.device = getScopeChipView(module);
    lowering.systemDesc = getScopeSystemDesc(module);
    auto emitError = [&] { return module.emitError(); };
    if (!lowering.device || !lowering.systemDesc) {
      emitError() << "expected a module with tt.system_desc and tt.device; run "
                     "--ttir-implicit-device first";
      return signalPassFailure();
    }
    if (failed(verifyEqualCores(emitError, lowering.systemDesc,
                                getScopeDevice(module))))
      return signalPassFailure();
    WalkResult result = module.walk([&](Operation *op) {
      return WalkResult(checkPreconditions(op, lowering.device));
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    module.walk([&](func::FuncOp function) {
      lowering.freeL1[function] = getFreeL1(function, lowering.systemDesc);
    });

    ConversionTarget target(getContext());
    target
        .addLegalDialect<BuiltinDialect, func::FuncDialect, TTDialect,
                         ttkernel::TTKernelDialect, ttmetal::TTMetalDialect>();
    // Of functions that the host runs.
    target.addLegalDialect("ttnn");
    target.addIllegalDialect<ttir::TTIRDialect>();
    // Loops and arithmetic are legal in the kernels only.
    target.addDynamicallyLegalDialect<arith::ArithDialect, math::MathDialect,
                                      scf::SCFDialect>([](Operation *op) {
      return bool(op->getParentOfType<ttmetal::DispatchOp>());
    });
    RewritePatternSet patterns(&getContext());
    populateTTIRToTTMetalMemoryPatterns(patterns, lowering);
    populateTTIRToTTMetalFillPatterns(patterns, lowering);
    populateTTIRToTTMetalMatmulPatterns(patterns, lowering);
    populateTTIRToTTMetalAttentionPatterns(patterns, lowering);
    populateTTIRToTTMetalMovementPatterns(patterns, lowering);
    populateTTIRToTTMetalIndexingPatterns(patterns, lowering);
    populateTTIRToTTMetalUpdatePatterns(patterns, lowering);
    populateTTIRToTTMetalReducePatterns(patterns, lowering);
    populateTTIRToTTMetalCollectivePatterns(patterns, lowering);
    populateTTIRToTTMetalGenericPatterns(patterns, lowering);
    std::string supported = listOps(patterns);
    patterns.add<UnsupportedPattern>(&getContext(), lowering, supported);
    // Patterns that fail have emitted an error; see KernelPattern.
    ConversionConfig config;
    config.allowPatternRollback = false;
    if (failed(
            applyFullConversion(module, target, std::move(patterns), config)) ||
        lowering.failed)
      return signalPassFailure();
    lowering.computeConfigs.warnOfUnusedNames(module);
  }
};

} // namespace
} // namespace mlir::tt
