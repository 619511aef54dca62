#include "dialects/TT/ComputeConfig.h"
#include "dialects/TT/Remarks.h"
#include "dialects/TTNN/TTNN.h"
#include "dialects/TTNN/Transforms/Passes.h"

namespace mlir::tt::ttnn {

#define GEN_PASS_DEF_TTNNSETCOMPUTEKERNELCONFIG
#include "dialects/TTNN/Transforms/Passes.h.inc"

namespace {

constexpr Remarks kComputeRemarks("ttnn-set-compute-kernel-config");

std::optional<bool> toSwitch(BoolAttr attr) {
  return attr ? std::optional(attr.getValue()) : std::nullopt;
}

ComputeConfig toConfig(DeviceComputeKernelConfigAttr attr) {
  if (!attr)
    return {};
  return {attr.getMathFidelity(), toSwitch(attr.getMathApproxMode()),
          toSwitch(attr.getFp32DestAccEn()), toSwitch(attr.getPackerL1Acc())};
}

/// Null where nothing is said.
DeviceComputeKernelConfigAttr toAttr(MLIRContext *context,
                                     const ComputeConfig &config) {
  auto flag = [&](std::optional<bool> value) {
    return value ? BoolAttr::get(context, *value) : BoolAttr();
  };
  auto attr = DeviceComputeKernelConfigAttr::get(
      context, config.mathFidelity, flag(config.mathApproxMode),
      flag(config.fp32DestAccEn), flag(config.packerL1Acc));
  auto nothing = DeviceComputeKernelConfigAttr::get(context, {}, {}, {}, {});
  return attr == nothing ? DeviceComputeKernelConfigAttr() : attr;
}

class TTNNSetComputeKernelConfig
    : public impl::TTNNSetComputeKernelConfigBase<TTNNSetComputeKernelConfig> {
public:
  using impl::TTNNSetComputeKernelConfigBase<
      TTNNSetComputeKernelConfig>::TTNNSetComputeKernelConfigBase;

  void runOnOperation() final {
    ComputeConfigDemands demands(mathFidelity, fp32DestAccEn, mathApproxMode,
                                 packerL1Acc, overrideComputeConfig);
    numSet += setComputeConfigs(getOperation(), demands);
    demands.warnOfUnusedNames(getOperation());
  }
};

} // namespace

unsigned setComputeConfigs(Operation *root, ComputeConfigDemands &demands) {
  MLIRContext *context = root->getContext();
  unsigned count = 0;
  root->walk([&](Operation *op) {
    if (!computes(op))
      return;
    ComputeConfig own = toConfig(getComputeConfig(op));
    auto attr =
        toAttr(context, demands.forOp(op).orElse(own).orElse(demands.forAll()));
    if (!attr)
      return;
    if (auto remark = kComputeRemarks.passed(op, "Configured"))
      remark << reason("computes with {0}, as {1} says", attr,
                       toAttr(context, demands.forOp(op))
                           ? "an override of the op"
                       : toAttr(context, own) ? "the program"
                                              : "an option for all ops")
             << rejected("the library's defaults for what it states");
    op->setAttr(kComputeConfig, attr);
    ++count;
  });
  return count;
}

} // namespace mlir::tt::ttnn
