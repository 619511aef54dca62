// Block floats: 16 data share the biggest exponent of the block.
#include "numerics/isa/table.h"
#include "numerics/isa/transpose.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

constexpr int kBlock = 16;
constexpr int kBlocks = 64;           // in a tile
constexpr int kVectors = kBlock / VF; // in a block

/// Rebiasing to the 5-bit family: f32 exponent 127 is 15 there.
constexpr int kShortBias = 112;

using Block = vi[kVectors];

TTK_INLINE vi vmin(vi a, vi b) { return select(a < b, a, b); }
TTK_INLINE vi vmax(vi a, vi b) { return select(a > b, a, b); }

template <int Step, int... I> TTK_INLINE vi swapLanes(vi x, Lanes<I...>) {
  return __builtin_shufflevector(x, x, (I ^ Step)...);
}

/// The greatest lane, in every lane.
template <int Step = VF / 2> TTK_INLINE vi maxLane(vi x) {
  if constexpr (Step == 0)
    return x;
  else
    return maxLane<Step / 2>(
        vmax(x, swapLanes<Step>(x, typename CountLanes<VF>::type{})));
}

/// The shared exponent of a block in f32 terms.
template <bool Short> TTK_INLINE vi sharedExponent(const Block &exponents) {
  vi greatest = exponents[0];
#pragma GCC unroll 4
  for (int v = 1; v < kVectors; ++v)
    greatest = vmax(greatest, exponents[v]);
  greatest = maxLane(greatest);
  if constexpr (Short)
    greatest =
        vmin(vmax(greatest, splatI(kShortBias)), splatI(kShortBias + 31));
  return greatest;
}

/// Nearest even to Bits magnitude bits. Denormals count as zero.
template <int Bits, bool Short>
TTK_INLINE int quantizeHost(const Block &raw, Block &data) {
  constexpr int32_t kMax = (1 << Bits) - 1;
  constexpr int kDrop = 24 - Bits;
  Block exponents;
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v)
    exponents[v] = (raw[v] >> 23) & 0xff;
  vi top = sharedExponent<Short>(exponents);
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    vi mantissa =
        select(exponents[v] != 0, (raw[v] & 0x7fffff) | 0x800000, vi{});
    vi shift = top - exponents[v];
    vi aligned = mantissa >> vmin(vmax(shift, vi{}), splatI(24));
    vi odd = (aligned >> kDrop) & 1;
    vi magnitude = (aligned + ((1 << (kDrop - 1)) - 1) + odd) >> kDrop;
    magnitude =
        select((magnitude > kMax) | (shift < 0), splatI(kMax), magnitude);
    data[v] = magnitude |
              select((raw[v] < 0) & (magnitude != 0), splatI(1 << Bits), vi{});
  }
  return top[0];
}

/// The packer: 8-bit mantissa with hidden one, aligned with round half up to 7
/// bits; narrower formats take the top bits.
template <int Bits, bool Short, bool KeepNan>
TTK_INLINE int quantizePacker(const Block &raw, Block &data) {
  Block value, exponents;
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    vi magnitude = raw[v] & 0x7fffffff;
    vi rounded = ((magnitude >> 16) + 1) & ~1;
    rounded = select(magnitude > 0x7f800000, splatI(KeepNan ? 0x7fc0 : 0x7f80),
                     rounded);
    value[v] = select(magnitude < 0x00800000, vi{}, rounded);
    exponents[v] = value[v] >> 7;
  }
  vi top = sharedExponent<Short>(exponents);
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    vi mantissa = select(exponents[v] != 0, (value[v] & 0x7f) | 0x80, vi{});
    vi shift = top - exponents[v];
    vi distance = vmin(vmax(shift, vi{}), splatI(8));
    vi magnitude = (mantissa + (splatI(1) << distance)) >> (distance + 1);
    magnitude = select(shift >= 8, vi{}, magnitude);
    magnitude = select((magnitude > 127) | (shift < 0), splatI(127), magnitude);
    magnitude = magnitude >> (7 - Bits);
    data[v] = magnitude |
              select((raw[v] < 0) & (magnitude != 0), splatI(1 << Bits), vi{});
  }
  return top[0];
}

