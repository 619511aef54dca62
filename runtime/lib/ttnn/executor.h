// Runs a decoded program on an opened device, operation by operation. On a mesh
// every chip runs the program: the chips do an operation one after the other,
// each on its own tensors, before the next one starts. What only has tensors of
// the host that all chips share is done once. Where several ranks emulate the
// mesh, each does what its own chips do: what the others have is allocated,
// with the same addresses, and never read.
#ifndef TT_RUNTIME_TTNN_EXECUTOR_H
#define TT_RUNTIME_TTNN_EXECUTOR_H

#include "collectives/collectives.h"
#include "emulator/device.h"
#include "emulator/recorder.h"
#include "emulator/tensor.h"
#include "emulator/tensor_copy.h"
#include "numerics/matmul.h"
#include "numerics/scan.h"
#include "ttnn/program.h"

#include <functional>

namespace tt::runtime::ttnn {

struct EngineArgs;
class TileEngine;
using emulator::OpenDevice;
using emulator::TensorPtr;

/// A tensor's elements as a contiguous row-major array of a plain type: in
/// place where the tensor is one, else a copy.
struct RowMajor {
  const void *data = nullptr;
  numerics::DType type = numerics::DType::F32;
  std::shared_ptr<void> memory; // keeps a copy alive
};

class Executor {
public:
  Executor(OpenDevice &device, const Program &program);
  /// Of a part of the program that `caller` runs.
  Executor(const Executor &caller, const Program &part);
  /// Of a function that the host runs for a program of another runtime on these
  /// chips; its operations are in that program's report.
  Executor(OpenDevice &device, const Program &function,
           const emulator::Chips &chips,
           const std::vector<std::uint32_t> &meshShape,
           emulator::CostRecorder &recorder);

  /// `inputs` have the shapes of the program and may have any layout, `cached`
  /// are the results of other programs that it uses; returns the results where
  /// the program leaves them.
  std::vector<TensorPtr> run(const std::vector<TensorPtr> &inputs,
                             const std::vector<TensorPtr> &cached = {});

  /// Runs the chosen operations, those of a stage of a captured program. set()
  /// provides their inputs, get() returns their results.
  void runSome(const std::vector<bool> &chosen,
               emulator::CostRecorder &recorder);
  void set(ValueIndex value, TensorPtr tensor) {
    tensors_[value] = std::move(tensor);
  }
  const TensorPtr &get(ValueIndex value) const { return tensors_[value]; }

  /// Runs the program on tensors by value index, which it takes and gives back
  /// changed. Errors do not name the place.
  void call(std::vector<TensorPtr> &tensors);

private:
  /// The operations, one after the other.
  void runAll();
  /// Runs one operation, and adds it to the report.
  void runOne(const Operation &operation);
  void step(const Operation &operation);
  /// Only allocates what a chip of another rank makes.
  void allocateResults(const Step &step);
  /// The condition of control flow; what its read costs is reported.
  bool decide(const TensorPtr &condition);
  /// Adds the cost of an operation that has just run.
  void report(const Operation &operation, emulator::CostRecorder &recorder);
  /// Runs a step whose operands are the same for all chips.
  void shareStep(const Operation &operation);
  /// Gives a result of such a step to the other chips.
  void shareResult(const Step &step, ValueIndex value);
  /// Applies a function to a result where it lies.
  void activate(numerics::UnaryOp function, ValueIndex value);

  // One function per kind of step; each is a short translation to kernels.
  void execute(const GetDeviceStep &step);
  void execute(const EmptyStep &step);
  void execute(const DeallocStep &step);
  void execute(const UnaryStep &step);
  void execute(const BinaryStep &step);
  void execute(const WhereStep &step);
  void execute(const TypecastStep &step);
  void execute(const MeshShardStep &step);
  void execute(const CollectiveStep &step);
  void execute(const ControlFlowStep &step);
#define TTMLIR_EXECUTE(Step) void execute(const Step &step);
  TTMLIR_TTNN_STEPS(TTMLIR_EXECUTE)
#undef TTMLIR_EXECUTE

  /// Throws an error of an operation with its place in front.
  [[noreturn]] void fail(const Operation &operation, ErrorCategory category,
                         const char *message) const;
  /// The tensor of an operand on the chip whose turn it is; it exists.
  const TensorPtr &operand(ValueIndex value) const {
    const TensorPtr &tensor = tensors_[value];
    return tensor->onMesh() ? tensor->shards[position_] : tensor;
  }
  const Layout &layoutOf(ValueIndex value) const {
    return program_.values[value].layout;
  }
  /// A tensor to write the result to: the one that the program prepared, unless
  /// somebody else can see it or it is one of `sources`, which the operation
  /// reads while it writes.
  TensorPtr result(ValueIndex value, std::initializer_list<ValueIndex> sources);
  void bind(ValueIndex value, TensorPtr tensor) {
    if (perChip_)
      bindShard(value, std::move(tensor));
    else
      tensors_[value] = std::move(tensor);
  }
  void bindShard(ValueIndex value, TensorPtr tensor);
  /// The chips of a device, by position; of the one in use for kAnyDevice.
  const emulator::Chips &chipsOf(DeviceIndex device) const {
    return device == kAnyDevice ? chips_ : devices_[device];
  }
  /// Whether this rank has the chip whose turn it is.
  bool isLocal() const { return chips_.ownership.isLocal(position_); }
  const std::shared_ptr<emulator::Chip> &chipOf(DeviceIndex device) const {
    return chipsOf(device)[position_];
  }
  TensorPtr allocate(ValueIndex value, DeviceIndex device);
  /// A copy as the result's layout says.
  void move(ValueIndex in, ValueIndex out, DeviceIndex device);
  template <typename Step> void multiply(const Step &step, OptionalValue bias);
  template <typename Step>
  void multiplyIntegers(const Step &step, OptionalValue bias);

