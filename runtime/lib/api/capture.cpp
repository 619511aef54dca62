// Captured traces: the parts before and after runs, shared by both runtimes.
#include "tt/runtime/capture.h"

#include "api/binary.h"
#include "clock/queues.h"
#include "clock/trace.h"
#include "common/arch.h"
#include "common/file.h"
#include "emulator/handles.h"
#include "emulator/mesh.h"
#include "emulator/run.h"
#include "ttmetal/captured.h"
#include "ttmetal/program.h"
#include "ttnn/captured.h"
#include "ttnn/program.h"

#include <algorithm>

namespace tt::runtime {

namespace {

using emulator::CapturedProgram;
using emulator::Chip;
using emulator::deviceOf;
using emulator::handleOf;
using emulator::OpenDevice;
using emulator::TensorPtr;

/// The state of input and output buffers.
enum class BufferState : std::uint8_t { Free, Written, Done };

const char *stateName(BufferState state) {
  constexpr const char *kNames[] = {"free ones", "written ones",
                                    "ones with outputs"};
  return kNames[int(state)];
}

struct Capture {
  Binary executable;
  std::shared_ptr<OpenDevice> device;
  std::string program;
  std::vector<const Layout *> inputs; // that replays get
  Shardings inputShardings, outputShardings;
  std::vector<std::uint32_t> meshShape;
  std::vector<std::uint64_t> generations; // of the memories when it was made
  std::unique_ptr<CapturedProgram> captured;
  std::vector<BufferState> buffers;
};

Capture &captureOf(CapturedTrace &trace) {
  if (!trace.handle)
    raise(ErrorCategory::Argument, "expected a captured trace, found none");
  return trace.as<Capture>(trace.associatedRuntime);
}

template <typename... Parts>
[[noreturn]] void fail(const Capture &capture, const Parts &...parts) {
  raise(ErrorCategory::Argument, "trace of '", capture.program,
        "': ", parts...);
}

std::vector<std::uint64_t> generationsOf(const OpenDevice &device) {
  std::vector<std::uint64_t> all;
  for (auto const &chip : device.chips)
    for (Space space : {Space::L1, Space::Dram})
      all.push_back(chip->memory(space).generation);
  return all;
}

void checkLive(const Capture &capture) {
  if (!capture.captured)
    fail(capture, "expected a trace with its buffers, found one that was "
                  "released; capture it again");
  if (!capture.device->open)
    fail(capture, "expected an open device, found one that was closed; capture "
                  "it again on another one");
  if (capture.generations != generationsOf(*capture.device))
    fail(capture, "expected the buffers of the capture, found that all buffers "
                  "of the device were freed; capture it again");
}

void checkDevice(const Capture &capture, Device &device) {
  if (&deviceOf(device) == capture.device.get())
    return;
  const auto describe = [](const OpenDevice &opened) {
    std::string ids;
    for (auto const &chip : opened.chips)
      ids += (ids.empty() ? "" : ", ") + std::to_string(chip->id());
    return ids;
  };
  fail(capture, "expected the device of the capture, with chips ",
       describe(*capture.device), ", found another one, with chips ",
       describe(deviceOf(device)));
}

void checkBuffer(const Capture &capture, std::uint32_t buffer,
                 BufferState expected) {
  if (buffer >= capture.buffers.size())
    fail(capture, "expected buffers below ", capture.buffers.size(), ", found ",
         buffer);
  if (const BufferState found = capture.buffers[buffer]; found != expected)
    fail(capture, "expected buffers ", buffer, " as ", stateName(expected),
         ", found ", stateName(found));
}

/// Checks requirements that are common to both runtimes.
template <typename Program>
void checkProgram(const Program &program, std::size_t found) {
  emulator::checkCount("inputs", program.name, emulator::numInputs(program),
                       found);
  if (!program.variables.empty())
    raise(ErrorCategory::Unsupported, "program '", program.name,
          "': its variable '", program.variables.front().variable->name(),
          "' has another address after each call; a trace requires a program "
          "without variables");
  for (std::size_t i = 0; i < program.aliasedOutputs.size(); ++i)
    if (program.aliasedOutputs[i] >= 0)
      raise(ErrorCategory::Unsupported, "program '", program.name, "', input ",
            i,
            ": it is donated, so each call takes another tensor; a trace "
            "requires inputs that callers keep");
}

/// Values that depend only on bound arguments are part of the trace.
template <typename Program>
void checkFixed(const Binary &executable, std::uint32_t index,
                const Program &program, const std::vector<bool> &fixed) {
  for (auto const &cached : program.cached)
    for (std::uint32_t input : cached.inputs)
      if (!fixed[input]) {
        const auto arguments = executable.getProgramArguments(index);
        const std::string name = arguments[input].name;
        raise(ErrorCategory::Argument, "program '", program.name, "', input ",
              input, name.empty() ? "" : " '" + name + "'",
              ": expected a bound parameter, since the trace contains values "
              "computed from it; found one that is not bound");
      }
}

template <typename Program, typename Make>
void capture(Capture &made, const Program &program, std::uint32_t index,
             const std::vector<Tensor> &inputs, const Make &make) {
  checkProgram(program, inputs.size());
  OpenDevice &device = *made.device;
  std::lock_guard lock(device.mutex);
  device.checkOpen();
  device.checkSystem(made.executable);
  const MeshDevice mesh = meshOf(made.executable, index);
  made.meshShape = mesh.meshShape;
  if (const emulator::Ownership ownership =
          device.ownershipOf(mesh.meshShape, mesh.chipIds);
      ownership.divided())
    raise(ErrorCategory::Unsupported, "program '", program.name, "': rank ",
          ownership.ranks().rank(), " of ", ownership.ranks().size(),
          " cannot capture a trace of mesh ", meshString(made.meshShape),
          ": several ranks call programs, and capture those of one chip");
  made.outputShardings = program.outputShardings;
  std::vector<TensorPtr> tensors, given;
  std::vector<bool> fixed;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Tensor input = inputs[i];
    const TensorPtr tensor =
        emulator::takeShards(program.inputShardings, i, made.meshShape,
                             emulator::denseTensor(handleOf(input)), {});
    const Layout &layout = program.values[program.inputs[i]].layout;
    emulator::checkTensor("input " + std::to_string(i), layout, tensor->layout);
    given.push_back(handleOf(input).tensor);
    tensors.push_back(tensor);
    fixed.push_back(given.back()->frozen);
    if (fixed.back())
      continue;
    made.inputs.push_back(&layout);
    made.inputShardings.push_back(program.inputShardings.empty()
                                      ? std::nullopt
                                      : program.inputShardings[i]);
  }
  checkFixed(made.executable, index, program, fixed);
  made.generations = generationsOf(device);
  emulator::guarded(program.name, [&] {
    made.captured = make(device, program, tensors, given, fixed);
    return std::vector<TensorPtr>();
  });
  made.program = program.name;
  made.buffers.assign(made.captured->buffers, BufferState::Free);
}

} // namespace

