#include "Bindings.h"

#include "ttmlir-c/TTAttrs.h"
#include "ttmlir-c/TTKernelAttrs.h"
#include "ttmlir-c/TTKernelTypes.h"
#include "ttmlir-c/TTMetalAttrs.h"

#include "mlir-c/BuiltinTypes.h"

// Named, because the extension tells types by their names and other dialects
// have some of the same.
namespace ttmlir::bindings::ttkernel {

TTMLIR_ENUM_ATTR_OF("ttkernel", TTKernel, ThreadType)
TTMLIR_ENUM_ATTR_OF("ttkernel", TTKernel, EltwiseBinaryType)
TTMLIR_ENUM_ATTR_OF("ttkernel", TTKernel, BroadcastType)
TTMLIR_ENUM_ATTR_OF("ttkernel", TTKernel, PoolType)
TTMLIR_ENUM_ATTR_OF("ttkernel", TTKernel, ReduceDim)

/// The getter of an enumerator of this dialect.
template <auto Get> nb::object member(const char *name, MlirAttribute self) {
  return enumerator(name, static_cast<uint32_t>(Get(self)), "ttkernel");
}

struct NocConfigAttr : py::PyConcreteAttribute<NocConfigAttr> {
  static constexpr IsAFunctionTy isaFunction =
      ttmlirAttributeIsATTKernelNocConfig;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTKernelNocConfigAttrGetTypeID;
  static constexpr const char *pyClassName = "NocConfigAttr";
  using Base::Base;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, uint32_t nocIndex) -> Attr {
          return checked(context, [&] {
            return ttmlirTTKernelNocConfigAttrGet(context, nocIndex);
          });
        },
        "ctx"_a, "noc_index"_a,
        "How a data movement kernel is built: its network on chip.");
    c.def_prop_ro(
        "noc_index",
        [](MlirAttribute self) {
          return member<ttmlirTTKernelNocConfigAttrGetValue>("NocIndex", self);
        },
        TTMLIR_ENUM_GETTER_OF("noc_index", "ttkernel", "NocIndex"),
        "The network on chip.");
  }
};

struct TensixConfigAttr : py::PyConcreteAttribute<TensixConfigAttr> {
  static constexpr IsAFunctionTy isaFunction =
      ttmlirAttributeIsATTKernelTensixConfig;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTKernelTensixConfigAttrGetTypeID;
  static constexpr const char *pyClassName = "TensixConfigAttr";
  using Base::Base;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, uint32_t mathFidelity, bool fp32DestAccEn,
           bool preserveFp32Precision, bool mathApproxMode) -> Attr {
          return checked(context, [&] {
            return ttmlirTTKernelTensixConfigAttrGet(
                context, mathFidelity, fp32DestAccEn, preserveFp32Precision,
                mathApproxMode);
          });
        },
        "ctx"_a, "math_fidelity"_a, "fp32_dest_acc_en"_a = false,
        "preserve_fp32_precision"_a = false, "math_approx_mode"_a = false,
        "How a compute kernel is built.");
    c.def_prop_ro(
        "math_fidelity",
        [](MlirAttribute self) {
          return member<ttmlirTTKernelTensixConfigAttrGetMathFidelity>(
              "MathFidelity", self);
        },
        TTMLIR_ENUM_GETTER_OF("math_fidelity", "ttkernel", "MathFidelity"),
        "How many passes of the multipliers make a product.");
    c.def_prop_ro(
        "fp32_dest_acc_en",
        [](MlirAttribute self) {
          return ttmlirTTKernelTensixConfigAttrGetFp32DestAccEn(self);
        },
        "Whether the destination registers hold 32-bit numbers.");
    c.def_prop_ro(
        "preserve_fp32_precision",
        [](MlirAttribute self) {
          return ttmlirTTKernelTensixConfigAttrGetPreserveFp32Precision(self);
        },
        "Whether f32 pages are unpacked as f32.");
    c.def_prop_ro(
        "math_approx_mode",
        [](MlirAttribute self) {
          return ttmlirTTKernelTensixConfigAttrGetMathApproxMode(self);
        },
        "Whether functions may be approximated.");
  }
};

