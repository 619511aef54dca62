#ifndef TEXTLIMITS_H
#define TEXTLIMITS_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace mlir::tt {

/// What a text of MLIR exceeds: the line, from 1 on, and an error.
struct ExceededLimit {
  unsigned line;
  std::string message;
};

/// The first limit that a text of MLIR exceeds, of those beyond which MLIR's
/// parser and verifiers end the process:
/// - `()`, `[]`, `{}` and `<>` are nested at most 1000 deep: the parser calls
///   itself for each;
/// - numbers of results, as in `%name#3`, are at most 2^20: all are created;
/// - types such as `tensor<4x8xf32>` have at most 2^60 elements: their number
///   is computed in 64 bits.
/// Nothing for bytecode. Strings and comments do not count.
std::optional<ExceededLimit> findExceededLimit(llvm::StringRef text);

} // namespace mlir::tt

#endif
