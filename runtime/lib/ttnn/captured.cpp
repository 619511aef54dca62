#include "ttnn/captured.h"

#include "clock/op_cost.h"
#include "emulator/handles.h"
#include "emulator/mesh.h"
#include "emulator/result_cache.h"
#include "ttnn/cost.h"
#include "ttnn/executor.h"
#include "ttnn/stages.h"

namespace tt::runtime::ttnn {

using emulator::CapturedCost;
using emulator::CapturedMemory;
using emulator::CapturedProgram;
using Tensors = std::vector<TensorPtr>;

namespace {

class Captured : public CapturedProgram {
public:
  Captured(OpenDevice &device, const Program &program, const Tensors &inputs,
           const Tensors &given, const std::vector<bool> &fixed)
      : device_(device), chips_(device.select(program.mesh())),
        brought_(bringInputsToDevice(program, chips_.front()->geometry())),
        program_(*brought_), fixed_(fixed), stages_(stagesOf(program_, fixed)),
        owner_("trace of " + program.name), memory_(chips_, owner_) {
    Tensors placed;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      placed.push_back(place(i, inputs[i]));
      inputs_.push_back(fixed[i] ? placed.back() : nullptr);
    }
    prepare(inputs, given);
    warmUp(placed);
    const ArchCost &arch = archData(chips_.front()->geometry().arch).cost;
    costs.launchSeconds = arch.hostOpSeconds;
  }

  void write(std::size_t buffer, const Tensors &inputs) override {
    Executor executor = make();
    auto next = inputs.begin();
    for (std::size_t i = 0; i < fixed_.size(); ++i)
      if (!fixed_[i])
        executor.set(program_.inputs[i], place(i, *next++));
    run(executor, Stage::Write);
    for (std::size_t i = 0; i < stages_.written.size(); ++i)
      emulator::copyShards(executor.get(stages_.written[i]),
                           written_[buffer][i]);
  }

  void replay(std::size_t buffer) override {
    read_[buffer].clear();
    memory_.hold();
    const CapturedMemory::Run memory(memory_, buffer);
    read_[buffer] =
        runOn(written_[buffer], device_.reporting ? &device_.report : nullptr);
  }

  Tensors read(std::size_t buffer) override {
    Tensors outputs = readFrom(written_[buffer], read_[buffer]);
    discard(buffer);
    return outputs;
  }

  void discard(std::size_t buffer) override {
    read_[buffer].clear();
    memory_.hold();
  }

private:
  TensorPtr place(std::size_t input, TensorPtr tensor) const {
    return emulator::placeInput(chips_, program_.mesh().meshShape,
                                program_.values[program_.inputs[input]].layout,
                                "input " + std::to_string(input),
                                std::move(tensor));
  }

  /// Creates an executor with the values that all replays share.
  Executor make() const {
    Executor executor(device_, program_);
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      if (inputs_[i])
        executor.set(program_.inputs[i], inputs_[i]);
    auto tensor = cached_.begin();
    for (const CachedResults &results : program_.cached)
      for (ValueIndex value : results.outputs)
        executor.set(value, *tensor++);
    for (std::size_t i = 0; i < kept_.size(); ++i)
      executor.set(stages_.kept[i], kept_[i]);
    return executor;
  }

  Report run(Executor &executor, Stage stage) const {
    emulator::CostRecorder recorder(device_, program_.name);
    executor.runSome(stages_.operations[std::size_t(stage)], recorder);
    return recorder.finish();
  }

  static Tensors take(const Executor &executor,
                      const std::vector<ValueIndex> &values) {
    Tensors tensors;
    for (ValueIndex value : values)
      tensors.push_back(executor.get(value));
    return tensors;
  }
  static void give(Executor &executor, const std::vector<ValueIndex> &values,
                   const Tensors &tensors) {
    for (std::size_t i = 0; i < values.size(); ++i)
      executor.set(values[i], tensors[i]);
  }

