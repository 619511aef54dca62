//===- LegalizeTypes.cpp - the types of the border to those of the machine ===//

#include "dialects/TT/HostType.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/Transforms/Passes.h"
#include "dialects/TTIR/Transforms/Types/LegalTypes.h"
#include "dialects/TTIR/Transforms/Types/Quantized.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::tt::ttir {

#define GEN_PASS_DEF_TTIRLEGALIZETYPES
#include "dialects/TTIR/Transforms/Passes.h.inc"

namespace {

/// True for ops whose regions are kernels: their types are legal.
bool isKernel(Operation *op) {
  return isa<GenericOp>(op) ||
         op->getName().getStringRef() == "ttmetal.dispatch";
}

class TTIRLegalizeTypes
    : public impl::TTIRLegalizeTypesBase<TTIRLegalizeTypes> {
public:
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    bool isLegal = true, hasErrors = false;
    // All that is not supported is said at once.
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (failed(check(op, isLegal)))
        hasErrors = true;
      return isKernel(op) ? WalkResult::skip() : WalkResult::advance();
    });
    if (hasErrors)
      return signalPassFailure();
    if (isLegal)
      return markAllAnalysesPreserved();
    OpLegalizer legalizer(&getContext());
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isKernel(op))
        return WalkResult::skip();
      // The op may go, and its neighbours be made.
      bool goesIn = op->getNumRegions() != 0;
      if (failed(legalize(op, legalizer)))
        hasErrors = true;
      return goesIn ? WalkResult::advance() : WalkResult::skip();
    });
    numReplaced += legalizer.numReplaced;
    if (hasErrors)
      signalPassFailure();
  }

private:
  /// Checks the types that the op brings, and then the op.
  LogicalResult check(Operation *op, bool &isLegal) {
    LogicalResult result = success();
    auto checkType = [&](Type type, StringRef what) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || !tensor.hasStaticShape())
        return;
      RankedTensorType legal = getLegalType(tensor);
      isLegal &= legal == tensor;
      if (legal)
        return;
      result = failure();
      InFlightDiagnostic error = op->emitOpError() << what << type;
      if (!getLegalElement(tensor.getElementType()))
        error << "; expected elements of " << kSupportedElements;
      else
        error << "; expected no layout for " << tensor.getElementType()
              << ", or for a tensor without elements: the machine has another "
                 "type for it";
    };
    if (auto function = dyn_cast<func::FuncOp>(op)) {
      for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
        checkType(type, "has argument " + std::to_string(i) + ", ");
      for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
        checkType(type, "has result " + std::to_string(i) + ", ");
      return result;
    }
    if (auto variable = dyn_cast<VariableOp>(op))
      checkType(variable.getType(), "has the type ");
    for (Type type : op->getResultTypes())
      checkType(type, "has a result of ");
    if (failed(result) || !isa<TTIRDialect>(op->getDialect()))
      return result;
    isLegal &= !isQuantization(op);
    return checkLegalizable(op);
  }

  LogicalResult legalize(Operation *op, OpLegalizer &legalizer) {
    if (auto function = dyn_cast<func::FuncOp>(op))
      legalizeBorder(function);
    if (auto variable = dyn_cast<VariableOp>(op))
      return legalizeVariable(variable);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          legalizer.legalize(argument);
    if (!legalizer.isConcerned(op))
      return success();
    return legalizer.legalize(op);
  }

  LogicalResult legalizeVariable(VariableOp variable) {
    if (ElementsAttr initial = variable.getInitialAttr()) {
      ElementsAttr legal = getLegalElements(variable, initial);
      if (!legal)
        return failure();
      variable.setInitialAttr(legal);
    }
    variable.setTypeAttr(TypeAttr::get(
        getLegalType(cast<RankedTensorType>(variable.getType()))));
    return success();
  }

  /// Gives the function's type legal tensors, and notes the source's.
  void legalizeBorder(func::FuncOp function) {
    FunctionType type = function.getFunctionType();
    unsigned changed = 0;
    std::string first;
    auto convert = [&](TypeRange types, auto note) {
      SmallVector<Type> converted;
      for (auto [i, source] : llvm::enumerate(types)) {
        auto tensor = dyn_cast<RankedTensorType>(source);
        converted.push_back(tensor ? Type(getLegalType(tensor)) : source);
        if (converted.back() == source)
          continue;
        // On the host a quantized tensor is its integers.
        Type host = source;
        if (isa<quant::QuantizedType>(tensor.getElementType()))
          host = RankedTensorType::get(
              tensor.getShape(), getLegalElement(tensor.getElementType()));
        if (function.isPublic() && host != converted.back())
          note(i, TypeAttr::get(host));
        if (changed++ == 0) {
          llvm::raw_string_ostream os(first);
          os << source << " becomes " << converted.back();
        }
      }
      return converted;
    };
    auto inputs = convert(type.getInputs(), [&](unsigned i, Attribute source) {
      if (!function.getArgAttr(i, kHostTypeAttr))
        function.setArgAttr(i, kHostTypeAttr, source);
    });
    auto results =
        convert(type.getResults(), [&](unsigned i, Attribute source) {
          if (!function.getResultAttr(i, kHostTypeAttr))
            function.setResultAttr(i, kHostTypeAttr, source);
        });
    if (!changed)
      return;
    function.setFunctionType(
        FunctionType::get(function.getContext(), inputs, results));
    numNarrowed += changed;
    if (auto remark = kTypeRemarks.passed(function, "Narrowed"))
      remark << reason("{0} arguments and results have a type of the host "
                       "only: {1}",
                       changed, first)
             << rejected("the type itself: the machine computes none of it");
  }
};

} // namespace
} // namespace mlir::tt::ttir
