// Rows of f32 for argmax, the norms and interpolation, and selection. Sums have
// the tree of reduce.cpp: 64 running sums, then halving.
#include "numerics/isa/simd.h"
#include "numerics/isa/table.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

constexpr int kLanes = 64;
constexpr int kVectors = kLanes / VF;

/// Lanes where `x` comes before `best`: greater, or the first NaN.
template <typename V> TTK_INLINE auto beats(V x, V best) {
  return (x > best) | ((x != x) & (best == best));
}

/// The greatest of each of 64 lanes and the block that it is in come first;
/// among the lanes the smallest index wins.
int64_t argmaxRow(const float *row, int64_t n) {
  vf best[kVectors];
  vi block[kVectors];
  int64_t blocks = n / kLanes;
  float value = row[0];
  int64_t index = 0;
  if (blocks > 0) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      best[v] = load<vf>(row + v * VF);
      block[v] = splatI(0);
    }
    for (int64_t b = 1; b < blocks; ++b)
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v) {
        vf x = load<vf>(row + b * kLanes + v * VF);
        vi wins = beats(x, best[v]);
        best[v] = select(wins, x, best[v]);
        block[v] = select(wins, splatI(int32_t(b)), block[v]);
      }
    float values[kLanes];
    int32_t where[kLanes];
    __builtin_memcpy(values, best, sizeof(values));
    __builtin_memcpy(where, block, sizeof(where));
    index = int64_t(where[0]) * kLanes;
    value = values[0];
    for (int lane = 1; lane < kLanes; ++lane) {
      int64_t at = int64_t(where[lane]) * kLanes + lane;
      bool equal = values[lane] == value ||
                   (values[lane] != values[lane] && value != value);
      if (beats(values[lane], value) || (equal && at < index)) {
        value = values[lane];
        index = at;
      }
    }
  }
  for (int64_t i = blocks * kLanes; i < n; ++i)
    if (beats(row[i], value)) {
      value = row[i];
      index = i;
    }
  return index;
}

void argmaxRows(float *best, uint32_t *index, const float *row,
                uint32_t position, int64_t n) {
  int64_t i = 0;
  for (; i + VF <= n; i += VF) {
    vf x = load<vf>(row + i), old = load<vf>(best + i);
    vi wins = beats(x, old);
    store(best + i, select(wins, x, old));
    store(index + i, select(wins, splatU(position), load<vu>(index + i)));
  }
  for (; i < n; ++i)
    if (beats(row[i], best[i])) {
      best[i] = row[i];
      index[i] = position;
    }
}

float squaredDistance(const float *row, float shift, int64_t n) {
  vf sums[kVectors];
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; ++v)
    sums[v] = splat(0.0f);
  auto add = [&](const float *from) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      vf x = load<vf>(from + v * VF) - shift;
      sums[v] += x * x;
    }
  };
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    add(row + i);
  if (i < n) {
    float rest[kLanes];
    for (float &value : rest)
      value = shift;
    __builtin_memcpy(rest, row + i, (n - i) * 4);
    add(rest);
  }
  float lanes[kLanes];
  __builtin_memcpy(lanes, sums, sizeof(lanes));
  for (int width = kLanes / 2; width > 0; width /= 2)
    for (int lane = 0; lane < width; ++lane)
      lanes[lane] += lanes[lane + width];
  return lanes[0];
}

void normalizeRow(float *row, float shift, float factor, const float *weight,
                  const float *bias, int64_t n) {
  if (weight && bias)
    for (int64_t i = 0; i < n; ++i)
      row[i] = (row[i] - shift) * factor * weight[i] + bias[i];
  else if (weight)
    for (int64_t i = 0; i < n; ++i)
      row[i] = (row[i] - shift) * factor * weight[i];
  else if (bias)
    for (int64_t i = 0; i < n; ++i)
      row[i] = (row[i] - shift) * factor + bias[i];
  else
    for (int64_t i = 0; i < n; ++i)
      row[i] = (row[i] - shift) * factor;
}

void mixRows(float *target, const float *a, const float *b, float share,
             int64_t n) {
  float rest = 1.0f - share;
  for (int64_t i = 0; i < n; ++i)
    target[i] = a[i] * rest + b[i] * share;
}

/// Both sides are loaded, so that the compiler makes vectors of it.
template <typename T>
void selectElements(uint32_t mask, const void *condition, const void *a,
                    const void *b, void *out, int64_t n) {
  const T bits = T(mask);
  const T *test = static_cast<const T *>(condition);
  const T *yes = static_cast<const T *>(a), *no = static_cast<const T *>(b);
  T *to = static_cast<T *>(out);
  for (int64_t i = 0; i < n; ++i) {
    T x = yes[i], y = no[i];
    to[i] = T(test[i] & bits) != 0 ? x : y;
  }
}

} // namespace

void fillRows(KernelTable &table) {
  table.argmaxRow = argmaxRow;
  table.argmaxRows = argmaxRows;
  table.squaredDistance = squaredDistance;
  table.normalizeRow = normalizeRow;
  table.mixRows = mixRows;
  table.select[0] = selectElements<uint8_t>;
  table.select[1] = selectElements<uint16_t>;
  table.select[2] = selectElements<uint32_t>;
}

} // namespace tt::runtime::numerics::TTK_ISA
