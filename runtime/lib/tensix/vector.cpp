// The vector engine: the elementwise functions of the kernel library, the same
// as in the TTNN executor, on destination tiles.
#include "kernels/eltwise_span.h"
#include "tensix/engine.h"

#include <bit>

namespace tt::runtime::tensix {

using kernels::BinaryOp;
using kernels::kernelTable;
using kernels::SpanContext;
using kernels::Spread;
using kernels::UnaryOp;
using kernels::UnaryParams;

namespace {

float floatOf(std::uint64_t bits) {
  return std::bit_cast<float>(std::uint32_t(bits));
}

SpanContext spans(Kind kind) {
  return {kernelTable(), typeOf(kind), kernels::Rounding::Fast};
}

/// Functions that the engine has for integers; all but bitwise_not are for
/// floats as well.
constexpr bool takesIntegers(UnaryOp op) {
  switch (op) {
  case UnaryOp::Abs:
  case UnaryOp::BitwiseNot:
  case UnaryOp::Clamp:
  case UnaryOp::LogicalNot:
  case UnaryOp::Neg:
  case UnaryOp::Relu:
  case UnaryOp::Sign:
    return true;
  default:
    return false;
  }
}

void apply(ComputeContext &context, UnaryOp op, std::uint64_t index,
           UnaryParams params = {}) {
  Dst dst = readDst(context, index);
  const bool floats = dst.tile.kind == Kind::F32;
  if (floats && op == UnaryOp::BitwiseNot)
    faultFormat(context, kernels::opName(op), "integers", "floats");
  if (!floats && !takesIntegers(op))
    faultFormat(context, kernels::opName(op), "floats", "integers");
  kernels::unarySpan(spans(dst.tile.kind), op, dst.words, dst.words, kElements,
                     params);
  finish(context, dst, dst.tile.kind, dst.tile.half);
}

template <UnaryOp Op>
void unary(ComputeContext &context, const std::uint64_t *operands) {
  apply(context, Op, operands[0]);
}

void leakyRelu(ComputeContext &context, const std::uint64_t *operands) {
  apply(context, UnaryOp::LeakyRelu, operands[0], {floatOf(operands[1]), 0});
}

void clamp(ComputeContext &context, const std::uint64_t *operands) {
  apply(context, UnaryOp::Clamp, operands[0],
        {floatOf(operands[1]), floatOf(operands[2])});
}

void square(ComputeContext &context, const std::uint64_t *operands) {
  Dst dst = readDst(context, operands[0]);
  kernels::binarySpan(spans(dst.tile.kind), BinaryOp::Multiply, Spread::None,
                      dst.words, dst.words, dst.words, kElements);
  finish(context, dst, dst.tile.kind, dst.tile.half);
}

void power(ComputeContext &context, const std::uint64_t *operands) {
  Dst dst = readDst(context, operands[0]);
  if (dst.tile.kind != Kind::F32)
    faultFormat(context, "power", "floats", "integers");
  const float exponent = floatOf(operands[1]);
  kernels::binarySpan(spans(Kind::F32), BinaryOp::Power, Spread::Second,
                      dst.words, &exponent, dst.words, kElements);
  finish(context, dst, Kind::F32, dst.tile.half);
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
  Dst a = readDst(context, first), b = readDst(context, second);
  const Kind kind = common(context, a, b);
  if (op >= BinaryOp::BitwiseAnd && kind == Kind::F32)
    faultFormat(context, kernels::opName(op), "integers", "floats");
  const bool half = a.tile.half;
  Dst out = writeDst(context, result);
  kernels::binarySpan(spans(kind), op, Spread::None, a.words, b.words,
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
  if (operands[1] > std::uint64_t(DType::I32) ||
      operands[2] > std::uint64_t(DType::I32))
    context.access.fault(ComputeFault::Operand,
                         "expected data types below 13, found " +
                             std::to_string(operands[1]) + " and " +
                             std::to_string(operands[2]));
  const DType own = typeOf(dst.tile.kind);
  if (kernels::isFloat(source) != kernels::isFloat(own))
    faultFormat(context, "typecast", kernels::dtypeName(source),
                std::string("a destination tile of ") +
                    kernels::dtypeName(own));
  TileBuffer narrow, wide;
  if (kernels::isBlockFloat(target)) {
    if (own != DType::F32) {
      kernels::toF32(own, dst.words, wide.floats(), kElements);
      std::memcpy(dst.words, wide.words, sizeof(wide.words));
    }
    kernelTable().quantize(target, dst.floats(), narrow.words, 1,
                           packRounding(context));
    kernelTable().dequantize(target, narrow.words, dst.floats(), 1,
                             kernels::Rounding::Host);
    return finish(context, dst, Kind::F32, isHalf(target));
  }
  const Kind kind = kindOf(target);
  kernels::convert(own, dst.words, target, narrow.words, kElements,
                   packRounding(context));
  kernels::convert(target, narrow.words, typeOf(kind), dst.words, kElements);
  finish(context, dst, kind, isHalf(target));
}

} // namespace

void fillVectorHandlers(HandlerTable &table) {
  const auto set = [&](Opcode opcode, Handler handler) {
    table[std::size_t(opcode)] = handler;
  };
  set(Opcode::abs_tile, unary<UnaryOp::Abs>);
  set(Opcode::cbrt_tile, unary<UnaryOp::Cbrt>);
  set(Opcode::ceil_tile, unary<UnaryOp::Ceil>);
  set(Opcode::cos_tile, unary<UnaryOp::Cos>);
  set(Opcode::erf_tile, unary<UnaryOp::Erf>);
  set(Opcode::exp_tile, unary<UnaryOp::Exp>);
  set(Opcode::expm1_tile, unary<UnaryOp::Expm1>);
  set(Opcode::floor_tile, unary<UnaryOp::Floor>);
  set(Opcode::gelu_tile, unary<UnaryOp::Gelu>);
  set(Opcode::isfinite_tile, unary<UnaryOp::IsFinite>);
  set(Opcode::log_tile, unary<UnaryOp::Log>);
  set(Opcode::log1p_tile, unary<UnaryOp::Log1p>);
  set(Opcode::logical_not_unary_tile, unary<UnaryOp::LogicalNot>);
  set(Opcode::bitwise_not_tile, unary<UnaryOp::BitwiseNot>);
  set(Opcode::negative_tile, unary<UnaryOp::Neg>);
  set(Opcode::recip_tile, unary<UnaryOp::Reciprocal>);
  set(Opcode::relu_tile, unary<UnaryOp::Relu>);
  set(Opcode::rsqrt_tile, unary<UnaryOp::Rsqrt>);
  set(Opcode::sigmoid_tile, unary<UnaryOp::Sigmoid>);
  set(Opcode::sign_tile, unary<UnaryOp::Sign>);
  set(Opcode::silu_tile, unary<UnaryOp::Silu>);
  set(Opcode::sin_tile, unary<UnaryOp::Sin>);
  set(Opcode::sqrt_tile, unary<UnaryOp::Sqrt>);
  set(Opcode::tan_tile, unary<UnaryOp::Tan>);
  set(Opcode::tanh_tile, unary<UnaryOp::Tanh>);
  set(Opcode::square_tile, square);
  set(Opcode::clamp_tile, clamp);
  set(Opcode::leaky_relu_tile, leakyRelu);
  set(Opcode::power_tile, power);
  set(Opcode::fill_tile, fill);
  set(Opcode::fill_tile_int, fillInt);
  set(Opcode::typecast_tile, typecast);
  set(Opcode::add_binary_tile, binary<BinaryOp::Add>);
  set(Opcode::sub_binary_tile, binary<BinaryOp::Subtract>);
  set(Opcode::mul_binary_tile, binary<BinaryOp::Multiply>);
  set(Opcode::div_binary_tile, binary<BinaryOp::Div>);
  set(Opcode::power_binary_tile, binary<BinaryOp::Power>);
  set(Opcode::binary_max_tile, binary<BinaryOp::Maximum>);
  set(Opcode::binary_min_tile, binary<BinaryOp::Minimum>);
  set(Opcode::remainder_binary_tile, binary<BinaryOp::Remainder>);
  set(Opcode::eq_binary_tile, binary<BinaryOp::Eq>);
  set(Opcode::ne_binary_tile, binary<BinaryOp::Ne>);
  set(Opcode::lt_binary_tile, binary<BinaryOp::Lt>);
  set(Opcode::gt_binary_tile, binary<BinaryOp::Gt>);
  set(Opcode::le_binary_tile, binary<BinaryOp::Le>);
  set(Opcode::ge_binary_tile, binary<BinaryOp::Ge>);
  set(Opcode::logical_and_binary_tile, binary<BinaryOp::LogicalAnd>);
  set(Opcode::logical_or_binary_tile, binary<BinaryOp::LogicalOr>);
  set(Opcode::logical_xor_binary_tile, binary<BinaryOp::LogicalXor>);
  set(Opcode::bitwise_and_binary_tile, binary<BinaryOp::BitwiseAnd>);
  set(Opcode::bitwise_or_binary_tile, binary<BinaryOp::BitwiseOr>);
  set(Opcode::bitwise_xor_binary_tile, binary<BinaryOp::BitwiseXor>);
  set(Opcode::max_tile, maxTile);
  set(Opcode::where_tile, where);
}

} // namespace tt::runtime::tensix
