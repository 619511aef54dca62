// Tensors that the programs of a file keep from run to run.
#ifndef TT_RUNTIME_EMULATOR_VARIABLES_H
#define TT_RUNTIME_EMULATOR_VARIABLES_H

#include "common/fields.h"
#include "emulator/result_cache.h"
#include "ttmlir/Target/Common/variable_generated.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tt::runtime::emulator {

/// A variable of a file: what it holds first, and for each group of chips what
/// the last run there has left. Thread-safe.
class Variable {
public:
  Variable(std::string name, Layout layout,
           std::span<const std::uint8_t> initial)
      : name_(std::move(name)), layout_(std::move(layout)), initial_(initial) {}

  const std::string &name() const { return name_; }
  /// As a tensor of the host.
  const Layout &layout() const { return layout_; }

  /// What it holds on these chips, in a layout of its shape and type, which
  /// takes `bytes` of a bank.
  TensorPtr load(const Chips &chips,
                 const std::vector<std::uint32_t> &meshShape,
                 const Layout &layout, std::int64_t bytes);
  /// From now on it holds `tensor`, which nobody changes.
  void store(const Chips &chips, const TensorPtr &tensor);
  /// From now on it holds, on all chips, what it has held first.
  void reset() { kept_.clear(); }

private:
  TensorPtr makeInitial() const;

  std::string name_;
  Layout layout_;
  std::span<const std::uint8_t> initial_; // belongs to the file
  ResultCache kept_;
};

/// A variable as a program has it: behind the inputs and outputs that callers
/// see.
struct VariableRef {
  std::shared_ptr<Variable> variable;
  std::uint32_t input = 0;
  std::optional<std::uint32_t> output; // if the program writes it
};

using Variables = std::vector<std::shared_ptr<Variable>>;

/// Throws Error(Format) for what is no tensor of the host with one element or
/// all elements.
Variables decodeVariables(
    const flatbuffers::Vector<flatbuffers::Offset<::tt::target::Variable>>
        *tables,
    const ChipGeometry &chip);

/// How many of its inputs and outputs callers see.
template <typename Program> std::size_t numInputs(const Program &program) {
  return program.inputs.size() - program.variables.size();
}
template <typename Program> std::size_t numOutputs(const Program &program) {
  return program.outputs.size() -
         std::size_t(std::count_if(
             program.variables.begin(), program.variables.end(),
             [](const VariableRef &ref) { return ref.output.has_value(); }));
}

/// The variables of a program whose inputs and outputs are decoded. Throws
/// Error(Format) unless they fit.
template <typename Tables, typename Program>
void decodeVariableRefs(const Tables *tables, const Variables &variables,
                        Program &program) {
  const std::size_t count = tables ? tables->size() : 0;
  if (count > program.inputs.size())
    malformed("expected at most ", program.inputs.size(),
              " elements in field variables, found ", count);
  const auto check = [&](const VariableRef &ref, const char *what,
                         std::uint32_t value) {
    const Layout &expected = ref.variable->layout();
    const Layout &found = program.values[value].layout;
    if (expected.shape != found.shape || expected.type != found.type)
      malformed("expected variable '", ref.variable->name(), "' as ", what,
                " of ", expected.describe(), ", found ", found.describe());
  };
  std::vector<bool> written(program.outputs.size());
  for (std::size_t i = 0; i < count; ++i) {
    auto const *table = tables->Get(unsigned(i));
    const std::size_t input = program.inputs.size() - count + i;
    if (!table || table->variable() >= variables.size() ||
        table->input() != input)
      malformed("expected a variable below ", variables.size(), " as input ",
                input, " in field variables");
    VariableRef ref{variables[table->variable()], table->input(), {}};
    check(ref, "input", program.inputs[ref.input]);
    if (!program.aliasedOutputs.empty() && program.aliasedOutputs[input] >= 0)
      malformed("expected a variable that is not donated as input ", input);
    if (const auto output = table->output()) {
      if (*output >= program.outputs.size() || written[*output])
        malformed("expected an output of its own below ",
                  program.outputs.size(), " for variable '",
                  ref.variable->name(), "', found ", *output);
      written[*output] = true;
      ref.output = *output;
      check(ref, "output", program.outputs[*output]);
    }
    program.variables.push_back(std::move(ref));
  }
  if (!std::is_sorted(written.begin(), written.end()))
    malformed("expected variables behind all other outputs");
}

/// Adds what its variables hold to the inputs of a program.
template <typename Program>
void loadVariables(const Program &program, const Chips &chips,
                   const std::vector<std::uint32_t> &meshShape,
                   std::vector<TensorPtr> &inputs) {
  for (const VariableRef &ref : program.variables) {
    auto const &value = program.values[program.inputs[ref.input]];
    std::int64_t bytes = value.layout.bankBytes;
    if constexpr (requires { value.bankBytes; })
      bytes = value.bankBytes; // what kernels take it for
    inputs.push_back(ref.variable->load(chips, meshShape, value.layout, bytes));
  }
}

/// Keeps what a program has written of its variables, and leaves the results
/// that callers see.
template <typename Program>
void storeVariables(const Program &program, const Chips &chips,
                    const std::vector<TensorPtr> &inputs,
                    std::vector<TensorPtr> &results) {
  const std::size_t seen = numOutputs(program);
  for (const VariableRef &ref : program.variables) {
    if (!ref.output)
      continue;
    TensorPtr tensor = results[*ref.output];
    // What callers have, they may free.
    if (std::count(results.begin(), results.begin() + std::ptrdiff_t(seen),
                   tensor) ||
        std::count(inputs.begin(),
                   inputs.begin() + std::ptrdiff_t(numInputs(program)), tensor))
      tensor = keepOnChips(tensor, chips, ref.variable->name());
    ref.variable->store(chips, tensor);
  }
  results.resize(seen);
}

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_VARIABLES_H
