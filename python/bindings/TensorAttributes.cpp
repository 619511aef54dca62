#include "Bindings.h"

#include "ttmlir-c/TTAttrs.h"
#include "ttmlir-c/TTTypes.h"

#include "mlir-c/BuiltinTypes.h"

using namespace ttmlir::bindings;

namespace {

/// Pairs as the C API takes them.
std::vector<int64_t> flatten(const Intervals &intervals) {
  std::vector<int64_t> flat;
  for (const auto &[begin, end] : intervals) {
    flat.push_back(begin);
    flat.push_back(end);
  }
  return flat;
}

const Intervals kDefaultIntervals = {{0, -1}};

struct GridAttr : py::PyConcreteAttribute<GridAttr> {
  static constexpr IsAFunctionTy isaFunction = ttmlirAttributeIsATTGrid;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTGridAttrGetTypeID;
  static constexpr const char *pyClassName = "GridAttr";
  using Base::Base;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, const std::vector<int64_t> &shape,
           std::optional<MlirAffineMap> mapping) -> Attr {
          return checked(context, [&] {
            return ttmlirTTGridAttrGet(context, shape.data(), shape.size(),
                                       mapping ? *mapping
                                               : MlirAffineMap{nullptr});
          });
        },
        "ctx"_a, "shape"_a, "mapping"_a = nb::none(),
        "A grid of cores, with a map from its points to (chip, y, x) if it is "
        "that of a device.");
    c.def_prop_ro(
        "shape",
        [](MlirAttribute self) { return read(self, ttmlirTTGridAttrGetShape); },
        "Extents of the grid.");
    c.def_prop_ro(
        "mapping",
        [](MlirAttribute self) { return ttmlirTTGridAttrGetMapping(self); },
        "Map from a grid point to (chip, y, x); the empty map in layouts.");
  }
};

struct LayoutAttr : py::PyConcreteAttribute<LayoutAttr> {
  static constexpr IsAFunctionTy isaFunction = ttmlirAttributeIsATTLayout;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTLayoutAttrGetTypeID;
  static constexpr const char *pyClassName = "LayoutAttr";
  using Base::Base;

  static Attr get(MlirContext context, MlirType tensorType,
                  uint32_t memorySpace, MlirAttribute grid,
                  const Intervals &intervals, uint32_t oobVal,
                  uint32_t memLayout) {
    expect(grid, ttmlirAttributeIsATTGrid, "#tt.grid");
    std::vector<int64_t> flat = flatten(intervals);
    return checked(context, [&] {
      return ttmlirTTLayoutAttrGetForTensor(
          context, tensorType, MlirType{nullptr}, memorySpace, grid,
          flat.data(), intervals.size(), oobVal, memLayout);
    });
  }

  static Attr withGrid(MlirContext context, MlirAttribute self,
                       const std::vector<int64_t> &tensorShape,
                       MlirAttribute grid, const Intervals &intervals) {
    expect(self, isaFunction, "#tt.layout");
    expect(grid, ttmlirAttributeIsATTGrid, "#tt.grid");
    std::vector<int64_t> flat = flatten(intervals);
    return checked(context, [&] {
      return ttmlirTTLayoutAttrWithGrid(self, tensorShape.data(),
                                        tensorShape.size(), grid, flat.data(),
                                        intervals.size());
    });
  }

  static Attr withElementType(MlirContext context, MlirAttribute self,
                              MlirType elementType) {
    expect(self, isaFunction, "#tt.layout");
    return checked(context, [&] {
      return ttmlirTTLayoutAttrWithElementType(self, elementType);
    });
  }

  static Attr ofType(MlirType type) {
    MlirAttribute encoding{nullptr};
    if (mlirTypeIsARankedTensor(type))
      encoding = mlirRankedTensorTypeGetEncoding(type);
    if (!encoding.ptr || !isaFunction(encoding))
      throw nb::value_error("expected a ranked tensor type with a #tt.layout");
    return encoding;
  }

  static std::vector<int64_t> shardShape(MlirAttribute self) {
    std::vector<int64_t> grid =
        read(ttmlirTTLayoutAttrGetGrid(self), ttmlirTTGridAttrGetShape);
    std::vector<int64_t> shape(grid.size());
    ttmlirTTLayoutAttrGetShardShape(self, /*inScalars=*/true, shape.data());
    return shape;
  }

