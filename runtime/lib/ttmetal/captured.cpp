#include "ttmetal/captured.h"

#include "clock/op_cost.h"
#include "common/location.h"
#include "emulator/handles.h"
#include "emulator/mesh.h"
#include "emulator/result_cache.h"
#include "emulator/tensor_copy.h"
#include "ttmetal/executor.h"

namespace tt::runtime::ttmetal {

using emulator::CapturedCost;
using emulator::CapturedMemory;
using emulator::CapturedProgram;
using emulator::ControlFlowType;
using Tensors = std::vector<TensorPtr>;

namespace {

/// The reason why a command cannot be part of a trace; null if it can.
/// Constants can: the trace stores them in DRAM.
const char *whyNot(const Program &program, const Step &step) {
  if (auto const *flow = std::get_if<ControlFlowStep>(&step)) {
    if (flow->type == ControlFlowType::HostCall)
      return "the host runs the function";
    return flow->type == ControlFlowType::For ? nullptr
                                              : "the host reads the condition";
  }
  if (auto const *write = std::get_if<WriteBufferStep>(&step))
    return program.isPart || program.values[write->source].constant.empty()
               ? "it transfers a tensor from the host"
               : nullptr;
  if (std::holds_alternative<ReadBufferStep>(step))
    return "it transfers a tensor to the host";
  if (std::holds_alternative<MeshShardStep>(step))
    return "the host shards or joins a tensor";
  return nullptr;
}

/// Throws Error(Unsupported) for unsupported commands; collects constants.
void checkCommands(const Program &program,
                   std::vector<const WriteBufferStep *> &constants) {
  for (const Queue &queue : program.queues)
    for (const Command &command : queue.commands) {
      if (const char *why = whyNot(program, command.step))
        raise(ErrorCategory::Unsupported, "program '", program.name,
              "', queue '", queue.name, "', command ",
              &command - queue.commands.data(), " (", command.name, ")",
              placeOf(command.location), ": ", why,
              "; a trace may contain only commands on device tensors");
      if (auto const *write = std::get_if<WriteBufferStep>(&command.step))
        constants.push_back(write);
    }
  for (const auto &part : program.parts)
    checkCommands(*part, constants);
}

/// All programs share the addresses of the file, so a replay copies its inputs
/// there and its outputs away. Each input and output has two buffers in DRAM,
/// which the other queue writes and reads.
class Captured : public CapturedProgram {
public:
  Captured(OpenDevice &device, const Program &program, const Tensors &inputs,
           const Tensors &given, const std::vector<bool> &fixed)
      : device_(device), program_(program), chips_(device.select(program.mesh)),
        fixed_(fixed), owner_("trace of " + program.name),
        memory_(chips_, owner_), inputs_(inputs.size()) {
    if (chips_.size() > 1)
      raise(ErrorCategory::Unsupported, "program '", program.name,
            "': a trace of kernels runs on one chip, found a mesh of ",
            chips_.size(), "; programs of the library run on meshes, too");
    checkCommands(program, constants_);
    prepare(inputs, given);
    keepConstants();
    warmUp();
    const ArchCost &arch = archData(chips_.front()->geometry().arch).cost;
    costs.launchSeconds = arch.hostProgramSeconds;
  }

  void write(std::size_t buffer, const Tensors &inputs) override {
    for (std::size_t i = 0; i < written_[buffer].size(); ++i)
      if (const TensorPtr &target = written_[buffer][i])
        emulator::copyTensor(inputs[i]->view(), target->view(),
                             numerics::Rounding::Host);
  }

  void replay(std::size_t buffer) override {
    const CapturedMemory::Run memory(memory_, buffer);
    const Tensors results = runOn(buffer);
    for (std::size_t i = 0; i < results.size(); ++i)
      emulator::copyShards(results[i], read_[buffer][i]);
  }

  Tensors read(std::size_t buffer) override {
    Tensors outputs;
    for (const TensorPtr &tensor : read_[buffer])
      outputs.push_back(emulator::copyToHost(tensor));
    return outputs;
  }

  void discard(std::size_t) override {}

private:
  const Value &inputValue(std::size_t input) const {
    return program_.values[program_.inputs[input]];
  }
  /// Whether the run reads the input, not only a program of cached results.
  bool isRead(std::size_t input) const {
    const Value &value = inputValue(input);
    return value.placed ? value.used : value.address != 0;
  }
  const ChipGeometry &geometry() const { return chips_.front()->geometry(); }

  /// The layout of the DRAM buffer in which a tensor waits for a run or the
  /// host.
  Layout bufferLayout(const Layout &layout) const {
    return layout.space == Space::Dram
               ? layout
               : interleavedLayout(layout.shape, layout.type, layout.tiled,
                                   geometry());
  }
  TensorPtr makeBuffer(const TensorPtr &source, const Layout &layout,
                       std::int64_t bytes) const {
    return emulator::placeHighOnChips(source, layout, chips_,
                                      program_.mesh.meshShape, bytes, owner_);
  }
  std::int64_t bytesOf(const Value &value, const Layout &layout) const {
    return value.layout.space == Space::Dram ? value.bankBytes
                                             : layout.bankBytes;
  }