using Shorts8 = uint16_t __attribute__((vector_size(16)));
using Bytes8 = uint8_t __attribute__((vector_size(8)));
using Words4 = uint32_t __attribute__((vector_size(16)));
using Bytes4 = uint8_t __attribute__((vector_size(4)));

/// Packs 16 data of Bits + 1 bits each, the first in the low bits.
template <int Bits>
TTK_INLINE void packBlock(const Block &data, uint8_t *target) {
  uint8_t bytes[kBlock];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v)
    store(bytes + v * VF, __builtin_convertvector(data[v], vb));
  if constexpr (Bits == 7) {
    __builtin_memcpy(target, bytes, kBlock);
  } else if constexpr (Bits == 3) {
    Shorts8 pairs = load<Shorts8>(bytes);
    store(target, __builtin_convertvector(pairs | (pairs >> 4), Bytes8));
  } else {
    Words4 fours = load<Words4>(bytes);
    fours = fours | (fours >> 6) | (fours >> 12) | (fours >> 18);
    store(target, __builtin_convertvector(fours, Bytes4));
  }
}

template <int Bits>
TTK_INLINE void unpackBlock(const uint8_t *source, Block &data) {
  uint8_t bytes[kBlock];
  if constexpr (Bits == 7) {
    __builtin_memcpy(bytes, source, kBlock);
  } else if constexpr (Bits == 3) {
    Shorts8 pairs = __builtin_convertvector(load<Bytes8>(source), Shorts8);
    store(bytes, (pairs | (pairs << 4)) & 0x0f0f);
  } else {
    Words4 fours = __builtin_convertvector(load<Bytes4>(source), Words4);
    fours = fours | (fours << 6) | (fours << 12) | (fours << 18);
    store(bytes, fours & 0x03030303);
  }
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v)
    data[v] = __builtin_convertvector(load<vb>(bytes + v * VF), vi);
}

template <int Bits, bool Short, typename Quantize>
TTK_INLINE void quantizeEach(const float *source, uint8_t *target,
                             int64_t tiles, Quantize quantizeBlock) {
  constexpr int kBytes = kBlock * (Bits + 1) / 8;
  for (int64_t tile = 0; tile < tiles; ++tile) {
    uint8_t *mantissas = target + kBlocks;
    for (int block = 0; block < kBlocks; ++block, source += kBlock) {
      Block raw, data;
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v)
        raw[v] = load<vi>(source + v * VF);
      int top = quantizeBlock(raw, data);
      target[block] = uint8_t(Short ? top - kShortBias : top);
      packBlock<Bits>(data, mantissas + block * kBytes);
    }
    target = mantissas + kBlocks * kBytes;
  }
}

template <int Bits, bool Short>
void quantizeTiles(const float *source, uint8_t *target, int64_t tiles,
                   Rounding rounding) {
  if (rounding == Rounding::Host)
    quantizeEach<Bits, Short>(source, target, tiles, quantizeHost<Bits, Short>);
  else if (rounding == Rounding::Packer)
    quantizeEach<Bits, Short>(source, target, tiles,
                              quantizePacker<Bits, Short, false>);
  else
    quantizeEach<Bits, Short>(source, target, tiles,
                              quantizePacker<Bits, Short, true>);
}

/// 2^exponent for exponents down to the denormals.
TTK_INLINE float powerOfTwo(int exponent) {
  uint32_t raw = exponent >= -126 ? uint32_t(exponent + 127) << 23
                                  : 1u << (exponent + 149);
  float value;
  __builtin_memcpy(&value, &raw, 4);
  return value;
}

