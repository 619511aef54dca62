#include "dialects/TT/HostType.h"
#include "dialects/TT/Remarks.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TT/TensorLayout.h"
#include "dialects/TT/Utils.h"
#include "dialects/TTNN/TTNN.h"
#include "dialects/TTNN/Transforms/CachedWeights.h"
#include "dialects/TTNN/Transforms/Destinations.h"
#include "dialects/TTNN/Transforms/HostWeights.h"
#include "dialects/TTNN/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::tt::ttnn {

#define GEN_PASS_DEF_TTNNCONVERTDTYPES
#include "dialects/TTNN/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kFormatRemarks("ttnn-convert-dtypes");

std::optional<DataType> formatOf(DtypeOption option) {
  switch (option) {
  case DtypeOption::Default:
    return std::nullopt;
  case DtypeOption::BFP_BFloat8:
    return DataType::BFP_BFloat8;
  case DtypeOption::BFP_BFloat4:
    return DataType::BFP_BFloat4;
  }
  llvm_unreachable("unknown option");
}

/// Whether the tensor may be stored in block floats instead: those exist in
/// tiles of 32x32 on the device only.
bool isWide(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  tt::LayoutAttr layout = tensor ? getLayoutOf(tensor) : nullptr;
  if (!layout || layout.isSystemMemorySpace())
    return false;
  auto tile = dyn_cast<TileType>(layout.getElementType());
  std::optional<DataType> format = getStoredFormat(tensor);
  return tile && tile.getHeight() == 32 && tile.getWidth() == 32 &&
         (format == DataType::BFloat16 || format == DataType::Float32);
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Weights that functions which run once compute.
class Weights {
public:
  Weights(ModuleOp module, std::optional<DataType> wanted)
      : module(module), symbols(module), wanted(wanted) {}

  /// Returns how many weights change.
  unsigned convert() {
    unsigned count = 0;
    for (const CachedWeight &weight : findCachedWeights(module))
      count += convert(weight);
    return count;
  }

private:
  /// The format for a returned value: the narrower of the wanted one and that
  /// of the block floats that it is computed from, if any.
  std::optional<DataType> chooseFormat(Value returned) const {
    SmallVector<Value> pending{returned};
    llvm::DenseSet<Value> seen;
    std::optional<DataType> found;
    while (!pending.empty()) {
      Value value = pending.pop_back_val();
      if (!seen.insert(value).second)
        continue;
      if (isBlockFloat(value.getType())) {
        found = getStoredFormat(cast<RankedTensorType>(value.getType()));
        break;
      }
      if (Operation *op = value.getDefiningOp())
        llvm::append_range(pending, op->getOperands());
    }
    if (!found || !wanted)
      return found ? found : wanted;
    return getDataTypeBits(*wanted) < getDataTypeBits(*found) ? wanted : found;
  }

  /// Whether the weight changes.
  bool convert(const CachedWeight &weight) {
    OpOperand &returned = weight.getReturned();
    if (!isWide(returned.get().getType()))
      return false;
    std::optional<DataType> format = chooseFormat(returned.get());
    if (!format || !store(weight, *format))
      return false;
    weight.updateType();
    for (Operation *user : weight.result.getUsers())
      if (auto remark = kFormatRemarks.passed(user, "Weight"))
        remark << reason("the weights are stored as {0}",
                         stringifyEnum(*format));
    return true;
  }

  /// Converts a returned value to another format: on the host if it has the
  /// elements of host tensors, or where it is computed, so that it is rounded
  /// once; otherwise by a cast before the return. False if the function has no
  /// device.
  bool store(const CachedWeight &weight, DataType format) {
    OpOperand &returned = weight.getReturned();
    auto type =
        withFormat(cast<RankedTensorType>(returned.get().getType()), format);
    if (loadAs(returned.get(), format) || roundOnHost(weight, format, symbols))
      return true;
    if (auto value = dyn_cast<OpResult>(returned.get());
        value && value.hasOneUse() && isComputed(value)) {
      setStoredFormat(value, format);
      return true;
    }
    Operation *terminator = returned.getOwner();
    auto devices = terminator->getBlock()->getOps<GetDeviceOp>();
    if (devices.empty())
      return false;
    OpBuilder builder(terminator);
    Location loc = returned.get().getLoc();
    tt::LayoutAttr layout = getLayoutOf(type);
    auto dtype = DataTypeAttr::get(type.getContext(), format);
    Value destination = EmptyOp::create(
        builder, loc, type, (*devices.begin()).getResult(),
        ShapeAttr::get(type.getContext(), type.getShape()), dtype,
        getElementOrder(layout), getMemoryConfig(layout));
    auto typecast = TypecastOp::create(builder, loc, TypeRange{type},
                                       ValueRange{returned.get()},
                                       ValueRange{destination}, dtype);
    returned.set(typecast->getResult(0));
    return true;
  }

  /// Changes the format of a tensor that comes from the host, perhaps through
  /// reshapes that keep its rows; false if it is none.
  static bool loadAs(Value value, DataType format) {
    SmallVector<OpResult> path;
    while (auto result = dyn_cast<OpResult>(value)) {
      Operation *op = result.getOwner();
      if (!result.hasOneUse())
        return false;
      path.push_back(result);
      auto reshape = dyn_cast<ReshapeOp>(op);
      if (auto tile = dyn_cast<ToLayoutOp>(op)) {
        if (!isOnHost(tile.getInput()))
          return false;
        for (OpResult step : path)
          setStoredFormat(step, format);
        return true;
      }
      bool keepsRows = reshape && getOwnDestination(result) &&
                       reshape.getInput().getType().getShape().back() ==
                           reshape.getType().getShape().back();
      if (!keepsRows && !isa<ToDeviceOp>(op))
        return false;
      value = op->getOperand(0);
    }
    return false;
  }

  /// Whether an op computes the elements, rather than moving bf16, where half
  /// of all elements would lie between two block floats.
  static bool isComputed(OpResult value) {
    return getOwnDestination(value) &&
           isa<AddOp, SubtractOp, MultiplyOp, DivOp>(value.getOwner());
  }

  ModuleOp module;
  SymbolTable symbols;
  std::optional<DataType> wanted;
};

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

/// What an op makes of block floats.
enum class Role {
  /// Its result may be block floats whatever its inputs are: numbers of similar
  /// magnitude.
  Source,
  /// Its result may be block floats if its inputs are: its numbers are theirs,
  /// or of their magnitude.
  Carrier,
  /// It reads block floats, and its result has another format.
  Reader,
  Other
};

Role roleOf(Operation *op) {
  if (isa<MatmulOp, LinearOp, Conv2dOp, ScaledDotProductAttentionOp,
          LayerNormOp, RMSNormOp, SoftmaxOp>(op))
    return Role::Source;
  if (isa<AddOp, SubtractOp, MultiplyOp, ReluOp, GeluOp, SiluOp, SigmoidOp,
          TanhOp, PermuteOp, ReshapeOp, TransposeOp, SliceOp, ConcatOp,
          SplitQueryKeyValueAndSplitHeadsOp, ConcatenateHeadsOp,
          RotaryEmbeddingOp, MaxPool2dOp, AvgPool2dOp>(op))
    return Role::Carrier;
  if (isa<MeanOp, SumOp, MaxOp>(op))
    return Role::Reader;
  return Role::Other;
}

/// Whether the op reads its operand without need for more bits. Attention adds
/// its mask to scores, and heads are rotated by angles: these keep their bits.
bool isReader(OpOperand &use) {
  Operation *op = use.getOwner();
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (!dps || dps.isDpsInit(&use) || roleOf(op) == Role::Other)
    return false;
  if (isa<RotaryEmbeddingOp>(op))
    return use.getOperandNumber() == 0;
  return !isa<ScaledDotProductAttentionOp>(op) || use.getOperandNumber() < 3;
}

class Activations {
public:
  Activations(DataType format, ArrayRef<std::string> fixedNames)
      : format(format), fixedNames(fixedNames) {}

  /// Changes the results of a block in the order of its ops; returns how many.
  unsigned convert(Block &block) {
    unsigned count = 0;
    for (Operation &op : block) {
      if (roleOf(&op) == Role::Other)
        continue;
      if (const char *problem = getProblem(&op)) {
        if (auto remark = kFormatRemarks.missed(&op, "NotConverted"))
          remark << reason("the result keeps its format: {0}", problem);
        continue;
      }
      for (OpResult result : op.getResults())
        setStoredFormat(result, format);
      count += op.getNumResults();
      if (auto remark = kFormatRemarks.passed(&op, "Activation"))
        remark << reason("the result is stored as {0}", stringifyEnum(format));
    }
    return count;
  }

private:
  /// Why the results keep their format; null if they are to be block floats.
  const char *getProblem(Operation *op) const {
    Role role = roleOf(op);
    if (role == Role::Reader)
      return "the op sums or selects numbers of different magnitudes";
    if (isNamed(op, fixedNames))
      return "an override names it";
    if (role == Role::Carrier && !readsBlockFloats(op))
      return "one of its inputs is not block floats";
    return getResultProblem(op);
  }

  /// The same, for the results only.
  const char *getResultProblem(Operation *op) const {
    for (OpResult result : op->getResults()) {
      if (!isWide(result.getType()))
        return "it is not in tiles of bf16 or f32 on the device";
      if (!getOwnDestination(result))
        return "it is written to a tensor that others use";
      if (!llvm::all_of(result.getUses(), [](OpOperand &use) {
            return isa<DeallocOp>(use.getOwner()) || isReader(use);
          }))
        return "an op that reads it needs more bits, or it leaves the program";
      // The reshape would be converted tile by tile instead of being a view.
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return isa<ReshapeOp>(user) &&
                   (isNamed(user, fixedNames) || getResultProblem(user));
          }))
        return "a reshape of it needs more bits";
    }
    return nullptr;
  }

  static bool readsBlockFloats(Operation *op) {
    auto dps = cast<DestinationStyleOpInterface>(op);
    return llvm::all_of(dps.getDpsInputOperands(), [](OpOperand *operand) {
      return isBlockFloat(operand->get().getType());
    });
  }

  DataType format;
  ArrayRef<std::string> fixedNames;
};

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

