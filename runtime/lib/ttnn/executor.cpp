#include "ttnn/executor.h"

#include "clock/op_cost.h"
#include "common/location.h"
#include "emulator/mesh.h"
#include "emulator/recorder.h"
#include "tt/runtime/fault.h"
#include "ttnn/cost.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace tt::runtime::ttnn {

using emulator::View;
using numerics::DType;

DType commonType(std::initializer_list<DType> operands, DType result) {
  const DType first = emulator::plainType(result);
  bool same = true, integers = numerics::isInteger(first), isSigned = false;
  for (DType type : operands) {
    same &= emulator::plainType(type) == first;
    integers &= numerics::isInteger(type);
    isSigned |= numerics::isSigned(type);
  }
  return same        ? first
         : !integers ? DType::F32
         : isSigned  ? DType::I32
                     : DType::U32;
}

DType commonType(std::initializer_list<DType> operands) {
  return commonType(operands, *operands.begin());
}

std::shared_ptr<void> scratch(DType type, std::int64_t count) {
  return emulator::allocateHost(count * numerics::elementSize(type));
}

Executor::Executor(OpenDevice &device, const Program &program)
    : device_(device), program_(program), devices_(program.devices.size()),
      chips_(device.select(program.mesh())),
      meshShape_(program.mesh().meshShape), position_(chips_.ownership.first()),
      tensors_(program.values.size()) {}

Executor::Executor(const Executor &caller, const Program &part)
    : device_(caller.device_), program_(part), recorder_(caller.recorder_),
      devices_(part.devices.size()), chips_(caller.chips_),
      meshShape_(caller.meshShape_), position_(chips_.ownership.first()),
      onHost_(caller.onHost_), tensors_(part.values.size()) {}

Executor::Executor(OpenDevice &device, const Program &function,
                   const emulator::Chips &chips,
                   const std::vector<std::uint32_t> &meshShape,
                   emulator::CostRecorder &recorder)
    : device_(device), program_(function), recorder_(&recorder),
      devices_(function.devices.size()), chips_(chips), meshShape_(meshShape),
      position_(chips_.ownership.first()), onHost_(true),
      tensors_(function.values.size()) {}

void Executor::fail(const Operation &operation, ErrorCategory category,
                    const char *message) const {
  raise(category, "program '", program_.name, "', operation ",
        &operation - program_.operations.data(), " (", operation.name, ")",
        placeOf(operation.location), ": ", message);
}

std::vector<TensorPtr> Executor::run(const std::vector<TensorPtr> &inputs,
                                     const std::vector<TensorPtr> &cached) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    bind(program_.inputs[i], inputs[i]);
  auto tensor = cached.begin();
  for (const CachedResults &results : program_.cached)
    for (ValueIndex value : results.outputs)
      bind(value, *tensor++);
  std::optional<emulator::CostRecorder> cost;
  if (!recorder_)
    recorder_ = &cost.emplace(device_, program_.name);
  runAll();
  std::vector<TensorPtr> outputs;
  for (ValueIndex value : program_.outputs)
    outputs.push_back(tensors_[value]);
  if (cost && device_.reporting)
    device_.report = cost->finish();
  return outputs;
}

void Executor::runAll() {
  for (const Operation &operation : program_.operations)
    runOne(operation);
}

void Executor::runSome(const std::vector<bool> &chosen,
                       emulator::CostRecorder &recorder) {
  recorder_ = &recorder;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i])
      runOne(program_.operations[i]);
}

void Executor::runOne(const Operation &operation) {
  operation_ = &operation;
  try {
    step(operation);
  } catch (const Fault &) {
    throw; // names its place itself
  } catch (const emulator::SharedError &) {
    throw; // names the place on the rank that has failed
  } catch (const Error &error) {
    fail(operation, error.category(), error.what());
  } catch (const std::out_of_range &error) {
    // An index in a tensor is out of range.
    fail(operation, ErrorCategory::Argument, error.what());
  }
  if (device_.reporting &&
      !std::holds_alternative<ControlFlowStep>(operation.step))
    report(operation, *recorder_);
}

bool Executor::decide(const TensorPtr &condition) {
  if (device_.reporting)
    report(*operation_, *recorder_);
  return emulator::isTrue(condition);
}