struct EthernetConfigAttr : py::PyConcreteAttribute<EthernetConfigAttr> {
  static constexpr IsAFunctionTy isaFunction =
      ttmlirAttributeIsATTKernelEthernetConfig;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTKernelEthernetConfigAttrGetTypeID;
  static constexpr const char *pyClassName = "EthernetConfigAttr";
  using Base::Base;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, uint32_t ethType, uint32_t nocIndex) -> Attr {
          return checked(context, [&] {
            return ttmlirTTKernelEthernetConfigAttrGet(context, ethType,
                                                       nocIndex);
          });
        },
        "ctx"_a, "eth_type"_a, "noc_index"_a,
        "How a kernel on an ethernet core is built: the end of the link, and "
        "the network on chip.");
    c.def_prop_ro(
        "eth_type",
        [](MlirAttribute self) {
          return member<ttmlirTTKernelEthernetConfigAttrGetEthType>("EthType",
                                                                    self);
        },
        TTMLIR_ENUM_GETTER_OF("eth_type", "ttkernel", "EthType"),
        "The end of the link.");
    c.def_prop_ro(
        "noc_index",
        [](MlirAttribute self) {
          return member<ttmlirTTKernelEthernetConfigAttrGetNocIndex>("NocIndex",
                                                                     self);
        },
        TTMLIR_ENUM_GETTER_OF("noc_index", "ttkernel", "NocIndex"),
        "The network on chip.");
  }
};

struct TensorAccessorArgsAttr
    : py::PyConcreteAttribute<TensorAccessorArgsAttr> {
  static constexpr IsAFunctionTy isaFunction =
      ttmlirAttributeIsATTKernelTensorAccessorArgs;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTKernelTensorAccessorArgsAttrGetTypeID;
  static constexpr const char *pyClassName = "TensorAccessorArgsAttr";
  using Base::Base;
  using Extents = std::vector<int64_t>;

  static Attr get(MlirContext context, uint32_t memorySpace,
                  uint32_t memoryLayout, uint64_t pageSize,
                  uint64_t alignedPageSize, const Extents &tensorPages,
                  const Extents &shardPages, const Extents &cores) {
    return checked(context, [&] {
      return ttmlirTTKernelTensorAccessorArgsAttrGet(
          context, memorySpace, memoryLayout, pageSize, alignedPageSize,
          tensorPages.data(), tensorPages.size(), shardPages.data(),
          shardPages.size(), cores.data(), cores.size());
    });
  }

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get", get, "ctx"_a, "memory_space"_a, "memory_layout"_a, "page_size"_a,
        "aligned_page_size"_a, "tensor_pages"_a, "shard_pages"_a = Extents(),
        "cores"_a = Extents(),
        "How the pages of a tensor lie in memory, with bytes of a page "
        "and from one to the next, and the rows and columns of pages. A "
        "sharded layout has those of a shard too, and y, x, rows and "
        "columns of each rectangle of cores.");
    c.def_static(
        "for_tensor",
        [](MlirType type, MlirAttribute systemDesc) -> Attr {
          expect(systemDesc, ttmlirAttributeIsATTSystemDesc, "#tt.system_desc");
          return checked(mlirTypeGetContext(type), [&] {
            return ttmlirTTKernelTensorAccessorArgsAttrGetForTensor(type,
                                                                    systemDesc);
          });
        },
        "tensor_type"_a, "system_desc"_a,
        "How the pages of a tensor with a layout lie on a chip of the system.");
    c.def(
        "bytes_per_bank",
        [](MlirAttribute self, MlirAttribute systemDesc) {
          expect(systemDesc, ttmlirAttributeIsATTSystemDesc, "#tt.system_desc");
          return ttmlirTTKernelTensorAccessorArgsAttrGetBytesPerBank(
              self, systemDesc);
        },
        "system_desc"_a,
        "Bytes in the fullest bank of DRAM, or in the L1 of a core that has a "
        "shard.");
    c.def_prop_ro(
        "tensor_pages",
        [](MlirAttribute self) {
          return read(self, ttmlirTTKernelTensorAccessorArgsAttrGetTensorPages);
        },
        "Rows and columns of pages.");
    c.def_prop_ro(
        "shard_pages",
        [](MlirAttribute self) {
          return read(self, ttmlirTTKernelTensorAccessorArgsAttrGetShardPages);
        },
        "Rows and columns of pages of a shard; empty if it is not sharded.");
    c.def_prop_ro(
        "page_size",
        [](MlirAttribute self) {
          return ttmlirTTKernelTensorAccessorArgsAttrGetPageSize(self);
        },
        "Bytes of a page.");
    c.def_prop_ro(
        "aligned_page_size",
        [](MlirAttribute self) {
          return ttmlirTTKernelTensorAccessorArgsAttrGetAlignedPageSize(self);
        },
        "Bytes from one page of a bank to the next.");
  }
};

