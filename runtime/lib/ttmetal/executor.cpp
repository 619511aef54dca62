#include "ttmetal/executor.h"

#include "clock/op_cost.h"
#include "collectives/collectives.h"
#include "common/location.h"
#include "common/operand_use.h"
#include "emulator/handles.h"
#include "emulator/tensor_copy.h"
#include "ttmetal/cost.h"
#include "ttnn/executor.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace tt::runtime::ttmetal {

using emulator::LaunchOptions;
using numerics::Rounding;

Executor::Executor(OpenDevice &device, const Program &program)
    : device_(device), program_(program), chips_(device.select(program.mesh)),
      slots_(program.values.size()), recorded_(program.events.size()),
      ownCost_(std::in_place, device, program.name), cost_(*ownCost_) {
  if (!program.mesh.meshShape.empty())
    fabric_ = std::make_unique<emulator::Fabric>(device.system->desc(), chips_,
                                                 program.mesh.meshShape);
}

Executor::Executor(Executor &caller, const Program &part)
    : device_(caller.device_), program_(part), chips_(caller.chips_),
      slots_(part.values.size()), recorded_(part.events.size()),
      cost_(caller.cost_) {
  if (!part.mesh.meshShape.empty())
    fabric_ = std::make_unique<emulator::Fabric>(device_.system->desc(), chips_,
                                                 part.mesh.meshShape);
}

void Executor::bindInput(std::size_t index, const TensorPtr &input) {
  const ValueIndex value = program_.inputs[index];
  const Layout &layout = program_.values[value].layout;
  const std::string what = "input " + std::to_string(index);
  emulator::checkTensor(what, layout, input->layout);
  if (layout.onDevice() && program_.isPart) {
    slots_[value].tensor = input; // where the caller has it
    slots_[value].written = true;
    return;
  }
  const Value &info = program_.values[value];
  if (layout.onDevice() && (info.placed ? !info.used : info.address == 0))
    return; // only the programs of cached results read it
  if (info.placed && input->onDevice() && input->layout.samePages(layout) &&
      emulator::liesOn(input, chips_)) {
    emulator::forShards(
        input, [](const TensorPtr &shard) { shard->buffer->checkLive(); });
    slots_[value].tensor = input; // where the caller has it
    slots_[value].written = true;
    return;
  }
  if (layout.onDevice()) {
    emulator::forShards(
        input, [](const TensorPtr &shard) { shard->buffer->checkLive(); });
    // Watched, so that only what write() leaves is cleared.
    Slot &slot = slots_[value];
    slot.tensor = create(value, /*watch=*/true);
    if (chips_.size() > 1 || !emulator::HostPages::fit(*input, layout))
      return write(input, value);
    slot.pages = std::make_unique<emulator::HostPages>(
        input, slot.tensor, emulator::HostPages::Access::Read);
    slot.written = true;
    reportTransfer("write_input", info, true);
    return;
  }
  slots_[value].tensor = emulator::placeInput(chips_, program_.mesh.meshShape,
                                              layout, what, input);
  setWritten(value);
}

std::vector<TensorPtr> Executor::run(const std::vector<TensorPtr> &inputs,
                                     const std::vector<TensorPtr> &cached) {
  auto tensor = cached.begin();
  for (const CachedResults &results : program_.cached)
    for (ValueIndex value : results.outputs) {
      slots_[value].tensor = *tensor++;
      slots_[value].written = true;
    }
  for (std::size_t i = 0; i < inputs.size(); ++i)
    bindInput(i, inputs[i]);
  runQueues();
  command_ = nullptr;
  std::vector<TensorPtr> outputs;
  for (std::size_t i = 0; i < program_.outputs.size(); ++i) {
    const Value &value = program_.values[program_.outputs[i]];
    outputs.push_back(output(i));
    if (value.layout.onDevice() && !value.placed)
      reportTransfer("read_output", value, false);
  }
  if (ownCost_ && device_.reporting)
    device_.report = ownCost_->finish();
  return outputs;
}

void Executor::runQueues() {
  std::vector<std::size_t> next(program_.queues.size(), 0);
  for (bool progress = true; progress;) {
    progress = false;
    // A command of each queue in turn: the order does not depend on the host.
    for (std::size_t queue = 0; queue < next.size(); ++queue) {
      const auto &commands = program_.queues[queue].commands;
      if (next[queue] == commands.size() || !step(queue, commands[next[queue]]))
        continue;
      ++next[queue];
      progress = true;
    }
  }
  for (std::size_t queue = 0; queue < next.size(); ++queue)
    if (next[queue] != program_.queues[queue].commands.size())
      deadlock(next);
}

