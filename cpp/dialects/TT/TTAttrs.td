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
    The number format of a tensor's elements in device memory.

    - `f32`, `f16`, `bf16`: IEEE single and half precision, bfloat16.
    - `bfp_f8`, `bfp_f4`, `bfp_f2`: block floating point; 16 consecutive
      elements of a face row share a 5-bit exponent and keep a sign and 7, 3 or
      1 mantissa bits each.
    - `bfp_bf8`, `bfp_bf4`, `bfp_bf2`: the same with an 8-bit shared exponent.
    - `u32`, `u16`, `u8`: integers of that width.
    - `si32`, `si16`, `si8`: signed integers of that width.

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
  let summary = "The memory of a tensor.";
  let description = [{
    A tensor is in exactly one memory:

    - `system`: host memory that the device cannot access.
    - `mmio`: host memory that the device can access.
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
  let summary = "Distribution of the pages or shards of a tensor over banks.";
  let description = [{
    - `none`: undecided, or host memory.
    - `interleaved`: pages go round-robin to all banks.
    - `single_bank`: all pages are in one bank.
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
  let summary = "The contents of a tensor's padding.";
  let description = [{
    The value of every element outside the logical tensor that exists because a
    shard or a tile is larger than the rest of the tensor: `undef`, `zero`,
    `one`, `inf` or `neginf`.

    Example:

    ```mlir
    #tt.oob_val<zero>
    ```
  }];
}

def TT_ReduceTypeAttr : TT_EnumAttr<TT_ReduceType, "reduce_type"> {
  let summary = "Reduction of elements.";
  let description = [{
    Collectives combine elementwise: `sum`, `mean`, `max` or `min`. Scatters
    support `sum`, `max`, `min`, `prod`, or `invalid` to keep only the update.
    `std` and `var` (standard deviation and variance) are accepted names, but no
    op supports them.

    Example:

    ```mlir
    #tt.reduce_type<sum>
    ```
  }];
}

def TT_MeshShardTypeAttr : TT_EnumAttr<TT_MeshShardType, "shard_type"> {
  let summary = "Distribution of a tensor over the chips of a mesh.";
  let description = [{
    - `replicate`: every chip has the whole tensor.
    - `devices`: every chip has a shard.
    - `maximal`: one chip has it; `mesh_shard` does not support this.

    Example:

    ```mlir
    #tt.shard_type<devices>
    ```
  }];
}

def TT_MeshShardDirectionAttr
    : TT_EnumAttr<TT_MeshShardDirection, "shard_direction"> {
  let summary = "Whether a tensor is split into shards or joined from them.";
  let description = [{
    - `full_to_shard`: from the host tensor to one tensor for each chip.
    - `shard_to_full`: the inverse.

    Example:

    ```mlir
    #tt.shard_direction<full_to_shard>
    ```
  }];
}

def TT_ArgumentTypeAttr : TT_EnumAttr<TT_ArgumentType, "argument_type"> {
  let summary = "The role of a function argument for callers.";
  let description = [{
    The attribute `tt.argument_type` of function arguments:

    - `input`: a different tensor in every call.
    - `parameter`: the same tensor in many calls, such as a weight.
    - `constant`: the same tensor in all calls.
    - `default`, or no attribute: the same as `input`.

    Code that depends only on parameters and constants runs once: see
    `ttir-const-eval`.

    Example:

    ```mlir
    #tt.argument_type<parameter>
    ```
  }];
}

def TT_TopologyAttr : TT_EnumAttr<TT_Topology, "topology"> {
  let summary = "Topology of the links of a group of chips.";
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
  let summary = "The layouts that an op accepts for an operand.";
  let description = [{
    A set of allowed memory spaces (`system`, `dram`, `l1`), of allowed element
    forms (`scalar`, `tile`) and of allowed memory layouts (`none`,
    `interleaved`, `single_bank`, `height_sharded`, `width_sharded`,
    `block_sharded`). Groups name common sets: `any_layout`, `any`,
    `any_device`, `any_device_tile`, `l1_block_sharded`.

    The parser takes the union of all listed names. The printer writes every
    name, including groups, that the value contains.

    Example:

    ```mlir
    #tt.operand_constraint<dram|l1|tile|any_layout>
    ```
  }];
}

def TT_OperandConstraintArrayAttr
    : TypedArrayAttrBase<TT_OperandConstraintAttr,
                         "an array of operand constraints">;

// No EnumAttr: Python bindings of those know no custom directives.
def TT_BufferAccessAttr : TT_Attr<"BufferAccess", "buffer_access"> {
  let summary = "Kind of access to data through a buffer.";
  let description = [{
    - `alias`: the buffer is the tensor's own allocation; no data moves.
    - `stream`: the buffer receives remote data.

    The parser also accepts `#tt.buffer_access<alias>`.

    Example:

    ```mlir
    #tt<buffer_access alias>
    ```
  }];
  let parameters = (ins EnumParameter<TT_BufferAccess>:$value);
  let assemblyFormat = "custom<Access>($value)";
}

//===----------------------------------------------------------------------===//
// Grids, tensors and buffers
//===----------------------------------------------------------------------===//

def TT_GridAttr : TT_Attr<"Grid", "grid"> {
  let summary = "A logical grid of cores.";
  let description = [{
    `shape` is the extent of the grid in each dimension, of any rank. `mapping`
    maps a grid point to (chip, core row, core column) of the physical system;
    it is absent (the empty map) in layouts, which do not refer to a system.

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
    Describes how tensor data is divided over a grid of cores and stored in
    memory, while the tensor keeps its logical shape.

    - `linear` maps a logical index to a point of the physical space, whose rank
      is the grid's. By default all dimensions but the last are collapsed.
    - `oob_val` is the contents of the padding.
    - `grid` divides every physical dimension, rounding up, into shards.
    - `memref` is the shard of one grid point: shape (in tiles if the element
      type is a tile; tiles divide the shard, rounding up), element type and
      memory space.
    - `mem_layout` is the arrangement of the shards in the banks; `none` is not
      printed.

    Constraints:
    - (C1) `linear` has no symbols, one result for each grid dimension, and
      divides by positive constants only.
    - (C2) `memref` has the grid's rank, static shape, the identity map, a
      `#tt.memory_space`, and tiles or elements that the device supports: f32,
      f16, bf16 and integers of 32, 16 or 8 bits.
    - (C3) a tiled `memref` has rank >= 2.
    - (C4) as an encoding: the rank of the tensor is the number of dimensions of
      `linear`; its extents are static and positive, its elements as in (C2).
    - (C5) as an encoding: the tensor has at most 2^40 elements, its physical
      space at most 2^56.
    - (C6) when a tensor is placed or written to a file: the shards of the grid
      hold all of its elements.

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

    A tensor in tiles of block floats, one on each of six cores, with padding in
    the outer ones:

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
    The footprint of a buffer in L1 and how data is accessed through it: `alias`
    is the allocation of the tensor itself, `stream` a temporary that receives
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
  let summary = "The allocation of a function argument.";
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

#endif
