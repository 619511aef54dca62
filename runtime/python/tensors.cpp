#include "bindings.h"
#include "native_call.h"

#include "numerics/formats.h"
#include "numerics/schema.h"
#include "numerics/tiles.h"
#include "tt/runtime/runtime.h"
#include "tt/runtime/utils.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using ::tt::target::DataType;

namespace tt::runtime::python {
namespace {

using Bytes = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

/// The memory of an array, which stays alive as long as the pointer.
std::shared_ptr<void> share(const Bytes &array) {
  auto *owner = new Bytes(array);
  return std::shared_ptr<void>(const_cast<void *>(array.data()),
                               [owner](void *) {
                                 // The last user may be a thread that runs
                                 // without the interpreter, or the end of the
                                 // process.
                                 if (!Py_IsInitialized())
                                   return;
                                 nb::gil_scoped_acquire lock;
                                 delete owner;
                               });
}

std::vector<std::uint32_t> rowMajor(const std::vector<std::uint32_t> &shape) {
  std::vector<std::uint32_t> stride(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;)
    stride[i - 1] = stride[i] * shape[i];
  return stride;
}

Tensor fromArray(const Bytes &array, DataType dataType) {
  std::vector<std::uint32_t> shape;
  for (std::size_t i = 0; i < array.ndim(); ++i) {
    if (array.shape(i) > UINT32_MAX)
      raise(ErrorCategory::Argument, "extent ", array.shape(i),
            " of dimension ", i, " is too large: expected less than 2^32");
    shape.push_back(static_cast<std::uint32_t>(array.shape(i)));
  }
  std::uint32_t itemsize = utils::dataTypeElementSize(dataType);
  if (array.itemsize() != itemsize)
    raise(ErrorCategory::Argument, "expected elements of ", itemsize,
          " bytes for ", utils::dataTypeName(dataType), ", found ",
          array.itemsize());
  return createTensor(share(array), shape, rowMajor(shape), itemsize, dataType);
}

/// How an array shows elements; `bf16` is the code for bfloat16, which not
/// every library knows.
nb::dlpack::dtype arrayType(DataType type, nb::dlpack::dtype_code bf16) {
  using Code = nb::dlpack::dtype_code;
  const Code code = type == DataType::BFloat16 ? bf16
                    : type == DataType::Float32 || type == DataType::Float16
                        ? Code::Float
                    : type == DataType::Int32 || type == DataType::Int16 ||
                            type == DataType::Int8
                        ? Code::Int
                        : Code::UInt;
  return {static_cast<std::uint8_t>(code),
          static_cast<std::uint8_t>(utils::dataTypeElementSize(type) * 8), 1};
}

/// The tensor itself if an array can lie on its memory, else a host copy.
Tensor hostTensor(const Tensor &tensor, std::optional<DataType> dataType) {
  if (isRowMajorHost(tensor) &&
      (!dataType || *dataType == getTensorDataType(tensor)))
    return tensor;
  return nativeCall([&] { return toHost(tensor, dataType); });
}

/// An array on the memory of a host tensor, which it keeps alive.
template <typename Array>
nb::object arrayOn(const Tensor &tensor, nb::dlpack::dtype_code bf16) {
  const TensorDesc desc = getTensorDesc(tensor);
  const std::vector<std::size_t> shape(desc.shape.begin(), desc.shape.end());
  auto owner = std::make_unique<std::shared_ptr<void>>(tensor.data);
  nb::capsule capsule(owner.release(), [](void *pointer) noexcept {
    delete static_cast<std::shared_ptr<void> *>(pointer);
  });
  return nb::cast(Array(tensor.data.get(), shape.size(), shape.data(), capsule,
                        nullptr, arrayType(desc.dataType, bf16)));
}

nb::object toArray(const Tensor &tensor, std::optional<DataType> dataType) {
  return arrayOn<nb::ndarray<nb::numpy>>(hostTensor(tensor, dataType),
                                         nb::dlpack::dtype_code::UInt);
}

nb::object toDlpack(const Tensor &tensor, nb::kwargs) {
  return arrayOn<nb::ndarray<>>(hostTensor(tensor, std::nullopt),
                                nb::dlpack::dtype_code::Bfloat);
}

void checkDataType(DataType dataType) {
  if (dataType > DataType::MAX)
    raise(ErrorCategory::Argument, "expected a data type, found ",
          utils::dataTypeName(dataType));
}

using F32Matrix =
    nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::bytes packTiles(const F32Matrix &matrix, DataType dataType) {
  checkDataType(dataType);
  numerics::DType type = numerics::fromSchema(dataType);
  std::int64_t rows = matrix.shape(0), cols = matrix.shape(1);
  std::string bytes(numerics::tilesFor(rows) * numerics::tilesFor(cols) *
                        numerics::tileBytes(type),
                    '\0');
  numerics::tilizeFromF32(matrix.data(), rows, cols, cols, type,
                          {bytes.data()});
  return nb::bytes(bytes.data(), bytes.size());
}

nb::object unpackTiles(nb::bytes bytes, std::int64_t rows, std::int64_t cols,
                       DataType dataType) {
  checkDataType(dataType);
  numerics::DType type = numerics::fromSchema(dataType);
  constexpr std::int64_t limit = std::int64_t(1) << 30; // no product overflows
  if (rows < 1 || cols < 1 || rows > limit || cols > limit)
    raise(ErrorCategory::Argument, "expected extents from 1 to ", limit,
          ", found ", rows, "x", cols);
  std::size_t expected = numerics::tilesFor(rows) * numerics::tilesFor(cols) *
                         numerics::tileBytes(type);
  if (bytes.size() != expected)
    raise(ErrorCategory::Argument, "expected ", expected, " bytes for ", rows,
          "x", cols, " ", utils::dataTypeName(dataType), ", found ",
          bytes.size());
  auto data = std::make_unique<float[]>(rows * cols);
  numerics::untilizeToF32(type, {bytes.c_str()}, data.get(), rows, cols, cols);
  float *pointer = data.get();
  nb::capsule owner(data.release(),
                    [](void *p) noexcept { delete[] static_cast<float *>(p); });
  return nb::cast(nb::ndarray<nb::numpy, float, nb::ndim<2>>(
      pointer, {static_cast<std::size_t>(rows), static_cast<std::size_t>(cols)},
      owner));
}

} // namespace

void bindTensors(nb::module_ &m) {
  nb::enum_<DataType> dataType(m, "DataType", "Number format of elements.");
#define TT_VALUE(Enumerator, NAME, LIBRARY, Kernel)                            \
  dataType.value(#Enumerator, DataType::Enumerator);
  TTMLIR_FORMATS(TT_VALUE)
#undef TT_VALUE

  nb::class_<TensorDesc>(m, "TensorDesc", "Shape and data type of a tensor.")
      .def_ro("shape", &TensorDesc::shape)
      .def_ro("stride", &TensorDesc::stride)
      .def_ro("itemsize", &TensorDesc::itemsize,
              "Bytes of an element, 0 for block floats.")
      .def_ro("dtype", &TensorDesc::dataType)
      .def_ro("shard_dims", &TensorDesc::shardDims,
              "If its shards stay on the chips of a mesh: for each axis of the "
              "mesh, the dimension that it shards, or -1.")
      .def_ro("shard_shape", &TensorDesc::shardShape, "The shape of a shard.");

  nb::class_<Tensor>(m, "Tensor", "A tensor on the host or on a device.")
      .def_prop_ro("shape",
                   [](const Tensor &self) { return getTensorDesc(self).shape; })
      .def_prop_ro("dtype",
                   [](const Tensor &self) { return getTensorDataType(self); })
      .def_prop_ro("is_on_device",
                   [](const Tensor &self) { return isOnDevice(self); })
      .def_prop_ro(
          "device_bytes",
          [](const Tensor &self) { return getDeviceBytes(self); },
          "Size in the memories of chips, with padding; 0 on the host.")
      .def_prop_ro(
          "mesh_shape", [](const Tensor &self) { return getMeshShape(self); },
          "Shape of the mesh that has the tensor; empty for other tensors.")
      .def_prop_ro(
          "layout", [](const Tensor &self) { return describeTensor(self); },
          "Memory and layout, as text for people.")
      .def("to_array", toArray, "dtype"_a = nb::none(),
           "Same as the function to_array.")
      .def(
          "freeze",
          [](const Tensor &self, bool mappedFile) {
            freezeTensor(self, mappedFile);
          },
          "mapped_file"_a = false,
          "Declares that the elements will not change: values that programs "
          "compute only from such tensors are cached on the device. Pages of "
          "a read-only mapped file (``mapped_file``) are released after use.")
      .def_prop_ro(
          "address", [](const Tensor &self) { return hostAddress(self); },
          "Address of the first byte of a tensor of the host, else 0.")
      .def(
          "deallocate", [](const Tensor &self) { deallocateTensor(self); },
          "Frees the memory; the tensor cannot be used afterwards.")
      .def(
          "__array__",
          [](nb::handle self, nb::handle dtype, nb::handle) {
            nb::object array =
                nb::module_::import_("ttmlir.runtime").attr("to_numpy")(self);
            return dtype.is_none() ? array : array.attr("astype")(dtype);
          },
          "dtype"_a = nb::none(), "copy"_a = nb::none(),
          nb::sig("def __array__(self, dtype: object = None, "
                  "copy: bool | None = None) -> object"),
          "Returns a copy on the host, for numpy.asarray and similar.")
      .def("__dlpack__", toDlpack,
           nb::sig("def __dlpack__(self, **kwargs: object) -> object"))
      .def("__dlpack_device__",
           [](const Tensor &) { return nb::make_tuple(1, 0); })
      .def("__repr__", [](const Tensor &self) {
        return "<ttmlir.runtime.Tensor " + describeTensor(self) + ">";
      });

  m.def(
      "create_tensor",
      [](std::uintptr_t pointer, const std::vector<std::uint32_t> &shape,
         const std::vector<std::uint32_t> &stride, std::uint32_t itemsize,
         DataType dataType) {
        return createTensor(
            utils::unsafe_borrow_shared(reinterpret_cast<char *>(pointer)),
            shape, stride, itemsize, dataType);
      },
      "ptr"_a, "shape"_a, "stride"_a, "itemsize"_a, "dtype"_a,
      "A tensor on memory at `ptr` that the caller keeps alive.");
  m.def("create_tensor_from_array", fromArray, "array"_a, "dtype"_a,
        "A tensor on the memory of a C-contiguous array, which it keeps alive; "
        "`array` has elements of the size of `dtype`.");
  m.def("to_array", toArray, "tensor"_a, "dtype"_a = nb::none(),
        "A NumPy array: on the memory of a row-major host tensor, else a copy. "
        "Block floats become float32; bfloat16 comes as its bits in uint16.");
  m.def(
      "to_host",
      [](const Tensor &tensor, std::optional<DataType> dataType) {
        return nativeCall([&] { return toHost(tensor, dataType); });
      },
      "tensor"_a, "dtype"_a = nb::none(), "A row-major copy on the host.");
  using Numbers = std::vector<std::int64_t>;
  m.def(
      "create_multi_device_host_tensor",
      [](const std::vector<Tensor> &shards, const Numbers &meshShape) {
        return createMultiDeviceHostTensor(shards,
                                           toExtents("mesh_shape", meshShape));
      },
      "shards"_a, "mesh_shape"_a,
      "A tensor of a mesh from a host tensor for each chip, by position.");
  m.def(
      "combine_device_tensors",
      [](const std::vector<Tensor> &shards, const Numbers &meshShape) {
        return combineDeviceTensors(shards, toExtents("mesh_shape", meshShape));
      },
      "shards"_a, "mesh_shape"_a,
      "Same, from tensors that are on the chips already, or all on the "
      "host. They are shared, not copied.");
  m.def(
      "combine_own_tensors",
      [](const std::vector<std::optional<Tensor>> &shards,
         const Numbers &meshShape, const Device &device,
         const std::vector<int> &chipIds) {
        const auto mesh = toExtents("mesh_shape", meshShape);
        return nativeCall(
            [&] { return combineOwnTensors(shards, mesh, device, chipIds); });
      },
      "shards"_a, "mesh_shape"_a, "device"_a, "chip_ids"_a,
      "Same, where several ranks have the chips `chip_ids`: tensors of the "
      "chips of this rank, and None for those of others.");
  m.def("get_own_shards", native(&getOwnShards), "tensor"_a,
        "The tensors of the chips of this rank by position, and None for "
        "others; of other tensors, itself.");
  m.def("get_shards", native(&getShards), "tensor"_a,
        "The tensors of the chips by position; of other tensors, itself.");
  m.def(
      "shard_tensor",
      [](Tensor tensor, const Numbers &meshShape, const Numbers &shards,
         const Numbers &dims) {
        const auto mesh = toExtents("mesh_shape", meshShape);
        return nativeCall(
            [&] { return shardTensor(tensor, mesh, shards, dims); });
      },
      "tensor"_a, "mesh_shape"_a, "shard_shape"_a, "shard_dims"_a,
      "Cuts a tensor into equal shards for the chips of a mesh, on the host: "
      "`shard_shape` is the number of shards of each dimension, `shard_dims` "
      "has for each axis of the mesh the dimension that it splits, or -1.");
  m.def(
      "replicate_tensor",
      [](Tensor tensor, const Numbers &meshShape) {
        const auto mesh = toExtents("mesh_shape", meshShape);
        return nativeCall([&] { return replicateTensor(tensor, mesh); });
      },
      "tensor"_a, "mesh_shape"_a, "The whole tensor for every chip of a mesh.");
  m.def("aggregate_tensor", native(&aggregateTensor), "tensor"_a,
        "shard_shape"_a, "shard_dims"_a,
        "The reverse of shard_tensor; chips that have the same shard must "
        "agree about it.");
  m.def("pack_tiles", packTiles, "matrix"_a, "dtype"_a,
        "The 32x32 tiles of a float32 matrix in any format, as the host makes "
        "them: four 16x16 faces a tile; block floats with their exponents "
        "first.");
  m.def("unpack_tiles", unpackTiles, "data"_a, "rows"_a, "cols"_a, "dtype"_a,
        "The reverse of pack_tiles.");
}

} // namespace tt::runtime::python
