#include "table.h"

#include <algorithm>
#include <numeric>
#include <utility>

using namespace tt::pjrt;
using namespace tt::pjrt::abi;

namespace tt::pjrt {

std::size_t elementBytes(BufferType type) {
  switch (type) {
  case BufferType::Pred:
  case BufferType::S8:
  case BufferType::U8:
  case BufferType::F8E5M2:
  case BufferType::F8E4M3FN:
  case BufferType::F8E4M3B11FNUZ:
  case BufferType::F8E5M2FNUZ:
  case BufferType::F8E4M3FNUZ:
  case BufferType::F8E4M3:
  case BufferType::F8E3M4:
  case BufferType::F8E8M0FNU:
  // On the host, each of these has a byte, too.
  case BufferType::S4:
  case BufferType::U4:
  case BufferType::S2:
  case BufferType::U2:
  case BufferType::F4E2M1FN:
    return 1;
  case BufferType::S16:
  case BufferType::U16:
  case BufferType::F16:
  case BufferType::BF16:
    return 2;
  case BufferType::S32:
  case BufferType::U32:
  case BufferType::F32:
    return 4;
  case BufferType::S64:
  case BufferType::U64:
  case BufferType::F64:
  case BufferType::C64:
    return 8;
  case BufferType::C128:
    return 16;
  case BufferType::Invalid:
  case BufferType::TOKEN:
    break;
  }
  return 0;
}

const char *elementName(BufferType type) {
  constexpr const char *names[] = {
      "invalid",    "bool",   "i8",       "i16",           "i32",
      "i64",        "u8",     "u16",      "u32",           "u64",
      "f16",        "f32",    "f64",      "bf16",          "c64",
      "c128",       "f8e5m2", "f8e4m3fn", "f8e4m3b11fnuz", "f8e5m2fnuz",
      "f8e4m3fnuz", "i4",     "u4",       "token",         "i2",
      "u2",         "f8e4m3", "f8e3m4",   "f8e8m0fnu",     "f4e2m1fn"};
  return std::size_t(type) < std::size(names) ? names[std::size_t(type)]
                                              : "another type";
}

std::size_t tensorBytes(BufferType type,
                        const std::vector<std::int64_t> &dims) {
  return std::accumulate(dims.begin(), dims.end(), elementBytes(type),
                         std::multiplies<std::size_t>());
}

Failure MemoryAccount::reserve(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > limit_ - stats_.inUse)
    return makeFailure(
        ErrorCode::ResourceExhausted,
        chip_ + " has no room for an array of " + std::to_string(bytes) +
            " bytes: " + std::to_string(stats_.inUse) + " of " +
            std::to_string(limit_) + " bytes of its DRAM are in use");
  stats_.inUse += bytes;
  stats_.peak = std::max(stats_.peak, stats_.inUse);
  stats_.largest = std::max(stats_.largest, bytes);
  ++stats_.count;
  return nullptr;
}

void MemoryAccount::resize(std::int64_t from, std::int64_t to) {
  const std::lock_guard lock(mutex_);
  stats_.inUse += to - from;
  stats_.peak = std::max(stats_.peak, stats_.inUse);
  stats_.largest = std::max(stats_.largest, to);
}

MemoryAccount::Stats MemoryAccount::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

Failure Content::get(PyObject *&found) const {
  found = value.get();
  if (failure || found)
    return failure;
  return makeFailure(ErrorCode::FailedPrecondition,
                     "the array is not there yet: code that runs when an "
                     "object is freed cannot wait for it");
}

Failure Content::reserve() {
  if (Failure none = account_->reserve(bytes_))
    return none;
  reserved_ = true;
  return nullptr;
}

Failure Content::settle() {
  if (!reserved_)
    return nullptr;
  const Local stored(PyObject_GetAttrString(value.get(), "stored"));
  const long long bytes = stored ? PyLong_AsLongLong(stored.get()) : -1;
  if (bytes < 0)
    return takePythonError();
  if (bytes != bytes_)
    account_->resize(std::exchange(bytes_, bytes), bytes);
  return nullptr;
}

void Content::release() {
  if (std::exchange(reserved_, false))
    account_->release(bytes_);
}

std::shared_ptr<Content> makeContent(const Device &device, BufferType type,
                                     const std::vector<std::int64_t> &dims,
                                     std::shared_ptr<Completion> ready) {
  return std::make_shared<Content>(
      device.account, std::int64_t(tensorBytes(type, dims)), std::move(ready));
}

