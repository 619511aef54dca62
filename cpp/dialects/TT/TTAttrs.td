//===- Attributes of the 'tt' dialect ----------------------------------------===//

#ifndef TTMLIR_TT_ATTRS_TD
#define TTMLIR_TT_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/TensorEncoding.td"
include "dialects/TT/TTEnums.td"

class TT_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TT_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class TT_EnumAttr<EnumInfo info, string attrMnemonic>
    : EnumAttr<TT_Dialect, info, attrMnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

//===----------------------------------------------------------------------===//
// Enumerations as attributes
//===----------------------------------------------------------------------===//

def TT_DataTypeAttr : TT_EnumAttr<TT_DataType, "supportedDataTypes"> {
  let summary = "Number format of elements.";
  let description = [{
    The number format of the elements of a tensor in a memory of the machine.

    - `f32`, `f16`, `bf16`: IEEE single and half precision, bfloat16.
    - `bfp_f8`, `bfp_f4`, `bfp_f2`: block floating point; 16 consecutive elements
      of a face row share a 5-bit exponent and keep a sign and 7, 3 or 1
      mantissa bits each.
    - `bfp_bf8`, `bfp_bf4`, `bfp_bf2`: the same with an 8-bit shared exponent.
    - `u32`, `u16`, `u8`: integers of that width.
    - `si32`: signed integers of 32 bits, the element type `si32`.

    The keyword of the attribute is `supportedDataTypes`.

    Example:

    ```mlir
    #tt.supportedDataTypes<bf16>
    ```
  }];
}

def TT_ArchAttr : TT_EnumAttr<TT_Arch, "arch"> {
  let summary = "Generation of a chip.";
  let description = [{
    The generation of a chip: `grayskull`, `wormhole_b0` or `blackhole`.

    Example:

    ```mlir
    #tt.arch<wormhole_b0>
    ```
  }];
}

def TT_MemorySpaceAttr : TT_EnumAttr<TT_MemorySpace, "memory_space"> {
  let summary = "The memory that a tensor lies in.";
  let description = [{
    A tensor lies in exactly one memory:

    - `system`: host memory that the device cannot see.
    - `mmio`: host memory that the device can see.
    - `dram`: the DRAM of the device.
    - `l1`: the SRAM of the cores.

    Example:

    ```mlir
    memref<64x128xf32, #tt.memory_space<l1>>
    ```
  }];
}

def TT_TensorMemoryLayoutAttr
    : TT_EnumAttr<TT_TensorMemoryLayout, "tensor_memory_layout"> {
  let summary = "How pages or shards of a tensor are spread over banks.";
  let description = [{
    - `none`: not decided, or host memory.
    - `interleaved`: pages round robin over all banks.
    - `single_bank`: all pages in one bank.
    - `height_sharded`, `width_sharded`, `block_sharded`: every core holds the
      shard of some rows, of some columns, or a block of both.

    Example:

    ```mlir
    #tt.tensor_memory_layout<interleaved>
    ```
  }];
}

def TT_IteratorTypeAttr : TT_EnumAttr<TT_IteratorType, "iterator_type"> {
  let summary = "How a loop of a generic operation may run.";
  let description = [{
    - `parallel`: the iterations are independent and spread over the grid.
    - `systolic`: a reduction whose data passes from core to core.
    - `broadcast`: one core's data is sent to all.

    Example:

    ```mlir
    #tt.iterator_type<systolic>
    ```
  }];
}

def TT_IteratorTypeArrayAttr
    : TypedArrayAttrBase<TT_IteratorTypeAttr, "an array of iterator types">;

def TT_OOBValAttr : TT_EnumAttr<TT_OOBVal, "oob_val"> {
  let summary = "What the padding of a tensor holds.";
  let description = [{
    The value of every element outside the logical tensor that exists because a
    shard or a tile is larger than what is left of the tensor: `undef`, `zero`,
    `one`, `inf` or `neginf`.

    Example:

    ```mlir
    #tt.oob_val<zero>
    ```
  }];
}

def TT_ReduceTypeAttr : TT_EnumAttr<TT_ReduceType, "reduce_type"> {
  let summary = "How a collective combines the tensors of the chips.";
  let description = [{
    Element by element: `sum`, `mean`, `max` or `min`. `std` and `var` (standard
    deviation and variance) are names that no collective supports.

    Example:

    ```mlir
    #tt.reduce_type<sum>
    ```
  }];
}

