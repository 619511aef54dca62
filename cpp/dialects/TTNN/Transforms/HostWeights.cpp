#include "dialects/TTNN/Transforms/HostWeights.h"

#include "dialects/TT/TTOps.h"
#include "dialects/TT/TensorLayout.h"
#include "dialects/TTNN/Transforms/Destinations.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::tt::ttnn {

namespace {

/// Ops whose result has the elements of their inputs, in another order.
bool isMovement(Operation *op) {
  return isa<PermuteOp, TransposeOp, ReshapeOp, SliceOp, ConcatOp>(op);
}

/// The ops between host tensors and a value.
class HostChain {
public:
  explicit HostChain(const CachedWeight &weight) : weight(weight) {}

  /// Whether the value consists of moved elements of host tensors with one
  /// float type.
  bool collect(Value value) {
    if (auto known = wasCollected.find(value); known != wasCollected.end())
      return known->second;
    bool isMoved = collectOp(value);
    wasCollected[value] = isMoved;
    return isMoved;
  }

  /// Whether there is something to move, and arguments that would become host
  /// tensors are used for nothing else.
  bool canOutline() const {
    auto isForWeight = [](Value value) {
      return llvm::count_if(value.getUsers(), [](Operation *user) {
               return !isa<DeallocOp>(user);
             }) == 1;
    };
    return !moves.empty() &&
           (llvm::none_of(leaves, llvm::IsaPred<BlockArgument>) ||
            (llvm::all_of(leaves, isForWeight) &&
             llvm::all_of(moves, [&](Operation *op) {
               return isForWeight(op->getResult(0));
             })));
  }
  Location getLoc() const { return moves.back()->getLoc(); }

  /// Creates the function and calls it at `builder`. Returns the host tensor
  /// that becomes `value`.
  Value outline(OpBuilder &builder, Value value, SymbolTable &symbols) const {
    Operation *caller = builder.getInsertionBlock()->getParentOp();
    SmallVector<Value> inputs = llvm::map_to_vector(leaves, getInput);
    for (Value input : inputs)
      if (!isOnHost(input))
        moveToHost(cast<BlockArgument>(input));
    std::string name =
        (SymbolTable::getSymbolName(caller).getValue() + "_host").str();
    auto function = func::FuncOp::create(
        caller->getLoc(), name,
        builder.getFunctionType(ValueRange(inputs).getTypes(),
                                getHostType(value)));
    function.setPrivate();
    function->setAttr(kHostAttr, builder.getUnitAttr());
    function->setAttr(kPartAttr, builder.getUnitAttr());

    Block *body = function.addEntryBlock();
    IRMapping map;
    for (auto [leaf, argument] : llvm::zip(leaves, body->getArguments()))
      map.map(leaf, argument);
    OpBuilder bodyBuilder = OpBuilder::atBlockEnd(body);
    for (Operation *op : moves) {
      Value result = op->getResult(0);
      // These keep the elements where they are.
      if (!isMovement(op)) {
        map.map(result, map.lookup(op->getOperand(0)));
        continue;
      }
      RankedTensorType type = getHostType(result);
      Value destination = EmptyOp::create(
          bodyBuilder, op->getLoc(), type, /*device=*/Value(),
          ShapeAttr::get(type.getContext(), type.getShape()),
          DataTypeAttr::get(type.getContext(), *getStoredFormat(type)),
          LayoutAttr::get(type.getContext(), Layout::RowMajor),
          /*memory_config=*/nullptr);
      auto dps = cast<DestinationStyleOpInterface>(op);
      map.map(dps.getDpsInitOperand(0)->get(), destination);
      Operation *moved = bodyBuilder.clone(*op, map);
      moved->getResult(0).setType(type);
      map.map(result, moved->getResult(0));
    }
    func::ReturnOp::create(bodyBuilder, caller->getLoc(), map.lookup(value));
    symbols.insert(function, Block::iterator(caller));

    return CallOp::create(builder, getLoc(), function.getResultTypes(),
                          FlatSymbolRefAttr::get(function), inputs)
        .getResult(0);
  }

  /// Erases the ops that nothing uses any more.
  void eraseUnused() const {
    for (Operation *op : llvm::reverse(moves))
      erase(op);
    for (Value leaf : leaves)
      if (Operation *load = leaf.getDefiningOp())
        erase(load);
  }

private:
  bool collectOp(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return isBlockFloat(value.getType()) && getParameter(argument) &&
             collectLeaf(value);
    Operation *op = value.getDefiningOp();
    if (auto load = dyn_cast<ToLayoutOp>(op); load && isOnHost(load.getInput()))
      return getLayoutOf(load.getInput().getType()) && collectLeaf(value);
    if (isMovement(op)) {
      if (!getOwnDestination(cast<OpResult>(value)))
        return false;
      for (OpOperand *input :
           cast<DestinationStyleOpInterface>(op).getDpsInputOperands())
        if (!collect(input->get()))
          return false;
    } else if (!isa<ToDeviceOp, ToLayoutOp, ToMemoryConfigOp>(op) ||
               !collect(op->getOperand(0))) {
      return false;
    }
    moves.insert(op);
    return true;
  }

