#ifndef NESTING_H
#define NESTING_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mlir::tt {

/// How deep brackets may be nested in a text of MLIR. Its parser calls itself
/// for each and ends the process when the stack is full, which takes some
/// thousands.
constexpr unsigned kMaxNesting = 1000;

/// The line, from 1 on, where `()`, `[]`, `{}` and `<>` are nested deeper;
/// nothing for other texts and for bytecode. What is in strings and comments
/// does not count.
std::optional<unsigned> findDeepNesting(llvm::StringRef text);

} // namespace mlir::tt

#endif
