// A TTNN program as plain structures. Decoding checks everything, so that the
// executor neither touches the flatbuffer nor checks again.
#ifndef TT_RUNTIME_COMMON_PROGRAM_H
#define TT_RUNTIME_COMMON_PROGRAM_H

#include "common/layout.h"
#include "kernels/eltwise.h"
#include "kernels/reduce.h"
#include "kernels/window.h"
#include "ttmlir/Target/TTNN/binary_generated.h"

#include <cstdint>
#include <string>
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

// One structure per kind of operation. `out` is where the result goes; ids and
// shapes are consistent.
struct GetDeviceStep {
  std::uint32_t device; // chip id
};
/// to_layout, to_device, to_memory_config: a copy as the result's layout says.
struct MoveStep {
  ValueIndex in, out;
  std::uint32_t device; // chip id
};
struct EmptyStep {
  ValueIndex out;
  std::uint32_t device;
};
struct FullStep {
  ValueIndex out;
  std::uint32_t device;
  float value;
};
struct UnaryStep {
  kernels::UnaryOp op;
  ValueIndex in, out;
};
struct BinaryStep {
  kernels::BinaryOp op;
  ValueIndex a, b, out;
};
struct MatmulStep {
  ValueIndex a, b, out;
};
struct ReduceStep {
  kernels::ReduceOp op;
  ValueIndex in, out;
  std::vector<std::int64_t> dims; // sorted; empty means all
  // Shape of the reduction proper. The result may keep whole tiles of 32 where
  // this has 1; the reduction is then at index 0 and the rest is zero.
  std::vector<std::int64_t> shape;
};
struct EmbeddingStep {
  ValueIndex indices, weight, out;
};
struct SoftmaxStep {
  ValueIndex in, out;
  std::int64_t dim;
};
struct TransposeStep {
  ValueIndex in, out;
  std::int64_t dim0, dim1;
};
struct ConcatStep {
  std::vector<ValueIndex> ins;
  ValueIndex out;
  std::int64_t dim;
};
struct ReshapeStep {
  ValueIndex in, out;
};
struct Conv2dStep {
  ValueIndex in, weight, out;
  std::int64_t bias; // value index, or -1
  std::int64_t batch, inHeight, inWidth, inChannels, outChannels, groups;
  kernels::Window2d window;
};
struct MaxPool2dStep {
  ValueIndex in, out;
  std::int64_t batch, height, width, channels;
  kernels::Window2d window;
};
struct DeallocStep {
  ValueIndex in;
};

using Step = std::variant<GetDeviceStep, MoveStep, EmptyStep, FullStep,
                          UnaryStep, BinaryStep, MatmulStep, ReduceStep,
                          EmbeddingStep, SoftmaxStep, TransposeStep, ConcatStep,
                          ReshapeStep, Conv2dStep, MaxPool2dStep, DeallocStep>;

struct Operation {
  Step step;
  std::string name;     // "eltwise.add", "to_layout", ...
  std::string location; // debug_info
};

struct Program {
  std::string name;
  std::vector<Value> values;
  std::vector<ValueIndex> inputs, outputs;
  std::vector<Operation> operations;
};

/// Decodes and checks all programs; throws Error(Format) or Error(Unsupported)
/// that name program, operation and field.
std::vector<Program>
decodePrograms(::tt::target::ttnn::TTNNBinary const *binary);

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_PROGRAM_H
