//===- UpdateSlicePattern.cpp - parts of tiles that others replace --------===//

#include "conversion/TTIRToTTMetal/Batches.h"
#include "conversion/TTIRToTTMetal/MemoryKernels.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

namespace {

constexpr int64_t kTile = TileType::kExtent, kFace = 16;

/// Copies rows between tiles of one format in L1. A row of a tile is one of
/// each of two faces; of block floats each has an exponent at the start of the
/// tile.
class TileRows {
public:
  explicit TileRows(TileType type) {
    constexpr int64_t kExponents = 4 * kFace;
    int64_t bytes = type.getStorageSizeBytes();
    if (isBlockFloat(type.getDataType()))
      data = kExponents;
    rowBytes = (bytes - data) / (4 * kFace);
  }

  void copy(KernelBuilder &kernel, I32 from, I32 fromRow, I32 to,
            I32 toRow) const {
    for (int64_t face = 0; face < 2; ++face) {
      I32 source = faceRow(fromRow, face), target = faceRow(toRow, face);
      if (data != 0)
        storeToL1(kernel, loadFromL1(kernel, from + source, 1), to + target, 1);
      int64_t step = std::min(kWord, rowBytes);
      I32 first = from + data + source * rowBytes;
      I32 second = to + data + target * rowBytes;
      for (int64_t at = 0; at < rowBytes; at += step)
        storeToL1(kernel, loadFromL1(kernel, first + at, step), second + at,
                  step);
    }
  }

private:
  /// The number of a row of the left or the right half among all of the faces.
  static I32 faceRow(I32 row, int64_t face) {
    return row / kFace * (2 * kFace) + face * kFace + row % kFace;
  }

  /// Where the elements begin, and the bytes of a row of a face.
  int64_t data = 0, rowBytes;
};

/// The address of an element of a tile in L1.
I32 elementOf(I32 tile, I32 row, I32 column, int64_t bytes) {
  I32 face = row / kFace * 2 + column / kFace;
  return tile + ((face * kFace + row % kFace) * kFace + column % kFace) * bytes;
}

/// A core has some tiles of the result. In place these are tiles with elements
/// of the update only, else all of them, which it copies.
struct UpdateSlicePattern : public KernelPattern<ttir::UpdateSliceOp> {
  using KernelPattern::KernelPattern;

  LogicalResult lower(ttir::UpdateSliceOp op,
                      ConversionPatternRewriter &rewriter) const final {
    DispatchBuilder dispatch(rewriter, op, lowering);
    Update update(op, dispatch, lowering);
    for (const Tensor &tensor : {update.in, update.update, update.out})
      if (!tensor.isTiled() || !tensor.isPaged() ||
          !tensor.hasTilesOfItsOwn() ||
          tensor.getLayout().getElementType() !=
              update.out.getLayout().getElementType())
        return op.emitOpError(
                   "has kernels for interleaved tensors of one number "
                   "format in tiles, found ")
               << tensor.getType() << " beside " << update.out.getType();
    auto tile = cast<TileType>(update.out.getLayout().getElementType());
    if (update.isNarrow && isBlockFloat(tile.getDataType()))
      return op.emitOpError("has kernels for block floats where the update has "
                            "whole rows, found ")
             << update.update.getType() << " in " << update.out.getType();
    const int64_t bytes =
        update.listBytes + update.countTiles() * update.tileBytes;
    if (bytes > dispatch.getFreeL1())
      return op.emitOpError("needs ")
             << bytes << " bytes of L1, found " << dispatch.getFreeL1();
    return buildInMemory(dispatch, bytes, update.countUnits(),
                         [&](KernelBuilder &kernel, I32 memory) {
                           update.write(kernel, dispatch, memory);
                         });
  }

private:
  struct Update {
    Update(ttir::UpdateSliceOp op, DispatchBuilder &dispatch,
           const Lowering &lowering)
        : op(op), isInPlace(op.getInput() == op.getOutput()),
          in(dispatch.input(op.getInput())),
          update(dispatch.input(op.getUpdate())) {
      if (op.getIndex())
        index = dispatch.input(op.getIndex());
      out = dispatch.output(op.getOutput());
      grid = out.getTileGrid();
      from = update.getTileGrid();
      isNarrow = from.width != grid.width;
      inner = out.getShape().size() - 2;
      auto extentsOf = [&](const Tensor &tensor) {
        return tensor.getShape().take_front(inner);
      };
      strides = getRowMajorStrides(extentsOf(out));
      fromStrides = getRowMajorStrides(extentsOf(update));
      int64_t align = lowering.systemDesc.getAddressAlignBytes();
      if (index)
        listBytes = llvm::alignTo(op.getDims().size() * kWord, align);
      tileBytes = llvm::alignTo(out.getPageBytes(), align);
    }

