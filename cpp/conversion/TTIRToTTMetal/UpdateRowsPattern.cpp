//===- UpdateRowsPattern.cpp - rows of tiles that others replace ----------===//

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

/// A core has some tiles of the result. In place these are tiles with rows of
/// the update only, else all of them, which it copies.
struct UpdateRowsPattern : public KernelPattern<ttir::UpdateRowsOp> {
  using KernelPattern::KernelPattern;

  LogicalResult lower(ttir::UpdateRowsOp op,
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
    const int64_t bytes = update.listBytes + 3 * update.tileBytes;
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
    Update(ttir::UpdateRowsOp op, DispatchBuilder &dispatch,
           const Lowering &lowering)
        : op(op), isInPlace(op.getInput() == op.getOutput()),
          in(dispatch.input(op.getInput())),
          update(dispatch.input(op.getUpdate())) {
      if (op.getIndex())
        index = dispatch.input(op.getIndex());
      out = dispatch.output(op.getOutput());
      grid = out.getTileGrid();
      from = update.getTileGrid();
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

    /// Rows of tiles with rows of the update in each matrix, at most.
    int64_t countTileRows() {
      bool isKnown = !llvm::is_contained(op.getDims(), inner);
      int64_t last = out.getShape()[inner] - from.height;
      int64_t offset =
          isKnown ? std::clamp<int64_t>(op.getStarts()[inner], 0, last) % kTile
                  : kTile - 1;
      return std::min<int64_t>(grid.rows,
                               llvm::divideCeil(offset + from.height, kTile));
    }

    int64_t countUnits() {
      return isInPlace ? from.batches * countTileRows() * grid.columns
                       : grid.volume();
    }

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

    /// In place: a tile with rows of the update.
    void writeTile(KernelBuilder &kernel, I32 unit) {
      int64_t tileRows = countTileRows();
      I32 column = unit % grid.columns;
      I32 batch = unit / (grid.columns * tileRows);
      I32 row = starts[inner] / kTile + unit / grid.columns % tileRows;
      I32 target = 0;
      for (size_t dim = 0; dim < inner; ++dim)
        target = target +
                 (starts[dim] + coordinate(batch, fromStrides, update, dim)) *
                     strides[dim];
      kernel.ifThen(row * kTile < starts[inner] + from.height, [&] {
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

    /// Writes a tile of the result: its rows of the update, which come from one
    /// or two tiles, and the others of the input.
    void changeTile(KernelBuilder &kernel, I32 page, I32 batch, I32 row,
                    I32 column) {
      I32 first = max(starts[inner], row * kTile);
      I32 end = min(starts[inner] + from.height, row * kTile + kTile);
      I32 source = first - starts[inner];
      I32 sourceRow = source / kTile;
      I32 sourcePage = from.page(batch, sourceRow, column);
      Condition isWhole = end - first == kTile && source % kTile == 0;
      kernel.ifThen(
          isWhole,
          [&] {
            kernel.readPage(update, sourcePage, tile);
            kernel.readBarrier();
          },
          [&] {
            kernel.readPage(in, page, tile);
            kernel.readPage(update, sourcePage, sources);
            kernel.ifThen(sourceRow * kTile + kTile < source + (end - first),
                          [&] {
                            kernel.readPage(update, sourcePage + grid.columns,
                                            sources + tileBytes);
                          });
            kernel.readBarrier();
            TileRows rows(cast<TileType>(out.getLayout().getElementType()));
            kernel.forRange(end - first, [&](I32 i) {
              I32 at = source % kTile + i;
              rows.copy(kernel, sources + at / kTile * tileBytes, at % kTile,
                        tile, first - row * kTile + i);
            });
          });
      kernel.writePage(out, page, tile);
      kernel.writeBarrier();
    }

  public:
    ttir::UpdateRowsOp op;
    bool isInPlace;
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
    /// Addresses of a tile of the result and of two of the update.
    I32 tile = 0, sources = 0;
  };
};

} // namespace

void tt::populateTTIRToTTMetalUpdatePatterns(RewritePatternSet &patterns,
                                             Lowering &lowering) {
  patterns.add<UpdateRowsPattern>(patterns.getContext(), lowering);
}
