#include "dialects/TTIR/Composites/Composites.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace mlir::tt::graph;

//===----------------------------------------------------------------------===//
// dot_general
//===----------------------------------------------------------------------===//

/// Dimensions that are in [0, rank), none of them twice.
static LogicalResult verifyDims(DotGeneralOp op, StringRef operand,
                                int64_t rank, ArrayRef<int64_t> batch,
                                ArrayRef<int64_t> contracted) {
  SmallVector<bool> seen(rank, false);
  for (int64_t dim : llvm::concat<const int64_t>(batch, contracted)) {
    if (dim < 0 || dim >= rank)
      return op.emitOpError("dimensions of ")
             << operand << " must be in [0, " << rank << "): found " << dim;
    if (seen[dim])
      return op.emitOpError("dimensions of ")
             << operand << " must be different: found " << dim << " twice";
    seen[dim] = true;
  }
  return success();
}

/// The dimensions that are neither batch nor contracted.
static SmallVector<int64_t> getFree(int64_t rank, ArrayRef<int64_t> batch,
                                    ArrayRef<int64_t> contracted) {
  SmallVector<int64_t> free;
  for (int64_t dim : range(rank))
    if (!llvm::is_contained(batch, dim) && !llvm::is_contained(contracted, dim))
      free.push_back(dim);
  return free;
}

Shapes DotGeneralOp::inferShapes() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  auto verifyPairs = [&](StringRef what, ArrayRef<int64_t> left,
                         ArrayRef<int64_t> right) -> LogicalResult {
    if (left.size() == right.size())
      return success();
    return emitOpError("expected as many ")
           << what << " dimensions of rhs as of lhs: found " << right.size()
           << " and " << left.size();
  };
  auto verifyExtents = [&](ArrayRef<int64_t> left,
                           ArrayRef<int64_t> right) -> LogicalResult {
    for (auto [a, b] : llvm::zip_equal(left, right))
      if (lhs.getDimSize(a) != rhs.getDimSize(b))
        return emitOpError("dimensions that belong together must have one "
                           "extent: found ")
               << lhs.getDimSize(a) << " in dimension " << a << " of lhs and "
               << rhs.getDimSize(b) << " in dimension " << b << " of rhs";
    return success();
  };
  if (failed(verifyPairs("batch", getBatchDimsLhs(), getBatchDimsRhs())) ||
      failed(verifyPairs("contracted", getContractDimsLhs(),
                         getContractDimsRhs())) ||
      failed(verifyDims(*this, "lhs", lhs.getRank(), getBatchDimsLhs(),
                        getContractDimsLhs())) ||
      failed(verifyDims(*this, "rhs", rhs.getRank(), getBatchDimsRhs(),
                        getContractDimsRhs())) ||
      failed(verifyExtents(getBatchDimsLhs(), getBatchDimsRhs())) ||
      failed(verifyExtents(getContractDimsLhs(), getContractDimsRhs())) ||
      failed(verifyOneKind(*this)))
    return failure();
  shapes::Shape shape;
  for (int64_t dim : getBatchDimsLhs())
    shape.push_back(lhs.getDimSize(dim));
  for (int64_t dim :
       getFree(lhs.getRank(), getBatchDimsLhs(), getContractDimsLhs()))
    shape.push_back(lhs.getDimSize(dim));
  for (int64_t dim :
       getFree(rhs.getRank(), getBatchDimsRhs(), getContractDimsRhs()))
    shape.push_back(rhs.getDimSize(dim));
  return SmallVector<shapes::Shape>{shape};
}

/// An operand of a product of matrices: batch (if there are any), rows and
/// columns; its rows are the contracted dimensions if `isTransposed`.
struct MatrixOperand {
  Value value;
  bool isTransposed;
};

