//===- IndexingPatterns.cpp - orders, scatters and lists of indices -----===//
//---------===//

#include "conversion/TTIRToTTMetal/MemoryKernels.h"
#include "dialects/TT/Bounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

namespace {

/// The number of indices that are read at once.
constexpr int64_t kIndices = 1024;
constexpr int64_t kAllBits = 0xFFFFFFFF;

template <typename OpT>
I32 bitwise(KernelBuilder &kernel, const I32 &lhs, const I32 &rhs) {
  return I32(kernel, OpT::create(kernel.getBuilder(), kernel.getLoc(),
                                 lhs.get(kernel), rhs.get(kernel)));
}

void fillWords(KernelBuilder &kernel, I32 address, I32 count, int64_t value) {
  OpBuilder &builder = kernel.getBuilder();
  kernel.call("fill_with_val", {address, count, value},
              builder.getNamedAttr("bytes", builder.getI32IntegerAttr(kWord)));
}

LogicalResult checkRows(Operation *op, const Tensor &tensor) {
  ArrayRef<int64_t> shape = tensor.getShape();
  int64_t bytes = llvm::divideCeil(
      tensor.getType().getElementType().getIntOrFloatBitWidth(), 8);
  if (!tensor.isTiled() && tensor.getNumPages() == volume(shape.drop_back()) &&
      tensor.getPageBytes() == static_cast<uint64_t>(shape.back() * bytes))
    return success();
  return op->emitOpError("has kernels for row-major tensors with a page for "
                         "each row, found ")
         << tensor.getType();
}

LogicalResult checkWords(Operation *op, const Tensor &tensor) {
  if (tensor.getType().getElementTypeBitWidth() == 8 * kWord)
    return checkRows(op, tensor);
  return op->emitOpError("has kernels for elements of 32 bits, found ")
         << tensor.getType();
}

/// Base for ops with one input and one output of 32-bit elements.
template <typename OpT> struct WordsPattern : public KernelPattern<OpT> {
  using KernelPattern<OpT>::KernelPattern;

  LogicalResult lower(OpT op, ConversionPatternRewriter &rewriter) const final {
    DispatchBuilder dispatch(rewriter, op, this->lowering);
    Tensor in = dispatch.input(op.getInput());
    Tensor out = dispatch.output(op.getOutput());
    if (failed(checkWords(op, in)) || failed(checkWords(op, out)))
      return failure();
    return lowerWords(op, dispatch, in, out);
  }

protected:
  virtual LogicalResult lowerWords(OpT op, DispatchBuilder &dispatch,
                                   const Tensor &in,
                                   const Tensor &out) const = 0;
};

//===----------------------------------------------------------------------===//
// argsort
//===----------------------------------------------------------------------===//

/// A radix sort: a core sorts rows in its L1, digit by digit from the lowest
/// on. It counts each digit, and moves keys and positions to the position after
/// all smaller digits. Equal keys stay in order.
struct ArgSortPattern : public WordsPattern<ttir::ArgSortOp> {
  using WordsPattern::WordsPattern;

