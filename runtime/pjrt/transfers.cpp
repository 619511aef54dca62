#include "host_block.h"
#include "table.h"
#include "worker.h"

#include <algorithm>
#include <numeric>

using namespace tt::pjrt;
using namespace tt::pjrt::abi;

namespace {

using Extents = std::vector<std::int64_t>;

Local makeTuple(const Extents &numbers) {
  Local tuple(PyTuple_New(Py_ssize_t(numbers.size())));
  for (std::size_t i = 0; tuple && i < numbers.size(); ++i) {
    PyObject *number = PyLong_FromLongLong(numbers[i]);
    if (!number)
      return Local();
    PyTuple_SET_ITEM(tuple.get(), Py_ssize_t(i), number);
  }
  return tuple;
}

/// Copies elements with strides in bytes, from dimension `dim` on, to
/// contiguous memory, of which it returns the end.
char *gather(char *to, const char *from, const Extents &dims,
             const std::int64_t *strides, std::size_t dim, std::size_t bytes) {
  if (dim == dims.size()) {
    std::memcpy(to, from, bytes);
    return to + bytes;
  }
  if (dim + 1 == dims.size() && strides[dim] == std::int64_t(bytes)) {
    std::memcpy(to, from, bytes * std::size_t(dims[dim]));
    return to + bytes * std::size_t(dims[dim]);
  }
  for (std::int64_t i = 0; i < dims[dim]; ++i)
    to = gather(to, from + i * strides[dim], dims, strides, dim + 1, bytes);
  return to;
}

/// Runs a method of the Backend, which is `make`, for a content that has
/// memory then, and keeps what went wrong.
template <typename Make> Failure fill(Content &content, Make &&make) {
  content.failure = content.reserve();
  if (content.failure)
    return content.failure;
  if (Local value = make()) {
    content.value.set(std::move(value));
    content.failure = content.settle();
  } else {
    content.failure = takePythonError();
  }
  return content.failure;
}

/// A row-major default layout is none.
bool isRowMajor(const Buffer_MemoryLayout &layout, std::size_t rank) {
  if (layout.type != MemoryLayoutType::Tiled || layout.tiled.num_tiles != 0 ||
      layout.tiled.minor_to_major_size != rank)
    return false;
  for (std::size_t i = 0; i < rank; ++i)
    if (layout.tiled.minor_to_major[i] != std::int64_t(rank - 1 - i))
      return false;
  return true;
}

/// The dimensions in the order in which the host wants them, the outermost
/// first. Returns false for a layout that is more than an order.
bool hostOrder(const Buffer_MemoryLayout *layout, const Buffer &buffer,
               Extents &order) {
  const std::size_t rank = buffer.dims.size();
  order.resize(rank);
  std::iota(order.begin(), order.end(), 0);
  if (!layout || isRowMajor(*layout, rank))
    return true;
  if (layout->type == MemoryLayoutType::Tiled) {
    const Buffer_MemoryLayout_Tiled &tiled = layout->tiled;
    if (tiled.num_tiles != 0 || tiled.minor_to_major_size != rank)
      return false;
    std::reverse_copy(tiled.minor_to_major, tiled.minor_to_major + rank,
                      order.begin());
    return true;
  }
  const Buffer_MemoryLayout_Strides &strides = layout->strides;
  if (strides.num_byte_strides != rank)
    return false;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) {
                     return strides.byte_strides[a] > strides.byte_strides[b];
                   });
  auto expected = std::int64_t(elementBytes(buffer.type));
  for (std::size_t i = rank; i-- > 0;) {
    const std::int64_t dim = order[i];
    if (buffer.dims[dim] > 1 && strides.byte_strides[dim] != expected)
      return false;
    expected *= buffer.dims[dim];
  }
  return true;
}

Error *noType(BufferType type) {
  return unimplemented("elements of type " + std::to_string(int(type)) +
                       " of PJRT, which is none of bool, 8 to 64 bits of "
                       "integers, f16, bf16, f32 and f64, are not implemented "
                       "by the plugin of ttmlir");
}

