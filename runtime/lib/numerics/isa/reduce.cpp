// Row reductions in f32 with a tree that is the same for every vector width:
// 64 running sums (element i goes to sum i mod 64), then halving.
#include "numerics/isa/math.h"
#include "numerics/isa/simd.h"
#include "numerics/isa/table.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

constexpr int kLanes = 64;
constexpr int kVectors = kLanes / VF;

struct Sum {
  static constexpr float identity = 0.0f;
  template <typename V> static TTK_INLINE V apply(V x, V y) { return x + y; }
};
struct Prod {
  static constexpr float identity = 1.0f;
  template <typename V> static TTK_INLINE V apply(V x, V y) { return x * y; }
};
struct Max {
  static constexpr float identity = -kInfinity;
  static TTK_INLINE vf apply(vf x, vf y) {
    return select((x > y) | isNan(x), x, y);
  }
  static TTK_INLINE float apply(float x, float y) {
    return x > y || x != x ? x : y;
  }
};
struct Min {
  static constexpr float identity = kInfinity;
  static TTK_INLINE vf apply(vf x, vf y) {
    return select((x < y) | isNan(x), x, y);
  }
  static TTK_INLINE float apply(float x, float y) {
    return x < y || x != x ? x : y;
  }
};

template <typename Op> TTK_INLINE float finish(vf (&sums)[kVectors]) {
  float lanes[kLanes];
  __builtin_memcpy(lanes, sums, sizeof(lanes));
  for (int width = kLanes / 2; width > 0; width /= 2)
    for (int i = 0; i < width; ++i)
      lanes[i] = Op::apply(lanes[i], lanes[i + width]);
  return lanes[0];
}

/// Reduces change(block) over blocks of 64 elements, the last one padded.
template <typename Op, typename Change>
TTK_INLINE float reduceBlocks(const float *row, int64_t n, Change change) {
  vf sums[kVectors];
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; ++v)
    sums[v] = splat(Op::identity);
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v)
      sums[v] = Op::apply(sums[v], change(row + i + v * VF));
  if (i < n) {
    float rest[kLanes];
    for (float &value : rest)
      value = Op::identity;
    __builtin_memcpy(rest, row + i, (n - i) * 4);
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v)
      sums[v] = Op::apply(sums[v], load<vf>(rest + v * VF));
  }
  return finish<Op>(sums);
}

template <typename Op> float reduceRow(const float *row, int64_t n) {
  return reduceBlocks<Op>(row, n, [](const float *at) { return load<vf>(at); });
}

template <typename Op>
void combineRows(float *target, const float *source, int64_t n) {
  int64_t i = 0;
  for (; i + VF <= n; i += VF)
    store(target + i, Op::apply(load<vf>(target + i), load<vf>(source + i)));
  for (; i < n; ++i)
    target[i] = Op::apply(target[i], source[i]);
}

template <typename Op> void combineTileRows(const float *tile, float *out) {
  for (int col = 0; col < 32; col += VF) {
    const float *face = tile + col / 16 * 256 + col % 16;
    vf row = load<vf>(face);
    for (int i = 1; i < 16; ++i)
      row = Op::apply(row, load<vf>(face + i * 16));
    for (int i = 0; i < 16; ++i)
      row = Op::apply(row, load<vf>(face + 512 + i * 16));
    store(out + col, row);
  }
}

void scaleRow(float *target, float factor, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    target[i] *= factor;
}

float expShiftSum(float *row, float shift, int64_t n) {
  int64_t whole = n / VF * VF;
  for (int64_t i = 0; i < whole; i += VF)
    store(row + i, vexp(load<vf>(row + i) - shift));
  if (whole < n) {
    float rest[VF] = {};
    __builtin_memcpy(rest, row + whole, (n - whole) * 4);
    store(rest, vexp(load<vf>(rest) - shift));
    __builtin_memcpy(row + whole, rest, (n - whole) * 4);
  }
  return reduceRow<Sum>(row, n);
}

void expRows(float *target, const float *shift, int64_t n) {
  int64_t whole = n / VF * VF;
  for (int64_t i = 0; i < whole; i += VF)
    store(target + i, vexp(load<vf>(target + i) - load<vf>(shift + i)));
  if (whole < n) {
    float x[VF] = {}, y[VF] = {};
    __builtin_memcpy(x, target + whole, (n - whole) * 4);
    __builtin_memcpy(y, shift + whole, (n - whole) * 4);
    store(x, vexp(load<vf>(x) - load<vf>(y)));
    __builtin_memcpy(target + whole, x, (n - whole) * 4);
  }
}

void divideRows(float *target, const float *divisor, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    target[i] /= divisor[i];
}

void divideRow(float *target, float divisor, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    target[i] /= divisor;
}

} // namespace

void fillReduce(KernelTable &table) {
  table.sumRow = reduceRow<Sum>;
  table.maxRow = reduceRow<Max>;
  table.minRow = reduceRow<Min>;
  table.prodRow = reduceRow<Prod>;
  table.addRows = combineRows<Sum>;
  table.maxRows = combineRows<Max>;
  table.minRows = combineRows<Min>;
  table.mulRows = combineRows<Prod>;
  table.scaleRow = scaleRow;
  table.sumTileRows = combineTileRows<Sum>;
  table.maxTileRows = combineTileRows<Max>;
  table.minTileRows = combineTileRows<Min>;
  table.expShiftSum = expShiftSum;
  table.expRows = expRows;
  table.divideRows = divideRows;
  table.divideRow = divideRow;
}

} // namespace tt::runtime::numerics::TTK_ISA
