#include "conversion/TTKernelToEmitC/TTKernelToEmitC.h"

#include "dialects/TTKernel/TTKernel.h"

#include "mlir/Conversion/ArithToEmitC/ArithToEmitC.h"
#include "mlir/Conversion/MemRefToEmitC/MemRefToEmitC.h"
#include "mlir/Conversion/SCFToEmitC/SCFToEmitC.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/EmitC/IR/EmitC.h"
#include "mlir/Dialect/EmitC/Transforms/TypeConversions.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::tt {

#define GEN_PASS_DEF_CONVERTTTKERNELTOEMITC
#include "conversion/TTKernelToEmitC/Passes.h.inc"

namespace {

using ttkernel::CBPort;
using ttkernel::CBType;

/// "c_in0" of `cb_in0`.
std::string getCppName(CBPort port) {
  auto number = static_cast<uint32_t>(port);
  constexpr const char *purposes[] = {"c_in", "dataflow", "c_out",
                                      "c_intermed"};
  return purposes[number / 8] + std::to_string(number % 8);
}

class KernelTypeConverter : public TypeConverter {
public:
  explicit KernelTypeConverter(MLIRContext *context) {
    addConversion([](Type type) { return type; });
    populateEmitCSizeTTypeConversions(*this);
    populateMemRefToEmitCTypeConversion(*this);
    addConversion([=](CBType) -> Type {
      return emitc::OpaqueType::get(context, "::tt::CB");
    });
    addConversion([=](ttkernel::NocAddrType) -> Type {
      return IntegerType::get(context, 64);
    });
    addConversion([=](ttkernel::TensorAccessorType) -> Type {
      return emitc::OpaqueType::get(context, "TensorAccessor");
    });
  }
};

/// func.func @kernel(%cb: !ttkernel.cb<cb_in0, ..>)
/// =>
/// func.func @kernel() {
///   %v = "emitc.variable"() <{value = #emitc.opaque<"::tt::CB::c_in0">}>
///   %cb = emitc.load %v
class KernelPattern : public OpConversionPattern<func::FuncOp> {
public:
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(func::FuncOp kernel, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const final {
    Block &entry = kernel.getBody().front();
    TypeConverter::SignatureConversion signature(entry.getNumArguments());
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&entry);
      for (BlockArgument argument : entry.getArguments())
        signature.remapInput(argument.getArgNumber(),
                             createBuffer(rewriter, argument));
    }
    rewriter.applySignatureConversion(&entry, signature, getTypeConverter());
    if (failed(rewriter.convertRegionTypes(&kernel.getBody(),
                                           *getTypeConverter())))
      return rewriter.notifyMatchFailure(kernel, "block without C++ types");
    rewriter.modifyOpInPlace(kernel, [&] {
      kernel.setType(rewriter.getFunctionType({}, {}));
      kernel.removeArgAttrsAttr();
    });
    return success();
  }

private:
  Value createBuffer(ConversionPatternRewriter &rewriter,
                     BlockArgument argument) const {
    auto buffer = cast<CBType>(argument.getType());
    Type type = getTypeConverter()->convertType(buffer);
    auto name = emitc::OpaqueAttr::get(
        rewriter.getContext(), "::tt::CB::" + getCppName(buffer.getPort()));
    Value variable = emitc::VariableOp::create(
        rewriter, argument.getLoc(), emitc::LValueType::get(type), name);
    return emitc::LoadOp::create(rewriter, argument.getLoc(), type, variable);
  }
};

class ConvertTTKernelToEmitC
    : public impl::ConvertTTKernelToEmitCBase<ConvertTTKernelToEmitC> {
public:
  void runOnOperation() final {
    if (failed(convertTTKernelToEmitC(getOperation())))
      signalPassFailure();
  }
};

} // namespace

/// An error for the first op of a dialect that no kernel is made of.
static LogicalResult expectKernelOps(func::FuncOp kernel) {
  WalkResult result = kernel.getBody().walk([](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op); loop && loop.getUnsignedCmp()) {
      op->emitOpError("has no C++ of a kernel: expected a signed comparison, "
                      "found 'unsigned'");
      return WalkResult::interrupt();
    }
    if (isa_and_present<ttkernel::TTKernelDialect, arith::ArithDialect,
                        memref::MemRefDialect, scf::SCFDialect,
                        cf::ControlFlowDialect, emitc::EmitCDialect>(
            op->getDialect()) ||
        isa<func::ReturnOp>(op))
      return WalkResult::advance();
    op->emitOpError("has no C++ of a kernel: expected ttkernel ops, ops of "
                    "arith, local arrays of memref, and scf or cf");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult convertTTKernelToEmitC(func::FuncOp kernel) {
  if (kernel.isDeclaration())
    return success();
  for (Type type : kernel.getArgumentTypes())
    if (!isa<CBType>(type))
      return kernel.emitOpError("is no kernel: expected arguments of type "
                                "!ttkernel.cb, found ")
             << type;
  if (kernel.getNumResults())
    return kernel.emitOpError("is no kernel: expected no results, found ")
           << kernel.getResultTypes();
  if (failed(expectKernelOps(kernel)))
    return failure();

  MLIRContext *context = kernel.getContext();
  KernelTypeConverter converter(context);
  RewritePatternSet patterns(context);
  populateArithToEmitCPatterns(converter, patterns);
  populateSCFToEmitCConversionPatterns(patterns, converter);
  populateMemRefToEmitCConversionPatterns(patterns, converter);
  populateBranchOpInterfaceTypeConversionPattern(patterns, converter);
  emission::populateMinMaxPatterns(converter, patterns);
  emission::populateKernelPatterns(converter, patterns);
  patterns.add<KernelPattern>(converter, context);

  ConversionTarget target(*context);
  target.addLegalDialect<emitc::EmitCDialect>();
  target.addLegalOp<func::ReturnOp>();
  target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp func) {
    return func.getArgumentTypes().empty() &&
           converter.isLegal(&func.getBody());
  });
  target.addDynamicallyLegalDialect<cf::ControlFlowDialect>([&](Operation *op) {
    return isLegalForBranchOpInterfaceTypeConversionPattern(op, converter);
  });
  return applyFullConversion(kernel, target, std::move(patterns));
}

} // namespace mlir::tt
