#ifndef DIALECTS_TT_PROGRAMCLOCK_H
#define DIALECTS_TT_PROGRAMCLOCK_H

#include "dialects/TT/ComputeConfig.h"
#include "dialects/TT/KnownTimes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectInterface.h"

#include <limits>

namespace mlir::tt {

/// The time of what the clock cannot tell: it is never chosen.
inline constexpr double kUnknownTime = std::numeric_limits<double>::infinity();

/// Says how long programs take on the chip. The emulator's clock knows it, and
/// the compiler does not contain the emulator: a tool that has both attaches
/// one to the TT dialect of its context (target/Clock). Without one, passes
/// decide by rules.
class ProgramClock : public DialectInterface::Base<ProgramClock> {
public:
  using Base::Base;

  /// Cycles of all ops of a module of TTIR, in which each tensor has a layout,
  /// computed as is demanded; it is lowered by that. Unknown if it cannot be.
  virtual double getCycles(ModuleOp program,
                           ComputeConfigDemands &demands) const = 0;

  /// The same for a module of TTNN, as it is.
  virtual double getCycles(ModuleOp program) const = 0;

  /// What this clock has measured in this process.
  virtual KnownTimes &getKnownTimes() const = 0;
};

/// A module for the clock: one function on the device of `module`, without
/// remarks. `build` makes its body and returns the results.
OwningOpRef<ModuleOp>
createTrial(ModuleOp module, TypeRange arguments, TypeRange results,
            llvm::function_ref<SmallVector<Value>(OpBuilder &builder,
                                                  ValueRange arguments)>
                build);

} // namespace mlir::tt

#endif
