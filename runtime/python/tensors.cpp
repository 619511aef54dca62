#include "bindings.h"

#include "kernels/formats.h"
#include "kernels/schema.h"
#include "kernels/tiles.h"
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
  return std::shared_ptr<void>(const_cast<void *>(array.data()), [owner](void *) {
    // The last user may be a thread that runs without the interpreter.
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
      raise(ErrorCategory::Argument, "extent ", array.shape(i), " of dimension ",
            i, " is too large: expected less than 2^32");
    shape.push_back(static_cast<std::uint32_t>(array.shape(i)));
  }
  std::uint32_t itemsize = utils::dataTypeElementSize(dataType);
  if (array.itemsize() != itemsize)
    raise(ErrorCategory::Argument, "expected elements of ", itemsize,
          " bytes for ", utils::dataTypeName(dataType), ", found ",
          array.itemsize());
  return createTensor(share(array), shape, rowMajor(shape), itemsize, dataType);
}

/// A host copy as raw bytes with the tensor's shape: unsigned integers of the
/// element's width, or floats where the data type is one of NumPy's.
nb::object toArray(const Tensor &tensor, std::optional<DataType> dataType) {
  TensorDesc desc = getTensorDesc(tensor);
  DataType type = dataType.value_or(
      kernels::isBlockFloat(kernels::fromSchema(desc.dataType))
          ? DataType::Float32
          : desc.dataType);
  std::uint32_t itemsize = utils::dataTypeElementSize(type);
  std::size_t size = itemsize;
  std::vector<std::size_t> shape(desc.shape.begin(), desc.shape.end());
  for (std::size_t extent : shape)
    size *= extent;

  auto memory = std::make_unique<std::shared_ptr<void>>(utils::malloc_shared(size));
  {
    nb::gil_scoped_release release;
    toHost(tensor, type, memory->get(), size);
  }
  void *data = memory->get();
  nb::capsule owner(memory.release(), [](void *pointer) noexcept {
    delete static_cast<std::shared_ptr<void> *>(pointer);
  });
  nb::dlpack::dtype kind;
  kind.lanes = 1;
  kind.bits = static_cast<std::uint8_t>(itemsize * 8);
  kind.code = static_cast<std::uint8_t>(
      type == DataType::Float32 || type == DataType::Float16
          ? nb::dlpack::dtype_code::Float
          : nb::dlpack::dtype_code::UInt);
  return nb::cast(nb::ndarray<nb::numpy>(data, shape.size(), shape.data(), owner,
                                         nullptr, kind));
}

using F32Matrix = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::bytes packTiles(const F32Matrix &matrix, DataType dataType) {
  kernels::DType type = kernels::fromSchema(dataType);
  std::int64_t rows = matrix.shape(0), cols = matrix.shape(1);
  std::string bytes(kernels::tilesFor(rows) * kernels::tilesFor(cols) *
                        kernels::tileBytes(type),
                    '\0');
  kernels::tilizeFromF32(matrix.data(), rows, cols, cols, type, {bytes.data()});
  return nb::bytes(bytes.data(), bytes.size());
}

nb::object unpackTiles(nb::bytes bytes, std::int64_t rows, std::int64_t cols,
                       DataType dataType) {
  kernels::DType type = kernels::fromSchema(dataType);
  if (rows < 1 || cols < 1)
    raise(ErrorCategory::Argument, "expected a positive shape, found ", rows, "x", cols);
  std::size_t expected = kernels::tilesFor(rows) * kernels::tilesFor(cols) *
                         kernels::tileBytes(type);
  if (bytes.size() != expected)
    raise(ErrorCategory::Argument, "expected ", expected, " bytes for ", rows, "x",
          cols, " ", utils::dataTypeName(dataType), ", found ", bytes.size());
  auto data = std::make_unique<float[]>(rows * cols);
  kernels::untilizeToF32(type, {bytes.c_str()}, data.get(), rows, cols, cols);
  float *pointer = data.get();
  nb::capsule owner(data.release(), [](void *p) noexcept { delete[] static_cast<float *>(p); });
  return nb::cast(nb::ndarray<nb::numpy, float, nb::ndim<2>>(
      pointer, {static_cast<std::size_t>(rows), static_cast<std::size_t>(cols)}, owner));
}

} // namespace

