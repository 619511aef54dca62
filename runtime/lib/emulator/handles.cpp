// Public tensors: creation, description, copies between layouts.
#include "emulator/handles.h"

#include "emulator/result_cache.h"

#include "common/collective.h"
#include "emulator/mesh.h"
#include "emulator/tensor_copy.h"
#include "tt/runtime/utils.h"

#include <cstring>

namespace tt::runtime {

namespace target = ::tt::target;
using emulator::Buffer;
using emulator::deviceOf;
using emulator::handleOf;
using emulator::TensorData;
using emulator::TensorHandle;
using emulator::TensorPtr;
using emulator::View;
using emulator::wrap;
using numerics::DType;
using numerics::Rounding;

namespace {

std::vector<std::int64_t> wide(std::vector<std::uint32_t> const &values) {
  return {values.begin(), values.end()};
}

/// Shape of a tensor of the API, bounded like those of files.
std::vector<std::int64_t> checkShape(std::vector<std::uint32_t> const &shape) {
  constexpr std::int64_t limit = std::int64_t(1) << 40;
  std::int64_t volume = 1;
  for (std::uint32_t extent : shape) {
    if (extent == 0 || extent > limit / volume)
      raise(ErrorCategory::Argument,
            "expected positive extents of at most 2^40 elements, found ",
            shapeString(wide(shape)));
    volume *= extent;
  }
  return wide(shape);
}

DType checkType(target::DataType dataType) {
  if (dataType > target::DataType::MAX)
    raise(ErrorCategory::Argument, "expected a data type, found ",
          utils::dataTypeName(dataType));
  const auto type = static_cast<DType>(dataType);
  if (numerics::isBlockFloat(type))
    raise(ErrorCategory::Argument,
          "expected a data type with a size per "
          "element, found ",
          utils::dataTypeName(dataType),
          "; pass Float32 values, which are converted");
  return type;
}

bool isContiguous(const Layout &layout,
                  std::vector<std::uint32_t> const &stride) {
  for (std::size_t d = 0; d < stride.size(); ++d)
    if (layout.shape[d] != 1 && layout.stride[d] != std::int64_t(stride[d]))
      return false;
  return true;
}

/// A host array of Float32 is accepted for narrower floats, and any float array
/// for block floats, which host languages do not have.
bool acceptsType(DType expected, const Layout &found) {
  if (found.type == expected)
    return true;
  if (found.onDevice() || !numerics::isFloat(expected))
    return false;
  return found.type == DType::F32 ||
         (numerics::isBlockFloat(expected) && numerics::isFloat(found.type));
}

std::string typeName(DType type) {
  return utils::dataTypeName(target::DataType(type));
}

/// Copies between a strided array and a row-major one, `toRows` says where to.
void copyStrided(const TensorHandle &handle, std::byte *rows, bool toRows) {
  const Layout &l = handle.tensor->layout;
  const std::int64_t size = l.elementSize();
  auto *array = static_cast<std::byte *>(handle.tensor->buffer->host().get());
  std::vector<std::int64_t> index(l.shape.size(), 0);
  const std::int64_t inner = handle.stride.back();
  for (std::int64_t row = 0, e = l.logicalRows(); row < e; ++row) {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d + 1 < index.size(); ++d)
      offset += index[d] * handle.stride[d];
    for (std::int64_t c = 0; c < l.cols; ++c) {
      std::byte *element = array + (offset + c * inner) * size;
      std::byte *dense = rows + (row * l.cols + c) * size;
      std::memcpy(toRows ? dense : element, toRows ? element : dense,
                  std::size_t(size));
    }
    for (std::size_t d = index.size() - 1; d-- > 0;) {
      if (++index[d] < l.shape[d])
        break;
      index[d] = 0;
    }
  }
}

} // namespace