template <int Bits, bool Short>
void dequantizeTiles(const uint8_t *source, float *target, int64_t tiles,
                     Rounding rounding) {
  constexpr int kBytes = kBlock * (Bits + 1) / 8;
  constexpr int32_t kMask = (1 << Bits) - 1;
  const vi signOfZero =
      splatI(rounding == Rounding::Unpacker ? int32_t(0xff800000) : INT32_MIN);
  for (int64_t tile = 0; tile < tiles; ++tile) {
    const uint8_t *exponents = source;
    const uint8_t *mantissas = source + kBlocks;
    for (int block = 0; block < kBlocks; ++block, target += kBlock) {
      int exponent =
          Short ? (exponents[block] & 31) - 15 : int(exponents[block]) - 127;
      // The value of a datum is magnitude * 2^(exponent - (Bits - 1)).
      vf scale = splat(powerOfTwo(exponent - (Bits - 1)));
      Block data;
      unpackBlock<Bits>(mantissas + block * kBytes, data);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        vi magnitude = data[v] & kMask;
        vf value = __builtin_convertvector(magnitude, vf) * scale;
        vi sign = select(magnitude == 0, signOfZero, splatI(INT32_MIN));
        sign = select(data[v] > kMask, sign, vi{});
        store(target + v * VF, ibits(value) | sign);
      }
      if (!Short && exponents[block] == 255 && Bits > 1) {
        // Above 1.0 x 2^128 lies NaN, as in f32.
        constexpr int kOne = 1 << (Bits - 1);
        for (int i = 0; i < kBlock; ++i) {
          const int32_t datum = data[i / VF][i % VF];
          if ((datum & kMask) <= kOne)
            continue;
          uint32_t nan = 0x7fc00000u;
          if (rounding == Rounding::Unpacker)
            nan = (datum > kMask ? 0xff800000u : 0x7f800000u) |
                  uint32_t(datum & (kOne - 1)) << (24 - Bits);
          __builtin_memcpy(target + i, &nan, 4);
        }
      }
    }
    source = mantissas + kBlocks * kBytes;
  }
}

void quantize(DType type, const float *source, void *target, int64_t tiles,
              Rounding rounding) {
  uint8_t *to = static_cast<uint8_t *>(target);
  switch (type) {
  case DType::BFP8:
    return quantizeTiles<7, true>(source, to, tiles, rounding);
  case DType::BFP8_B:
    return quantizeTiles<7, false>(source, to, tiles, rounding);
  case DType::BFP4:
    return quantizeTiles<3, true>(source, to, tiles, rounding);
  case DType::BFP4_B:
    return quantizeTiles<3, false>(source, to, tiles, rounding);
  case DType::BFP2:
    return quantizeTiles<1, true>(source, to, tiles, rounding);
  case DType::BFP2_B:
    return quantizeTiles<1, false>(source, to, tiles, rounding);
  default:
    return;
  }
}

void dequantize(DType type, const void *source, float *target, int64_t tiles,
                Rounding rounding) {
  const uint8_t *from = static_cast<const uint8_t *>(source);
  switch (type) {
  case DType::BFP8:
    return dequantizeTiles<7, true>(from, target, tiles, rounding);
  case DType::BFP8_B:
    return dequantizeTiles<7, false>(from, target, tiles, rounding);
  case DType::BFP4:
    return dequantizeTiles<3, true>(from, target, tiles, rounding);
  case DType::BFP4_B:
    return dequantizeTiles<3, false>(from, target, tiles, rounding);
  case DType::BFP2:
    return dequantizeTiles<1, true>(from, target, tiles, rounding);
  case DType::BFP2_B:
    return dequantizeTiles<1, false>(from, target, tiles, rounding);
  default:
    return;
  }
}

} // namespace

void fillBfp(KernelTable &table) {
  table.quantize = quantize;
  table.dequantize = dequantize;
}

} // namespace tt::runtime::numerics::TTK_ISA
