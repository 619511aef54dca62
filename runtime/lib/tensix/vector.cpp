// The vector engine: the elementwise functions of the kernel library, the same
// as in the TTNN executor, on destination tiles. In exact numerics, floats go
// through the programs of the chip (numerics/vector_engine.h).
#include "numerics/eltwise_span.h"
#include "numerics/vector_engine.h"
#include "tensix/engine.h"

#include <bit>
#include <span>
#include <utility>

namespace tt::runtime::tensix {

using numerics::BinaryOp;
using numerics::kernelTable;
using numerics::SpanContext;
using numerics::Spread;
using numerics::UnaryOp;
using numerics::UnaryParams;

namespace {

float floatOf(std::uint64_t bits) {
  return std::bit_cast<float>(std::uint32_t(bits));
}

SpanContext spans(DType type) {
  return {kernelTable(), type, numerics::Rounding::Fast};
}
SpanContext spans(Kind kind) { return spans(typeOf(kind)); }

numerics::VectorMode vectorMode(const ComputeContext &context, bool half) {
  const MathConfig &config = context.config;
  return {config.wormhole, config.fp32DestAcc, config.approx, half};
}

/// The store of the vector engine, which truncates to 16 bits and flushes
/// denormals.
void storeFloats(ComputeContext &context, Dst dst, bool half) {
  if (context.config.fp32DestAcc)
    for (std::int64_t i = 0; i < kElements; ++i)
      if ((dst.words[i] & 0x7f800000u) == 0)
        dst.words[i] &= 0x80000000u;
  finish(context, dst, Kind::F32, half);
}

void computeExactly(ComputeContext &context, UnaryOp op, Dst dst,
                    UnaryParams params, bool approx) {
  numerics::VectorMode mode = vectorMode(context, dst.tile.half);
  mode.approx |= approx;
  numerics::vectorUnary(mode, op, dst.floats(), dst.floats(), kElements,
                        params);
  storeFloats(context, dst, dst.tile.half);
}

/// Functions that the engine has for integers; some for them alone.
constexpr bool takesIntegers(UnaryOp op) {
  switch (op) {
#define TTMLIR_CASE(instruction, Name, scalars, integers)                      \
  case UnaryOp::Name:                                                          \
    return integers;
    TTMLIR_UNARY_INSTRUCTIONS(TTMLIR_CASE)
#undef TTMLIR_CASE
  case UnaryOp::Copy:
    return true;
  }
  return false;
}

/// Whether a tile of bf16 may stay so for a function that is not rounded: it is
/// computed when the tile is read as words or packed, to bf16 from its table.
bool waits(const ComputeContext &context, UnaryOp op, const DstTile &tile) {
  return !context.config.exact && context.config.fp32DestAcc &&
         tile.held == Held::Bf16 && !functionOf(op).integersOnly &&
         !functionOf(op).parameters;
}

void apply(ComputeContext &context, UnaryOp op, std::uint64_t index,
           UnaryParams params = {}, bool approx = false) {
  if (Dst dst = rawDst(context, index); waits(context, op, dst.tile)) {
    dst.tile.held = Held::Function;
    dst.tile.function = op;
    return;
  }
  if (Dst dst = rawDst(context, index);
      roundsToBf16(context, dst.tile) && !functionOf(op).integersOnly) {
    std::uint16_t *numbers = bf16Numbers(dst);
    return numerics::unarySpan(spans(DType::BF16), op, numbers, numbers,
                               kElements, params);
  }
  Dst dst = readDst(context, index);
  const bool floats = dst.tile.kind == Kind::F32;
  if (floats && functionOf(op).integersOnly)
    faultFormat(context, functionOf(op).name, "integers", "floats");
  if (!floats && !takesIntegers(op))
    faultFormat(context, functionOf(op).name, "floats", "integers");
  if (floats && context.config.exact)
    return computeExactly(context, op, dst, params, approx);
  numerics::unarySpan(spans(dst.tile.kind), op, dst.words, dst.words, kElements,
                      params);
  finish(context, dst, dst.tile.kind, dst.tile.half);
}

/// A function of the tile, and of `Scalars` numbers.
template <UnaryOp Op, int Scalars>
void unary(ComputeContext &context, const std::uint64_t *operands) {
  UnaryParams params;
  if constexpr (Scalars > 0)
    params.a = floatOf(operands[1]);
  if constexpr (Scalars > 1)
    params.b = floatOf(operands[2]);
  // The others have their approximate programs in the whole kernel alone.
  const bool approx = Op == UnaryOp::Exp && operands[1] != 0;
  apply(context, Op, operands[0], params, approx);
}

} // namespace

void combine(ComputeContext &context, BinaryOp op, Dst dst, float number,
             Spread side) {
  if (!context.config.exact) {
    const void *tile = dst.words, *other = &number;
    if (side == Spread::First)
      std::swap(tile, other);
    numerics::binarySpan(spans(Kind::F32), op, side, tile, other, dst.words,
                         kElements);
    return finish(context, dst, Kind::F32, dst.tile.half);
  }
  TileBuffer numbers;
  for (float &element : std::span(numbers.floats(), kElements))
    element = number;
  const float *tile = dst.floats(), *other = numbers.floats();
  if (side == Spread::First)
    std::swap(tile, other);
  numerics::vectorBinary(vectorMode(context, dst.tile.half), op, tile, other,
                         dst.floats(), kElements);
  storeFloats(context, dst, dst.tile.half);
}

namespace {

void power(ComputeContext &context, const std::uint64_t *operands) {
  combine(context, BinaryOp::Power, readFloats(context, "power", operands[0]),
          floatOf(operands[1]));
}

/// The kind that two tiles have together.
Kind common(ComputeContext &context, const Dst &a, const Dst &b) {
  if (a.tile.kind == b.tile.kind)
    return a.tile.kind;
  if (a.tile.kind == Kind::F32 || b.tile.kind == Kind::F32)
    faultFormat(context, "destination tiles", "both floats or both integers",
                "floats and integers");
  return Kind::U32;
}

void apply(ComputeContext &context, BinaryOp op, std::uint64_t first,
           std::uint64_t second, std::uint64_t result) {
  if (Dst a = rawDst(context, first), b = rawDst(context, second);
      roundsToBf16(context, a.tile) && roundsToBf16(context, b.tile) &&
      !functionOf(op).integersOnly) {
    Dst out = rawDst(context, result);
    numerics::binarySpan(spans(DType::BF16), op, Spread::None, bf16Numbers(a),
                         bf16Numbers(b), out.words, kElements);
    out.tile = {.written = true, .held = Held::Bf16};
    return;
  }
  Dst a = readDst(context, first), b = readDst(context, second);
  const Kind kind = common(context, a, b);
  if (functionOf(op).integersOnly && kind == Kind::F32)
    faultFormat(context, functionOf(op).name, "integers", "floats");
  const bool half = a.tile.half;
  Dst out = writeDst(context, result);
  if (context.config.exact && kind == Kind::F32) {
    numerics::vectorBinary(vectorMode(context, half), op, a.floats(),
                           b.floats(), out.floats(), kElements);
    return storeFloats(context, out, half);
  }
  numerics::binarySpan(spans(kind), op, Spread::None, a.words, b.words,
                       out.words, kElements);
  finish(context, out, kind, half);
}

template <BinaryOp Op>
void binary(ComputeContext &context, const std::uint64_t *operands) {
  apply(context, Op, operands[0], operands[1], operands[2]);
}

void maxTile(ComputeContext &context, const std::uint64_t *operands) {
  apply(context, BinaryOp::Maximum, operands[0], operands[1], operands[0]);
}

void where(ComputeContext &context, const std::uint64_t *operands) {
  Dst condition = readDst(context, operands[0]);
  Dst a = readDst(context, operands[1]), b = readDst(context, operands[2]);
  const Kind kind = common(context, a, b);
  const bool half = a.tile.half;
  // -0 is no truth.
  const std::uint32_t mask =
      condition.tile.kind == Kind::F32 ? 0x7fffffffu : ~0u;
  Dst out = writeDst(context, operands[3]);
  kernelTable().select[2](mask, condition.words, a.words, b.words, out.words,
                          kElements);
  mark(context, out, kind, half);
}

void fill(ComputeContext &context, const std::uint64_t *operands) {
  Dst dst = writeDst(context, operands[0]);
  for (std::int64_t i = 0; i < kElements; ++i)
    dst.words[i] = std::uint32_t(operands[1]);
  finish(context, dst, Kind::F32, false);
}

void fillInt(ComputeContext &context, const std::uint64_t *operands) {
  Dst dst = writeDst(context, operands[0]);
  for (std::int64_t i = 0; i < kElements; ++i)
    dst.words[i] = std::uint32_t(operands[1]);
  finish(context, dst, Kind::I32, false);
}

/// The source's type is what the tile says; the result is kept in 32 bits with
/// the values of `target`.
void typecast(ComputeContext &context, const std::uint64_t *operands) {
  Dst dst = readDst(context, operands[0]);
  const DType source = DType(operands[1]), target = DType(operands[2]);
  if (operands[1] >= numerics::kNumFormats ||
      operands[2] >= numerics::kNumFormats)
    context.access.fault(ComputeFault::Operand,
                         "expected data types below " +
                             std::to_string(numerics::kNumFormats) +
                             ", found " + std::to_string(operands[1]) +
                             " and " + std::to_string(operands[2]));
  const DType own = typeOf(dst.tile.kind);
  if (numerics::isFloat(source) != numerics::isFloat(own))
    faultFormat(context, "typecast", numerics::dtypeName(source),
                std::string("a destination tile of ") +
                    numerics::dtypeName(own));
  TileBuffer narrow, wide;
  if (numerics::isBlockFloat(target)) {
    if (own != DType::F32) {
      numerics::toF32(own, dst.words, wide.floats(), kElements);
      std::memcpy(dst.words, wide.words, sizeof(wide.words));
    }
    kernelTable().quantize(target, dst.floats(), narrow.words, 1,
                           packRounding(context));
    kernelTable().dequantize(target, narrow.words, dst.floats(), 1,
                             numerics::Rounding::Host);
    return finish(context, dst, Kind::F32, isHalf(target));
  }
  const Kind kind = kindOf(target);
  numerics::convert(own, dst.words, target, narrow.words, kElements,
                    packRounding(context));
  numerics::convert(target, narrow.words, typeOf(kind), dst.words, kElements);
  finish(context, dst, kind, isHalf(target));
}

} // namespace

Handler vectorHandler(Opcode opcode) {
#define TTMLIR_UNARY(instruction, Name, scalars, integers)                     \
  constexpr Handler instruction##_tile = unary<UnaryOp::Name, scalars>;
#define TTMLIR_BINARY(instruction, Name, scalars, integers)                    \
  constexpr Handler instruction##_tile = binary<BinaryOp::Name>;
  TTMLIR_UNARY_INSTRUCTIONS(TTMLIR_UNARY)
  TTMLIR_BINARY_INSTRUCTIONS(TTMLIR_BINARY)
#undef TTMLIR_UNARY
#undef TTMLIR_BINARY
  constexpr Handler power_tile = power;
  constexpr Handler fill_tile = fill;
  constexpr Handler fill_tile_int = fillInt;
  constexpr Handler typecast_tile = typecast;
  constexpr Handler max_tile = maxTile;
  constexpr Handler where_tile = where;
  switch (opcode) {
    TTMLIR_VECTOR_HANDLERS(TTMLIR_HANDLER_CASE)
  default:
    return nullptr;
  }
}

} // namespace tt::runtime::tensix