    /// Tiles along dimension `dim` of a matrix that have elements of the
    /// update, at most.
    int64_t countTilesAlong(size_t dim, int64_t tiles) {
      int64_t extent = update.getShape()[dim];
      bool isKnown = !llvm::is_contained(op.getDims(), dim);
      int64_t last = out.getShape()[dim] - extent;
      int64_t offset =
          isKnown ? std::clamp<int64_t>(op.getStarts()[dim], 0, last) % kTile
                  : kTile - 1;
      return std::min<int64_t>(tiles, llvm::divideCeil(offset + extent, kTile));
    }
    int64_t countTileRows() { return countTilesAlong(inner, grid.rows); }
    int64_t countTileColumns() {
      return isNarrow ? countTilesAlong(inner + 1, grid.columns) : grid.columns;
    }

    int64_t countUnits() {
      return isInPlace ? from.batches * countTileRows() * countTileColumns()
                       : grid.volume();
    }

    /// Tiles in L1: one of the result, and those of the update that meet in it.
    int64_t countTiles() const { return isNarrow ? 5 : 3; }

    void write(KernelBuilder &kernel, const DispatchBuilder &dispatch,
               I32 memory) {
      tile = memory + listBytes;
      sources = tile + tileBytes;
      Condition isThere = findStarts(kernel, memory);
      Share share = kernel.share(countUnits(), dispatch.getCores().volume());
      auto writeAll = [&] {
        kernel.forRange(share.count, [&](I32 i) {
          isInPlace ? writeTile(kernel, share.first + i)
                    : copyTile(kernel, share.first + i, isThere);
        });
      };
      isInPlace ? kernel.ifThen(isThere, writeAll) : writeAll();
    }

  private:
    /// Where the update begins in each dimension; whether it is in the input.
    Condition findStarts(KernelBuilder &kernel, I32 list) {
      starts.assign(op.getStarts().begin(), op.getStarts().end());
      if (index) {
        kernel.readBytes(*index, 0, 0, list, op.getDims().size() * kWord);
        kernel.readBarrier();
        for (auto [i, dim] : llvm::enumerate(op.getDims()))
          starts[dim] = starts[dim] + loadFromL1(kernel, list + i * kWord);
      }
      constexpr int64_t kMaxSigned = 0x7FFFFFFF;
      bool isSigned =
          index && index->getType().getElementType().isSignedInteger();
      Condition isThere = true;
      for (auto [dim, start] : llvm::enumerate(starts)) {
        int64_t last = out.getShape()[dim] - update.getShape()[dim];
        if (!op.getClamp()) {
          // The kernel compares unsigned numbers, but constants are signed.
          if (start.isConstant() && start.getConstant() < 0) {
            isThere = false;
            start = 0;
          }
          isThere = isThere && start < last + 1;
          continue;
        }
        if (start.isConstant()) {
          start = std::clamp<int64_t>(start.getConstant(), 0, last);
          continue;
        }
        if (isSigned)
          start = select(I32(kMaxSigned) < start, I32(0), start);
        start = min(start, I32(last));
      }
      return isThere;
    }

    /// Coordinate `dim` of matrix `batch` of a tensor with these strides.
    static I32 coordinate(I32 batch, ArrayRef<int64_t> strides,
                          const Tensor &tensor, size_t dim) {
      I32 upTo = batch / strides[dim];
      return dim == 0 ? upTo : upTo % tensor.getShape()[dim];
    }

    /// In place: a tile with elements of the update.
    void writeTile(KernelBuilder &kernel, I32 unit) {
      int64_t tileRows = countTileRows(), tileColumns = countTileColumns();
      I32 column = unit % tileColumns;
      I32 batch = unit / (tileColumns * tileRows);
      I32 row = starts[inner] / kTile + unit / tileColumns % tileRows;
      Condition isTouched = row * kTile < starts[inner] + from.height;
      if (isNarrow) {
        column = starts[inner + 1] / kTile + column;
        isTouched =
            isTouched && column * kTile < starts[inner + 1] + from.width;
      }
      I32 target = 0;
      for (size_t dim = 0; dim < inner; ++dim)
        target = target +
                 (starts[dim] + coordinate(batch, fromStrides, update, dim)) *
                     strides[dim];
      kernel.ifThen(isTouched, [&] {
        changeTile(kernel, grid.page(target, row, column), batch, row, column);
      });
    }

    /// Any tile of the result.
    void copyTile(KernelBuilder &kernel, I32 unit, Condition isThere) {
      I32 column = unit % grid.columns;
      I32 row = unit / grid.columns % grid.rows;
      I32 batch = unit / (grid.columns * grid.rows);
      I32 source = 0;
      Condition isChanged = isThere &&
                            row * kTile < starts[inner] + from.height &&
                            starts[inner] < row * kTile + kTile;
      if (isNarrow)
        isChanged = isChanged &&
                    column * kTile < starts[inner + 1] + from.width &&
                    starts[inner + 1] < column * kTile + kTile;
      for (size_t dim = 0; dim < inner; ++dim) {
        I32 place = coordinate(batch, strides, out, dim) - starts[dim];
        isChanged = isChanged && place < update.getShape()[dim];
        source = source + place * fromStrides[dim];
      }
      kernel.ifThen(
          isChanged, [&] { changeTile(kernel, unit, source, row, column); },
          [&] {
            kernel.readPage(in, unit, tile);
            kernel.readBarrier();
            kernel.writePage(out, unit, tile);
            kernel.writeBarrier();
          });
    }