  bool collectLeaf(Value leaf) {
    Type type =
        cast<RankedTensorType>(getInput(leaf).getType()).getElementType();
    if ((!type.isF32() && !type.isBF16()) ||
        (elementType && elementType != type))
      return false;
    elementType = type;
    leaves.insert(leaf);
    return true;
  }

  /// What the host has: an argument, or the tensor that is loaded.
  static Value getInput(Value leaf) {
    Operation *load = leaf.getDefiningOp();
    return load ? load->getOperand(0) : leaf;
  }

  /// The argument of the program for one of the function that computes the
  /// weight, if nothing else uses it; null if something does.
  BlockArgument getParameter(BlockArgument argument) const {
    LoadCachedOp load = weight.load;
    auto parameter =
        dyn_cast<BlockArgument>(load.getInputs()[argument.getArgNumber()]);
    return parameter && parameter.hasOneUse() &&
                   isa<func::FuncOp>(parameter.getOwner()->getParentOp())
               ? parameter
               : BlockArgument();
  }

  void moveToHost(BlockArgument argument) const {
    for (BlockArgument moved : {argument, getParameter(argument)}) {
      moved.setType(getHostType(moved));
      auto function = cast<func::FuncOp>(moved.getOwner()->getParentOp());
      function.setType(FunctionType::get(
          function.getContext(), function.getBody().front().getArgumentTypes(),
          function.getFunctionType().getResults()));
    }
  }

  /// The type of a value in rows on the host.
  RankedTensorType getHostType(Value value) const {
    auto type = RankedTensorType::get(
        cast<RankedTensorType>(value.getType()).getShape(), elementType);
    SmallVector<int64_t> one(2, 1);
    auto grid = GridAttr::get(type.getContext(), one);
    return RankedTensorType::get(
        type.getShape(), elementType,
        tt::LayoutAttr::get(type, MemorySpace::System, grid));
  }

  static void erase(Operation *op) {
    if (!llvm::all_of(op->getUsers(), llvm::IsaPred<DeallocOp>))
      return;
    for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
      user->erase();
    EmptyOp destination = getOwnDestination(op->getResult(0));
    op->erase();
    if (!destination)
      return;
    for (Operation *user : llvm::make_early_inc_range(destination->getUsers()))
      user->erase();
    destination.erase();
  }

  const CachedWeight &weight;
  llvm::DenseMap<Value, bool> wasCollected;
  llvm::SetVector<Value> leaves;
  llvm::SetVector<Operation *> moves;
  Type elementType;
};

} // namespace

bool isOnHost(Value value) {
  tt::LayoutAttr layout = getLayoutOf(value.getType());
  return !layout || layout.isSystemMemorySpace();
}

bool isBlockFloat(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::optional<DataType> format =
      tensor ? getStoredFormat(tensor) : std::nullopt;
  return format &&
         (*format == DataType::BFP_BFloat8 ||
          *format == DataType::BFP_BFloat4 || *format == DataType::BFP_BFloat2);
}

bool roundOnHost(const CachedWeight &weight, DataType format,
                 SymbolTable &symbols) {
  OpOperand &returned = weight.getReturned();
  Value value = returned.get();
  RankedTensorType type =
      withFormat(cast<RankedTensorType>(value.getType()), format);
  tt::LayoutAttr layout = getLayoutOf(type);
  HostChain chain(weight);
  if (layout.getMemLayout() != tt::TensorMemoryLayout::Interleaved ||
      !chain.collect(value) || !chain.canOutline())
    return false;
  Operation *terminator = returned.getOwner();
  auto devices = terminator->getBlock()->getOps<GetDeviceOp>();
  if (devices.empty())
    return false;
  Value device = (*devices.begin()).getResult();
  Location loc = value.getLoc();
  OpBuilder builder(terminator);
  Value moved = chain.outline(builder, value, symbols);
  Value tiles = ToLayoutOp::create(builder, loc, type, moved, device,
                                   getElementOrder(layout));
  returned.set(ToDeviceOp::create(builder, loc, type, tiles, device,
                                  getMemoryConfig(layout)));
  chain.eraseUnused();
  return true;
}

} // namespace mlir::tt::ttnn
