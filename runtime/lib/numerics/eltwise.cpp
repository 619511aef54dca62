#include "numerics/eltwise.h"

#include "numerics/check.h"
#include "numerics/eltwise_span.h"
#include "numerics/parallel.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>

namespace tt::runtime::numerics {
namespace {

/// Elements per task; a multiple of a tile.
constexpr int64_t kGrain = 1 << 15;
/// Elements converted at a time; three buffers stay in L1.
constexpr int64_t kChunk = 1024;
/// Results from this size on bypass the caches.
constexpr int64_t kStreamBytes = int64_t(8) << 20;

const char *at(const void *data, int64_t bytes) {
  return static_cast<const char *>(data) + bytes;
}
char *at(void *data, int64_t bytes) {
  return static_cast<char *>(data) + bytes;
}

/// Bytes of `count` elements; block floats count in tiles.
int64_t spanBytes(DType type, int64_t count) {
  return isBlockFloat(type) ? count / kTileElements * tileBytes(type)
                            : count * elementSize(type);
}

void checkCount(const char *what, DType type, int64_t count) {
  if (count < 0 || (isBlockFloat(type) && count % kTileElements))
    fail(std::string(what) + ": expected a count of at least 0" +
         (isBlockFloat(type) ? " in whole tiles of 1024" : "") + ", found " +
         std::to_string(count));
}

void readChunk(const SpanContext &context, const void *source, int64_t first,
               float *target, int64_t count) {
  if (isBlockFloat(context.type))
    context.table.dequantize(context.type,
                             at(source, spanBytes(context.type, first)), target,
                             count / kTileElements, Rounding::Host);
  else
    context.table.toF32[int(context.type)](
        at(source, first * elementSize(context.type)), target, count);
}

void writeChunk(const SpanContext &context, const float *source, void *target,
                int64_t first, int64_t count) {
  if (isBlockFloat(context.type))
    context.table.quantize(context.type, source,
                           at(target, spanBytes(context.type, first)),
                           count / kTileElements, context.rounding);
  else
    context.table.fromF32[int(context.type)](
        source, at(target, first * elementSize(context.type)), count,
        context.rounding);
}

SpanContext makeContext(const char *what, DType type, Rounding rounding,
                        int64_t count, bool inPlace) {
  checkCount(what, type, count);
  if (isBlockFloat(type) && rounding == Rounding::Unpacker)
    fail(std::string(what) + ": expected host, packer or fast rounding for "
                             "block floats, found unpacker");
  return {kernelTable(), type, rounding,
          !inPlace && spanBytes(type, count) >= kStreamBytes};
}

/// Spans from this size on look their results up.
constexpr int64_t kLookUp = 1 << 14;

/// Functions that cost more than a load from the second cache.
bool isSlow(UnaryOp op) {
  const VectorWork &work = functionOf(op).work;
  if (functionOf(op).parameters) // results for each of them
    return false;
  return work.passes > 1 || work.exps + work.sigmoids + work.tanhs + work.gelus;
}

/// The results of a function for all 65536 operands in bf16, to compute `count`
/// of them; null while few were. They are the same for every instruction set.
const uint16_t *bf16Results(const KernelTable &table, UnaryOp op,
                            int64_t count) {
  constexpr int64_t kCount = 1 << 16;
  struct Results {
    std::atomic<int64_t> computed = 0; // one by one
    std::once_flag made;
    std::unique_ptr<uint16_t[]> values;
  };
  static Results results[kUnaryOps];
  Results &entry = results[int(op)];
  if (count < kLookUp) {
    if (entry.computed.load(std::memory_order_relaxed) < kCount) {
      entry.computed.fetch_add(count, std::memory_order_relaxed);
      return nullptr;
    }
  }
  std::call_once(entry.made, [&] {
    entry.values.reset(new uint16_t[size_t(kCount)]);
    for (int64_t i = 0; i < kCount; ++i)
      entry.values[size_t(i)] = uint16_t(i);
    table.unaryBf16[int(op)](entry.values.get(), entry.values.get(), kCount, {},
                             false);
  });
  return entry.values.get();
}

} // namespace

static void checkFunction(const Function *functions, int count, int op,
                          DType type) {
  if (op >= count)
    fail("expected an elementwise function below " + std::to_string(count) +
         ", found " + std::to_string(op));
  if (functions[op].integersOnly && !isInteger(type))
    fail(std::string(functions[op].name) +
         ": expected an integer type, found " + dtypeName(type));
}

void checkOp(UnaryOp op, DType type) {
  checkFunction(kUnaryFunctions, kUnaryOps, int(op), type);
}

void checkOp(BinaryOp op, DType type) {
  checkFunction(kBinaryFunctions, kBinaryOps, int(op), type);
}

void unarySpan(const SpanContext &context, UnaryOp op, const void *in,
               void *out, int64_t count, UnaryParams params) {
  const KernelTable &table = context.table;
  UnaryFn fn = nullptr;
  if (context.type == DType::F32) {
    fn = table.unaryF32[int(op)];
  } else if (context.type == DType::BF16 &&
             context.rounding == Rounding::Fast) {
    const uint16_t *results =
        isSlow(op) ? bf16Results(table, op, count) : nullptr;
    if (results) {
      const auto *from = static_cast<const uint16_t *>(in);
      auto *to = static_cast<uint16_t *>(out);
      for (int64_t i = 0; i < count; ++i)
        to[i] = results[from[i]];
      return;
    }
    fn = table.unaryBf16[int(op)];
  }
  if (isInteger(context.type))
    fn = table.unaryInt[int(op)][integerIndex(context.type)];
  if (fn)
    return fn(in, out, count, params, context.stream);
  alignas(64) float buffer[kChunk];
  for (int64_t i = 0; i < count; i += kChunk) {
    int64_t n = std::min(kChunk, count - i);
    readChunk(context, in, i, buffer, n);
    table.unaryF32[int(op)](buffer, buffer, n, params, false);
    writeChunk(context, buffer, out, i, n);
  }
}

void binarySpan(const SpanContext &context, BinaryOp op, Spread spread,
                const void *a, const void *b, void *out, int64_t count) {
  const KernelTable &table = context.table;
  BinaryFn fn = nullptr;
  if (context.type == DType::F32)
    fn = table.binaryF32[int(op)][int(spread)];
  else if (context.type == DType::BF16 && context.rounding == Rounding::Fast)
    fn = table.binaryBf16[int(op)][int(spread)];
  else if (isInteger(context.type))
    fn = table.binaryInt[int(op)][integerIndex(context.type)][int(spread)];
  if (fn)
    return fn(a, b, out, count, context.stream);
  alignas(64) float x[kChunk], y[kChunk];
  if (spread == Spread::First)
    table.toF32[int(context.type)](a, x, 1);
  if (spread == Spread::Second)
    table.toF32[int(context.type)](b, y, 1);
  for (int64_t i = 0; i < count; i += kChunk) {
    int64_t n = std::min(kChunk, count - i);
    if (spread != Spread::First)
      readChunk(context, a, i, x, n);
    if (spread != Spread::Second)
      readChunk(context, b, i, y, n);
    // The operand that varies is also the place of the result.
    float *result = spread == Spread::First ? y : x;
    table.binaryF32[int(op)][int(spread)](x, y, result, n, false);
    writeChunk(context, result, out, i, n);
  }
}

void unary(UnaryOp op, DType type, const void *input, void *output,
           int64_t count, Rounding rounding, UnaryParams params) {
  checkOp(op, type);
  SpanContext context =
      makeContext(functionOf(op).name, type, rounding, count, input == output);
  parallelFor(0, count, kGrain, [&](int64_t begin, int64_t end) {
    int64_t offset = spanBytes(type, begin);
    unarySpan(context, op, at(input, offset), at(output, offset), end - begin,
              params);
  });
}

void binary(BinaryOp op, DType type, const void *a, const void *b, void *output,
            int64_t count, Rounding rounding) {
  checkOp(op, type);
  SpanContext context = makeContext(functionOf(op).name, type, rounding, count,
                                    output == a || output == b);
  parallelFor(0, count, kGrain, [&](int64_t begin, int64_t end) {
    int64_t offset = spanBytes(type, begin);
    binarySpan(context, op, Spread::None, at(a, offset), at(b, offset),
               at(output, offset), end - begin);
  });
}

void binaryScalar(BinaryOp op, DType type, const void *a, const void *b,
                  bool scalarFirst, void *output, int64_t count,
                  Rounding rounding) {
  checkOp(op, type);
  requirePlain(functionOf(op).name, type);
  SpanContext context =
      makeContext(functionOf(op).name, type, rounding, count, output == a);
  parallelFor(0, count, kGrain, [&](int64_t begin, int64_t end) {
    int64_t offset = spanBytes(type, begin);
    const void *first = at(a, offset), *second = b;
    if (scalarFirst)
      std::swap(first, second);
    binarySpan(context, op, scalarFirst ? Spread::First : Spread::Second, first,
               second, at(output, offset), end - begin);
  });
}

void where(DType type, const void *condition, const void *a, const void *b,
           void *output, int64_t count) {
  requirePlain("where", type);
  checkCount("where", type, count);
  // condition != 0 on the bits: both zeros of a float are false, NaN is true.
  const uint32_t mask = isInteger(type)      ? ~0u
                        : type == DType::F32 ? 0x7fffffffu
                                             : 0x7fffu;
  const auto select = kernelTable().select[elementSize(type) / 2];
  parallelFor(0, count, kGrain, [&](int64_t begin, int64_t end) {
    int64_t offset = spanBytes(type, begin);
    select(mask, at(condition, offset), at(a, offset), at(b, offset),
           at(output, offset), end - begin);
  });
}

void fill(DType type, float value, void *output, int64_t count,
          Rounding rounding) {
  requirePlain("fill", type);
  checkCount("fill", type, count);
  char element[4];
  kernelTable().fromF32[int(type)](&value, element, 1, rounding);
  int64_t size = elementSize(type);
  char pattern[64];
  for (int64_t i = 0; i < 64; i += size)
    std::memcpy(pattern + i, element, size_t(size));
  parallelFor(0, count, kGrain * 4, [&](int64_t begin, int64_t end) {
    char *to = at(output, begin * size);
    int64_t bytes = (end - begin) * size, i = 0;
    for (; i + 64 <= bytes; i += 64)
      std::memcpy(to + i, pattern, 64);
    std::memcpy(to + i, pattern, size_t(bytes - i));
  });
}

void arange(DType type, double start, double step, void *output, int64_t count,
            Rounding rounding) {
  requirePlain("arange", type);
  checkCount("arange", type, count);
  int64_t size = elementSize(type);
  const KernelTable &table = kernelTable();
  parallelFor(0, count, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      double value = start + double(i) * step;
      char *to = at(output, i * size);
      if (isInteger(type) && value >= -9.2e18 && value <= 9.2e18) {
        int64_t whole = int64_t(value);
        std::memcpy(to, &whole, size_t(size)); // little endian, wraps
      } else {
        float single = float(value);
        table.fromF32[int(type)](&single, to, 1, rounding);
      }
    }
  });
}

} // namespace tt::runtime::numerics
