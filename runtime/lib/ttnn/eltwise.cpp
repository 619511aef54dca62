// Elementwise operations with NumPy broadcasting.
//
// Where operands and result lie alike, the kernels run on the device memory
// itself. Otherwise blocks of 32 rows are read into scratch, computed and
// written back, so that no operand is ever copied as a whole.
#include "common/shapes.h"
#include "kernels/parallel.h"
#include "ttnn/executor.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime::ttnn {

using emulator::View;
using kernels::DType;
using kernels::kTileDim;
using kernels::Rounding;

namespace {

/// A piece of memory that lies alike in all operands.
struct Span {
  std::int64_t bank, offset, bytes;
};

constexpr std::int64_t kSpanBytes = 128 << 10;

/// Cuts [0, bytes) of a bank into spans of whole `unit`s.
void cut(std::vector<Span> &spans, std::int64_t bank, std::int64_t begin,
         std::int64_t bytes, std::int64_t unit) {
  const std::int64_t step = std::max(unit, kSpanBytes / unit * unit);
  for (std::int64_t at = 0; at < bytes; at += step)
    spans.push_back({bank, begin + at, std::min(step, bytes - at)});
}

/// The memory of a tensor in spans that hold whole elements (whole tiles where
/// tiled); padding between rows is part of a span.
std::vector<Span> spansOf(const Layout &l) {
  std::vector<Span> spans;
  const std::int64_t unit =
      l.tiled ? kernels::tileBytes(l.type) : l.elementSize();
  if (l.placement == Placement::Sharded) {
    for (std::size_t i = 0; i < l.shardBank.size(); ++i)
      cut(spans, l.shardBank[i], l.shardSlot[i] * l.shardBytes, l.shardBytes,
          unit);
    return spans;
  }
  const std::int64_t pages = l.tiled ? l.tileRows * l.tileCols : l.rows;
  for (std::int64_t bank = 0; bank < std::min(l.banks, pages); ++bank) {
    const std::int64_t count = (pages - bank + l.banks - 1) / l.banks;
    cut(spans, l.firstBank + bank, 0, count * l.pageStride, unit);
  }
  return spans;
}

/// True if pages are a whole number of elements apart, so that a span is one
/// array.
bool hasSpans(const Layout &l) {
  return l.placement == Placement::Sharded ||
         (l.tiled ? l.pageStride == l.pageBytes
                  : l.pageStride % l.elementSize() == 0);
}

std::int64_t elementsIn(const Layout &l, std::int64_t bytes) {
  return l.tiled ? bytes / kernels::tileBytes(l.type) * kernels::kTileElements
                 : bytes / l.elementSize();
}

/// Calls body(offset in host addresses of each view, elements) for all spans.
template <typename Body> void forSpans(const Layout &layout, Body &&body) {
  const std::vector<Span> spans = spansOf(layout);
  kernels::parallelFor(0, std::int64_t(spans.size()), 1,
                       [&](std::int64_t first, std::int64_t last) {
                         for (std::int64_t i = first; i < last; ++i)
                           body(
                               spans[std::size_t(i)],
                               elementsIn(layout, spans[std::size_t(i)].bytes));
                       });
}

std::byte *at(const View &view, const Span &span) {
  return view.base + span.bank * view.spacing + span.offset;
}

/// The common type of a computation: the operands' own if they agree, U32 for
/// different integers, else f32.
DType commonType(std::initializer_list<DType> types) {
  const DType first = emulator::plainType(*types.begin());
  bool same = true, integers = true;
  for (DType type : types) {
    same &= emulator::plainType(type) == first;
    integers &= kernels::isInteger(type);
  }
  return same ? first : integers ? DType::U32 : DType::F32;
}

/// Reads rows of an operand as seen from the rows of the result.
class RowReader {
public:
  RowReader(const TensorPtr &tensor, const std::vector<std::int64_t> &shape,
            DType type)
      : view_(tensor->view()), type_(type), shape_(shape) {
    const Layout &l = *view_.layout;
    broadcastCol_ = l.cols == 1 && !shape.empty() && shape.back() != 1;
    // Rows of the operand per step of each dimension of the result; 0 repeats.
    step_.assign(shape.size(), 0);
    std::int64_t rows = 1;
    for (std::int64_t d = l.rank() - 2; d >= 0; --d) {
      const std::size_t at = shape.size() - std::size_t(l.rank() - d);
      if (l.shape[std::size_t(d)] != 1)
        step_[at] = rows;
      rows *= l.shape[std::size_t(d)];
    }
    identity_ = l.shape == shape && l.dense;
    single_ = rows == 1;
  }

  /// Result rows [row, row + rows), `row` a multiple of 32, each with `cols`
  /// elements, to `target`.
  void read(std::int64_t row, std::int64_t rows, std::int64_t cols,
            std::byte *target) const {
    const std::int64_t bytes = cols * kernels::elementSize(type_);
    if (identity_) {
      emulator::readBlock(view_, row, rows, 0, cols, type_, target, cols);
      return;
    }
    readRow(rowOf(row), cols, target);
    for (std::int64_t r = 1; r < rows; ++r) {
      if (single_)
        std::memcpy(target + r * bytes, target, std::size_t(bytes));
      else
        readRow(rowOf(row + r), cols, target + r * bytes);
    }
  }

private:
  std::int64_t rowOf(std::int64_t resultRow) const {
    std::int64_t row = 0;
    for (std::size_t d = shape_.size(); d-- > 1;) {
      row += resultRow % shape_[d - 1] * step_[d - 1];
      resultRow /= shape_[d - 1];
    }
    return view_.layout->physicalRow(row);
  }

