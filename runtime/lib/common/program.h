// A TTNN program as plain structures. Decoding checks everything, so that the
// executor neither touches the flatbuffer nor checks again.
#ifndef TT_RUNTIME_COMMON_PROGRAM_H
#define TT_RUNTIME_COMMON_PROGRAM_H

#include "common/collective.h"
#include "common/layout.h"
#include "common/mesh_device.h"
#include "common/sharding.h"
#include "kernels/eltwise.h"
#include "kernels/gather.h"
#include "kernels/pool.h"
#include "kernels/reduce.h"
#include "ttmlir/Target/TTNN/binary_generated.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace tt::runtime {

/// A tensor of the program. Operations name it by its index in Program::values.
struct Value {
  std::uint32_t id = 0; // global_id
  Layout layout;
  // Some operation reads it before any has written it: `empty` must then give
  // zeros, and need not touch the memory otherwise.
  bool readUnwritten = false;
};

using ValueIndex = std::uint32_t;

/// Index in Program::devices, or kAnyDevice.
using DeviceIndex = std::uint32_t;
/// Stands for "the device in use" where a table names none.
inline constexpr DeviceIndex kAnyDevice = ~DeviceIndex(0);

/// An operand that may be absent.
using OptionalValue = std::optional<ValueIndex>;

// One structure per kind of operation. `out` is where the result goes. What
// checkStep() has accepted runs without further checks.
struct GetDeviceStep {
  DeviceIndex device;
};
/// to_layout, to_device, from_device, to_memory_config: a copy as the result's
/// layout says.
struct MoveStep {
  ValueIndex in, out;
  DeviceIndex device;
};
struct EmptyStep {
  ValueIndex out;
  DeviceIndex device;
};
struct FullStep {
  ValueIndex out;
  DeviceIndex device;
  float value;
};
/// `data` is row-major and belongs to the file.
struct ConstantStep {
  ValueIndex out;
  DeviceIndex device;
  kernels::DType type;
  std::span<const std::uint8_t> data;
};
struct ArangeStep {
  ValueIndex out;
  DeviceIndex device;
  std::int64_t start, end, step;
};
struct UnaryStep {
  kernels::UnaryOp op;
  ValueIndex in, out;
  kernels::UnaryParams params;
};
struct BinaryStep {
  kernels::BinaryOp op;
  ValueIndex a, b, out;
};
struct WhereStep {
  ValueIndex condition, a, b, out;
};
struct TypecastStep {
  ValueIndex in, out;
};
/// matmul and linear.
struct MatmulStep {
  ValueIndex a, b, out;
  OptionalValue bias;
  bool transposeA = false, transposeB = false;
};
struct ReduceStep {
  kernels::ReduceOp op;
  ValueIndex in, out;
  std::vector<std::int64_t> dims; // sorted; empty means all
  // Shape of the reduction proper. The result may keep whole tiles of 32 where
  // this has 1; the reduction is then at index 0 and the rest is zero.
  std::vector<std::int64_t> shape;
};
struct ArgmaxStep {
  ValueIndex in, out;
  std::optional<std::int64_t> dim; // absent: of the flattened tensor
  bool keepDim;
};
struct CumsumStep {
  ValueIndex in, out;
  std::int64_t dim;
};
struct SoftmaxStep {
  ValueIndex in, out;
  std::int64_t dim;
};
/// layer_norm and rms_norm over the innermost dimensions.
struct NormStep {
  bool rms;
  ValueIndex in, out;
  OptionalValue weight, bias;
  std::vector<std::int64_t> normalizedShape;
  float epsilon;
};
struct EmbeddingStep {
  ValueIndex indices, weight, out;
};
/// The gradient of the weight; `weight` gives the shape alone.
struct EmbeddingBackwardStep {
  ValueIndex indices, weight, gradient, out;
};
struct GatherStep {
  ValueIndex in, indices, out;
  kernels::GatherDims dims;
};
struct TransposeStep {
  ValueIndex in, out;
  std::int64_t dim0, dim1;
};
struct PermuteStep {
  ValueIndex in, out;
  std::vector<std::int64_t> permutation;
};
struct ConcatStep {
  std::vector<ValueIndex> ins;
  ValueIndex out;
  std::int64_t dim;
};
struct ReshapeStep {
  ValueIndex in, out;
};
struct SliceStep {
  ValueIndex in, out;
  std::vector<std::int64_t> begins, ends, step;
};
struct PadStep {
  ValueIndex in, out;
  std::vector<std::int64_t> low, high;
  float value;
};
struct RepeatStep {
  ValueIndex in, out;
  std::vector<std::int64_t> repeats;
};
struct Conv2dStep {
  ValueIndex in, weight, out;
  OptionalValue bias;
  std::int64_t batch, inHeight, inWidth, inChannels, outChannels, groups;
  kernels::Window2d window;
};
struct ConvTranspose2dStep {
  Conv2dStep conv;
  std::int64_t outputPaddingH, outputPaddingW;
};
enum class PoolOp : std::uint8_t { Max, Average };
struct Pool2dStep {
  PoolOp op;
  ValueIndex in, out;
  kernels::Image image;
  kernels::Window2d window;
  bool countPadding = false; // of an average
};
struct UpsampleStep {
  ValueIndex in, out;
  std::int64_t scaleH, scaleW;
  bool bilinear;
};
struct DeallocStep {
  ValueIndex in;
};
/// What the chips of the mesh do together; operand and result are on it.
struct CollectiveStep {
  Collective collective;
  ValueIndex in, out;
};
/// From a tensor of the host to the shards of the chips there, or the other
/// way.
struct MeshShardStep {
  bool toFull;
  ValueIndex in, out;
  Sharding sharding;
  std::vector<std::uint32_t> meshShape;
};

