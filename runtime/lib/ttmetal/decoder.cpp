// Decodes the programs of a TTMetal file: tensors, events, queues, commands.
#include "ttmetal/decoder.h"

#include "common/location.h"
#include "emulator/donation.h"
#include "emulator/mesh.h"
#include "ttnn/program.h"

namespace tt::runtime::ttmetal {

namespace target = ::tt::target;

namespace {

constexpr std::int64_t kMaxAddress = std::int64_t(1) << 40;

/// Reads the elements of a constant; throws Error(Format) unless the file has
/// exactly their bytes.
void readConstant(target::TensorDesc const *desc, Value &value) {
  auto const *data = desc->constant_data();
  if (!data)
    return;
  if (numerics::isBlockFloat(value.layout.type))
    malformed("expected a constant of a type with a size per element, found ",
              numerics::dtypeName(value.layout.type));
  const std::int64_t bytes = value.layout.volume() * value.layout.elementSize();
  if (std::int64_t(data->size()) != bytes)
    malformed("expected constant_data of ", bytes, " bytes for ",
              value.layout.describe(), ", found ", data->size());
  if (reinterpret_cast<std::uintptr_t>(data->data()) %
      std::uintptr_t(value.layout.elementSize()))
    malformed("the elements of field constant_data are not aligned");
  value.constant = {data->data(), data->size()};
}

Value readValue(target::TensorRef const *ref, const char *field,
                const ChipGeometry &chip, bool needsAddress) {
  Value value;
  value.id = ref->global_id();
  value.layout = readLayout(ref->desc(), chip, Placement::Linear);
  if (value.layout.onDevice()) {
    if ((needsAddress && ref->address() == 0) || ref->address() > kMaxAddress ||
        ref->size() > kMaxAddress)
      malformed("tensor ", value.id, " in field ", field,
                ": expected an address from 1 and a size, both to ",
                kMaxAddress, ", found address ", ref->address(), ", size ",
                ref->size());
    value.address = std::int64_t(ref->address());
    value.bankBytes =
        std::max(value.layout.bankBytes, std::int64_t(ref->size()));
  }
  readConstant(ref->desc(), value);
  if (ref->location())
    value.location = ref->location()->string_view();
  return value;
}

/// The first error of a callee again, with the place in front.
template <typename... Parts>
[[noreturn]] void rethrowAt(const Error &error, const Parts &...place) {
  raise(error.category(), place..., ": ", error.what());
}

struct Entry {
  const char *name;
  Step (*decode)(Decoder &, fb::Command const *, const std::string &queue,
                 std::string_view location);
};

template <typename StepType, typename Table>
Step eventStep(Decoder &decoder, Table const *command) {
  return StepType{decoder.event(command->ref())};
}

#define TTMLIR_ENTRY(Table, Name, ...)                                         \
  {Name,                                                                       \
   [](Decoder &decoder, fb::Command const *command,                            \
      [[maybe_unused]] const std::string &queue,                               \
      [[maybe_unused]] std::string_view location) -> Step {                    \
     [[maybe_unused]] Decoder &d = decoder;                                    \
     [[maybe_unused]] auto const *c = command->type_as_##Table();              \
     return __VA_ARGS__;                                                       \
   }}

/// By CommandType, from 1.
constexpr Entry kCommands[] = {
    TTMLIR_ENTRY(EnqueueProgramCommand, "enqueue_program",
                 d.run(c, queue, location)),
    TTMLIR_ENTRY(EnqueueWriteBufferCommand, "enqueue_write_buffer",
                 WriteBufferStep{d.hostTensor(c->src(), "src"),
                                 d.deviceTensor(c->dst(), "dst")}),
    TTMLIR_ENTRY(EnqueueReadBufferCommand, "enqueue_read_buffer",
                 ReadBufferStep{d.deviceTensor(c->src(), "src"),
                                d.hostTensor(c->dst(), "dst")}),
    TTMLIR_ENTRY(CreateBufferCommand, "create_buffer",
                 CreateBufferStep{d.tensor(c->ref(), "ref")}),
    TTMLIR_ENTRY(DeallocateBufferCommand, "deallocate_buffer",
                 DeallocateBufferStep{d.tensor(c->ref(), "ref")}),
    TTMLIR_ENTRY(CreateEventCommand, "create_event",
                 (d.createEvent(c->ref()), NothingStep{})),
    TTMLIR_ENTRY(EnqueueRecordEventCommand, "enqueue_record_event",
                 eventStep<RecordEventStep>(d, c)),
    TTMLIR_ENTRY(EnqueueWaitForEventCommand, "enqueue_wait_for_event",
                 eventStep<WaitForEventStep>(d, c)),
    TTMLIR_ENTRY(EventSynchronizeCommand, "event_synchronize",
                 eventStep<WaitForEventStep>(d, c)),
    TTMLIR_ENTRY(EventQueryCommand, "event_query",
                 (d.event(c->ref()), NothingStep{})),
    TTMLIR_ENTRY(FinishCommand, "finish", NothingStep{}),
    TTMLIR_ENTRY(CollectiveOp, "collective", d.collective(c)),
    TTMLIR_ENTRY(MeshShardOp, "mesh_shard", d.meshShard(c)),
    TTMLIR_ENTRY(ControlFlowOp, "control_flow", d.controlFlow(c)),
};
#undef TTMLIR_ENTRY
static_assert(std::size(kCommands) == unsigned(fb::CommandType::MAX));

Command decodeCommand(Decoder &decoder, fb::Command const *command,
                      const std::string &queue, std::size_t index) {
  const char *name = "command";
  try {
    if (!command || !command->type())
      malformed("expected a command table");
    const auto type = command->type_type();
    if (type == fb::CommandType::NONE || type > fb::CommandType::MAX)
      malformed("expected a command type from 1 to ",
                unsigned(fb::CommandType::MAX), ", found ", unsigned(type));
    const Entry &entry = kCommands[unsigned(type) - 1];
    name = entry.name;
    const std::string_view location = command->debug_info()
                                          ? command->debug_info()->string_view()
                                          : std::string_view();
    return {entry.decode(decoder, command, queue, location), name, location};
  } catch (const Error &error) {
    rethrowAt(error, "queue '", queue, "', command ", index, " (", name, ")");
  }
}

Queue decodeQueue(Decoder &decoder, fb::CommandQueue const *queue) {
  if (!queue)
    malformed("expected a command queue");
  Queue result;
  if (queue->name())
    result.name = queue->name()->str();
  const std::size_t count = queue->commands() ? queue->commands()->size() : 0;
  result.commands.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    result.commands.push_back(decodeCommand(
        decoder, queue->commands()->Get(unsigned(i)), result.name, i));
  return result;
}

void decodeProgram(fb::Program const *program, const ChipGeometry &chip,
                   std::size_t numChips, Program &result, unsigned depth = 0);

/// The functions whose results a program uses; these use none themselves.
void decodeCached(Decoder &decoder, fb::Program const *program,
                  const ChipGeometry &chip, std::size_t numChips,
                  Program &result) {
  auto const *all = program->cached();
  for (std::size_t i = 0; all && i < all->size(); ++i) {
    fb::CachedResults const *table = all->Get(unsigned(i));
    if (!table || !table->program() ||
        (table->program()->cached() && table->program()->cached()->size()))
      malformed("cached results: expected a program without any");
    auto callee = std::make_shared<Program>();
    decodeProgram(table->program(), chip, numChips, *callee);
    CachedResults cached;
    cached.fingerprint = table->fingerprint();
    cached.program = std::move(callee);
    if (auto const *inputs = table->inputs())
      cached.inputs.assign(inputs->begin(), inputs->end());
    cached.outputs = decoder.placedTensors(table->outputs(), "cached");
    emulator::checkCached(result, cached);
    result.cached.push_back(std::move(cached));
  }
}

constexpr unsigned kMaxPartDepth = 64;

/// What the control flow of a program runs.
void decodeParts(fb::Program const *program, const ChipGeometry &chip,
                 std::size_t numChips, unsigned depth, Program &result) {
  auto const *parts = program->parts();
  if (parts && parts->size() && depth == kMaxPartDepth)
    malformed("expected parts at most ", kMaxPartDepth, " deep");
  for (std::size_t i = 0; parts && i < parts->size(); ++i) {
    auto part = std::make_shared<Program>();
    part->isPart = true;
    decodeProgram(parts->Get(unsigned(i)), chip, numChips, *part, depth + 1);
    if (!part->cached.empty())
      malformed("expected parts without cached results");
    if (part->mesh.chipIds != result.mesh.chipIds)
      malformed("expected part '", part->name, "' on the chips of its program");
    result.parts.push_back(std::move(part));
  }
  auto const *functions = program->host_functions();
  for (std::size_t i = 0; functions && i < functions->size(); ++i)
    result.hostFunctions.push_back(ttnn::decodeHostFunction(
        functions->Get(unsigned(i)), chip, numChips, result.mesh));
}

/// Inputs in DRAM may lie anywhere; in L1, only those that programs of cached
/// results read.
void checkInputAddresses(fb::Program const *program, const Program &result) {
  std::vector<bool> isElsewhere(result.inputs.size());
  for (const CachedResults &cached : result.cached)
    for (std::uint32_t input : cached.inputs)
      isElsewhere[input] = true;
  for (std::size_t i = 0; i < result.inputs.size(); ++i) {
    target::TensorRef const *ref = program->inputs()->Get(unsigned(i));
    const Value &value = result.values[result.inputs[i]];
    if (value.layout.onDevice() && ref->address() == 0 && !value.placed &&
        !isElsewhere[i])
      malformed("tensor ", ref->global_id(),
                " in field inputs: expected an address from 1 and a size, both "
                "to ",
                kMaxAddress, ", found address 0, size ", ref->size());
  }
}

void decodeProgram(fb::Program const *program, const ChipGeometry &chip,
                   std::size_t numChips, Program &result, unsigned depth) {
  if (!program)
    malformed("expected a program table");
  if (program->name())
    result.name = program->name()->str();
  auto const *devices = program->device_programs();
  if (!devices || devices->size() != 1 || !devices->Get(0))
    raise(ErrorCategory::Unsupported, "expected one device program, found ",
          devices ? devices->size() : 0);
  Decoder decoder(chip, result);
  result.inputs = decoder.inputs(program->inputs());
  for (ValueIndex input : result.inputs)
    if (Value &value = result.values[input];
        value.layout.space == Space::Dram && value.address == 0)
      value.placed = true;
  decodeCached(decoder, program, chip, numChips, result);
  if (!result.isPart)
    checkInputAddresses(program, result);
  result.outputs = decoder.tensors(program->outputs(), "outputs",
                                   /*needsAddress=*/false);
  result.aliasedOutputs = emulator::readAliasedOutputs(result, program);
  for (ValueIndex output : result.outputs) {
    Value &value = result.values[output];
    value.output = value.used = true;
    value.placed |= value.layout.space == Space::Dram && value.address == 0;
  }
  fb::DeviceProgram const *device = devices->Get(0);
  decoder.mesh(device, numChips);
  emulator::readShardings(result, program, result.mesh.meshShape);
  decodeParts(program, chip, numChips, depth, result);
  if (decoder.inputs(device->inputs()) != result.inputs ||
      decoder.tensors(device->outputs(), "outputs", /*needsAddress=*/false) !=
          result.outputs)
    malformed("expected the device program to have the inputs and outputs of "
              "the program");
  decoder.startCommands();
  auto const *queues = device->command_queues();
  for (std::size_t i = 0; queues && i < queues->size(); ++i)
    result.queues.push_back(decodeQueue(decoder, queues->Get(unsigned(i))));
  decoder.checkEvents();
  decoder.checkAddresses();
}

} // namespace

std::vector<ValueIndex> Decoder::tensors(TensorRefs const *refs,
                                         const char *field, bool needsAddress) {
  std::vector<ValueIndex> result;
  for (std::size_t i = 0; refs && i < refs->size(); ++i)
    result.push_back(tensor(refs->Get(unsigned(i)), field, needsAddress));
  return result;
}

std::vector<ValueIndex> Decoder::inputs(TensorRefs const *refs) {
  std::vector<ValueIndex> result;
  for (std::size_t i = 0; refs && i < refs->size(); ++i)
    result.push_back(
        tensor(refs->Get(unsigned(i)), "inputs", /*needsAddress=*/false));
  return result;
}

void Decoder::checkAddresses() const {
  for (const Value &value : program_.values)
    if (value.used && value.layout.onDevice() && !value.placed &&
        value.address == 0)
      malformed(value.description, " has no address");
}

ValueIndex Decoder::tensor(TensorRef const *ref, const char *field,
                           bool needsAddress) {
  if (!ref)
    malformed("expected a tensor in field ", field, ", found none");
  const std::uint32_t id = ref->global_id();
  auto known = tensors_.find(id);
  if (known != tensors_.end() && known->second.ref == ref) {
    program_.values[known->second.value].used |= inCommands_;
    return known->second.value;
  }
  if (id == 0)
    malformed("expected a tensor id > 0 in field ", field);
  Value read = readValue(ref, field, chip_, needsAddress && !program_.isPart);
  // What a part is given, and what it returns.
  read.placed = program_.isPart && read.layout.onDevice() &&
                read.address == 0 && read.layout.space == Space::Dram;
  read.used = inCommands_;
  if (known == tensors_.end()) {
    const ValueIndex index = ValueIndex(program_.values.size());
    read.description = describeTensor(read.id, read.layout, read.location);
    program_.values.push_back(std::move(read));
    tensors_[id] = {index, ref};
    return index;
  }
  const Value &first = value(known->second.value);
  if (!read.layout.samePages(first.layout) || read.address != first.address)
    malformed("tensor ", id, " in field ", field,
              " has two different descriptions");
  program_.values[known->second.value].used |= inCommands_;
  return known->second.value;
}

std::vector<ValueIndex> Decoder::placedTensors(TensorRefs const *refs,
                                               const char *field) {
  std::vector<ValueIndex> result;
  for (std::size_t i = 0; refs && i < refs->size(); ++i) {
    TensorRef const *ref = refs->Get(unsigned(i));
    // What a program returns is known from its outputs.
    if (ref && tensors_.count(ref->global_id())) {
      result.push_back(tensor(ref, field));
      if (!value(result.back()).output)
        malformed(value(result.back()).description, " in field ", field,
                  " is there before");
      Value &known = program_.values[result.back()];
      known.placed = known.layout.space == Space::Dram;
      continue;
    }
    if (!ref || ref->global_id() == 0 || tensors_.count(ref->global_id()))
      malformed("expected a tensor with an id of its own in field ", field);
    Value value;
    value.id = ref->global_id();
    value.layout = readLayout(ref->desc(), chip_, Placement::Linear);
    value.placed = value.layout.onDevice();
    value.used = inCommands_;
    if (value.placed && value.layout.space != Space::Dram)
      malformed("expected tensors of field ", field, " in DRAM, found ",
                value.layout.describe());
    if (ref->location())
      value.location = ref->location()->string_view();
    value.description = describeTensor(value.id, value.layout, value.location);
    result.push_back(ValueIndex(program_.values.size()));
    tensors_[value.id] = {result.back(), ref};
    program_.values.push_back(std::move(value));
  }
  return result;
}

ControlFlowStep Decoder::controlFlow(::tt::target::ControlFlowOp const *op) {
  ControlFlowStep step;
  step.type = emulator::readControlFlowType(op);
  const bool onHost = step.type == emulator::ControlFlowType::HostCall;
  step.parts = emulator::readParts(op, onHost ? program_.hostFunctions.size()
                                              : program_.parts.size());
  step.count = op->count();
  if (step.type == emulator::ControlFlowType::If)
    step.condition = tensor(op->condition(), "condition");
  step.carried = tensors(op->carried(), "carried");
  step.captured = tensors(op->captured(), "captured");
  step.outputs = placedTensors(op->out(), "out");
  if (onHost)
    emulator::checkHostCall(program_, *program_.hostFunctions[step.parts[0]],
                            step);
  else
    emulator::checkControlFlow(program_, step);
  return step;
}

ValueIndex Decoder::deviceTensor(TensorRef const *ref, const char *field) {
  const ValueIndex index = tensor(ref, field);
  if (!value(index).layout.onDevice())
    malformed("expected a tensor on the device in field ", field, ", found ",
              value(index).description);
  return index;
}

ValueIndex Decoder::hostTensor(TensorRef const *ref, const char *field) {
  const ValueIndex index = tensor(ref, field);
  if (value(index).layout.onDevice())
    malformed("expected a tensor on the host in field ", field, ", found ",
              value(index).description);
  return index;
}

EventIndex Decoder::event(EventRef const *ref) {
  if (!ref)
    malformed("expected an event in field ref, found none");
  const auto [known, isNew] =
      events_.try_emplace(ref->global_id(), EventIndex(events_.size()));
  if (isNew) {
    program_.events.push_back(ref->global_id());
    created_.push_back(false);
  }
  return known->second;
}

void Decoder::createEvent(EventRef const *ref) {
  const EventIndex index = event(ref);
  if (created_[index])
    malformed("event ", ref->global_id(), " is created twice");
  created_[index] = true;
}

void Decoder::checkEvents() const {
  for (EventIndex i = 0; i < created_.size(); ++i)
    if (!created_[i])
      malformed("event ", program_.events[i],
                " is used, and no command creates it");
}

std::vector<std::shared_ptr<const Program>>
decodePrograms(fb::TTMetalBinary const *binary) {
  const ChipGeometry chip =
      chipGeometry(binary->system_desc()->chip_descs()->Get(0));
  const std::size_t numChips =
      binary->system_desc()->chip_desc_indices()->size();
  const emulator::Variables variables =
      emulator::decodeVariables(binary->variables(), chip);
  return decodeOnce<Program>(
      binary->programs(), [&](fb::Program const *from, std::size_t index) {
        Program program;
        try {
          decodeProgram(from, chip, numChips, program);
          emulator::decodeVariableRefs(from->variables(), variables, program);
        } catch (const Error &error) {
          rethrowAt(error, "program ", index, " '", program.name, "'");
        }
        return program;
      });
}

} // namespace tt::runtime::ttmetal