bool Executor::step(std::size_t queue, const Command &command) {
  if (auto const *wait = std::get_if<WaitForEventStep>(&command.step))
    return recorded_[wait->event];
  command_ = &command;
  try {
    std::visit([&](auto const &step) { execute(step); }, command.step);
  } catch (const Fault &) {
    throw; // names kernel, core and thread itself
  } catch (const emulator::SharedError &) {
    throw; // names the place on the rank that has failed
  } catch (const Error &error) {
    const Queue &place = program_.queues[queue];
    raise(error.category(), "program '", program_.name, "', queue '",
          place.name, "', command ", &command - place.commands.data(), " (",
          command.name, "): ", error.what());
  }
  return true;
}

void Executor::deadlock(const std::vector<std::size_t> &next) const {
  std::vector<Waiter> waiters;
  std::string text =
      "deadlock of the command queues of program '" + program_.name + "':";
  for (std::size_t i = 0; i < next.size(); ++i) {
    const Queue &queue = program_.queues[i];
    if (next[i] == queue.commands.size())
      continue;
    const Command &command = queue.commands[next[i]];
    const EventIndex event = std::get<WaitForEventStep>(command.step).event;
    Waiter waiter;
    waiter.place.thread = "queue '" + queue.name + "'";
    waiter.place.kernel = program_.name;
    waiter.place.location = command.location;
    waiter.place.instruction = std::string(command.name) + " (command " +
                               std::to_string(next[i]) + ")";
    waiter.waitsFor = "event " + std::to_string(program_.events[event]);
    for (std::size_t other = 0; other < next.size(); ++other) {
      const auto &commands = program_.queues[other].commands;
      for (std::size_t c = next[other]; c < commands.size(); ++c) {
        auto const *record = std::get_if<RecordEventStep>(&commands[c].step);
        if (record && record->event == event)
          waiter.suppliers.push_back("command " + std::to_string(c) +
                                     " of queue '" +
                                     program_.queues[other].name + "'");
      }
    }
    text += "\n  " + waiter.place.thread + ", " + waiter.place.instruction +
            " waits for " + waiter.waitsFor + ", which ";
    if (waiter.suppliers.empty())
      text += "no command records";
    for (std::size_t s = 0; s < waiter.suppliers.size(); ++s)
      text += (s ? " or " : "") + waiter.suppliers[s];
    if (!waiter.suppliers.empty())
      text += " records";
    waiters.push_back(std::move(waiter));
  }
  throw DeadlockFault(std::move(waiters), text);
}

void Executor::execute(const CreateBufferStep &step) {
  Slot &slot = slots_[step.value];
  if (slot.tensor)
    return; // an input or result, which the run itself creates
  makeResult(step.value);
  slot.deallocated = false;
}

void Executor::execute(const DeallocateBufferStep &step) {
  place(step.value);
  Slot &slot = slots_[step.value];
  slot.pages.reset();
  slot.tensor.reset();
  slot.deallocated = true;
}

void Executor::execute(const WriteBufferStep &step) {
  const Value &source = program_.values[step.source];
  const Value &target = program_.values[step.target];
  if (source.layout.shape != target.layout.shape)
    raise(ErrorCategory::Format, "expected tensors of one shape, found ",
          source.description, " and ", target.description);
  write(read(step.source), step.target);
}

void Executor::execute(const ReadBufferStep &step) {
  const Value &source = program_.values[step.source];
  const Value &target = program_.values[step.target];
  if (source.layout.shape != target.layout.shape)
    raise(ErrorCategory::Format, "expected tensors of one shape, found ",
          source.description, " and ", target.description);
  const TensorPtr from = read(step.source);
  // New memory: what the value was may be the caller's, or that of several
  // positions.
  const TensorPtr to = hostFor(from, step.target);
  for (std::size_t p = 0; p < chips_.size(); ++p)
    emulator::copyOwn(emulator::shardOf(from, p), emulator::shardOf(to, p),
                      Rounding::Host);
  slots_[step.target].tensor = to;
  setWritten(step.target);
  reportTransfer(nullptr, source, false);
}

