// A TTMetal program as plain structures. Decoding checks everything that does
// not depend on the order in which the queues run, so that the executor does
// not touch the flatbuffer.
#ifndef TT_RUNTIME_TTMETAL_PROGRAM_H
#define TT_RUNTIME_TTMETAL_PROGRAM_H

#include "common/collective.h"
#include "common/hosts.h"
#include "common/layout.h"
#include "common/mesh_device.h"
#include "common/sharding.h"
#include "emulator/control_flow.h"
#include "emulator/result_cache.h"
#include "emulator/variables.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tt::runtime::emulator {
struct Launch;
}
namespace tt::runtime::ttnn {
struct Program;
}
namespace tt::target::metal {
struct TTMetalBinary;
}

namespace tt::runtime::ttmetal {

/// A tensor of a program. Commands name it by its index in Program::values.
struct Value {
  std::uint32_t id = 0; // global_id
  Layout layout;
  // On the device: the place in every bank, which the file chooses.
  std::int64_t address = 0, bankBytes = 0;
  // Row-major elements of a constant; they belong to the file.
  std::span<const std::uint8_t> constant;
  bool output = false;
  bool placed = false;       // in DRAM, where the runtime has room for it
  bool used = false;         // by a command, or as an output
  std::string_view location; // of the source, belongs to the file

  std::string description; // for messages: what describeTensor() says
};

using ValueIndex = std::uint32_t;
/// Index of an event in the order of the file.
using EventIndex = std::uint32_t;

// One structure per kind of command.
struct CreateBufferStep {
  ValueIndex value;
};
struct DeallocateBufferStep {
  ValueIndex value;
};
/// From the host to the device.
struct WriteBufferStep {
  ValueIndex source, target;
};
/// From the device to the host.
struct ReadBufferStep {
  ValueIndex source, target;
};
struct RecordEventStep {
  EventIndex event;
};
/// The queue continues when the event was recorded; also a host that waits.
struct WaitForEventStep {
  EventIndex event;
};
/// CreateEvent, EventQuery and Finish: events exist from the start, and a
/// command has ended when it returns.
struct NothingStep {};
/// The source of a kernel, for people, and the file name that belongs to it.
struct KernelSource {
  std::string fileName;
  std::string_view text; // belongs to the file
};
/// A run-time argument of a kernel that is the address of a tensor which the
/// runtime places.
struct PlacedAddress {
  std::size_t kernel, argument;
  ValueIndex value;
};
struct RunStep {
  std::string name; // "matmul"; empty if the file has none
  std::vector<ValueIndex> operands;
  std::vector<PlacedAddress> addresses;
  // Without the buffers that live at the time, and without addresses.
  std::shared_ptr<const emulator::Launch> launch;
  std::vector<KernelSource> sources;
};

/// Between a tensor of the host and one for each chip.
struct MeshShardStep {
  ValueIndex source, target;
  bool toFull;
  Sharding sharding;
};
/// Of tensors on the device.
struct CollectiveStep {
  ValueIndex source, target;
  Collective collective;
};
/// Runs parts of the program.
struct ControlFlowStep : emulator::ControlFlow<ValueIndex> {};

using Step =
    std::variant<CreateBufferStep, DeallocateBufferStep, WriteBufferStep,
                 ReadBufferStep, RecordEventStep, WaitForEventStep, NothingStep,
                 RunStep, MeshShardStep, CollectiveStep, ControlFlowStep>;

struct Command {
  Step step;
  const char *name;          // "create_buffer", "enqueue_program", ...
  std::string_view location; // debug_info, belongs to the file
};

struct Queue {
  std::string name;
  std::vector<Command> commands;
};

struct Program;
using CachedResults = emulator::CachedResults<Program, ValueIndex>;

/// Every chip of the mesh runs the program.
struct Program {
  std::string name;
  MeshDevice mesh;
  std::vector<Value> values;
  std::vector<ValueIndex> inputs, outputs;
  /// Of emulator::readAliasedOutputs().
  std::vector<std::int32_t> aliasedOutputs;
  Shardings inputShardings, outputShardings;
  /// There before the first command.
  std::vector<CachedResults> cached;
  /// The last ones of its inputs and outputs.
  std::vector<emulator::VariableRef> variables;
  /// What the control flow runs; `isPart` of those.
  std::vector<std::shared_ptr<const Program>> parts;
  bool isPart = false;
  /// What host calls run.
  std::vector<std::shared_ptr<const ttnn::Program>> hostFunctions;
  std::vector<Queue> queues;
  std::vector<std::uint32_t> events; // ids
};

/// Decodes and checks all programs; throws Error(Format) or Error(Unsupported)
/// that name program, queue, command and field. A program that the file has
/// several times is decoded once.
std::vector<std::shared_ptr<const Program>>
decodePrograms(::tt::target::metal::TTMetalBinary const *binary);

} // namespace tt::runtime::ttmetal

#endif // TT_RUNTIME_TTMETAL_PROGRAM_H