namespace emulator {

Tensor wrap(TensorPtr tensor) {
  std::shared_ptr<void> data =
      tensor->buffer ? tensor->buffer->host() : nullptr;
  auto handle = std::make_shared<TensorHandle>();
  handle->tensor = std::move(tensor);
  return Tensor(std::move(handle), std::move(data), getCurrentRuntime());
}

TensorHandle &handleOf(Tensor &tensor) {
  auto &handle = tensor.as<TensorHandle>(tensor.associatedRuntime);
  if (!handle.givenUpTo.empty())
    raise(ErrorCategory::Argument, "the tensor was given up to program '",
          handle.givenUpTo,
          "': a result of it has its memory, use that instead");
  return handle;
}

TensorPtr denseTensor(const TensorHandle &handle) {
  if (handle.stride.empty())
    return handle.tensor;
  TensorPtr copy = emulator::allocateTensor(handle.tensor->layout, nullptr, "");
  copyStrided(handle, copy->view().base, true);
  return copy;
}

void copyInto(const TensorPtr &from, const TensorHandle &target) {
  if (from->remote()) {
    if (!target.tensor->remote())
      raise(ErrorCategory::Unsupported, "rank ",
            from->buffer->remote()->ranks->rank(),
            ": expected a tensor of the whole mesh for a result, or one on its "
            "chips, found shards on the host for chips of rank ",
            from->buffer->remote()->owner);
    return;
  }
  if (from->onMesh() && target.tensor->onMesh()) {
    if (from->shards.size() != target.tensor->shards.size())
      raise(ErrorCategory::Argument, "expected an output of mesh ",
            meshString(from->meshShape), ", found one of mesh ",
            meshString(target.tensor->meshShape));
    for (std::size_t p = 0; p < from->shards.size(); ++p)
      copyInto(from->shards[p], {target.tensor->shards[p], {}});
    return;
  }
  if (target.tensor->onMesh()) {
    for (const TensorPtr &shard : target.tensor->shards)
      copyInto(from, {shard, {}});
    return;
  }
  const TensorPtr source = commonTensor(from);
  const bool device = source->onDevice() && target.tensor->onDevice();
  const Rounding rounding = device ? Rounding::Fast : Rounding::Host;
  if (target.stride.empty()) {
    if (source->buffer == target.tensor->buffer)
      return;
    emulator::copyTensor(source->view(), target.tensor->view(), rounding);
    return;
  }
  TensorPtr dense =
      emulator::allocateTensor(target.tensor->layout, nullptr, "");
  emulator::copyTensor(source->view(), dense->view(), rounding);
  copyStrided(target, dense->view().base, false);
}

std::string ownerText(const std::string &what, const Layout &layout) {
  return layout.onDevice() ? what + " (" + layout.describe() + ")" : what;
}

TensorPtr place(const TensorPtr &from, const Layout &layout,
                const std::shared_ptr<Chip> &chip, const std::string &owner) {
  const TensorPtr source = commonTensor(from);
  TensorPtr target = allocateTensor(layout, chip, ownerText(owner, layout));
  const bool device = source->onDevice() && target->onDevice();
  copyTensor(source->view(), target->view(),
             device ? Rounding::Fast : Rounding::Host);
  return target;
}

TensorPtr placeInput(const Chips &chips,
                     const std::vector<std::uint32_t> &meshShape,
                     const Layout &layout, const std::string &what,
                     TensorPtr tensor) {
  checkTensor(what, layout, tensor->layout);
  if (tensor->onMesh() && tensor->shards.size() != chips.size())
    raise(ErrorCategory::Argument, what, ": expected a tensor of mesh ",
          meshString(meshShape), ", found one of mesh ",
          meshString(tensor->meshShape));
  if (tensor->onMesh() && chips.size() == 1)
    tensor = tensor->shards.front();
  forShards(tensor, [](const TensorPtr &shard) { shard->buffer->checkLive(); });
  if (tensor->layout.samePages(layout) && liesOn(tensor, chips))
    return tensor;
  return placeOnChips(tensor, layout, chips, meshShape, what);
}

void checkTensor(const std::string &what, const Layout &expected,
                 const Layout &found) {
  if (found.shape != expected.shape)
    raise(ErrorCategory::Argument, what, ": expected shape ",
          shapeString(expected.shape), ", found ", shapeString(found.shape));
  if (!acceptsType(expected.type, found))
    raise(ErrorCategory::Argument, what, ": expected data type ",
          typeName(expected.type), ", found ", typeName(found.type));
}

void checkCount(const char *what, const std::string &program,
                std::size_t expected, std::size_t found) {
  if (expected != found)
    raise(ErrorCategory::Argument, "program '", program, "': expected ",
          expected, " ", what, ", found ", found);
}

} // namespace emulator

Tensor createTensor(std::shared_ptr<void> data,
                    std::vector<std::uint32_t> const &shape,
                    std::vector<std::uint32_t> const &stride,
                    std::uint32_t itemsize, target::DataType dataType) {
  const DType type = checkType(dataType);
  if (!data)
    raise(ErrorCategory::Argument, "expected tensor data, found null");
  if (stride.size() != shape.size())
    raise(ErrorCategory::Argument, "expected one stride per dimension (",
          shape.size(), "), found ", stride.size());
  if (std::int64_t(itemsize) != numerics::elementSize(type))
    raise(ErrorCategory::Argument, "expected itemsize ",
          numerics::elementSize(type), " for ", utils::dataTypeName(dataType),
          ", found ", itemsize);
  auto tensor = std::make_shared<TensorData>();
  tensor->layout = hostLayout(checkShape(shape), type);
  tensor->buffer = std::make_shared<Buffer>(std::move(data));
  Tensor result = wrap(std::move(tensor));
  TensorHandle &handle = handleOf(result);
  if (!isContiguous(handle.tensor->layout, stride))
    handle.stride = wide(stride);
  return result;
}

Tensor createEmptyTensor(std::vector<std::uint32_t> const &shape,
                         target::DataType dataType) {
  const Layout layout = hostLayout(checkShape(shape), checkType(dataType));
  TensorPtr tensor = emulator::allocateTensor(layout, nullptr, "");
  emulator::fillZero(tensor->view());
  return wrap(std::move(tensor));
}

