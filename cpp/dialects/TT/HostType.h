#ifndef DIALECTS_TT_HOSTTYPE_H
#define DIALECTS_TT_HOSTTYPE_H

#include "llvm/ADT/StringRef.h"

namespace mlir::tt {

/// The tensor type that the source gave to a function argument or result, if
/// the program uses another one. It is written to files, so that the host keeps
/// the source's element type and shape. A complex tensor has a first dimension
/// of extent 2: all real parts, followed by all imaginary ones.
inline constexpr llvm::StringLiteral kHostTypeAttr = "tt.host_type";

} // namespace mlir::tt

#endif
