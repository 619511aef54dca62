#include "dialects/TTIR/Transforms/Memory/FunctionTensors.h"

#include "dialects/TT/TTOps.h"
#include "dialects/TT/TileLayout.h"
#include "dialects/TTIR/Transforms/ConstEval/Dependence.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace mlir::tt::ttir {

/// The most numbers of a range that a program holds one by one.
constexpr int64_t kMaxRange = int64_t(1) << 26;

static bool isPagedInDram(Type type) {
  LayoutAttr layout = getLayoutOf(type);
  return layout && layout.getMemorySpace() == MemorySpace::DeviceDRAM &&
         isPaged(layout);
}

/// Whether programs pass tensors of the type to each other: in tiles in DRAM.
static bool mayBeAnywhere(Type type) {
  return isPagedInDram(type) && getLayoutOf(type).isTiled();
}

/// The same, or parameters that stay from call to call.
static bool mayBeAnywhere(BlockArgument argument) {
  return mayBeAnywhere(argument.getType()) ||
         (isPagedInDram(argument.getType()) &&
          getDependence(argument) == Dependence::Fixed);
}

LogicalResult FunctionTensors::collect() {
  if (!func.getBody().hasOneBlock())
    return func.emitError("cannot be allocated: expected a function of one "
                          "block, found ")
           << func.getBody().getBlocks().size();
  for (BlockArgument argument : func.getArguments()) {
    if (failed(add(argument)))
      return failure();
    tensors.back().isElsewhere =
        func->hasAttr(kPartAttr) || mayBeAnywhere(argument) ||
        (!argument.use_empty() &&
         llvm::all_of(argument.getUsers(), llvm::IsaPred<LoadCachedOp>));
  }
  numArguments = tensors.size();
  for (Operation &op : func.getBody().front())
    if (failed(visit(&op)))
      return failure();
  for (Value value : func.getBody().front().getTerminator()->getOperands())
    if (LiveTensor *tensor = lookup(value);
        tensor && tensor->space == MemorySpace::DeviceDRAM)
      tensor->isElsewhere |=
          func->hasAttr(kPartAttr) || mayBeAnywhere(value.getType());
  return success();
}

/// The location of a value, or of the function: constants that were folded
/// have none.
static Location getPlace(Value value) {
  if (!isa<UnknownLoc>(value.getLoc()))
    return value.getLoc();
  return value.getParentRegion()->getParentOp()->getLoc();
}

LogicalResult FunctionTensors::add(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  LayoutAttr layout = getLayoutOf(value.getType());
  if (!layout)
    return emitError(getPlace(value),
                     "cannot be allocated: expected a tensor with a layout "
                     "(run ttir-layout first), found ")
           << value.getType();
  MemorySpace space = layout.getMemorySpace();
  uint64_t size = device.getTensorSizeBytes(type);
  if (isPaged(layout))
    size = getPages(type, std::max(1u, system.getAddressAlignBytes(space)))
               .getBytesPerBank(getNumBanks(layout));
  if (size == 0)
    return emitError(getPlace(value),
                     "cannot be allocated: expected a tensor of at least one "
                     "byte, found ")
           << type;
  indices[value] = tensors.size();
  tensors.push_back({value, space, size});
  return success();
}

/// Follows results in destination-passing style back to their destination.
LogicalResult FunctionTensors::visit(Operation *op) {
  // Regions of ops see the op's operands only, through their arguments.
  for (Value operand : op->getOperands())
    if (LiveTensor *tensor = lookup(operand))
      tensor->last = isa<func::ReturnOp>(op) ? nullptr : op;
  if (isCreation(op)) {
    auto arange = dyn_cast<ArangeOp>(op);
    if (arange && arange.getType().getNumElements() > kMaxRange)
      return op->emitOpError("cannot be allocated: expected at most 2^26 "
                             "numbers, which the program holds one by one, "
                             "found ")
             << arange.getType().getNumElements();
    if (failed(add(op->getResult(0))))
      return failure();
    tensors.back().last = op;
    return success();
  }
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    for (OpResult result : op->getResults()) {
      auto it = indices.find(dps.getTiedOpOperand(result)->get());
      if (it != indices.end()) {
        size_t index = it->second;
        indices[result] = index;
      }
    }
  return success();
}

LiveTensor *FunctionTensors::lookup(Value value) {
  auto it = indices.find(value);
  return it == indices.end() ? nullptr : &tensors[it->second];
}

LogicalResult
FunctionTensors::replay(MemorySpace space,
                        function_ref<LogicalResult(LiveTensor &)> begin,
                        function_ref<void(LiveTensor &)> end) {
  llvm::DenseMap<Operation *, SmallVector<LiveTensor *, 2>> begins, ends;
  for (LiveTensor &tensor : getWithoutArguments()) {
    if (tensor.space != space || tensor.isElsewhere)
      continue;
    begins[tensor.value.getDefiningOp()].push_back(&tensor);
    if (tensor.last)
      ends[tensor.last].push_back(&tensor);
  }
  for (LiveTensor &tensor : get().take_front(numArguments))
    if (tensor.space == space && !tensor.isElsewhere && failed(begin(tensor)))
      return failure();
  for (Operation &op : func.getBody().front()) {
    for (LiveTensor *tensor : begins.lookup(&op))
      if (failed(begin(*tensor)))
        return failure();
    for (LiveTensor *tensor : ends.lookup(&op))
      if (tensor->space == space)
        end(*tensor);
  }
  return success();
}

uint64_t FunctionTensors::getNumBanks(LayoutAttr layout) const {
  if (layout.getMemLayout() == TensorMemoryLayout::SingleBank)
    return 1;
  return layout.getMemorySpace() == MemorySpace::DeviceDRAM
             ? chip.getChipPhysicalCores().getDram().size()
             : volume(chip.getGrid());
}

std::pair<uint64_t, uint64_t>
FunctionTensors::getBounds(MemorySpace space) const {
  if (space == MemorySpace::DeviceL1)
    return {std::max<uint64_t>(chip.getL1UnreservedBase(), taken.l1),
            chip.getL1Size()};
  return {std::max<uint64_t>(chip.getDramUnreservedBase(), taken.dram),
          chip.getDramUnreservedEnd()};
}

} // namespace mlir::tt::ttir
