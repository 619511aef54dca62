// Binary functions in f32: an expression for each of kernels/functions.h, which
// does not compile without it.
#include "numerics/isa/loops.h"
#include "numerics/isa/math.h"
#include "numerics/isa/special.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

TTK_INLINE vf boolean(vi mask) { return select(mask, splat(1.0f), vf{}); }

/// Exact, so the library function gives the same bits everywhere.
TTK_INLINE vf remainder(vf x, vf y) {
  vf result;
  for (int i = 0; i < VF; ++i)
    result[i] = __builtin_fmodf(x[i], y[i]);
  return result;
}

// name, expression of x and y
#define TTK_BINARY_OPS(OP)                                                     \
  OP(Add, x + y)                                                               \
  OP(Subtract, x - y)                                                          \
  OP(Multiply, x *y)                                                           \
  OP(Div, x / y)                                                               \
  OP(Maximum, select((x > y) | isNan(x), x, y))                                \
  OP(Minimum, select((x < y) | isNan(x), x, y))                                \
  OP(GreaterEqual, boolean(x >= y))                                            \
  OP(GreaterThan, boolean(x > y))                                              \
  OP(LessEqual, boolean(x <= y))                                               \
  OP(LessThan, boolean(x < y))                                                 \
  OP(Equal, boolean(x == y))                                                   \
  OP(NotEqual, boolean(x != y))                                                \
  OP(LogicalAnd, boolean((x != 0.0f) & (y != 0.0f)))                           \
  OP(LogicalOr, boolean((x != 0.0f) | (y != 0.0f)))                            \
  OP(LogicalXor, boolean((x != 0.0f) ^ (y != 0.0f)))                           \
  OP(Remainder, remainder(x, y))                                               \
  OP(Power, vpow(x, y))                                                        \
  OP(BitwiseAnd, x)                                                            \
  OP(BitwiseOr, x)                                                             \
  OP(BitwiseXor, x)                                                            \
  OP(Atan2,                                                                    \
     viaDouble(x, y, [](vd a, vd b) TTK_LAMBDA { return datan2(a, b); }))      \
  OP(LogicalLeftShift, x)                                                      \
  OP(RightShift, x)                                                            \
  OP(LogicalRightShift, x)

#define TTK_LAMBDA __attribute__((always_inline))

#define TTK_DEFINE(NAME, EXPRESSION)                                           \
  struct NAME##Op {                                                            \
    static TTK_INLINE vf apply(vf x, [[maybe_unused]] vf y) {                  \
      return EXPRESSION;                                                       \
    }                                                                          \
  };
TTK_BINARY_OPS(TTK_DEFINE)
#undef TTK_DEFINE

template <typename Op> void fill(KernelTable &table, BinaryOp op) {
  BinaryFn *f32 = table.binaryF32[int(op)];
  BinaryFn *bf16 = table.binaryBf16[int(op)];
  f32[int(Spread::None)] = binaryLoop<Op, StoreF32, Spread::None>;
  f32[int(Spread::Second)] = binaryLoop<Op, StoreF32, Spread::Second>;
  f32[int(Spread::First)] = binaryLoop<Op, StoreF32, Spread::First>;
  bf16[int(Spread::None)] = binaryLoop<Op, StoreBf16, Spread::None>;
  bf16[int(Spread::Second)] = binaryLoop<Op, StoreBf16, Spread::Second>;
  bf16[int(Spread::First)] = binaryLoop<Op, StoreBf16, Spread::First>;
}

} // namespace

void fillBinary(KernelTable &table) {
#define TTK_FILL(NAME, ...) fill<NAME##Op>(table, BinaryOp::NAME);
  TTMLIR_BINARY_FUNCTIONS(TTK_FILL)
#undef TTK_FILL
}

} // namespace tt::runtime::numerics::TTK_ISA
