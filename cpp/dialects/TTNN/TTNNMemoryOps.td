//===- Devices, layouts and memory in the 'ttnn' dialect ------------------===//

#ifndef TTMLIR_TTNN_MEMORY_OPS_TD
#define TTMLIR_TTNN_MEMORY_OPS_TD

include "mlir/IR/CommonAttrConstraints.td"
include "dialects/TTNN/TTNNBase.td"

def TTNN_GetDeviceOp : TTNN_Op<"get_device"> {
  let summary = "The device that runs the program.";
  let description = [{
    Returns the current device of the runtime.

    In files, `mesh_shape` has all extents of the mesh, `mesh` the last one and
    the product of the others; `chip_ids` are row-major over the mesh.

    Nothing to verify.

    Example:

    ```mlir
    %0 = "ttnn.get_device"() : () -> !tt.device<#device>
    ```
  }];
  let results = (outs TT_Device:$device);
  let schemaTable = "GetDeviceOp";
  let schemaMember = 1;
  let schemaFields = ["mesh: tt.target.Dim2d", "chip_ids: [uint32]",
                      "out=device", "mesh_shape: [uint32]"];
  let stepByHand = 1;
  let schemaByHand = 1;
}

def TTNN_ToMemoryConfigOp : TTNN_Op<"to_memory_config"> {
  let summary = "Move to the memory of the result's layout.";
  let description = [{
    Moves a tensor between host and device, or between memories of a device, and
    converts it to the element format of the result's layout.

    Constraints:
    - (C1) input and result carry a `#tt.layout`.
    - (C2) in system memory the result's memory layout is `none`.
    - (C3) on a device it is interleaved, width_sharded over the banks in DRAM, or
      block_sharded in L1. Shards have two dimensions, whose extents are multiples
      of 32.

    Example:

    ```mlir
    %2 = "ttnn.to_memory_config"(%1, %0) : (tensor<64x128xf32, #layout1>, !tt.device<#device>) -> tensor<64x128xf32, #layout>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Device:$device);
  let results = (outs TT_Tensor:$result);
  let schemaTable = "ToMemoryConfigOp";
  let schemaMember = 2;
  let schemaFields = ["in0=input", "device=device", "out=result"];
  let hasVerifier = 1;
}

def TTNN_ToLayoutOp : TTNN_Op<"to_layout"> {
  let summary = "Conversion between tiles and rows.";
  let description = [{
    Converts a tensor to the element order `layout`.

    Constraints:
    - (C1) input and result have one shape.

    Example:

    ```mlir
    %2 = "ttnn.to_layout"(%1, %0) <{layout = #ttnn.layout<tile>}> : (tensor<64x128xf32, #layout>, !tt.device<#device>) -> tensor<64x128xf32, #layout1>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Device:$device,
                       TTNN_LayoutAttr:$layout);
  let results = (outs TT_Tensor:$result);
  let schemaTable = "ToLayoutOp";
  let schemaMember = 3;
  let schemaFields = ["in=input", "layout=layout", "device=device",
                      "out=result"];
  let hasVerifier = 1;
}

def TTNN_ToDeviceOp : TTNN_Op<"to_device"> {
  let summary = "Copy of a tensor to a device.";
  let description = [{
    Copies a host tensor to the device memory given by `memory_config`.

    Constraints:
    - (C1) input and result have one shape.

    Example:

    ```mlir
    %2 = "ttnn.to_device"(%1, %0) <{memory_config = #ttnn.memory_config<<interleaved>, <dram>>}> : (tensor<64x128xf32, #layout1>, !tt.device<#device>) -> tensor<64x128xf32, #layout1>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Device:$device,
                       TTNN_MemoryConfigAttr:$memory_config);
  let results = (outs TT_Tensor:$result);
  let schemaTable = "ToDeviceOp";
  let schemaMember = 4;
  let schemaFields = ["in=input", "device=device", "memcfg=memory_config",
                      "out=result"];
  let hasVerifier = 1;
}

def TTNN_FromDeviceOp : TTNN_Op<"from_device"> {
  let summary = "Copy of a tensor to the host.";
  let description = [{
    Copies a device tensor to system memory.

    Constraints:
    - (C1) input and result have one shape.
    - (C2) the result's layout, if it has one, is in system memory.

    Example:

    ```mlir
    %2 = "ttnn.from_device"(%1) : (tensor<64x128xf32, #layout1>) -> tensor<64x128xf32, #layout>
    ```
  }];
  let arguments = (ins TT_Tensor:$input);
  let results = (outs TT_Tensor:$result);
  let schemaTable = "FromDeviceOp";
  let schemaMember = 18;
  let schemaFields = ["in=input", "out=result"];
  let hasVerifier = 1;
}

def TTNN_EmptyOp : TTNN_Op<"empty"> {
  let summary = "A new uninitialized tensor.";
  let description = [{
    Creates a tensor, on the device if there is one among the operands,
    otherwise on the host. Its elements are undefined; with the unit attribute
    `ttnn.zeros` they are zero (a constant of zeros becomes this; it is
    serialized as a fill).

    Constraints:
    - (C1) the result carries a `#tt.layout`; `shape`, `dtype`, `layout` and
      `memory_config` are those of the result's type.
    - (C2) `dtype` and `layout` are given; `memory_config` is given if and only
      if the device is.

    Example:

    ```mlir
    %1 = "ttnn.empty"(%0) <{dtype = #tt.supportedDataTypes<f32>, layout = #ttnn.layout<row_major>, memory_config = #ttnn.memory_config<<interleaved>, <dram>>, shape = #ttnn.shape<64x128>}> : (!tt.device<#device>) -> tensor<64x128xf32, #layout1>
    ```
  }];
  let arguments = (ins Optional<TT_Device>:$device, TTNN_ShapeAttr:$shape,
                       OptionalAttr<TT_DataTypeAttr>:$dtype,
                       OptionalAttr<TTNN_LayoutAttr>:$layout,
                       OptionalAttr<TTNN_MemoryConfigAttr>:$memory_config);
  let results = (outs TT_Tensor:$result);
  let schemaTable = "EmptyOp";
  let schemaMember = 5;
  let stepByHand = 1;
  let schemaFields = ["shape=shape", "dtype=dtype", "layout=layout",
                      "device=device", "memcfg=memory_config", "out=result"];
  let variantAttr = "ttnn.zeros";
  let variantTable = "FullOp";
  let variantFields = ["device=device", "fill_value=0.0f", "out=result"];
  let hasVerifier = 1;
}

def TTNN_FullOp : TTNN_Op<"full"> {
  let summary = "A new tensor of one value.";
  let description = [{
    Creates a tensor whose elements are all `fillValue`, rounded to its format.

    Nothing to verify.

    Example:

    ```mlir
    %1 = "ttnn.full"(%0) <{fillValue = 1.000000e+00 : f32}> : (!tt.device<#device>) -> tensor<64x128xf32, #layout1>
    ```
  }];
  let arguments = (ins TT_Device:$device, F32Attr:$fillValue);
  let results = (outs TT_Tensor:$result);
  let schemaTable = "FullOp";
  let schemaMember = 6;
  let schemaFields = ["device=device", "fill_value=fillValue", "out=result"];
}

def TTNN_ConstantOp : TTNN_Op<"constant"> {
  let summary = "A new tensor with given elements.";
  let description = [{
    Creates a tensor with the elements of `value`, on the device if there is one
    among the operands, otherwise on the host.

    Constraints:
    - (C1) `value` and the result have one shape and one element type.
    - (C2) `memory_config` is given if and only if the device is.

    Example:

    ```mlir
    %1 = "ttnn.constant"(%0) <{memory_config = #ttnn.memory_config<<interleaved>, <dram>>, value = dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>}> : (!tt.device<#device>) -> tensor<1x2xf32, #layout1>
    ```
  }];
  let arguments = (ins Optional<TT_Device>:$device, ElementsAttr:$value,
                       OptionalAttr<TTNN_MemoryConfigAttr>:$memory_config);
  let results = (outs TT_Tensor:$result);
  let schemaTable = "ConstantOp";
  let schemaMember = 19;
  let schemaFields = ["dtype=dataType(value)", "data=elements(value)",
                      "device=device", "memcfg=memory_config", "out=result"];
  let hasVerifier = 1;
}

def TTNN_ArangeOp : TTNN_Op<"arange"> {
  let summary = "A new tensor of evenly spaced numbers.";
  let description = [{
    start, start + step, ... below `end` (above, for a negative step), rounded
    to the result's format.

    Constraints:
    - (C1) `step` is not 0.
    - (C2) the result has rank 1 and the count of the numbers.
    - (C3) `memory_config` is given if and only if the device is.

    Example:

    ```mlir
    %1 = "ttnn.arange"(%0) <{end = 128 : si64, memory_config = #ttnn.memory_config<<interleaved>, <dram>>, start = 0 : si64, step = 1 : si64}> : (!tt.device<#device>) -> tensor<128xf32, #layout1>
    ```
  }];
  let arguments = (ins Optional<TT_Device>:$device, SI64Attr:$start,
                       SI64Attr:$end, SI64Attr:$step,
                       OptionalAttr<TTNN_MemoryConfigAttr>:$memory_config);
  let results = (outs TT_Tensor:$result);
  let schemaTable = "ArangeOp";
  let schemaMember = 20;
  let schemaFields = ["start=wide(start)", "end=wide(end)", "step=wide(step)",
                      "device=device", "memcfg=memory_config", "out=result"];
  let hasVerifier = 1;
}

def TTNN_AllocOp : TTNN_Op<"alloc"> {
  let summary = "Allocation of a tensor at an address.";
  let description = [{
    As `ttir.alloc`, with its constraints.

    Example:

    ```mlir
    %0 = "ttnn.alloc"() <{address = 66560 : i64, memory_space = #l1_, size = 32768 : i64}> : () -> tensor<64x128xf32, #layout1>
    ```
  }];
  let arguments = (ins I64Attr:$address, I64Attr:$size,
                       TT_MemorySpaceAttr:$memory_space);
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
}

def TTNN_DeallocOp : TTNN_Op<"dealloc"> {
  let summary = "Deallocation of a tensor.";
  let description = [{
    Frees the memory of a tensor. Using it afterwards is an error.

    Nothing to verify.

    Example:

    ```mlir
    "ttnn.dealloc"(%1) : (tensor<64x128xf32, #layout1>) -> ()
    ```
  }];
  let arguments = (ins TT_Tensor:$input);
  let schemaTable = "DeallocOp";
  let schemaMember = 17;
  let stepByHand = 1;
  let schemaFields = ["in=input"];
}

#endif
