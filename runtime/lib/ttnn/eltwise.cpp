// Elementwise operations with NumPy broadcasting.
//
// Where operands and result lie alike, the kernels run on the device memory
// itself. Otherwise blocks of 32 rows are read into scratch, computed and
// written back, so that no operand is ever copied as a whole.
#include "numerics/parallel.h"
#include "numerics/tiles.h"
#include "ttnn/row_reader.h"

#include <algorithm>

namespace tt::runtime::ttnn {

using emulator::View;
using numerics::DType;
using numerics::kTileDim;
using numerics::Rounding;

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
      l.tiled ? numerics::tileBytes(l.type) : l.elementSize();
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

/// True if a span is one array of elements: pages are a whole number of them
/// apart. Not so where padding shares the exponents of block floats, since
/// whatever the operation makes of it would cost the elements beside it.
bool hasSpans(const Layout &l) {
  if (numerics::isBlockFloat(l.type) && l.cols % numerics::kFaceDim)
    return false;
  return l.placement == Placement::Sharded ||
         (l.tiled ? l.pageStride == l.pageBytes
                  : l.pageStride % l.elementSize() == 0);
}

std::int64_t elementsIn(const Layout &l, std::int64_t bytes) {
  return l.tiled ? bytes / numerics::tileBytes(l.type) * numerics::kTileElements
                 : bytes / l.elementSize();
}

/// Calls body(offset in host addresses of each view, elements) for all spans.
template <typename Body> void forSpans(const Layout &layout, Body &&body) {
  const std::vector<Span> spans = spansOf(layout);
  numerics::parallelFor(
      0, std::int64_t(spans.size()), 1,
      [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i)
          body(spans[std::size_t(i)],
               elementsIn(layout, spans[std::size_t(i)].bytes));
      });
}

std::byte *at(const View &view, const Span &span) {
  return view.base + span.bank * view.spacing + span.offset;
}

/// Computes a dense result in blocks of 32 rows: reads each operand in the type
/// of its reader, calls compute(blocks, elements), which leaves the result in
/// the block of operand `resultBlock`, and writes that.
template <std::size_t Operands, typename Compute>
void blockwise(const View &to, const RowReader (&readers)[Operands],
               std::size_t resultBlock, const Compute &compute) {
  const Layout &out = *to.layout;
  // A block of all operands stays in the cache.
  const std::int64_t grain =
      std::max<std::int64_t>(1, 65536 / (out.cols * kTileDim));
  numerics::parallelFor(
      0, numerics::tilesFor(out.rows), grain,
      [&](std::int64_t first, std::int64_t last) {
        std::shared_ptr<void> memory[Operands];
        void *blocks[Operands];
        for (std::size_t i = 0; i < Operands; ++i) {
          memory[i] = scratch(readers[i].type(), kTileDim * out.cols);
          blocks[i] = memory[i].get();
        }
        for (std::int64_t i = first; i < last; ++i) {
          const std::int64_t row = i * kTileDim;
          const std::int64_t rows = std::min(kTileDim, out.rows - row);
          for (std::size_t k = 0; k < Operands; ++k)
            readers[k].read(row, rows, out.cols,
                            static_cast<std::byte *>(blocks[k]));
          compute(blocks, rows * out.cols);
          emulator::writeBlock(to, row, rows, 0, out.cols,
                               readers[resultBlock].type(), blocks[resultBlock],
                               out.cols, Rounding::Fast);
        }
      });
}

/// The same tile by tile, for a tiled result and compute(tiles, target). An
/// operand that lies as the result does is used where it is; the rows of
/// another one are made tiles.
template <std::size_t Operands, typename Compute>
void tilewise(const View &to, const View (&views)[Operands],
              const RowReader (&readers)[Operands], const Compute &compute) {
  const Layout &out = *to.layout;
  const std::int64_t bytes = numerics::tileBytes(out.type);
  const std::int64_t grain =
      std::max<std::int64_t>(1, kSpanBytes / (out.tileCols * bytes));
  numerics::parallelFor(
      0, out.tileRows, grain, [&](std::int64_t first, std::int64_t last) {
        std::shared_ptr<void> made[Operands];
        const auto rows = scratch(out.type, kTileDim * out.cols);
        for (std::int64_t ty = first; ty < last; ++ty) {
          const std::int64_t row = ty * kTileDim;
          const std::int64_t height = std::min(kTileDim, out.rows - row);
          for (std::size_t k = 0; k < Operands; ++k) {
            if (views[k].layout->samePages(out) ||
                (made[k] && readers[k].single()))
              continue;
            if (!made[k])
              made[k] =
                  scratch(out.type, out.tileCols * numerics::kTileElements);
            readers[k].read(row, height, out.cols,
                            static_cast<std::byte *>(rows.get()));
            numerics::tilize(out.type, rows.get(), height, out.cols, out.cols,
                             {made[k].get()});
          }
          for (std::int64_t tx = 0; tx < out.tileCols; ++tx) {
            const std::byte *tiles[Operands];
            for (std::size_t k = 0; k < Operands; ++k)
              tiles[k] =
                  made[k] ? static_cast<std::byte *>(made[k].get()) + tx * bytes
                          : views[k].tile(ty, tx);
            compute(tiles, to.tile(ty, tx));
          }
        }
      });
}