void bindTensors(nb::module_ &m) {
  nb::enum_<DataType>(m, "DataType", "Number format of elements.")
      .value("Float32", DataType::Float32)
      .value("Float16", DataType::Float16)
      .value("BFloat16", DataType::BFloat16)
      .value("BFP_Float8", DataType::BFP_Float8)
      .value("BFP_BFloat8", DataType::BFP_BFloat8)
      .value("BFP_Float4", DataType::BFP_Float4)
      .value("BFP_BFloat4", DataType::BFP_BFloat4)
      .value("BFP_Float2", DataType::BFP_Float2)
      .value("BFP_BFloat2", DataType::BFP_BFloat2)
      .value("UInt32", DataType::UInt32)
      .value("UInt16", DataType::UInt16)
      .value("UInt8", DataType::UInt8);

  nb::class_<TensorDesc>(m, "TensorDesc", "Shape and data type of a tensor.")
      .def_ro("shape", &TensorDesc::shape)
      .def_ro("stride", &TensorDesc::stride)
      .def_ro("itemsize", &TensorDesc::itemsize,
              "Bytes of an element, 0 for block floats.")
      .def_ro("dtype", &TensorDesc::dataType);

  nb::class_<Tensor>(m, "Tensor", "A tensor on the host or on a device.")
      .def_prop_ro("shape",
                   [](const Tensor &self) { return getTensorDesc(self).shape; })
      .def_prop_ro("dtype", [](const Tensor &self) { return getTensorDataType(self); })
      .def_prop_ro("is_on_device", [](const Tensor &self) { return isOnDevice(self); })
      .def("__repr__", [](const Tensor &self) {
        std::string text = "<ttmlir.runtime.Tensor ";
        for (std::uint32_t extent : getTensorDesc(self).shape)
          text += std::to_string(extent) + "x";
        return text + utils::dataTypeName(getTensorDataType(self)) + " " +
               describeTensor(self) + ">";
      });

  m.def(
      "create_tensor",
      [](std::uintptr_t pointer, const std::vector<std::uint32_t> &shape,
         const std::vector<std::uint32_t> &stride, std::uint32_t itemsize,
         DataType dataType) {
        return createTensor(
            utils::unsafe_borrow_shared(reinterpret_cast<char *>(pointer)), shape,
            stride, itemsize, dataType);
      },
      "ptr"_a, "shape"_a, "stride"_a, "itemsize"_a, "dtype"_a,
      "A tensor on memory at `ptr` that the caller keeps alive.");
  m.def("create_tensor_from_array", fromArray, "array"_a, "dtype"_a,
        "A tensor on the memory of a C-contiguous array, which it keeps alive; "
        "`array` has elements of the size of `dtype`.");
  m.def("to_array", toArray, "tensor"_a, "dtype"_a = nb::none(),
        "A host copy as a NumPy array. Block floats become float32; bfloat16 "
        "comes as its bits in uint16.");
  m.def(
      "to_host",
      [](const Tensor &tensor, std::optional<DataType> dataType) {
        return toHost(tensor, dataType);
      },
      "tensor"_a, "dtype"_a = nb::none(), nb::call_guard<nb::gil_scoped_release>(),
      "A row-major copy on the host.");
  m.def("pack_tiles", packTiles, "matrix"_a, "dtype"_a,
        "The 32x32 tiles of a float32 matrix in any format, as the host makes "
        "them: four 16x16 faces a tile; block floats with their exponents first.");
  m.def("unpack_tiles", unpackTiles, "data"_a, "rows"_a, "cols"_a, "dtype"_a,
        "The reverse of pack_tiles.");
}

} // namespace tt::runtime::python
