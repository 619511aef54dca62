// Number formats of the chip, bit for bit: sizes, conversions and rounding.
//
// All functions work on contiguous memory, read nothing else and throw
// std::invalid_argument on a data type that they do not handle. Large spans are
// spread over the thread pool; results do not depend on the thread count nor on
// the instruction set.
#ifndef TT_RUNTIME_NUMERICS_FORMATS_H
#define TT_RUNTIME_NUMERICS_FORMATS_H

#include "ttmlir/Target/Common/formats.h"

#include <bit>
#include <cstdint>

namespace tt::runtime::numerics {

using ttmlir::formats::formatOf;
using ttmlir::formats::kNumFormats;

/// Element formats with the values of the schema's DataType, so a cast
/// converts: the names of cpp/dialects/Formats.td in capitals. BFP* are the
/// block floats, those with an 8-bit shared exponent end in _B.
enum class DType : uint8_t {
#define TTK_ENUMERATOR(Enumerator, NAME, LIBRARY, Kernel) NAME,
  TTMLIR_FORMATS(TTK_ENUMERATOR)
#undef TTK_ENUMERATOR
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

constexpr bool isBlockFloat(DType type) { return formatOf(type).block; }
constexpr bool isFloat(DType type) { return formatOf(type).exponentBits > 0; }
constexpr bool isInteger(DType type) { return !isFloat(type); }
constexpr bool isSigned(DType type) {
  return type == DType::I32 || type == DType::I16 || type == DType::I8;
}

/// Bytes per element, or 0 for block floats, which exist only as tiles.
constexpr int64_t elementSize(DType type) {
  return isBlockFloat(type) ? 0 : formatOf(type).bits / 8;
}

/// Magnitude bits of a block float datum (7, 3 or 1), else 0.
constexpr int bfpMagnitudeBits(DType type) {
  return isBlockFloat(type) ? formatOf(type).mantissaBits : 0;
}

/// True for the formats with a 5-bit exponent (bias 15).
constexpr bool hasShortExponent(DType type) {
  return formatOf(type).exponentBits == 5;
}

/// Bytes of a 32x32 tile, of a block float with its 64 exponents.
constexpr int64_t tileBytes(DType type) { return formatOf(type).tileBytes; }

/// "f32", "bfp8_b" and so on, as in Python.
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