std::vector<std::int64_t> stridesFor(const Layout &from, const Layout &to) {
  std::vector<std::int64_t> strides(to.shape.size());
  numerics::broadcastStrides(from.shape, to.shape, strides);
  return strides;
}

/// A condition as a mask of the type of the values: 1 where it is not 0.
void makeMask(DType type, void *condition, DType valueType, void *mask,
              std::int64_t count) {
  const std::uint32_t zero = 0;
  numerics::binaryScalar(numerics::BinaryOp::NotEqual, type, condition, &zero,
                         false, condition, count);
  numerics::convert(type, condition, valueType, mask, count);
}

} // namespace

void Executor::activate(numerics::UnaryOp function, ValueIndex value) {
  UnaryStep step;
  step.ins[0] = step.out = value;
  step.op = function;
  if (applyExact(step))
    return;
  const TensorPtr &tensor = operand(value);
  const Layout &layout = tensor->layout;
  const View view = tensor->view();
  if (hasSpans(layout)) {
    forSpans(layout, [&](const Span &span, std::int64_t count) {
      numerics::unary(function, layout.type, at(view, span), at(view, span),
                      count, Rounding::Fast);
    });
    return;
  }
  const DType type = commonType({layout.type}, layout.type);
  if (layout.dense) {
    const RowReader readers[] = {{tensor, layout.shape, type}};
    blockwise(view, readers, 0, [&](void *(&blocks)[1], std::int64_t count) {
      numerics::unary(function, type, blocks[0], blocks[0], count,
                      Rounding::Fast);
    });
    return;
  }
  const RowMajor in = read(value, type);
  auto data = scratch(type, layout.volume());
  numerics::unary(function, type, in.data, data.get(), layout.volume(),
                  Rounding::Fast);
  write(value, {}, type, data);
}

void Executor::execute(const UnaryStep &step) {
  if (applyExact(step))
    return;
  // A reference, so that the result can take the operand's place.
  const TensorPtr &source = operand(step.ins[0]);
  // Element by element, so the result may lie over the operand.
  TensorPtr target = result(step.out, {});
  const Layout &out = target->layout;
  const View from = source->view(), to = target->view();
  // Bits are counted in the format that they stand in.
  const bool counts = step.op == numerics::UnaryOp::PopCount ||
                      step.op == numerics::UnaryOp::Clz;
  const DType type = functionOf(step.op).truth || counts
                         ? commonType({source->layout.type})
                         : commonType({source->layout.type}, out.type);
  if (source->layout.samePages(out) && hasSpans(out)) {
    forSpans(out, [&](const Span &span, std::int64_t count) {
      numerics::unary(step.op, out.type, at(from, span), at(to, span), count,
                      Rounding::Fast, step.params);
    });
  } else if (out.dense) {
    const RowReader readers[] = {{source, out.shape, type}};
    blockwise(to, readers, 0, [&](void *(&blocks)[1], std::int64_t count) {
      numerics::unary(step.op, type, blocks[0], blocks[0], count,
                      Rounding::Fast, step.params);
    });
  } else {
    const RowMajor in = read(step.ins[0], type);
    auto data = scratch(type, out.volume());
    numerics::unary(step.op, type, in.data, data.get(), out.volume(),
                    Rounding::Fast, step.params);
    return store(step.out, std::move(target), type, data);
  }
  bind(step.out, std::move(target));
}