    /// What a tile has of the update along a dimension.
    struct Span {
      /// Of the first element in the tile and in the update, and behind the
      /// last one in the update.
      I32 target, source, end;

      I32 count() const { return end - source; }
      /// The tile of the update that has the first element.
      I32 sourceTile() const { return source / kTile; }
      Condition isWhole() const {
        return count() == kTile && source % kTile == 0;
      }
      /// Whether the elements are in two tiles of the update.
      Condition isInTwo() const { return sourceTile() * kTile + kTile < end; }
    };
    static Span spanOf(I32 start, int64_t extent, I32 tile) {
      I32 first = max(start, tile * kTile);
      I32 end = min(start + extent, tile * kTile + kTile);
      return {first - tile * kTile, first - start, end - start};
    }

    /// Writes a tile of the result: what it has of the update, and the others
    /// of the input.
    void changeTile(KernelBuilder &kernel, I32 page, I32 batch, I32 row,
                    I32 column) {
      Span rows = spanOf(starts[inner], from.height, row);
      Span columns = isNarrow ? spanOf(starts[inner + 1], from.width, column)
                              : Span{0, column * kTile, column * kTile + kTile};
      I32 sourcePage =
          from.page(batch, rows.sourceTile(), columns.sourceTile());
      kernel.ifThen(
          rows.isWhole() && columns.isWhole(),
          [&] {
            kernel.readPage(update, sourcePage, tile);
            kernel.readBarrier();
          },
          [&] {
            kernel.readPage(in, page, tile);
            readSources(kernel, sourcePage, rows, columns);
            kernel.readBarrier();
            isNarrow ? copyElements(kernel, rows, columns)
                     : copyRows(kernel, rows);
          });
      kernel.writePage(out, page, tile);
      kernel.writeBarrier();
    }

    /// Tiles of the update in which the parts begin, and their neighbours.
    void readSources(KernelBuilder &kernel, I32 page, const Span &rows,
                     const Span &columns) {
      I32 below = sources + countSourceColumns() * tileBytes;
      kernel.readPage(update, page, sources);
      kernel.ifThen(rows.isInTwo(), [&] {
        kernel.readPage(update, page + from.columns, below);
      });
      if (!isNarrow)
        return;
      kernel.ifThen(columns.isInTwo(), [&] {
        kernel.readPage(update, page + 1, sources + tileBytes);
        kernel.ifThen(rows.isInTwo(), [&] {
          kernel.readPage(update, page + from.columns + 1, below + tileBytes);
        });
      });
    }
    int64_t countSourceColumns() const { return isNarrow ? 2 : 1; }

    void copyRows(KernelBuilder &kernel, const Span &rows) {
      TileRows copier(cast<TileType>(out.getLayout().getElementType()));
      kernel.forRange(rows.count(), [&](I32 i) {
        I32 at = rows.source % kTile + i;
        copier.copy(kernel, sources + at / kTile * tileBytes, at % kTile, tile,
                    rows.target + i);
      });
    }

    void copyElements(KernelBuilder &kernel, const Span &rows,
                      const Span &columns) {
      int64_t bytes = out.getPageBytes() / (kTile * kTile);
      kernel.forRange(rows.count(), [&](I32 i) {
        I32 y = rows.source % kTile + i;
        I32 source = sources + y / kTile * (countSourceColumns() * tileBytes);
        kernel.forRange(columns.count(), [&](I32 j) {
          I32 x = columns.source % kTile + j;
          I32 from = elementOf(source + x / kTile * tileBytes, y % kTile,
                               x % kTile, bytes);
          storeToL1(kernel, loadFromL1(kernel, from, bytes),
                    elementOf(tile, rows.target + i, columns.target + j, bytes),
                    bytes);
        });
      });
    }

  public:
    ttir::UpdateSliceOp op;
    bool isInPlace;
    /// The update has a part of each row that it changes.
    bool isNarrow = false;
    Tensor in, update;
    std::optional<Tensor> index;
    Tensor out;
    int64_t listBytes = 0, tileBytes = 0;

  private:
    TileGrid grid, from;
    /// Dimensions in front of a matrix.
    size_t inner = 0;
    /// Matrices from one place of each to the next.
    SmallVector<int64_t> strides, fromStrides;
    SmallVector<I32> starts;
    /// Addresses of a tile of the result and of those of the update.
    I32 tile = 0, sources = 0;
  };
};

} // namespace

void tt::populateTTIRToTTMetalUpdatePatterns(RewritePatternSet &patterns,
                                             Lowering &lowering) {
  patterns.add<UpdateSlicePattern>(patterns.getContext(), lowering);
}
