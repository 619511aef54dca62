// What steps read and write, for those who do not care what they do.
#include "common/program.h"

namespace tt::runtime {

namespace {

struct Operands {
  std::vector<ValueIndex> found;

  void add(ValueIndex value) { found.push_back(value); }
  void add(OptionalValue value) {
    if (value)
      found.push_back(*value);
  }
  void add(const std::vector<ValueIndex> &values) {
    found.insert(found.end(), values.begin(), values.end());
  }

  void operator()(const ConvTranspose2dStep &step) { (*this)(step.conv); }
  template <typename T> void operator()(const T &step) {
#define TTMLIR_FIELD(field)                                                    \
  if constexpr (requires { step.field; })                                      \
    add(step.field);
    TTMLIR_FIELD(in)
    TTMLIR_FIELD(ins)
    TTMLIR_FIELD(condition)
    TTMLIR_FIELD(a)
    TTMLIR_FIELD(b)
    TTMLIR_FIELD(indices)
    TTMLIR_FIELD(weight)
    TTMLIR_FIELD(gradient)
    TTMLIR_FIELD(bias)
#undef TTMLIR_FIELD
  }
};

} // namespace

std::vector<ValueIndex> operandsOf(const Step &step) {
  Operands operands;
  std::visit(operands, step);
  return std::move(operands.found);
}

OptionalValue resultOf(const Step &step) {
  return std::visit(
      [](auto const &s) -> OptionalValue {
        if constexpr (requires { s.out; })
          return s.out;
        else if constexpr (requires { s.conv.out; })
          return s.conv.out;
        else
          return std::nullopt;
      },
      step);
}

} // namespace tt::runtime
