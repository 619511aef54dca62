#include "dialects/TT/TTOps.h"
#include "dialects/TTIR/Transforms/ConstEval/FixedOps.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

namespace mlir::tt::ttir {

/// The functions that the op runs on the device; none for a call of the host.
static SmallVector<func::FuncOp> getDeviceParts(Operation *op,
                                                SymbolTable &symbols) {
  SmallVector<func::FuncOp> parts;
  if (isa<IfOp, ForOp, WhileOp>(op))
    for (FlatSymbolRefAttr name : getParts(op))
      parts.push_back(symbols.lookup<func::FuncOp>(name.getValue()));
  return parts;
}

static MutableOperandRange getCapturedMutable(Operation *op) {
  if (auto branch = dyn_cast<IfOp>(op))
    return branch.getCapturedMutable();
  if (auto loop = dyn_cast<ForOp>(op))
    return loop.getCapturedMutable();
  return cast<WhileOp>(op).getCapturedMutable();
}

/// Gives all parts of `op` the value, and returns the argument of `reader` that
/// it is. What is captured comes last in each of them.
static BlockArgument capture(Operation *op, Value value,
                             ArrayRef<func::FuncOp> parts,
                             func::FuncOp reader) {
  getCapturedMutable(op).append(value);
  BlockArgument found;
  for (func::FuncOp part : parts) {
    unsigned index = part.getNumArguments();
    if (failed(part.insertArgument(index, value.getType(), {}, value.getLoc())))
      llvm_unreachable("an argument of a type of the function");
    if (part == reader)
      found = part.getArgument(index);
  }
  return found;
}

unsigned hoistFixedOps(func::FuncOp func, SymbolTable &symbols,
                       bool keepsSplats) {
  unsigned count = 0;
  for (Operation &op : func.getBody().front()) {
    SmallVector<func::FuncOp> parts = getDeviceParts(&op, symbols);
    for (func::FuncOp part : parts) {
      count += hoistFixedOps(part, symbols, keepsSplats);
      for (const FixedOps &fixed : findFixedOps(part, keepsSplats)) {
        if (!fixed.areWorthwhile())
          continue;
        OpBuilder builder(&op);
        IRMapping map;
        fixed.clone(builder, map);
        for (Value result : fixed.getResults()) {
          auto type = cast<RankedTensorType>(result.getType());
          RankedTensorType kept = getCachedType(type);
          Value value = map.lookup(result);
          if (kept != type)
            value = createToLayout(builder, result.getLoc(), value, kept)
                        .getResult();
          fixed.replace(result, capture(&op, value, parts, part));
        }
        fixed.erase();
        count += fixed.size();
      }
    }
  }
  return count;
}

} // namespace mlir::tt::ttir
