//===- Layouts, memory and generic work in the 'ttir' dialect -------------===//

#ifndef TTMLIR_TTIR_MEMORY_OPS_TD
#define TTMLIR_TTIR_MEMORY_OPS_TD

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "dialects/TTIR/TTIRBase.td"

def TTIR_TensorOrMemref : AnyTypeOf<[TT_Tensor, AnyMemRef]>;

def TTIR_ToLayoutOp : TTIR_Op<"to_layout", [
    Pure, TTIROpInterface, DestinationStyleOpInterface]> {
  let summary = "Conversion to another layout.";
  let description = [{
    Converts the input to the layout of the output: memory space, grid, element
    format, tiles, memory layout.

    Constraints:
    - (C1) input and output carry a `#tt.layout`.
    - (C2) input and output have one shape.

    Numerics: exact except for rounding to the output's element format.

    Example:

    ```mlir
    %1 = "ttir.to_layout"(%a, %0) : (tensor<64x128xf32, #layout>, tensor<64x128xf32, #layout1>) -> tensor<64x128xf32, #layout1>
    ```
  }];
  let arguments = (ins TT_Tensor:$input, TT_Tensor:$output);
  let results = (outs TT_Tensor:$result);
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputMutable();
    }
    /// A layout change takes its operands as they are.
    ::mlir::ArrayAttr getOperandConstraints() { return nullptr; }
  }];
  let hasVerifier = 1;
}

def TTIR_AllocOp : TTIR_Op<"alloc"> {
  let summary = "Allocation of a tensor at an address.";
  let description = [{
    Places a tensor of `size` bytes at `address` in `memory_space`.

    Constraints:
    - (C1) the result carries a `#tt.layout` in that memory space.
    - (C2) the size is not zero.
    - (C3) the address is 0 in system memory and not 0 on a device, except in
      DRAM of a function with `tt.part`, where the runtime chooses it.
    - (C4) on a device, address and size are at most 2^40.

    Example:

    ```mlir
    %0 = "ttir.alloc"() <{address = 66560 : i64, memory_space = #l1_, size = 32768 : i64}> : () -> tensor<64x128xf32, #layout1>
    ```
  }];
  let arguments = (ins I64Attr:$address, I64Attr:$size,
                       TT_MemorySpaceAttr:$memory_space);
  let results = (outs TT_Tensor:$result);
  let hasVerifier = 1;
}

def TTIR_DeallocOp : TTIR_Op<"dealloc"> {
  let summary = "Deallocation of a tensor.";
  let description = [{
    Ends the lifetime of a tensor that `ttir.alloc` created.

    Nothing to verify.

    Example:

    ```mlir
    "ttir.dealloc"(%0) : (tensor<64x128xf32, #layout1>) -> ()
    ```
  }];
  let arguments = (ins TT_Tensor:$result);
}

def TTIR_GenericOp : TTIR_Op<"generic", [
    AttrSizedOperandSegments, TTIROpInterface, DestinationStyleOpInterface,
    RecursiveMemoryEffects]> {
  let summary = "Work of every core in a grid.";
  let description = [{
    The region is the work of each core of `grid` on its shards of the operands.
    `indexing_maps` and `iterator_types` define the iteration over the shards,
    as in `linalg.generic`.

    Constraints:
    - (C1) the region has one argument for each operand.

    Example:

    ```mlir
    %5 = "ttir.generic"(%1, %3, %4) <{grid = #tt.grid<1x1>, indexing_maps = [#map, #map, #map], iterator_types = [#parallel, #parallel], operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any_device_tile, #any_device_tile, #any_device_tile]}> ({
    ^bb0(%arg2: tensor<64x128xf32>, %arg3: tensor<64x128xf32>, %arg4: tensor<64x128xf32>):
      %6 = arith.mulf %arg2, %arg3 : tensor<64x128xf32>
      "ttir.yield"(%6) : (tensor<64x128xf32>) -> ()
    }) : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$inputs,
                       Variadic<TT_Tensor>:$outputs, TT_GridAttr:$grid,
                       AffineMapArrayAttr:$indexing_maps,
                       TT_IteratorTypeArrayAttr:$iterator_types,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs Variadic<TT_Tensor>:$results);
  let regions = (region AnyRegion:$region);
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
  }];
  let hasVerifier = 1;
}

def TTIR_KernelOp : TTIR_Op<"kernel", [
    AttrSizedOperandSegments, TTIROpInterface, DestinationStyleOpInterface]> {
  let summary = "A call of a kernel by name.";
  let description = [{
    Represents the kernel `op` of the family `kind` (`@eltwise`, `@matmul`)
    inside a `ttir.generic`.

    Nothing to verify.

    Example:

    ```mlir
    %1 = "ttir.kernel"(%a, %b, %0) <{kind = @eltwise, op = @multiply, operandSegmentSizes = array<i32: 2, 1>, operand_constraints = [#any, #any, #any]}> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x128xf32>) -> tensor<64x128xf32>
    ```
  }];
  let arguments = (ins Variadic<TTIR_TensorOrMemref>:$inputs,
                       Variadic<TTIR_TensorOrMemref>:$outputs,
                       FlatSymbolRefAttr:$op, FlatSymbolRefAttr:$kind,
                       TT_OperandConstraintArrayAttr:$operand_constraints);
  let results = (outs Variadic<TTIR_TensorOrMemref>:$results);
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
  }];
}

def TTIR_YieldOp : TTIR_Op<"yield", [Pure, ReturnLike, Terminator]> {
  let summary = "The results of a region.";
  let description = [{
    Terminates the region of a `ttir.generic` and returns its results.

    Nothing to verify.

    Example:

    ```mlir
    "ttir.yield"(%6) : (tensor<64x128xf32>) -> ()
    ```
  }];
  let arguments = (ins Variadic<TTIR_TensorOrMemref>:$values);
}

#endif