CapturedTrace captureTrace(Device device, Binary executable,
                           std::uint32_t programIndex,
                           std::vector<Tensor> const &inputs) {
  auto made = std::make_shared<Capture>(Capture{
      .executable = executable, .device = deviceOf(device).shared_from_this()});
  const DeviceRuntime runtime = runtimeOf(executable);
  if (runtime == DeviceRuntime::TTMetal)
    capture(*made, getMetalProgram(executable, programIndex), programIndex,
            inputs, ttmetal::capture);
  else
    capture(
        *made, getProgram(executable, programIndex), programIndex, inputs,
        [](OpenDevice &opened, const ttnn::Program &program,
           std::vector<TensorPtr> tensors, const std::vector<TensorPtr> &given,
           const std::vector<bool> &fixed) {
          const MeshDevice mesh = program.mesh();
          const emulator::Chips chips = opened.select(mesh);
          for (std::size_t i = 0; i < tensors.size(); ++i)
            tensors[i] = emulator::placeInput(
                chips, mesh.meshShape, program.values[program.inputs[i]].layout,
                "input " + std::to_string(i), tensors[i]);
          return ttnn::capture(opened, program, tensors, given, fixed);
        });
  return CapturedTrace(std::move(made), runtime);
}

std::uint32_t getTraceBuffers(CapturedTrace trace) {
  return std::uint32_t(captureOf(trace).buffers.size());
}

