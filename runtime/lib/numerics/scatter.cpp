#include "numerics/scatter.h"

#include "numerics/check.h"
#include "numerics/integers.h"
#include "numerics/isa/table.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <vector>

namespace tt::runtime::numerics {
namespace {

/// A list of so many places is not worth a table by number.
constexpr int64_t kMaxTable = int64_t(1) << 24;

template <typename T>
void combineIntegers(ScatterOp op, const T *from, T *to, int64_t n) {
  switch (op) {
  case ScatterOp::Sum:
    for (int64_t i = 0; i < n; ++i)
      to[i] = T(uint64_t(to[i]) + uint64_t(from[i]));
    return;
  case ScatterOp::Prod:
    for (int64_t i = 0; i < n; ++i)
      to[i] = T(uint64_t(to[i]) * uint64_t(from[i]));
    return;
  case ScatterOp::Max:
    for (int64_t i = 0; i < n; ++i)
      to[i] = std::max(to[i], from[i]);
    return;
  case ScatterOp::Min:
    for (int64_t i = 0; i < n; ++i)
      to[i] = std::min(to[i], from[i]);
    return;
  case ScatterOp::Set:
    std::copy(from, from + n, to);
  }
}

/// The updates of each row in ascending order, so that threads can share the
/// rows out.
struct ByRow {
  std::vector<int64_t> rows;  // that have updates
  std::vector<int64_t> first; // of each in `order`, and the end
  std::vector<int64_t> order;

  ByRow(const std::vector<int64_t> &places, int64_t limit) {
    for (int64_t i = 0; i < int64_t(places.size()); ++i)
      if (places[size_t(i)] >= 0 && places[size_t(i)] < limit)
        order.push_back(i);
    const auto row = [&](int64_t i) { return places[size_t(i)]; };
    if (!std::is_sorted(order.begin(), order.end(),
                        [&](int64_t a, int64_t b) { return row(a) < row(b); }))
      std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return row(a) != row(b) ? row(a) < row(b) : a < b;
      });
    for (int64_t i = 0; i < int64_t(order.size()); ++i)
      if (i == 0 || row(order[size_t(i)]) != rows.back()) {
        rows.push_back(row(order[size_t(i)]));
        first.push_back(i);
      }
    first.push_back(int64_t(order.size()));
  }
};

} // namespace

std::vector<int64_t> placesOf(const char *what, DType type, const void *data,
                              int64_t count) {
  if (!isInteger(type))
    fail(std::string(what) + ": expected indices of an integer type, found " +
         dtypeName(type));
  std::vector<int64_t> places(static_cast<size_t>(count));
  withInteger(type, [&](auto zero) {
    using T = decltype(zero);
    const T *from = static_cast<const T *>(data);
    for (int64_t i = 0; i < count; ++i)
      places[size_t(i)] = int64_t(from[i]);
  });
  return places;
}

void scatterRows(ScatterOp op, DType type, const void *input, int64_t rows,
                 int64_t cols, DType indexType, const void *indices,
                 const void *updates, int64_t count, void *output,
                 Rounding rounding) {
  requirePlain("scatter_rows", type);
  const int64_t bytes = cols * elementSize(type);
  const char *before = static_cast<const char *>(input);
  const char *from = static_cast<const char *>(updates);
  char *to = static_cast<char *>(output);
  if (before != to)
    parallelFor(0, rows, grainFor(bytes), [&](int64_t begin, int64_t end) {
      std::memcpy(to + begin * bytes, before + begin * bytes,
                  size_t((end - begin) * bytes));
    });
  const ByRow byRow(placesOf("scatter_rows", indexType, indices, count), rows);
  const KernelTable &table = kernelTable();
  void (*const combine)(float *, const float *, int64_t) =
      op == ScatterOp::Sum    ? table.addRows
      : op == ScatterOp::Prod ? table.mulRows
      : op == ScatterOp::Max  ? table.maxRows
                              : table.minRows;
  parallelFor(0, int64_t(byRow.rows.size()), grainFor(bytes),
              [&](int64_t begin, int64_t end) {
                std::vector<float> total(size_t(isInteger(type) ? 0 : cols));
                std::vector<float> line(total.size());
                for (int64_t i = begin; i < end; ++i) {
                  char *row = to + byRow.rows[size_t(i)] * bytes;
                  const int64_t first = byRow.first[size_t(i)];
                  const int64_t last = byRow.first[size_t(i) + 1];
                  const auto update = [&](int64_t k) {
                    return from + byRow.order[size_t(k)] * bytes;
                  };
                  if (op == ScatterOp::Set) {
                    std::memcpy(row, update(last - 1), size_t(bytes));
                    continue;
                  }
                  if (isInteger(type)) {
                    withInteger(type, [&](auto zero) {
                      using T = decltype(zero);
                      for (int64_t k = first; k < last; ++k)
                        combineIntegers(op,
                                        reinterpret_cast<const T *>(update(k)),
                                        reinterpret_cast<T *>(row), cols);
                    });
                    continue;
                  }
                  table.toF32[int(type)](row, total.data(), cols);
                  for (int64_t k = first; k < last; ++k) {
                    table.toF32[int(type)](update(k), line.data(), cols);
                    combine(total.data(), line.data(), cols);
                  }
                  table.fromF32[int(type)](total.data(), row, cols, rounding);
                }
              });
}

void previousEqual(DType indexType, const void *indices, int64_t count,
                   int64_t limit, uint32_t *output) {
  const std::vector<int64_t> places =
      placesOf("previous_equal", indexType, indices, count);
  std::vector<int64_t> table(size_t(std::min(limit, kMaxTable)), -1);
  std::unordered_map<int64_t, int64_t> others;
  for (int64_t i = 0; i < count; ++i) {
    output[i] = uint32_t(i);
    const int64_t place = places[size_t(i)];
    if (place < 0 || place >= limit)
      continue;
    int64_t &last = place < int64_t(table.size())
                        ? table[size_t(place)]
                        : others.try_emplace(place, -1).first->second;
    if (last >= 0)
      output[i] = uint32_t(last);
    last = i;
  }
}

} // namespace tt::runtime::numerics