  static std::vector<int64_t> stride(MlirAttribute self,
                                     const std::vector<int64_t> &shape) {
    std::vector<int64_t> result(shape.size());
    if (!ttmlirTTLayoutAttrGetStride(self, shape.data(), shape.size(),
                                     result.data()))
      throw nb::value_error(
          "expected a shape of the rank that the layout's linear map takes");
    return result;
  }

  static void bindBuilders(ClassTy &c) {
    c.def_static("get", get, "ctx"_a, "ranked_tensor_type"_a, "memory_space"_a,
                 "grid"_a, "collapse_intervals"_a = kDefaultIntervals,
                 "oob_val"_a = 0, "mem_layout"_a = 0,
                 "The layout of a tensor on a grid. The dimensions of each "
                 "interval [begin, end) are collapsed into one.");
    for (const char *name : {"with_grid", "with_grid_"})
      c.def_static(name, withGrid, "ctx"_a, "self"_a, "tensor_shape"_a,
                   "grid"_a, "collapse_intervals"_a = kDefaultIntervals,
                   "The layout rebuilt for another grid.");
    for (const char *name : {"with_element_type", "with_element_type_"})
      c.def_static(name, withElementType, "ctx"_a, "self"_a, "element_type"_a,
                   "The same distribution with another element type, which may "
                   "be a tile.");
    c.def_static("getLayout", ofType, "type"_a,
                 "The layout of a tensor type; ValueError if it has none.");
  }

  static void bindDerived(ClassTy &c) {
    bindBuilders(c);
    c.def("wrapped", [](MlirAttribute self) -> Attr { return self; });
    c.def("stride", stride, "logical_shape"_a,
          "Distance in elements of the physical space between neighbours along "
          "every dimension of a tensor of this shape.");
    c.def_prop_ro(
        "linear",
        [](MlirAttribute self) { return ttmlirTTLayoutAttrGetLinear(self); },
        "Map from logical to physical indices.");
    c.def_prop_ro(
        "oobval",
        [](MlirAttribute self) {
          return enumerator("OOBVal", ttmlirTTLayoutAttrGetOOBVal(self));
        },
        TTMLIR_ENUM_GETTER("oobval", "OOBVal"), "What the padding holds.");
    c.def_prop_ro(
        "grid_attr",
        [](MlirAttribute self) -> Attr {
          return ttmlirTTLayoutAttrGetGrid(self);
        },
        "The grid that the tensor is divided over.");
    c.def_prop_ro(
        "memref",
        [](MlirAttribute self) { return ttmlirTTLayoutAttrGetMemref(self); },
        "The shard of one grid point.");
    c.def_prop_ro(
        "memory_space",
        [](MlirAttribute self) {
          return enumerator("MemorySpace",
                            ttmlirTTLayoutAttrGetMemorySpace(self));
        },
        TTMLIR_ENUM_GETTER("memory_space", "MemorySpace"),
        "The memory that the tensor lies in.");
    c.def_prop_ro(
        "memory_layout",
        [](MlirAttribute self) {
          return enumerator("TensorMemoryLayout",
                            ttmlirTTLayoutAttrGetMemoryLayout(self));
        },
        TTMLIR_ENUM_GETTER("memory_layout", "TensorMemoryLayout"),
        "How the shards lie in the banks.");
    c.def_prop_ro("shard_shape", shardShape, "Extents of a shard in elements.");
    c.def_prop_ro(
        "is_tiled",
        [](MlirAttribute self) { return ttmlirTTLayoutAttrIsTiled(self); },
        "Whether the shards consist of tiles.");
  }
};

struct BufferAttr : py::PyConcreteAttribute<BufferAttr> {
  static constexpr IsAFunctionTy isaFunction = ttmlirAttributeIsATTBuffer;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTBufferAttrGetTypeID;
  static constexpr const char *pyClassName = "BufferAttr";
  using Base::Base;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, MlirType memref, uint32_t access) -> Attr {
          return checked(context, [&] {
            return ttmlirTTBufferAttrGet(context, memref, access);
          });
        },
        "ctx"_a, "memref"_a, "buffer_access"_a, "A buffer in L1.");
    c.def_prop_ro(
        "memref",
        [](MlirAttribute self) { return ttmlirTTBufferAttrGetMemref(self); },
        "Footprint of the buffer.");
    c.def_prop_ro(
        "buffer_access",
        [](MlirAttribute self) {
          return enumerator("BufferAccess", ttmlirTTBufferAttrGetAccess(self));
        },
        TTMLIR_ENUM_GETTER("buffer_access", "BufferAccess"),
        "How data is reached through the buffer.");
  }
};

