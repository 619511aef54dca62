#include "Bindings.h"

#include "ttmlir-c/TTNNAttrs.h"

// Named, because the extension tells types by their names and `tt` has some of
// the same.
namespace ttmlir::bindings::ttnn {

TTMLIR_ENUM_ATTR_OF("ttnn", TTNN, Layout)
TTMLIR_ENUM_ATTR_OF("ttnn", TTNN, TensorMemoryLayout)
TTMLIR_ENUM_ATTR_OF("ttnn", TTNN, BufferType)
TTMLIR_PAIR_ATTR_OF(TTNN, MeshShape, "Rows and columns of a mesh of chips.")

struct MemoryConfigAttr : py::PyConcreteAttribute<MemoryConfigAttr> {
  static constexpr IsAFunctionTy isaFunction =
      ttmlirAttributeIsATTNNMemoryConfig;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTNNMemoryConfigAttrGetTypeID;
  static constexpr const char *pyClassName = "MemoryConfigAttr";
  using Base::Base;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, uint32_t tensorMemoryLayout,
           uint32_t bufferType) -> Attr {
          return checked(context, [&] {
            return ttmlirTTNNMemoryConfigAttrGet(context, tensorMemoryLayout,
                                                 bufferType);
          });
        },
        "ctx"_a, "tensor_memory_layout"_a, "buffer_type"_a,
        "Where and how a tensor lies, of two enumerators (or their numbers).");
    c.def_prop_ro(
        "tensor_memory_layout",
        [](MlirAttribute self) {
          return enumerator(
              "TensorMemoryLayout",
              ttmlirTTNNMemoryConfigAttrGetTensorMemoryLayout(self), "ttnn");
        },
        TTMLIR_ENUM_GETTER_OF("tensor_memory_layout", "ttnn",
                              "TensorMemoryLayout"),
        "How the tensor is spread over the banks.");
    c.def_prop_ro(
        "buffer_type",
        [](MlirAttribute self) {
          return enumerator("BufferType",
                            ttmlirTTNNMemoryConfigAttrGetBufferType(self),
                            "ttnn");
        },
        TTMLIR_ENUM_GETTER_OF("buffer_type", "ttnn", "BufferType"),
        "The memory that the tensor lies in.");
  }
};

struct DeviceComputeKernelConfigAttr
    : py::PyConcreteAttribute<DeviceComputeKernelConfigAttr> {
  static constexpr IsAFunctionTy isaFunction =
      ttmlirAttributeIsATTNNDeviceComputeKernelConfig;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTNNDeviceComputeKernelConfigAttrGetTypeID;
  static constexpr const char *pyClassName = "DeviceComputeKernelConfigAttr";
  using Base::Base;
  using Flag = std::optional<bool>;

  template <int (*get)(MlirAttribute)>
  static void bindFlag(ClassTy &c, const char *name, const char *doc) {
    c.def_prop_ro(
        name,
        [](MlirAttribute self) -> Flag {
          int value = get(self);
          return value < 0 ? Flag() : value != 0;
        },
        doc);
  }

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, std::optional<uint32_t> mathFidelity,
           Flag mathApproxMode, Flag fp32DestAccEn, Flag packerL1Acc) -> Attr {
          auto number = [](Flag flag) { return flag ? int(*flag) : -1; };
          return checked(context, [&] {
            return ttmlirTTNNDeviceComputeKernelConfigAttrGet(
                context, mathFidelity ? int64_t(*mathFidelity) : -1,
                number(mathApproxMode), number(fp32DestAccEn),
                number(packerL1Acc));
          });
        },
        "ctx"_a, "math_fidelity"_a = nb::none(),
        "math_approx_mode"_a = nb::none(), "fp32_dest_acc_en"_a = nb::none(),
        "packer_l1_acc"_a = nb::none(),
        "How the engines compute an op; what is None is the library's "
        "default.");
    c.def_prop_ro(
        "math_fidelity",
        [](MlirAttribute self) -> nb::object {
          int64_t value =
              ttmlirTTNNDeviceComputeKernelConfigAttrGetMathFidelity(self);
          return value < 0 ? nb::none() : enumerator("MathFidelity", value);
        },
        nb::for_getter(nb::sig(TTMLIR_ENUM_SIGNATURE(
            "math_fidelity", "tt", "MathFidelity") " | None")),
        "How many phases of the multiplier make a product.");
    bindFlag<ttmlirTTNNDeviceComputeKernelConfigAttrGetMathApproxMode>(
        c, "math_approx_mode", "Whether functions may be approximated.");
    bindFlag<ttmlirTTNNDeviceComputeKernelConfigAttrGetFp32DestAccEn>(
        c, "fp32_dest_acc_en",
        "Whether the destination registers hold 32-bit numbers.");
    bindFlag<ttmlirTTNNDeviceComputeKernelConfigAttrGetPackerL1Acc>(
        c, "packer_l1_acc", "Whether the packer adds up blocks in L1.");
  }
};

struct ShapeAttr : py::PyConcreteAttribute<ShapeAttr> {
  static constexpr IsAFunctionTy isaFunction = ttmlirAttributeIsATTNNShape;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTNNShapeAttrGetTypeID;
  static constexpr const char *pyClassName = "ShapeAttr";
  using Base::Base;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, const std::vector<int64_t> &shape) -> Attr {
          return ttmlirTTNNShapeAttrGet(context, shape.data(), shape.size());
        },
        "ctx"_a, "shape"_a, "Extents of a tensor.");
    c.def_prop_ro(
        "shape",
        [](MlirAttribute self) {
          return read(self, ttmlirTTNNShapeAttrGetShape);
        },
        "The extents.");
  }
};

TTMLIR_RANGE_ATTR_OF(TTNN, CoreRange)

} // namespace ttmlir::bindings::ttnn

void ttmlir::bindings::populateTTNNAttributes(nb::module_ &m) {
  using namespace ttnn;
  LayoutAttr::bind(m);
  TensorMemoryLayoutAttr::bind(m);
  BufferTypeAttr::bind(m);
  MemoryConfigAttr::bind(m);
  DeviceComputeKernelConfigAttr::bind(m);
  ShapeAttr::bind(m);
  MeshShapeAttr::bind(m);
  CoreRangeAttr::bind(m);
}
