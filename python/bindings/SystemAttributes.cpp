#include "Bindings.h"

#include "ttmlir-c/TTAttrs.h"

using namespace ttmlir::bindings;

namespace {

TTMLIR_PAIR_ATTR_OF(TT, CoreCoord,
                    "Row and column of a physical core of a chip.")
TTMLIR_PAIR_ATTR_OF(TT, TileSize,
                    "Rows and columns of a tile that a chip supports.")

struct ChipCoordAttr : py::PyConcreteAttribute<ChipCoordAttr> {
  static constexpr IsAFunctionTy isaFunction = ttmlirAttributeIsATTChipCoord;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTChipCoordAttrGetTypeID;
  static constexpr const char *pyClassName = "ChipCoordAttr";
  using Base::Base;

  template <int index> static unsigned component(MlirAttribute self) {
    unsigned coord[4];
    ttmlirTTChipCoordAttrGetCoord(self, coord);
    return coord[index];
  }

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, unsigned rack, unsigned shelf, unsigned y,
           unsigned x) -> Attr {
          return ttmlirTTChipCoordAttrGet(context, rack, shelf, y, x);
        },
        "ctx"_a, "rack"_a, "shelf"_a, "y"_a, "x"_a,
        "The place of a chip in the system.");
    c.def_prop_ro("rack", component<0>);
    c.def_prop_ro("shelf", component<1>);
    c.def_prop_ro("y", component<2>);
    c.def_prop_ro("x", component<3>);
  }
};

struct ChipPhysicalCoresAttr : py::PyConcreteAttribute<ChipPhysicalCoresAttr> {
  static constexpr IsAFunctionTy isaFunction =
      ttmlirAttributeIsATTChipPhysicalCores;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTChipPhysicalCoresAttrGetTypeID;
  static constexpr const char *pyClassName = "ChipPhysicalCoresAttr";
  using Base::Base;
  using Cores = std::vector<MlirAttribute>;

  template <TTMLIRCoreKind kind> static Cores cores(MlirAttribute self) {
    const MlirAttribute *data = nullptr;
    size_t size = ttmlirTTChipPhysicalCoresAttrGetCores(self, kind, &data);
    return Cores(data, data + size);
  }

  static Attr get(MlirContext context, const Cores &worker, const Cores &dram,
                  const Cores &eth, const Cores &ethInactive) {
    for (const Cores *list : {&worker, &dram, &eth, &ethInactive})
      for (MlirAttribute core : *list)
        expect(core, ttmlirAttributeIsATTCoreCoord, "a core_coord");
    return ttmlirTTChipPhysicalCoresAttrGet(
        context, worker.data(), worker.size(), dram.data(), dram.size(),
        eth.data(), eth.size(), ethInactive.data(), ethInactive.size());
  }

  static void bindDerived(ClassTy &c) {
    c.def_static("get", get, "ctx"_a, "worker"_a, "dram"_a, "eth"_a = Cores{},
                 "eth_inactive"_a = Cores{},
                 "The physical cores of a chip, lists of CoreCoordAttr.");
    c.def_prop_ro("worker", cores<TTMLIR_CORE_WORKER>);
    c.def_prop_ro("dram", cores<TTMLIR_CORE_DRAM>);
    c.def_prop_ro("eth", cores<TTMLIR_CORE_ETH>);
    c.def_prop_ro("eth_inactive", cores<TTMLIR_CORE_ETH_INACTIVE>);
  }
};

struct ChipDescAttr : py::PyConcreteAttribute<ChipDescAttr> {
  static constexpr IsAFunctionTy isaFunction = ttmlirAttributeIsATTChipDesc;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTChipDescAttrGetTypeID;
  static constexpr const char *pyClassName = "ChipDescAttr";
  using Base::Base;

