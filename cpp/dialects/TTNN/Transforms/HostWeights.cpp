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
  /// Whether the value consists of moved elements of host tensors with one
  /// float type.
  bool collect(Value value) {
    if (auto known = wasCollected.find(value); known != wasCollected.end())
      return known->second;
    bool isMoved = collectOp(value);
    wasCollected[value] = isMoved;
    return isMoved;
  }

  bool movesElements() const { return !moves.empty(); }
  Location getLoc() const { return moves.back()->getLoc(); }

  /// Creates the function and calls it at `builder`. Returns the host tensor
  /// that becomes `value`.
  Value outline(OpBuilder &builder, Value value, SymbolTable &symbols) const {
    Operation *caller = builder.getInsertionBlock()->getParentOp();
    SmallVector<Value> inputs = llvm::map_to_vector(
        loads, [](Operation *load) { return load->getOperand(0); });
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
    for (auto [load, argument] : llvm::zip(loads, body->getArguments()))
      map.map(load->getResult(0), argument);
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
    for (Operation *load : loads)
      erase(load);
  }

private:
  bool collectOp(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (auto load = dyn_cast<ToLayoutOp>(op); load && isOnHost(load.getInput()))
      return collectLoad(load);
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

  bool collectLoad(ToLayoutOp load) {
    RankedTensorType type = load.getInput().getType();
    if (!getLayoutOf(type) ||
        !type.getElementType().isF32() && !type.getElementType().isBF16())
      return false;
    if (elementType && elementType != type.getElementType())
      return false;
    elementType = type.getElementType();
    loads.insert(load);
    return true;
  }

  /// The type of a value in rows on the host.
  RankedTensorType getHostType(Value value) const {
    auto shape = cast<RankedTensorType>(value.getType()).getShape();
    auto type = RankedTensorType::get(shape, elementType);
    tt::LayoutAttr host = getLayoutOf(loads.front()->getOperand(0).getType());
    return RankedTensorType::get(
        shape, elementType,
        tt::LayoutAttr::get(type, MemorySpace::System, host.getGrid()));
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

  llvm::DenseMap<Value, bool> wasCollected;
  llvm::SetVector<Operation *> loads;
  llvm::SetVector<Operation *> moves;
  Type elementType;
};

} // namespace

bool isOnHost(Value value) {
  tt::LayoutAttr layout = getLayoutOf(value.getType());
  return !layout || layout.isSystemMemorySpace();
}

bool roundOnHost(OpOperand &returned, DataType format, SymbolTable &symbols) {
  Value value = returned.get();
  RankedTensorType type =
      withFormat(cast<RankedTensorType>(value.getType()), format);
  tt::LayoutAttr layout = getLayoutOf(type);
  HostChain chain;
  if (layout.getMemLayout() != tt::TensorMemoryLayout::Interleaved ||
      !chain.collect(value) || !chain.movesElements())
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
