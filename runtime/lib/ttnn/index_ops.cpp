// Operations on places: orders, scatters, running extremes; and bits.
#include "numerics/scan.h"
#include "numerics/scatter.h"
#include "numerics/sort.h"
#include "numerics/tiles.h"
#include "ttnn/caches.h"
#include "ttnn/executor.h"
#include "ttnn/scatters.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime::ttnn {

using numerics::DType;

void Executor::execute(const ArgSortStep &step) {
  const Layout &in = operand(step.in)->layout;
  const DType type = computeType(step.in);
  const RowMajor source = read(step.in, type);
  auto data = scratch(DType::U32, in.volume());
  numerics::argsort(type, source.data, in.shape, step.dim, step.descending,
                    static_cast<std::uint32_t *>(data.get()));
  write(step.out, {}, DType::U32, data);
}

void Executor::execute(const ScatterRowsStep &step) {
  const Layout &in = operand(step.input)->layout;
  const Layout &out = layoutOf(step.out);
  const DType type =
      commonType({in.type, operand(step.updates)->layout.type}, out.type);
  const DType indexType = computeType(step.indices);
  const RowMajor table = read(step.input, type);
  const RowMajor indices = read(step.indices, indexType);
  const RowMajor updates = read(step.updates, type);
  auto data = scratch(type, out.volume());
  numerics::scatterRows(scatterOf(step.reduceType), type, table.data,
                        in.shape[0], in.shape[1], indexType, indices.data,
                        updates.data, operand(step.indices)->layout.volume(),
                        data.get());
  write(step.out, {}, type, data);
}

/// For each update, its start in each dimension; nothing if it is skipped.
std::vector<std::optional<std::vector<std::int64_t>>>
Executor::startsOf(const UpdateSliceStep &step) const {
  const auto &whole = operand(step.input)->layout.shape;
  const auto &update = operand(step.update)->layout.shape;
  const auto count = std::size_t(updatesOf(program_, step));
  const std::size_t each = step.dims.size();
  std::vector<std::int64_t> index;
  if (step.index) {
    const DType type = computeType(*step.index);
    index =
        numerics::placesOf("update_slice", type, read(*step.index, type).data,
                           std::int64_t(count * each));
  }
  std::vector<std::optional<std::vector<std::int64_t>>> found(count);
  for (std::size_t number = 0; number < count; ++number) {
    std::vector<std::int64_t> starts = step.starts;
    for (std::size_t i = 0; i < each; ++i)
      starts[std::size_t(step.dims[i])] += index[number * each + i];
    const std::int64_t first = update[0] / std::int64_t(count);
    if (!movesFirst(step))
      starts[0] += std::int64_t(number) * first;
    bool fits = true;
    for (std::size_t d = 0; d < starts.size(); ++d) {
      const std::int64_t extent = d == 0 ? first : update[d];
      const std::int64_t last = whole[d] - extent;
      if (step.clamp)
        starts[d] = std::clamp(starts[d], std::int64_t(0), last);
      fits &= starts[d] >= 0 && starts[d] <= last;
    }
    if (fits)
      found[number] = std::move(starts);
  }
  return found;
}

void Executor::execute(const UpdateSliceStep &step) {
  const TensorPtr source = operand(step.input);
  // The compiler has seen that nothing reads the operand behind the operation;
  // what shares its memory may be read.
  const bool inPlace =
      step.out == step.input && source->buffer.use_count() == 1;
  TensorPtr target = inPlace
                         ? source
                         : result(step.out, {step.input, step.update,
                                             step.index.value_or(step.input)});
  if (!inPlace)
    emulator::copyTensor(source->view(), target->view(),
                         numerics::Rounding::Fast);
  const auto all = startsOf(step);
  const Layout &update = operand(step.update)->layout;
  std::vector<std::int64_t> extents = update.shape;
  extents[0] /= std::int64_t(all.size());
  const RowMajor data =
      read(step.update, emulator::plainType(target->layout.type));
  const std::int64_t bytes = update.volume() / std::int64_t(all.size()) *
                             numerics::elementSize(data.type);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i])
      updateSlice(*target, *all[i], extents, data.type,
                  static_cast<const std::byte *>(data.data) +
                      std::int64_t(i) * bytes);
  bind(step.out, std::move(target));
}

