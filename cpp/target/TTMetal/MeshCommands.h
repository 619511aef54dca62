#ifndef TARGET_TTMETAL_MESHCOMMANDS_H
#define TARGET_TTMETAL_MESHCOMMANDS_H

#include "dialects/TTMetal/TTMetal.h"
#include "target/Common/Tensors.h"

#include "ttmlir/Target/Common/collective_generated.h"

namespace mlir::tt::ttmetal {

/// The tables of commands that all chips of a mesh take part in.
serialization::Offset<::tt::target::CollectiveOp>
serializeCollective(serialization::FlatbufferObjectCache &cache,
                    CollectiveOp op);
serialization::Offset<::tt::target::MeshShardOp>
serializeMeshShard(serialization::FlatbufferObjectCache &cache, MeshShardOp op);

} // namespace mlir::tt::ttmetal

#endif
