#include "dialects/TT/ComputeConfig.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tt;

/// The switches by their names in texts.
static constexpr std::pair<StringRef, std::optional<bool> ComputeConfig::*>
    kSwitches[] = {{"math_approx_mode", &ComputeConfig::mathApproxMode},
                   {"fp32_dest_acc_en", &ComputeConfig::fp32DestAccEn},
                   {"packer_l1_acc", &ComputeConfig::packerL1Acc}};

ComputeConfig ComputeConfig::orElse(const ComputeConfig &other) const {
  ComputeConfig result = *this;
  if (!result.mathFidelity)
    result.mathFidelity = other.mathFidelity;
  for (auto [name, member] : kSwitches)
    if (!(result.*member))
      result.*member = other.*member;
  return result;
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

static Problem readPart(StringRef name, StringRef part, ComputeConfig &config) {
  auto check = [&](bool isFirst) {
    return isFirst ? Problem()
                   : ("Compute config of " + name +
                      " has two parts of one kind: " + part +
                      " (expected each kind once)")
                         .str();
  };
  if (auto fidelity = symbolizeMathFidelity(part))
    return check(setOnce(config.mathFidelity, *fidelity));
  auto [key, value] = part.split('=');
  for (auto [known, member] : kSwitches)
    if (key == known && (value == "true" || value == "false" || part == key))
      return check(setOnce(config.*member, value != "false"));
  return ("Invalid part of a compute config: " + part +
          " (expected lofi, hifi2, hifi3, hifi4, or one of math_approx_mode, "
          "fp32_dest_acc_en and packer_l1_acc, with =true or =false behind it)")
      .str();
}

Problem ComputeConfigOverrides::read(StringRef name, StringRef text,
                                     ComputeConfig &config) {
  for (StringRef part : llvm::split(text, ':'))
    if (Problem problem = readPart(name, part, config); !problem.empty())
      return problem;
  return "";
}

void ComputeConfigOverrides::print(raw_ostream &os,
                                   const ComputeConfig &config) {
  SmallVector<std::string, 4> parts;
  if (config.mathFidelity)
    parts.push_back(stringifyEnum(*config.mathFidelity).str());
  for (auto [known, member] : kSwitches)
    if (config.*member)
      parts.push_back(known.str() + (*(config.*member) ? "" : "=false"));
  os << llvm::join(parts, ":");
}

//===----------------------------------------------------------------------===//
// Demands
//===----------------------------------------------------------------------===//

static std::optional<MathFidelity> toFidelity(MathFidelityOption option) {
  switch (option) {
  case MathFidelityOption::Default:
    return std::nullopt;
  case MathFidelityOption::LoFi:
    return MathFidelity::LoFi;
  case MathFidelityOption::HiFi2:
    return MathFidelity::HiFi2;
  case MathFidelityOption::HiFi3:
    return MathFidelity::HiFi3;
  case MathFidelityOption::HiFi4:
    return MathFidelity::HiFi4;
  }
  llvm_unreachable("every fidelity is named");
}

static std::optional<bool> toSwitch(ComputeSwitch option) {
  if (option == ComputeSwitch::Default)
    return std::nullopt;
  return option == ComputeSwitch::True;
}

ComputeConfigDemands::ComputeConfigDemands(
    MathFidelityOption fidelity, ComputeSwitch fp32DestAccEn,
    ComputeSwitch mathApproxMode, ComputeSwitch packerL1Acc,
    const ComputeConfigOverrides &overrides)
    : all{toFidelity(fidelity), toSwitch(mathApproxMode),
          toSwitch(fp32DestAccEn), toSwitch(packerL1Acc)},
      overrides(overrides) {
  for (StringRef name : overrides.entries.keys())
    unusedNames.insert(name);
}

ComputeConfig ComputeConfigDemands::forOp(Operation *op) {
  ComputeConfig result;
  if (overrides.entries.empty())
    return result;
  op->walk<WalkOrder::PreOrder>([&](Operation *nested) {
    nested->getLoc()->walk([&](Location location) {
      auto name = dyn_cast<NameLoc>(location);
      auto entry = name ? overrides.entries.find(name.getName())
                        : overrides.entries.end();
      if (entry == overrides.entries.end())
        return WalkResult::advance();
      unusedNames.erase(name.getName());
      result = result.orElse(entry->second);
      return WalkResult::advance();
    });
  });
  return result;
}

void ComputeConfigDemands::warnOfUnusedNames(Operation *module) const {
  SmallVector<StringRef> names(unusedNames.keys());
  llvm::sort(names);
  for (StringRef name : names)
    module->emitWarning("no op that computes has the location name '")
        << name << "' of override-compute-config";
}
