//===- RowMover.cpp - results made of pieces of rows ----------------------===//

#include "conversion/TTIRToTTMetal/RowMover.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

namespace {

/// Elements of a column that are fetched together.
constexpr int64_t kGathered = 32;
/// Bytes of short runs that are fetched together.
constexpr int64_t kRunsBytes = 4096;

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
  APSInt integer(type.getIntOrFloatBitWidth(),
                 /*isUnsigned=*/!type.isSignedInteger() && !value.isNegative());
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

int64_t RowMover::runSlot(const Piece &piece) const {
  return llvm::alignTo(std::min(piece.count, window) * elementBytes(), align) +
         align;
}

int64_t RowMover::runsTogether(const Piece &piece) const {
  if (piece.repeats || piece.rowStep || piece.columnStep != 1)
    return 1;
  return std::clamp<int64_t>(kRunsBytes / runSlot(piece), 1,
                             std::min(piece.parts, kGathered));
}

/// Bytes in L1 after a window, for runs that cannot be read to their place.
int64_t RowMover::scratchBytes() const {
  int64_t bytes = 0;
  for (const Piece &piece : pieces) {
    int64_t count = std::min(piece.count, window);
    int64_t span = ((count - 1) * piece.columnStep + 1) * elementBytes();
    if (piece.rowStep)
      span = kGathered * align;
    bytes = std::max(
        {bytes, span + align,
         runsTogether(piece) > 1 ? runsTogether(piece) * runSlot(piece) : 0});
  }
  return llvm::alignTo(bytes, align);
}

/// Bytes in L1 of a window and the scratch memory after it.
int64_t RowMover::bufferBytes() const {
  return llvm::alignTo(window * elementBytes(), align) + scratchBytes();
}

int64_t RowMover::windows() const {
  return llvm::divideCeil(out.getShape().back(), window);
}

/// A row if it fits into L1; else the most columns that fit twice. Windows
/// begin at addresses that are aligned for transfers.
LogicalResult RowMover::chooseWindow() {
  int64_t columns = out.getShape().back(), free = dispatch.getFreeL1();
  window = columns;
  if (bufferBytes() <= free)
    return success();
  int64_t unit = align / elementBytes();
  auto hasRoom = [&](int64_t units) {
    window = units * unit;
    return 2 * bufferBytes() <= free;
  };
  if (!hasRoom(1))
    return op->emitOpError("needs ")
           << 2 * bufferBytes() << " bytes of circular buffers in L1, found "
           << free << " bytes behind the tensors in L1";
  int64_t most = 1, tooMany = llvm::divideCeil(columns, unit);
  while (most + 1 < tooMany) {
    int64_t middle = (most + tooMany) / 2;
    (hasRoom(middle) ? most : tooMany) = middle;
  }
  window = most * unit;
  return success();
}

Condition RowMover::isThere(const Piece &piece, I32 row) const {
  return piece.isThere ? piece.isThere(row) : Condition(true);
}

I32 RowMover::fetch(KernelBuilder &kernel, const Piece &piece, RowPlace place,
                    I32 bytes, I32 scratch) {
  I32 begin = place.column * elementBytes();
  I32 fetched = scratch + begin % align;
  kernel.readBytes(piece.source, place.row, begin, fetched, bytes);
  kernel.readBarrier();
  return fetched;
}

void RowMover::readRun(KernelBuilder &kernel, const Piece &piece,
                       RowPlace place, I32 count, I32 target, I32 scratch) {
  int64_t size = elementBytes();
  I32 span = (count - 1) * piece.columnStep + 1;
  I32 fetched = fetch(kernel, piece, place, span * size, scratch);
  if (piece.columnStep == 1) {
    kernel.call("tt_memmove", {target, fetched, count * size});
    return;
  }
  kernel.forRange(count, [&](I32 i) {
    kernel.call("tt_memmove", {target + i * size,
                               fetched + i * (piece.columnStep * size), size});
  });
}

void RowMover::readRuns(KernelBuilder &kernel, const Piece &piece, I32 row,
                        I32 target, I32 scratch) {
  int64_t size = elementBytes(), bytes = piece.count * size,
          slot = runSlot(piece);
  kernel.forChunks(
      piece.parts, runsTogether(piece), [&](I32 first, I32 together) {
        // Calls `body` with the place of each run and its address in L1.
        auto forRuns = [&](function_ref<void(I32, RowPlace, I32)> body) {
          kernel.forRange(together, [&](I32 i) {
            RowPlace place = piece.place(kernel, row, first + i, scratch);
            body(first + i, place,
                 scratch + i * slot + place.column * size % align);
          });
        };
        forRuns([&](I32, RowPlace place, I32 fetched) {
          kernel.readBytes(piece.source, place.row, place.column * size,
                           fetched, bytes);
        });
        kernel.readBarrier();
        forRuns([&](I32 part, RowPlace, I32 fetched) {
          kernel.call("tt_memmove", {target + part * bytes, fetched, bytes});
        });
      });
}

void RowMover::repeatElement(KernelBuilder &kernel, const Piece &piece,
                             RowPlace place, I32 count, I32 target,
                             I32 scratch) {
  int64_t size = elementBytes();
  I32 fetched = fetch(kernel, piece, place, size, scratch);
  I32 element =
      kernel.callI32("load_from_l1", {fetched}, bytesAttr(kernel, size));
  kernel.call("fill_with_val", {target, count, element},
              bytesAttr(kernel, size));
}

void RowMover::repeatRun(KernelBuilder &kernel, const Piece &piece,
                         RowPlace place, I32 target, I32 scratch) {
  if (piece.count == 1)
    return repeatElement(kernel, piece, place, piece.parts, target, scratch);
  int64_t size = elementBytes();
  I32 fetched = fetch(kernel, piece, place, piece.count * size, scratch);
  kernel.forRange(piece.parts, [&](I32 part) {
    kernel.call("tt_memmove", {target + part * (piece.count * size), fetched,
                               piece.count * size});
  });
}

void RowMover::gatherColumn(KernelBuilder &kernel, const Piece &piece,
                            RowPlace place, I32 count, I32 target,
                            I32 scratch) {
  int64_t size = elementBytes();
  I32 begin = place.column * size;
  I32 fetched = scratch + begin % align;
  kernel.forChunks(count, kGathered, [&](I32 first, I32 gathered) {
    kernel.forRange(gathered, [&](I32 i) {
      kernel.readBytes(piece.source, place.row + (first + i) * piece.rowStep,
                       begin, fetched + i * align, size);
    });
    kernel.readBarrier();
    kernel.forRange(gathered, [&](I32 i) {
      kernel.call("tt_memmove",
                  {target + (first + i) * size, fetched + i * align, size});
    });
  });
}

bool RowMover::isInPlace(const Piece &piece, std::optional<I32> column) const {
  auto isAligned = [&](int64_t elements) {
    return elements * elementBytes() % align == 0;
  };
  if (piece.rowStep != 0 || (piece.columnStep != 1 && piece.count != 1) ||
      (piece.parts > 1 && !isAligned(piece.count)))
    return false;
  if (column && column->isConstant())
    return isAligned(column->getConstant() - piece.first);
  return isAligned(piece.columnUnit) && isAligned(piece.first);
}

bool RowMover::readPiece(KernelBuilder &kernel, const Piece &piece, I32 row,
                         I32 address) {
  int64_t size = elementBytes();
  I32 scratch = address + llvm::alignTo(out.getPageBytes(), align);
  bool isPending = false;
  auto readParts = [&](I32 part) {
    I32 target = address + piece.first * size + part * (piece.count * size);
    RowPlace place = piece.place(kernel, row, part, scratch);
    if (piece.repeats && piece.parts > 1) {
      repeatRun(kernel, piece, place, target, scratch);
    } else if (isInPlace(piece, place.column)) {
      kernel.readBytes(piece.source, place.row, place.column * size, target,
                       piece.count * size);
      isPending = true;
    } else if (piece.rowStep) {
      gatherColumn(kernel, piece, place, piece.count, target, scratch);
    } else {
      readRun(kernel, piece, place, piece.count, target, scratch);
    }
  };
  kernel.ifThen(isThere(piece, row), [&] {
    if (piece.repeats)
      readParts(0);
    else if (runsTogether(piece) > 1 && !isInPlace(piece, {}))
      readRuns(kernel, piece, row, address + piece.first * size, scratch);
    else
      kernel.forRange(piece.parts, readParts);
  });
  return isPending;
}

void RowMover::readPiece(KernelBuilder &kernel, const Piece &piece, Window part,
                         I32 address) {
  int64_t size = elementBytes(), count = piece.count;
  I32 scratch = address + llvm::alignTo(window * size, align);
  // Elements of the piece, of which the window has those of [from, to).
  I32 begin = max(part.begin, piece.first);
  I32 end = min(part.begin + part.count, piece.first + count * piece.parts);
  I32 from = begin - piece.first, to = end - piece.first;
  I32 target = address + (begin - part.begin) * size;
  auto readElements = [&] {
    if (piece.repeats && count == 1)
      return repeatElement(kernel, piece,
                           piece.place(kernel, part.row, 0, scratch), to - from,
                           target, scratch);
    bool isOne = piece.parts == 1;
    I32 firstRun = isOne ? I32(0) : from / count;
    I32 endRun = isOne ? I32(1) : (to + (count - 1)) / count;
    kernel.forRange(firstRun, endRun, 1, [&](I32 run) {
      I32 runFrom = max(from, run * count);
      I32 skipped = runFrom - run * count;
      I32 length = min(to, run * count + count) - runFrom;
      RowPlace place =
          piece.place(kernel, part.row, piece.repeats ? I32(0) : run, scratch);
      place.row = place.row + skipped * piece.rowStep;
      place.column = place.column + skipped * piece.columnStep;
      I32 there = target + (runFrom - from) * size;
      if (piece.rowStep)
        gatherColumn(kernel, piece, place, length, there, scratch);
      else
        readRun(kernel, piece, place, length, there, scratch);
    });
  };
  kernel.ifThen(isThere(piece, part.row) && begin < end, readElements);
}

void RowMover::forWindows(KernelBuilder &kernel,
                          function_ref<void(Window)> body) {
  int64_t columns = out.getShape().back(), each = windows();
  Share share = kernel.share(outRows() * each, dispatch.getCores().volume());
  kernel.forRange(share.count, [&](I32 i) {
    I32 unit = share.first + i;
    I32 begin = unit % each * window;
    I32 count = each == 1 ? I32(columns) : min(columns - begin, window);
    body({unit / each, begin, count});
  });
}

void RowMover::read(KernelBuilder &kernel) {
  forWindows(kernel, [&](Window part) {
    kernel.reserve(rows);
    I32 address = kernel.writePointer(rows);
    if (fill)
      kernel.call("fill_with_val", {address, part.count, int64_t(*fill)},
                  bytesAttr(kernel, elementBytes()));
    bool isPending = false;
    for (const Piece &piece : pieces) {
      if (windows() == 1)
        isPending |= readPiece(kernel, piece, part.row, address);
      else
        readPiece(kernel, piece, part, address);
    }
    if (isPending)
      kernel.readBarrier();
    kernel.push(rows);
  });
}

void RowMover::write(KernelBuilder &kernel) {
  int64_t size = elementBytes();
  forWindows(kernel, [&](Window part) {
    kernel.wait(rows);
    I32 address = kernel.readPointer(rows);
    if (windows() == 1)
      kernel.writePage(out, part.row, address);
    else
      kernel.writeBytes(out, part.row, part.begin * size, address,
                        part.count * size);
    kernel.writeBarrier();
    kernel.pop(rows);
  });
}

LogicalResult RowMover::build() {
  if (failed(check(out)))
    return failure();
  for (const Piece &piece : pieces)
    if (failed(check(piece.source)))
      return failure();
  if (failed(chooseWindow()))
    return failure();
  // Rows that fill more than half of L1 are made and written in turns.
  int64_t page = bufferBytes();
  int64_t numBuffers = 2 * page <= dispatch.getFreeL1() ? 2 : 1;
  rows = dispatch.addScalars(ttkernel::CBPort::Out0,
                             out.getType().getElementType(),
                             {1, page / elementBytes()}, page, numBuffers);
  dispatch.setCores(dispatch.coresFor(outRows() * windows()));
  dispatch.reader([&](KernelBuilder &kernel) { read(kernel); });
  dispatch.writer([&](KernelBuilder &kernel) { write(kernel); });
  return dispatch.build();
}