/// Brings the dimensions into the order batch, outer, inner, or without a move
/// of data batch, inner, outer.
static MatrixOperand getMatrix(GraphBuilder &b, Value value,
                               ArrayRef<int64_t> batch, ArrayRef<int64_t> outer,
                               ArrayRef<int64_t> inner) {
  auto join = [&](ArrayRef<int64_t> first, ArrayRef<int64_t> second) {
    SmallVector<int64_t> order(batch);
    order.append(first.begin(), first.end());
    order.append(second.begin(), second.end());
    return order;
  };
  auto count = [&](ArrayRef<int64_t> dims) {
    int64_t product = 1;
    for (int64_t dim : dims)
      product *= shapeOf(value)[dim];
    return product;
  };
  bool swap = llvm::is_sorted(join(inner, outer)) &&
              !llvm::is_sorted(join(outer, inner));
  Value ordered =
      b.permute(value, swap ? join(inner, outer) : join(outer, inner));
  SmallVector<int64_t> shape;
  if (!batch.empty())
    shape.push_back(count(batch));
  shape.push_back(count(swap ? inner : outer));
  shape.push_back(count(swap ? outer : inner));
  return {b.reshape(ordered, shape), swap};
}

Expansion DotGeneralOp::expand(GraphBuilder &b) {
  RankedTensorType type = getType();
  int64_t ranks[] = {typeOf(getLhs()).getRank(), typeOf(getRhs()).getRank()};
  MatrixOperand lhs =
      getMatrix(b, getLhs(), getBatchDimsLhs(),
                getFree(ranks[0], getBatchDimsLhs(), getContractDimsLhs()),
                getContractDimsLhs());
  MatrixOperand rhs =
      getMatrix(b, getRhs(), getBatchDimsRhs(), getContractDimsRhs(),
                getFree(ranks[1], getBatchDimsRhs(), getContractDimsRhs()));
  Value product = b.matmul(lhs.value, rhs.value, type.getElementType(),
                           lhs.isTransposed, rhs.isTransposed);
  return SmallVector<Value>{b.reshape(product, type.getShape())};
}

//===----------------------------------------------------------------------===//
// sparse_matmul
//===----------------------------------------------------------------------===//

Shapes SparseMatmulOp::inferShapes() {
  ArrayRef<int64_t> a = shapeOf(getA()), b = shapeOf(getB()),
                    mask = shapeOf(getSparsity());
  bool sparseA = getIsInputASparse(), sparseB = getIsInputBSparse();
  if (!sparseA && !sparseB)
    return emitOpError("expected is_input_a_sparse or is_input_b_sparse, found "
                       "neither");
  if (a.size() != 4 || b.size() != 4 || b[0] != 1 || a[3] != b[2])
    return emitOpError("expected an operand a of rank 4 and b 1xExKxN, found ")
           << shapes::toString(a) << " and " << shapes::toString(b);
  shapes::Shape result{a[0], b[1], a[2], b[3]}, expected{1, 1, a[0], b[1]};
  if (!sparseA) {
    result = {a[0], a[1], 1, b[1], a[2], b[3]};
    expected = {a[0], a[1], 1, b[1]};
  } else if (a[1] != b[1] || (sparseB && a[0] != 1)) {
    return emitOpError("expected an operand a ")
           << (sparseB ? "1x" : "Ax") << b[1] << "xMxK, found "
           << shapes::toString(a);
  }
  if (mask != ArrayRef<int64_t>(expected))
    return emitOpError("expected sparsity to have the shape ")
           << shapes::toString(expected) << ", found "
           << shapes::toString(mask);
  return SmallVector<shapes::Shape>{result};
}

Expansion SparseMatmulOp::expand(GraphBuilder &b) {
  RankedTensorType type = getType();
  ArrayRef<int64_t> a = shapeOf(getA()), other = shapeOf(getB());
  bool sparseA = getIsInputASparse();
  Value left = getA(), mask = getSparsity();
  SmallVector<int64_t> named{a[0], other[1], 1, 1},
      flat{a[0], other[1], a[2], other[3]};
  if (!sparseA) {
    left = b.reshape(left, {a[0] * a[1], 1, a[2], a[3]});
    named[0] = flat[0] = a[0] * a[1];
  }
  SmallVector<int64_t> batch{flat[0], flat[1]};
  auto spread = [&](Value value) -> Value {
    SmallVector<int64_t> shape(batch);
    shape.append(shapeOf(value).begin() + 2, shapeOf(value).end());
    return b.broadcast(value, shape);
  };
  Value product = b.matmul(spread(left), spread(getB()), type.getElementType());
  Value isNamed =
      b.predicate("ne", {b.reshape(mask, named), b.scalar(0, elementOf(mask))});
  Value kept = b.select(isNamed, product, b.scalar(0, type.getElementType()));
  return SmallVector<Value>{b.reshape(kept, type.getShape())};
}