Buffer::Buffer(Device *device, BufferType type, std::vector<std::int64_t> dims,
               std::shared_ptr<Content> content)
    : device(device), type(type), dims(std::move(dims)),
      minorToMajor(this->dims.size()), ready(content->ready),
      content_(std::move(content)) {
  std::iota(minorToMajor.rbegin(), minorToMajor.rend(), 0);
}

std::shared_ptr<Content> Buffer::content() const {
  const std::lock_guard lock(mutex_);
  return content_;
}

std::shared_ptr<Content> Buffer::take() {
  const std::lock_guard lock(mutex_);
  return std::move(content_);
}

std::string Buffer::describe() const {
  std::string text = elementName(type);
  text += '[';
  for (std::size_t i = 0; i < dims.size(); ++i)
    text += (i ? "," : "") + std::to_string(dims[i]);
  return text + ']';
}

} // namespace tt::pjrt

namespace {

Error *bufferDestroy(Buffer_Destroy_Args *args) {
  delete args->buffer;
  return nullptr;
}

Error *bufferElementType(Buffer_ElementType_Args *args) {
  args->type = args->buffer->type;
  return nullptr;
}

Error *bufferDimensions(Buffer_Dimensions_Args *args) {
  args->dims = args->buffer->dims.data();
  args->num_dims = args->buffer->dims.size();
  return nullptr;
}

Error *bufferUnpaddedDimensions(Buffer_UnpaddedDimensions_Args *args) {
  args->unpadded_dims = args->buffer->dims.data();
  args->num_dims = args->buffer->dims.size();
  return nullptr;
}

Error *bufferDynamicDimensions(Buffer_DynamicDimensionIndices_Args *args) {
  args->dynamic_dim_indices = nullptr;
  args->num_dynamic_dims = 0;
  return nullptr;
}

/// JAX sees row-major elements, however the chip has them.
Error *bufferMemoryLayout(Buffer_GetMemoryLayout_Args *args) {
  Buffer_MemoryLayout_Tiled &tiled = args->layout.tiled;
  tiled = {};
  tiled.head.struct_size = sizeof(Buffer_MemoryLayout_Tiled);
  tiled.minor_to_major = args->buffer->minorToMajor.data();
  tiled.minor_to_major_size = args->buffer->minorToMajor.size();
  args->layout.type = MemoryLayoutType::Tiled;
  return nullptr;
}

Error *bufferSize(Buffer_OnDeviceSizeInBytes_Args *args) {
  args->on_device_size_in_bytes = args->buffer->bytes();
  return nullptr;
}

Error *bufferDevice(Buffer_Device_Args *args) {
  args->device = args->buffer->device;
  return nullptr;
}

Error *bufferMemory(Buffer_Memory_Args *args) {
  args->memory = &args->buffer->device->memory;
  return nullptr;
}

/// Jobs that use the content still have it.
Error *bufferDelete(Buffer_Delete_Args *args) {
  args->buffer->take();
  return nullptr;
}

Error *bufferIsDeleted(Buffer_IsDeleted_Args *args) {
  args->is_deleted = !args->buffer->content();
  return nullptr;
}

Error *bufferIsOnCpu(Buffer_IsOnCpu_Args *args) {
  args->is_on_cpu = false;
  return nullptr;
}

Error *bufferReadyEvent(Buffer_ReadyEvent_Args *args) {
  args->event = new Event{args->buffer->ready};
  return nullptr;
}

} // namespace

void tt::pjrt::addBuffers(Table &table) {
  table.add(Function::Buffer_Destroy, bufferDestroy);
  table.add(Function::Buffer_ElementType, bufferElementType);
  table.add(Function::Buffer_Dimensions, bufferDimensions);
  table.add(Function::Buffer_UnpaddedDimensions, bufferUnpaddedDimensions);
  table.add(Function::Buffer_DynamicDimensionIndices, bufferDynamicDimensions);
  table.add(Function::Buffer_GetMemoryLayout, bufferMemoryLayout);
  table.add(Function::Buffer_OnDeviceSizeInBytes, bufferSize);
  table.add(Function::Buffer_Device, bufferDevice);
  table.add(Function::Buffer_Memory, bufferMemory);
  table.add(Function::Buffer_Delete, bufferDelete);
  table.add(Function::Buffer_IsDeleted, bufferIsDeleted);
  table.add(Function::Buffer_IsOnCpu, bufferIsOnCpu);
  table.add(Function::Buffer_ReadyEvent, bufferReadyEvent);
}
