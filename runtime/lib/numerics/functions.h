// The elementwise functions, from cpp/dialects/Eltwise.td. Their expressions
// are in isa/eltwise_*.cpp.
#ifndef TT_RUNTIME_NUMERICS_FUNCTIONS_H
#define TT_RUNTIME_NUMERICS_FUNCTIONS_H

#include "ttmlir/Target/Common/functions.inc"

#include <cstdint>

namespace tt::runtime::numerics {

#define TTK_ENUMERATOR(Name, ...) Name,
/// Functions of one operand; some take numbers (UnaryParams).
enum class UnaryOp : std::uint8_t {
  TTMLIR_UNARY_FUNCTIONS(TTK_ENUMERATOR) Copy
};
enum class BinaryOp : std::uint8_t {
  TTMLIR_BINARY_FUNCTIONS(TTK_ENUMERATOR) Count
};
#undef TTK_ENUMERATOR

inline constexpr int kUnaryOps = int(UnaryOp::Copy) + 1;
inline constexpr int kBinaryOps = int(BinaryOp::Count);

/// What the vector engine does for a tile, one after the other: how many passes
/// of a few instructions, and of each function that takes longer.
struct VectorWork {
  int passes = 0, exps = 0, sigmoids = 0, reciprocals = 0, tanhs = 0, gelus = 0;
};

constexpr VectorWork operator+(VectorWork a, VectorWork b) {
  return {a.passes + b.passes,     a.exps + b.exps,
          a.sigmoids + b.sigmoids, a.reciprocals + b.reciprocals,
          a.tanhs + b.tanhs,       a.gelus + b.gelus};
}

/// The words of the table.
namespace work {
inline constexpr VectorWork pass{.passes = 1}, exp{.exps = 1},
    sigmoid{.sigmoids = 1}, reciprocal{.reciprocals = 1}, tanh{.tanhs = 1},
    gelu{.gelus = 1};
} // namespace work

struct Function {
  const char *name; // "relu", "add", ... as in the dialects
  int parameters;   // numbers of f32
  bool integersOnly;
  bool truth; // results are 1 and 0
  VectorWork work;
};

#define TTK_FUNCTION(Name, name, parameters, integersOnly, truth, work)        \
  {name, parameters, integersOnly, truth, work},
inline constexpr Function kUnaryFunctions[] = {
    TTMLIR_UNARY_FUNCTIONS(TTK_FUNCTION){"copy", 0, false, false, work::pass}};
inline constexpr Function kBinaryFunctions[] = {
    TTMLIR_BINARY_FUNCTIONS(TTK_FUNCTION)};
#undef TTK_FUNCTION

constexpr const Function &functionOf(UnaryOp op) {
  return kUnaryFunctions[int(op)];
}
constexpr const Function &functionOf(BinaryOp op) {
  return kBinaryFunctions[int(op)];
}

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_FUNCTIONS_H
