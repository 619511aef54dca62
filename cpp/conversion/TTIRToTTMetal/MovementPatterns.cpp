//===- MovementPatterns.cpp - ops that only move elements -----------------===//

#include "conversion/TTIRToTTMetal/RowMover.h"
#include "dialects/Shapes/ShapeRules.h"

#include <numeric>

using namespace mlir;
using namespace mlir::tt;

namespace {

/// The rows of a tensor: the extents of all dimensions but the last, and the
/// distance of neighbours along each, in rows.
struct Rows {
  explicit Rows(const Tensor &tensor)
      : extents(tensor.getShape().drop_back()),
        strides(getRowMajorStrides(extents)),
        columns(tensor.getShape().back()) {}
  SmallVector<int64_t> extents, strides;
  int64_t columns;

  /// Coordinate `dim` of a row.
  I32 coordinate(I32 row, size_t dim) const {
    I32 upTo = row / strides[dim];
    return dim == 0 ? upTo : upTo % extents[dim];
  }
};

/// A pattern of an op with one input that becomes a RowMover.
template <typename OpT> class MovePattern : public KernelPattern<OpT> {
public:
  using KernelPattern<OpT>::KernelPattern;

  LogicalResult lower(OpT op, ConversionPatternRewriter &rewriter) const final {
    RowMover mover(op, this->lowering, rewriter);
    Tensor in = mover.input(op.getInput());
    mover.output(op.getOutput());
    if (failed(move(op, in, mover)))
      return failure();
    return mover.build();
  }

  virtual LogicalResult move(OpT op, const Tensor &in,
                             RowMover &mover) const = 0;
};

//===----------------------------------------------------------------------===//
// Permutation, slices, padding
//===----------------------------------------------------------------------===//

struct PermutePattern : public MovePattern<ttir::PermuteOp> {
  using MovePattern::MovePattern;

  LogicalResult move(ttir::PermuteOp op, const Tensor &in,
                     RowMover &mover) const final {
    ArrayRef<int64_t> permutation = op.getPermutation();
    Rows from(in), to(mover.getOutput());
    int64_t last = static_cast<int64_t>(permutation.size()) - 1;
    // Steps in the input for each dimension of the result's rows. The input's
    // last dimension is no row: it gives the column.
    SmallVector<int64_t> rowSteps, columnSteps;
    for (int64_t dim : permutation.drop_back()) {
      rowSteps.push_back(dim == last ? 0 : from.strides[dim]);
      columnSteps.push_back(dim == last ? 1 : 0);
    }
    Piece piece;
    piece.source = in;
    piece.count = to.columns;
    if (permutation.back() != last) {
      piece.columnStep = 0;
      piece.rowStep = from.strides[permutation.back()];
    }
    piece.place = [=](KernelBuilder &, I32 row, I32, I32) {
      return RowPlace{linearize(row, to.extents, rowSteps),
                      linearize(row, to.extents, columnSteps)};
    };
    mover.add(piece);
    return success();
  }
};

struct SlicePattern : public MovePattern<ttir::SliceOp> {
  using MovePattern::MovePattern;

  LogicalResult move(ttir::SliceOp op, const Tensor &in,
                     RowMover &mover) const final {
    Rows from(in), to(mover.getOutput());
    SmallVector<int64_t> steps;
    int64_t firstRow = 0, firstColumn = 0;
    ArrayRef<int64_t> shape = in.getShape();
    for (auto [dim, extent] : llvm::enumerate(shape)) {
      int64_t begin = cast<IntegerAttr>(op.getBegins()[dim]).getInt();
      int64_t step = cast<IntegerAttr>(op.getStep()[dim]).getInt();
      if (begin < 0)
        begin += extent;
      if (dim + 1 == shape.size()) {
        firstColumn = begin;
        steps.push_back(step);
        continue;
      }
      firstRow += begin * from.strides[dim];
      steps.push_back(step * from.strides[dim]);
    }
    Piece piece;
    piece.source = in;
    piece.count = to.columns;
    piece.columnStep = steps.pop_back_val();
    piece.place = [=](KernelBuilder &, I32 row, I32, I32) {
      return RowPlace{linearize(row, to.extents, steps) + firstRow,
                      firstColumn};
    };
    mover.add(piece);
    return success();
  }
};

struct PadPattern : public MovePattern<ttir::PadOp> {
  using MovePattern::MovePattern;

