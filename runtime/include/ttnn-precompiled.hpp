// The C++ library that programs of `--convert-ttnn-to-emitc` call: TTNN on the
// emulated machine. Self-contained; the only header that a program needs.
//
//   c++ -std=c++20 program.cpp $(python -m ttmlir.emitc --cxxflags --ldflags)
//
// Tensors are handles: a copy of one names the same elements. A function of the
// library throws ttnn::Error that says what it expected and what it found. The
// library may be used from several threads; one call runs at a time.
#ifndef TTNN_PRECOMPILED_HPP
#define TTNN_PRECOMPILED_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#define TTNN_API __attribute__((visibility("default")))

namespace tt::metal {

/// Extents of a tensor of the machine.
struct Shape {
  Shape(std::initializer_list<int64_t> extents) : extents(extents) {}
  std::vector<int64_t> extents;
};

} // namespace tt::metal

using tt::metal::Shape;

namespace ttnn {

class TTNN_API Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

//===-- What calls say about tensors --------------------------------------===//

/// Number formats. Block floats share an exponent among 16 elements and lie in
/// tiles only; those that end in _B have the 8 exponent bits of BFLOAT16, the
/// others 5.
enum class DataType : uint16_t {
  FLOAT32 = 0,
  FLOAT16 = 1,
  BFLOAT16 = 2,
  BFLOAT8 = 3,
  BFLOAT8_B = 4,
  BFLOAT4 = 5,
  BFLOAT4_B = 6,
  BFLOAT2 = 7,
  BFLOAT2_B = 8,
  UINT32 = 9,
  UINT16 = 10,
  UINT8 = 11,
  INT32 = 12,
  INT8 = 13,
  INT16 = 14,
};

/// Order of the elements.
enum class Layout : uint16_t { ROW_MAJOR, TILE, INVALID };

/// How a tensor is spread over the banks of a memory.
enum class TensorMemoryLayout : uint16_t {
  INTERLEAVED,
  SINGLE_BANK,
  HEIGHT_SHARDED,
  WIDTH_SHARDED,
  BLOCK_SHARDED,
};

enum class BufferType : uint16_t { DRAM, L1, SYSTEM_MEMORY, L1_SMALL, TRACE };

/// What the elements hold that pad a tensor to whole tiles.
enum class OOBVal : uint16_t { Undef, Zero, One, Inf, NegInf };

/// How chips combine their tensors, and how they are linked.
enum class ReduceType : uint32_t {
  SUM,
  MEAN,
  MAX,
  MIN,
  STD,
  VAR,
  PROD,
  INVALID
};
enum class Topology : uint32_t { RING, LINEAR };

/// What each chip of a mesh has of a tensor of the host, and which is made of
/// which.
enum class MeshShardType : uint32_t { REPLICATE, DEVICES, MAXIMAL };
enum class MeshShardDirection : uint32_t { FULL_TO_SHARD, SHARD_TO_FULL };

/// How many phases of the multiplier make a product.
enum class MathFidelity : uint8_t { LOFI = 0, HIFI2 = 2, HIFI3 = 3, HIFI4 = 4 };

/// How the engines of a core compute; what is absent is the library's default.
struct DeviceComputeKernelConfig {
  std::optional<MathFidelity> math_fidelity;
  std::optional<bool> math_approx_mode, fp32_dest_acc_en, packer_l1_acc;
};

/// Extents of a mesh of chips.
using MeshShape = std::vector<int64_t>;
/// Rows of chips by position, the row-major index in the mesh.
using Positions = std::vector<std::vector<int64_t>>;

/// Extents of a tensor.
struct Shape {
  Shape() = default;
  Shape(std::initializer_list<int64_t> extents) : extents(extents) {}
  Shape(const tt::metal::Shape &shape) : extents(shape.extents) {}
  explicit Shape(std::vector<int64_t> extents) : extents(std::move(extents)) {}

  std::size_t rank() const { return extents.size(); }
  int64_t operator[](std::size_t dim) const { return extents[dim]; }
  /// Number of elements.
  int64_t volume() const {
    int64_t product = 1;
    for (int64_t extent : extents)
      product *= extent;
    return product;
  }
  bool operator==(const Shape &) const = default;

  std::vector<int64_t> extents;
};

struct Core {
  int32_t y, x;
};

/// A rectangle of cores: the first one, and rows and columns.
struct CoreRange {
  Core start, size;
};

/// The cores that hold the shards of a tensor, in order, and the extents of a
/// shard in elements.
struct ShardSpec {
  ShardSpec(std::vector<CoreRange> cores, std::vector<int64_t> shape)
      : cores(std::move(cores)), shape(std::move(shape)) {}
  std::vector<CoreRange> cores;
  std::vector<int64_t> shape;
};

/// Where a tensor lies; by default on the host.
struct MemoryConfig {
  MemoryConfig() = default;
  MemoryConfig(TensorMemoryLayout memory_layout, BufferType buffer_type,
               std::optional<ShardSpec> shards = std::nullopt)
      : memory_layout(memory_layout), buffer_type(buffer_type),
        shards(std::move(shards)) {}