  static Attr get(MlirContext context, MlirAttribute arch,
                  const std::vector<int64_t> &grid, uint32_t l1Size,
                  uint32_t numDramChannels, uint32_t dramChannelSize,
                  uint32_t nocL1Align, uint32_t pcieAlign,
                  uint32_t nocDramAlign, uint32_t l1Base, uint32_t eriscL1Base,
                  uint32_t dramBase, uint32_t dramEnd, MlirAttribute cores,
                  const AttributeList &dataTypes,
                  const AttributeList &tileSizes) {
    expect(arch, ttmlirAttributeIsATTArch, "#tt.arch");
    expect(cores, ttmlirAttributeIsATTChipPhysicalCores, "chip_physical_cores");
    std::vector<MlirAttribute> types =
        expectAll(dataTypes, ttmlirAttributeIsATTDataType, "data types");
    std::vector<MlirAttribute> tiles =
        expectAll(tileSizes, ttmlirAttributeIsATTTileSize, "tile sizes");
    TTMLIRChipSizes sizes{
        l1Size,       numDramChannels, dramChannelSize, nocL1Align, pcieAlign,
        nocDramAlign, l1Base,          eriscL1Base,     dramBase,   dramEnd};
    return checked(context, [&] {
      return ttmlirTTChipDescAttrGet(context, arch, grid.data(), grid.size(),
                                     sizes, cores, types.data(), types.size(),
                                     tiles.data(), tiles.size());
    });
  }

  static void bindSizes(ClassTy &c) {
#define TTMLIR_CHIP_SIZE(name, field)                                          \
  c.def_prop_ro(name, [](MlirAttribute self) {                                 \
    return ttmlirTTChipDescAttrGetSizes(self).field;                           \
  });
    TTMLIR_CHIP_SIZE("l1_size", l1Size)
    TTMLIR_CHIP_SIZE("num_dram_channels", numDramChannels)
    TTMLIR_CHIP_SIZE("dram_channel_size", dramChannelSize)
    TTMLIR_CHIP_SIZE("noc_l1_address_align_bytes", nocL1AddressAlignBytes)
    TTMLIR_CHIP_SIZE("pcie_address_align_bytes", pcieAddressAlignBytes)
    TTMLIR_CHIP_SIZE("noc_dram_address_align_bytes", nocDRAMAddressAlignBytes)
    TTMLIR_CHIP_SIZE("l1_unreserved_base", l1UnreservedBase)
    TTMLIR_CHIP_SIZE("erisc_l1_unreserved_base", eriscL1UnreservedBase)
    TTMLIR_CHIP_SIZE("dram_unreserved_base", dramUnreservedBase)
    TTMLIR_CHIP_SIZE("dram_unreserved_end", dramUnreservedEnd)
#undef TTMLIR_CHIP_SIZE
  }

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get", get, "ctx"_a, "arch"_a, "grid"_a, "l1_size"_a,
        "num_dram_channels"_a, "dram_channel_size"_a,
        "noc_l1_address_align_bytes"_a, "pcie_address_align_bytes"_a,
        "noc_dram_address_align_bytes"_a, "l1_unreserved_base"_a,
        "erisc_l1_unreserved_base"_a, "dram_unreserved_base"_a,
        "dram_unreserved_end"_a, "chip_physical_cores"_a,
        "supported_data_types"_a, "supported_tile_sizes"_a,
        "A chip; sizes, alignments and addresses in bytes. The supported data "
        "types and tile sizes are lists, or one attribute each.");
    bindSizes(c);
    c.def_prop_ro("arch", [](MlirAttribute self) -> Attr {
      return ttmlirTTChipDescAttrGetArch(self);
    });
    c.def_prop_ro("grid", [](MlirAttribute self) {
      return read(self, ttmlirTTChipDescAttrGetGrid);
    });
    c.def_prop_ro("chip_physical_cores", [](MlirAttribute self) -> Attr {
      return ttmlirTTChipDescAttrGetPhysicalCores(self);
    });
    c.def_prop_ro("supported_data_types", [](MlirAttribute self) {
      return read(self, ttmlirTTChipDescAttrGetDataTypes);
    });
    c.def_prop_ro("supported_tile_sizes", [](MlirAttribute self) {
      return read(self, ttmlirTTChipDescAttrGetTileSizes);
    });
  }
};

struct ChipChannelAttr : py::PyConcreteAttribute<ChipChannelAttr> {
  static constexpr IsAFunctionTy isaFunction = ttmlirAttributeIsATTChipChannel;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTChipChannelAttrGetTypeID;
  static constexpr const char *pyClassName = "ChipChannelAttr";
  using Base::Base;