using Step =
    std::variant<GetDeviceStep, MoveStep, EmptyStep, FullStep, ConstantStep,
                 ArangeStep, UnaryStep, BinaryStep, WhereStep, TypecastStep,
                 MatmulStep, ReduceStep, ArgmaxStep, CumsumStep, SoftmaxStep,
                 NormStep, EmbeddingStep, EmbeddingBackwardStep, GatherStep,
                 TransposeStep, PermuteStep, ConcatStep, ReshapeStep, SliceStep,
                 PadStep, RepeatStep, Conv2dStep, ConvTranspose2dStep,
                 Pool2dStep, UpsampleStep, DeallocStep, MeshShardStep,
                 CollectiveStep>;

/// The tensors that a step reads.
std::vector<ValueIndex> operandsOf(const Step &step);
/// The tensor that it makes or writes, if any.
OptionalValue resultOf(const Step &step);

struct Operation {
  Step step;
  std::string name;          // "eltwise.add", "to_layout", ...
  std::string_view location; // debug_info, belongs to the file
};

/// " at file:line:column" for a debug_info that ends in the location of an op,
/// loc("name"("file":line:column)) or loc("file":line:column); else nothing.
std::string placeOf(std::string_view debugInfo);

struct Program {
  std::string name;
  // In the order of get_device; all have equally many chips.
  std::vector<MeshDevice> devices;
  std::vector<Value> values;
  std::vector<ValueIndex> inputs, outputs;
  std::vector<Operation> operations;

  /// Where the program runs.
  MeshDevice mesh() const {
    return devices.empty() ? MeshDevice() : devices.front();
  }
};

/// What `decode(table, index)` makes of each table of a vector, the same object
/// for a table that is named many times.
template <typename Result, typename Tables, typename Decode>
std::vector<std::shared_ptr<const Result>> decodeOnce(const Tables *tables,
                                                      Decode decode) {
  std::vector<std::shared_ptr<const Result>> results;
  std::unordered_map<const void *, std::size_t> known;
  const std::size_t count = tables ? tables->size() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto const *table = tables->Get(unsigned(i));
    const auto [first, isNew] = known.try_emplace(table, i);
    results.push_back(isNew ? std::make_shared<const Result>(decode(table, i))
                            : results[first->second]);
  }
  return results;
}

/// Checks that the operands and attributes of a step fit each other; throws
/// Error(Format) or Error(Unsupported) that names the field of the schema.
void checkStep(const Program &program, const Step &step);

class Decoder;

/// Decodes and checks one operation of a program; throws Error(Format) or
/// Error(Unsupported) that name the field.
Operation decodeOperation(Decoder &decoder, const Program &program,
                          ::tt::target::ttnn::Operation const *operation);

/// Decodes and checks all programs; throws Error(Format) or Error(Unsupported)
/// that name program, operation and field. A program that the file names many
/// times is there once.
std::vector<std::shared_ptr<const Program>>
decodePrograms(::tt::target::ttnn::TTNNBinary const *binary);

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_PROGRAM_H
