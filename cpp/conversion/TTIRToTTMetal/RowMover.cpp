//===- RowMover.cpp - results made of pieces of rows ----------------------===//

#include "conversion/TTIRToTTMetal/RowMover.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

namespace {

/// Elements of a column that are fetched together.
constexpr int64_t kGathered = 32;

NamedAttribute bytesAttr(KernelBuilder &kernel, int64_t bytes) {
  return kernel.getBuilder().getNamedAttr(
      "bytes", kernel.getBuilder().getI32IntegerAttr(bytes));
}

} // namespace

void RowMover::fillWith(APFloat value) {
  Type type = out.getType().getElementType();
  if (auto floatType = dyn_cast<FloatType>(type)) {
    bool losesInfo;
    value.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    fill = value.bitcastToAPInt().getZExtValue();
    return;
  }
  APSInt integer(type.getIntOrFloatBitWidth(), /*isUnsigned=*/false);
  bool isExact;
  value.convertToInteger(integer, APFloat::rmTowardZero, &isExact);
  fill = integer.getZExtValue();
}

int64_t RowMover::elementBytes() const {
  return llvm::divideCeil(
      out.getType().getElementType().getIntOrFloatBitWidth(), 8);
}

int64_t RowMover::outRows() const { return volume(out.getShape().drop_back()); }

LogicalResult RowMover::check(const Tensor &tensor) const {
  if (tensor.isTiled())
    return op->emitOpError("has kernels for row-major tensors, found ")
           << tensor.getType();
  ArrayRef<int64_t> shape = tensor.getShape();
  if (tensor.getNumPages() == volume(shape.drop_back()) &&
      tensor.getPageBytes() ==
          static_cast<uint64_t>(shape.back()) * elementBytes())
    return success();
  return op->emitOpError("has kernels for tensors with a page for each row, "
                         "found ")
         << tensor.getType();
}

/// Bytes in L1 behind a row, where runs come to that cannot be read in place.
int64_t RowMover::scratchBytes() const {
  int64_t bytes = 0;
  for (const Piece &piece : pieces) {
    int64_t span = ((piece.count - 1) * piece.columnStep + 1) * elementBytes();
    if (piece.rowStep)
      span = kGathered * align;
    bytes = std::max(bytes, span + align);
  }
  return llvm::alignTo(bytes, align);
}

void RowMover::readRun(KernelBuilder &kernel, const Piece &piece,
                       RowPlace place, I32 target, I32 scratch) {
  int64_t size = elementBytes();
  I32 begin = place.column * size;
  I32 fetched = scratch + begin % align;
  int64_t span = (piece.count - 1) * piece.columnStep + 1;
  kernel.readBytes(piece.source, place.row, begin, fetched, span * size);
  kernel.readBarrier();
  if (piece.columnStep == 1) {
    kernel.call("tt_memmove", {target, fetched, piece.count * size});
    return;
  }
  kernel.forRange(piece.count, [&](I32 i) {
    kernel.call("tt_memmove", {target + i * size,
                               fetched + i * (piece.columnStep * size), size});
  });
}

void RowMover::repeatRun(KernelBuilder &kernel, const Piece &piece,
                         RowPlace place, I32 target, I32 scratch) {
  int64_t size = elementBytes();
  I32 begin = place.column * size;
  I32 fetched = scratch + begin % align;
  kernel.readBytes(piece.source, place.row, begin, fetched, piece.count * size);
  kernel.readBarrier();
  if (piece.count == 1) {
    I32 element =
        kernel.callI32("load_from_l1", {fetched}, bytesAttr(kernel, size));
    kernel.call("fill_with_val", {target, piece.parts, element},
                bytesAttr(kernel, size));
    return;
  }
  kernel.forRange(piece.parts, [&](I32 part) {
    kernel.call("tt_memmove", {target + part * (piece.count * size), fetched,
                               piece.count * size});
  });
}