  template <int end> static unsigned deviceId(MlirAttribute self) {
    return ttmlirTTChipChannelAttrGetDeviceId(self, end);
  }
  template <int end> static std::vector<int64_t> core(MlirAttribute self) {
    const int64_t *data = nullptr;
    size_t size = ttmlirTTChipChannelAttrGetEthernetCoreCoord(self, end, &data);
    return std::vector<int64_t>(data, data + size);
  }

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, unsigned id0, const std::vector<int64_t> &core0,
           unsigned id1, const std::vector<int64_t> &core1) -> Attr {
          return checked(context, [&] {
            return ttmlirTTChipChannelAttrGet(context, id0, core0.data(),
                                              core0.size(), id1, core1.data(),
                                              core1.size());
          });
        },
        "ctx"_a, "device_id0"_a, "ethernet_core_coord0"_a, "device_id1"_a,
        "ethernet_core_coord1"_a, "An Ethernet link between two chips.");
    c.def_prop_ro("device_id0", deviceId<0>);
    c.def_prop_ro("device_id1", deviceId<1>);
    c.def_prop_ro("ethernet_core_coord0", core<0>);
    c.def_prop_ro("ethernet_core_coord1", core<1>);
  }
};

struct SystemDescAttr : py::PyConcreteAttribute<SystemDescAttr> {
  static constexpr IsAFunctionTy isaFunction = ttmlirAttributeIsATTSystemDesc;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTSystemDescAttrGetTypeID;
  static constexpr const char *pyClassName = "SystemDescAttr";
  using Base::Base;

  static std::vector<std::string> names() {
    std::vector<std::string> result;
    for (size_t i = 0, e = ttmlirTTSystemDescAttrGetNumNames(); i < e; ++i) {
      MlirStringRef name = ttmlirTTSystemDescAttrGetName(i);
      result.emplace_back(name.data, name.length);
    }
    return result;
  }

  static Attr fromName(MlirContext context, const std::string &name) {
    MlirAttribute attr = ttmlirTTSystemDescAttrGetNamed(
        context, mlirStringRefCreate(name.data(), name.size()));
    if (attr.ptr)
      return attr;
    std::string message = "unknown system '" + name + "', expected one of";
    for (const std::string &known : names())
      message += ' ' + known;
    throw nb::value_error(message.c_str());
  }

  static Attr get(MlirContext context, const AttributeList &chipDescs,
                  const std::vector<unsigned> &indices,
                  const AttributeList &capabilities,
                  const AttributeList &coords, const AttributeList &channels) {
    auto chips =
        expectAll(chipDescs, ttmlirAttributeIsATTChipDesc, "chip descriptions");
    auto bits = expectAll(capabilities, ttmlirAttributeIsATTChipCapability,
                          "chip capabilities");
    auto places =
        expectAll(coords, ttmlirAttributeIsATTChipCoord, "chip coordinates");
    auto links =
        expectAll(channels, ttmlirAttributeIsATTChipChannel, "chip channels");
    return checked(context, [&] {
      return ttmlirTTSystemDescAttrGet(
          context, chips.data(), chips.size(), indices.data(), indices.size(),
          bits.data(), bits.size(), places.data(), places.size(), links.data(),
          links.size());
    });
  }

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "get_default",
        [](MlirContext context) -> Attr {
          return ttmlirTTSystemDescAttrGetDefault(context);
        },
        "ctx"_a, "The system that programs are compiled against by default.");
    c.def_static("from_name", fromName, "ctx"_a, "name"_a,
                 "A system by name: n150, n300 ...; see `names`.");
    c.def_static(
        "from_bytes",
        [](MlirContext context, const nb::bytes &data) -> Attr {
          return checked(context, [&] {
            return ttmlirTTSystemDescAttrParse(
                context, mlirStringRefCreate(data.c_str(), data.size()),
                mlirStringRefCreateFromCString("the system description"));
          });
        },
        "ctx"_a, "data"_a, "The system in the bytes of a `.ttsys` file.");
    c.def_static("names", names, "All names that `from_name` knows.");
    c.def_static("get", get, "ctx"_a, "chip_descs"_a, "chip_desc_indices"_a,
                 "chip_capabilities"_a, "chip_coords"_a,
                 "chip_channels"_a = std::vector<MlirAttribute>{},
                 "A system of chips.");
    c.def_prop_ro("chip_descs", [](MlirAttribute self) {
      return read(self, ttmlirTTSystemDescAttrGetChipDescs);
    });
    c.def_prop_ro("chip_desc_indices", [](MlirAttribute self) {
      return read(self, ttmlirTTSystemDescAttrGetChipDescIndices);
    });
    c.def_prop_ro("chip_capabilities", [](MlirAttribute self) {
      return read(self, ttmlirTTSystemDescAttrGetChipCapabilities);
    });
    c.def_prop_ro("chip_coords", [](MlirAttribute self) {
      return read(self, ttmlirTTSystemDescAttrGetChipCoords);
    });
    c.def_prop_ro("chip_channels", [](MlirAttribute self) {
      return read(self, ttmlirTTSystemDescAttrGetChipChannels);
    });
  }
};