  /// A product of floats.
  void multiply(const numerics::MatmulArgs &args) const;

  // Exact numerics: on the engines of a core. False, or null, where they do not
  // take such operands, or the step is not one of theirs.
  bool applyExact(const UnaryStep &step);
  bool combineExact(const BinaryStep &step);
  bool rotateExact(const RotaryEmbeddingStep &step);
  /// What a kernel of one operand makes, of the result's computeType; null as
  /// well where there are no elements.
  std::shared_ptr<void>
  onEngines(ValueIndex in, ValueIndex out,
            const std::function<void(const EngineArgs &)> &kernel);
  /// Whether all are floats and numerics are exact.
  bool isExact(std::initializer_list<ValueIndex> values) const;
  /// An operand as floats, repeated to a shape.
  std::shared_ptr<void> readFloats(ValueIndex value, numerics::DType type,
                                   const std::vector<std::int64_t> &shape);
  struct Floats {
    std::shared_ptr<void> data;
    numerics::DType type; // plain
  };
  /// a op b on the matrix engine, of `count` elements each, as f32.
  std::shared_ptr<void> addExact(numerics::BinaryOp op, const Floats &a,
                                 const Floats &b, std::int64_t count) const;
  /// Packs f32.
  void packFloats(ValueIndex value, const std::shared_ptr<void> &data);
  /// Applies a function to the operands' tiles, which are in destinations 0, 1
  /// and so on, and packs its result from the first.
  void onVectorEngine(std::initializer_list<ValueIndex> operands,
                      ValueIndex result,
                      const std::function<void(TileEngine &)> &function);

  /// The positions of all queries (B, S) of an attention.
  std::vector<std::int64_t>
  positionsOf(const ScaledDotProductAttentionStep &step) const;
  std::vector<std::int64_t>
  blocksOf(const ScaledDotProductAttentionStep &step) const;
  /// The last positions of all chips, since the slowest chip determines the
  /// time of an operation.
  std::vector<std::int64_t>
  positionsOnAllChips(const ScaledDotProductAttentionStep &step);
  std::vector<std::optional<std::vector<std::int64_t>>>
  startsOf(const UpdateSliceStep &step) const;
  void updateSlice(const emulator::TensorData &target,
                   const std::vector<std::int64_t> &starts,
                   const std::vector<std::int64_t> &extents,
                   numerics::DType type, const std::byte *from);
  template <typename Step> void normalize(const Step &step, bool centered);
  template <typename Step> void scan(numerics::ScanOp op, const Step &step);
  template <typename Step, typename Args, typename Kernel>
  void convolve(const Step &step, Args args, const Kernel &kernel);
  template <typename Step, typename Args>
  void convolveIntegers(const Step &step, Args args);
  template <typename Move>
  void rearrange(ValueIndex in, ValueIndex out, const Move &move);

  /// Reads an operand; `type` is a plain type.
  RowMajor read(ValueIndex value, numerics::DType type) const;
  /// Writes row-major elements as the result.
  void write(ValueIndex value, std::initializer_list<ValueIndex> sources,
             numerics::DType type, const std::shared_ptr<void> &data);
  /// The same to a tensor from result().
  void store(ValueIndex value, TensorPtr target, numerics::DType type,
             const std::shared_ptr<void> &data);
  /// Type in which the kernels compute this value: its own, or Float32.
  numerics::DType computeType(ValueIndex value) const {
    return emulator::plainType(layoutOf(value).type);
  }
  /// The type for kernels that compute floats alone: the common one, or Float32
  /// so that a wider result is rounded to its own format only.
  numerics::DType floatType(ValueIndex in, ValueIndex out) const {
    const numerics::DType type = computeType(in);
    return type == computeType(out) && numerics::isFloat(type)
               ? type
               : numerics::DType::F32;
  }
  /// A parameter of a kernel as f32; nothing if it is absent.
  RowMajor readOptional(OptionalValue value) const {
    return value ? read(*value, numerics::DType::F32) : RowMajor();
  }

  OpenDevice &device_;
  const Program &program_;
  emulator::CostRecorder *recorder_ = nullptr; // while it runs
  const Operation *operation_ = nullptr;       // the one that runs
  std::vector<emulator::Chips> devices_; // of the program, once they are used
  emulator::Chips chips_;                // of the device in use
  std::vector<std::uint32_t> meshShape_;
  ComputeConfig compute_; // of the operation that runs
  // Whose turn it is. Between turns, the first one of this rank.
  std::uint32_t position_ = 0;
  bool perChip_ = false; // results are those of that chip alone
  bool onHost_ = false;  // a function that the host runs
  // Between the chips in use, once a collective needs it; and what the last one
  // took of it.
  std::unique_ptr<emulator::Fabric> fabric_;
  collectives::CollectiveCost links_;
  // By value index. On a mesh: of a mesh, or of the host for all chips.
  std::vector<TensorPtr> tensors_;
};

/// The type in which operands of different types meet. Operands and result of
/// one type compute in it. Where a float is among them they compute in f32;
/// integers compute in 32 bits, signed if an operand is, and the result keeps
/// the low bits that it holds.
numerics::DType commonType(std::initializer_list<numerics::DType> operands,
                           numerics::DType result);
/// The same where the result is a truth value, whose type does not matter.
numerics::DType commonType(std::initializer_list<numerics::DType> operands);

/// Scratch for `count` elements of a plain type.
std::shared_ptr<void> scratch(numerics::DType type, std::int64_t count);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_EXECUTOR_H
