//===- Types of the 'tt' dialect ---------------------------------------------===//

#ifndef TTMLIR_TT_TYPES_TD
#define TTMLIR_TT_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "mlir/IR/CommonTypeConstraints.td"
include "dialects/TT/TTMachineAttrs.td"

class TT_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<TT_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def TT_Tile : TT_Type<"Tile", "tile", [MemRefElementTypeInterface]> {
  let summary = "A tile: the unit that the matrix and vector engines work on.";
  let description = [{
    The element type of a tiled shard: tiles of `shape` (rows, columns) elements
    in the format `dataType`. A 32x32 tile is stored as four 16x16 faces,
    row-major, face after face.

    The block floating point formats (`bfp_*`) only exist for 32x32 tiles.

    Constraints:
    - (C1) the shape has two positive dimensions.
    - (C2) a block floating point tile is 32x32.

    Sizes: `getSizeBytes()` counts only the mantissas (1024, 512 and 256 bytes
    for the 8-, 4- and 2-bit block formats); the IR and the flatbuffers show
    this number. `getStorageSizeBytes()` also counts the 64 exponents. Both are
    equal for all other formats.

    Example:

    ```mlir
    !tt.tile<32x32, bfp_bf8>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        EnumParameter<TT_DataType>:$dataType);
  let builders = [TypeBuilder<(ins "::mlir::tt::DataType":$dataType), [{
    return $_get($_ctxt, ArrayRef<int64_t>{kExtent, kExtent}, dataType);
  }]>];
  let assemblyFormat = "`<` custom<Extents>($shape) `,` $dataType `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Rows and columns of the tiles that kernels work on.
    static constexpr int64_t kExtent = 32;

    /// Rows of the tile, in elements.
    int64_t getHeight() const { return getShape()[0]; }
    /// Columns of the tile, in elements.
    int64_t getWidth() const { return getShape()[1]; }
    /// Bytes of the tile without the exponents of block formats.
    uint64_t getSizeBytes() const;
    /// Bytes that the tile occupies in memory.
    uint64_t getStorageSizeBytes() const;
    /// The scalar type that the elements stand for: f32, f16, bf16, i32, i16,
    /// i8, si32, si16, si8; bfp_f* is f16 and bfp_bf* is bf16.
    ::mlir::Type getElementType() const;
  }];
}

def TT_Device : TT_Type<"Device", "device"> {
  let summary = "A handle to an opened device.";
  let description = [{
    The type of values that represent an opened device, such as the result of
    `ttnn.get_device`. `desc` describes its chips and how they form a grid.

    Example:

    ```mlir
    !tt.device<#device>
    ```
  }];
  let parameters = (ins TT_DeviceAttr:$desc);
  let assemblyFormat = "`<` $desc `>`";
}

/// A tensor that ops of the project work on: number of elements and size of an
/// element are known, and no arithmetic on indices overflows.
def TT_Tensor
    : Type<And<[AnyRankedTensor.predicate,
                CPred<"::mlir::tt::isComputable("
                      "::llvm::cast<::mlir::RankedTensorType>($_self))">]>,
           "ranked tensor of static shape, extents below 2^31 and at most 2^40 "
           "elements, which are integers, floats or tiles in a buffer",
           "::mlir::RankedTensorType">;

#endif
