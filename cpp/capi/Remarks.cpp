#include "ttmlir-c/Remarks.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Remarks.h"

#include <mutex>

using namespace mlir;

/// file:line:column of a location, and its name; empty without. What an op was
/// inlined or fused from comes in the order of the text.
static std::pair<std::string, StringRef> describe(Location location) {
  std::string place;
  StringRef label;
  location->walk([&](Location part) {
    if (auto name = dyn_cast<NameLoc>(part); name && label.empty())
      label = name.getName();
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    place = llvm::formatv("{0}:{1}:{2}", file.getFilename().getValue(),
                          file.getLine(), file.getColumn());
    return WalkResult::interrupt();
  });
  return {std::move(place), label};
}

namespace {
/// Passes on functions may run in several threads.
class CallbackStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  CallbackStreamer(TTMLIRRemarkCallback callback, void *userData)
      : callback(callback), userData(userData) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    SmallVector<MlirStringRef> keys, values;
    for (const remark::detail::Remark::Arg &arg : remark.getArgs()) {
      keys.push_back(wrap(StringRef(arg.key)));
      values.push_back(wrap(StringRef(arg.val)));
    }
    auto [place, label] = describe(remark.getLocation());
    StringRef function = remark.getFunction();
    if (function.starts_with('<')) // The engine's text for none.
      function = "";
    TTMLIRRemark found{wrap(remark.getRemarkTypeString()),
                       wrap(remark.getCategoryName()),
                       wrap(remark.getRemarkName()),
                       wrap(function),
                       wrap(StringRef(place)),
                       wrap(label),
                       keys.data(),
                       values.data(),
                       keys.size()};
    std::lock_guard<std::mutex> lock(mutex);
    callback(&found, userData);
  }

private:
  TTMLIRRemarkCallback callback;
  void *userData;
  std::mutex mutex;
};
} // namespace

MlirLogicalResult
ttmlirContextSetRemarkCallback(MlirContext context, MlirStringRef passes,
                               TTMLIRRemarkCallback callback, void *userData,
                               MlirStringCallback problem, void *problemData) {
  MLIRContext *own = unwrap(context);
  own->setRemarkEngine(nullptr);
  if (!callback)
    return mlirLogicalResultSuccess();
  std::string filter = unwrap(passes).str(), error;
  if (!llvm::Regex(filter).isValid(error)) {
    problem(wrap(StringRef(error)), problemData);
    return mlirLogicalResultFailure();
  }
  // The engine's filters match whole names, and one for all kinds only widens
  // those that a kind has.
  filter = ".*(" + filter + ").*";
  remark::RemarkCategories all{filter, filter, filter, filter, filter};
  // Fails if the streamer does, and this one has nothing to open.
  (void)remark::enableOptimizationRemarks(
      *own, std::make_unique<CallbackStreamer>(callback, userData),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), all);
  return mlirLogicalResultSuccess();
}
