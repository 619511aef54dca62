// Vector engine functions without TTIR ops, on destination tiles: arithmetic
// with a scalar, comparisons with 0, integers, copies, random numbers and
// reductions.
#include "numerics/eltwise_span.h"
#include "tensix/engine.h"
#include "tensix/sorting.h"

#include <array>
#include <bit>
#include <string>

namespace tt::runtime::tensix {

using numerics::BinaryOp;
using numerics::kernelTable;
using numerics::kTileDim;
using numerics::SpanContext;
using numerics::Spread;
using numerics::UnaryOp;
using ::tt::target::metal::PoolType;
using ::tt::target::metal::ReduceDim;

namespace {

SpanContext spans(Kind kind) {
  return {kernelTable(), typeOf(kind), numerics::Rounding::Fast};
}

/// Computes tile op integer.
void combineIntegers(ComputeContext &context, BinaryOp op, Dst dst,
                     std::uint32_t number) {
  numerics::binarySpan(spans(dst.tile.kind), op, Spread::Second, dst.words,
                       &number, dst.words, kElements);
  finish(context, dst, dst.tile.kind, dst.tile.half);
}

template <BinaryOp Op, Spread Side = Spread::Second>
void withFloat(ComputeContext &context, const std::uint64_t *operands) {
  tensix::combine(
      context, Op,
      readFloats(context, "the tile of a function with a number", operands[0]),
      std::bit_cast<float>(std::uint32_t(operands[1])), Side);
}

template <BinaryOp Op>
void withInteger(ComputeContext &context, const std::uint64_t *operands) {
  combineIntegers(context, Op,
                  readIntegers(context, "the tile of a function with a number",
                               operands[0]),
                  std::uint32_t(operands[1]));
}

template <BinaryOp Op>
void compareFloats(ComputeContext &context, const std::uint64_t *operands) {
  Dst dst = readFloats(context, "a comparison with 0", operands[0]);
  const float zero = 0;
  numerics::binarySpan(spans(Kind::F32), Op, Spread::Second, dst.words, &zero,
                       dst.words, kElements);
  finish(context, dst, Kind::F32, dst.tile.half);
}

template <BinaryOp Op>
void compareIntegers(ComputeContext &context, const std::uint64_t *operands) {
  combineIntegers(
      context, Op,
      readIntegers(context, "a comparison of integers with 0", operands[0]), 0);
}

template <UnaryOp Op>
void ofIntegers(ComputeContext &context, const std::uint64_t *operands) {
  Dst dst = readIntegers(context, numerics::functionOf(Op).name, operands[0]);
  numerics::unarySpan(spans(dst.tile.kind), Op, dst.words, dst.words, kElements,
                      {});
  finish(context, dst, dst.tile.kind, false);
}

/// The type operand of an instruction; a fault if it does not match the tile.
DType checkedType(ComputeContext &context, const char *what,
                  std::uint64_t number, const Dst &dst) {
  if (number >= numerics::kNumFormats)
    context.access.fault(ComputeFault::Operand,
                         "expected a data type below " +
                             std::to_string(numerics::kNumFormats) +
                             ", found " + std::to_string(number));
  const DType type = DType(number);
  if (numerics::isFloat(type) != (dst.tile.kind == Kind::F32))
    faultFormat(context, what, numerics::dtypeName(type),
                std::string("a destination tile of ") +
                    numerics::dtypeName(typeOf(dst.tile.kind)));
  return type;
}

template <BinaryOp Op>
void integers(ComputeContext &context, const std::uint64_t *operands) {
  constexpr const char *what = "arithmetic of integers";
  Dst a = readIntegers(context, what, operands[0]);
  Dst b = readIntegers(context, what, operands[1]);
  const DType type = checkedType(context, what, operands[3], a);
  if (numerics::isFloat(type))
    faultFormat(context, what, "a data type of integers",
                numerics::dtypeName(type));
  const Kind kind = kindOf(type);
  Dst out = writeDst(context, operands[2]);
  numerics::binarySpan(spans(kind), Op, Spread::None, a.words, b.words,
                       out.words, kElements);
  if (numerics::elementSize(type) < 4) {
    TileBuffer narrow;
    numerics::convert(typeOf(kind), out.words, type, narrow.words, kElements,
                      packRounding(context));
    numerics::convert(type, narrow.words, typeOf(kind), out.words, kElements);
  }
  finish(context, out, kind, false);
}

void copyValues(ComputeContext &context, const std::uint64_t *operands) {
  Dst from = readDst(context, operands[0]);
  checkedType(context, "copy_dest_values", operands[2], from);
  Dst to = writeDst(context, operands[1]);
  std::memmove(to.words, from.words, sizeof(TileBuffer));
  mark(context, to, from.tile.kind, from.tile.half);
}

//===-- Random numbers ----------------------------------------------------===//

void seed(ComputeContext &context, const std::uint64_t *operands) {
  context.random = operands[0];
}

/// 32 random bits: a counter, mixed by multiplications and shifts.
std::uint32_t draw(std::uint64_t &state) {
  std::uint64_t x = state += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return std::uint32_t(x >> 32);
}

void random(ComputeContext &context, const std::uint64_t *operands) {
  const float from = std::bit_cast<float>(std::uint32_t(operands[1]));
  const float scale = std::bit_cast<float>(std::uint32_t(operands[2]));
  Dst dst = writeDst(context, operands[0]);
  // 24 bits, so that none rounds to 1.
  for (std::int64_t i = 0; i < kElements; ++i)
    dst.floats()[i] =
        from + scale * (float(draw(context.random) >> 8) * 0x1p-24f);
  finish(context, dst, Kind::F32, false);
}

//===-- Reductions --------------------------------------------------------===//

float combined(PoolType pool, float a, float b) {
  if (pool == PoolType::Max)
    return a < b ? b : a;
  if (pool == PoolType::Min)
    return b < a ? b : a;
  return a + b;
}
/// For signed or unsigned 32-bit integers.
template <typename T>
std::uint32_t combined(PoolType pool, std::uint32_t a, std::uint32_t b) {
  if (pool == PoolType::Max)
    return T(a) < T(b) ? b : a;
  if (pool == PoolType::Min)
    return T(b) < T(a) ? b : a;
  return a + b;
}

/// Reduces each of the `outer` lines of the tile to its first element; `at`
/// finds an element by its position in the line.
template <typename T, typename Combine>
void reduceLines(T *words, bool rows, Combine combine) {
  for (std::int64_t line = 0; line < kTileDim; ++line) {
    const auto at = [&](std::int64_t i) {
      return rows ? faceIndex(line, i) : faceIndex(i, line);
    };
    T result = words[at(0)];
    for (std::int64_t i = 1; i < kTileDim; ++i)
      result = combine(result, words[at(i)]);
    words[at(0)] = result;
  }
}

void reduce(ComputeContext &context, const std::uint64_t *operands) {
  Dst dst = readDst(context, operands[0]);
  checkedType(context, "sfpu_reduce", operands[1], dst);
  const auto pool = PoolType(operands[2]);
  const auto dim = ReduceDim(operands[3]);
  if (dim == ReduceDim::Scalar)
    context.access.fault(
        ComputeFault::Operand,
        "expected a reduction along rows or columns, found one "
        "along both");
  const bool rows = dim == ReduceDim::Row;
  switch (dst.tile.kind) {
  case Kind::F32:
    reduceLines(dst.floats(), rows,
                [&](float a, float b) { return combined(pool, a, b); });
    if (pool == PoolType::Avg)
      for (std::int64_t i = 0; i < kTileDim; ++i)
        dst.floats()[rows ? faceIndex(i, 0) : faceIndex(0, i)] /= kTileDim;
    break;
  case Kind::I32:
  case Kind::U32:
    if (pool == PoolType::Avg)
      faultFormat(context, "an average", "floats", "integers");
    reduceLines(dst.words, rows, [&](std::uint32_t a, std::uint32_t b) {
      return dst.tile.kind == Kind::I32 ? combined<std::int32_t>(pool, a, b)
                                        : combined<std::uint32_t>(pool, a, b);
    });
    break;
  }
  finish(context, dst, dst.tile.kind, dst.tile.half);
}

} // namespace

Handler destinationHandler(Opcode opcode) {
  constexpr Handler add_unary_tile = withFloat<BinaryOp::Add>;
  constexpr Handler sub_unary_tile = withFloat<BinaryOp::Subtract>;
  constexpr Handler mul_unary_tile = withFloat<BinaryOp::Multiply>;
  constexpr Handler div_unary_tile = withFloat<BinaryOp::Multiply>;
  constexpr Handler rsub_unary_tile =
      withFloat<BinaryOp::Subtract, Spread::First>;
  constexpr Handler add_unary_tile_int32 = withInteger<BinaryOp::Add>;
  constexpr Handler sub_unary_tile_int32 = withInteger<BinaryOp::Subtract>;
#define TTMLIR_COMPARISON(word, Op)                                            \
  constexpr Handler word##_tile = compareFloats<BinaryOp::Op>;                 \
  constexpr Handler word##_tile_int32 = compareIntegers<BinaryOp::Op>;
  TTMLIR_COMPARISON(eqz, Equal)
  TTMLIR_COMPARISON(nez, NotEqual)
  TTMLIR_COMPARISON(ltz, LessThan)
  TTMLIR_COMPARISON(gtz, GreaterThan)
  TTMLIR_COMPARISON(lez, LessEqual)
  TTMLIR_COMPARISON(gez, GreaterEqual)
#undef TTMLIR_COMPARISON
  constexpr Handler add_int_tile = integers<BinaryOp::Add>;
  constexpr Handler sub_int_tile = integers<BinaryOp::Subtract>;
  constexpr Handler mul_int_tile = integers<BinaryOp::Multiply>;
  constexpr Handler abs_tile_int32 = ofIntegers<UnaryOp::Abs>;
  constexpr Handler negative_tile_int32 = ofIntegers<UnaryOp::Neg>;
  constexpr Handler relu_tile_int32 = ofIntegers<UnaryOp::Relu>;
  constexpr Handler copy_dest_values = copyValues;
  constexpr Handler rand_tile_init = seed;
  constexpr Handler rand_tile = random;
  constexpr Handler sfpu_reduce = reduce;
  constexpr Handler topk_local_sort = topkLocalSort;
  constexpr Handler topk_merge = topkMerge;
  constexpr Handler topk_rebuild = topkRebuild;
  constexpr Handler max_reduce_with_indices = maxReduceWithIndices;
  switch (opcode) {
    TTMLIR_DESTINATION_HANDLERS(TTMLIR_HANDLER_CASE)
  default:
    return nullptr;
  }
}

} // namespace tt::runtime::tensix