/// Copies the elements before it returns, whatever the caller promises.
Error *bufferFromHost(Client_BufferFromHostBuffer_Args *args) {
  Device *device = args->device;
  if (args->memory)
    device = args->memory->device;
  if (!device)
    return invalid("a buffer needs a device or a memory, found neither");
  if (Error *error = checkAddressable(*device))
    return error;
  const std::size_t bytes = elementBytes(args->type);
  if (!bytes)
    return noType(args->type);
  const std::size_t rank = args->num_dims;
  if (args->device_layout && !isRowMajor(*args->device_layout, rank))
    return unimplemented("layouts of buffers that are not row-major are not "
                         "implemented by the plugin of ttmlir");
  if (args->num_byte_strides != 0 && args->num_byte_strides != rank)
    return invalid("expected a stride for each of " + std::to_string(rank) +
                   " dimensions, found " +
                   std::to_string(args->num_byte_strides));
  Extents dims(args->dims, args->dims + rank);
  const std::size_t size = tensorBytes(args->type, dims);
  // A body of the worker is copyable.
  auto memory = std::make_shared<HostMemory>();
  try {
    *memory = allocateHost(size);
  } catch (const std::bad_alloc &) {
    return makeError(ErrorCode::ResourceExhausted,
                     "no memory of the host for " + std::to_string(size) +
                         " bytes");
  }
  const char *data = static_cast<const char *>(args->data);
  if (size != 0 && args->num_byte_strides != 0)
    gather(memory->get(), data, dims, args->byte_strides, 0, bytes);
  else if (size != 0)
    std::memcpy(memory->get(), data, size);

  // The host memory is free now, and so the transfer is over for JAX; whoever
  // uses the buffer learns what went wrong on the chip.
  const auto content =
      makeContent(*device, args->type, dims, Completion::ready());
  const Failure failure = Worker::get().postQuietly(
      [content, memory, size, dims, type = args->type,
       backend = device->backend, id = device->description.id]() -> Failure {
        return fill(*content, [&] {
          const Local block = makeBlock(std::move(*memory), size);
          const Local shape = makeTuple(dims);
          if (!block || !shape)
            return Local();
          return Local(PyObject_CallMethod(backend->get(), "put", "OiOi",
                                           block.get(), int(type), shape.get(),
                                           id));
        });
      },
      std::make_shared<Completion>());
  if (failure)
    return copyError(failure);
  args->buffer = new Buffer(device, args->type, std::move(dims), content);
  args->done_with_host_buffer = new Event{Completion::ready()};
  return nullptr;
}

Error *bufferToHost(Buffer_ToHostBuffer_Args *args) {
  const Buffer &buffer = *args->src;
  const std::size_t size = buffer.bytes();
  if (!args->dst) {
    args->dst_size = size;
    return nullptr;
  }
  if (args->dst_size < size)
    return invalid("expected room for " + std::to_string(size) +
                   " bytes, found " + std::to_string(args->dst_size));
  Extents order;
  if (!hostOrder(args->host_layout, buffer, order))
    return unimplemented("layouts of the host that are more than an order of "
                         "dimensions are not implemented by the plugin of "
                         "ttmlir");
  const std::shared_ptr<Content> content = buffer.content();
  if (!content)
    return deleted("the buffer ", buffer);
  auto done = std::make_shared<Completion>();
  const Failure failure = Worker::get().runOrPost(
      [content, backend = buffer.device->backend, order, to = args->dst,
       size]() -> Failure {
        PyObject *value = nullptr;
        if (Failure none = content->get(value))
          return none;
        const Local view(PyMemoryView_FromMemory(
            static_cast<char *>(to), Py_ssize_t(size), PyBUF_WRITE));
        const Local dims = makeTuple(order);
        if (!view || !dims)
          return takePythonError();
        const Local none(PyObject_CallMethod(backend->get(), "fetch", "OOO",
                                             value, view.get(), dims.get()));
        return none ? nullptr : takePythonError();
      },
      done);
  if (failure)
    return copyError(failure);
  args->event = new Event{std::move(done)};
  return nullptr;
}

Error *copyBuffer(const Buffer &buffer, Device *device, Buffer *&copy) {
  const std::shared_ptr<Content> from = buffer.content();
  if (!from)
    return deleted("the buffer ", buffer);
  if (device->backend != buffer.device->backend)
    return invalid("expected a chip of the same client, found one of another");
  if (Error *error = checkAddressable(*device))
    return error;
  auto ready = std::make_shared<Completion>();
  const auto to = makeContent(*device, buffer.type, buffer.dims, ready);
  const Failure failure = Worker::get().post(
      [from, to, backend = device->backend,
       id = device->description.id]() -> Failure {
        PyObject *value = nullptr;
        to->failure = from->get(value);
        if (to->failure)
          return to->failure;
        return fill(*to, [&] {
          return Local(
              PyObject_CallMethod(backend->get(), "copy", "Oi", value, id));
        });
      },
      std::move(ready));
  if (failure)
    return copyError(failure);
  copy = new Buffer(device, buffer.type, buffer.dims, to);
  return nullptr;
}

Error *bufferCopyToDevice(Buffer_CopyToDevice_Args *args) {
  return copyBuffer(*args->buffer, args->dst_device, args->dst_buffer);
}

Error *bufferCopyToMemory(Buffer_CopyToMemory_Args *args) {
  return copyBuffer(*args->buffer, args->dst_memory->device, args->dst_buffer);
}

} // namespace

void tt::pjrt::addTransfers(Table &table) {
  table.add(Function::Client_BufferFromHostBuffer, bufferFromHost);
  table.add(Function::Buffer_ToHostBuffer, bufferToHost);
  table.add(Function::Buffer_CopyToDevice, bufferCopyToDevice);
  table.add(Function::Buffer_CopyToMemory, bufferCopyToMemory);
}