  void prepare(const Tensors &inputs, const Tensors &given) {
    const CapturedCost on(device_);
    costs.parameters = emulator::CostRecorder(device_, program_.name).finish();
    costs.write = costs.read = costs.parameters;
    // Computed again for what it costs, whoever else has it.
    for (const CachedResults &results : program_.cached)
      results.kept->drop(chips_);
    auto others = std::exchange(device_.resultCaches, {});
    cached_ = emulator::loadCached(
        device_, chips_, program_, inputs, given,
        [&](const Program &callee, const Tensors &own) {
          Tensors results;
          {
            const CapturedCost ofCallee(device_);
            results = Executor(device_, callee).run(own);
            emulator::append(costs.parameters, std::move(device_.report));
          }
          for (std::size_t i = 0; i < results.size(); ++i)
            if (const Value &value = callee.values[callee.outputs[i]];
                !value.placed)
              results[i] =
                  emulator::keepOnChips(results[i], chips_, value.description);
          return results;
        });
    device_.resultCaches.merge(others);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Value &value = inputValue(i);
      if (!value.layout.onDevice())
        raise(ErrorCategory::Unsupported, "program '", program_.name,
              "', input ", i, ": expected an input on the device, found ",
              value.description);
      if (!isRead(i)) {
        if (!fixed_[i])
          for (auto &buffers : written_)
            buffers.push_back(nullptr);
        inputs_[i] = inputs[i];
        continue;
      }
      const Layout layout = bufferLayout(value.layout);
      emulator::append(fixed_[i] ? costs.parameters : costs.write,
                       transferOf(value, "write_input", true));
      const std::int64_t bytes = bytesOf(value, layout);
      if (fixed_[i])
        inputs_[i] = makeBuffer(inputs[i], layout, bytes);
      else
        for (auto &buffers : written_)
          buffers.push_back(makeBuffer(inputs[i], layout, bytes));
    }
  }

  /// The file owns the elements.
  void keepConstants() {
    for (const WriteBufferStep *write : constants_) {
      const Value &value = program_.values[write->source];
      emulator::TensorData source;
      source.layout = hostLayout(value.layout.shape, value.layout.type);
      source.buffer = std::make_shared<emulator::Buffer>(std::shared_ptr<void>(
          const_cast<std::uint8_t *>(value.constant.data()), [](void *) {}));
      const Value &target = program_.values[write->target];
      const Layout layout = bufferLayout(target.layout);
      kept_.push_back(
          makeBuffer(std::make_shared<emulator::TensorData>(std::move(source)),
                     layout, bytesOf(target, layout)));
      emulator::append(costs.parameters,
                       transferOf(target, "write_constant", true));
    }
  }

  void warmUp() {
    const CapturedCost on(device_);
    Tensors results;
    {
      const CapturedMemory::Capture captured(memory_);
      for (const TensorPtr &result : runOn(0))
        results.push_back(emulator::copyToHost(result));
    }
    memory_.hold({});
    costs.run = copyWithinDevice(std::move(device_.report));
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Value &value = program_.values[program_.outputs[i]];
      const Layout layout = bufferLayout(value.layout);
      for (auto &buffers : read_)
        buffers.push_back(
            makeBuffer(results[i], layout, bytesOf(value, layout)));
      emulator::append(costs.read, transferOf(value, "read_output", false));
      // The runtime has allocated the output, which does not stay there.
      if (value.placed)
        emulator::append(
            costs.run, clock::copyCost(transferOf(value, "copy_output", false),
                                       geometry()));
    }
  }

  /// The transfer of an input, an output or a constant.
  OpCost transferOf(const Value &value, const char *name, bool toDevice) const {
    OpCost cost =
        clock::transferCost(bufferLayout(value.layout), toDevice, geometry());
    cost.name = name;
    cost.location = value.location;
    return cost;
  }

  /// Replaces host transfers of the run by the copies of a trace.
  Report copyWithinDevice(Report found) const {
    Report report = found;
    report.ops.clear();
    report.cycles = report.seconds = 0;
    for (OpCost &op : found.ops) {
      if (op.hostBytes > 0) {
        op.name = op.name == "write_input"   ? "copy_input"
                  : op.name == "read_output" ? "copy_output"
                                             : "copy_constant";
        op = clock::copyCost(std::move(op), geometry());
      }
      emulator::append(report, std::move(op));
    }
    return report;
  }

  Tensors runOn(std::size_t buffer) const {
    Tensors inputs = inputs_;
    auto next = written_[buffer].begin();
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (!fixed_[i]) {
        if (*next)
          inputs[i] = *next;
        ++next;
      }
    return Executor(device_, program_).run(inputs, cached_);
  }

  OpenDevice &device_;
  const Program &program_;
  emulator::Chips chips_;
  std::vector<bool> fixed_;
  std::string owner_;
  CapturedMemory memory_;
  Tensors inputs_; // those that are fixed
  std::vector<const WriteBufferStep *> constants_;
  Tensors cached_, kept_; // kept: the constants
  std::array<Tensors, emulator::kTraceBuffers> written_, read_;
};

} // namespace

std::unique_ptr<CapturedProgram>
capture(OpenDevice &device, const Program &program, const Tensors &inputs,
        const Tensors &given, const std::vector<bool> &fixed) {
  return std::make_unique<Captured>(device, program, inputs, given, fixed);
}

} // namespace tt::runtime::ttmetal