/// Stores attention caches as block floats: donated arguments that the function
/// updates in place by whole rows, that it returns, and that only attention
/// reads, as one op or as products with the cache. Only elements of a row share
/// exponents, so an update does not change other rows.
class Caches {
public:
  explicit Caches(DataType format) : format(format) {}

  /// Returns the number of changed arguments.
  unsigned convert(func::FuncOp function) {
    unsigned count = 0;
    for (BlockArgument argument : function.getArguments()) {
      unsigned index = argument.getArgNumber();
      auto output =
          function.getArgAttrOfType<IntegerAttr>(index, kAliasedOutputAttr);
      auto type = cast<RankedTensorType>(argument.getType());
      if (!output || !convert(argument, output.getInt()))
        continue;
      // The host keeps the previous element type.
      auto host = TypeAttr::get(
          RankedTensorType::get(type.getShape(), type.getElementType()));
      if (!function.getArgAttr(index, kHostTypeAttr))
        function.setArgAttr(index, kHostTypeAttr, host);
      if (!function.getResultAttr(output.getInt(), kHostTypeAttr))
        function.setResultAttr(output.getInt(), kHostTypeAttr, host);
      ++count;
    }
    if (count != 0)
      function.setType(FunctionType::get(
          function.getContext(), function.getBody().front().getArgumentTypes(),
          function.getBody().front().getTerminator()->getOperandTypes()));
    return count;
  }

private:
  bool convert(BlockArgument argument, unsigned output) {
    if (!isWide(argument.getType()))
      return false;
    SmallVector<Value> states{argument};
    bool isRead = false;
    for (unsigned i = 0; i < states.size(); ++i)
      for (OpOperand &use : states[i].getUses()) {
        Operation *op = use.getOwner();
        auto update = dyn_cast<UpdateSliceOp>(op);
        bool isProduct = isa<MatmulOp>(op) && use.getOperandNumber() == 1;
        if ((isa<ScaledDotProductAttentionOp>(op) || isProduct) &&
            isReader(use)) {
          isRead = true;
        } else if (update && writesRows(update, states[i])) {
          if (!llvm::is_contained(states, update.getResult()))
            states.push_back(update.getResult());
        } else if (!isa<func::ReturnOp>(op) ||
                   use.getOperandNumber() != output) {
          return false;
        }
      }
    if (!isRead || states.size() == 1)
      return false;
    for (Value state : states)
      state.setType(
          withFormat(cast<RankedTensorType>(state.getType()), format));
    if (auto remark = kFormatRemarks.passed(states[1].getDefiningOp(), "Cache"))
      remark << reason("the cache is stored as {0}", stringifyEnum(format));
    return true;
  }

