#ifndef DIALECTS_TTIR_TRANSFORMS_DECOMPOSITION_PRIMITIVES_H
#define DIALECTS_TTIR_TRANSFORMS_DECOMPOSITION_PRIMITIVES_H

#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

namespace mlir::tt::ttir {

/// Creates ops that have kernels, each with its own destination and the
/// constraints of its kernel: tiles if it computes, rows if it moves elements.
/// Ops that would change nothing are not created.
class Primitives {
public:
  Primitives(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  /// f32 for a float of fewer bits, so that what is computed in steps is
  /// rounded once; any other type itself.
  Type getWideType(Type elementType) const;

  /// An elementwise op on inputs that broadcast. Without `elementType` the
  /// result has the first input's.
  template <typename EltwiseOp>
  Value eltwise(ValueRange inputs, Type elementType = {}) {
    RankedTensorType type = getBroadcastType(
        inputs, elementType ? elementType : getElementType(inputs.front()));
    return EltwiseOp::create(builder, loc, TypeRange{type}, inputs,
                             ValueRange{empty(type)},
                             getTiles(inputs.size() + 1))
        ->getResult(0);
  }
  Value cast(Value value, Type elementType);

  /// One element, of shape 1, that broadcasts.
  Value scalar(double value, Type elementType);
  /// A tensor of f32.
  Value constant(ArrayRef<int64_t> shape, ArrayRef<float> values);
  /// `count` numbers from `first` on along dimension `dim` of a shape of ones.
  Value iota(int64_t rank, int64_t dim, int64_t first, int64_t count,
             Type elementType);

  Value reshape(Value value, ArrayRef<int64_t> shape);
  Value permute(Value value, ArrayRef<int64_t> permutation);
  /// Half-open bounds and the step of each dimension.
  Value slice(Value value, ArrayRef<int64_t> begins, ArrayRef<int64_t> ends,
              ArrayRef<int64_t> steps);
  /// The places [begin, end) of one dimension.
  Value slice(Value value, int64_t dim, int64_t begin, int64_t end);
  /// Elements before and after each dimension in turn.
  Value pad(Value value, ArrayRef<int64_t> padding, double element);
  /// `images` are (N, H, W * channels); arrays of two entries.
  Value unfold(Value images, int64_t channels, ArrayRef<int32_t> kernel,
               ArrayRef<int32_t> stride, ArrayRef<int32_t> dilation);
  Value concat(ValueRange values, int64_t dim);
  Value repeat(Value value, ArrayRef<int64_t> times);

  /// For each index, an i32, the row of `table` with that number.
  Value embedding(Value indices, Value table);

  Value matmul(Value a, Value b, Type elementType);

  /// The reduction over `dims`, which are kept with extent 1.
  template <typename ReductionOp>
  Value reduce(Value value, ArrayRef<int64_t> dims, Type elementType) {
    SmallVector<int64_t> shape(getShape(value));
    SmallVector<int32_t> narrow;
    for (int64_t dim : dims) {
      shape[dim] = 1;
      narrow.push_back(dim);
    }
    RankedTensorType type = RankedTensorType::get(shape, elementType);
    return ReductionOp::create(builder, loc, type, value, empty(type),
                               builder.getBoolAttr(true),
                               builder.getI32ArrayAttr(narrow), getTiles(2))
        .getResult();
  }

  static ArrayRef<int64_t> getShape(Value value) {
    return llvm::cast<RankedTensorType>(value.getType()).getShape();
  }
  static int64_t getRank(Value value) { return getShape(value).size(); }
  static Type getElementType(Value value) {
    return llvm::cast<RankedTensorType>(value.getType()).getElementType();
  }

  /// The constraints of operands that kernels take as tiles; in DRAM alone.
  ArrayAttr getTiles(size_t count) const;
  ArrayAttr getDramTiles(size_t count) const;
  /// The constraints of operands that kernels take as rows.
  ArrayAttr getRows(size_t count) const;

  OpBuilder &builder;
  Location loc;

private:
  Value empty(RankedTensorType type);
  static RankedTensorType getBroadcastType(ValueRange values, Type elementType);
};

} // namespace mlir::tt::ttir

#endif