struct DeviceAttr : py::PyConcreteAttribute<DeviceAttr> {
  static constexpr IsAFunctionTy isaFunction = ttmlirAttributeIsATTDevice;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTDeviceAttrGetTypeID;
  static constexpr const char *pyClassName = "DeviceAttr";
  using Base::Base;

  static Attr get(MlirContext context, const std::vector<int64_t> &gridShape,
                  MlirAffineMap mapping, std::optional<MlirAffineMap> l1Map,
                  std::optional<MlirAffineMap> dramMap,
                  const std::vector<int64_t> &meshShape,
                  const std::vector<unsigned> &chipIds) {
    return checked(context, [&] {
      MlirAttribute grid = ttmlirTTGridAttrGet(context, gridShape.data(),
                                               gridShape.size(), mapping);
      if (!grid.ptr)
        return grid;
      return ttmlirTTDeviceAttrGet(
          context, grid, l1Map.value_or(MlirAffineMap{}),
          dramMap.value_or(MlirAffineMap{}), meshShape.data(), meshShape.size(),
          chipIds.data(), chipIds.size());
    });
  }

  static void bindDerived(ClassTy &c) {
    c.def_static(
        "from_system_desc",
        [](MlirContext context, MlirAttribute systemDesc,
           const std::vector<int64_t> &meshShape) -> Attr {
          expect(systemDesc, ttmlirAttributeIsATTSystemDesc, "#tt.system_desc");
          return checked(context, [&] {
            return ttmlirTTDeviceAttrGetFromSystemDesc(
                systemDesc, meshShape.data(), meshShape.size());
          });
        },
        "ctx"_a, "system_desc"_a, "mesh_shape"_a = std::vector<int64_t>{},
        "The device made of the system's first chips, laid out as the mesh.");
    c.def_static(
        "get", get, "ctx"_a, "grid_shape"_a, "worker_grid_mapping"_a,
        "l1_map"_a = nb::none(), "dram_map"_a = nb::none(),
        "mesh_shape"_a = std::vector<int64_t>{},
        "chip_ids"_a = std::vector<unsigned>{0},
        "A device from its parts; the maps to memory are computed from "
        "the grid if they are not given.");
    c.def_static(
        "unwrap",
        [](MlirAttribute attr) -> Attr {
          return expect(attr, ttmlirAttributeIsATTDevice, "#tt.device");
        },
        "attr"_a, "`attr` as DeviceAttr; ValueError if it is none.");
    c.def_prop_ro("worker_grid", [](MlirAttribute self) -> Attr {
      return ttmlirTTDeviceAttrGetWorkerGrid(self);
    });
    c.def_prop_ro("l1_map", [](MlirAttribute self) {
      return ttmlirTTDeviceAttrGetL1Map(self);
    });
    c.def_prop_ro("dram_map", [](MlirAttribute self) {
      return ttmlirTTDeviceAttrGetDramMap(self);
    });
    c.def_prop_ro("mesh_shape", [](MlirAttribute self) {
      return read(self, ttmlirTTDeviceAttrGetMeshShape);
    });
    c.def_prop_ro("chip_ids", [](MlirAttribute self) {
      return read(self, ttmlirTTDeviceAttrGetChipIds);
    });
  }
};

} // namespace

void ttmlir::bindings::populateSystemAttributes(nb::module_ &m) {
  CoreCoordAttr::bind(m);
  TileSizeAttr::bind(m);
  ChipCoordAttr::bind(m);
  ChipPhysicalCoresAttr::bind(m);
  ChipDescAttr::bind(m);
  ChipChannelAttr::bind(m);
  SystemDescAttr::bind(m);
  DeviceAttr::bind(m);
}