  LogicalResult lowerWords(ttir::ArgSortOp op, DispatchBuilder &dispatch,
                           const Tensor &in, const Tensor &out) const final {
    if (static_cast<int64_t>(op.getDim()) + 1 != in.getType().getRank())
      return op.emitOpError("has a kernel for the innermost dimension, found ")
             << op.getDim();
    const int64_t align = lowering.systemDesc.getAddressAlignBytes();
    const int64_t n = in.getShape().back();
    const int64_t digits = n < 256 ? 4 : 8, values = int64_t(1) << digits;
    // Keys and positions, before and after a digit, and a count for each digit.
    const int64_t list = llvm::alignTo(n * kWord, align);
    const int64_t counts = llvm::alignTo(values * kWord, align);
    const int64_t free = dispatch.getFreeL1();
    if (4 * list + counts > free)
      return op.emitOpError("has a kernel for at most ")
             << static_cast<int64_t>(llvm::alignDown(
                    std::max<int64_t>(0, free - counts) / 4, align)) /
                    kWord
             << " elements in a row, which it sorts in L1: found " << n;
    const int64_t rows = volume(in.getShape().drop_back());
    Type type = in.getType().getElementType();
    const bool isFloat = isa<FloatType>(type);
    const bool isSigned = type.isSignedInteger();
    auto sortRows = [&](KernelBuilder &kernel, I32 keys) {
      I32 places = keys + list;
      I32 nextKeys = keys + 2 * list, nextPlaces = keys + 3 * list;
      I32 counters = keys + 4 * list;
      Share share = kernel.share(rows, dispatch.getCores().volume());
      kernel.forRange(share.count, [&](I32 i) {
        I32 row = share.first + i;
        kernel.readPage(in, row, keys);
        kernel.readBarrier();
        kernel.forRange(n, [&](I32 k) {
          I32 at = keys + k * kWord;
          I32 key =
              orderedKey(kernel, loadFromL1(kernel, at), isFloat, isSigned);
          if (op.getDescending())
            key = bitwise<arith::XOrIOp>(kernel, key, kAllBits);
          storeToL1(kernel, key, at);
          storeToL1(kernel, k, places + k * kWord);
        });
        for (int64_t shift = 0; shift < 8 * kWord; shift += digits) {
          bool isEven = shift / digits % 2 == 0;
          sortByDigit(kernel, n, shift, values, counters,
                      isEven ? keys : nextKeys, isEven ? places : nextPlaces,
                      isEven ? nextKeys : keys, isEven ? nextPlaces : places);
        }
        // There is an even number of digits.
        kernel.writePage(out, row, places);
        kernel.writeBarrier();
      });
    };
    return buildInMemory(dispatch, 4 * list + counts, rows, sortRows);
  }

private:
  /// An unsigned number with the same order as the element; both zeros are
  /// equal, and NaNs are the greatest.
  static I32 orderedKey(KernelBuilder &kernel, I32 bits, bool isFloat,
                        bool isSigned) {
    constexpr int64_t kSign = 0x80000000, kInfinity = 0x7F800000;
    if (!isFloat)
      return isSigned ? bitwise<arith::XOrIOp>(kernel, bits, kSign) : bits;
    I32 size = bitwise<arith::AndIOp>(kernel, bits, kSign - 1);
    I32 inverted = bitwise<arith::XOrIOp>(kernel, bits, kAllBits);
    I32 raised = bitwise<arith::OrIOp>(kernel, bits, kSign);
    I32 key = select(bits < kSign, raised, inverted);
    key = select(size == 0, I32(kSign), key);
    return select(I32(kInfinity) < size, I32(kAllBits), key);
  }

  static void sortByDigit(KernelBuilder &kernel, int64_t n, int64_t shift,
                          int64_t values, I32 counters, I32 keys, I32 places,
                          I32 nextKeys, I32 nextPlaces) {
    auto counterOf = [&](I32 key) {
      I32 moved =
          shift == 0 ? key : bitwise<arith::ShRUIOp>(kernel, key, I32(shift));
      I32 digit = bitwise<arith::AndIOp>(kernel, moved, I32(values - 1));
      return counters + digit * kWord;
    };
    fillWords(kernel, counters, values, 0);
    kernel.forRange(n, [&](I32 k) {
      I32 counter = counterOf(loadFromL1(kernel, keys + k * kWord));
      storeToL1(kernel, loadFromL1(kernel, counter) + 1, counter);
    });
    // The end of the elements of each digit: an inclusive prefix sum.
    kernel.forRange(1, I32(values), 1, [&](I32 digit) {
      I32 counter = counters + digit * kWord;
      storeToL1(kernel,
                loadFromL1(kernel, counter) +
                    loadFromL1(kernel, counter - kWord),
                counter);
    });
    // Backwards, so that equal digits stay in order.
    kernel.forRange(n, [&](I32 k) {
      I32 from = (I32(n - 1) - k) * kWord;
      I32 key = loadFromL1(kernel, keys + from);
      I32 counter = counterOf(key);
      I32 place = loadFromL1(kernel, counter) - 1;
      storeToL1(kernel, place, counter);
      storeToL1(kernel, key, nextKeys + place * kWord);
      storeToL1(kernel, loadFromL1(kernel, places + from),
                nextPlaces + place * kWord);
    });
  }
};

//===----------------------------------------------------------------------===//
// scatter_rows
//===----------------------------------------------------------------------===//

/// Each core has some rows of the result. It copies them from the input,
/// iterates over all indices in order, and copies the updates of its own rows.
struct ScatterRowsPattern : public KernelPattern<ttir::ScatterRowsOp> {
  using KernelPattern::KernelPattern;