void Executor::execute(const RunStep &step) {
  for (ValueIndex operand : step.operands)
    place(operand);
  // Destinations come last; hardly any program has several.
  if (!step.operands.empty())
    if (Slot &slot = slots_[step.operands.back()];
        slot.pages && !slot.pages->isWritable())
      settle(slot);
  if (!device_.options.kernelDirectory.empty())
    checkSources(step);
  emulator::Launch placed; // with the addresses of this run
  if (!step.addresses.empty())
    placed = *step.launch;
  for (const PlacedAddress &place : step.addresses) {
    const TensorPtr &tensor = slots_[place.value].tensor;
    placed.kernels[place.kernel].runtimeArgs[place.argument] = {
        std::uint32_t(emulator::shardOf(tensor, 0)->buffer->address())};
  }
  const emulator::Launch &launch =
      step.addresses.empty() ? *step.launch : placed;
  LaunchOptions options;
  options.checks = device_.options.checks;
  options.checkKinds = device_.options.checkKinds;
  options.stepLimit = device_.options.stepLimit;
  options.exactNumerics = device_.options.numerics == Numerics::Exact;
  options.events = device_.reporting;
  options.debugger = device_.debugger.get();
  // The checks of a rank do not know what the others access, and when.
  if (chips_.ownership.divided() && options.checks &&
      emulator::reachesChips(launch)) {
    options.checks = false;
    for (std::size_t value = 0; value < slots_.size(); ++value)
      if (slots_[value].tensor && slots_[value].tensor->onDevice())
        emulator::forShards(slots_[value].tensor, [](const TensorPtr &shard) {
          shard->buffer->setWritten();
        });
    const std::string note =
        "kernels that send to chips of other ranks run without checks";
    if (std::ranges::find(device_.notes, note) == device_.notes.end())
      device_.notes.push_back(note);
  }
  emulator::LaunchChips chips;
  for (const auto &chip : chips_)
    chips.chips.push_back(chip.get());
  chips.fabric = links();
  chips.ownership = chips_.ownership;
  chips.memory = &device_.launches;
  const auto &live = liveBuffers();
  std::optional<emulator::CheckedLaunches::Run> checked;
  if (options.checks && !options.events && !options.debugger &&
      !chips_.ownership.divided())
    checked.emplace(
        device_.checkedLaunches.start(step.launch, chips, live, options));
  if (checked && checked->isKnown()) {
    options.checks = false;
    options.checkedBefore = true;
    options.repetition = checked->repetition();
  }
  auto result = emulator::launch(chips, launch, live, options);
  if (checked)
    checked->finish(result);
  for (const emulator::DebugPrint &line : result.prints)
    device_.prints.push_back({line.core.y, line.core.x, line.thread, line.text,
                              std::max(0, line.chip.device)});
  for (const std::string &note : result.notes)
    if (std::ranges::find(device_.notes, note) == device_.notes.end())
      device_.notes.push_back(note);
  if (!device_.reporting)
    return;
  OpCost cost = launchCost(launch, result, geometry(), links(),
                           cost_.trace(command_->name, command_->location),
                           cost_.cycles());
  cost.name = step.name.empty() ? command_->name : step.name;
  cost.location = command_->location;
  for (ValueIndex operand : step.operands)
    cost.operands.push_back(operandUse(program_.values[operand].layout));
  if (!cost.operands.empty()) {
    cost.results.push_back(std::move(cost.operands.back()));
    cost.operands.pop_back();
  }
  holdBuffers(launch, cost.name);
  cost_.add(std::move(cost));
}

/// Circular buffers that are not the memory of a tensor.
void Executor::holdBuffers(const emulator::Launch &launch,
                           const std::string &op) {
  const std::string label = labelOf(command_->location);
  const std::string owner = label.empty() ? op + placeOf(command_->location)
                                          : "'" + label + "' (" + op + ")";
  for (std::size_t device = 0; device < chips_.size(); ++device)
    for (const emulator::CircularBufferConfig &buffer : launch.buffers) {
      if (buffer.aliased)
        continue;
      for (const emulator::CoreRange &range : buffer.cores) {
        MemoryUse use;
        use.device = int(device);
        use.space = "l1";
        use.address = buffer.address;
        use.bytes = buffer.pageSize * buffer.pages;
        use.name = owner + ": circular buffer " + std::to_string(buffer.port);
        use.y0 = int(range.y);
        use.x0 = int(range.x);
        use.y1 = int(range.y + range.height) - 1;
        use.x1 = int(range.x + range.width) - 1;
        cost_.hold(std::move(use));
      }
    }
}

