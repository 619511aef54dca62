// The functions of the ops. The header's table decides which there are; here is
// what their arguments become in the tables of the schema, under the names that
// the compiler's serialization has.
#include "emitc/call.h"

#include <array>
#include <cstring>

namespace ttnn::library {

using FlatbufferObjectCache = Call;

namespace {

Offset<fbs::TensorRef> tensorRef(Call &call, Operand operand) {
  return call.use(operand.tensor);
}
Offset<fbs::TensorRef> tensorRef(Call &call,
                                 const std::optional<Tensor> &tensor) {
  return tensor ? call.use(*tensor) : 0;
}
Offset<fbs::TensorRef> tensorRef(Call &call, Destination destination) {
  return call.write(destination.tensor);
}
Offset<fbs::TensorRef> tensorRef(Call &call, const TensorSpec &spec) {
  return call.make(spec);
}

Offset<Vector<Offset<fbs::TensorRef>>>
tensorRefs(Call &call, const std::vector<Tensor> &tensors) {
  std::vector<Offset<fbs::TensorRef>> refs;
  for (const Tensor &tensor : tensors)
    refs.push_back(call.use(tensor));
  return call.builder.CreateVector(refs);
}

Offset<fbs::DeviceRef> deviceRef(Call &call, const Device *device) {
  return call.device(device);
}

template <typename T>
requires std::is_arithmetic_v<T> T toFlatbuffer(Call &, T value) {
  return value;
}

template <typename T>
Offset<Vector<T>> toFlatbuffer(Call &call, const std::vector<T> &values) {
  return call.builder.CreateVector(values);
}

Offset<Vector<std::int64_t>> toFlatbuffer(Call &call, const Shape &shape) {
  return call.builder.CreateVector(shape.extents);
}

fbs::DataType toFlatbuffer(Call &, DataType dtype) {
  return fbs::DataType(dtype);
}

fbs::TensorLayout toFlatbuffer(Call &, Layout layout) {
  return fbs::TensorLayout(layout);
}

fbs::ReduceType toFlatbuffer(Call &, ReduceType type) {
  return fbs::ReduceType(type);
}

fbs::Topology toFlatbuffer(Call &, Topology topology) {
  return fbs::Topology(topology);
}

fbs::MeshShardType toFlatbuffer(Call &, MeshShardType type) {
  return fbs::MeshShardType(type);
}

fbs::MeshShardDirection toFlatbuffer(Call &, MeshShardDirection direction) {
  return fbs::MeshShardDirection(direction);
}

Offset<fbs::MemoryConfigDesc> toFlatbuffer(Call &call,
                                           const MemoryConfig &memory) {
  // The schema has `None` in front of the memory layouts.
  return fbs::CreateMemoryConfigDesc(
      call.builder, fbs::TensorMemoryLayout(unsigned(memory.memory_layout) + 1),
      fbs::BufferType(memory.buffer_type));
}

std::int64_t toWide(Call &, std::int64_t value) { return value; }

template <typename T>
Offset<Vector<std::int64_t>> toWide(Call &call, const std::vector<T> &values) {
  return call.builder.CreateVector(
      std::vector<std::int64_t>(values.begin(), values.end()));
}

std::int32_t toFirst(Call &,
                     const std::optional<std::vector<std::int32_t>> &values) {
  return values && !values->empty() ? values->front() : 0;
}

Offset<Vector<float>> toFloats(Call &call, const std::vector<float> &values) {
  return call.builder.CreateVector(values);
}

/// Negative places count from the end of the dimension.
Offset<Vector<std::int64_t>> toBounds(Call &call,
                                      const std::vector<std::int32_t> &places,
                                      const TensorSpec &input) {
  if (places.size() != input.shape.rank())
    raise(ErrorCategory::Argument, "expected one place per dimension (",
          input.shape.rank(), "), found ", places.size());
  std::vector<std::int64_t> found(places.begin(), places.end());
  for (std::size_t d = 0; d < found.size(); ++d)
    if (found[d] < 0)
      found[d] += input.shape[d];
  return call.builder.CreateVector(found);
}

fbs::DataType toElementType(Call &, const Elements &elements) {
  return fbs::DataType(elements.dtype);
}

Offset<Vector<std::uint8_t>> toElements(Call &call, const Elements &elements) {
  std::uint8_t *to = nullptr;
  const std::size_t size = elements.element_size;
  auto vector =
      call.builder.CreateUninitializedVector(elements.count * size, &to);
  if (elements.is_splat)
    for (std::size_t i = 0; i < elements.count; ++i)
      std::memcpy(to + i * size, elements.data, size);
  else
    std::memcpy(to, elements.data, elements.count * size);
  return vector;
}

fbs::ttnn::UpsampleMode toUpsampleMode(Call &, const std::string &mode) {
  if (mode != "nearest" && mode != "bilinear")
    raise(ErrorCategory::Argument,
          "expected mode \"nearest\" or \"bilinear\", found \"", mode, "\"");
  return mode == "bilinear" ? fbs::ttnn::UpsampleMode::Bilinear
                            : fbs::ttnn::UpsampleMode::Nearest;
}

std::uint32_t toRowSize(Call &, const Positions &rows) {
  return rows.empty() ? 0 : std::uint32_t(rows.front().size());
}

Offset<Vector<std::int64_t>> toRows(Call &call, const Positions &rows) {
  std::vector<std::int64_t> entries;
  for (const std::vector<std::int64_t> &row : rows) {
    if (row.size() != rows.front().size())
      raise(ErrorCategory::Argument, "expected rows of one size (",
            rows.front().size(), "), found one of ", row.size());
    entries.insert(entries.end(), row.begin(), row.end());
  }
  return call.builder.CreateVector(entries);
}

/// What is absent gives a null offset, or zero for a scalar.
template <typename T>
auto toFlatbuffer(Call &call, const std::optional<T> &value)
    -> decltype(toFlatbuffer(call, *value)) {
  if (!value)
    return {};
  return toFlatbuffer(call, *value);
}

} // namespace
} // namespace ttnn::library