void RowMover::gatherColumn(KernelBuilder &kernel, const Piece &piece,
                            RowPlace place, I32 target, I32 scratch) {
  int64_t size = elementBytes();
  I32 begin = place.column * size;
  I32 fetched = scratch + begin % align;
  kernel.forChunks(piece.count, kGathered, [&](I32 first, I32 count) {
    kernel.forRange(count, [&](I32 i) {
      kernel.readBytes(piece.source, place.row + (first + i) * piece.rowStep,
                       begin, fetched + i * align, size);
    });
    kernel.readBarrier();
    kernel.forRange(count, [&](I32 i) {
      kernel.call("tt_memmove",
                  {target + (first + i) * size, fetched + i * align, size});
    });
  });
}

bool RowMover::readPiece(KernelBuilder &kernel, const Piece &piece, I32 row,
                         I32 address) {
  int64_t size = elementBytes();
  I32 scratch = address + llvm::alignTo(out.getPageBytes(), align);
  bool isPending = false;
  auto readParts = [&](I32 part) {
    I32 target = address + piece.first * size + part * (piece.count * size);
    RowPlace place = piece.place(kernel, row, part, scratch);
    bool inPlace =
        piece.rowStep == 0 && (piece.columnStep == 1 || piece.count == 1) &&
        place.column.isConstant() &&
        (part.isConstant() || piece.count * size % align == 0) &&
        (place.column.getConstant() - piece.first) * size % align == 0;
    if (piece.repeats && piece.parts > 1) {
      repeatRun(kernel, piece, place, target, scratch);
    } else if (inPlace) {
      kernel.readBytes(piece.source, place.row, place.column * size, target,
                       piece.count * size);
      isPending = true;
    } else if (piece.rowStep) {
      gatherColumn(kernel, piece, place, target, scratch);
    } else {
      readRun(kernel, piece, place, target, scratch);
    }
  };
  auto readAll = [&] {
    if (piece.repeats)
      readParts(0);
    else
      kernel.forRange(piece.parts, readParts);
  };
  if (piece.isThere)
    kernel.ifThen(piece.isThere(row), readAll);
  else
    readAll();
  return isPending;
}

void RowMover::read(KernelBuilder &kernel) {
  Share share = kernel.share(outRows(), dispatch.getCores().volume());
  kernel.forRange(share.count, [&](I32 i) {
    I32 row = share.first + i;
    kernel.reserve(rows);
    I32 address = kernel.writePointer(rows);
    if (fill)
      kernel.call("fill_with_val",
                  {address, out.getShape().back(), int64_t(*fill)},
                  bytesAttr(kernel, elementBytes()));
    bool isPending = false;
    for (const Piece &piece : pieces)
      isPending |= readPiece(kernel, piece, row, address);
    if (isPending)
      kernel.readBarrier();
    kernel.push(rows);
  });
}

LogicalResult RowMover::build() {
  if (failed(check(out)))
    return failure();
  for (const Piece &piece : pieces)
    if (failed(check(piece.source)))
      return failure();
  int64_t page = llvm::alignTo(out.getPageBytes(), align) + scratchBytes();
  // Rows that fill more than half of L1 are made and written in turns.
  int64_t numBuffers = 2 * page <= dispatch.getFreeL1() ? 2 : 1;
  rows = dispatch.addScalars(ttkernel::CBPort::Out0,
                             out.getType().getElementType(),
                             {1, page / elementBytes()}, page, numBuffers);
  dispatch.setCores(dispatch.coresFor(outRows()));
  dispatch.reader([&](KernelBuilder &kernel) { read(kernel); });
  dispatch.writer([&](KernelBuilder &kernel) {
    Share share = kernel.share(outRows(), dispatch.getCores().volume());
    kernel.forRange(share.count, [&](I32 i) {
      kernel.wait(rows);
      kernel.writePage(out, share.first + i, kernel.readPointer(rows));
      kernel.writeBarrier();
      kernel.pop(rows);
    });
  });
  return dispatch.build();
}
