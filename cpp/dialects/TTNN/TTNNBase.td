//===- The 'ttnn' dialect, its attributes and op classes ------------------===//

#ifndef TTMLIR_TTNN_BASE_TD
#define TTMLIR_TTNN_BASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "dialects/OpTables.td"
include "dialects/TT/TTTypes.td"
include "dialects/TTNN/TTNNEnums.td"

def TTNN_Dialect : Dialect {
  let name = "ttnn";
  let summary = "Library calls of TTNN, one for each op.";
  let description = [{
    A program in the `ttnn` dialect is a list of calls: tensor operations, and
    calls that create tensors and move them between host and device. Tensor
    types carry a `#tt.layout`.

    In destination-passing style ops the result is the tensor of the destination
    operand, so these ops must not be merged or reordered.
  }];
  let cppNamespace = "::mlir::tt::ttnn";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::ml_program::MLProgramDialect", "::mlir::tensor::TensorDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::tt::TTDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerOps();
  }];
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class TTNN_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<TTNN_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def TTNN_LayoutAttr : TTNN_EnumAttr<TTNN_Layout, "layout"> {
  let summary = "Order of a tensor's elements.";
  let description = [{
    - `row_major`: rows one after another.
    - `tile`: 32x32 tiles.
    - `invalid`: unknown.

    Example:

    ```mlir
    #ttnn.layout<tile>
    ```
  }];
}

def TTNN_TensorMemoryLayoutAttr
    : TTNN_EnumAttr<TTNN_TensorMemoryLayout, "tensor_memory_layout"> {
  let summary = "Distribution of a tensor over the banks of a memory.";
  let description = [{
    - `interleaved`: pages go round-robin to all banks.
    - `single_bank`: all pages are in one bank.
    - `height_sharded`, `width_sharded`, `block_sharded`: every core holds the
      shard of some rows, of some columns, or a block of both.

    Example:

    ```mlir
    #ttnn.tensor_memory_layout<interleaved>
    ```
  }];
}

def TTNN_BufferTypeAttr : TTNN_EnumAttr<TTNN_BufferType, "buffer_type"> {
  let summary = "The memory of a tensor's buffer.";
  let description = [{
    - `dram`: the DRAM of the device.
    - `l1`: the SRAM of the cores; `l1_small` is the part of it reserved for
      small buffers, `trace` the part for recorded command queues.
    - `system_memory`: the host's memory.

    Example:

    ```mlir
    #ttnn.buffer_type<dram>
    ```
  }];
}

class TTNN_Attr<string name, string attrMnemonic>
    : AttrDef<TTNN_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def TTNN_MemoryConfigAttr : TTNN_Attr<"MemoryConfig", "memory_config"> {
  let summary = "Memory and memory layout of a tensor on the device.";
  let description = [{
    The distribution of a tensor's pages over banks, and the memory that these
    banks belong to.

    Example:

    ```mlir
    #ttnn.memory_config<<interleaved>, <dram>>
    ```
  }];
  let parameters = (ins
    AttrParameter<"TensorMemoryLayoutAttr", "spread over banks">:$tensorMemoryLayout,
    AttrParameter<"BufferTypeAttr", "memory">:$bufferType);
  let assemblyFormat = "`<` params `>`";
}

def TTNN_ShapeAttr : TTNN_Attr<"Shape", "shape"> {
  let summary = "Extents of a tensor.";
  let description = [{
    One extent for each dimension, the outermost first.

    Example:

    ```mlir
    #ttnn.shape<64x128>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape);
  let assemblyFormat = "`<` custom<Extents>($shape) `>`";
}

def TTNN_MeshShapeAttr : TTNN_Attr<"MeshShape", "mesh_shape"> {
  let summary = "Extents of a mesh of chips.";
  let description = [{
    Rows and columns of the grid that the chips of a device form.

    Example:

    ```mlir
    #ttnn<mesh_shape 1x2>
    ```
  }];
  let parameters = (ins "int64_t":$y, "int64_t":$x);
  let assemblyFormat = "custom<ExtentPair>($y, $x)";
}

def TTNN_CoreRangeAttr : TTNN_Attr<"CoreRange", "core_range"> {
  let summary = "A rectangle of cores.";
  let description = [{
    The first core and the extents, rows before columns.

    Constraints:
    - (C1) offset and size have two entries each, the size's positive.

    Example:

    ```mlir
    #ttnn.core_range<0x0, 8x8>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$offset,
                        ArrayRefParameter<"int64_t">:$size);
  let assemblyFormat = "`<` custom<Extents>($offset) `,` custom<Extents>($size) `>`";
  let genVerifyDecl = 1;
}

def TTNN_DeviceComputeKernelConfigAttr
    : TTNN_Attr<"DeviceComputeKernelConfig", "device_compute_kernel_config"> {
  let summary = "How the engines of a core compute an op.";
  let description = [{
    - `math_fidelity`: the number of multiplier phases for a product: `lofi`,
      `hifi2`, `hifi3` or `hifi4`.
    - `math_approx_mode`: vector engine functions may be approximate.
    - `fp32_dest_acc_en`: the destination registers hold 32 bits. Integers
      always have 32.
    - `packer_l1_acc`: the packer accumulates blocks along K in L1.

    Absent settings have the library's default.

    Example:

    ```mlir
    #ttnn.device_compute_kernel_config<math_fidelity = hifi2, math_approx_mode = false, fp32_dest_acc_en = true, packer_l1_acc = false>
    ```
  }];
  let parameters = (ins
    OptionalParameter<"std::optional<::mlir::tt::MathFidelity>">:$math_fidelity,
    OptionalParameter<"::mlir::BoolAttr">:$math_approx_mode,
    OptionalParameter<"::mlir::BoolAttr">:$fp32_dest_acc_en,
    OptionalParameter<"::mlir::BoolAttr">:$packer_l1_acc);
  let assemblyFormat = "`<` struct(params) `>`";
}

/// The last attribute of every op that computes.
defvar ComputeConfigArgument =
    (ins OptionalAttr<TTNN_DeviceComputeKernelConfigAttr>:$compute_config);

/// The last attribute of every op that can apply a function to its result while
/// the result is still in the registers of the core.
defvar ActivationArgument = (ins OptionalAttr<StrAttr>:$activation);

/// The op has an `activation`.
def TTNN_HasActivation : NativeOpTrait<"HasActivation"> {
  let cppNamespace = "::mlir::tt::ttnn";
}

//===----------------------------------------------------------------------===//
// Op classes
//===----------------------------------------------------------------------===//

class TTNN_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTNN_Dialect, mnemonic, traits>, SchemaTable;

/// An op whose result is the tensor of its operand `output`.
class TTNN_DPSOp<string mnemonic, list<Trait> traits = []>
    : TTNN_Op<mnemonic, !listconcat(traits, [DestinationStyleOpInterface])> {
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputMutable();
    }
  }];
}

#endif
