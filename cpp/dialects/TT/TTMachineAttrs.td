//===- Attributes of the 'tt' dialect that describe the machine --------------===//

#ifndef TTMLIR_TT_MACHINE_ATTRS_TD
#define TTMLIR_TT_MACHINE_ATTRS_TD

include "dialects/TT/TTAttrs.td"

def TT_CoreCoordAttr : TT_Attr<"CoreCoord", "core_coord"> {
  let summary = "A physical core of a chip.";
  let description = [{
    Row `y` and column `x` of a core on its chip, printed as `YxX`;
    `#tt.core_coord<0, 1>` is read as well.

    Example:

    ```mlir
    #tt<core_coord 0x1>
    ```
  }];
  let parameters = (ins "int64_t":$y, "int64_t":$x);
  let assemblyFormat = "custom<Pair>($y, $x)";
}

def TT_TileSizeAttr : TT_Attr<"TileSize", "tile_size"> {
  let summary = "A tile shape that a chip supports.";
  let description = [{
    Rows `y` and columns `x` of a tile, printed as `YxX`; `#tt.tile_size<32, 32>`
    is read as well.

    Constraint (C1): both are positive.

    Example:

    ```mlir
    #tt<tile_size 32x32>
    ```
  }];
  let parameters = (ins "int64_t":$y, "int64_t":$x);
  let assemblyFormat = "custom<Pair>($y, $x)";
  let genVerifyDecl = 1;
}

def TT_ChipCoordAttr : TT_Attr<"ChipCoord", "chip_coord"> {
  let summary = "The position of a chip in the system.";
  let description = [{
    Rack, shelf, row and column of a chip, printed as `RACKxSHELFxYxX`;
    `#tt.chip_coord<0, 0, 0, 1>` is read as well.

    Example:

    ```mlir
    #tt<chip_coord 0x0x0x1>
    ```
  }];
  let parameters = (ins "unsigned":$rack, "unsigned":$shelf, "unsigned":$y,
                        "unsigned":$x);
  let assemblyFormat = "custom<Quad>($rack, $shelf, $y, $x)";
}