void Executor::execute(const ControlFlowStep &step) {
  const auto all = [&](const std::vector<ValueIndex> &values) {
    std::vector<TensorPtr> tensors;
    for (ValueIndex value : values)
      tensors.push_back(read(value));
    return tensors;
  };
  const Command *command = command_;
  const Layout *condition =
      step.condition ? &program_.values[*step.condition].layout : nullptr;
  if (step.type == emulator::ControlFlowType::While) {
    const Program &before = *program_.parts[step.parts[0]];
    condition = &before.values[before.outputs[0]].layout;
  }
  const std::vector<TensorPtr> results = emulator::runControlFlow(
      step,
      emulator::Turns(device_, emulator::controlFlowName(step.type),
                      command->location),
      step.condition ? read(*step.condition) : nullptr, all(step.carried),
      all(step.captured),
      [&](std::uint32_t part, const std::vector<TensorPtr> &inputs) {
        if (step.type == emulator::ControlFlowType::HostCall)
          return ttnn::Executor(device_, *program_.hostFunctions[part], chips_,
                                program_.mesh.meshShape, cost_)
              .run(inputs);
        return Executor(*this, *program_.parts[part]).run(inputs);
      },
      [&](const TensorPtr &tensor) {
        Value value;
        value.layout = *condition;
        if (condition->onDevice())
          reportTransfer("read_condition", value, false);
        return emulator::isTrue(tensor);
      });
  // A part may give back what it was given, which has an address of this
  // program; the result may be there when another tensor is.
  const auto hasAddress = [&](const TensorPtr &tensor) {
    for (const auto *values : {&step.carried, &step.captured})
      for (ValueIndex value : *values)
        if (slots_[value].tensor == tensor && !program_.values[value].placed)
          return true;
    return false;
  };
  for (std::size_t i = 0; i < results.size(); ++i) {
    slots_[step.outputs[i]].pages.reset();
    slots_[step.outputs[i]].tensor =
        hasAddress(results[i])
            ? emulator::keepOnChips(
                  results[i], chips_,
                  program_.values[step.outputs[i]].description)
            : results[i];
    slots_[step.outputs[i]].written = true;
  }
}

/// The first is of the host. What a chip lacks of a tensor of all is an error.
void Executor::execute(const MeshShardStep &step) {
  const Layout &layout = program_.values[step.target].layout;
  const auto &mesh = program_.mesh.meshShape;
  TensorPtr in = read(step.source);
  TensorPtr &out = slots_[step.target].tensor;
  if (!step.toFull) {
    out = emulator::shardTensor(emulator::commonTensor(in), step.sharding, mesh,
                                layout, chips_.ownership);
  } else {
    if (!in->onMesh())
      in = emulator::repeatTensor(in, mesh);
    out = emulator::aggregateTensor(in, step.sharding, layout);
  }
  setWritten(step.target);
}

void Executor::execute(const CollectiveStep &step) {
  const TensorPtr in = read(step.source), out = use(step.target);
  const auto shards = [](const TensorPtr &tensor) {
    return tensor->onMesh() ? tensor->shards : std::vector<TensorPtr>{tensor};
  };
  Trace *trace =
      cost_.trace(collectiveName(step.collective.kind), command_->location);
  for (const TensorPtr &shard : shards(out))
    shard->buffer->zeroUnwritten();
  fabric_->keepSlices(trace != nullptr);
  const collectives::CollectiveCost links =
      collectives::run(step.collective, *fabric_, shards(in), shards(out));
  fabric_->keepSlices(false);
  setWritten(step.target);
  if (!device_.reporting)
    return;
  OpCost cost =
      collectiveCost(in->layout, out->layout, geometry(), links, chips_.size());
  cost.name = collectiveName(step.collective.kind);
  cost.location = command_->location;
  if (trace)
    fabric_->addTo(*trace, collectiveName(step.collective.kind),
                   cost_.cycles() + cost.parts.dispatch);
  cost_.add(std::move(cost));
}

void Executor::reportTransfer(const char *name, const Value &value,
                              bool toDevice) {
  if (!device_.reporting)
    return;
  OpCost cost =
      clock::transferCost(value.layout, toDevice, geometry(), chips_.size());
  cost.name = name ? name : command_->name;
  cost.location = name ? value.location : command_->location;
  cost_.add(std::move(cost));
}

void Executor::checkSources(const RunStep &step) const {
  for (const KernelSource &source : step.sources) {
    const auto path = std::filesystem::path(device_.options.kernelDirectory) /
                      source.fileName;
    std::ifstream stream(path, std::ios::binary);
    if (!stream)
      raise(ErrorCategory::File, "kernel file not found: ", path.string());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (text != source.text)
      raise(ErrorCategory::Unsupported, "kernel file ", path.string(),
            " differs from the source in the binary: expected the same text, "
            "since the emulator runs the compiled kernel and not C++; change "
            "the kernel where it is compiled");
  }
}

} // namespace tt::runtime::ttmetal