/// Writes the elements, row-major in the target's plain type, from `starts` on.
void Executor::updateSlice(const emulator::TensorData &target,
                           const std::vector<std::int64_t> &starts,
                           const std::vector<std::int64_t> &extents,
                           const DType type, const std::byte *from) {
  using numerics::kTileDim;
  const Layout &layout = target.layout;
  const emulator::View to = target.view();
  const std::size_t inner = extents.size() - 2;
  const std::int64_t height = extents[inner], width = extents[inner + 1];
  const std::int64_t size = numerics::elementSize(type);
  const std::int64_t first = starts[inner + 1];
  // Tiles that the update covers in part keep their other elements.
  const std::int64_t col = layout.tiled ? first / kTileDim * kTileDim : first;
  const std::int64_t cols =
      layout.tiled ? std::min(numerics::tilesFor(first + width) * kTileDim,
                              layout.cols) -
                         col
                   : width;
  auto block = scratch(type, kTileDim * cols);
  auto *const patched = static_cast<std::byte *>(block.get());
  std::vector<std::int64_t> at(inner, 0); // of the matrix in the update
  for (;;) {
    std::int64_t row = 0;
    for (std::size_t d = 0; d < inner; ++d)
      row = (row + starts[d] + at[d]) * layout.shape[d + 1];
    row = layout.physicalRow(row + starts[inner]);
    for (std::int64_t done = 0, count; done < height; done += count) {
      const std::int64_t begin =
          layout.tiled ? (row + done) / kTileDim * kTileDim : row + done;
      const std::int64_t rows =
          layout.tiled ? std::min(kTileDim, layout.rows - begin) : height;
      count = std::min(height - done, begin + rows - row - done);
      const std::byte *source = from + done * width * size;
      if (count != rows || cols != width) {
        emulator::readBlock(to, begin, rows, col, cols, type, patched, cols);
        for (std::int64_t r = 0; r < count; ++r)
          std::memcpy(
              patched + ((row + done - begin + r) * cols + first - col) * size,
              source + r * width * size, std::size_t(width * size));
        source = patched;
      }
      emulator::writeBlock(to, begin, rows, col, cols, type, source, cols,
                           numerics::Rounding::Fast);
    }
    from += height * width * size;
    std::size_t d = inner;
    while (d > 0 && ++at[d - 1] == extents[d - 1])
      at[--d] = 0;
    if (d == 0)
      return;
  }
}

void Executor::execute(const PreviousEqualStep &step) {
  const std::int64_t count = operand(step.in)->layout.volume();
  const DType type = computeType(step.in);
  const RowMajor source = read(step.in, type);
  auto data = scratch(DType::U32, count);
  numerics::previousEqual(type, source.data, count, step.limit,
                          static_cast<std::uint32_t *>(data.get()));
  write(step.out, {}, DType::U32, data);
}

template <typename Step>
void Executor::scan(numerics::ScanOp op, const Step &step) {
  const Layout &in = operand(step.in)->layout;
  const DType type = commonType({in.type}, layoutOf(step.out).type);
  const RowMajor source = read(step.in, type);
  auto data = scratch(type, in.volume());
  numerics::scan(op, type, source.data, in.shape, step.dim, data.get());
  write(step.out, {}, type, data);
}

void Executor::execute(const CumProdStep &step) {
  scan(numerics::ScanOp::Prod, step);
}

void Executor::execute(const CumMaxStep &step) {
  scan(numerics::ScanOp::Max, step);
}

void Executor::execute(const CumMinStep &step) {
  scan(numerics::ScanOp::Min, step);
}

void Executor::execute(const BitcastConvertStep &step) {
  const DType from = computeType(step.in), to = computeType(step.out);
  const RowMajor source = read(step.in, from);
  const std::int64_t count = layoutOf(step.out).volume();
  auto data = scratch(to, count);
  if (count > 0)
    std::memcpy(data.get(), source.data,
                std::size_t(count * numerics::elementSize(to)));
  write(step.out, {}, to, data);
}

} // namespace tt::runtime::ttnn