struct CBType : py::PyConcreteType<CBType> {
  static constexpr IsAFunctionTy isaFunction = ttmlirTypeIsATTKernelCB;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTKernelCBTypeGetTypeID;
  static constexpr const char *pyClassName = "CBType";
  using Base::Base;

  static MlirType get(MlirContext context, uint64_t address, uint32_t port,
                      MlirType memref, std::optional<uint64_t> pageSize,
                      uint64_t numBuffers) {
    return checked(context, [&] {
      MlirType type = ttmlirTTKernelCBTypeGet(context, address, port, memref);
      if (!type.ptr || (!pageSize && numBuffers == 1))
        return type;
      return ttmlirTTKernelCBTypeGetWithPages(
          context, address, port, memref,
          pageSize ? *pageSize : ttmlirTTKernelCBTypeGetPageSize(type),
          numBuffers);
    });
  }

  /// A value's type comes as `ttmlir.ir.Type`.
  static MlirType castType(MlirType type) {
    if (!ttmlirTypeIsATTKernelCB(type))
      throw nb::value_error("expected a !ttkernel.cb");
    return type;
  }

  static std::vector<int64_t> shape(MlirType self) {
    MlirType memref = ttmlirTTKernelCBTypeGetMemref(self);
    std::vector<int64_t> result(mlirShapedTypeGetRank(memref));
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = mlirShapedTypeGetDimSize(memref, i);
    return result;
  }

  static void bindDerived(ClassTy &c) {
    c.def_static("get", get, "ctx"_a, "address"_a, "port"_a, "memref_type"_a,
                 "page_size"_a = nb::none(), "num_buffers"_a = 1,
                 "A circular buffer at an address of L1. A page is a tile, or "
                 "a row of scalars, unless its bytes are given; `num_buffers` "
                 "is how many times the shard of the memref fits.");
    c.def_static("cast", castType, "type"_a,
                 nb::sig("def cast(type: ttmlir.ir.Type) -> CBType"),
                 "The type of a value that is a circular buffer.");
    c.def_prop_ro("shape", shape, "Extents of the memref.");
    c.def_prop_ro(
        "memref",
        [](MlirType self) { return ttmlirTTKernelCBTypeGetMemref(self); },
        "The shard that goes through the buffer.");
    c.def_prop_ro(
        "port",
        [](MlirType self) {
          return enumerator("CBPort", ttmlirTTKernelCBTypeGetPort(self),
                            "ttkernel");
        },
        TTMLIR_ENUM_GETTER_OF("port", "ttkernel", "CBPort"),
        "What names the buffer.");
    c.def_prop_ro(
        "address",
        [](MlirType self) { return ttmlirTTKernelCBTypeGetAddress(self); },
        "Where the buffer begins in L1.");
    c.def_prop_ro(
        "page_size",
        [](MlirType self) { return ttmlirTTKernelCBTypeGetPageSize(self); },
        "Bytes of a page.");
    c.def_prop_ro(
        "num_buffers",
        [](MlirType self) { return ttmlirTTKernelCBTypeGetNumBuffers(self); },
        "How many times the shard fits.");
  }
};

struct NocAddrType : py::PyConcreteType<NocAddrType> {
  static constexpr IsAFunctionTy isaFunction = ttmlirTypeIsATTKernelNocAddr;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTKernelNocAddrTypeGetTypeID;
  static constexpr const char *pyClassName = "NocAddrType";
  using Base::Base;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context) -> MlirType {
          return ttmlirTTKernelNocAddrTypeGet(context);
        },
        "ctx"_a, "An address of the network on chip.");
  }
};

