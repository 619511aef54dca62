#ifndef DIALECTS_TTIR_CANONICALIZE_H
#define DIALECTS_TTIR_CANONICALIZE_H

#include "dialects/TTIR/TTIR.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::tt::ttir {

/// Ops that change nothing, or that undo one another.
void populateSimplificationPatterns(RewritePatternSet &patterns);

/// Ops on constants whose results are known bit by bit.
void populateConstantFoldingPatterns(RewritePatternSet &patterns);

/// Collectives that change nothing.
void populateCollectivePatterns(RewritePatternSet &patterns);

/// Replaces the results of `op` by its inputs where they are the same on the
/// mesh of the module, with a warning: collectives of groups of one chip, and
/// one shard of a tensor.
LogicalResult foldIdentityCollective(CollectiveOpInterface op,
                                     RewriterBase &rewriter);

/// Whether `to` has every value of `from`.
bool isLossless(DataType from, DataType to);

/// The format of a tensor's elements in memory: its layout's, if it has one.
/// Nothing where the machine has no such format.
std::optional<DataType> getStorageType(Value value);

/// The elements of a value that is known when the program is compiled.
DenseElementsAttr getConstant(Value value);

/// What every input of the eltwise op is, in order; the destination is none.
SmallVector<Value> getInputs(Operation *op);

/// The order of the input's dimensions in the result of `transpose` and
/// `permute`; nothing for other ops.
std::optional<SmallVector<int64_t>> getPermutation(Operation *op);

} // namespace mlir::tt::ttir

#endif