  bool on_device() const { return buffer_type != BufferType::SYSTEM_MEMORY; }

  TensorMemoryLayout memory_layout = TensorMemoryLayout::INTERLEAVED;
  BufferType buffer_type = BufferType::SYSTEM_MEMORY;
  std::optional<ShardSpec> shards;
};

/// The rows of a tensor in memory: the distance in elements of neighbours along
/// every dimension (none: dense, row-major), and the padding.
struct PhysicalLayout {
  PhysicalLayout(std::vector<int64_t> strides = {},
                 OOBVal padding = OOBVal::Undef)
      : strides(std::move(strides)), padding(padding) {}
  std::vector<int64_t> strides;
  OOBVal padding;
};

/// All that is to say about a tensor but its elements.
struct TensorSpec {
  TensorSpec(Shape shape, DataType dtype, Layout layout,
             MemoryConfig memory = {}, PhysicalLayout physical = {})
      : shape(std::move(shape)), dtype(dtype), layout(layout),
        memory(std::move(memory)), physical(std::move(physical)) {}
  Shape shape;
  DataType dtype;
  Layout layout;
  MemoryConfig memory;
  PhysicalLayout physical;
};

/// The elements of a constant: an array of their bits, or the bits of one
/// element that they all have. Refers to the array.
struct Elements {
  template <typename T, std::size_t N>
  Elements(DataType dtype, const T (&bits)[N], std::size_t count = N)
      : dtype(dtype), data(bits), count(count), element_size(sizeof(T)),
        is_splat(N == 1) {
    if (N != 1 && N != count)
      throw Error("ttnn::Elements: expected " + std::to_string(count) +
                  " elements, found " + std::to_string(N));
  }

  DataType dtype;
  const void *data;
  std::size_t count, element_size;
  bool is_splat;
};

//===-- Tensors and devices -----------------------------------------------===//

class Device;

class TTNN_API Tensor {
public:
  struct Impl;