def TT_ChipPhysicalCoresAttr
    : TT_Attr<"ChipPhysicalCores", "chip_physical_cores"> {
  let summary = "The physical cores of a chip, by kind.";
  let description = [{
    Physical coordinates in the order of the logical cores: workers row-major
    over the grid, DRAM cores by channel, and Ethernet cores with and without a
    link (not printed when there are none).

    Example:

    ```mlir
    #tt<chip_physical_cores{worker = [ 0x0,  0x1] dram = [ 8x0]}>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"CoreCoordAttr">:$worker,
    ArrayRefParameter<"CoreCoordAttr">:$dram,
    OptionalArrayRefParameter<"CoreCoordAttr">:$eth,
    OptionalArrayRefParameter<"CoreCoordAttr">:$eth_inactive);
  let assemblyFormat = [{
    `{` `worker` `=` `[` $worker `]` `dram` `=` `[` $dram `]`
    (`eth` `=` `[` $eth^ `]`)? (`eth_inactive` `=` `[` $eth_inactive^ `]`)? `}`
  }];
}

def TT_ChipDescAttr : TT_Attr<"ChipDesc", "chip_desc"> {
  let summary = "The description of one chip.";
  let description = [{
    - `arch`: generation.
    - `grid`: rows and columns of worker cores.
    - `l1Size`, `dramChannelSize`: bytes of the L1 of a core and of a DRAM
      channel; `numDramChannels`: their number.
    - `nocL1AddressAlignBytes`, `nocDRAMAddressAlignBytes`,
      `pcieAddressAlignBytes`: alignment of transfers to L1, DRAM and host.
    - `l1UnreservedBase`, `eriscL1UnreservedBase`: first byte of L1 available to
      programs, on worker and Ethernet cores; `dramUnreservedBase`,
      `dramUnreservedEnd`: first byte and end of the available part of a DRAM
      channel.
    - `chipPhysicalCores`, `supportedDataTypes`, `supportedTileSizes`.

    Constraints:
    - (C1) the grid has two positive dimensions.
    - (C2) there are as many physical workers as grid points.
    - (C3) alignments are powers of two.
    - (C4) `l1UnreservedBase` <= `l1Size`; `dramUnreservedBase` <=
      `dramUnreservedEnd` <= `dramChannelSize`.

    Example: a chip of two cores.

    ```mlir
    #tt<chip_desc {arch = <wormhole_b0>, grid = 1x2, l1_size = 1499136, num_dram_channels = 1, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, physical_cores = {worker = [ 0x0,  0x1] dram = [ 8x0]}, supported_data_types = [<f32>, <bf16>], supported_tile_sizes = [ 32x32]}>
    ```
  }];
  let parameters = (ins
    "ArchAttr":$arch,
    ArrayRefParameter<"int64_t">:$grid,
    "unsigned":$l1Size,
    "unsigned":$numDramChannels,
    "unsigned":$dramChannelSize,
    "unsigned":$nocL1AddressAlignBytes,
    "unsigned":$pcieAddressAlignBytes,
    "unsigned":$nocDRAMAddressAlignBytes,
    "unsigned":$l1UnreservedBase,
    "unsigned":$eriscL1UnreservedBase,
    "unsigned":$dramUnreservedBase,
    "unsigned":$dramUnreservedEnd,
    TT_ChipPhysicalCoresAttr:$chipPhysicalCores,
    ArrayRefParameter<"DataTypeAttr">:$supportedDataTypes,
    ArrayRefParameter<"TileSizeAttr">:$supportedTileSizes);
  let assemblyFormat = [{
    `{` `arch` `=` $arch `,`
        `grid` `=` custom<Extents>($grid) `,`
        `l1_size` `=` $l1Size `,`
        `num_dram_channels` `=` $numDramChannels `,`
        `dram_channel_size` `=` $dramChannelSize `,`
        `noc_l1_address_align_bytes` `=` $nocL1AddressAlignBytes `,`
        `pcie_address_align_bytes` `=` $pcieAddressAlignBytes `,`
        `noc_dram_address_align_bytes` `=` $nocDRAMAddressAlignBytes `,`
        `l1_unreserved_base` `=` $l1UnreservedBase `,`
        `erisc_l1_unreserved_base` `=` $eriscL1UnreservedBase `,`
        `dram_unreserved_base` `=` $dramUnreservedBase `,`
        `dram_unreserved_end` `=` $dramUnreservedEnd `,`
        `physical_cores` `=` $chipPhysicalCores `,`
        `supported_data_types` `=` `[` $supportedDataTypes `]` `,`
        `supported_tile_sizes` `=` `[` $supportedTileSizes `]` `}`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Bytes of L1 that programs may use.
    unsigned getUsableL1Size() const {
      return getL1Size() - getL1UnreservedBase();
    }
    /// Bytes of a DRAM channel that programs may use.
    unsigned getUsableDramChannelSize() const {
      return getDramUnreservedEnd() - getDramUnreservedBase();
    }

    /// The chip of that generation in the named systems, with `grid` of its
    /// cores. Null and an error if it has less.
    static ChipDescAttr getOfArch(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        ArchAttr arch, GridAttr grid);
  }];
}

def TT_ChipChannelAttr : TT_Attr<"ChipChannel", "chip_channel"> {
  let summary = "An Ethernet link between two chips.";
  let description = [{
    The two ends of a link: index of the chip in the system, and row and column
    of its logical Ethernet core.

    Constraint (C1): both core coordinates have two entries.

    Example:

    ```mlir
    #tt.chip_channel<[0, 8, 0], [1, 0, 0]>
    ```
  }];
  let parameters = (ins
    "unsigned":$deviceId0, ArrayRefParameter<"int64_t">:$ethernetCoreCoord0,
    "unsigned":$deviceId1, ArrayRefParameter<"int64_t">:$ethernetCoreCoord1);
  let assemblyFormat = [{
    `<` `[` $deviceId0 `,` $ethernetCoreCoord0 `]` `,`
        `[` $deviceId1 `,` $ethernetCoreCoord1 `]` `>`
  }];
  let genVerifyDecl = 1;
}

def TT_SystemDescAttr : TT_Attr<"SystemDesc", "system_desc"> {
  let summary = "The system: its chips and their links.";
  let description = [{
    The system that a program is compiled for. Chips of one kind share a
    description: chip `i` is `chipDescs[chipDescIndices[i]]` with the capability
    bits `chipCapabilities[i]` (1: `pcie`, 2: `host_mmio`) at the position
    `chipCoords[i]`. `chipChannels` are the Ethernet links.

    The module carries it as `tt.system_desc`.

    The parser accepts `<ARCH, GRID>` for a chip description, which means the
    chip of that generation in the named systems (n150, p150, e150) with that
    grid of cores, and names of capability bits, `<pcie|host_mmio>`. The printer
    writes the whole description.

    Constraints:
    - (C1) there is at least one chip.
    - (C2) every index names a chip description.
    - (C3) there are as many capabilities and coordinates as chips.
    - (C4) every channel names chips of the system.

    Example (two chips of one kind; `#chip` stands for its description):

    ```mlir
    #tt.system_desc<[#chip], [0, 0], [3 : i32, 0 : i32], [ 0x0x0x0,  0x0x0x1],
                    [<[0, 8, 0], [1, 0, 0]>]>
    ```

    One n150, in short form:

    ```mlir
    #tt.system_desc<[<#tt.arch<wormhole_b0>, #tt.grid<8x8>>], [0],
                    [<pcie|host_mmio>], [<0, 0, 0, 0>]>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"ChipDescAttr">:$chipDescs,
    ArrayRefParameter<"unsigned">:$chipDescIndices,
    ArrayRefParameter<"ChipCapabilityAttr">:$chipCapabilities,
    ArrayRefParameter<"ChipCoordAttr">:$chipCoords,
    OptionalArrayRefParameter<"ChipChannelAttr">:$chipChannels);
  let assemblyFormat = [{
    `<` `[` custom<Chips>($chipDescs) `]` `,` `[` $chipDescIndices `]` `,`
        `[` custom<Capabilities>($chipCapabilities) `]` `,` `[` $chipCoords `]`
        (`,` `[` $chipChannels^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The system that programs are compiled against by default: one n150.
    static SystemDescAttr getDefault(::mlir::MLIRContext *context);
    /// A named system (`n150`, `n300`, `t3000`, `p150`, `e150`); null if the
    /// name is unknown.
    static SystemDescAttr getNamed(::mlir::MLIRContext *context,
                                   ::llvm::StringRef name);
    /// All names that getNamed knows.
    static ::llvm::ArrayRef<::llvm::StringRef> getNames();

    unsigned getNumChips() const { return getChipDescIndices().size(); }
    /// Description of chip number `chipIndex` of the system.
    ChipDescAttr getChipDesc(unsigned chipIndex = 0) const {
      return getChipDescs()[getChipDescIndices()[chipIndex]];
    }
    /// Largest alignment in bytes that any transfer of chip 0 needs.
    unsigned getAddressAlignBytes() const;
    /// Alignment in bytes of addresses in `memorySpace`; 1 for host memory.
    unsigned getAddressAlignBytes(MemorySpace memorySpace) const;
  }];
}

def TT_DeviceAttr : TT_Attr<"Device", "device"> {
  let summary = "A view of the system as one grid of cores.";
  let description = [{
    - `workerGrid`: the logical grid, with the map from a grid point to (chip,
      core row, core column).
    - `l1Map`, `dramMap`: from a point of a tensor's physical space, with the
      extents of its shard as symbols, to (chip, core row or 0, core column or
      DRAM channel, offset in elements).
    - `meshShape`: the arrangement of the chips; its dimensions are those of the
      logical grid. A mesh of 1x2 puts two chips side by side; empty for one
      chip.
    - `chipIds`: the chips of the system, row-major over the mesh.

    The module carries it as `tt.device`.

    The parser also accepts it without `l1Map` and `dramMap`. They then default
    to the compiler's maps for the grid: shards follow each other in the order
    of the chip's cores, over the DRAM channels of a chip of the default system
    (12 on an n150). The printer writes them.

    Constraints:
    - (C1) there is at least one chip.
    - (C2) there are as many chip ids as the mesh has points, and none twice.
    - (C3) all grid dimensions are positive.
    - (C4) the map of the grid has 3 results, `l1Map` and `dramMap` have 4; the
      dimensions of all maps are those of the grid.
    - (C5) the grid of several chips has the dimensions of the mesh (at least
      two), and its points are on the chips of the mesh.
    - (C6) on a module with `tt.system_desc`: the system has the chips, every
      point of the grid is on a core of its own, and `dramMap` names no more
      DRAM channels than the chips have.

    Example: two 8x8 chips side by side.

    ```mlir
    #tt.device<
      workerGrid = #tt.grid<8x16, (d0, d1) -> ((d0 floordiv 8) * 2 + d1 floordiv 8, d0, d1 mod 8)>,
      l1Map = (d0, d1)[s0, s1] -> ((d1 floordiv s1) floordiv 8, d0 floordiv s0, (d1 floordiv s1) mod 8, (d0 mod s0) * s1 + d1 mod s1),
      dramMap = (d0, d1)[s0, s1] -> ((d1 floordiv s1) floordiv 8, 0, (d0 floordiv s0) mod 12, (d0 mod s0) * s1 + d1 mod s1),
      meshShape = 1x2, chipIds = [0, 1]>
    ```

    The cores of one chip as a single row, in short form:

    ```mlir
    #tt.device<
      workerGrid = #tt.grid<1x64, (d0, d1) -> (0, d0 * 8 + d1 floordiv 8, d1 mod 8)>,
      meshShape = 1, chipIds = [0]>
    ```
  }];
  let parameters = (ins
    TT_GridAttr:$workerGrid,
    "::mlir::AffineMap":$l1Map,
    "::mlir::AffineMap":$dramMap,
    ArrayRefParameter<"int64_t">:$meshShape,
    ArrayRefParameter<"unsigned">:$chipIds);
  let assemblyFormat = [{
    `<` `workerGrid` `=` qualified($workerGrid) `,`
        custom<MemoryMaps>(ref($workerGrid), $l1Map, $dramMap)
        `meshShape` `=` custom<Mesh>($meshShape, $chipIds) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The device made of chips `chipIds` of the system, laid out as
    /// `meshShape`. The arguments must fit together; use getChecked for
    /// arguments that come from outside.
    static DeviceAttr get(SystemDescAttr systemDesc,
                          ::llvm::ArrayRef<int64_t> meshShape,
                          ::llvm::ArrayRef<unsigned> chipIds);
    /// The same with the chips that getMeshPlacement chooses.
    static DeviceAttr get(SystemDescAttr systemDesc,
                          ::llvm::ArrayRef<int64_t> meshShape = {});
    /// Null and an error if the arguments do not fit together.
    static DeviceAttr getChecked(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        SystemDescAttr systemDesc, ::llvm::ArrayRef<int64_t> meshShape,
        std::optional<::llvm::ArrayRef<unsigned>> chipIds = std::nullopt);

    /// l1Map and dramMap that the compiler makes for a grid on chips with the
    /// DRAM channels of the default system; without a map to cores, the empty
    /// map.
    static ::mlir::AffineMap getDefaultL1Map(GridAttr workerGrid);
    static ::mlir::AffineMap getDefaultDramMap(GridAttr workerGrid);

    /// Checks that the chips of the device, with the DRAM channels that it
    /// names, exist in the system.
    ::llvm::LogicalResult verifyInSystem(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        SystemDescAttr systemDesc);

    /// Rank and extents of the logical grid.
    unsigned getRank() const { return getWorkerGrid().getRank(); }

    /// l1Map or dramMap; the empty map for host memory, which has none.
    ::mlir::AffineMap getMapForMemorySpace(MemorySpace memorySpace) const;

    /// Bytes that the tensor takes in one core's L1 or in one DRAM channel (the
    /// fullest), in bytes of the whole tensor for host memory.
    uint64_t getLayoutSizeBytes(::llvm::ArrayRef<int64_t> tensorShape,
                                LayoutAttr layout,
                                MemorySpace memorySpace) const;
    /// The same for a tensor type with a layout, in the layout's own space.
    uint64_t getTensorSizeBytes(::mlir::RankedTensorType type) const;
    uint64_t getTensorSizeBytes(::mlir::RankedTensorType type,
                                MemorySpace memorySpace) const;
  }];
}

#endif
