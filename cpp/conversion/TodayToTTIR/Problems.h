#ifndef CONVERSION_TODAYTOTTIR_PROBLEMS_H
#define CONVERSION_TODAYTOTTIR_PROBLEMS_H

#include "conversion/TodayToTTIR/Import.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

#include <optional>
#include <string>

namespace mlir::tt::today {

/// Whether an attribute of a function, an argument or a module is known: what
/// it says is used, or the compiler finds it itself.
bool isKnownAttribute(StringRef name);

/// What a text has that cannot be expressed, and what is dropped of it.
class Problems {
public:
  explicit Problems(Import &import) : import(import) {}

  /// An op, or what else is at a place of the text, and why it cannot be
  /// expressed.
  void add(Operation *op, const Twine &reason) {
    add(op->getLoc(), op->getName().getStringRef(), reason);
  }
  void add(Location place, const Twine &what, const Twine &reason) {
    problems.push_back({import.location(place), what.str(), reason.str()});
  }
  bool empty() const { return problems.empty(); }
  /// One error: all that cannot be expressed, where each is, and why.
  void report() const;

  /// Notes an attribute that is dropped, unless it is known.
  void drop(StringRef attribute, Location place);
  void drop(DictionaryAttr attributes, Location place);
  /// One remark that names them; none without.
  void remarkDropped() const;

private:
  struct Problem {
    Location place;
    std::string what;
    std::string reason;
  };

  Import &import;
  SmallVector<Problem> problems;
  llvm::SetVector<StringRef> dropped;
  std::optional<Location> firstDropped;
};

} // namespace mlir::tt::today

#endif
