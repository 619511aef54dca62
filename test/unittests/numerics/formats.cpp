// Conversions against arithmetic written once more, in the slow and obvious
// way.
#include "support.h"

using namespace tt::runtime::numerics;
using namespace tt::runtime::numerics::test;

namespace {

class Formats : public EachIsa {};
TT_EACH_ISA(Formats);

uint16_t bf16Oracle(float value, Rounding rounding) {
  uint32_t raw = bitsOf(value);
  uint16_t high = uint16_t(raw >> 16), sign = high & 0x8000;
  bool tiny = std::fabs(value) < 0x1p-126f;
  switch (rounding) {
  case Rounding::Host: {
    if (std::isnan(value))
      return 0x7fc0;
    uint32_t rest = raw & 0xffff;
    return uint16_t(high + (rest > 0x8000 || (rest == 0x8000 && (high & 1))));
  }
  case Rounding::Packer:
    if (std::isnan(value))
      return sign | 0x7f80;
    return tiny ? 0 : uint16_t(high + ((raw >> 15) & 1));
  case Rounding::Unpacker:
    return tiny ? sign : high;
  case Rounding::Fast:
    return std::isnan(value) ? high | 0x40 : uint16_t(high + ((raw >> 15) & 1));
  }
  return 0;
}

double f16Value(uint16_t bits) {
  int exponent = (bits >> 10) & 31;
  double mantissa = bits & 0x3ff, value;
  if (exponent == 31)
    value = mantissa != 0 ? NAN : INFINITY;
  else
    value = exponent ? std::ldexp(1024 + mantissa, exponent - 25)
                     : std::ldexp(mantissa, -24);
  return bits & 0x8000 ? -value : value;
}

TEST_P(Formats, Bf16EveryRounding) {
  std::vector<float> values = wildFloats(100003, 1);
  for (Rounding rounding :
       {Rounding::Host, Rounding::Packer, Rounding::Unpacker, Rounding::Fast}) {
    std::vector<uint16_t> found(values.size());
    fromF32(DType::BF16, values.data(), found.data(), int64_t(values.size()),
            rounding);
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(found[i], bf16Oracle(values[i], rounding))
          << std::hex << bitsOf(values[i]) << " rounding " << int(rounding);
  }
}

TEST_P(Formats, Bf16RoundTripsEveryPattern) {
  std::vector<uint16_t> all(65536), back(65536);
  for (size_t i = 0; i < all.size(); ++i)
    all[i] = uint16_t(i);
  std::vector<float> wide = floatsOf(DType::BF16, all.data(), 65536);
  fromF32(DType::BF16, wide.data(), back.data(), 65536, Rounding::Fast);
  for (size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(bitsOf(wide[i]), uint32_t(i) << 16);
    ASSERT_EQ(back[i], std::isnan(wide[i]) ? all[i] | 0x40 : all[i]);
  }
}

TEST_P(Formats, F16WidensEveryPattern) {
  for (int i = 0; i < 65536; ++i) {
    float found = f16ToF32(uint16_t(i));
    double expected = f16Value(uint16_t(i));
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(found)) << i;
    else
      ASSERT_EQ(bitsOf(found), bitsOf(float(expected))) << i;
  }
}

/// The nearest f16 of a finite value by search among the neighbours.
uint16_t f16Nearest(float value, bool tiesAway) {
  double magnitude = std::fabs(double(value));
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (magnitude >= 65520)
    return sign | 0x7c00;
  int low = 0, high = 0x7bff; // the greatest pattern not above magnitude
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (f16Value(uint16_t(middle)) <= magnitude)
      low = middle;
    else
      high = middle - 1;
  }
  double below = f16Value(uint16_t(low));
  double above = low == 0x7bff ? 65536 : f16Value(uint16_t(low + 1));
  double middle = (below + above) / 2;
  bool up =
      magnitude > middle || (magnitude == middle && (tiesAway || (low & 1)));
  return uint16_t(sign | (low + up));
}