  /// A handle of no tensor.
  Tensor() = default;
  explicit Tensor(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

  const TensorSpec &spec() const;
  const Shape &shape() const { return spec().shape; }
  DataType dtype() const { return spec().dtype; }
  Layout layout() const { return spec().layout; }
  bool on_device() const { return spec().memory.on_device(); }
  /// "64x128 bf16, dram interleaved tile": what the machine makes of it.
  std::string describe() const;

  const std::shared_ptr<Impl> &impl() const { return impl_; }

private:
  std::shared_ptr<Impl> impl_;
};

struct TTNN_API DeviceGetter {
  /// The chip of the system, opened by the first call.
  static Device *getInstance(int chip = 0);
  /// The device of several chips, by position in the mesh. Calls run on all of
  /// them, each on its own tensors.
  static Device *getInstance(const MeshShape &mesh,
                             const std::vector<int> &chips);
};

/// Chooses the system that the program runs on: a default target ("n150",
/// "n300",
/// ..., the first is the default) or the path of a descriptor (.ttsys). Devices
/// and tensors on them that exist already belong to the former system.
TTNN_API void use_system(const std::string &target_or_path);

/// Type of the elements of a tensor of `dtype` on the host: FLOAT32 for block
/// floats, else the type itself.
TTNN_API DataType host_dtype(DataType dtype);
/// Bytes of an element; 0 for block floats.
TTNN_API std::size_t element_size(DataType dtype);

/// A tensor on the host: a copy of row-major elements.
TTNN_API Tensor from_host(const void *elements, const Shape &shape,
                          DataType dtype);
/// Copies the elements, row-major, converted to `dtype`, which is no block
/// float, to memory of `bytes` bytes.
TTNN_API void to_host(const Tensor &tensor, void *elements, std::size_t bytes,
                      DataType dtype);

template <typename T> constexpr DataType dtype_of() {
  if constexpr (std::is_same_v<T, float>)
    return DataType::FLOAT32;
  else if constexpr (std::is_same_v<T, int32_t>)
    return DataType::INT32;
  else if constexpr (std::is_same_v<T, uint32_t>)
    return DataType::UINT32;
  else if constexpr (std::is_same_v<T, uint16_t>)
    return DataType::UINT16;
  else if constexpr (std::is_same_v<T, int16_t>)
    return DataType::INT16;
  else if constexpr (std::is_same_v<T, int8_t>)
    return DataType::INT8;
  else {
    static_assert(std::is_same_v<T, uint8_t>,
                  "expected float or an integer of 8, 16 or 32 bits");
    return DataType::UINT8;
  }
}

/// A tensor on the host from a vector of its elements.
template <typename T>
Tensor from_vector(const std::vector<T> &elements, const Shape &shape) {
  if (int64_t(elements.size()) != shape.volume())
    throw Error("ttnn::from_vector: expected " +
                std::to_string(shape.volume()) + " elements, found " +
                std::to_string(elements.size()));
  return from_host(elements.data(), shape, dtype_of<T>());
}

/// The elements of a tensor, converted to T.
template <typename T> std::vector<T> to_vector(const Tensor &tensor) {
  std::vector<T> elements(std::size_t(tensor.shape().volume()));
  to_host(tensor, elements.data(), elements.size() * sizeof(T), dtype_of<T>());
  return elements;
}

//===-- Calls
//--------------------------------------------------------------===//

/// Brings an argument of a function to the layout that the function was
/// compiled for: shape and type are checked (floats of the host may be wider),
/// elements are converted and moved to the device. The caller's tensor stays as
/// it is.
TTNN_API void input(Tensor &argument, const TensorSpec &spec);

template <typename... Tensors>
std::vector<Tensor> tensors(const Tensors &...values) {
  return {values...};
}

/// A new tensor of undefined elements.
TTNN_API Tensor empty(const Shape &shape, DataType dtype, Layout layout,
                      Device &device, const MemoryConfig &memory,
                      const PhysicalLayout &physical = {});
TTNN_API Tensor empty(const Shape &shape, DataType dtype, Layout layout,
                      const PhysicalLayout &physical = {});
/// The same of zeros.
TTNN_API Tensor zeros(const Shape &shape, DataType dtype, Layout layout,
                      Device &device, const MemoryConfig &memory,
                      const PhysicalLayout &physical = {});
TTNN_API Tensor zeros(const Shape &shape, DataType dtype, Layout layout,
                      const PhysicalLayout &physical = {});

/// The same elements in tiles or row-major, on `device`. A tensor of the host
/// goes to DRAM unless `memory` says otherwise. `result` overrules all others.
TTNN_API Tensor to_layout(const Tensor &input, Layout layout,
                          std::optional<DataType> dtype,
                          std::optional<MemoryConfig> memory, Device *device,
                          std::optional<TensorSpec> result = std::nullopt);

/// The same tensor in a memory of the device. `result` overrules `memory`.
TTNN_API Tensor to_device(const Tensor &input, Device *device,
                          const MemoryConfig &memory,
                          std::optional<TensorSpec> result = std::nullopt);

} // namespace ttnn

// A function for each op, made from the ops' definitions: the operands, the
// attributes, and the description of a result that is a new tensor.
#include "ttnn-operations.hpp"

namespace ttnn {

/// With the library's optional element type and memory of the result, which the
/// destination has already.
inline Tensor multiply(const Tensor &a, const Tensor &b, std::nullopt_t,
                       std::nullopt_t, const Tensor &output) {
  return multiply(a, b, output);
}

//===-- Programs as shared libraries
//---------------------------------------===//

/// A call from another language: what `TTNN_EXPORT` functions take.
struct Frame {
  std::vector<Tensor> inputs, outputs;
  std::string error;
};

namespace detail {

template <typename... Results>
std::vector<Tensor> results(std::tuple<Results...> results) {
  return std::apply(
      [](auto &...each) { return std::vector<Tensor>{std::move(each)...}; },
      results);
}
inline std::vector<Tensor> results(Tensor result) {
  return {std::move(result)};
}

template <typename Result, typename... Inputs, std::size_t... Is>
void run(Frame &frame, Result (*function)(Inputs...),
         std::index_sequence<Is...>) {
  if constexpr (std::is_void_v<Result>)
    function(frame.inputs[Is]...);
  else
    frame.outputs = results(function(frame.inputs[Is]...));
}

} // namespace detail

/// Calls a function of a program with the inputs of the frame.
template <typename Result, typename... Inputs>
void run(Frame &frame, Result (*function)(Inputs...)) noexcept {
  try {
    frame.error.clear();
    if (frame.inputs.size() != sizeof...(Inputs))
      throw Error("expected " + std::to_string(sizeof...(Inputs)) +
                  " inputs, found " + std::to_string(frame.inputs.size()));
    detail::run(frame, function, std::index_sequence_for<Inputs...>());
  } catch (const std::exception &error) {
    frame.error = error.what();
  }
}

} // namespace ttnn

/// Makes `ttnn_run_<function>(frame)` of a function of a program, which can be
/// found by this name in a shared library.
#define TTNN_EXPORT(function)                                                  \
  extern "C" TTNN_API void ttnn_run_##function(ttnn::Frame *frame) {           \
    ttnn::run(*frame, &function);                                              \
  }

#endif // TTNN_PRECOMPILED_HPP
