//===- The 'ttmetal' dialect ----------------------------------------------===//

#ifndef TTMLIR_TTMETAL_OPS_TD
#define TTMLIR_TTMETAL_OPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "dialects/TT/TTTypes.td"
include "dialects/TTKernel/TTKernelInterfaces.td"

def TTMetal_Dialect : Dialect {
  let name = "ttmetal";
  let summary = "Commands of a device whose kernels are part of the program.";
  let description = [{
    A program in the `ttmetal` dialect is a list of commands: to allocate tensors,
    to move them between host and device, and to run kernels on cores. Tensor types
    carry a `#tt.layout`; kernels are regions of ops of the `ttkernel` dialect.
  }];
  let cppNamespace = "::mlir::tt::ttmetal";
  let dependentDialects = [
    "::mlir::func::FuncDialect", "::mlir::tensor::TensorDialect",
    "::mlir::scf::SCFDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::tt::TTDialect"
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

def TTMetal_CoreRangeAttr : AttrDef<TTMetal_Dialect, "CoreRange"> {
  let mnemonic = "core_range";
  let summary = "A rectangle of cores.";
  let description = [{
    The first core and the extents, rows before columns.

    Constraints:
    - (C1) offset and size have two entries each, the size's positive.

    Example:

    ```mlir
    #ttmetal.core_range<0x0, 1x1>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$offset,
                        ArrayRefParameter<"int64_t">:$size);
  let assemblyFormat = "`<` custom<Extents>($offset) `,` custom<Extents>($size) `>`";
  let genVerifyDecl = 1;
}

def TTMetal_CoreRangeArrayAttr
    : TypedArrayAttrBase<TTMetal_CoreRangeAttr, "array of core ranges">;

def TTMetal_KernelConfigArrayAttr
    : TypedArrayAttrBase<TTKernel_KernelConfigInterface,
                         "array of kernel configurations">;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

class TTMetal_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTMetal_Dialect, mnemonic, traits>;

/// A copy between host and device into the tensor `output`.
class TTMetal_HostOp<string mnemonic>
    : TTMetal_Op<mnemonic, [DestinationStyleOpInterface]> {
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$output);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputMutable();
    }
  }];
}

def TTMetal_AllocOp : TTMetal_Op<"alloc"> {
  let summary = "A tensor at a given address.";
  let description = [{
    Gives a tensor of `size` bytes its `address` in `memory_space`.

    Constraints:
    - (C1) the result carries a `#tt.layout` in that memory space.
    - (C2) the size is not zero.
    - (C3) the address is 0 in system memory and not 0 on a device.

    Example:

    ```mlir
    %0 = "ttmetal.alloc"() <{address = 66560 : i64, memory_space = #l1_, size = 32768 : i64}> : () -> tensor<64x128xf32, #layout1>
    ```
  }];
  let arguments = (ins I64Attr:$address, I64Attr:$size,
                       TT_MemorySpaceAttr:$memory_space);
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

def TTMetal_DeallocOp : TTMetal_Op<"dealloc"> {
  let summary = "The end of an allocation.";
  let description = [{
    Ends the life of a tensor that `ttmetal.alloc` made.

    Nothing to verify.

    Example:

    ```mlir
    "ttmetal.dealloc"(%0) : (tensor<64x128xf32, #layout1>) -> ()
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input);
}

def TTMetal_HostReadOp : TTMetal_HostOp<"host_read"> {
  let summary = "A tensor of the device on the host.";
  let description = [{
    Copies a tensor from the device to the memory of `output` on the host.

    Constraints:
    - (C1) input and output carry a `#tt.layout`.
    - (C2) the input is in device memory, the output in system memory.

    Example:

    ```mlir
    %2 = "ttmetal.host_read"(%0, %1) : (tensor<64x128xf32, #layout1>, tensor<64x128xf32, #layout>) -> tensor<64x128xf32, #layout>
    ```
  }];
}

def TTMetal_HostWriteOp : TTMetal_HostOp<"host_write"> {
  let summary = "A tensor of the host on the device.";
  let description = [{
    Copies a tensor from the host to the memory of `output` on the device.

    Constraints:
    - (C1) input and output carry a `#tt.layout`.
    - (C2) the input is in system memory, the output in device memory.

    Example:

    ```mlir
    %2 = "ttmetal.host_write"(%0, %1) : (tensor<64x128xf32, #layout>, tensor<64x128xf32, #layout1>) -> tensor<64x128xf32, #layout1>
    ```
  }];
}

def TTMetal_DispatchOp : TTMetal_Op<"dispatch", [
    AttrSizedOperandSegments, DestinationStyleOpInterface]> {
  let summary = "Kernels on cores of a device.";
  let description = [{
    Runs the kernel of every region on the cores of its entry in `core_ranges`,
    built as its entry in `kernelConfigs` says. The arguments of a region are the
    circular buffers of the kernel. Constants stay in the region that uses them.

    Constraints:
    - (C1) inputs and outputs carry a `#tt.layout` in device memory.
    - (C2) `core_ranges` and `kernelConfigs` have one entry for each region.
    - (C3) no region is empty, and the arguments of the regions are circular
      buffers.

    Example:

    ```mlir
    %2 = "ttmetal.dispatch"(%0, %1) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
      "ttkernel.noc_async_read_barrier"() : () -> ()
      "ttkernel.return"() : () -> ()
    }) : (tensor<64x128xf32, #layout1>, tensor<64x128xf32, #layout2>) -> tensor<64x128xf32, #layout2>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs,
                       Variadic<AnyRankedTensor>:$outputs,
                       TTMetal_CoreRangeArrayAttr:$core_ranges,
                       TTMetal_KernelConfigArrayAttr:$kernelConfigs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region VariadicRegion<AnyRegion>:$regions);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
  }];
}

#endif