void Executor::execute(const BinaryStep &step) {
  if (combineExact(step))
    return;
  const TensorPtr &a = operand(step.ins[0]), &b = operand(step.ins[1]);
  const Layout &expected = layoutOf(step.out);
  const bool alike =
      a->layout.samePages(expected) && b->layout.samePages(expected);
  // With equal layouts every element is read just before it is written;
  // otherwise a block of the result may lie over rows still to be read.
  TensorPtr target = alike ? result(step.out, {})
                           : result(step.out, {step.ins[0], step.ins[1]});
  const Layout &out = target->layout;
  const View to = target->view();
  if (alike && hasSpans(out)) {
    const View viewA = a->view(), viewB = b->view();
    forSpans(out, [&](const Span &span, std::int64_t count) {
      numerics::binary(step.op, out.type, at(viewA, span), at(viewB, span),
                       at(to, span), count);
    });
    bind(step.out, std::move(target));
    return;
  }
  const DType type =
      functionOf(step.op).truth
          ? commonType({a->layout.type, b->layout.type})
          : commonType({a->layout.type, b->layout.type}, out.type);
  if (!out.dense) {
    const RowMajor x = read(step.ins[0], type), y = read(step.ins[1], type);
    auto data = scratch(type, out.volume());
    numerics::binaryStrided(step.op, type, out.shape,
                            {x.data, stridesFor(a->layout, out)},
                            {y.data, stridesFor(b->layout, out)}, data.get());
    return store(step.out, std::move(target), type, data);
  }
  const RowReader readers[] = {{a, out.shape, type}, {b, out.shape, type}};
  const bool oneLiesSo = a->layout.samePages(out) || b->layout.samePages(out);
  if (out.tiled && type == out.type && oneLiesSo) {
    const View views[] = {a->view(), b->view()};
    tilewise(to, views, readers,
             [&](const std::byte *(&tiles)[2], std::byte *target) {
               numerics::binary(step.op, type, tiles[0], tiles[1], target,
                                numerics::kTileElements);
             });
    bind(step.out, std::move(target));
    return;
  }
  blockwise(to, readers, 0, [&](void *(&blocks)[2], std::int64_t count) {
    numerics::binary(step.op, type, blocks[0], blocks[1], blocks[0], count);
  });
  bind(step.out, std::move(target));
}

void Executor::execute(const WhereStep &step) {
  const TensorPtr condition = operand(step.ins[0]);
  const TensorPtr a = operand(step.ins[1]), b = operand(step.ins[2]);
  const Layout &expected = layoutOf(step.out);
  const bool alike =
      condition->layout.samePages(expected) && a->layout.samePages(expected) &&
      b->layout.samePages(expected) && !numerics::isBlockFloat(expected.type);
  TensorPtr target =
      alike ? result(step.out, {})
            : result(step.out, {step.ins[0], step.ins[1], step.ins[2]});
  const Layout &out = target->layout;
  const View to = target->view();
  if (alike && hasSpans(out)) {
    const View views[] = {condition->view(), a->view(), b->view()};
    forSpans(out, [&](const Span &span, std::int64_t count) {
      numerics::where(out.type, at(views[0], span), at(views[1], span),
                      at(views[2], span), at(to, span), count);
    });
    bind(step.out, std::move(target));
    return;
  }
  const DType type = commonType({a->layout.type, b->layout.type}, out.type);
  const DType testType = commonType({condition->layout.type});
  if (!out.dense) {
    const std::int64_t tests = condition->layout.volume();
    const RowMajor test = read(step.ins[0], testType);
    const RowMajor x = read(step.ins[1], type), y = read(step.ins[2], type);
    auto truth = scratch(testType, tests), mask = scratch(type, tests);
    numerics::convert(testType, test.data, testType, truth.get(), tests);
    makeMask(testType, truth.get(), type, mask.get(), tests);
    auto data = scratch(type, out.volume());
    numerics::whereStrided(type, out.shape,
                           {mask.get(), stridesFor(condition->layout, out)},
                           {x.data, stridesFor(a->layout, out)},
                           {y.data, stridesFor(b->layout, out)}, data.get());
    return store(step.out, std::move(target), type, data);
  }
  const RowReader readers[] = {{condition, out.shape, testType},
                               {a, out.shape, type},
                               {b, out.shape, type}};
  blockwise(to, readers, 1, [&](void *(&blocks)[3], std::int64_t count) {
    if (testType == type) {
      numerics::where(type, blocks[0], blocks[1], blocks[2], blocks[1], count);
      return;
    }
    std::shared_ptr<void> mask = scratch(type, count);
    makeMask(testType, blocks[0], type, mask.get(), count);
    numerics::where(type, mask.get(), blocks[1], blocks[2], blocks[1], count);
  });
  bind(step.out, std::move(target));
}

void Executor::execute(const TypecastStep &step) {
  const TensorPtr source = operand(step.ins[0]);
  TensorPtr target = result(step.out, {step.ins[0]});
  emulator::copyTensor(source->view(), target->view(), Rounding::Fast);
  bind(step.out, std::move(target));
}

} // namespace tt::runtime::ttnn
