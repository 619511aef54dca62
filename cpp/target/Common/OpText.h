#ifndef TARGET_COMMON_OPTEXT_H
#define TARGET_COMMON_OPTEXT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/DenseMap.h"

#include <string>

namespace mlir::tt::serialization {

/// Prints the ops of a function one by one: without aliases, with their
/// locations, and with the numbers that values have in the function.
///
/// The text is that of `Operation::print`. A layout or a device prints far more
/// slowly than it is copied, and a program has few of them, so the text of each
/// type and each attribute dictionary is made once.
class OpTextPrinter {
public:
  explicit OpTextPrinter(func::FuncOp func);

  /// Valid until the next call.
  StringRef print(Operation *op);

private:
  void printGenericForm(Operation *op, llvm::raw_ostream &os);
  StringRef getText(Type type);
  StringRef getText(Attribute attribute);

  /// One state for the whole function: numbering its values anew for each op
  /// would take quadratic time.
  AsmState state;
  std::string text;
  llvm::DenseMap<const void *, std::string> texts;
};

} // namespace mlir::tt::serialization

#endif
