#ifndef TARGET_TTNN_SUPPORT_H
#define TARGET_TTNN_SUPPORT_H

#include "dialects/TTNN/TTNN.h"
#include "target/Common/Tensors.h"

#include "ttmlir/Target/TTNN/binary_generated.h"

namespace mlir::tt::ttnn {

namespace fbs = ::tt::target;
using ::flatbuffers::Offset;
using ::flatbuffers::Vector;
using serialization::FlatbufferObjectCache;

Offset<fbs::DeviceRef> deviceRef(FlatbufferObjectCache &cache, Value value);

/// Attributes. A null attribute becomes a null offset, or zero for a scalar or
/// an enumerator.
Offset<Vector<int64_t>> toFlatbuffer(FlatbufferObjectCache &cache,
                                     ShapeAttr attr);
/// An array of i32.
Offset<Vector<int32_t>> toFlatbuffer(FlatbufferObjectCache &cache,
                                     ArrayAttr attr);
Offset<fbs::MemoryConfigDesc> toFlatbuffer(FlatbufferObjectCache &cache,
                                           MemoryConfigAttr attr);
Offset<fbs::ttnn::DeviceComputeKernelConfig>
toFlatbuffer(FlatbufferObjectCache &cache, DeviceComputeKernelConfigAttr attr);
fbs::DataType toFlatbuffer(FlatbufferObjectCache &cache, DataTypeAttr attr);
fbs::TensorLayout toFlatbuffer(FlatbufferObjectCache &cache,
                               ttnn::LayoutAttr attr);
int32_t toFlatbuffer(FlatbufferObjectCache &cache, IntegerAttr attr);
bool toFlatbuffer(FlatbufferObjectCache &cache, BoolAttr attr);
float toFlatbuffer(FlatbufferObjectCache &cache, FloatAttr attr);
Offset<Vector<int64_t>> toFlatbuffer(FlatbufferObjectCache &cache,
                                     DenseI64ArrayAttr attr);
Offset<Vector<int32_t>> toFlatbuffer(FlatbufferObjectCache &cache,
                                     DenseI32ArrayAttr attr);
fbs::ReduceType toFlatbuffer(FlatbufferObjectCache &cache, ReduceTypeAttr attr);
fbs::Topology toFlatbuffer(FlatbufferObjectCache &cache, TopologyAttr attr);
fbs::MeshShardType toFlatbuffer(FlatbufferObjectCache &cache,
                                MeshShardTypeAttr attr);
fbs::MeshShardDirection toFlatbuffer(FlatbufferObjectCache &cache,
                                     MeshShardDirectionAttr attr);

/// Integers of 64 bits; of an array, one vector.
int64_t toWide(FlatbufferObjectCache &cache, IntegerAttr attr);
Offset<Vector<int64_t>> toWide(FlatbufferObjectCache &cache, ArrayAttr attr);
/// The first entry of an array of integers; 0 for a null attribute.
int32_t toFirst(FlatbufferObjectCache &cache, ArrayAttr attr);
Offset<Vector<float>> toFloats(FlatbufferObjectCache &cache,
                               ArrayRef<FloatAttr> attrs);
/// Places along the dimensions of `input`, negative ones counted from the end.
Offset<Vector<int64_t>> toBounds(FlatbufferObjectCache &cache, ArrayAttr attr,
                                 RankedTensorType input);
fbs::ttnn::UpsampleMode toUpsampleMode(FlatbufferObjectCache &cache,
                                       StringAttr attr);
/// The entries of a tensor of rank 2, row by row, and their number in a row.
Offset<Vector<int64_t>> toRows(FlatbufferObjectCache &cache,
                               DenseIntElementsAttr attr);
uint32_t toRowSize(FlatbufferObjectCache &cache, DenseIntElementsAttr attr);

/// The table of `ttnn.get_device`.
Offset<fbs::ttnn::GetDeviceOp> createOp(FlatbufferObjectCache &cache,
                                        GetDeviceOp op);

/// The table of an op and its member of the union of all tables.
struct Payload {
  fbs::ttnn::OpType type;
  Offset<void> table;
};

/// Nothing when the op has no table. Generated from the definitions of the ops.
std::optional<Payload> serializePayload(FlatbufferObjectCache &cache,
                                        Operation *op);

} // namespace mlir::tt::ttnn

#endif
