// A TTNN program as plain structures. Decoding checks everything, so that the
// executor neither touches the flatbuffer nor checks again.
#ifndef TT_RUNTIME_TTNN_PROGRAM_H
#define TT_RUNTIME_TTNN_PROGRAM_H

#include "common/collective.h"
#include "common/compute_config.h"
#include "common/hosts.h"
#include "common/layout.h"
#include "common/mesh_device.h"
#include "common/sharding.h"
#include "emulator/control_flow.h"
#include "emulator/result_cache.h"
#include "emulator/variables.h"
#include "numerics/eltwise.h"
#include "ttmlir/Target/TTNN/binary_generated.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tt::runtime::ttnn {

/// A tensor of the program. Operations name it by its index in Program::values.
struct Value {
  std::uint32_t id = 0; // global_id
  Layout layout;
  // Some operation reads it before any has written it: `empty` must then give
  // zeros, and need not touch the memory otherwise.
  bool readUnwritten = false;
  std::string_view location{}; // of what makes it, belongs to the file
};

using ValueIndex = std::uint32_t;

/// An operand that may be absent.
using OptionalValue = std::optional<ValueIndex>;

/// Index in Program::devices, or kAnyDevice.
using DeviceIndex = std::uint32_t;

/// How much of an operand an operation reads.
enum class Reads : std::uint8_t {
  Whole,
  Part,  // as many bytes as the result has
  Shape, // nothing: it only gives its shape
};

struct Operand {
  ValueIndex value;
  Reads reads;
};

/// What an operation reads, in the order of its fields.
class Operands {
public:
  Operands() = default;
  Operands(std::initializer_list<ValueIndex> values) {
    add(values, Reads::Whole);
  }

  void add(ValueIndex value, Reads reads = Reads::Whole) {
    all_.push_back({value, reads});
  }
  void add(OptionalValue value, Reads reads) {
    if (value)
      add(*value, reads);
  }
  void add(const std::vector<ValueIndex> &values, Reads reads) {
    for (ValueIndex value : values)
      add(value, reads);
  }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

private:
  std::vector<Operand> all_;
};

//===-- Steps -------------------------------------------------------------===//
//
// One structure per kind of operation. operands() are the tensors that it reads
// and result() the one that it makes or writes, if any; of several, which
// results() then lists, it is the first. What the verifier has accepted runs
// without further checks. Most are made from the definitions of
// the ops; here are those that are not one table each.

struct GetDeviceStep {
  DeviceIndex device;

  Operands operands() const { return {}; }
  OptionalValue result() const { return std::nullopt; }
};

struct EmptyStep {
  ValueIndex out;
  DeviceIndex device;

  Operands operands() const { return {}; }
  OptionalValue result() const { return out; }
};

struct DeallocStep {
  ValueIndex in;

  Operands operands() const { return {}; }
  OptionalValue result() const { return std::nullopt; }
};

/// An elementwise operation of `Count` tensors.
template <std::size_t Count> struct EltwiseStep {
  ValueIndex ins[Count], out;

  Operands operands() const {
    Operands all;
    all.add({ins, ins + Count}, Reads::Whole);
    return all;
  }
  OptionalValue result() const { return out; }
};
struct UnaryStep : EltwiseStep<1> {
  numerics::UnaryOp op;
  numerics::UnaryParams params;
};
struct BinaryStep : EltwiseStep<2> {
  numerics::BinaryOp op;
};
/// The inputs are the condition and the values where it holds and where not.
struct WhereStep : EltwiseStep<3> {};
struct TypecastStep : EltwiseStep<1> {};

/// From a tensor of the host to the shards of the chips there, or the other
/// way.
struct MeshShardStep {
  bool toFull;
  ValueIndex in, out;
  Sharding sharding;
  std::vector<std::uint32_t> meshShape;

  Operands operands() const { return {in}; }
  OptionalValue result() const { return out; }
};

/// What the chips of the mesh do together; operand and result are on it.
struct CollectiveStep {
  Collective collective;
  ValueIndex in, out;
  /// The operation that makes `in` slice by slice while earlier ones are sent.
  std::optional<std::size_t> product = {};

  Operands operands() const { return {in}; }
  OptionalValue result() const { return out; }
};

/// Runs parts of the program, which define `outputs`.
struct ControlFlowStep : emulator::ControlFlow<ValueIndex> {
  Operands operands() const {
    Operands all;
    all.add(condition, Reads::Whole);
    all.add(carried, Reads::Whole);
    all.add(captured, Reads::Whole);
    return all;
  }
  OptionalValue result() const { return std::nullopt; }
};

#include "ttmlir/Target/TTNN/steps.inc"

#define TTMLIR_MEMBER(Step) , Step
using Step =
    std::variant<GetDeviceStep, EmptyStep, DeallocStep, UnaryStep, BinaryStep,
                 WhereStep, TypecastStep, MeshShardStep, CollectiveStep,
                 ControlFlowStep TTMLIR_TTNN_STEPS(TTMLIR_MEMBER)>;
#undef TTMLIR_MEMBER

Operands operandsOf(const Step &step);
/// All that the operation makes or writes, and the first one of them.
std::vector<ValueIndex> resultsOf(const Step &step);
OptionalValue resultOf(const Step &step);

struct Operation {
  Step step;
  std::string name;          // "eltwise.add", "to_layout", ...
  std::string_view location; // debug_info, belongs to the file
  ComputeConfig compute;     // with the library's defaults
  std::optional<numerics::UnaryOp> activation; // of the result
  /// Of a product: in so many it makes its result, see CollectiveStep.
  std::uint32_t slices = 1;
};

class Costs;

struct Program;
using CachedResults = emulator::CachedResults<Program, ValueIndex>;

struct Program {
  std::string name;
  // In the order of get_device; all have equally many chips.
  std::vector<MeshDevice> devices;
  std::vector<Value> values;
  std::vector<ValueIndex> inputs, outputs;
  /// Of emulator::readAliasedOutputs().
  std::vector<std::int32_t> aliasedOutputs;
  Shardings inputShardings, outputShardings;
  /// There before the first operation.
  std::vector<CachedResults> cached;
  /// The last ones of its inputs and outputs.
  std::vector<emulator::VariableRef> variables;
  /// What the control flow runs.
  std::vector<std::shared_ptr<const Program>> parts;
  std::vector<Operation> operations;
  /// What the operations cost, as far as somebody asked.
  std::shared_ptr<Costs> costs;

  /// Where the program runs.
  MeshDevice mesh() const {
    return devices.empty() ? MeshDevice() : devices.front();
  }
};

class Decoder;

/// Decodes and checks one operation of a program; throws Error(Format) or
/// Error(Unsupported) that name the field.
Operation decodeOperation(Decoder &decoder, const Program &program,
                          ::tt::target::ttnn::Operation const *operation);

/// The same for a function that the host runs for a program on these chips, in
/// a file of another runtime.
std::shared_ptr<const Program>
decodeHostFunction(::tt::target::ttnn::Program const *program,
                   const ChipGeometry &chip, std::size_t numChips,
                   const MeshDevice &mesh);

/// Decodes and checks all programs; throws Error(Format) or Error(Unsupported)
/// that name program, operation and field. A program that the file names many
/// times is there once.
std::vector<std::shared_ptr<const Program>>
decodePrograms(::tt::target::ttnn::TTNNBinary const *binary);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_PROGRAM_H
