//===- The 'ttkernel' dialect, its attributes and types -------------------===//

#ifndef TTMLIR_TTKERNEL_BASE_TD
#define TTMLIR_TTKERNEL_BASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "dialects/TT/TTTypes.td"
include "dialects/TTKernel/TTKernelEnums.td"
include "dialects/TTKernel/TTKernelInterfaces.td"

def TTKernel_Dialect : Dialect {
  let name = "ttkernel";
  let summary = "The calls of kernels on a core.";
  let description = [{
    A kernel is the program of one thread of a core: a data movement thread,
    which reads and writes over the network on chip, or the compute threads,
    which work on tiles in registers. Kernels pass pages of tiles to each other
    through circular buffers in the core's memory.

    The ops are the body of a region of `ttmetal.dispatch`, or of a function of
    a module that holds kernels.
  }];
  let cppNamespace = "::mlir::tt::ttkernel";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::memref::MemRefDialect",
    "::mlir::tt::TTDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
    void registerOps();
  }];
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def TTKernel_ThreadTypeAttr
    : EnumAttr<TTKernel_Dialect, TTKernel_ThreadType, "thread"> {
  let summary = "The kind of thread that runs a kernel.";
  let description = [{
    - `noc`: moves data over the network on chip.
    - `tensix`: computes on tiles.
    - `ethernet`: moves data over the links between chips.

    Example:

    ```mlir
    #ttkernel.thread<tensix>
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

class TTKernel_EnumAttr<TTKernel_Enum enum, string enumMnemonic>
    : EnumAttr<TTKernel_Dialect, enum, enumMnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def TTKernel_EltwiseBinaryTypeAttr
    : TTKernel_EnumAttr<TTKernel_EltwiseBinaryType, "eltwise_binary_type"> {
  let summary = "The operation of the matrix engine on two tiles.";
  let description = [{
    `add`, `sub` or `mul`, elementwise.

    Example:

    ```mlir
    #ttkernel.eltwise_binary_type<mul>
    ```
  }];
}

def TTKernel_BroadcastTypeAttr
    : TTKernel_EnumAttr<TTKernel_BroadcastType, "broadcast_type"> {
  let summary = "Broadcast of a tile.";
  let description = [{
    - `none`: the tile as it is.
    - `row`: its first row, for every row.
    - `col`: its first column, for every column.
    - `scalar`: its first element, for every element.

    Example:

    ```mlir
    #ttkernel.broadcast_type<row>
    ```
  }];
}

def TTKernel_PoolTypeAttr : TTKernel_EnumAttr<TTKernel_PoolType, "pool_type"> {
  let summary = "How a reduction combines elements.";
  let description = [{
    `sum`, `avg` (also a sum: the scaler holds one over the count), `max` or
    `min`.

    Example:

    ```mlir
    #ttkernel.pool_type<sum>
    ```
  }];
}

def TTKernel_ReduceDimAttr
    : TTKernel_EnumAttr<TTKernel_ReduceDim, "reduce_dim"> {
  let summary = "The direction of a reduction of a tile.";
  let description = [{
    - `row`: along each row, into the first column.
    - `col`: along each column, into the first row.
    - `scalar`: both, into the first element.

    Example:

    ```mlir
    #ttkernel.reduce_dim<row>
    ```
  }];
}

def TTKernel_TensorAccessorArgsAttr
    : AttrDef<TTKernel_Dialect, "TensorAccessorArgs"> {
  let mnemonic = "tensor_accessor_args";
  let summary = "Layout of the pages of a tensor in memory.";
  let description = [{
    Memory space and layout, the bytes of a page, the bytes from one page of a
    bank to the next, and `tensor_pages`: rows and columns of pages, row-major.
    A kernel that accesses a page beyond them faults. Interleaved: page i is in
    bank i mod banks, at (i / banks) * `aligned_page_size`. Sharded: the tensor
    is divided into shards of `shard_pages`, one after another on the cores of
    `cores` in row-major order; a shard is contiguous and row-major. `cores` has
    four numbers for each rectangle of cores: the first row and column, then
    rows and columns.

    Constraints:
    - (C1) the memory space is `dram` or `l1`, the layout `interleaved` or
      sharded.
    - (C2) a page has at least one byte, and fits the aligned page size; both
      have 32 bits.
    - (C3) there are two positive extents of pages.
    - (C4) with a sharded layout there are two positive extents of shards, at
      least one rectangle of cores and a core for each shard; with an
      interleaved one there is none of them.

    Example:

    ```mlir
    #ttkernel.tensor_accessor_args<l1, block_sharded, 4096, 4096, tensor = 4x8, shard = 2x2, cores = [<0x0, 2x4>]>
    ```
  }];
  let parameters = (ins EnumParameter<TT_MemorySpace>:$memory_space,
                        EnumParameter<TT_TensorMemoryLayout>:$memory_layout,
                        "uint64_t":$page_size, "uint64_t":$aligned_page_size,
                        ArrayRefParameter<"int64_t">:$tensor_pages,
                        OptionalArrayRefParameter<"int64_t">:$shard_pages,
                        OptionalArrayRefParameter<"int64_t">:$cores);
  let assemblyFormat = [{
    `<` $memory_space `,` $memory_layout `,` $page_size `,` $aligned_page_size
    `,` `tensor` `=` custom<Pages>($tensor_pages)
    custom<Shards>($shard_pages, $cores) `>`
  }];
  let genVerifyDecl = 1;
  let builders = [
    /// Pages over all banks of a memory space.
    AttrBuilder<(ins "::mlir::tt::MemorySpace":$memorySpace,
                     "uint64_t":$pageSize, "uint64_t":$alignedPageSize,
                     "::llvm::ArrayRef<int64_t>":$tensorPages), [{
      return $_get($_ctxt, memorySpace,
                   ::mlir::tt::TensorMemoryLayout::Interleaved, pageSize,
                   alignedPageSize, tensorPages, ::llvm::ArrayRef<int64_t>(),
                   ::llvm::ArrayRef<int64_t>());
    }]>
  ];
  let extraClassDeclaration = [{
    bool isSharded() const { return !getShardPages().empty(); }
  }];
}

class TTKernel_Config<string name, string attrMnemonic, string thread>
    : AttrDef<TTKernel_Dialect, name, [TTKernel_KernelConfigInterface]> {
  let mnemonic = attrMnemonic;
  let assemblyFormat = "`<` params `>`";
  let extraClassDeclaration = [{
    ::mlir::tt::ttkernel::ThreadType getThreadType() const {
      return ::mlir::tt::ttkernel::ThreadType::}] # thread # [{;
    }
  }];
}

def TTKernel_TensixConfigAttr
    : TTKernel_Config<"TensixConfig", "tensix_config", "Tensix"> {
  let summary = "Build configuration of a compute kernel.";
  let description = [{
    - `math_fidelity`: the number of multiplier passes for a product; more
      passes use more bits of the factors.
    - `fp32_dest_acc_en`: the destination registers hold 32-bit numbers.
    - `preserve_fp32_precision`: f32 pages are unpacked as f32.
    - `math_approx_mode`: functions may be approximate.

    Example:

    ```mlir
    #ttkernel.tensix_config<hifi4, false, false, false>
    ```
  }];
  let parameters = (ins EnumParameter<TTKernel_MathFidelity>:$math_fidelity,
                        "bool":$fp32_dest_acc_en,
                        "bool":$preserve_fp32_precision,
                        "bool":$math_approx_mode);
}

def TTKernel_NocConfigAttr : TTKernel_Config<"NocConfig", "noc_config", "Noc"> {
  let summary = "Build configuration of a data movement kernel.";
  let description = [{
    The network on chip that the kernel uses.

    Example:

    ```mlir
    #ttkernel.noc_config<noc0>
    ```
  }];
  let parameters = (ins EnumParameter<TTKernel_NocIndex>:$noc_index);
}

def TTKernel_EthernetConfigAttr
    : TTKernel_Config<"EthernetConfig", "ethernet_config", "Ethernet"> {
  let summary = "Build configuration of a kernel on an Ethernet core.";
  let description = [{
    The end of the link at which the kernel runs, and its network on chip.

    Example:

    ```mlir
    #ttkernel.ethernet_config<sender, noc0>
    ```
  }];
  let parameters = (ins EnumParameter<TTKernel_EthType>:$eth_type,
                        EnumParameter<TTKernel_NocIndex>:$noc_index);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

class TTKernel_Type<string name, string typeMnemonic>
    : TypeDef<TTKernel_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def TTKernel_CB : TTKernel_Type<"CB", "cb"> {
  let summary = "A circular buffer in the memory of a core.";
  let description = [{
    A queue of pages between the threads of a core: `port` is its name,
    `address` its start, `memref` the shard that passes through it, `page_size`
    the bytes of a page and `num_buffers` how many times the shard fits.

    Ports are `cb_in0` to `cb_in7`, `cb_dfl0` to `cb_dfl7` (data flow),
    `cb_out0` to `cb_out7` and `cb_int0` to `cb_int7` (intermediate results).

    Constraints:
    - (C1) the memref has a static shape of at most 2^31 elements, which are
      tiles, integers or floats.
    - (C2) all numbers have 32 bits, as addresses of a core do.

    Example:

    ```mlir
    !ttkernel.cb<cb_in0, 294912, memref<2x4x!tt.tile<32x32, f32>, #tt.memory_space<l1>>, 4096, 1>
    ```
  }];
  let parameters = (ins EnumParameter<TTKernel_CBPort>:$port,
                        "uint64_t":$address, "::mlir::MemRefType":$memref,
                        "uint64_t":$page_size, "uint64_t":$num_buffers);
  let assemblyFormat = "`<` params `>`";
  let genVerifyDecl = 1;
  let builders = [
    /// A page is a tile, or a row of a shard of scalars; one shard fits.
    TypeBuilder<(ins "::mlir::tt::ttkernel::CBPort":$port,
                     "uint64_t":$address, "::mlir::MemRefType":$memref), [{
      return $_get($_ctxt, port, address, memref, getPageSize(memref), 1);
    }]>
  ];
  let extraClassDeclaration = [{
    /// Bytes of a tile, or of a row of scalars, of a memref that (C1) admits.
    static uint64_t getPageSize(::mlir::MemRefType memref);
    /// Pages of the buffer: those of its shard, `num_buffers` times.
    uint64_t getNumPages() const;
    ::llvm::ArrayRef<int64_t> getShape() const {
      return getMemref().getShape();
    }
    /// Whether the pages are tiles.
    bool isTiled() const {
      return ::mlir::isa<::mlir::tt::TileType>(getMemref().getElementType());
    }
  }];
}

def TTKernel_NocAddr : TTKernel_Type<"NocAddr", "noc_addr"> {
  let summary = "An address of the network on chip.";
  let description = [{
    The coordinates of a core and an address in its memory.

    Example:

    ```mlir
    !ttkernel.noc_addr
    ```
  }];
}

def TTKernel_TensorAccessor
    : TTKernel_Type<"TensorAccessor", "tensor_accessor"> {
  let summary = "A tensor whose pages kernels can locate.";
  let description = [{
    The base address of a tensor, and how its pages are stored in memory.

    Example:

    ```mlir
    !ttkernel.tensor_accessor
    ```
  }];
}

def TTKernel_MemRefOrCB : AnyTypeOf<[AnyMemRef, TTKernel_CB]>;

#endif
