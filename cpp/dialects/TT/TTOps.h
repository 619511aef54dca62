#ifndef DIALECTS_TT_TTOPS_H
#define DIALECTS_TT_TTOPS_H

#include "dialects/TT/TT.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialects/TT/TTOps.h.inc"

namespace mlir::tt {

/// The attribute of functions that control flow runs: parts of a program.
inline constexpr llvm::StringLiteral kPartAttr = "tt.part";

/// The attribute of parts that says where the L1 ends which callers have.
inline constexpr llvm::StringLiteral kTakenL1Attr = "tt.taken_l1";

/// The attribute of arguments that callers give up: the number of the result
/// that has their memory.
inline constexpr llvm::StringLiteral kAliasedOutputAttr = "tt.aliased_output";

/// The attribute of parts that the host runs.
inline constexpr llvm::StringLiteral kHostAttr = "tt.host";

/// The attribute of an argument and of a result that are a variable: its name.
inline constexpr llvm::StringLiteral kVariableAttr = "tt.variable";

/// The attribute of arguments to shard over chips: for each axis of the mesh,
/// the dimension that it shards, or -1.
inline constexpr llvm::StringLiteral kShardDimsAttr = "tt.shard_dims";

/// The attribute of arguments and results that callers keep as shards on the
/// chips, and whose type is that of a shard: for each axis of the mesh, the
/// dimension that it shards, or -1. `tt.host_type` has the type of the whole
/// tensor.
inline constexpr llvm::StringLiteral kPreshardedAttr = "tt.presharded";

/// The attribute of arguments and results that have the type of a micro-batch:
/// the dimension that the micro-batches divide.
inline constexpr llvm::StringLiteral kMicroBatchDimAttr = "tt.micro_batch_dim";

/// Whether the op runs parts.
inline bool isControlFlow(Operation *op) {
  return isa<CallOp, IfOp, ForOp, WhileOp>(op);
}

/// Whether the op belongs to a function that the host runs.
bool isOnHost(Operation *op);

/// Whether the argument is a variable.
bool isVariable(BlockArgument argument);

/// How many of the last results of a function are variables.
unsigned getNumWrittenVariables(FunctionOpInterface function);

/// The names of its parts, in the order in which the op has them.
SmallVector<FlatSymbolRefAttr> getParts(Operation *op);

/// The operands that the first part of the op is given, in order: all but the
/// condition of an `if`.
OperandRange getPartOperands(Operation *op);

} // namespace mlir::tt

#endif