target::DataType getTensorDataType(Tensor tensor) {
  return target::DataType(handleOf(tensor).tensor->layout.type);
}

TensorDesc getTensorDesc(Tensor tensor) {
  const TensorHandle &handle = handleOf(tensor);
  const Layout &layout = handle.tensor->layout;
  const auto shape = emulator::shapeOf(*handle.tensor);
  TensorDesc desc;
  desc.shape.assign(shape.begin(), shape.end());
  desc.stride.assign(handle.stride.begin(), handle.stride.end());
  if (desc.stride.empty()) {
    desc.stride.resize(desc.shape.size(), 1);
    for (std::size_t d = desc.shape.size(); d-- > 1;)
      desc.stride[d - 1] = desc.stride[d] * desc.shape[d];
  }
  desc.itemsize = std::uint32_t(layout.elementSize());
  desc.dataType = target::DataType(layout.type);
  if (handle.tensor->sharding) {
    desc.shardDims = handle.tensor->sharding->dims;
    desc.shardShape = layout.shape;
  }
  return desc;
}

std::string describeTensor(Tensor tensor) {
  const TensorData &data = *handleOf(tensor).tensor;
  return data.onMesh() ? data.layout.describe() + ", on each chip of mesh " +
                             meshString(data.meshShape)
                       : data.layout.describe();
}

bool isOnDevice(Tensor tensor) { return handleOf(tensor).tensor->onDevice(); }

std::int64_t getDeviceBytes(Tensor tensor) {
  std::int64_t bytes = 0;
  emulator::forShards(handleOf(tensor).tensor, [&](const TensorPtr &shard) {
    bytes += shard->buffer->deviceBytes();
  });
  return bytes;
}

bool isRowMajorHost(Tensor tensor) {
  const TensorHandle &handle = handleOf(tensor);
  const Layout &layout = handle.tensor->layout;
  return !handle.tensor->onMesh() && !layout.onDevice() && !layout.tiled &&
         layout.dense && handle.stride.empty();
}

std::uint64_t hostAddress(Tensor tensor) {
  const emulator::TensorData &data = *handleOf(tensor).tensor;
  if (data.onMesh() || data.onDevice())
    return 0;
  return reinterpret_cast<std::uintptr_t>(data.buffer->base());
}

void freezeTensor(Tensor tensor, bool mappedFile) {
  const TensorPtr &own = handleOf(tensor).tensor;
  own->frozen = true;
  own->mapped = mappedFile && !own->onDevice() && !own->onMesh();
  emulator::forShards(own,
                      [](const TensorPtr &shard) { shard->frozen = true; });
}

void deallocateTensor(Tensor tensor) {
  emulator::forShards(handleOf(tensor).tensor, [](const TensorPtr &shard) {
    shard->buffer->deallocate();
  });
}

namespace emulator {

Tensor bringTo(Tensor tensor, OpenDevice &device, const Chips &chips,
               const std::vector<std::uint32_t> &meshShape,
               const Layout &layout, std::optional<std::int64_t> bankBytes) {
  TensorPtr source = denseTensor(handleOf(tensor));
  if (source->layout.shape != layout.shape)
    raise(ErrorCategory::Argument, "expected a tensor of shape ",
          shapeString(layout.shape), ", found ",
          shapeString(source->layout.shape));
  if (source->layout.samePages(layout) && liesOn(source, chips))
    return tensor;
  std::lock_guard lock(device.mutex);
  return wrap(bankBytes
                  ? placeHighOnChips(source, layout, chips, meshShape,
                                     *bankBytes, "tensor")
                  : placeOnChips(source, layout, chips, meshShape, "tensor"));
}

} // namespace emulator

Tensor toLayout(Tensor tensor, Device device,
                target::TensorDesc const *tensorDesc) {
  auto &opened = deviceOf(device);
  const emulator::Chips chips = opened.target();
  return emulator::bringTo(std::move(tensor), opened, chips, opened.meshShape,
                           readLayout(tensorDesc, chips.front()->geometry()));
}

Tensor toHost(Tensor tensor, std::optional<target::DataType> dataType) {
  TensorPtr source = emulator::commonTensor(denseTensor(handleOf(tensor)));
  const DType type = dataType ? checkType(*dataType)
                              : emulator::plainType(source->layout.type);
  return wrap(emulator::place(source, hostLayout(source->layout.shape, type),
                              nullptr, "host tensor"));
}

void toHost(Tensor tensor, target::DataType dataType, void *memory,
            std::size_t size) {
  TensorPtr source = emulator::commonTensor(denseTensor(handleOf(tensor)));
  const Layout host = hostLayout(source->layout.shape, checkType(dataType));
  if (std::size_t(host.bankBytes) != size)
    raise(ErrorCategory::Argument, "expected memory of ", host.bankBytes,
          " bytes, found ", size);
  emulator::copyTensor(source->view(),
                       View{&host, static_cast<std::byte *>(memory), 0},
                       Rounding::Host);
}

} // namespace tt::runtime
