// Block floats: 16 data share the biggest exponent of the block.
#include "kernels/isa/simd.h"
#include "kernels/isa/table.h"

namespace tt::runtime::kernels::TTK_ISA {
namespace {

constexpr int kBlock = 16;
constexpr int kBlocks = 64; // in a tile

/// Rebiasing to the 5-bit family: f32 exponent 127 is 15 there.
constexpr int kShortBias = 112;

/// Nearest even to Bits magnitude bits.
template <int Bits, bool Short>
TTK_INLINE void quantizeHost(const float *source, uint8_t *exponent,
                             uint8_t *data) {
  int32_t raw[kBlock], exp[kBlock];
  __builtin_memcpy(raw, source, sizeof(raw));
  int32_t shared = 0;
  for (int i = 0; i < kBlock; ++i) {
    exp[i] = (raw[i] >> 23) & 0xff;
    shared = exp[i] > shared ? exp[i] : shared;
  }
  int32_t top = shared;
  if constexpr (Short) {
    top = top < kShortBias ? kShortBias : top;
    top = top > kShortBias + 31 ? kShortBias + 31 : top;
  }
  constexpr int32_t kMax = (1 << Bits) - 1;
  constexpr int kDrop = 24 - Bits;
  for (int i = 0; i < kBlock; ++i) {
    // Denormals count as zero.
    int32_t mantissa = exp[i] ? ((raw[i] & 0x7fffff) | 0x800000) : 0;
    int32_t shift = top - exp[i];
    int32_t aligned = mantissa >> (shift < 0 ? 0 : shift > 24 ? 24 : shift);
    int32_t odd = (aligned >> kDrop) & 1;
    int32_t magnitude = (aligned + (1 << (kDrop - 1)) - 1 + odd) >> kDrop;
    magnitude = magnitude > kMax || shift < 0 ? kMax : magnitude;
    int32_t sign = magnitude ? (uint32_t(raw[i]) >> 31) : 0;
    data[i] = uint8_t((sign << Bits) | magnitude);
  }
  *exponent = uint8_t(Short ? top - kShortBias : top);
}

/// The packer: 8-bit mantissa with hidden one, aligned with round half up to 7
/// bits; narrower formats take the top bits.
template <int Bits, bool Short, bool KeepNan>
TTK_INLINE void quantizePacker(const float *source, uint8_t *exponent,
                               uint8_t *data) {
  int32_t raw[kBlock], value[kBlock];
  __builtin_memcpy(raw, source, sizeof(raw));
  int32_t shared = 0;
  for (int i = 0; i < kBlock; ++i) {
    int32_t magnitude = raw[i] & 0x7fffffff;
    int32_t special = KeepNan ? 0x7fc0 : 0x7f80;
    int32_t rounded = magnitude > 0x7f800000
                          ? special
                          : (((magnitude >> 16) + 1) & ~1);
    value[i] = magnitude < 0x00800000 ? 0 : rounded;
    int32_t exp = value[i] >> 7;
    shared = exp > shared ? exp : shared;
  }
  int32_t top = shared;
  if constexpr (Short) {
    top = top < kShortBias ? kShortBias : top;
    top = top > kShortBias + 31 ? kShortBias + 31 : top;
  }
  for (int i = 0; i < kBlock; ++i) {
    int32_t exp = value[i] >> 7;
    int32_t mantissa = exp ? ((value[i] & 0x7f) | 0x80) : 0;
    int32_t shift = top - exp;
    int32_t distance = shift < 0 ? 0 : shift > 8 ? 8 : shift;
    int32_t magnitude = (mantissa + (1 << distance)) >> (distance + 1);
    magnitude = shift >= 8 ? 0 : magnitude;
    magnitude = magnitude > 127 || shift < 0 ? 127 : magnitude;
    magnitude >>= 7 - Bits;
    int32_t sign = magnitude ? (uint32_t(raw[i]) >> 31) : 0;
    data[i] = uint8_t((sign << Bits) | magnitude);
  }
  *exponent = uint8_t(Short ? top - kShortBias : top);
}

/// Packs 16 data of Bits + 1 bits each, the first in the low bits.
template <int Bits>
TTK_INLINE void packBlock(const uint8_t *data, uint8_t *target) {
  if constexpr (Bits == 7) {
    __builtin_memcpy(target, data, kBlock);
  } else if constexpr (Bits == 3) {
    for (int i = 0; i < kBlock / 2; ++i)
      target[i] = uint8_t(data[2 * i] | (data[2 * i + 1] << 4));
  } else {
    for (int i = 0; i < kBlock / 4; ++i)
      target[i] = uint8_t(data[4 * i] | (data[4 * i + 1] << 2) |
                          (data[4 * i + 2] << 4) | (data[4 * i + 3] << 6));
  }
}

template <int Bits>
TTK_INLINE void unpackBlock(const uint8_t *source, uint8_t *data) {
  constexpr int kPerByte = 8 / (Bits + 1);
  for (int i = 0; i < kBlock; ++i)
    data[i] = (source[i / kPerByte] >> ((i % kPerByte) * (Bits + 1))) &
              ((1 << (Bits + 1)) - 1);
}

template <int Bits, bool Short>
void quantizeTiles(const float *source, uint8_t *target, int64_t tiles,
                   Rounding rounding) {
  constexpr int kBytes = kBlock * (Bits + 1) / 8;
  for (int64_t tile = 0; tile < tiles; ++tile) {
    uint8_t *exponents = target;
    uint8_t *mantissas = target + kBlocks;
    for (int block = 0; block < kBlocks; ++block, source += kBlock) {
      uint8_t data[kBlock];
      if (rounding == Rounding::Host)
        quantizeHost<Bits, Short>(source, exponents + block, data);
      else if (rounding == Rounding::Packer)
        quantizePacker<Bits, Short, false>(source, exponents + block, data);
      else
        quantizePacker<Bits, Short, true>(source, exponents + block, data);
      packBlock<Bits>(data, mantissas + block * kBytes);
    }
    target = mantissas + kBlocks * kBytes;
  }
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
  const int32_t signOfZero = rounding == Rounding::Unpacker ? int32_t(0xff800000)
                                                            : INT32_MIN;
  for (int64_t tile = 0; tile < tiles; ++tile) {
    const uint8_t *exponents = source;
    const uint8_t *mantissas = source + kBlocks;
    for (int block = 0; block < kBlocks; ++block, target += kBlock) {
      int exponent = Short ? (exponents[block] & 31) - 15
                           : int(exponents[block]) - 127;
      // The value of a datum is magnitude * 2^(exponent - (Bits - 1)).
      float scale = powerOfTwo(exponent - (Bits - 1));
      uint8_t data[kBlock];
      unpackBlock<Bits>(mantissas + block * kBytes, data);
      for (int i = 0; i < kBlock; ++i) {
        int32_t magnitude = data[i] & kMask;
        float value = float(magnitude) * scale;
        int32_t raw;
        __builtin_memcpy(&raw, &value, 4);
        int32_t sign = -(data[i] >> Bits); // 0 or -1
        raw |= sign & (magnitude ? INT32_MIN : signOfZero);
        __builtin_memcpy(target + i, &raw, 4);
      }
      if (!Short && exponents[block] == 255 && Bits > 1) {
        // Above 1.0 x 2^128 lies NaN, as in f32.
        for (int i = 0; i < kBlock; ++i)
          if ((data[i] & kMask) > (1 << (Bits - 1)))
            target[i] = __builtin_nanf("");
      }
    }
    source = mantissas + kBlocks * kBytes;
  }
}

void quantize(DType type, const float *source, void *target, int64_t tiles,
              Rounding rounding) {
  uint8_t *to = static_cast<uint8_t *>(target);
  switch (type) {
  case DType::BfpF8:
    return quantizeTiles<7, true>(source, to, tiles, rounding);
  case DType::BfpB8:
    return quantizeTiles<7, false>(source, to, tiles, rounding);
  case DType::BfpF4:
    return quantizeTiles<3, true>(source, to, tiles, rounding);
  case DType::BfpB4:
    return quantizeTiles<3, false>(source, to, tiles, rounding);
  case DType::BfpF2:
    return quantizeTiles<1, true>(source, to, tiles, rounding);
  case DType::BfpB2:
    return quantizeTiles<1, false>(source, to, tiles, rounding);
  default:
    return;
  }
}

void dequantize(DType type, const void *source, float *target, int64_t tiles,
                Rounding rounding) {
  const uint8_t *from = static_cast<const uint8_t *>(source);
  switch (type) {
  case DType::BfpF8:
    return dequantizeTiles<7, true>(from, target, tiles, rounding);
  case DType::BfpB8:
    return dequantizeTiles<7, false>(from, target, tiles, rounding);
  case DType::BfpF4:
    return dequantizeTiles<3, true>(from, target, tiles, rounding);
  case DType::BfpB4:
    return dequantizeTiles<3, false>(from, target, tiles, rounding);
  case DType::BfpF2:
    return dequantizeTiles<1, true>(from, target, tiles, rounding);
  case DType::BfpB2:
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

} // namespace tt::runtime::kernels::TTK_ISA
