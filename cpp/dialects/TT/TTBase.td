//===- The 'tt' dialect: what all dialects of the project share ------------===//

#ifndef TTMLIR_TT_BASE_TD
#define TTMLIR_TT_BASE_TD

include "mlir/IR/DialectBase.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let summary = "Types and attributes common to all dialects of the project.";
  let description = [{
    The `tt` dialect describes the system and the layout of tensors on it, and
    has the ops that programs of all backends share:

    - `#tt.system_desc` lists the chips of a system, their cores, memories and
      links. The module carries it as `tt.system_desc`.
    - `#tt.device` is a view of that system as one logical grid of cores, with
      the maps from the grid to chips, cores and memory addresses. The module
      carries it as `tt.device`.
    - `#tt.layout` is the encoding of a tensor type: how the tensor is collapsed
      onto a grid, divided into shards, and stored in a memory space.
    - `!tt.tile` is the element type of tiled tensors.
    - `tt.load_cached` loads results that are computed once for many calls.
    - `tt.if`, `tt.for` and `tt.while` run parts of a program: functions with
      `tt.part`.

    Example:

    ```mlir
    #l1 = #tt.memory_space<l1>
    #layout = #tt.layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<32x32xf32, #l1>>
    func.func @f(%arg0: tensor<64x128xf32, #layout>) {
      return
    }
    ```
  }];
  let cppNamespace = "::mlir::tt";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerOps();
    void registerTypes();
  }];
}

#endif