struct ArgumentAllocationAttr
    : py::PyConcreteAttribute<ArgumentAllocationAttr> {
  static constexpr IsAFunctionTy isaFunction =
      ttmlirAttributeIsATTArgumentAllocation;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTArgumentAllocationAttrGetTypeID;
  static constexpr const char *pyClassName = "ArgumentAllocationAttr";
  using Base::Base;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, uint64_t address, uint64_t size,
           uint32_t memorySpace) -> Attr {
          return checked(context, [&] {
            return ttmlirTTArgumentAllocationAttrGet(context, address, size,
                                                     memorySpace);
          });
        },
        "ctx"_a, "address"_a, "size"_a, "memory_space"_a,
        "Where an argument of a function is allocated, in bytes.");
    c.def_prop_ro(
        "address",
        [](MlirAttribute self) {
          return ttmlirTTArgumentAllocationAttrGetAddress(self);
        },
        "First byte.");
    c.def_prop_ro(
        "size",
        [](MlirAttribute self) {
          return ttmlirTTArgumentAllocationAttrGetSize(self);
        },
        "Bytes.");
    c.def_prop_ro(
        "memory_space",
        [](MlirAttribute self) {
          return enumerator("MemorySpace",
                            ttmlirTTArgumentAllocationAttrGetMemorySpace(self));
        },
        TTMLIR_ENUM_GETTER("memory_space", "MemorySpace"), "The memory.");
  }
};

struct TileType : py::PyConcreteType<TileType> {
  static constexpr IsAFunctionTy isaFunction = ttmlirTypeIsATTTile;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTTileTypeGetTypeID;
  static constexpr const char *pyClassName = "TileType";
  using Base::Base;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, int64_t height, int64_t width,
           uint32_t dataType) -> MlirType {
          return checked(context, [&] {
            return ttmlirTTTileTypeGet(context, height, width, dataType);
          });
        },
        "ctx"_a, "height"_a, "width"_a, "data_type"_a,
        "A tile of height x width elements.");
    c.def_prop_ro(
        "data_type",
        [](MlirType self) {
          return enumerator("DataType", ttmlirTTTileTypeGetDataType(self));
        },
        TTMLIR_ENUM_GETTER("data_type", "DataType"),
        "Number format of the elements.");
    c.def_prop_ro(
        "shape",
        [](MlirType self) {
          return std::vector<int64_t>{ttmlirTTTileTypeGetHeight(self),
                                      ttmlirTTTileTypeGetWidth(self)};
        },
        "[height, width] in elements.");
    c.def_prop_ro(
        "size_bytes",
        [](MlirType self) { return ttmlirTTTileTypeGetSizeBytes(self); },
        "Bytes of a tile without the exponents of block formats.");
    c.def_prop_ro(
        "storage_size_bytes",
        [](MlirType self) { return ttmlirTTTileTypeGetStorageSizeBytes(self); },
        "Bytes that a tile occupies in memory.");
    c.def_prop_ro(
        "element_type",
        [](MlirType self) { return ttmlirTTTileTypeGetElementType(self); },
        "The scalar type that the elements stand for.");
  }
};

struct DeviceType : py::PyConcreteType<DeviceType> {
  static constexpr IsAFunctionTy isaFunction = ttmlirTypeIsATTDevice;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTDeviceTypeGetTypeID;
  static constexpr const char *pyClassName = "DeviceType";
  using Base::Base;

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, MlirAttribute device) -> MlirType {
          expect(device, ttmlirAttributeIsATTDevice, "#tt.device");
          return ttmlirTTDeviceTypeGet(context, device);
        },
        "ctx"_a, "device_attr"_a, "The type of handles of a device.");
    c.def_prop_ro(
        "desc",
        [](MlirType self) -> Attr { return ttmlirTTDeviceTypeGetDesc(self); },
        "The `#tt.device`.");
  }
};

} // namespace

void ttmlir::bindings::populateTensorAttributes(nb::module_ &m) {
  GridAttr::bind(m);
  LayoutAttr::bind(m);
  BufferAttr::bind(m);
  ArgumentAllocationAttr::bind(m);
}

void ttmlir::bindings::populateTypes(nb::module_ &m) {
  TileType::bind(m);
  DeviceType::bind(m);
}