TEST_P(Formats, F16RoundsToNearest) {
  std::vector<float> values = wildFloats(20000, 2);
  std::vector<float> near = randomFloats(20000, 3, -70000, 70000);
  std::vector<float> tiny = randomFloats(20000, 4, -1e-4f, 1e-4f);
  values.insert(values.end(), near.begin(), near.end());
  values.insert(values.end(), tiny.begin(), tiny.end());
  for (int i = 0; i < 4000; ++i) // exact ties
    values.push_back(
        float((f16Value(uint16_t(i * 7)) + f16Value(uint16_t(i * 7 + 1))) / 2));
  for (float value : values) {
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(f16ToF32(f32ToF16(value, Rounding::Host))));
      EXPECT_TRUE(std::isnan(f16ToF32(f32ToF16(value, Rounding::Fast))));
      continue;
    }
    ASSERT_EQ(f32ToF16(value, Rounding::Host), f16Nearest(value, false))
        << value;
    ASSERT_EQ(f32ToF16(value, Rounding::Fast), f16Nearest(value, true))
        << value;
  }
}

TEST_P(Formats, F16PackerClamps) {
  EXPECT_EQ(f32ToF16(1.0f, Rounding::Packer), 0x3c00);
  EXPECT_EQ(f32ToF16(1e6f, Rounding::Packer), 0x7fff);
  EXPECT_EQ(f32ToF16(-1e6f, Rounding::Packer), 0xffff);
  EXPECT_EQ(f32ToF16(kNan, Rounding::Packer) & 0x7fff, 0x7fff);
  EXPECT_EQ(f32ToF16(-1e-9f, Rounding::Packer), 0);
  EXPECT_EQ(f32ToF16(-0.0f, Rounding::Packer), 0);
  EXPECT_EQ(f32ToF16(kInf, Rounding::Unpacker), 0x7c00);
  EXPECT_EQ(f32ToF16(1e6f, Rounding::Unpacker), 0x7bff);
  EXPECT_EQ(f32ToF16(1.9999f, Rounding::Unpacker), 0x3fff);
}

TEST_P(Formats, F32PackerHasNoNanAndNoDenormals) {
  const std::vector<float> values = wildFloats(20000, 8);
  std::vector<float> packed(values.size()), same(values.size());
  const auto count = int64_t(values.size());
  fromF32(DType::F32, values.data(), packed.data(), count, Rounding::Packer);
  fromF32(DType::F32, values.data(), same.data(), count, Rounding::Fast);
  for (size_t i = 0; i < values.size(); ++i) {
    const uint32_t raw = bitsOf(values[i]);
    ASSERT_EQ(bitsOf(same[i]), raw);
    ASSERT_EQ(bitsOf(packed[i]), std::isnan(values[i])
                                     ? (raw & 0x80000000u) | 0x7f800000u
                                 : std::fabs(values[i]) < 0x1p-126f ? 0
                                                                    : raw);
  }
}

TEST_P(Formats, Tf32) {
  for (float value : wildFloats(20000, 5)) {
    uint32_t raw = bitsOf(value), rest = raw & 0x1fff, high = raw & ~0x1fffu;
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(roundToTf32(value)));
      EXPECT_TRUE(std::isinf(roundToTf32(value, Rounding::Packer)));
      continue;
    }
    bool up = rest > 0x1000 || (rest == 0x1000 && (raw & 0x2000));
    EXPECT_EQ(bitsOf(roundToTf32(value)), high + (up ? 0x2000 : 0));
    bool tiny = std::fabs(value) < 0x1p-126f;
    EXPECT_EQ(bitsOf(roundToTf32(value, Rounding::Packer)),
              tiny ? 0 : high + (rest >= 0x1000 ? 0x2000 : 0));
    EXPECT_EQ(bitsOf(roundToTf32(value, Rounding::Unpacker)),
              tiny ? raw & 0x80000000u : high);
  }
}

