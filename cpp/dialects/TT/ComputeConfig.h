#ifndef DIALECTS_TT_COMPUTECONFIG_H
#define DIALECTS_TT_COMPUTECONFIG_H

#include "dialects/TT/OverridesParser.h"
#include "dialects/TT/TTTypes.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringSet.h"

#include <optional>

namespace mlir::tt {

/// How the engines of a core compute; what is absent, somebody else decides.
struct ComputeConfig {
  std::optional<MathFidelity> mathFidelity;
  std::optional<bool> mathApproxMode, fp32DestAccEn, packerL1Acc;

  /// This, and of `other` what is absent here.
  ComputeConfig orElse(const ComputeConfig &other) const;
};

/// The values of the option math-fidelity.
enum class MathFidelityOption { Default, LoFi, HiFi2, HiFi3, HiFi4 };
/// The values of the other options.
enum class ComputeSwitch { Default, False, True };
/// The values of the options weight-dtype and activation-dtype.
enum class DtypeOption { Default, BFP_BFloat8, BFP_BFloat4 };

/// Texts `part:part...`, where a part is a fidelity, or the name of a switch
/// with
/// `=true` or `=false` behind it, or nothing for `=true`.
struct ComputeConfigOverrides
    : public Overrides<ComputeConfigOverrides, ComputeConfig> {
  static constexpr const char *kWhat = "compute config";
  static constexpr const char *kForm = "part:part...";
  static constexpr const char *kValueName = "name=part:...,...";
  static Problem read(llvm::StringRef name, llvm::StringRef text,
                      ComputeConfig &config);
  static void print(llvm::raw_ostream &os, const ComputeConfig &config);
};

/// What the options of a pass demand of the ops of a module.
class ComputeConfigDemands {
public:
  ComputeConfigDemands() = default;
  ComputeConfigDemands(MathFidelityOption fidelity, ComputeSwitch fp32DestAccEn,
                       ComputeSwitch mathApproxMode, ComputeSwitch packerL1Acc,
                       const ComputeConfigOverrides &overrides);

  /// Of all ops.
  const ComputeConfig &forAll() const { return all; }
  /// Of this one, by its name or, where it was made of several, by the names of
  /// the ops inside.
  ComputeConfig forOp(Operation *op);
  /// A warning for each name that no op had.
  void warnOfUnusedNames(Operation *module) const;

private:
  ComputeConfig all;
  ComputeConfigOverrides overrides;
  llvm::StringSet<> unusedNames;
};

} // namespace mlir::tt

namespace llvm::cl {

template <>
class parser<mlir::tt::ComputeConfigOverrides>
    : public OverridesParser<mlir::tt::ComputeConfigOverrides> {
public:
  using OverridesParser::OverridesParser;
};

} // namespace llvm::cl

#endif