std::uint32_t writeTraceInputs(Device device, CapturedTrace trace,
                               std::vector<Tensor> const &inputs) {
  Capture &capture = captureOf(trace);
  checkDevice(capture, device);
  std::lock_guard lock(capture.device->mutex);
  checkLive(capture);
  if (inputs.size() != capture.inputs.size())
    fail(capture, "expected ", capture.inputs.size(),
         " inputs besides the bound ones, found ", inputs.size());
  std::vector<TensorPtr> tensors;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Tensor input = inputs[i];
    tensors.push_back(
        emulator::takeShards(capture.inputShardings, i, capture.meshShape,
                             emulator::denseTensor(handleOf(input)), {}));
    emulator::checkTensor("trace of '" + capture.program + "', input " +
                              std::to_string(i),
                          *capture.inputs[i], tensors.back()->layout);
  }
  const auto free = std::find(capture.buffers.begin(), capture.buffers.end(),
                              BufferState::Free);
  if (free == capture.buffers.end())
    fail(capture, "expected free buffers, found that all ",
         capture.buffers.size(),
         " have inputs or outputs of other replays; read those first");
  const auto buffer = std::size_t(free - capture.buffers.begin());
  emulator::guarded(capture.program, [&] {
    capture.captured->write(buffer, tensors);
    return std::vector<TensorPtr>();
  });
  *free = BufferState::Written;
  return std::uint32_t(buffer);
}

void replayTrace(Device device, CapturedTrace trace, std::uint32_t buffer) {
  Capture &capture = captureOf(trace);
  checkDevice(capture, device);
  std::lock_guard lock(capture.device->mutex);
  checkLive(capture);
  checkBuffer(capture, buffer, BufferState::Written);
  emulator::guarded(capture.program, [&] {
    capture.captured->replay(buffer);
    return std::vector<TensorPtr>();
  });
  capture.buffers[buffer] = BufferState::Done;
}

std::vector<Tensor> readTraceOutputs(Device device, CapturedTrace trace,
                                     std::uint32_t buffer) {
  Capture &capture = captureOf(trace);
  checkDevice(capture, device);
  std::lock_guard lock(capture.device->mutex);
  checkLive(capture);
  checkBuffer(capture, buffer, BufferState::Done);
  std::vector<Tensor> outputs;
  for (TensorPtr &tensor : emulator::guarded(
           capture.program, [&] { return capture.captured->read(buffer); }))
    outputs.push_back(emulator::wrap(emulator::withSharding(
        capture.outputShardings, outputs.size(), std::move(tensor))));
  capture.buffers[buffer] = BufferState::Free;
  return outputs;
}

void discardTraceInputs(CapturedTrace trace, std::uint32_t buffer) {
  Capture &capture = captureOf(trace);
  std::lock_guard lock(capture.device->mutex);
  if (!capture.captured || buffer >= capture.buffers.size())
    return;
  capture.captured->discard(buffer);
  capture.buffers[buffer] = BufferState::Free;
}

void releaseTrace(Device device, CapturedTrace trace) {
  Capture &capture = captureOf(trace);
  checkDevice(capture, device);
  std::lock_guard lock(capture.device->mutex);
  capture.captured.reset();
}

TraceReport getTraceReport(CapturedTrace trace, std::uint32_t replays,
                           std::optional<TraceFilter> timeline) {
  Capture &capture = captureOf(trace);
  constexpr std::uint32_t kMost = 1000;
  if (replays < 1 || replays > kMost)
    fail(capture, "expected a report of 1 to ", kMost, " replays, found ",
         replays);
  if (timeline)
    checkFilter(*timeline);
  std::lock_guard lock(capture.device->mutex);
  checkLive(capture);
  const emulator::CapturedCosts &costs = capture.captured->costs;
  TraceReport report{.buffers = std::uint32_t(capture.buffers.size()),
                     .parameters = costs.parameters,
                     .write = costs.write,
                     .run = costs.run,
                     .read = costs.read};
  const double launch = costs.launchSeconds * costs.run.clockHz;
  const clock::QueueWork work{costs.write.cycles, costs.run.cycles,
                              costs.read.cycles, report.buffers};
  report.parametersCycles = clock::launchedCycles(costs.parameters.ops, launch);
  report.callCycles =
      work.write + clock::launchedCycles(costs.run.ops, launch) + work.read;
  report.captureCycles = double(clock::countLaunches(costs.run.ops)) * launch;
  report.latencyCycles = work.write + work.run + work.read;
  report.periodCycles = clock::periodOf(work);
  report.commands = clock::scheduleQueues(work, replays);
  if (timeline) {
    auto drawn = std::make_shared<Trace>(std::move(*timeline));
    drawn->finish(report);
    report.timeline = std::move(drawn);
  }
  return report;
}

} // namespace tt::runtime
