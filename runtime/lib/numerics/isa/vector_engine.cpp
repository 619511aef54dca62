// The table of the vector engine's programs.
#include "numerics/isa/table.h"
#include "numerics/isa/vector_functions.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

template <auto Program>
void unary(VectorMode mode, const float *in, float *out, int64_t n,
           UnaryParams) {
  const VectorFunctions engine(mode);
  for (int64_t i = 0; i < n; i += kLanes)
    storeLanes(out + i, (engine.*Program)(loadLanes(in + i)));
}

void leakyRelu(VectorMode mode, const float *in, float *out, int64_t n,
               UnaryParams params) {
  const VectorFunctions engine(mode);
  for (int64_t i = 0; i < n; i += kLanes)
    storeLanes(out + i, engine.leakyRelu(loadLanes(in + i), params.a));
}

template <typename F>
void binary(VectorMode mode, const float *a, const float *b, float *out,
            int64_t n, F function) {
  const VectorFunctions engine(mode);
  for (int64_t i = 0; i < n; i += kLanes)
    storeLanes(out + i, function(engine, loadLanes(a + i), loadLanes(b + i)));
}

#define TTK_BINARY(NAME, EXPRESSION)                                           \
  void NAME(VectorMode mode, const float *a, const float *b, float *out,       \
            int64_t n) {                                                       \
    binary(mode, a, b, out, n,                                                 \
           [](const VectorFunctions &engine, const Lanes &x, const Lanes &y) { \
             return EXPRESSION;                                                \
           });                                                                 \
  }
TTK_BINARY(sums, engine.add(x, y))
TTK_BINARY(differences, engine.add(x, flipSign(y)))
TTK_BINARY(products, engine.mul(x, y))
TTK_BINARY(maxima, (void(engine), maximum(x, y)))
TTK_BINARY(minima, (void(engine), minimum(x, y)))
TTK_BINARY(powers, engine.power(x, y))
#undef TTK_BINARY

void squares(VectorMode mode, const float *in, float *out, int64_t n,
             UnaryParams) {
  products(mode, in, in, out, n);
}

} // namespace

void fillVectorEngine(KernelTable &table) {
  VectorUnaryFn *programs = table.vectorUnary;
  programs[int(UnaryOp::Relu)] = unary<&VectorFunctions::relu>;
  programs[int(UnaryOp::Relu6)] = unary<&VectorFunctions::relu6>;
  programs[int(UnaryOp::LeakyRelu)] = leakyRelu;
  programs[int(UnaryOp::Square)] = squares;
  programs[int(UnaryOp::Exp)] = unary<&VectorFunctions::exp>;
  programs[int(UnaryOp::Exp2)] = unary<&VectorFunctions::exp2>;
  programs[int(UnaryOp::Expm1)] = unary<&VectorFunctions::expm1>;
  programs[int(UnaryOp::Reciprocal)] = unary<&VectorFunctions::reciprocal>;
  programs[int(UnaryOp::Sqrt)] = unary<&VectorFunctions::sqrt>;
  programs[int(UnaryOp::Rsqrt)] = unary<&VectorFunctions::rsqrt>;
  programs[int(UnaryOp::Cbrt)] = unary<&VectorFunctions::cbrt>;
  programs[int(UnaryOp::Log)] = unary<&VectorFunctions::log>;
  programs[int(UnaryOp::Log1p)] = unary<&VectorFunctions::log1p>;
  programs[int(UnaryOp::Sigmoid)] = unary<&VectorFunctions::sigmoid>;
  programs[int(UnaryOp::Silu)] = unary<&VectorFunctions::silu>;
  programs[int(UnaryOp::Tanh)] = unary<&VectorFunctions::tanh>;
  programs[int(UnaryOp::Gelu)] = unary<&VectorFunctions::gelu>;
  programs[int(UnaryOp::Mish)] = unary<&VectorFunctions::mish>;
  programs[int(UnaryOp::HardSigmoid)] = unary<&VectorFunctions::hardSigmoid>;
  programs[int(UnaryOp::Erf)] = unary<&VectorFunctions::erf>;
  programs[int(UnaryOp::Erfc)] = unary<&VectorFunctions::erfc>;
  programs[int(UnaryOp::Sin)] = unary<&VectorFunctions::sin>;
  programs[int(UnaryOp::Cos)] = unary<&VectorFunctions::cos>;

  VectorBinaryFn *pairs = table.vectorBinary;
  pairs[int(BinaryOp::Add)] = sums;
  pairs[int(BinaryOp::Subtract)] = differences;
  pairs[int(BinaryOp::Multiply)] = products;
  pairs[int(BinaryOp::Maximum)] = maxima;
  pairs[int(BinaryOp::Minimum)] = minima;
  pairs[int(BinaryOp::Power)] = powers;

  table.round16 = [](float *values, int64_t n) {
    const VectorEngine engine({});
    for (int64_t i = 0; i < n; i += kLanes)
      storeLanes(values + i, engine.round16(loadLanes(values + i)));
  };
}

} // namespace tt::runtime::numerics::TTK_ISA