  /// Whether the update writes whole rows into `state`, in place.
  static bool writesRows(UpdateSliceOp update, Value state) {
    auto whole = cast<RankedTensorType>(state.getType());
    auto rows = cast<RankedTensorType>(update.getUpdate().getType());
    return update.getInput() == state && update.getOutput() == state &&
           rows.getShape().back() == whole.getShape().back();
  }

  DataType format;
};

class TTNNConvertDtypes
    : public impl::TTNNConvertDtypesBase<TTNNConvertDtypes> {
public:
  using impl::TTNNConvertDtypesBase<TTNNConvertDtypes>::TTNNConvertDtypesBase;

  void runOnOperation() final {
    ModuleOp module = getOperation();
    numWeights += Weights(module, formatOf(weightDtype)).convert();
    std::optional<DataType> format = formatOf(activationDtype);
    if (!format)
      return;
    Activations activations(*format, fixedNames);
    Caches caches(*format);
    for (func::FuncOp function : module.getOps<func::FuncOp>()) {
      if (function.isDeclaration() ||
          function->hasAttr(LoadCachedOp::kFunctionAttr))
        continue;
      for (Block &block : function.getBody())
        numActivations += activations.convert(block);
      numCaches += caches.convert(function);
    }
  }
};

} // namespace
} // namespace mlir::tt::ttnn
