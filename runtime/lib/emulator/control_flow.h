// Control flow of programs of both runtimes: parts of a program that run as
// often as the host, which reads the conditions, says.
#ifndef TT_RUNTIME_EMULATOR_CONTROL_FLOW_H
#define TT_RUNTIME_EMULATOR_CONTROL_FLOW_H

#include "common/fields.h"
#include "emulator/device.h"
#include "emulator/tensor.h"
#include "ttmlir/Target/Common/control_flow_generated.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tt::runtime::emulator {

using ControlFlowType = ::tt::target::ControlFlowType;

/// One step of a program whose values have numbers of type `ValueIndex`; see
/// the schema for what it does.
template <typename ValueIndex> struct ControlFlow {
  ControlFlowType type = ControlFlowType::If;
  std::optional<ValueIndex> condition; // of If
  std::vector<ValueIndex> carried, captured, outputs;
  std::vector<std::uint32_t> parts; // of the program
  std::uint64_t count = 0;          // of For
};

/// "if", "for", "while", "host_call".
const char *controlFlowName(ControlFlowType type);

/// What does not depend on tensors; throws Error(Format).
ControlFlowType readControlFlowType(::tt::target::ControlFlowOp const *op);
std::vector<std::uint32_t> readParts(::tt::target::ControlFlowOp const *op,
                                     std::size_t numParts);

/// Whether a tensor of one element is not 0. On a mesh all chips have to agree;
/// throws Error(Argument) otherwise.
bool isTrue(const TensorPtr &condition);

/// Throws Error(Format) unless `found` may be a condition.
void checkCondition(const Layout &found);

/// Counts the turns of loops, and asks whether to go on; throws a Fault of
/// StepLimit where a loop takes more than the device allows.
class Turns {
public:
  Turns(const OpenDevice &device, const char *loop, std::string_view location)
      : limit_(device.options.stepLimit), loop_(loop), location_(location) {}
  void next();

private:
  std::uint64_t limit_, done_ = 0;
  const char *loop_;
  std::string_view location_;
};

/// The layouts of some values of a program.
template <typename Program, typename Values>
std::vector<const Layout *> layoutsOf(const Program &program,
                                      const Values &values) {
  std::vector<const Layout *> all;
  for (auto const value : values)
    all.push_back(&program.values[value].layout);
  return all;
}

/// Throws Error(Format) unless the layouts of inputs or outputs of a part are
/// those that its caller has for them.
void checkPartLayouts(const std::string &part, const char *what,
                      const std::vector<const Layout *> &expected,
                      const std::vector<const Layout *> &found);

/// The same for the function of a host call, all of whose tensors are of the
/// host.
template <typename Program, typename Function, typename ValueIndex>
void checkHostCall(const Program &program, const Function &function,
                   const ControlFlow<ValueIndex> &step) {
  checkPartLayouts(function.name, "inputs", layoutsOf(program, step.captured),
                   layoutsOf(function, function.inputs));
  checkPartLayouts(function.name, "outputs", layoutsOf(program, step.outputs),
                   layoutsOf(function, function.outputs));
  for (auto const &value : function.values)
    if (value.layout.onDevice())
      malformed("expected part '", function.name,
                "' of a host call to have tensors of the host, found ",
                value.layout.describe());
}

/// Throws Error(Format) unless the parts take and give what `step` says.
template <typename Program, typename ValueIndex>
void checkControlFlow(const Program &program,
                      const ControlFlow<ValueIndex> &step) {
  if (step.type == ControlFlowType::HostCall)
    return checkHostCall(program, *program.parts[step.parts[0]], step);
  const auto captured = layoutsOf(program, step.captured);
  const auto with = [&](std::vector<const Layout *> own) {
    own.insert(own.end(), captured.begin(), captured.end());
    return own;
  };
  const auto carried = layoutsOf(program, step.carried);
  const auto outputs = layoutsOf(program, step.outputs);
  for (std::size_t i = 0; i < step.parts.size(); ++i) {
    const Program &part = *program.parts[step.parts[i]];
    const auto expect = [&](const char *what, auto const &expected,
                            auto const &found) {
      checkPartLayouts(part.name, what, expected, found);
    };
    const auto inputs = layoutsOf(part, part.inputs);
    const auto results = layoutsOf(part, part.outputs);
    if (step.type == ControlFlowType::If) {
      expect("inputs", captured, inputs);
      expect("outputs", outputs, results);
    } else if (step.type == ControlFlowType::For) {
      expect("inputs", with(carried), inputs);
      expect("outputs", carried, results);
      expect("outputs", carried, outputs);
    } else if (i == 0) {
      expect("inputs", with(carried), inputs);
      if (results.empty())
        malformed("expected part '", part.name, "' to return a condition");
      checkCondition(*results.front());
      checkPartLayouts(part.name, "outputs behind the condition", outputs,
                       {results.begin() + 1, results.end()});
    } else {
      expect("inputs", with(outputs), inputs);
      expect("outputs", carried, results);
    }
  }
  if (step.condition)
    checkCondition(program.values[*step.condition].layout);
}

/// What the step gives: `run(part, tensors)` returns what a part does, and
/// `decide(tensor)` reads a condition.
template <typename ValueIndex, typename Run, typename Decide>
std::vector<TensorPtr> runControlFlow(const ControlFlow<ValueIndex> &step,
                                      Turns turns, const TensorPtr &condition,
                                      std::vector<TensorPtr> carried,
                                      const std::vector<TensorPtr> &captured,
                                      const Run &run, const Decide &decide) {
  const auto call = [&](std::uint32_t part, std::vector<TensorPtr> own) {
    own.insert(own.end(), captured.begin(), captured.end());
    return run(part, std::move(own));
  };
  if (step.type == ControlFlowType::HostCall)
    return call(step.parts[0], {});
  if (step.type == ControlFlowType::If)
    return call(step.parts[decide(condition) ? 0 : 1], {});
  if (step.type == ControlFlowType::For) {
    for (std::uint64_t i = 0; i < step.count; ++i) {
      turns.next();
      carried = call(step.parts[0], std::move(carried));
    }
    return carried;
  }
  for (;;) {
    std::vector<TensorPtr> forwarded = call(step.parts[0], std::move(carried));
    const bool goesOn = decide(forwarded.front());
    forwarded.erase(forwarded.begin());
    if (!goesOn)
      return forwarded;
    turns.next();
    carried = call(step.parts[1], std::move(forwarded));
  }
}

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_CONTROL_FLOW_H