  void readRow(std::int64_t row, std::int64_t cols, std::byte *target) const {
    const Layout &l = *view_.layout;
    const std::int64_t size = kernels::elementSize(type_);
    const std::int64_t own = broadcastCol_ ? 1 : cols;
    if (l.tiled) {
      // A tile gives 32 rows at once; one of them is wanted.
      const std::int64_t first = row / kTileDim * kTileDim;
      const std::int64_t rows = std::min(kTileDim, l.rows - first);
      std::vector<std::byte> block(std::size_t(rows * own * size));
      emulator::readBlock(view_, first, rows, 0, own, type_, block.data(), own);
      std::memcpy(target, block.data() + (row - first) * own * size,
                  std::size_t(own * size));
    } else {
      emulator::readBlock(view_, row, 1, 0, own, type_, target, own);
    }
    if (broadcastCol_)
      for (std::int64_t c = 1; c < cols; ++c)
        std::memcpy(target + c * size, target, std::size_t(size));
  }

  View view_;
  DType type_;
  std::vector<std::int64_t> shape_, step_;
  bool broadcastCol_ = false, identity_ = false, single_ = false;
};

/// Rows per block so that a block of all operands stays in the cache.
std::int64_t blockGrain(std::int64_t cols) {
  return std::max<std::int64_t>(1, 65536 / (cols * kTileDim));
}

} // namespace

void Executor::execute(const UnaryStep &step) {
  const TensorPtr source = operand(step.in);
  // Element by element, so the result may lie over the operand.
  TensorPtr target = result(step.out, {});
  const Layout &out = target->layout;
  const View from = source->view(), to = target->view();
  const DType type = commonType({source->layout.type, out.type});
  if (source->layout.samePages(out) && hasSpans(out)) {
    forSpans(out, [&](const Span &span, std::int64_t count) {
      kernels::unary(step.op, out.type, at(from, span), at(to, span), count);
    });
  } else if (out.dense) {
    const RowReader reader(source, out.shape, type);
    kernels::parallelFor(
        0, (out.rows + kTileDim - 1) / kTileDim, blockGrain(out.cols),
        [&](std::int64_t first, std::int64_t last) {
          auto block = scratch(type, kTileDim * out.cols);
          for (std::int64_t i = first; i < last; ++i) {
            const std::int64_t row = i * kTileDim;
            const std::int64_t rows = std::min(kTileDim, out.rows - row);
            reader.read(row, rows, out.cols,
                        static_cast<std::byte *>(block.get()));
            kernels::unary(step.op, type, block.get(), block.get(),
                           rows * out.cols);
            emulator::writeRows(to, row, rows, type, block.get(), out.cols,
                                Rounding::Fast);
          }
        });
  } else {
    const RowMajor in = read(step.in, type);
    auto data = scratch(type, out.volume());
    kernels::unary(step.op, type, in.data, data.get(), out.volume());
    return store(step.out, std::move(target), type, data);
  }
  bind(step.out, std::move(target));
}

void Executor::execute(const BinaryStep &step) {
  const TensorPtr a = operand(step.a), b = operand(step.b);
  const Layout &expected = layoutOf(step.out);
  const bool alike =
      a->layout.samePages(expected) && b->layout.samePages(expected);
  // With equal layouts every element is read just before it is written;
  // otherwise a block of the result may lie over rows still to be read.
  TensorPtr target =
      alike ? result(step.out, {}) : result(step.out, {step.a, step.b});
  const Layout &out = target->layout;
  const View to = target->view();
  if (alike && hasSpans(out)) {
    const View viewA = a->view(), viewB = b->view();
    forSpans(out, [&](const Span &span, std::int64_t count) {
      kernels::binary(step.op, out.type, at(viewA, span), at(viewB, span),
                      at(to, span), count);
    });
    bind(step.out, std::move(target));
    return;
  }
  const DType type = commonType({a->layout.type, b->layout.type, out.type});
  if (!out.dense) {
    const RowMajor x = read(step.a, type), y = read(step.b, type);
    auto data = scratch(type, out.volume());
    std::vector<std::int64_t> strideX(out.shape.size()),
        strideY(out.shape.size());
    kernels::broadcastStrides(a->layout.shape, out.shape, strideX);
    kernels::broadcastStrides(b->layout.shape, out.shape, strideY);
    kernels::binaryStrided(step.op, type, out.shape, {x.data, strideX},
                           {y.data, strideY}, data.get());
    return store(step.out, std::move(target), type, data);
  }
  const RowReader readA(a, out.shape, type), readB(b, out.shape, type);
  kernels::parallelFor(
      0, (out.rows + kTileDim - 1) / kTileDim, blockGrain(out.cols),
      [&](std::int64_t first, std::int64_t last) {
        auto x = scratch(type, kTileDim * out.cols);
        auto y = scratch(type, kTileDim * out.cols);
        for (std::int64_t i = first; i < last; ++i) {
          const std::int64_t row = i * kTileDim;
          const std::int64_t rows = std::min(kTileDim, out.rows - row);
          readA.read(row, rows, out.cols, static_cast<std::byte *>(x.get()));
          readB.read(row, rows, out.cols, static_cast<std::byte *>(y.get()));
          kernels::binary(step.op, type, x.get(), y.get(), x.get(),
                          rows * out.cols);
          emulator::writeRows(to, row, rows, type, x.get(), out.cols,
                              Rounding::Fast);
        }
      });
  bind(step.out, std::move(target));
}

} // namespace tt::runtime::ttnn
