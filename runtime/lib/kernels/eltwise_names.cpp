#include "kernels/eltwise.h"
#include "kernels/isa/table.h"

#include <iterator>

namespace tt::runtime::kernels {

const char *opName(UnaryOp op) {
  static const char *const names[] = {
      "relu",       "sqrt",  "sigmoid",  "reciprocal",  "exp",
      "abs",        "neg",   "rsqrt",    "log",         "log1p",
      "expm1",      "sin",   "cos",      "tan",         "tanh",
      "erf",        "gelu",  "silu",     "ceil",        "floor",
      "sign",       "cbrt",  "isfinite", "logical_not", "bitwise_not",
      "leaky_relu", "clamp", "copy"};
  static_assert(std::size(names) == kUnaryOps);
  return int(op) < kUnaryOps ? names[int(op)] : "unknown";
}

const char *opName(BinaryOp op) {
  static const char *const names[] = {
      "add",       "subtract", "multiply",    "div",        "maximum",
      "minimum",   "ge",       "gt",          "le",         "lt",
      "eq",        "ne",       "logical_and", "logical_or", "logical_xor",
      "remainder", "power",    "bitwise_and", "bitwise_or", "bitwise_xor"};
  static_assert(std::size(names) == kBinaryOps);
  return int(op) < kBinaryOps ? names[int(op)] : "unknown";
}

} // namespace tt::runtime::kernels
