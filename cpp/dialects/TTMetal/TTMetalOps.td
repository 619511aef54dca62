//===- The 'ttmetal' dialect ----------------------------------------------===//

#ifndef TTMLIR_TTMETAL_OPS_TD
#define TTMLIR_TTMETAL_OPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/TT/TTTypes.td"
include "dialects/TTKernel/TTKernelInterfaces.td"
include "dialects/TTMetal/TTMetalEnums.td"

def TTMetal_Dialect : Dialect {
  let name = "ttmetal";
  let summary = "Commands of a device, with the kernels of the program.";
  let description = [{
    A program in the `ttmetal` dialect is a list of commands: to allocate
    tensors, to move them between host and device, and to run kernels on cores.
    Tensor types carry a `#tt.layout`; kernels are regions of `ttkernel` ops.
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

def TTMetal_CollectiveKindAttr
    : EnumAttr<TTMetal_Dialect, TTMetal_CollectiveKind, "collective_kind"> {
  let summary = "The kind of a collective.";
  let description = [{
    The mnemonic of the corresponding op of the `ttir` dialect.

    Example:

    ```mlir
    #ttmetal.collective_kind<all_gather>
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

def TTMetal_CoreRangeArrayAttr
    : TypedArrayAttrBase<TTMetal_CoreRangeAttr, "array of core ranges">;

def TTMetal_KernelConfigArrayAttr
    : TypedArrayAttrBase<TTKernel_KernelConfigInterface,
                         "array of kernel configurations">;

class TTMetal_RuntimeArg<string name, string attrMnemonic>
    : AttrDef<TTMetal_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def TTMetal_TensorAddressAttr
    : TTMetal_RuntimeArg<"TensorAddress", "tensor_address"> {
  let summary = "The address of a tensor as a kernel argument.";
  let description = [{
    The address of operand `operand_index` of the dispatch; its inputs come first.

    Example:

    ```mlir
    #ttmetal.tensor_address<0>
    ```
  }];
  let parameters = (ins "uint32_t":$operand_index);
  let assemblyFormat = "`<` $operand_index `>`";
}

def TTMetal_SemaphoreAddressAttr
    : TTMetal_RuntimeArg<"SemaphoreAddress", "semaphore_address"> {
  let summary = "The address of a semaphore as a kernel argument.";
  let description = [{
    The address of a new semaphore with the initial value `initial_value`.

    Example:

    ```mlir
    #ttmetal.semaphore_address<0>
    ```
  }];
  let parameters = (ins "uint32_t":$initial_value);
  let assemblyFormat = "`<` $initial_value `>`";
}

def TTMetal_ScalarArgsAttr
    : TTMetal_RuntimeArg<"ScalarArgs", "scalar_args"> {
  let summary = "Numbers as a kernel argument.";
  let description = [{
    One number for all cores of the kernel, or one for each in row-major order.

    Constraints:
    - (C1) there is at least one number.

    Example:

    ```mlir
    #ttmetal.scalar_args<[0, 32, 64, 96]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"uint32_t">:$values);
  let assemblyFormat = "`<` `[` $values `]` `>`";
  let genVerifyDecl = 1;
}

def TTMetal_CppKernelAttr : AttrDef<TTMetal_Dialect, "CppKernel"> {
  let mnemonic = "cpp_kernel";
  let summary = "A kernel in C++.";
  let description = [{
    The text of a kernel and its compile options: `source` is the C++, `path`
    the name of its file for messages, `defines` the macros, a text or `unit`
    each, `compile_args` and `named_compile_args` the compile-time arguments,
    and `common_args` the index of its first common argument among those of the
    dispatch. `headers` are the files that it includes by name, besides those of
    the kernel library. `tensors` describes the tensors that it can address by
    pages, and `addresses` has their addresses.

    Constraints:
    - (C1) `compile_args`, `addresses` and the values of `named_compile_args`
      are 32-bit integers.
    - (C2) the values of `defines` are strings or `unit`, those of `headers`
      strings.
    - (C3) `tensors` are `#ttkernel.tensor_accessor_args`, one for each address.

    Example:

    ```mlir
    #ttmetal.cpp_kernel<source = "void kernel_main() {}\0A", path = "reader.cpp", defines = {}, compile_args = [], named_compile_args = {}, common_args = 0, headers = {}, addresses = [], tensors = []>
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$source,
                        "::mlir::StringAttr":$path,
                        "::mlir::DictionaryAttr":$defines,
                        "::mlir::ArrayAttr":$compile_args,
                        "::mlir::DictionaryAttr":$named_compile_args,
                        "uint32_t":$common_args,
                        "::mlir::DictionaryAttr":$headers,
                        "::mlir::ArrayAttr":$addresses,
                        "::mlir::ArrayAttr":$tensors);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def TTMetal_ArgsArrayAttr
    : TypedArrayAttrBase<ArrayAttr, "array of arrays of arguments">;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

class TTMetal_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTMetal_Dialect, mnemonic, traits>;

/// A copy between host and device into the tensor `output`.
class TTMetal_HostOp<string mnemonic>
    : TTMetal_Op<mnemonic, [DestinationStyleOpInterface]> {
  let arguments = (ins TT_Tensor:$input, TT_Tensor:$output);
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputMutable();
    }
  }];
}

def TTMetal_AllocOp : TTMetal_Op<"alloc"> {
  let summary = "Allocation of a tensor at an address.";
  let description = [{
    Places a tensor of `size` bytes at `address` in `memory_space`.

    Constraints:
    - (C1) the result carries a `#tt.layout` in that memory space.
    - (C2) the size is not zero.
    - (C3) the address is 0 in system memory and not 0 on a device.
    - (C4) on a device, address and size are at most 2^40.

    Example:

    ```mlir
    %0 = "ttmetal.alloc"() <{address = 66560 : i64, memory_space = #l1_, size = 32768 : i64}> : () -> tensor<64x128xf32, #layout1>
    ```
  }];
  let arguments = (ins I64Attr:$address, I64Attr:$size,
                       TT_MemorySpaceAttr:$memory_space);
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
}

def TTMetal_DeallocOp : TTMetal_Op<"dealloc"> {
  let summary = "Deallocation of a tensor.";
  let description = [{
    Ends the lifetime of a tensor that `ttmetal.alloc` created.

    Nothing to verify.

    Example:

    ```mlir
    "ttmetal.dealloc"(%0) : (tensor<64x128xf32, #layout1>) -> ()
    ```
  }];
  let arguments = (ins TT_Tensor:$input);
}

def TTMetal_HostConstantOp
    : TTMetal_Op<"host_constant", [ConstantLike, Pure]> {
  let summary = "A host tensor with given elements.";
  let description = [{
    The elements of `value` in host memory, from which `ttmetal.host_write`
    copies them to the device.

    Constraints:
    - (C1) shape and element type of `value` and of the result are equal;
      integers may differ in their sign.
    - (C2) the result carries a `#tt.layout` in system memory.

    Example:

    ```mlir
    %0 = "ttmetal.host_constant"() <{value = dense<1.000000e+00> : tensor<64x128xf32>}> : () -> tensor<64x128xf32, #layout>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TTMetal_HostReadOp : TTMetal_HostOp<"host_read"> {
  let summary = "Copy of a tensor from the device to the host.";
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
  let summary = "Copy of a tensor from the host to the device.";
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

def TTMetal_CollectiveOp : TTMetal_HostOp<"collective"> {
  let summary = "A collective of the runtime.";
  let description = [{
    As the op of `ttir` that `kind` names, on one tensor of every chip, into
    `output`. `dim` is the dimension that is gathered, scattered, partitioned or
    split, `groups` the `replica_groups` or `source_target_pairs`; the other
    attributes are those of that op. Tensors are sent over the links between
    chips, on `num_links` links between neighbours (by default 1), as a ring or
    a line (by default a ring if the links allow it; see `topology`).

    Constraints:
    - (C1) input and output carry a `#tt.layout`.
    - (C2) input and output are in device memory.
    - (C3) the attributes of the kind are given, and no others.

    Example: a mesh of 1x4.

    ```mlir
    %2 = "ttmetal.collective"(%0, %1) <{cluster_axis = 1 : ui32, dim = 1 : si32, kind = #ttmetal.collective_kind<all_gather>}> : (tensor<32x64xf32, #layout1>, tensor<32x256xf32, #layout2>) -> tensor<32x256xf32, #layout2>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Tensor:$output,
                       TTMetal_CollectiveKindAttr:$kind,
                       OptionalAttr<TT_ReduceTypeAttr>:$reduce_type,
                       OptionalAttr<SI32Attr>:$dim,
                       OptionalAttr<SI32Attr>:$concat_dim,
                       OptionalAttr<SI32Attr>:$split_count,
                       OptionalAttr<UI32Attr>:$cluster_axis,
                       OptionalAttr<I64ElementsAttr>:$groups,
                       OptionalAttr<UI32Attr>:$num_links,
                       OptionalAttr<TT_TopologyAttr>:$topology);
}

def TTMetal_MeshShardOp : TTMetal_HostOp<"mesh_shard"> {
  let summary = "Conversion between a host tensor and its shards on a mesh.";
  let description = [{
    As `ttir.mesh_shard`, between host tensors: `output` is a tensor for each
    chip, or the tensor joined from them.

    Constraints:
    - (C1) input and output carry a `#tt.layout`.
    - (C2) input and output are in system memory.

    Example: a mesh of 2x4.

    ```mlir
    %2 = "ttmetal.mesh_shard"(%0, %1) <{shard_dims = array<i64: 0, 1>, shard_direction = #tt.shard_direction<full_to_shard>, shard_shape = array<i64: 2, 4>, shard_type = #tt.shard_type<devices>}> : (tensor<64x128xf32, #layout>, tensor<32x32xf32, #layout1>) -> tensor<32x32xf32, #layout1>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Tensor:$output,
                       TT_MeshShardTypeAttr:$shard_type,
                       TT_MeshShardDirectionAttr:$shard_direction,
                       DenseI64ArrayAttr:$shard_shape,
                       DenseI64ArrayAttr:$shard_dims);
}

def TTMetal_DispatchOp : TTMetal_Op<"dispatch", [
    AttrSizedOperandSegments, DestinationStyleOpInterface]> {
  let summary = "Launch of kernels on cores of a device.";
  let description = [{
    Runs the kernel of each region on the cores of its entry in `core_ranges`,
    built as its entry in `kernelConfigs` says. The arguments of a region are
    the circular buffers of the kernel. Constants stay in the region that uses
    them.

    `semaphores` are the initial values of the semaphores 0, 1, ... of every
    core (`ttkernel.get_semaphore`). `runtime_args` has an array for each
    region, of `#ttmetal.tensor_address`, `#ttmetal.semaphore_address` and
    `#ttmetal.scalar_args` (`ttkernel.get_arg_val`), `compile_args` an array of
    numbers for each region (`ttkernel.get_compile_time_arg_val`), and
    `common_args` are numbers for all of them (`ttkernel.get_common_arg_val`).
    Reports and messages use `kernel_names` for the kernels, and `program_name`
    for the whole computation, such as "matmul".

    `cpp_kernels` has a `#ttmetal.cpp_kernel` for each region that is a kernel in
    C++, and `unit` for the others. The region of a kernel in C++ has its
    circular buffers and is otherwise empty: the kernel is compiled by the host's
    compiler when the program is loaded, if the user allows that.

    Constraints:
    - (C1) inputs and outputs carry a `#tt.layout` in device memory.
    - (C2) `core_ranges` and `kernelConfigs` have one entry for each region, and
      so have `runtime_args`, `compile_args`, `kernel_names` and `cpp_kernels`
      if given.
    - (C3) no region is empty, and the arguments of the regions are circular
      buffers.
    - (C4) there are at most 16 semaphores.
    - (C5) the circular buffers of a region have distinct ports, and a port has
      one type in all regions that share cores.
    - (C6) core ranges are in the grid of the device, if the module has one.
    - (C7) regions that share cores run on distinct threads: `noc0`, `noc1` and
      the compute threads.
    - (C8) tensor addresses are those of operands of the dispatch, scalar
      arguments have one number or one for each core, compile arguments are
      32-bit numbers.
    - (C9) circular buffers end within the L1 of a core, if the module has a
      system description.
    - (C10) circular buffers have 1 to 1024 shards, which whole pages fill.
    - (C11) `cpp_kernels` are `#ttmetal.cpp_kernel` or `unit`.

    Example:

    ```mlir
    %2 = "ttmetal.dispatch"(%0, %1) <{core_ranges = [#ttmetal.core_range<0x0, 1x1>], kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 1, 1>}> ({
      "ttkernel.noc_async_read_barrier"() : () -> ()
      "ttkernel.return"() : () -> ()
    }) : (tensor<64x128xf32, #layout1>, tensor<64x128xf32, #layout2>) -> tensor<64x128xf32, #layout2>
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$inputs,
                       Variadic<TT_Tensor>:$outputs,
                       TTMetal_CoreRangeArrayAttr:$core_ranges,
                       TTMetal_KernelConfigArrayAttr:$kernelConfigs,
                       OptionalAttr<DenseI32ArrayAttr>:$semaphores,
                       OptionalAttr<TTMetal_ArgsArrayAttr>:$runtime_args,
                       OptionalAttr<TTMetal_ArgsArrayAttr>:$compile_args,
                       OptionalAttr<DenseI32ArrayAttr>:$common_args,
                       OptionalAttr<StrArrayAttr>:$kernel_names,
                       OptionalAttr<StrAttr>:$program_name,
                       OptionalAttr<ArrayAttr>:$cpp_kernels);
  let results = (outs Variadic<TT_Tensor>:$results);
  let regions = (region VariadicRegion<AnyRegion>:$regions);
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::ValueRange":$inputs,
                   "::mlir::ValueRange":$outputs,
                   "::mlir::ArrayAttr":$coreRanges,
                   "::mlir::ArrayAttr":$kernelConfigs, "unsigned":$regions), [{
      build($_builder, $_state, results, inputs, outputs, coreRanges,
            kernelConfigs, /*semaphores=*/{}, /*runtime_args=*/{},
            /*compile_args=*/{}, /*common_args=*/{}, /*kernel_names=*/{},
            /*program_name=*/{}, /*cpp_kernels=*/{}, regions);
    }]>
  ];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
    /// The C++ of a region; null if it has none.
    CppKernelAttr getCppKernel(unsigned region) {
      if (auto kernels = getCppKernels())
        return ::llvm::dyn_cast<CppKernelAttr>((*kernels)[region]);
      return {};
    }
  }];
}

#endif