def TT_MeshShardTypeAttr : TT_EnumAttr<TT_MeshShardType, "shard_type"> {
  let summary = "What the chips of a mesh have of a tensor.";
  let description = [{
    - `replicate`: every chip has all of it.
    - `devices`: every chip has a shard.
    - `maximal`: one chip has it; a name that `mesh_shard` does not support.

    Example:

    ```mlir
    #tt.shard_type<devices>
    ```
  }];
}

def TT_MeshShardDirectionAttr
    : TT_EnumAttr<TT_MeshShardDirection, "shard_direction"> {
  let summary = "Whether a tensor is cut into shards or made of them.";
  let description = [{
    - `full_to_shard`: from the tensor of the host to one tensor for each chip.
    - `shard_to_full`: the other way.

    Example:

    ```mlir
    #tt.shard_direction<full_to_shard>
    ```
  }];
}

def TT_TopologyAttr : TT_EnumAttr<TT_Topology, "topology"> {
  let summary = "How the chips of a group are linked.";
  let description = [{
    - `ring`: every chip has two neighbours; the last is linked to the first.
    - `linear`: the first and the last chip have one neighbour.

    Example:

    ```mlir
    #tt.topology<ring>
    ```
  }];
}

def TT_OperandConstraintAttr
    : TT_EnumAttr<TT_OperandConstraint, "operand_constraint"> {
  let summary = "Where and in which form an operand of an operation may lie.";
  let description = [{
    A set of allowed memory spaces (`system`, `dram`, `l1`), of allowed element
    forms (`scalar`, `tile`) and of allowed memory layouts (`none`,
    `interleaved`, `single_bank`, `height_sharded`, `width_sharded`,
    `block_sharded`). Groups name usual sets: `any_layout`, `any`,
    `any_device`, `any_device_tile`, `l1_block_sharded`.

    Reading unites all listed names. Printing lists every name, groups too, that
    is contained in the value.

    Example:

    ```mlir
    #tt.operand_constraint<dram|l1|tile|any_layout>
    ```
  }];
}

def TT_OperandConstraintArrayAttr
    : TypedArrayAttrBase<TT_OperandConstraintAttr,
                         "an array of operand constraints">;

def TT_BufferAccessAttr
    : EnumAttr<TT_Dialect, TT_BufferAccess, "buffer_access"> {
  let summary = "How data is reached through a buffer.";
  let description = [{
    - `alias`: the buffer is the tensor's own allocation; no data moves.
    - `stream`: the buffer receives remote data.

    Example:

    ```mlir
    #tt<buffer_access alias>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Grids, tensors and buffers
//===----------------------------------------------------------------------===//

def TT_GridAttr : TT_Attr<"Grid", "grid"> {
  let summary = "A logical grid of cores.";
  let description = [{
    `shape` is the extent of the grid in every dimension, of any rank. `mapping`
    takes a grid point to (chip, core row, core column) of the physical machine;
    it is absent (the empty map) in layouts, which name no machine.

    Constraints:
    - (C1) the shape has at least one dimension and all are positive.
    - (C2) a mapping has as many dimensions as the grid and divides by positive
      constants only.

    Example:

    ```mlir
    #tt.grid<8x8, (d0, d1) -> (0, d0, d1)>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape,
    DefaultValuedParameter<"::mlir::AffineMap",
                           "::mlir::AffineMap::get($_ctxt)">:$mapping);
  let assemblyFormat = "`<` custom<Extents>($shape) (`,` $mapping^)? `>`";
  let genVerifyDecl = 1;
  let builders = [
    AttrBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape), [{
      return $_get($_ctxt, shape, ::mlir::AffineMap::get($_ctxt));
    }]>,
    AttrBuilder<(ins "unsigned":$rank), [{
      return $_get($_ctxt, ::llvm::SmallVector<int64_t>(rank, 1),
                   ::mlir::AffineMap::get($_ctxt));
    }]>
  ];
  let extraClassDeclaration = [{
    unsigned getRank() const { return getShape().size(); }
    /// Number of grid points.
    int64_t getVolume() const;
  }];
}

// `none` is the default and is not printed.
def TT_MemLayoutParameter : EnumParameter<TT_TensorMemoryLayout> {
  let defaultValue = "::mlir::tt::TensorMemoryLayout::None";
}