  LogicalResult move(ttir::PadOp op, const Tensor &in,
                     RowMover &mover) const final {
    Rows from(in), to(mover.getOutput());
    ArrayRef<int32_t> padding = op.getPadding();
    SmallVector<int64_t> low;
    int64_t firstRow = 0;
    for (size_t dim = 0; dim < from.extents.size(); ++dim) {
      low.push_back(padding[2 * dim]);
      firstRow += low.back() * from.strides[dim];
    }
    Piece piece;
    piece.source = in;
    piece.first = padding[2 * from.extents.size()];
    piece.count = from.columns;
    piece.isThere = [=](I32 row) {
      Condition inside = true;
      for (size_t dim = 0; dim < low.size(); ++dim) {
        if (from.extents[dim] == to.extents[dim])
          continue;
        I32 place = to.coordinate(row, dim);
        if (low[dim] > 0)
          inside = inside && I32(low[dim] - 1) < place;
        if (low[dim] + from.extents[dim] < to.extents[dim])
          inside = inside && place < low[dim] + from.extents[dim];
      }
      return inside;
    };
    piece.place = [=](KernelBuilder &, I32 row, I32, I32) {
      return RowPlace{linearize(row, to.extents, from.strides) - firstRow, 0};
    };
    mover.fillWith(op.getValue());
    mover.add(piece);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// A row of the result has a run for each row of the kernel, or for each place
/// of it if these are apart.
struct UnfoldPattern : public MovePattern<ttir::UnfoldOp> {
  using MovePattern::MovePattern;

  LogicalResult move(ttir::UnfoldOp op, const Tensor &in,
                     RowMover &mover) const final {
    ArrayRef<int64_t> shape = in.getShape();
    ArrayRef<int32_t> kernel = op.getKernel(), stride = op.getStride(),
                      dilation = op.getDilation();
    int64_t channels = op.getChannels();
    shapes::Window window{
        kernel[0],   kernel[1], stride[0], stride[1], dilation[0],
        dilation[1], 0,         0,         0,         0};
    auto [height, width] =
        shapes::getWindowExtents(window, shape[1], shape[2] / channels);
    int64_t runs = dilation[1] == 1 ? 1 : kernel[1];
    Piece piece;
    piece.source = in;
    piece.count = kernel[1] / runs * channels;
    piece.parts = kernel[0] * runs;
    int64_t down = stride[0], right = stride[1] * channels,
            between = dilation[0], beside = dilation[1] * channels,
            rows = shape[1];
    piece.columnUnit = runs == 1 ? right : std::gcd(right, beside);
    piece.place = [=, height = height, width = width](KernelBuilder &, I32 row,
                                                      I32 part, I32) {
      I32 image = row / (height * width), y = row / width % height;
      return RowPlace{image * rows + y * down + part / runs * between,
                      row % width * right + part % runs * beside};
    };
    mover.add(piece);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Reshape
//===----------------------------------------------------------------------===//

/// A row of the result consists of runs, each of them in one row of the input.
/// Rows that stay whole may be in tiles on one side.
struct ReshapePattern : public KernelPattern<ttir::ReshapeOp> {
  using KernelPattern::KernelPattern;

  LogicalResult lower(ttir::ReshapeOp op,
                      ConversionPatternRewriter &rewriter) const final {
    if (Tensor{op.getInput()}.isTiled() != Tensor{op.getOutput()}.isTiled())
      return lowerReformat(op, lowering, rewriter);
    RowMover mover(op, lowering, rewriter);
    Tensor in = mover.input(op.getInput());
    mover.output(op.getOutput());
    int64_t from = in.getShape().back();
    int64_t to = mover.getOutput().getShape().back();
    Piece piece;
    piece.source = in;
    piece.count = std::gcd(from, to);
    piece.parts = to / piece.count;
    int64_t count = piece.count, parts = piece.parts, runs = from / count;
    piece.columnUnit = runs == 1 ? 0 : count;
    piece.place = [=](KernelBuilder &, I32 row, I32 part, I32) {
      I32 run = row * parts + part;
      return RowPlace{run / runs, run % runs * count};
    };
    mover.add(piece);
    return mover.build();
  }
};

/// Rows stay as they are.
struct BitcastPattern : public MovePattern<ttir::BitcastConvertOp> {
  using MovePattern::MovePattern;

  LogicalResult move(ttir::BitcastConvertOp, const Tensor &in,
                     RowMover &mover) const final {
    Piece piece;
    piece.source = in;
    piece.count = in.getShape().back();
    piece.place = [](KernelBuilder &, I32 row, I32, I32) {
      return RowPlace{row, 0};
    };
    mover.add(piece);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Repetition
//===----------------------------------------------------------------------===//

struct RepeatPattern : public MovePattern<ttir::RepeatOp> {
  using MovePattern::MovePattern;

  LogicalResult move(ttir::RepeatOp op, const Tensor &in,
                     RowMover &mover) const final {
    Rows from(in), to(mover.getOutput());
    Piece piece;
    piece.source = in;
    piece.count = from.columns;
    piece.parts = op.getRepeatDimensions().back();
    piece.repeats = true;
    piece.place = [=](KernelBuilder &, I32 row, I32, I32) {
      I32 source = 0;
      for (size_t dim = 0; dim < from.extents.size(); ++dim)
        source = source + to.coordinate(row, dim) % from.extents[dim] *
                              from.strides[dim];
      return RowPlace{source, 0};
    };
    mover.add(piece);
    return success();
  }
};

struct BroadcastPattern : public MovePattern<ttir::BroadcastOp> {
  using MovePattern::MovePattern;

  LogicalResult move(ttir::BroadcastOp op, const Tensor &in,
                     RowMover &mover) const final {
    Rows from(in), to(mover.getOutput());
    int64_t rank = mover.getOutput().getType().getRank();
    // Steps in the input for each dimension of the result's rows. A row of the
    // result has elements of one column if none of its own is the input's.
    SmallVector<int64_t> rowSteps(rank, 0), columnSteps(rank, 0);
    int64_t lastDim = -1;
    for (auto [d, dim] :
         llvm::enumerate(op.getDimension().getAsRange<IntegerAttr>())) {
      lastDim = dim.getInt();
      if (d == from.extents.size())
        columnSteps[lastDim] = from.columns == 1 ? 0 : 1;
      else if (from.extents[d] != 1)
        rowSteps[lastDim] = from.strides[d];
    }
    rowSteps.pop_back();
    columnSteps.pop_back();
    Piece piece;
    piece.source = in;
    piece.count = lastDim == rank - 1 ? from.columns : 1;
    piece.parts = to.columns / piece.count;
    piece.repeats = true;
    piece.place = [=](KernelBuilder &, I32 row, I32, I32) {
      return RowPlace{linearize(row, to.extents, rowSteps),
                      linearize(row, to.extents, columnSteps)};
    };
    mover.add(piece);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Concatenation
//===----------------------------------------------------------------------===//

struct ConcatPattern : public KernelPattern<ttir::ConcatOp> {
  using KernelPattern::KernelPattern;

  LogicalResult lower(ttir::ConcatOp op,
                      ConversionPatternRewriter &rewriter) const final {
    RowMover mover(op, lowering, rewriter);
    SmallVector<Tensor> inputs;
    for (Value input : op.getInputs())
      inputs.push_back(mover.input(input));
    mover.output(op.getOutput());
    int64_t rank = mover.getOutput().getType().getRank();
    int64_t dim = *shapes::normalizeDim(op.getDim(), rank);
    int64_t first = 0;
    for (const Tensor &input : inputs) {
      int64_t extent = input.getShape()[dim];
      mover.add(dim == rank - 1 ? besides(input, first)
                                : below(input, mover.getOutput(), dim, first));
      first += extent;
    }
    return mover.build();
  }

private:
  /// All rows of `input`, from column `first` of the result on.
  static Piece besides(const Tensor &input, int64_t first) {
    Piece piece;
    piece.source = input;
    piece.first = first;
    piece.count = input.getShape().back();
    piece.place = [](KernelBuilder &, I32 row, I32, I32) {
      return RowPlace{row, 0};
    };
    return piece;
  }

  /// Rows from `first` on along dimension `dim` of the result.
  static Piece below(const Tensor &input, const Tensor &output, int64_t dim,
                     int64_t first) {
    Rows from(input), to(output);
    Piece piece;
    piece.source = input;
    piece.count = from.columns;
    piece.isThere = [=](I32 row) {
      I32 place = to.coordinate(row, dim);
      int64_t end = first + from.extents[dim];
      Condition starts = first == 0 ? Condition(true) : I32(first - 1) < place;
      return starts && (end == to.extents[dim] ? Condition(true) : place < end);
    };
    piece.place = [=](KernelBuilder &, I32 row, I32, I32) {
      return RowPlace{linearize(row, to.extents, from.strides) -
                          first * from.strides[dim],
                      0};
    };
    return piece;
  }
};

//===----------------------------------------------------------------------===//
// Embedding
//===----------------------------------------------------------------------===//

struct EmbeddingPattern : public MovePattern<ttir::EmbeddingOp> {
  using MovePattern::MovePattern;

  LogicalResult move(ttir::EmbeddingOp op, const Tensor &indices,
                     RowMover &mover) const final {
    Tensor weight = mover.input(op.getWeight());
    Type type = indices.getType().getElementType();
    if (!type.isInteger() || indices.isTiled())
      return op.emitOpError("has kernels for row-major indices of integers, "
                            "found ")
             << indices.getType();
    int64_t size = llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
    int64_t each = indices.getShape().back();
    int64_t align = mover.getAlign();
    int64_t rows = weight.getShape()[0];
    Piece piece;
    piece.source = weight;
    piece.count = weight.getShape().back();
    piece.place = [=](KernelBuilder &kernel, I32 row, I32, I32 scratch) {
      OpBuilder &builder = kernel.getBuilder();
      I32 begin = row % each * size;
      I32 fetched = scratch + begin % align;
      kernel.readBytes(indices, row / each, begin, fetched, size);
      kernel.readBarrier();
      I32 index = kernel.callI32(
          "load_from_l1", {fetched},
          builder.getNamedAttr("bytes", builder.getI32IntegerAttr(size)));
      kernel.call("assert", {(index < rows).get(kernel)},
                  builder.getNamedAttr(
                      "message", builder.getStringAttr(
                                     "embedding: expected an index below " +
                                     Twine(rows))));
      return RowPlace{index, 0};
    };
    mover.add(piece);
    return success();
  }
};

} // namespace

void tt::populateTTIRToTTMetalMovementPatterns(RewritePatternSet &patterns,
                                               Lowering &lowering) {
  patterns.add<PermutePattern, SlicePattern, PadPattern, UnfoldPattern,
               ReshapePattern, BitcastPattern, RepeatPattern, BroadcastPattern,
               ConcatPattern, EmbeddingPattern>(patterns.getContext(),
                                                lowering);
}
