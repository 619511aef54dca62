#ifndef DIALECTS_TT_COMPUTECONFIG_H
#define DIALECTS_TT_COMPUTECONFIG_H

#include "dialects/TT/TTTypes.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"

#include <optional>
#include <string>

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

/// What the user demands by the name of an op's NameLoc.
struct ComputeConfigOverrides {
  llvm::StringMap<ComputeConfig> entries;
};

/// What is wrong with a text such as `hifi4:fp32_dest_acc_en`, which demands
/// how the op of that name is computed; empty if nothing.
std::string checkComputeConfigOverride(llvm::StringRef name,
                                       llvm::StringRef text);

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

/// Reads `name=part:part...,name=part...`, where a part is a fidelity, or the
/// name of a switch with `=true` or `=false` behind it, or nothing for `=true`.
template <>
class parser<mlir::tt::ComputeConfigOverrides>
    : public basic_parser<mlir::tt::ComputeConfigOverrides> {
public:
  using basic_parser::basic_parser;

  /// True, with an error on the option, if `text` is ill-formed.
  bool parse(Option &option, StringRef argumentName, StringRef text,
             mlir::tt::ComputeConfigOverrides &overrides);

  /// The form that parse() reads, in the order of the names.
  static void print(raw_ostream &os,
                    const mlir::tt::ComputeConfigOverrides &overrides);

  void printOptionDiff(const Option &option,
                       const mlir::tt::ComputeConfigOverrides &overrides,
                       const OptionValue<mlir::tt::ComputeConfigOverrides> &,
                       size_t width) const;

  StringRef getValueName() const override { return "name=part:...,..."; }
};

} // namespace llvm::cl

#endif
