#include "ttnn/stages.h"

#include "common/location.h"
#include "ttnn/cost.h"

#include <algorithm>

namespace tt::runtime::ttnn {

namespace {

using emulator::ControlFlowType;

[[noreturn]] void refuse(const Program &program, const Operation &operation,
                         const std::string &why) {
  raise(ErrorCategory::Unsupported, "program '", program.name, "', operation ",
        &operation - program.operations.data(), " (", operation.name, ")",
        placeOf(operation.location), ": ", why,
        "; a trace may contain only operations on device tensors, between "
        "the transfers of inputs and those of results");
}

/// The results of an operation, including loops.
std::vector<ValueIndex> madeBy(const Step &step) {
  if (auto const *flow = std::get_if<ControlFlowStep>(&step))
    return flow->outputs;
  return resultsOf(step);
}

/// Whether an operation only transfers a host tensor to the device.
bool isTransfer(const Step &step) {
  return std::holds_alternative<ToMemoryConfigStep>(step) ||
         std::holds_alternative<ToLayoutStep>(step) ||
         std::holds_alternative<ToDeviceStep>(step) ||
         std::holds_alternative<PrepareConv2dWeightsStep>(step) ||
         std::holds_alternative<ConstantStep>(step);
}

/// Loop bodies have no stages: they run entirely on the device.
void checkPart(const Program &part) {
  for (const Operation &operation : part.operations) {
    if (auto const *flow = std::get_if<ControlFlowStep>(&operation.step)) {
      if (flow->type != ControlFlowType::For)
        refuse(part, operation, "the host reads the condition");
      for (std::uint32_t inner : flow->parts)
        checkPart(*part.parts[inner]);
    }
    if (std::holds_alternative<ConstantStep>(operation.step))
      refuse(part, operation,
             "the host transfers the constant in each iteration");
    for (const Operand &operand : operandsOf(operation.step))
      if (operand.reads != Reads::Shape &&
          !part.values[operand.value].layout.onDevice())
        refuse(part, operation, "it reads a host tensor");
    for (ValueIndex result : madeBy(operation.step))
      if (!part.values[result].layout.onDevice())
        refuse(part, operation, "it creates a host tensor");
  }
}

class Finder {
public:
  Finder(const Program &program, const std::vector<bool> &fixed)
      : program_(program), madeBy_(program.values.size(), Stage::Setup) {
    for (std::size_t i = 0; i < program.inputs.size(); ++i)
      if (!fixed[i])
        madeBy_[program.inputs[i]] = Stage::Write;
  }

  Stages find() {
    const std::size_t count = program_.operations.size();
    for (auto &chosen : stages_.operations)
      chosen.assign(count, false);
    for (std::size_t i = 0; i < count; ++i) {
      const Operation &operation = program_.operations[i];
      if (std::holds_alternative<GetDeviceStep>(operation.step)) {
        for (auto &chosen : stages_.operations)
          chosen[i] = true;
        continue;
      }
      // Values deallocated in a run free their block for others; all others
      // live to the end of their stage.
      if (auto const *dealloc = std::get_if<DeallocStep>(&operation.step)) {
        if (madeBy_[dealloc->in] == Stage::Run)
          deallocs_.emplace_back(i, dealloc->in);
        continue;
      }
      const Stage stage = stageOf(operation);
      stages_.operations[std::size_t(stage)][i] = true;
      for (const Operand &operand : operandsOf(operation.step))
        use(operand.value, stage);
      for (ValueIndex result : madeBy(operation.step)) {
        // The destination may come from an operation of another stage.
        use(result, stage);
        madeBy_[result] = stage;
      }
    }
    for (ValueIndex output : program_.outputs)
      use(output, Stage::Read);
    for (const auto &[operation, value] : deallocs_)
      if (!has(stages_.read, value))
        stages_.operations[std::size_t(Stage::Run)][operation] = true;
    return std::move(stages_);
  }

private:
  bool onDevice(ValueIndex value) const {
    return program_.values[value].layout.onDevice();
  }
  static bool has(const std::vector<ValueIndex> &values, ValueIndex value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  }