void Executor::execute(const ControlFlowStep &step) {
  const auto all = [&](const std::vector<ValueIndex> &values) {
    std::vector<TensorPtr> tensors;
    for (ValueIndex value : values)
      tensors.push_back(tensors_[value]);
    return tensors;
  };
  const Operation &operation = *operation_;
  const std::vector<TensorPtr> results = emulator::runControlFlow(
      step,
      emulator::Turns(device_, emulator::controlFlowName(step.type),
                      operation.location),
      step.condition ? tensors_[*step.condition] : nullptr, all(step.carried),
      all(step.captured),
      [&](std::uint32_t part, const std::vector<TensorPtr> &inputs) {
        Executor executor(*this, *program_.parts[part]);
        executor.onHost_ |= step.type == emulator::ControlFlowType::HostCall;
        return executor.run(inputs);
      },
      [&](const TensorPtr &condition) { return decide(condition); });
  for (std::size_t i = 0; i < results.size(); ++i)
    tensors_[step.outputs[i]] = results[i];
}

std::vector<std::int64_t>
Executor::positionsOnAllChips(const ScaledDotProductAttentionStep &step) {
  std::vector<std::int64_t> last;
  const std::uint32_t current = position_;
  const auto join = [&](const std::vector<std::int64_t> &own) {
    last.resize(own.size(), std::numeric_limits<std::int64_t>::min());
    std::transform(own.begin(), own.end(), last.begin(), last.begin(),
                   [](auto a, auto b) { return std::max(a, b); });
  };
  for (position_ = 0; position_ < chips_.size(); ++position_)
    if (isLocal())
      join(positionsOf(step));
  position_ = current;
  if (chips_.ownership.divided()) {
    emulator::MessageWriter own;
    for (std::int64_t position : last)
      own.add(position);
    for (const std::string &message : chips_.ownership.ranks().gather(
             "the positions of an attention", own.text)) {
      emulator::MessageReader reader(message);
      std::vector<std::int64_t> others;
      while (!reader.done())
        others.push_back(reader.take<std::int64_t>());
      join(others);
    }
  }
  return last;
}

void Executor::report(const Operation &operation,
                      emulator::CostRecorder &recorder) {
  // The device has nothing to do for it.
  if (onHost_) {
    OpCost cost = program_.costs->of(program_, operation, nullptr, 0, 1);
    cost.name = "host." + cost.name;
    return recorder.add(std::move(cost));
  }
  Trace *trace = recorder.trace(operation.name, operation.location);
  // The host has already read the positions for the result.
  std::vector<std::int64_t> positions;
  if (const auto *const attention =
          std::get_if<ScaledDotProductAttentionStep>(&operation.step);
      attention && attention->positions)
    positions = positionsOnAllChips(*attention);
  OpCost cost = program_.costs->of(program_, operation, trace,
                                   recorder.cycles(), chips_.size(), positions);
  clock::repeatUses(cost, chips_.size());
  if (auto const *step = std::get_if<CollectiveStep>(&operation.step)) {
    if (trace)
      fabric_->addTo(*trace, operation.name.c_str(),
                     recorder.cycles() + cost.cycles -
                         operandTime(program_, *step).end);
    clock::addLinks(cost, links_.cycles, links_.use);
  }
  recorder.add(std::move(cost));
}

void Executor::call(std::vector<TensorPtr> &tensors) {
  tensors_.swap(tensors);
  try {
    for (const Operation &operation : program_.operations)
      step(operation);
  } catch (...) {
    tensors_.swap(tensors);
    throw;
  }
  tensors_.swap(tensors);
}

void Executor::step(const Operation &operation) {
  const Step &step = operation.step;
  compute_ = operation.compute;
  const auto run = [&](auto const &step) {
    execute(step);
    if (operation.activation)
      activate(*operation.activation, *resultOf(step));
  };
  if (chips_.size() == 1)
    return std::visit(run, step);
  if (std::holds_alternative<CollectiveStep>(step) ||
      std::holds_alternative<MeshShardStep>(step) ||
      std::holds_alternative<ControlFlowStep>(step) ||
      std::holds_alternative<DeallocStep>(step) ||
      std::holds_alternative<GetDeviceStep>(step))
    return std::visit(run, step);
  const auto onMesh = [&](ValueIndex value) {
    return tensors_[value] && tensors_[value]->onMesh();
  };
  bool shared = true;
  for (ValueIndex value : resultsOf(step))
    shared &= !onMesh(value);
  for (const Operand &operand : operandsOf(step))
    shared &= !onMesh(operand.value);
  if (shared)
    return shareStep(operation);
  perChip_ = true;
  for (position_ = 0; position_ < chips_.size(); ++position_)
    if (isLocal())
      std::visit(run, step);
    else
      allocateResults(step);
  perChip_ = false;
  position_ = chips_.ownership.first();
}

