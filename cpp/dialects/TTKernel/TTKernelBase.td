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
  let summary = "The calls that kernels on a core make.";
  let description = [{
    A kernel is what one thread of a core runs: a data movement thread, which
    reads and writes over the network on chip, or the compute threads, which work
    on tiles in registers. Kernels hand pages of tiles to one another through
    circular buffers in the core's memory.

    The ops are the body of a region of `ttmetal.dispatch`, or of a function of
    a module that holds kernels.
  }];
  let cppNamespace = "::mlir::tt::ttkernel";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::tt::TTDialect"
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
  let summary = "How a compute kernel is built.";
  let description = [{
    - `math_fidelity`: how many passes of the multipliers make a product; more
      passes use more bits of the factors.
    - `fp32_dest_acc_en`: the destination registers hold 32-bit numbers.
    - `preserve_fp32_precision`: f32 pages are unpacked as f32.
    - `math_approx_mode`: functions may be approximated.

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
  let summary = "How a data movement kernel is built.";
  let description = [{
    The network on chip that the kernel reads and writes over.

    Example:

    ```mlir
    #ttkernel.noc_config<noc0>
    ```
  }];
  let parameters = (ins EnumParameter<TTKernel_NocIndex>:$noc_index);
}

def TTKernel_EthernetConfigAttr
    : TTKernel_Config<"EthernetConfig", "ethernet_config", "Ethernet"> {
  let summary = "How a kernel on an ethernet core is built.";
  let description = [{
    The end of the link that the kernel runs at, and its network on chip.

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
    A queue of pages between the threads of a core: `port` names it, `address` is
    where it begins, `memref` the shard that goes through it, `page_size` the
    bytes of a page and `num_buffers` how many times the shard fits.

    Ports are `cb_in0` to `cb_in7`, `cb_dfl0` to `cb_dfl7` (data flow), `cb_out0`
    to `cb_out7` and `cb_int0` to `cb_int7` (intermediate results).

    Constraints:
    - (C1) the memref has a static shape, and elements that are tiles, integers
      or floats.
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

def TTKernel_MemRefOrCB : AnyTypeOf<[AnyMemRef, TTKernel_CB]>;

//===----------------------------------------------------------------------===//
// Op classes
//===----------------------------------------------------------------------===//

class TTKernel_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTKernel_Dialect, mnemonic, traits>;

/// An op that only kernels have; messages call it `title`.
class TTKernel_InKernelOp<string mnemonic, list<Trait> traits = [],
                          string title = "$cppClass">
    : TTKernel_Op<mnemonic, traits> {
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::mlir::tt::ttkernel::verifyInKernel(*this, "}] # title # [{");
    }
  }];
}

/// An op from the scalars of one buffer to the tiles of another (`Tilize`) or
/// back (`Untilize`).
class TTKernel_TilizeOp<string mnemonic, string direction>
    : TTKernel_Op<mnemonic> {
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::mlir::tt::ttkernel::verify}] # direction # [{(
          *this, "$cppClass", getCbIn().getType(), getCbOut().getType());
    }
  }];
}

#endif