#include "operations.inc"

//===-- The forms that differ from the definitions of the ops -------------===//

namespace ttnn {

namespace {

Tensor makeEmpty(Device *device, const TensorSpec &spec) {
  return empty(device, spec.shape, spec.dtype, spec.layout,
               device ? std::optional(spec.memory) : std::nullopt, spec);
}

Tensor makeZeros(Device *device, const TensorSpec &spec) {
  return library::guarded("zeros", [&] {
    library::Call call;
    const std::optional<DataType> dtype = spec.dtype;
    const std::optional<Layout> layout = spec.layout;
    const std::optional<MemoryConfig> memory = spec.memory;
    const library::EmptyOp op{device, spec.shape, dtype, layout, memory, spec};
    return call.run(library::fbs::ttnn::OpType::FullOp,
                    library::createVariant(call, op).Union());
  });
}

} // namespace

Tensor empty(const Shape &shape, DataType dtype, Layout layout, Device &device,
             const MemoryConfig &memory, const PhysicalLayout &physical) {
  return makeEmpty(&device, {shape, dtype, layout, memory, physical});
}

Tensor empty(const Shape &shape, DataType dtype, Layout layout,
             const PhysicalLayout &physical) {
  return makeEmpty(nullptr, {shape, dtype, layout, {}, physical});
}

Tensor zeros(const Shape &shape, DataType dtype, Layout layout, Device &device,
             const MemoryConfig &memory, const PhysicalLayout &physical) {
  return makeZeros(&device, {shape, dtype, layout, memory, physical});
}

Tensor zeros(const Shape &shape, DataType dtype, Layout layout,
             const PhysicalLayout &physical) {
  return makeZeros(nullptr, {shape, dtype, layout, {}, physical});
}

Tensor to_layout(const Tensor &input, Layout layout,
                 std::optional<DataType> dtype,
                 std::optional<MemoryConfig> memory, Device *device,
                 std::optional<TensorSpec> result) {
  if (!result) {
    result = input.spec();
    result->layout = layout;
    result->dtype = dtype.value_or(result->dtype);
    if (memory)
      result->memory = *memory;
    else if (!result->memory.on_device())
      result->memory =
          MemoryConfig(TensorMemoryLayout::INTERLEAVED, BufferType::DRAM);
  }
  return to_layout(input, device, layout, *result);
}

Tensor to_device(const Tensor &input, Device *device,
                 const MemoryConfig &memory, std::optional<TensorSpec> result) {
  if (!result) {
    result = input.spec();
    result->memory = memory;
  }
  return to_device(input, device, memory, *result);
}

} // namespace ttnn
