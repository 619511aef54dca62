#include "numerics/reduce.h"

#include "numerics/check.h"
#include "numerics/extents.h"
#include "numerics/isa/table.h"
#include "numerics/parallel.h"
#include "numerics/transform.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace tt::runtime::numerics {
namespace {

/// Elements of a row that are reduced to one partial result.
constexpr int64_t kChunk = 4096;
/// Rows that are added up before they join the total, and columns at a time.
constexpr int64_t kRowBlock = 128;
constexpr int64_t kGroup = 128 * kRowBlock;
constexpr int64_t kColBlock = 1024;
constexpr int64_t kGrainElements = 1 << 15;

float combine(const KernelTable &table, ReduceOp op, const float *row,
              int64_t count) {
  switch (op) {
  case ReduceOp::Max:
    return table.maxRow(row, count);
  case ReduceOp::Min:
    return table.minRow(row, count);
  case ReduceOp::Prod:
    return table.prodRow(row, count);
  default:
    return table.sumRow(row, count);
  }
}

float finish(ReduceOp op, float value, int64_t count) {
  return op == ReduceOp::Mean ? value / float(count) : value;
}

const char *at(const void *data, int64_t bytes) {
  return static_cast<const char *>(data) + bytes;
}
char *at(void *data, int64_t bytes) {
  return static_cast<char *>(data) + bytes;
}

/// The chunk [first, first + count) of a row, reduced.
float reduceChunk(const KernelTable &table, ReduceOp op, DType type,
                  const void *row, int64_t first, int64_t count) {
  if (type == DType::F32)
    return combine(table, op, static_cast<const float *>(row) + first, count);
  alignas(64) float buffer[kChunk];
  table.toF32[int(type)](at(row, first * elementSize(type)), buffer, count);
  return combine(table, op, buffer, count);
}

/// inner == 1: rows that lie contiguous.
void reduceRows(ReduceOp op, DType type, const void *input,
                const Extents &extents, void *output, Rounding rounding) {
  const KernelTable &table = kernelTable();
  int64_t size = elementSize(type), n = extents.reduced;
  int64_t chunks = std::max<int64_t>(1, (n + kChunk - 1) / kChunk);
  std::vector<float> partials(size_t(extents.outer * chunks));
  int64_t grain = std::max<int64_t>(
      1, kGrainElements / std::max<int64_t>(1, std::min(n, kChunk)));
  parallelFor(0, extents.outer * chunks, grain,
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i) {
                  int64_t row = i / chunks, first = i % chunks * kChunk;
                  partials[size_t(i)] =
                      reduceChunk(table, op, type, at(input, row * n * size),
                                  first, std::min(kChunk, n - first));
                }
              });
  if (chunks > 1)
    for (int64_t row = 0; row < extents.outer; ++row)
      partials[size_t(row)] =
          combine(table, op, partials.data() + row * chunks, chunks);
  if (op == ReduceOp::Mean)
    for (int64_t row = 0; row < extents.outer; ++row)
      partials[size_t(row)] = finish(op, partials[size_t(row)], n);
  table.fromF32[int(type)](partials.data(), output, extents.outer, rounding);
}

void combineRows(const KernelTable &table, ReduceOp op, float *target,
                 const float *source, int64_t count) {
  switch (op) {
  case ReduceOp::Max:
    return table.maxRows(target, source, count);
  case ReduceOp::Min:
    return table.minRows(target, source, count);
  case ReduceOp::Prod:
    return table.mulRows(target, source, count);
  default:
    return table.addRows(target, source, count);
  }
}

/// target = source at first, then target op source.
void join(const KernelTable &table, ReduceOp op, float *target,
          const float *source, int64_t count, bool first) {
  if (first)
    std::copy(source, source + count, target);
  else
    combineRows(table, op, target, source, count);
}

/// inner > 1: columns side by side, rows in blocks so that sums stay accurate.
void reduceColumns(ReduceOp op, DType type, const void *input,
                   const Extents &extents, void *output, Rounding rounding) {
  const KernelTable &table = kernelTable();
  int64_t size = elementSize(type), n = extents.reduced;
  int64_t pieces = (extents.inner + kColBlock - 1) / kColBlock;
  int64_t work = n * std::min(extents.inner, kColBlock);
  parallelFor(
      0, extents.outer * pieces, std::max<int64_t>(1, kGrainElements / work),
      [&](int64_t begin, int64_t end) {
        alignas(64) float total[kColBlock], group[kColBlock], block[kColBlock],
            line[kColBlock];
        for (int64_t i = begin; i < end; ++i) {
          int64_t col = i % pieces * kColBlock, outer = i / pieces;
          int64_t width = std::min(kColBlock, extents.inner - col);
          for (int64_t row = 0; row < n; ++row) {
            const char *source =
                at(input, ((outer * n + row) * extents.inner + col) * size);
            float *target = row % kRowBlock ? line : block;
            table.toF32[int(type)](source, target, width);
            if (target == line)
              combineRows(table, op, block, line, width);
            // 128 rows make a block, 128 blocks a group, groups the total.
            bool last = row == n - 1;
            if (row % kRowBlock != kRowBlock - 1 && !last)
              continue;
            join(table, op, group, block, width, row % kGroup < kRowBlock);
            if (row % kGroup == kGroup - 1 || last)
              join(table, op, total, group, width, row < kGroup);
          }
          if (op == ReduceOp::Mean)
            for (int64_t c = 0; c < width; ++c)
              total[c] = finish(op, total[c], n);
          table.fromF32[int(type)](
              total, at(output, (outer * extents.inner + col) * size), width,
              rounding);
        }
      });
}

