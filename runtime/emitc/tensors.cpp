// Tensors, their descriptions, and the way between host and device.
#include "emitc/call.h"
#include "emulator/handles.h"
#include "emulator/mesh.h"
#include "emulator/tensor_copy.h"
#include "numerics/tiles.h"
#include "tt/runtime/runtime.h"

#include <cstring>
#include <mutex>

namespace ttnn {
namespace library {

namespace {

constexpr bool sameValues(DataType a, fbs::DataType b) {
  return unsigned(a) == unsigned(b);
}
#define TT_SAME(Enumerator, NAME, LIBRARY, Kernel)                             \
  static_assert(sameValues(DataType::LIBRARY, fbs::DataType::Enumerator));
TTMLIR_FORMATS(TT_SAME)
#undef TT_SAME
static_assert(unsigned(OOBVal::NegInf) == unsigned(fbs::OOBVal::MAX));
static_assert(unsigned(BufferType::TRACE) == unsigned(fbs::BufferType::MAX));

numerics::DType typeOf(DataType dtype) {
  if (unsigned(dtype) > unsigned(fbs::DataType::MAX))
    raise(ErrorCategory::Argument, "expected a data type up to ",
          unsigned(fbs::DataType::MAX), ", found ", unsigned(dtype));
  return numerics::DType(dtype);
}

fbs::MemorySpace spaceOf(const MemoryConfig &memory) {
  switch (memory.buffer_type) {
  case BufferType::DRAM:
    return fbs::MemorySpace::DeviceDRAM;
  case BufferType::L1:
    return fbs::MemorySpace::DeviceL1;
  case BufferType::SYSTEM_MEMORY:
    return fbs::MemorySpace::System;
  case BufferType::L1_SMALL:
  case BufferType::TRACE:
    break;
  }
  raise(ErrorCategory::Unsupported,
        "expected a tensor in DRAM, L1 or SYSTEM_MEMORY, found buffer type ",
        unsigned(memory.buffer_type));
}

fbs::TensorMemoryLayout layoutOf(const MemoryConfig &memory) {
  if (!memory.on_device())
    return fbs::TensorMemoryLayout::None;
  return fbs::TensorMemoryLayout(unsigned(memory.memory_layout) + 1);
}

std::int32_t narrow(std::int64_t value, const char *what) {
  if (value < INT32_MIN || value > INT32_MAX)
    raise(ErrorCategory::Argument, "expected a ", what, " of 32 bits, found ",
          value);
  return std::int32_t(value);
}

std::vector<std::int32_t> narrow(const std::vector<std::int64_t> &values,
                                 const char *what) {
  std::vector<std::int32_t> result;
  for (std::int64_t value : values)
    result.push_back(narrow(value, what));
  return result;
}

std::vector<std::int64_t> denseStrides(const std::vector<std::int64_t> &shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * shape[d];
  return strides;
}

/// Rows and columns of a shard in elements; of all there is without shards.
std::pair<std::int64_t, std::int64_t> shardShape(const TensorSpec &spec) {
  if (spec.memory.shards) {
    const auto &shape = spec.memory.shards->shape;
    if (shape.size() != 2)
      raise(ErrorCategory::Argument, "expected a shard of two extents, found ",
            shape.size());
    return {shape[0], shape[1]};
  }
  const std::int64_t cols = spec.shape.rank() ? spec.shape.extents.back() : 1;
  return {cols > 0 ? spec.shape.volume() / cols : 0, cols};
}

Offset<fbs::MemoryDesc> makeMemory(flatbuffers::FlatBufferBuilder &fbb,
                                   const TensorSpec &spec) {
  const numerics::DType type = typeOf(spec.dtype);
  const bool tiled = spec.layout == Layout::TILE;
  auto [rows, cols] = shardShape(spec);
  std::int64_t bytes = numerics::elementSize(type);
  if (tiled) {
    rows = numerics::tilesFor(rows);
    cols = numerics::tilesFor(cols);
    // The schema counts block floats without the 64 exponents of a tile.
    bytes = numerics::tileBytes(type) - (numerics::isBlockFloat(type) ? 64 : 0);
  }
  const std::int32_t unit = tiled ? numerics::kTileDim : 1;
  const fbs::Dim2d tile(unit, unit);
  const std::vector<std::int32_t> shape = {narrow(rows, "shard extent"),
                                           narrow(cols, "shard extent")};
  return fbs::CreateMemoryDesc(fbb, fbb.CreateVector(shape), &tile,
                               fbs::DataType(spec.dtype), spaceOf(spec.memory),
                               layoutOf(spec.memory),
                               std::uint64_t(rows * cols * bytes));
}

} // namespace

Offset<fbs::TensorDesc> makeDesc(flatbuffers::FlatBufferBuilder &fbb,
                                 const TensorSpec &spec) {
  if (spec.layout == Layout::INVALID)
    raise(ErrorCategory::Argument,
          "expected a tensor in tiles or row-major, found layout INVALID");
  if (unsigned(spec.physical.padding) > unsigned(fbs::OOBVal::MAX))
    raise(ErrorCategory::Argument, "expected a padding up to ",
          unsigned(fbs::OOBVal::MAX), ", found ",
          unsigned(spec.physical.padding));
  const std::vector<std::int64_t> &extents = spec.shape.extents;
  std::vector<fbs::Dim2dRange> cores;
  if (spec.memory.shards)
    for (const CoreRange &range : spec.memory.shards->cores)
      cores.emplace_back(fbs::Dim2d(range.start.y, range.start.x),
                         fbs::Dim2d(range.size.y, range.size.x));
  auto memory = makeMemory(fbb, spec);
  auto shape = fbb.CreateVector(narrow(extents, "tensor extent"));
  auto stride = fbb.CreateVector(narrow(spec.physical.strides.empty()
                                            ? denseStrides(extents)
                                            : spec.physical.strides,
                                        "stride"));
  auto layout =
      fbs::CreateLayoutDesc(fbb, stride, fbs::OOBVal(spec.physical.padding),
                            fbb.CreateVectorOfStructs(cores), memory);
  return fbs::CreateTensorDesc(fbb, shape, layout);
}

runtime::Layout makeLayout(const TensorSpec &spec) {
  flatbuffers::FlatBufferBuilder fbb(512);
  fbb.Finish(makeDesc(fbb, spec));
  return runtime::readLayout(
      flatbuffers::GetRoot<fbs::TensorDesc>(fbb.GetBufferPointer()),
      openDevice().chip(currentDevice().chips.front())->geometry());
}

Tensor makeTensor(TensorSpec spec, emulator::TensorPtr data) {
  return Tensor(std::make_shared<Tensor::Impl>(
      Tensor::Impl{std::move(spec), std::move(data)}));
}

const emulator::TensorPtr &dataOf(const Tensor &tensor) {
  if (!tensor.impl())
    raise(ErrorCategory::Argument, "expected a tensor, found an empty handle");
  if (!tensor.impl()->data)
    raise(ErrorCategory::Argument,
          "expected a tensor with elements, found one that was deallocated");
  return tensor.impl()->data;
}

const emulator::TensorPtr &elementsOf(const Tensor &tensor) {
  const emulator::TensorPtr &data = dataOf(tensor);
  if (!tensor.impl()->written)
    emulator::forShards(data, [](const emulator::TensorPtr &shard) {
      emulator::fillZero(shard->view());
    });
  tensor.impl()->written = true;
  return data;
}

} // namespace library

const TensorSpec &Tensor::spec() const {
  if (!impl_)
    throw Error("ttnn::Tensor::spec: expected a tensor, found an empty handle");
  return impl_->spec;
}

std::string Tensor::describe() const {
  return library::guarded("Tensor::describe", [&] {
    return library::dataOf(*this)->layout.describe();
  });
}

DataType host_dtype(DataType dtype) {
  return library::guarded("host_dtype", [&] {
    return DataType(library::emulator::plainType(library::typeOf(dtype)));
  });
}

std::size_t element_size(DataType dtype) {
  return library::guarded("element_size", [&] {
    return std::size_t(library::numerics::elementSize(library::typeOf(dtype)));
  });
}

Tensor from_host(const void *elements, const Shape &shape, DataType dtype) {
  return library::guarded("from_host", [&] {
    if (!elements)
      library::raise(library::ErrorCategory::Argument,
                     "expected elements, found null");
    if (host_dtype(dtype) != dtype)
      library::raise(library::ErrorCategory::Argument,
                     "block floats exist only in tiles: expected elements of "
                     "FLOAT32, which are converted");
    TensorSpec spec(shape, dtype, Layout::ROW_MAJOR);
    auto data = library::emulator::allocateTensor(library::makeLayout(spec),
                                                  nullptr, "");
    std::memcpy(data->view().base, elements,
                std::size_t(data->layout.bankBytes));
    return library::makeTensor(std::move(spec), std::move(data));
  });
}

void to_host(const Tensor &tensor, void *elements, std::size_t bytes,
             DataType dtype) {
  library::guarded("to_host", [&] {
    const std::lock_guard lock(library::openDevice().mutex);
    auto const &data = library::elementsOf(tensor);
    library::runtime::toHost(library::emulator::wrap(data),
                             library::fbs::DataType(dtype), elements, bytes);
  });
}

void input(Tensor &argument, const TensorSpec &spec) {
  library::guarded("input", [&] {
    const std::lock_guard lock(library::openDevice().mutex);
    auto const &data = library::elementsOf(argument);
    argument = library::makeTensor(
        spec,
        library::placeTensor(library::currentDevice(),
                             library::makeLayout(spec), "argument", data));
  });
}

} // namespace ttnn