struct TensorAccessorType : py::PyConcreteType<TensorAccessorType> {
  static constexpr IsAFunctionTy isaFunction =
      ttmlirTypeIsATTKernelTensorAccessor;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTKernelTensorAccessorTypeGetTypeID;
  static constexpr const char *pyClassName = "TensorAccessorType";
  using Base::Base;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context) -> MlirType {
          return ttmlirTTKernelTensorAccessorTypeGet(context);
        },
        "ctx"_a, "A tensor as kernels find its pages.");
  }
};

} // namespace ttmlir::bindings::ttkernel

namespace ttmlir::bindings::ttmetal {

TTMLIR_RANGE_ATTR_OF(TTMetal, CoreRange)

/// An argument that is one number: `get(ctx, value)` and `value`.
template <typename DerivedT>
struct NumberAttr : py::PyConcreteAttribute<DerivedT> {
  using BaseT = py::PyConcreteAttribute<DerivedT>;
  using BaseT::BaseT;

  static void bindDerived(typename BaseT::ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, uint32_t value) -> Attr {
          return DerivedT::getFunction(context, value);
        },
        "ctx"_a, "value"_a, DerivedT::doc);
    c.def_prop_ro(
        "value",
        [](MlirAttribute self) { return DerivedT::valueFunction(self); },
        DerivedT::doc);
  }
};

#define TTMLIR_NUMBER_ATTR(Name, Doc)                                          \
  struct Name##Attr : NumberAttr<Name##Attr> {                                 \
    using NumberAttr::NumberAttr;                                              \
    static constexpr IsAFunctionTy isaFunction =                               \
        ttmlirAttributeIsATTMetal##Name;                                       \
    static constexpr GetTypeIDFunctionTy getTypeIdFunction =                   \
        ttmlirTTMetal##Name##AttrGetTypeID;                                    \
    static constexpr const char *pyClassName = #Name "Attr";                   \
    static constexpr const char *doc = Doc;                                    \
    static constexpr auto getFunction = ttmlirTTMetal##Name##AttrGet;          \
    static constexpr auto valueFunction = ttmlirTTMetal##Name##AttrGetValue;   \
  };

TTMLIR_NUMBER_ATTR(TensorAddress,
                   "The operand of the dispatch whose address is meant.")
TTMLIR_NUMBER_ATTR(SemaphoreAddress, "What the semaphore starts at.")

struct ScalarArgsAttr : py::PyConcreteAttribute<ScalarArgsAttr> {
  static constexpr IsAFunctionTy isaFunction =
      ttmlirAttributeIsATTMetalScalarArgs;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTMetalScalarArgsAttrGetTypeID;
  static constexpr const char *pyClassName = "ScalarArgsAttr";
  using Base::Base;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, const std::vector<uint32_t> &values) -> Attr {
          return checked(context, [&] {
            return ttmlirTTMetalScalarArgsAttrGet(context, values.data(),
                                                  values.size());
          });
        },
        "ctx"_a, "values"_a,
        "One number for all cores of a kernel, or one for each.");
    c.def_prop_ro(
        "values",
        [](MlirAttribute self) {
          return read(self, ttmlirTTMetalScalarArgsAttrGetValues);
        },
        "The numbers.");
  }
};

} // namespace ttmlir::bindings::ttmetal

void ttmlir::bindings::populateTTKernelAttributes(nb::module_ &m) {
  using namespace ttkernel;
  ThreadTypeAttr::bind(m);
  EltwiseBinaryTypeAttr::bind(m);
  BroadcastTypeAttr::bind(m);
  PoolTypeAttr::bind(m);
  ReduceDimAttr::bind(m);
  TensorAccessorArgsAttr::bind(m);
  NocConfigAttr::bind(m);
  TensixConfigAttr::bind(m);
  EthernetConfigAttr::bind(m);
  CBType::bind(m);
  NocAddrType::bind(m);
  TensorAccessorType::bind(m);
}

void ttmlir::bindings::populateTTMetalAttributes(nb::module_ &m) {
  using namespace ttmetal;
  CoreRangeAttr::bind(m);
  TensorAddressAttr::bind(m);
  SemaphoreAddressAttr::bind(m);
  ScalarArgsAttr::bind(m);
}
