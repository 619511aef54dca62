// Unary functions in f32: an expression for each of kernels/functions.h, which
// does not compile without it.
#include "numerics/isa/loops.h"
#include "numerics/isa/math.h"
#include "numerics/isa/special.h"
#include "numerics/isa/trig.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

TTK_INLINE vf boolean(vi mask) { return select(mask, splat(1.0f), vf{}); }

TTK_INLINE vf clamp(vf x, float low, float high) {
  vf value = select(x < low, splat(low), x);
  return select(value > high, splat(high), value);
}

TTK_INLINE vf sign(vf x) {
  vf value = boolean(x > 0.0f) - boolean(x < 0.0f);
  return select(isNan(x), x, value);
}

// name, expression of x (and params)
#define TTK_UNARY_OPS(OP)                                                      \
  OP(Relu, select((x > 0.0f) | isNan(x), x, vf{}))                             \
  OP(Sqrt, vsqrt(x))                                                           \
  OP(Sigmoid, vsigmoid(x))                                                     \
  OP(Reciprocal, 1.0f / x)                                                     \
  OP(Exp, vexp(x))                                                             \
  OP(Abs, vabs(x))                                                             \
  OP(Neg, -x)                                                                  \
  OP(Rsqrt, 1.0f / vsqrt(x))                                                   \
  OP(Log, vlog(x))                                                             \
  OP(Log1p, viaDouble(x, [](vd v) TTK_LAMBDA { return dlog1p(v); }))           \
  OP(Expm1, viaDouble(x, [](vd v) TTK_LAMBDA { return dexpm1(v); }))           \
  OP(Sin, viaDouble(x, [](vd v) TTK_LAMBDA { return dsin(v); }))               \
  OP(Cos, viaDouble(x, [](vd v) TTK_LAMBDA { return dcos(v); }))               \
  OP(Tan, viaDouble(x, [](vd v) TTK_LAMBDA { return dtan(v); }))               \
  OP(Tanh, vtanh(x))                                                           \
  OP(Erf, viaDouble(x, [](vd v) TTK_LAMBDA { return derf(v); }))               \
  OP(Gelu, viaDouble(x, [](vd v) TTK_LAMBDA { return dgelu(v); }))             \
  OP(Silu, vsilu(x))                                                           \
  OP(Ceil, vceil(x))                                                           \
  OP(Floor, vfloor(x))                                                         \
  OP(Sign, sign(x))                                                            \
  OP(Cbrt, viaDouble(x, [](vd v) TTK_LAMBDA { return dcbrt(v); }))             \
  OP(IsFinite, boolean(vabs(x) < kInfinity))                                   \
  OP(LogicalNot, boolean(x == 0.0f))                                           \
  OP(BitwiseNot, x)                                                            \
  OP(LeakyRelu, select(x < 0.0f, x * params.a, x))                             \
  OP(Clamp, clamp(x, params.a, params.b))                                      \
  OP(Asin, viaDouble(x, [](vd v) TTK_LAMBDA { return dasin(v); }))             \
  OP(Acos, viaDouble(x, [](vd v) TTK_LAMBDA { return dacos(v); }))             \
  OP(Atan, viaDouble(x, [](vd v) TTK_LAMBDA { return datan(v); }))             \
  OP(Sinh, viaDouble(x, [](vd v) TTK_LAMBDA { return dsinh(v); }))             \
  OP(Cosh, viaDouble(x, [](vd v) TTK_LAMBDA { return dcosh(v); }))             \
  OP(Asinh, viaDouble(x, [](vd v) TTK_LAMBDA { return dasinh(v); }))           \
  OP(Acosh, viaDouble(x, [](vd v) TTK_LAMBDA { return dacosh(v); }))           \
  OP(Atanh, viaDouble(x, [](vd v) TTK_LAMBDA { return datanh(v); }))           \
  OP(Erfc, viaDouble(x, [](vd v) TTK_LAMBDA { return derfcWhole(v); }))        \
  OP(Erfinv, viaDouble(x, [](vd v) TTK_LAMBDA { return derfinv(v); }))         \
  OP(Lgamma, viaDouble(x, [](vd v) TTK_LAMBDA { return dlgamma(v); }))         \
  OP(Digamma, viaDouble(x, [](vd v) TTK_LAMBDA { return ddigamma(v); }))       \
  OP(Exp2, viaDouble(x, [](vd v) TTK_LAMBDA { return dexp2(v); }))             \
  OP(Round, vround(x))                                                         \
  OP(RoundEven, vroundEven(x))                                                 \
  OP(Trunc, vtrunc(x))                                                         \
  OP(Frac, x - vtrunc(x))                                                      \
  OP(SignBit, boolean(ibits(x) < 0))                                           \
  OP(Square, x *x)                                                             \
  OP(HardSigmoid,                                                              \
     viaDouble(x, [](vd v) TTK_LAMBDA { return dhardSigmoid(v); }))            \
  OP(Relu6, clamp(select((x > 0.0f) | isNan(x), x, vf{}), 0.0f, 6.0f))         \
  OP(SoftSign,                                                                 \
     viaDouble(x, [](vd v) TTK_LAMBDA { return v / (1.0 + dabs(v)); }))        \
  OP(Selu, viaDouble(x, [this](vd v) TTK_LAMBDA {                              \
       return dselu(v, double(params.a), double(params.b));                    \
     }))                                                                       \
  OP(PopCount, x)                                                              \
  OP(Clz, x)                                                                   \
  OP(Mish, viaDouble(x, [](vd v) TTK_LAMBDA { return dmish(v); }))             \
  OP(Copy, x)

#define TTK_LAMBDA __attribute__((always_inline))

#define TTK_DEFINE(NAME, EXPRESSION)                                           \
  struct NAME##Op {                                                            \
    UnaryParams params;                                                        \
    TTK_INLINE vf operator()(vf x) const { return EXPRESSION; }                \
  };
TTK_UNARY_OPS(TTK_DEFINE)
#undef TTK_DEFINE

} // namespace

void fillUnary(KernelTable &table) {
#define TTK_FILL(NAME, ...)                                                    \
  table.unaryF32[int(UnaryOp::NAME)] = unaryLoop<NAME##Op, StoreF32>;          \
  table.unaryBf16[int(UnaryOp::NAME)] = unaryLoop<NAME##Op, StoreBf16>;
  TTMLIR_UNARY_FUNCTIONS(TTK_FILL)
  TTK_FILL(Copy)
#undef TTK_FILL
}

} // namespace tt::runtime::numerics::TTK_ISA