  /// Records the use of a value by a stage; values of earlier stages are passed
  /// on.
  void use(ValueIndex value, Stage stage) {
    std::vector<ValueIndex> *all[] = {&stages_.kept, &stages_.written,
                                      &stages_.read};
    if (madeBy_[value] >= stage)
      return;
    std::vector<ValueIndex> &values = *all[std::size_t(madeBy_[value])];
    if (!has(values, value))
      values.push_back(value);
  }

  Stage stageOf(const Operation &operation) const {
    const Step &step = operation.step;
    if (auto const *flow = std::get_if<ControlFlowStep>(&step))
      return stageOf(operation, *flow);
    Stage latest = Stage::Setup;
    bool host = false, device = false, toDevice = false;
    for (const Operand &operand : operandsOf(step)) {
      if (operand.reads == Reads::Shape)
        continue;
      latest = std::max(latest, madeBy_[operand.value]);
      (onDevice(operand.value) ? device : host) = true;
    }
    for (ValueIndex result : madeBy(step))
      toDevice |= onDevice(result);
    if (!toDevice) // on the host, or from the device to it
      return device ? Stage::Read : latest;
    if (latest == Stage::Read)
      refuse(program_, operation, "it depends on a tensor that the host reads");
    if (host && device)
      refuse(program_, operation, "it reads a host tensor");
    // Constants come from the file through the host.
    if (std::holds_alternative<ConstantStep>(step))
      return Stage::Setup;
    if (host && !isTransfer(step))
      refuse(program_, operation, "it reads a host tensor");
    return host ? latest : Stage::Run;
  }

  Stage stageOf(const Operation &operation, const ControlFlowStep &flow) const {
    if (flow.type != ControlFlowType::For)
      refuse(program_, operation,
             flow.type == ControlFlowType::HostCall
                 ? "the host runs the function"
                 : "the host reads the condition");
    for (const Operand &operand : flow.operands())
      if (!onDevice(operand.value))
        refuse(program_, operation, "it reads a host tensor");
    for (std::uint32_t part : flow.parts)
      checkPart(*program_.parts[part]);
    return Stage::Run;
  }

  const Program &program_;
  std::vector<Stage> madeBy_; // by value
  std::vector<std::pair<std::size_t, ValueIndex>> deallocs_;
  Stages stages_;
};

} // namespace

std::shared_ptr<const Program> bringInputsToDevice(const Program &program,
                                                   const ChipGeometry &chip) {
  auto brought = std::make_shared<Program>(program);
  brought->costs = std::make_shared<Costs>(chip);
  for (const Operation &operation : program.operations) {
    const Step &step = operation.step;
    const std::vector<ValueIndex> made = madeBy(step);
    const bool toDevice =
        std::any_of(made.begin(), made.end(), [&](ValueIndex value) {
          return program.values[value].layout.onDevice();
        });
    if (!toDevice || isTransfer(step))
      continue;
    for (const Operand &operand : operandsOf(step)) {
      Layout &layout = brought->values[operand.value].layout;
      if (operand.reads != Reads::Shape && !layout.onDevice() &&
          std::count(program.inputs.begin(), program.inputs.end(),
                     operand.value))
        layout = interleavedLayout(layout.shape, layout.type, false, chip);
    }
  }
  // The host rounds differently.
  for (const Operation &operation : program.operations)
    if (isTransfer(operation.step))
      for (const Operand &operand : operandsOf(operation.step))
        if (const Layout &before = program.values[operand.value].layout;
            before.onDevice() !=
                brought->values[operand.value].layout.onDevice() &&
            before.type !=
                program.values[*resultOf(operation.step)].layout.type)
          refuse(program, operation,
                 "the host converts a tensor that another operation reads, "
                 "too");
  return brought;
}

Stages stagesOf(const Program &program, const std::vector<bool> &fixed) {
  return Finder(program, fixed).find();
}

} // namespace tt::runtime::ttnn
