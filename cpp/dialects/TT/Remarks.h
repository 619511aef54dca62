#ifndef DIALECTS_TT_REMARKS_H
#define DIALECTS_TT_REMARKS_H

#include "dialects/TT/TT.h"

#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

#include <string>

namespace mlir::tt {

/// A function with this attribute is lowered to see what it would cost: there
/// are no remarks on it.
inline constexpr llvm::StringLiteral kTrialAttr = "tt.trial";

/// The remarks of a pass on what it decided. They are those of MLIR's remark
/// engine: the category is the pass, the first argument the op. A remark that
/// nobody asked for is false, so that its texts are not made:
///
///   constexpr Remarks kGenericRemarks("ttir-generic");
///   if (auto remark = kGenericRemarks.passed(op, "Fused"))
///     remark << reason("{0} ops become one kernel", count)
///            << rejected("'ttir.exp' stays alone: 2 ops read it");
///
/// Passes that emit some run on modules, so their order is always the same.
class Remarks {
public:
  using InFlight = remark::detail::InFlightRemark;

  /// `pass` is the name on the command line.
  constexpr explicit Remarks(llvm::StringLiteral pass) : pass(pass) {}

  /// What was done. The engine keeps a name as it is: names are literals.
  InFlight passed(Operation *op, StringRef name) const {
    return emit(remark::passed, op, name);
  }
  /// What was not done, though the program may expect it.
  InFlight missed(Operation *op, StringRef name) const {
    return emit(remark::missed, op, name);
  }
  /// What was found, such as a size, with nothing to decide.
  InFlight analysis(Operation *op, StringRef name) const {
    return emit(remark::analysis, op, name);
  }

private:
  using Emitter = InFlight (*)(Location, remark::RemarkOpts);
  InFlight emit(Emitter emitter, Operation *op, StringRef name) const {
    if (LLVM_LIKELY(!op->getContext()->getRemarkEngine()))
      return {};
    return emitWanted(emitter, op, name);
  }
  InFlight emitWanted(Emitter emitter, Operation *op, StringRef name) const;

  llvm::StringLiteral pass;
};

/// Who collects the remarks of a context may keep some of them only: the others
/// are not made.
class RemarkLimit : public DialectInterface::Base<RemarkLimit> {
public:
  explicit RemarkLimit(Dialect *dialect) : Base(dialect) {}
  /// Whether a remark of the pass on the function is kept; empty for all.
  mutable llvm::unique_function<bool(StringRef pass, StringRef function)> keeps;
};

/// What was decided and why; the format is that of llvm::formatv.
template <typename... Ts>
remark::detail::Remark::Arg reason(const char *format, Ts &&...values) {
  return {"Reason", llvm::formatv(format, std::forward<Ts>(values)...).str()};
}

/// What was not chosen and why not.
template <typename... Ts>
remark::detail::Remark::Arg rejected(const char *format, Ts &&...values) {
  return {"Rejected", llvm::formatv(format, std::forward<Ts>(values)...).str()};
}

/// The ops of the range without destinations: `ttir.max, 2 ttir.sum`.
std::string countOps(Block::iterator begin, Block::iterator end);

/// The layout as the optimizer's overrides write it:
/// `2x4:l1:block_sharded:tile`.
std::string describe(LayoutAttr layout);

} // namespace mlir::tt

#endif
