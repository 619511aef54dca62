// Number formats of the chip, bit for bit: sizes, conversions and rounding.
//
// All functions work on contiguous memory, read nothing else and throw
// std::invalid_argument on a data type that they do not handle. Large spans are
// spread over the thread pool; results do not depend on the thread count nor on
// the instruction set.
#ifndef TT_RUNTIME_NUMERICS_FORMATS_H
#define TT_RUNTIME_NUMERICS_FORMATS_H

#include <bit>
#include <cstdint>

namespace tt::runtime::numerics {

/// Element formats with the values of the schema's DataType, so a cast
/// converts. BfpF* are the block floats with a 5-bit shared exponent
/// (BFP_Float*), BfpB* those with 8 bits (BFP_BFloat*, the "_b" formats of
/// TTNN).
enum class DType : uint8_t {
  F32 = 0,
  F16 = 1,
  BF16 = 2,
  BfpF8 = 3,
  BfpB8 = 4,
  BfpF4 = 5,
  BfpB4 = 6,
  BfpF2 = 7,
  BfpB2 = 8,
  U32 = 9,
  U16 = 10,
  U8 = 11,
  I32 = 12,
};

/// How a value is brought to a narrower format.
enum class Rounding : uint8_t {
  /// Host conversion: nearest even; NaN becomes the quiet NaN 0x7FC0 (0x7E00 in
  /// f16); infinity and denormals are kept.
  Host,
  /// The packer: half away from zero; NaN becomes infinity of its sign, values
  /// below 2^-126 become +0, f32 for f32 as well. f16 clamps: too small is +0,
  /// too big is 0x7FFF with the sign.
  Packer,
  /// The unpacker: truncation; denormals become zero of their sign.
  Unpacker,
  /// numerics="fast": the packer's rounding (half away from zero) with IEEE
  /// special values: NaN stays NaN (quieted), infinity and denormals stay, f16
  /// overflows to infinity. The default of the TTNN executor.
  Fast,
};

/// Elements in a 32x32 tile and in one of its four faces.
inline constexpr int64_t kTileDim = 32;
inline constexpr int64_t kTileElements = 1024;
inline constexpr int64_t kFaceDim = 16;
inline constexpr int64_t kFaceElements = 256;

constexpr bool isBlockFloat(DType type) {
  return type >= DType::BfpF8 && type <= DType::BfpB2;
}
constexpr bool isInteger(DType type) {
  return type >= DType::U32 && type <= DType::I32;
}
constexpr bool isFloat(DType type) { return !isInteger(type); }

/// Bytes per element, or 0 for block floats, which exist only as tiles.
constexpr int64_t elementSize(DType type) {
  switch (type) {
  case DType::F32:
  case DType::U32:
  case DType::I32:
    return 4;
  case DType::F16:
  case DType::BF16:
  case DType::U16:
    return 2;
  case DType::U8:
    return 1;
  default:
    return 0;
  }
}

/// Magnitude bits of a block float datum (7, 3 or 1), else 0.
constexpr int bfpMagnitudeBits(DType type) {
  switch (type) {
  case DType::BfpF8:
  case DType::BfpB8:
    return 7;
  case DType::BfpF4:
  case DType::BfpB4:
    return 3;
  case DType::BfpF2:
  case DType::BfpB2:
    return 1;
  default:
    return 0;
  }
}

/// True for the block floats with a 5-bit exponent (bias 15).
constexpr bool bfpHasShortExponent(DType type) {
  return type == DType::BfpF8 || type == DType::BfpF4 || type == DType::BfpF2;
}

/// Bytes of a 32x32 tile: 4096, 2048 or 1024 for plain formats, 1088, 576 or
/// 320 for block floats.
constexpr int64_t tileBytes(DType type) {
  return isBlockFloat(type)
             ? 64 + kTileElements * (bfpMagnitudeBits(type) + 1) / 8
             : kTileElements * elementSize(type);
}

/// "f32", "f16", "bf16", "bfp8_f", "bfp8_b", ..., "u32", "u16", "u8", "i32".
const char *dtypeName(DType type);

//===-- Scalars -----------------------------------------------------------===//

inline float bf16ToF32(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}
uint16_t f32ToBf16(float value, Rounding rounding = Rounding::Host);

float f16ToF32(uint16_t bits);
uint16_t f32ToF16(float value, Rounding rounding = Rounding::Host);

/// Rounds to the 10 mantissa bits of tf32; the result is an f32 whose low 13
/// bits are zero.
float roundToTf32(float value, Rounding rounding = Rounding::Host);

//===-- Spans -------------------------------------------------------------===//

/// `count` elements of a plain `type` to f32. Integers round to nearest even.
/// `source` and `target` do not overlap.
void toF32(DType type, const void *source, float *target, int64_t count);

/// f32 to `count` elements of a plain `type`. Integers truncate towards zero
/// and saturate; NaN becomes 0.
void fromF32(DType type, const float *source, void *target, int64_t count,
             Rounding rounding = Rounding::Host);

/// Any plain type to any plain type (typecast). Integers to integers keep the
/// low bits, as in C and NumPy; everything else goes through f32.
void convert(DType sourceType, const void *source, DType targetType,
             void *target, int64_t count, Rounding rounding = Rounding::Host);

/// Rounds f32 to tf32, `target` may be `source`.
void roundToTf32(const float *source, float *target, int64_t count,
                 Rounding rounding = Rounding::Host);

//===-- Block floats ------------------------------------------------------===//

/// Quantizes `tiles` consecutive tiles. `source` holds 1024 f32 per tile in
/// face order (face by face, each 16x16 row-major); `target` receives
/// tileBytes(type) per tile: 64 exponents, then sign and magnitude of the data.
/// Host: nearest even, saturating, sign cleared where the magnitude is 0.
/// Packer and Fast: the packer's arithmetic on the value rounded to bf16.
/// Unpacker is not a way to make block floats and throws.
void quantizeTiles(DType type, const float *source, void *target, int64_t tiles,
                   Rounding rounding = Rounding::Host);

/// The reverse, exact. A datum with the sign set and magnitude 0, which no
/// quantizer writes, is -0, or -infinity with Rounding::Unpacker. A block with
/// exponent 255 yields infinities and NaN, with Unpacker of the datum's bits.
void dequantizeTiles(DType type, const void *source, float *target,
                     int64_t tiles, Rounding rounding = Rounding::Host);

/// The same to bf16 bits; exact too, since a datum has at most 7 bits.
void dequantizeTilesToBf16(DType type, const void *source, uint16_t *target,
                           int64_t tiles, Rounding rounding = Rounding::Host);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_FORMATS_H
