#ifndef TARGET_TTMETAL_DISPATCH_H
#define TARGET_TTMETAL_DISPATCH_H

#include "dialects/TTMetal/TTMetal.h"
#include "target/Common/Tensors.h"

#include "ttmlir/Target/TTMetal/binary_generated.h"

#include <string>

namespace mlir::tt::ttmetal {

namespace fbs = ::tt::target;

/// The kernels of a dispatch with their buffers and arguments; null on failure,
/// after an error. The C++ text of each kernel is appended to `cpp` too.
::flatbuffers::Offset<fbs::metal::EnqueueProgramCommand>
serializeDispatch(serialization::FlatbufferObjectCache &cache, DispatchOp op,
                  std::string &cpp);

} // namespace mlir::tt::ttmetal

#endif