template <typename T> void checkInteger(DType type) {
  using Limits = std::numeric_limits<T>;
  std::vector<float> values = wildFloats(5000, 6);
  for (float value : randomFloats(5000, 7, -3e5f, 3e5f))
    values.push_back(value);
  for (float value :
       {2147483648.0f, 2147483520.0f, 4294967040.0f, 4294967296.0f,
        -2147483648.0f, 65535.0f, 65536.0f, 255.5f, -0.5f, 0.99f})
    values.push_back(value);
  std::vector<T> found(values.size());
  fromF32(type, values.data(), found.data(), int64_t(values.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    double whole = std::trunc(double(values[i]));
    T expected = std::isnan(whole)                   ? T(0)
                 : whole <= double(Limits::lowest()) ? Limits::lowest()
                 : whole >= double(Limits::max())    ? Limits::max()
                                                     : T(whole);
    ASSERT_EQ(found[i], expected) << values[i];
  }
  std::mt19937 generator(8);
  std::vector<T> integers = {Limits::lowest(), Limits::max(), 0, 1};
  for (int i = 0; i < 5000; ++i)
    integers.push_back(T(generator()));
  std::vector<float> wide =
      floatsOf(type, integers.data(), int64_t(integers.size()));
  for (size_t i = 0; i < integers.size(); ++i)
    ASSERT_EQ(wide[i], float(integers[i])) << integers[i];
}

TEST_P(Formats, Integers) {
  checkInteger<uint32_t>(DType::U32);
  checkInteger<uint16_t>(DType::U16);
  checkInteger<uint8_t>(DType::U8);
  checkInteger<int32_t>(DType::I32);
  checkInteger<int16_t>(DType::I16);
  checkInteger<int8_t>(DType::I8);
}

TEST_P(Formats, IntegerCastsKeepTheLowBits) {
  int32_t source[] = {-5, 0, 255, 256, 70000};
  uint8_t bytes[5];
  convert(DType::I32, source, DType::U8, bytes, 5);
  EXPECT_EQ(std::vector<int>(bytes, bytes + 5),
            (std::vector<int>{251, 0, 255, 0, 112}));
  uint32_t big[] = {0xffffffffu, 7};
  int32_t narrow[2];
  convert(DType::U32, big, DType::I32, narrow, 2);
  EXPECT_EQ(narrow[0], -1);
  EXPECT_EQ(narrow[1], 7);
  uint16_t wide[5];
  convert(DType::I32, source, DType::U16, wide, 5);
  EXPECT_EQ(wide[0], 65531);
  EXPECT_EQ(wide[4], 4464);
  int8_t small[5], back[2] = {-3, 127};
  convert(DType::I32, source, DType::I8, small, 5);
  EXPECT_EQ(std::vector<int>(small, small + 5),
            (std::vector<int>{-5, 0, -1, 0, 112}));
  convert(DType::I8, back, DType::U32, big, 2);
  EXPECT_EQ(big[0], 0xfffffffdu);
  EXPECT_EQ(big[1], 127u);
}

/// The exact host quantization of one datum against a given shared exponent.
int hostMagnitude(float value, int shared, int bias, int bits) {
  if (std::fabs(value) < 0x1p-126f)
    return 0;
  // Bits that the alignment shifts out of 24 are dropped, then nearest even.
  int exponent = std::ilogb(value) + bias;
  double mantissa =
      std::ldexp(std::fabs(double(value)), 23 - std::ilogb(value));
  if (exponent > shared)
    return (1 << bits) - 1;
  double aligned = std::floor(std::ldexp(mantissa, exponent - shared));
  double scaled = std::ldexp(aligned, bits - 24);
  return int(std::min(std::nearbyint(scaled), double((1 << bits) - 1)));
}

TEST_P(Formats, BlockFloatHost) {
  for (DType type : {DType::BFP8_B, DType::BFP4_B, DType::BFP2_B, DType::BFP8,
                     DType::BFP4, DType::BFP2}) {
    int bits = bfpMagnitudeBits(type);
    bool isShort = hasShortExponent(type);
    int bias = isShort ? 15 : 127;
    std::vector<float> source = randomFloats(kTileElements, 9, -3, 3);
    for (size_t i = 0; i < 256; ++i)
      source[i] *= std::ldexp(1.0f, int(i % 40) - 20);
    for (size_t i = 256; i < 272; ++i)
      source[i] = 0;
    std::vector<uint8_t> tile(static_cast<size_t>(tileBytes(type)));
    quantizeTiles(type, source.data(), tile.data(), 1);
    std::vector<float> back(kTileElements);
    dequantizeTiles(type, tile.data(), back.data(), 1);
    std::vector<uint16_t> narrow(kTileElements);
    dequantizeTilesToBf16(type, tile.data(), narrow.data(), 1);
    for (int block = 0; block < 64; ++block) {
      int shared = isShort ? 0 : -1000;
      for (int i = 0; i < 16; ++i) {
        float value = source[size_t(block * 16 + i)];
        if (value != 0)
          shared = std::max(shared, std::ilogb(value) + bias);
      }
      shared = std::min(shared, isShort ? 31 : 255);
      if (shared < 0)
        shared = 0;
      ASSERT_EQ(int(tile[size_t(block)]), shared) << dtypeName(type);
      for (int i = 0; i < 16; ++i) {
        size_t at = size_t(block * 16 + i);
        int magnitude = hostMagnitude(source[at], shared, bias, bits);
        double expected = std::ldexp(magnitude, shared - bias - (bits - 1));
        if (std::signbit(source[at]))
          expected = magnitude ? -expected : 0.0;
        ASSERT_EQ(back[at], float(expected))
            << dtypeName(type) << " of " << source[at];
        ASSERT_EQ(bf16ToF32(narrow[at]), float(expected));
      }
    }
  }
}

TEST_P(Formats, BlockFloatPacker) {
  // 1.0 beside values that need alignment: the packer rounds half up.
  std::vector<float> source(kTileElements, 0.0f);
  source[0] = 1.0f;
  source[1] = 1.0f / 64;  // one unit
  source[2] = 1.0f / 128; // half a unit, away from zero
  source[3] = -1.0f / 128;
  source[4] = 1.0f / 256;   // a quarter, zero
  source[5] = -1.0f / 4096; // far below: +0
  source[6] = 1.99f;        // saturates to 127
  std::vector<uint8_t> tile(1088);
  quantizeTiles(DType::BFP8_B, source.data(), tile.data(), 1, Rounding::Packer);
  EXPECT_EQ(tile[0], 127);
  const uint8_t expected[] = {64, 1, 1, 0x81, 0, 0, 127};
  for (int i = 0; i < 7; ++i)
    EXPECT_EQ(int(tile[size_t(64 + i)]), int(expected[i])) << i;
}

TEST_P(Formats, BlockFloatSpecials) {
  std::vector<float> source(kTileElements, 1.0f), back(kTileElements);
  source[0] = kInf;
  source[17] = kNan;
  std::vector<uint8_t> tile(1088);
  for (Rounding rounding : {Rounding::Host, Rounding::Fast}) {
    quantizeTiles(DType::BFP8_B, source.data(), tile.data(), 1, rounding);
    dequantizeTiles(DType::BFP8_B, tile.data(), back.data(), 1);
    EXPECT_EQ(back[0], kInf);
    EXPECT_TRUE(std::isnan(back[17]));
    EXPECT_EQ(back[32], 1.0f);
  }
  tile.assign(1088, 0);
  tile[64] = 0x80; // sign without magnitude
  dequantizeTiles(DType::BFP8_B, tile.data(), back.data(), 1);
  EXPECT_EQ(bitsOf(back[0]), 0x80000000u);
  dequantizeTiles(DType::BFP8_B, tile.data(), back.data(), 1,
                  Rounding::Unpacker);
  EXPECT_EQ(back[0], -kInf);
  // The bits behind the leading one are those of the NaN.
  tile[0] = 255;
  tile[64] = 0x80 | 0x55;
  dequantizeTiles(DType::BFP8_B, tile.data(), back.data(), 1,
                  Rounding::Unpacker);
  EXPECT_EQ(bitsOf(back[0]), 0xff800000u | 0x15u << 17);
}

TEST(FormatErrors, NameTheType) {
  float value = 0;
  char out[2048];
  EXPECT_THROW(toF32(DType::BFP8_B, out, &value, 1), std::invalid_argument);
  EXPECT_THROW(quantizeTiles(DType::F32, &value, out, 1),
               std::invalid_argument);
  EXPECT_THROW(quantizeTiles(DType::BFP8_B, &value, out, 1, Rounding::Unpacker),
               std::invalid_argument);
}

} // namespace