def TT_LayoutAttr
    : TT_Attr<"Layout", "layout",
              [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "Tensor layout: the encoding of a tensor type.";
  let description = [{
    Captures how tensor data is divided over a grid of cores and laid out in
    memory, while the tensor keeps its logical shape.

    - `linear` takes a logical index to a point of the physical space, whose rank
      is the grid's. By default all dimensions but the last are collapsed.
    - `oob_val` is what the padding holds.
    - `grid` divides every physical dimension, rounding up, into shards.
    - `memref` is the shard of one grid point: shape (in tiles if the element
      type is a tile; tiles divide the shard, rounding up), element type and
      memory space.
    - `mem_layout` is how the shards lie in the banks; `none` is not printed.

    Constraints:
    - (C1) `linear` has no symbols, one result a grid dimension, and divides by
      positive constants only.
    - (C2) `memref` has the grid's rank, static shape, the identity map, a
      `#tt.memory_space`, and tiles or elements that the machine has: f32, f16,
      bf16 and integers of 32, 16 or 8 bits.
    - (C3) a tiled `memref` has rank >= 2.
    - (C4) as an encoding: the tensor has the rank that is the number of
      dimensions of `linear`, static, positive extents, and elements as in (C2).
    - (C5) as an encoding: the tensor has at most 2^40 elements, its physical
      space at most 2^56.
    - (C6) as an encoding: the shards of the grid hold every element of the
      tensor.

    Example: two cores hold 150 columns each.

    ```mlir
    tensor<8x300xf32,
      #tt.layout<(d0, d1) -> (d0, d1), undef, <1x2>,
                 memref<8x150xf32, #tt.memory_space<l1>>>>
    ```

    Three dimensions on two cores, which hold half of the rows each:

    ```mlir
    tensor<8x96x32xf32,
      #tt.layout<(d0, d1, d2) -> (d0 * 96 + d1, d2), undef, <2x1>,
                 memref<384x32xf32, #tt.memory_space<l1>>>>
    ```

    A tensor in tiles of block floats, one on each of six cores, the outer ones
    padded:

    ```mlir
    tensor<53x63xf32,
      #tt.layout<(d0, d1) -> (d0, d1), undef, <3x2>,
                 memref<1x1x!tt.tile<32x32, bfp_bf8>, #tt.memory_space<l1>>>>
    ```
  }];
  let parameters = (ins
    AttrParameter<"::mlir::AffineMap", "maps logical to physical indices">:$linear,
    EnumParameter<TT_OOBVal>:$oob_val,
    TT_GridAttr:$grid,
    AttrParameter<"::mlir::MemRefType", "the shard of one grid point">:$memref,
    TT_MemLayoutParameter:$mem_layout);
  let assemblyFormat =
    "`<` $linear `,` $oob_val `,` $grid `,` $memref (`,` $mem_layout^)? `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    using CollapseIntervals =
        ::llvm::ArrayRef<std::pair<std::int64_t, std::int64_t>>;

    /// The layout of a tensor of `tensorShape` on `grid`. Every interval
    /// [begin, end) of logical dimensions (negative: from the end) is collapsed
    /// into one physical dimension. Without a grid: ones, one for every tensor
    /// dimension. The arguments must fit together; use getChecked for
    /// arguments that come from outside.
    static LayoutAttr get(
        ::mlir::MLIRContext *context, ::llvm::ArrayRef<int64_t> tensorShape,
        ::mlir::Type elementType, MemorySpace memorySpace = MemorySpace::System,
        GridAttr grid = {}, CollapseIntervals collapseIntervals = {{0, -1}},
        OOBVal oobVal = OOBVal::Undef,
        TensorMemoryLayout memLayout = TensorMemoryLayout::None);

    /// The same for a tensor type; its encoding is not looked at.
    static LayoutAttr get(
        ::mlir::RankedTensorType type,
        MemorySpace memorySpace = MemorySpace::System, GridAttr grid = {},
        CollapseIntervals collapseIntervals = {{0, -1}},
        OOBVal oobVal = OOBVal::Undef,
        TensorMemoryLayout memLayout = TensorMemoryLayout::None);

    /// The default collapse with another element type than the tensor's.
    static LayoutAttr get(::mlir::RankedTensorType type,
                          MemorySpace memorySpace, GridAttr grid,
                          ::mlir::Type elementType,
                          TensorMemoryLayout memLayout);

    /// Null and an error if the arguments do not fit together.
    static LayoutAttr getChecked(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
        ::mlir::MLIRContext *context, ::llvm::ArrayRef<int64_t> tensorShape,
        ::mlir::Type elementType, MemorySpace memorySpace, GridAttr grid,
        CollapseIntervals collapseIntervals, OOBVal oobVal,
        TensorMemoryLayout memLayout);

    /// Rebuilt for another grid, linear map included.
    LayoutAttr withGrid(::llvm::ArrayRef<int64_t> tensorShape, GridAttr grid,
                        CollapseIntervals collapseIntervals = {{0, -1}});
    LayoutAttr withGrid(::mlir::RankedTensorType type, GridAttr grid,
                        CollapseIntervals collapseIntervals = {{0, -1}});
    /// The same distribution with another element type: tiles the shard or
    /// turns tiles into scalars. A shard that was padded to tiles stays padded.
    LayoutAttr withElementType(::mlir::Type elementType);
    LayoutAttr withMemorySpace(MemorySpace memorySpace);
    LayoutAttr withMemoryLayout(TensorMemoryLayout memLayout);

    MemorySpace getMemorySpace() const;
    bool isSystemMemorySpace() const {
      return getMemorySpace() == MemorySpace::System ||
             getMemorySpace() == MemorySpace::SystemMMIO;
    }
    bool isDeviceMemorySpace() const { return !isSystemMemorySpace(); }

    /// Element type of the shard: a scalar or a tile.
    ::mlir::Type getElementType() const;
    /// Element type of the shard, the elements of a tile if it is one.
    ::mlir::Type getScalarElementType() const;
    bool isTiled() const;
    /// Bytes of an element, or of a tile without the exponents of block
    /// formats.
    uint64_t getElementSizeBytes() const;
    /// Bytes that an element or tile occupies in memory.
    uint64_t getElementStorageSizeBytes() const;

    /// Extents of the shard in scalars, or in tiles when `convertTileToScalar`
    /// is false and the layout is tiled.
    ::llvm::SmallVector<int64_t>
    getShardShape(bool convertTileToScalar = true) const;
    /// Extents in scalars of the physical space that a tensor of `logicalShape`
    /// takes, padding of the last shards not counted.
    ::llvm::SmallVector<int64_t>
    getPhysicalShape(::llvm::ArrayRef<int64_t> logicalShape) const;
    /// Distance in scalars, in the row-major physical space, between neighbours
    /// along every logical dimension.
    ::llvm::SmallVector<int64_t>
    getStride(::llvm::ArrayRef<int64_t> logicalShape) const;
    /// Extents in tiles of the physical space; the layout must be tiled.
    ::llvm::SmallVector<int64_t>
    getTiledShape(::llvm::ArrayRef<int64_t> tensorShape) const;
    /// The identity of the grid's rank: the linear map of the tiled space.
    ::mlir::AffineMap getIdentityTileLinearMap() const;
    /// `physicalMemoryMap` with the shard's extents for its symbols.
    ::mlir::AffineMap replaceMemoryMapSymbolsWithShardShape(
        ::mlir::AffineMap physicalMemoryMap) const;
    /// From indices of `linearMap` to memory: chip, y, x, offset.
    ::mlir::AffineMap projectOnto(::mlir::AffineMap linearMap,
                                  ::mlir::AffineMap physicalMemoryMap) const;
  }];
}

