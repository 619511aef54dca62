#ifndef CONVERSION_TODAYTOTTIR_TODAYTOTTIR_H
#define CONVERSION_TODAYTOTTIR_TODAYTOTTIR_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mlir::tt::today {

/// The form of TTIR that a text is in: the one that front ends write since
/// 2025, or this project's own, which is that of 2024. Both call the dialect
/// `ttir`.
enum class TextForm { Auto, Today, Own };

/// `auto`, `today` and `2024`.
std::optional<TextForm> symbolizeTextForm(StringRef name);

/// Whether a text is in today's form. It is, if
/// - it names the dialect `ttcore`, or an attribute of `ttir`, or has an op of
///   `ttir` in a form of its own, such as `ttir.empty()`; or
/// - it has ops of `ttir` that only today's form has or both forms have, and
///   `operand_constraints`, which ops of the own form need, nowhere.
/// A text with none but constants (`constant`, `full`, `arange`) is in the own
/// form. Strings, comments and what is in them do not count. The text is looked
/// through once.
bool isToday(StringRef text, MLIRContext &context);

/// The module of a text in today's form, as ops of this project; null after one
/// error in `context` that names everything that cannot be expressed.
/// Locations are in `file`.
OwningOpRef<ModuleOp> read(StringRef text, StringRef file,
                           MLIRContext *context);

/// The module of a text or of bytecode; null after errors in `context`.
OwningOpRef<ModuleOp> parse(StringRef text, StringRef file,
                            MLIRContext *context, TextForm form);

} // namespace mlir::tt::today

#endif
