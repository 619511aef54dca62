// Arguments and results of a partitioned function.
#include "dialects/TT/HostType.h"
#include "dialects/TT/Mesh.h"
#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Sharding/FunctionPartition.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

namespace mlir::tt::ttir {

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

LogicalResult FunctionPartition::checkStated(BlockArgument argument,
                                             Sharding &sharding) {
  unsigned number = argument.getArgNumber();
  auto attribute =
      func.getArgAttrOfType<DenseI64ArrayAttr>(number, kShardDimsAttr);
  if (!attribute)
    return success();
  auto error = [&] {
    return emitError(argument.getLoc())
           << "'" << kShardDimsAttr << "' of argument " << number << ": ";
  };
  ArrayRef<int64_t> dims = attribute.asArrayRef();
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (!type || !type.hasStaticShape() || type.getEncoding())
    return error() << "expected a tensor of static shape without a layout, "
                      "found "
                   << argument.getType();
  if (isVariable(argument))
    return error() << "a variable must be whole on each chip";
  if (dims.size() > mesh.size() ||
      llvm::any_of(mesh.drop_front(std::min(dims.size(), mesh.size())),
                   [](int64_t chips) { return chips != 1; }))
    return error() << "expected a dimension or -1 for each axis of the mesh "
                   << formatExtents(mesh) << ", found " << dims.size();
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    if (dim < -1 || dim >= type.getRank())
      return error() << "expected dimensions below " << type.getRank()
                     << ", or -1, found " << dim;
    sharding[axis] = mesh[axis] == 1 ? -1 : dim;
  }
  for (auto [dim, parts] :
       llvm::enumerate(countParts(sharding, mesh, type.getRank())))
    if (type.getDimSize(dim) % parts != 0)
      return error() << parts << " chips do not divide dimension " << dim
                     << " of " << type;
  return success();
}

/// Shards dimension `dim` of all inputs with the same extent as the first one.
LogicalResult FunctionPartition::chooseInputs(int64_t axis, int64_t dim,
                                              StringRef kind) {
  int64_t extent = 0;
  for (BlockArgument argument : func.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape() || type.getEncoding() ||
        type.getRank() <= dim || isVariable(argument) ||
        dependences.isFixed(argument) || explicitly.count(argument))
      continue;
    Sharding &sharding =
        stated.try_emplace(argument, Sharding(whole)).first->second;
    int64_t found = type.getDimSize(dim);
    if (extent == 0) {
      extent = found;
      int64_t parts = mesh[axis];
      for (int64_t other = 0; other != axis; ++other)
        if (sharding[other] == dim)
          parts *= mesh[other];
      if (extent % parts != 0)
        return emitError(argument.getLoc())
               << "parallelism '" << kind << "': " << parts
               << " chips do not divide dimension " << dim << " of the input "
               << type;
    }
    if (found == extent && sharding[axis] < 0)
      sharding[axis] = dim;
  }
  if (extent == 0)
    return func.emitError("parallelism '")
           << kind << "': expected an input with " << dim + 1
           << " dimensions that is not a parameter, found none";
  return success();
}

LogicalResult FunctionPartition::chooseArguments() {
  for (BlockArgument argument : func.getArguments()) {
    Sharding sharding(whole);
    if (failed(checkStated(argument, sharding)))
      return failure();
    if (!func.getArgAttr(argument.getArgNumber(), kShardDimsAttr))
      continue;
    explicitly.insert(argument);
    stated[argument] = sharding;
  }
  for (auto [axis, kind] : llvm::enumerate(kinds)) {
    if (mesh[axis] == 1)
      continue;
    if (kind == ParallelKind::Data && failed(chooseInputs(axis, 0, "data")))
      return failure();
    if (kind == ParallelKind::Sequence &&
        failed(chooseInputs(axis, 1, "sequence")))
      return failure();
  }
  return success();
}

std::optional<unsigned>
FunctionPartition::getAliasedResult(BlockArgument argument) {
  auto result = func.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(),
                                                   kAliasedOutputAttr);
  return result ? std::optional<unsigned>(result.getInt()) : std::nullopt;
}

bool FunctionPartition::isKept(BlockArgument argument) {
  auto type = dyn_cast<RankedTensorType>(argument.getType());
  if (argument.getOwner() != &func.getBody().front() || !type ||
      type.getEncoding() || isVariable(argument))
    return false;
  return getAliasedResult(argument) ||
         (kept.inputs && !dependences.isFixed(argument));
}

/// Gives arguments and results that stay on the chips the types of their
/// shards.
void FunctionPartition::keepShards() {
  auto note = [&](ArrayRef<int64_t> sharding) {
    return std::pair(StringAttr::get(func.getContext(), kPreshardedAttr),
                     builder.getDenseI64ArrayAttr(sharding));
  };
  for (auto &[argument, shard] : keptShards) {
    unsigned number = argument.getArgNumber();
    auto [name, dims] = note(getSharding(argument));
    func.setArgAttr(number, name, dims);
    if (!func.getArgAttr(number, kHostTypeAttr))
      func.setArgAttr(number, kHostTypeAttr, TypeAttr::get(argument.getType()));
    Operation *placeholder = shard.getDefiningOp();
    argument.setType(shard.getType());
    shard.replaceAllUsesWith(argument);
    placeholder->erase();
  }
  for (auto &[result, entry] : keptResults) {
    auto &[sharding, type] = entry;
    auto [name, dims] = note(sharding);
    func.setResultAttr(result, name, dims);
    if (!func.getResultAttr(result, kHostTypeAttr))
      func.setResultAttr(result, kHostTypeAttr, TypeAttr::get(type));
  }
  Operation *end = func.getBody().front().getTerminator();
  func.setFunctionType(builder.getFunctionType(
      func.getBody().front().getArgumentTypes(), end->getOperandTypes()));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void FunctionPartition::joinResults(func::ReturnOp op) {
  builder.setInsertionPoint(op);
  unsigned numResults = op.getNumOperands() - getNumWrittenVariables(func);
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      continue;
    graph.setLoc(value.getLoc());
    auto donor =
        llvm::find_if(func.getArguments(), [&](BlockArgument argument) {
          return getAliasedResult(argument) == operand.getOperandNumber();
        });
    bool isDonated = donor != func.getArguments().end() && isKept(*donor);
    // Variables are replicated on the chips.
    bool isResult = operand.getOperandNumber() < numResults;
    Sharding sharding = isDonated                    ? getSharding(*donor)
                        : isResult && !isFree(value) ? getSharding(value)
                                                     : whole;
    // If nothing reads the donor, it is not sharded yet.
    if (isDonated)
      get(*donor, sharding);
    Value made = get(value, sharding);
    bool isJoined = !isDonated && !kept.results && isResult && !isFree(value);
    operand.set(isJoined ? resharding.join(graph, made, type, sharding) : made);
    if (!isJoined && !isWhole(sharding))
      keptResults[operand.getOperandNumber()] = {sharding, type};
  }
}

} // namespace mlir::tt::ttir