  LogicalResult lower(ttir::ScatterRowsOp op,
                      ConversionPatternRewriter &rewriter) const final {
    DispatchBuilder dispatch(rewriter, op, lowering);
    Tensor in = dispatch.input(op.getInput());
    Tensor indices = dispatch.input(op.getIndices());
    Tensor updates = dispatch.input(op.getUpdates());
    Tensor out = dispatch.output(op.getOutput());
    if (failed(checkRows(op, in)) || failed(checkWords(op, indices)) ||
        failed(checkRows(op, updates)) || failed(checkRows(op, out)))
      return failure();
    if (op.getReduceType() != ReduceType::Invalid)
      return op.emitOpError("has a kernel for the reduce type invalid, found ")
             << stringifyEnum(op.getReduceType());
    const int64_t align = lowering.systemDesc.getAddressAlignBytes();
    const int64_t rowBytes = out.getPageBytes();
    const int64_t free = dispatch.getFreeL1();
    // Rows pass through L1 in parts that fit.
    const int64_t part = std::min<int64_t>(
        llvm::alignTo(rowBytes, align),
        llvm::alignDown(std::max<int64_t>(free - kIndices * kWord, align),
                        align));
    const int64_t rows = in.getShape()[0], count = indices.getShape().back();
    auto scatter = [&](KernelBuilder &kernel, I32 list) {
      I32 row = list + kIndices * kWord;
      auto copyRow = [&](const Tensor &from, I32 source, I32 target) {
        kernel.forChunks(rowBytes, part, [&](I32 offset, I32 bytes) {
          kernel.readBytes(from, source, offset, row, bytes);
          kernel.readBarrier();
          kernel.writeBytes(out, target, offset, row, bytes);
          kernel.writeBarrier();
        });
      };
      Share share = kernel.share(rows, dispatch.getCores().volume());
      kernel.forRange(share.count, [&](I32 i) {
        copyRow(in, share.first + i, share.first + i);
      });
      kernel.forChunks(count, kIndices, [&](I32 first, I32 each) {
        kernel.readBytes(indices, 0, first * kWord, list, each * kWord);
        kernel.readBarrier();
        kernel.forRange(each, [&](I32 i) {
          I32 index = loadFromL1(kernel, list + i * kWord);
          kernel.ifThen(index - share.first < share.count,
                        [&] { copyRow(updates, first + i, index); });
        });
      });
    };
    return buildInMemory(dispatch, kIndices * kWord + part, rows, scatter);
  }
};

//===----------------------------------------------------------------------===//
// previous_equal
//===----------------------------------------------------------------------===//

/// One core iterates over the list with a table in L1 of the last position of
/// each number. If the table does not fit, it iterates several times, for a
/// part of the numbers each.
struct PreviousEqualPattern : public WordsPattern<ttir::PreviousEqualOp> {
  using WordsPattern::WordsPattern;

  LogicalResult lowerWords(ttir::PreviousEqualOp op, DispatchBuilder &dispatch,
                           const Tensor &in, const Tensor &out) const final {
    const int64_t align = lowering.systemDesc.getAddressAlignBytes();
    const int64_t lists = 2 * kIndices * kWord;
    const int64_t limit = op.getLimit(), count = in.getShape().back();
    if (limit > kMaxExtent)
      return op.emitOpError("has a kernel for a limit of at most ")
             << kMaxExtent << ", found " << limit;
    const int64_t room =
        llvm::alignDown(dispatch.getFreeL1() - lists, align) / kWord;
    const int64_t numbers = std::min<int64_t>(limit, room);
    if (numbers <= 0)
      return op.emitOpError("needs more than ")
             << lists << " bytes of L1, found " << dispatch.getFreeL1();
    auto walkAll = [&](KernelBuilder &kernel, I32 list) {
      I32 places = list + kIndices * kWord, table = list + lists;
      auto walk = [&](I32 begin, bool isFirst) {
        fillWords(kernel, table, numbers, kAllBits);
        kernel.forChunks(count, kIndices, [&](I32 first, I32 each) {
          kernel.readBytes(in, 0, first * kWord, list, each * kWord);
          if (!isFirst)
            kernel.readBytes(out, 0, first * kWord, places, each * kWord);
          kernel.readBarrier();
          kernel.forRange(each, [&](I32 i) {
            I32 place = first + i;
            if (isFirst)
              storeToL1(kernel, place, places + i * kWord);
            I32 number = loadFromL1(kernel, list + i * kWord) - begin;
            Condition isMine = number < numbers;
            // The last part of the numbers may be a smaller one.
            if (limit % numbers)
              isMine = isMine && number + begin < limit;
            kernel.ifThen(isMine, [&] {
              I32 entry = table + number * kWord;
              I32 last = loadFromL1(kernel, entry);
              kernel.ifThen(last != kAllBits, [&] {
                storeToL1(kernel, last, places + i * kWord);
              });
              storeToL1(kernel, place, entry);
            });
          });
          kernel.writeBytes(out, 0, first * kWord, places, each * kWord);
          kernel.writeBarrier();
        });
      };
      walk(0, true);
      kernel.forRange(numbers, I32(limit), numbers,
                      [&](I32 begin) { walk(begin, false); });
    };
    return buildInMemory(
        dispatch, lists + llvm::alignTo(numbers * kWord, align), 1, walkAll);
  }
};

} // namespace

void tt::populateTTIRToTTMetalIndexingPatterns(RewritePatternSet &patterns,
                                               Lowering &lowering) {
  patterns.add<ArgSortPattern, ScatterRowsPattern, PreviousEqualPattern>(
      patterns.getContext(), lowering);
}
