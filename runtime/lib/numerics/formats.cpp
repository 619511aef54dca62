#include "numerics/formats.h"

#include "numerics/check.h"
#include "numerics/isa/table.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime::numerics {
namespace {

/// Elements per task: below it a loop is cheaper than waking a thread.
constexpr int64_t kGrain = 1 << 15;

/// The low bits; what an unsigned source lacks is zero, what a signed one lacks
/// its sign.
template <typename Source, typename Target>
void wrap(const void *source, void *target, int64_t count) {
  const Source *from = static_cast<const Source *>(source);
  Target *to = static_cast<Target *>(target);
  for (int64_t i = 0; i < count; ++i)
    to[i] = Target(from[i]);
}

template <typename Source>
void wrapTo(DType targetType, const void *source, void *target, int64_t count) {
  switch (targetType) {
  case DType::U32:
    return wrap<Source, uint32_t>(source, target, count);
  case DType::U16:
    return wrap<Source, uint16_t>(source, target, count);
  case DType::U8:
    return wrap<Source, uint8_t>(source, target, count);
  case DType::I16:
    return wrap<Source, int16_t>(source, target, count);
  case DType::I8:
    return wrap<Source, int8_t>(source, target, count);
  default:
    return wrap<Source, int32_t>(source, target, count);
  }
}

void integerToInteger(DType sourceType, const void *source, DType targetType,
                      void *target, int64_t count) {
  switch (sourceType) {
  case DType::U32:
    return wrapTo<uint32_t>(targetType, source, target, count);
  case DType::U16:
    return wrapTo<uint16_t>(targetType, source, target, count);
  case DType::U8:
    return wrapTo<uint8_t>(targetType, source, target, count);
  case DType::I16:
    return wrapTo<int16_t>(targetType, source, target, count);
  case DType::I8:
    return wrapTo<int8_t>(targetType, source, target, count);
  default:
    return wrapTo<int32_t>(targetType, source, target, count);
  }
}

void requireBlockFloat(const char *what, DType type) {
  if (!isBlockFloat(type))
    fail(std::string(what) + ": expected a block float, found " +
         dtypeName(type));
}

const char *at(const void *data, int64_t bytes) {
  return static_cast<const char *>(data) + bytes;
}
char *at(void *data, int64_t bytes) {
  return static_cast<char *>(data) + bytes;
}

} // namespace

const char *dtypeName(DType type) {
  return size_t(type) < kNumFormats ? formatOf(type).name : "unknown";
}

uint16_t f32ToBf16(float value, Rounding rounding) {
  uint16_t result;
  kernelTable().fromF32[int(DType::BF16)](&value, &result, 1, rounding);
  return result;
}

uint16_t f32ToF16(float value, Rounding rounding) {
  uint16_t result;
  kernelTable().fromF32[int(DType::F16)](&value, &result, 1, rounding);
  return result;
}

float f16ToF32(uint16_t bits) {
  float result;
  kernelTable().toF32[int(DType::F16)](&bits, &result, 1);
  return result;
}

float roundToTf32(float value, Rounding rounding) {
  float result;
  kernelTable().roundTf32(&value, &result, 1, rounding);
  return result;
}

void toF32(DType type, const void *source, float *target, int64_t count) {
  requirePlain("toF32", type);
  ToF32Fn fn = kernelTable().toF32[int(type)];
  int64_t size = elementSize(type);
  parallelFor(0, count, kGrain, [=](int64_t begin, int64_t end) {
    fn(at(source, begin * size), target + begin, end - begin);
  });
}

void fromF32(DType type, const float *source, void *target, int64_t count,
             Rounding rounding) {
  requirePlain("fromF32", type);
  FromF32Fn fn = kernelTable().fromF32[int(type)];
  int64_t size = elementSize(type);
  parallelFor(0, count, kGrain, [=](int64_t begin, int64_t end) {
    fn(source + begin, at(target, begin * size), end - begin, rounding);
  });
}

void convert(DType sourceType, const void *source, DType targetType,
             void *target, int64_t count, Rounding rounding) {
  requirePlain("convert", sourceType);
  requirePlain("convert", targetType);
  int64_t sourceSize = elementSize(sourceType);
  int64_t targetSize = elementSize(targetType);
  bool integers = isInteger(sourceType) && isInteger(targetType);
  const KernelTable &table = kernelTable();
  parallelFor(0, count, kGrain, [&](int64_t begin, int64_t end) {
    const char *from = at(source, begin * sourceSize);
    char *to = at(target, begin * targetSize);
    if (sourceType == targetType) {
      std::memcpy(to, from, size_t((end - begin) * sourceSize));
      return;
    }
    if (integers) {
      integerToInteger(sourceType, from, targetType, to, end - begin);
      return;
    }
    if (targetType == DType::F32) {
      table.toF32[int(sourceType)](from, reinterpret_cast<float *>(to),
                                   end - begin);
      return;
    }
    if (sourceType == DType::F32) {
      table.fromF32[int(targetType)](reinterpret_cast<const float *>(from), to,
                                     end - begin, rounding);
      return;
    }
    constexpr int64_t kChunk = 1024;
    float buffer[kChunk];
    for (int64_t i = begin; i < end; i += kChunk) {
      int64_t n = std::min(kChunk, end - i);
      table.toF32[int(sourceType)](at(source, i * sourceSize), buffer, n);
      table.fromF32[int(targetType)](buffer, at(target, i * targetSize), n,
                                     rounding);
    }
  });
}

void roundToTf32(const float *source, float *target, int64_t count,
                 Rounding rounding) {
  const KernelTable &table = kernelTable();
  parallelFor(0, count, kGrain, [&](int64_t begin, int64_t end) {
    table.roundTf32(source + begin, target + begin, end - begin, rounding);
  });
}

void quantizeTiles(DType type, const float *source, void *target, int64_t tiles,
                   Rounding rounding) {
  requireBlockFloat("quantizeTiles", type);
  if (rounding == Rounding::Unpacker)
    fail("quantizeTiles: expected host, packer or fast rounding, found "
         "unpacker");
  const KernelTable &table = kernelTable();
  parallelFor(0, tiles, 16, [&](int64_t begin, int64_t end) {
    table.quantize(type, source + begin * kTileElements,
                   at(target, begin * tileBytes(type)), end - begin, rounding);
  });
}

void dequantizeTiles(DType type, const void *source, float *target,
                     int64_t tiles, Rounding rounding) {
  requireBlockFloat("dequantizeTiles", type);
  const KernelTable &table = kernelTable();
  parallelFor(0, tiles, 16, [&](int64_t begin, int64_t end) {
    table.dequantize(type, at(source, begin * tileBytes(type)),
                     target + begin * kTileElements, end - begin, rounding);
  });
}

void dequantizeTilesToBf16(DType type, const void *source, uint16_t *target,
                           int64_t tiles, Rounding rounding) {
  requireBlockFloat("dequantizeTilesToBf16", type);
  const KernelTable &table = kernelTable();
  parallelFor(0, tiles, 16, [&](int64_t begin, int64_t end) {
    float buffer[kTileElements];
    for (int64_t tile = begin; tile < end; ++tile) {
      table.dequantize(type, at(source, tile * tileBytes(type)), buffer, 1,
                       rounding);
      // The values are bf16 already; Host rounding only keeps their bits.
      table.fromF32[int(DType::BF16)](buffer, target + tile * kTileElements,
                                      kTileElements, Rounding::Host);
    }
  });
}

} // namespace tt::runtime::numerics