  /// Computes the values that depend only on bound tensors, and the cost of
  /// that.
  void prepare(const Tensors &inputs, const Tensors &given) {
    cached_ =
        emulator::loadCached(device_, chips_, program_, inputs, given,
                             [&](const Program &callee, const Tensors &own) {
                               return Executor(device_, callee).run(own);
                             });
    const CapturedCost on(device_);
    costs.parameters = emulator::CostRecorder(device_, program_.name).finish();
    for (const CachedResults &results : program_.cached)
      for (const Operation &operation : results.program->operations)
        emulator::append(costs.parameters,
                         results.program->costs->of(*results.program, operation,
                                                    nullptr, 0, 1));
    for (std::size_t i = 0; i < fixed_.size(); ++i)
      if (fixed_[i])
        addTransfer(costs.parameters, program_.inputs[i], true);
    Executor executor = make();
    emulator::append(costs.parameters, run(executor, Stage::Setup));
    kept_ = take(executor, stages_.kept);
  }

  /// Runs the program to be captured, and allocates the buffers.
  void warmUp(const Tensors &inputs) {
    Tensors written, read;
    {
      const CapturedCost on(device_);
      Executor executor = make();
      for (std::size_t i = 0; i < fixed_.size(); ++i)
        if (!fixed_[i])
          executor.set(program_.inputs[i], inputs[i]);
      costs.write = run(executor, Stage::Write);
      written = take(executor, stages_.written);
      {
        const CapturedMemory::Capture captured(memory_);
        read = runOn(written, &costs.run);
      }
      readFrom(written, read, &costs.read);
      for (std::size_t i = 0; i < fixed_.size(); ++i)
        if (!fixed_[i])
          addTransfer(costs.write, program_.inputs[i], true);
      for (ValueIndex output : program_.outputs)
        addTransfer(costs.read, output, false);
    }
    buffers = memory_.hold(read);
    read.clear();
    memory_.hold();
    for (std::size_t buffer = 0; buffer < buffers; ++buffer) {
      try {
        for (const TensorPtr &tensor : written)
          written_[buffer].push_back(
              emulator::allocateLike(tensor, chips_, owner_));
      } catch (const Error &error) {
        if (error.category() != ErrorCategory::OutOfMemory || buffer == 0)
          throw;
        written_[buffer].clear();
        buffers = buffer;
      }
    }
  }

  /// The transfer of an input or output that the program has on the device.
  void addTransfer(Report &report, ValueIndex value, bool toDevice) const {
    const Value &info = program_.values[value];
    if (!info.layout.onDevice())
      return;
    OpCost cost = clock::transferCost(
        info.layout, toDevice, chips_.front()->geometry(), chips_.size());
    cost.name = toDevice ? "write_input" : "read_output";
    cost.location = info.location;
    emulator::append(report, std::move(cost));
  }

  /// Runs the operations of the trace on input buffers; returns the tensors to
  /// read.
  Tensors runOn(const Tensors &written, Report *cost = nullptr) const {
    Executor executor = make();
    give(executor, stages_.written, written);
    Report found = run(executor, Stage::Run);
    if (cost)
      *cost = std::move(found);
    return take(executor, stages_.read);
  }

  Tensors readFrom(const Tensors &written, const Tensors &read,
                   Report *cost = nullptr) const {
    Executor executor = make();
    give(executor, stages_.written, written);
    give(executor, stages_.read, read);
    Report found = run(executor, Stage::Read);
    if (cost)
      *cost = std::move(found);
    Tensors outputs;
    for (ValueIndex value : program_.outputs)
      outputs.push_back(emulator::copyToHost(executor.get(value)));
    return outputs;
  }

  OpenDevice &device_;
  emulator::Chips chips_;
  std::shared_ptr<const Program> brought_;
  const Program &program_;
  std::vector<bool> fixed_;
  Stages stages_;
  std::string owner_;
  CapturedMemory memory_;
  Tensors inputs_; // those that are fixed
  Tensors cached_, kept_;
  std::array<Tensors, emulator::kTraceBuffers> written_, read_;
};

} // namespace

std::unique_ptr<CapturedProgram>
capture(OpenDevice &device, const Program &program, const Tensors &inputs,
        const Tensors &given, const std::vector<bool> &fixed) {
  return std::make_unique<Captured>(device, program, inputs, given, fixed);
}

} // namespace tt::runtime::ttnn