void Executor::allocateResults(const Step &step) {
  std::visit(
      [&](auto const &s) {
        using S = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<S, ToMemoryConfigStep> ||
                      std::is_same_v<S, ToLayoutStep> ||
                      std::is_same_v<S, ToDeviceStep> ||
                      std::is_same_v<S, FromDeviceStep>)
          execute(s); // may share the memory of the operand
        else
          for (ValueIndex value : resultsOf(step))
            bind(value, result(value, {}));
      },
      step);
}

void Executor::shareStep(const Operation &operation) {
  const Step &step = operation.step;
  std::visit([&](auto const &step) { execute(step); }, step);
  if (operation.activation)
    activate(*operation.activation, *resultOf(step));
  for (ValueIndex value : resultsOf(step))
    shareResult(step, value);
}

void Executor::shareResult(const Step &step, ValueIndex value) {
  const TensorPtr first = tensors_[value];
  if (!first->onDevice())
    return;
  // The other chips get what the first one of this rank has.
  const bool written = !std::holds_alternative<EmptyStep>(step) ||
                       program_.values[value].readUnwritten;
  const std::uint32_t own = position_;
  std::vector<TensorPtr> shards;
  const DeviceIndex device = std::visit(
      [](auto const &s) {
        if constexpr (requires { s.device; })
          return s.device;
        else
          return kAnyDevice;
      },
      step);
  for (position_ = 0; position_ < chips_.size(); ++position_) {
    shards.push_back(position_ == own ? first : allocate(value, device));
    if (written && position_ != own)
      emulator::copyOwn(first, shards.back(), numerics::Rounding::Fast);
  }
  position_ = own;
  tensors_[value] = emulator::meshTensor(std::move(shards), meshShape_);
}

void Executor::bindShard(ValueIndex value, TensorPtr tensor) {
  TensorPtr &all = tensors_[value];
  // Others may see the tensor that is there.
  if (!all || !all->onMesh() || all.use_count() > 1) {
    auto fresh = std::make_shared<emulator::TensorData>();
    fresh->layout = tensor->layout;
    fresh->meshShape = meshShape_;
    if (all && all->onMesh())
      fresh->shards = all->shards;
    else
      fresh->shards.assign(chips_.size(), all);
    all = std::move(fresh);
  }
  all->shards[position_] = std::move(tensor);
}

TensorPtr Executor::allocate(ValueIndex value, DeviceIndex device) {
  const Value &info = program_.values[value];
  const std::string owner =
      info.layout.onDevice()
          ? describeTensor(info.id, info.layout, info.location)
          : std::string();
  if (!isLocal())
    return emulator::remoteTensor(info.layout, chipOf(device), owner,
                                  chips_.ownership.remote(position_));
  return emulator::allocateTensor(info.layout, chipOf(device), owner);
}

TensorPtr Executor::result(ValueIndex value,
                           std::initializer_list<ValueIndex> sources) {
  const TensorPtr &all = tensors_[value];
  bool usable = all && all.use_count() == 1;
  const TensorPtr &tensor = all && all->onMesh() ? all->shards[position_] : all;
  usable &=
      tensor && tensor.use_count() == 1 && tensor->buffer.use_count() == 1;
  for (ValueIndex source : sources)
    usable &= source != value;
  return usable ? tensor : allocate(value, kAnyDevice);
}

RowMajor Executor::read(ValueIndex value, DType type) const {
  const TensorPtr &tensor = operand(value);
  const Layout &layout = tensor->layout;
  const View view = tensor->view();
  std::int64_t stride;
  if (layout.type == type && layout.dense && view.strided(&stride) &&
      (stride == layout.cols || layout.rows == 1))
    return {view.element(0, 0), type, nullptr};
  const Layout host = hostLayout(layout.shape, type);
  RowMajor result{nullptr, type, emulator::allocateHost(host.bankBytes)};
  result.data = result.memory.get();
  emulator::copyTensor(
      view, {&host, static_cast<std::byte *>(result.memory.get()), 0},
      numerics::Rounding::Host);
  return result;
}

void Executor::write(ValueIndex value,
                     std::initializer_list<ValueIndex> sources, DType type,
                     const std::shared_ptr<void> &data) {
  store(value, result(value, sources), type, data);
}

void Executor::store(ValueIndex value, TensorPtr target, DType type,
                     const std::shared_ptr<void> &data) {
  const Layout host = hostLayout(target->layout.shape, type);
  emulator::copyTensor({&host, static_cast<std::byte *>(data.get()), 0},
                       target->view(), numerics::Rounding::Fast);
  bind(value, std::move(target));
}

} // namespace tt::runtime::ttnn
