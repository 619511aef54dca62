#ifndef DIALECTS_TT_HOSTTYPE_H
#define DIALECTS_TT_HOSTTYPE_H

#include "llvm/ADT/StringRef.h"

namespace mlir::tt {

/// Of an argument or a result of a function: the tensor type that the source
/// gave it, where the program has another one. It goes into files, so that the
/// host keeps the element type and the shape of the source. Complex numbers are
/// a tensor with a first dimension of extent 2: all real parts, and then all
/// imaginary ones.
inline constexpr llvm::StringLiteral kHostTypeAttr = "tt.host_type";

} // namespace mlir::tt

#endif