def TT_BufferAttr : TT_Attr<"Buffer", "buffer"> {
  let summary = "A buffer in L1.";
  let description = [{
    The footprint of a buffer in L1 and how data is reached through it: `alias`
    is the allocation of a tensor itself, `stream` a temporary that receives
    remote data from DRAM or another core. The rank of `memref` is that of the
    device's grid.

    Example:

    ```mlir
    #tt.buffer<memref<2x4x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, alias>
    ```
  }];
  let parameters = (ins
    AttrParameter<"::mlir::MemRefType", "footprint of the buffer">:$memref,
    EnumParameter<TT_BufferAccess>:$buffer_access);
  let assemblyFormat = "`<` $memref `,` $buffer_access `>`";
  let extraClassDeclaration = [{
    ::llvm::SmallVector<int64_t> getShape() const;
  }];
}

def TT_ArgumentAllocationAttr
    : TT_Attr<"ArgumentAllocation", "arg_alloc"> {
  let summary = "Where an argument of a function is allocated.";
  let description = [{
    `address` and `size` in bytes in `memorySpace`. A function carries an array
    of them, one for each argument, as `tt.arg_alloc`.

    Example:

    ```mlir
    #tt.arg_alloc<1024, 32768, l1>
    ```
  }];
  let parameters = (ins "uint64_t":$address, "uint64_t":$size,
                        EnumParameter<TT_MemorySpace>:$memorySpace);
  let assemblyFormat = "`<` $address `,` $size `,` $memorySpace `>`";
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

def TT_CoreCoordAttr : TT_Attr<"CoreCoord", "core_coord"> {
  let summary = "A physical core of a chip.";
  let description = [{
    Row `y` and column `x` of a core on its chip, printed as `YxX`.

    Example:

    ```mlir
    #tt<core_coord 0x1>
    ```
  }];
  let parameters = (ins "int64_t":$y, "int64_t":$x);
  let assemblyFormat = "custom<Pair>($y, $x)";
}

def TT_TileSizeAttr : TT_Attr<"TileSize", "tile_size"> {
  let summary = "A shape of tiles that a chip supports.";
  let description = [{
    Rows `y` and columns `x` of a tile, printed as `YxX`.

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
  let summary = "The place of a chip in the system.";
  let description = [{
    Rack, shelf, row and column of a chip, printed as `RACKxSHELFxYxX`.

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
  let summary = "What one chip consists of.";
  let description = [{
    - `arch`: generation.
    - `grid`: rows and columns of worker cores.
    - `l1Size`, `dramChannelSize`: bytes of the L1 of a core and of a DRAM
      channel; `numDramChannels`: their number.
    - `nocL1AddressAlignBytes`, `nocDRAMAddressAlignBytes`,
      `pcieAddressAlignBytes`: alignment of transfers to L1, DRAM and host.
    - `l1UnreservedBase`, `eriscL1UnreservedBase`: first byte of L1 that programs
      may use, on worker and Ethernet cores; `dramUnreservedBase`,
      `dramUnreservedEnd`: first byte and end of what they may use in a DRAM
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
  let summary = "The machine: its chips and how they are linked.";
  let description = [{
    Everything a program is compiled against. Chips of one kind share a
    description: chip `i` is `chipDescs[chipDescIndices[i]]` with the capability
    bits `chipCapabilities[i]` (1: `pcie`, 2: `host_mmio`) at the place
    `chipCoords[i]`. `chipChannels` are the Ethernet links.

    The module carries it as `tt.system_desc`.

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
  }];
  let parameters = (ins
    ArrayRefParameter<"ChipDescAttr">:$chipDescs,
    ArrayRefParameter<"unsigned">:$chipDescIndices,
    ArrayRefParameter<"ChipCapabilityAttr">:$chipCapabilities,
    ArrayRefParameter<"ChipCoordAttr">:$chipCoords,
    OptionalArrayRefParameter<"ChipChannelAttr">:$chipChannels);
  let assemblyFormat = [{
    `<` `[` $chipDescs `]` `,` `[` $chipDescIndices `]` `,`
        `[` $chipCapabilities `]` `,` `[` $chipCoords `]`
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
    - `meshShape`: how the chips are laid out with respect to each other; its
      dimensions are those of the logical grid. A mesh of 1x2 puts two chips side
      by side; empty for one chip.
    - `chipIds`: the chips of the system, row-major over the mesh.

    The module carries it as `tt.device`.

    Constraints:
    - (C1) there is at least one chip.
    - (C2) there are as many chip ids as the mesh has points, and none twice.
    - (C3) all grid dimensions are positive.
    - (C4) the map of the grid has 3 results, `l1Map` and `dramMap` have 4; the
      dimensions of all maps are those of the grid.
    - (C5) the grid of several chips has the dimensions of the mesh (at least
      two), and its points are on the chips of the mesh.

    Example: two 8x8 chips side by side.

    ```mlir
    #tt.device<
      workerGrid = #tt.grid<8x16, (d0, d1) -> ((d0 floordiv 8) * 2 + d1 floordiv 8, d0, d1 mod 8)>,
      l1Map = (d0, d1)[s0, s1] -> ((d1 floordiv s1) floordiv 8, d0 floordiv s0, (d1 floordiv s1) mod 8, (d0 mod s0) * s1 + d1 mod s1),
      dramMap = (d0, d1)[s0, s1] -> ((d1 floordiv s1) floordiv 8, 0, (d0 floordiv s0) mod 12, (d0 mod s0) * s1 + d1 mod s1),
      meshShape = 1x2, chipIds = [0, 1]>
    ```
  }];
  let parameters = (ins
    TT_GridAttr:$workerGrid,
    "::mlir::AffineMap":$l1Map,
    "::mlir::AffineMap":$dramMap,
    ArrayRefParameter<"int64_t">:$meshShape,
    ArrayRefParameter<"unsigned">:$chipIds);
  let assemblyFormat = [{
    `<` `workerGrid` `=` qualified($workerGrid) `,` `l1Map` `=` $l1Map `,`
        `dramMap` `=` $dramMap `,` `meshShape` `=` custom<Extents>($meshShape)
        `,` `chipIds` `=` `[` $chipIds `]` `>`
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

    /// Checks that all chips of the device exist in the system.
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