template <typename T>
T integerStep(ReduceOp op, const T *values, int64_t count, int64_t stride) {
  if (op == ReduceOp::Max || op == ReduceOp::Min) {
    bool max = op == ReduceOp::Max;
    T best =
        max ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    for (int64_t i = 0; i < count; ++i) {
      T value = values[i * stride];
      best = (max ? value > best : value < best) ? value : best;
    }
    return best;
  }
  uint64_t total = op == ReduceOp::Prod;
  for (int64_t i = 0; i < count; ++i) {
    uint64_t value = uint64_t(int64_t(values[i * stride]));
    total = op == ReduceOp::Prod ? total * value : total + value;
  }
  if (op == ReduceOp::Mean)
    return count ? T(int64_t(total) / count) : T(0);
  return T(total);
}

template <typename T>
void reduceIntegers(ReduceOp op, const void *input, const Extents &extents,
                    void *output) {
  const T *from = static_cast<const T *>(input);
  T *to = static_cast<T *>(output);
  int64_t n = extents.reduced, inner = extents.inner;
  parallelFor(0, extents.outer * inner,
              std::max<int64_t>(1, kGrainElements / std::max<int64_t>(1, n)),
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; ++i)
                  to[i] = integerStep<T>(
                      op, from + i / inner * n * inner + i % inner, n, inner);
              });
}

void reduceExtents(ReduceOp op, DType type, const void *input,
                   const Extents &extents, void *output, Rounding rounding) {
  switch (type) {
  case DType::U32:
    return reduceIntegers<uint32_t>(op, input, extents, output);
  case DType::U16:
    return reduceIntegers<uint16_t>(op, input, extents, output);
  case DType::U8:
    return reduceIntegers<uint8_t>(op, input, extents, output);
  case DType::I32:
    return reduceIntegers<int32_t>(op, input, extents, output);
  case DType::I16:
    return reduceIntegers<int16_t>(op, input, extents, output);
  case DType::I8:
    return reduceIntegers<int8_t>(op, input, extents, output);
  default:
    break;
  }
  if (extents.inner == 1 || extents.reduced == 0) {
    // An empty reduction has no elements to tell rows from columns.
    Extents rows{extents.outer * extents.inner, extents.reduced, 1};
    return reduceRows(op, type, input, rows, output, rounding);
  }
  reduceColumns(op, type, input, extents, output, rounding);
}

} // namespace

void reduce(ReduceOp op, DType type, const void *input,
            std::span<const int64_t> shape, std::span<const int64_t> dims,
            void *output, Rounding rounding) {
  requirePlain("reduce", type);
  int64_t count = volume("reduce", shape);
  std::vector<bool> drops(shape.size(), dims.empty());
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= int64_t(shape.size()))
      fail("reduce: expected dimensions in [0, " +
           std::to_string(shape.size()) + "), found " + std::to_string(dim));
    drops[size_t(dim)] = true;
  }
  // Kept and dropped dimensions in runs; up to "kept dropped kept" is direct.
  std::vector<int64_t> kept, dropped;
  int64_t runs = 0;
  Extents extents;
  for (size_t d = 0; d < shape.size(); ++d) {
    (drops[d] ? dropped : kept).push_back(int64_t(d));
    if (shape[d] == 1)
      continue;
    bool inDrop = runs % 2 == 1;
    if (inDrop != bool(drops[d]))
      ++runs;
    int64_t &extent = runs == 0   ? extents.outer
                      : runs == 1 ? extents.reduced
                                  : extents.inner;
    extent *= shape[d];
  }
  if (runs <= 2)
    return reduceExtents(op, type, input, extents, output, rounding);
  extents = {1, 1, 1};
  for (int64_t dim : kept)
    extents.outer *= shape[size_t(dim)];
  for (int64_t dim : dropped)
    extents.reduced *= shape[size_t(dim)];
  std::vector<int64_t> order = kept;
  order.insert(order.end(), dropped.begin(), dropped.end());
  std::vector<char> moved(size_t(count * elementSize(type)));
  permute(input, shape, order, elementSize(type), moved.data());
  reduceExtents(op, type, moved.data(), extents, output, rounding);
}

} // namespace tt::runtime::numerics
