#include "ttmlir-c/Remarks.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Remarks.h"

#include <mutex>

using namespace mlir;

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
    TTMLIRRemark found{wrap(remark.getRemarkTypeString()),
                       wrap(remark.getCategoryName()),
                       wrap(remark.getRemarkName()),
                       wrap(remark.getFunction()),
                       wrap(remark.getLocation()),
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

void ttmlirContextSetRemarkCallback(MlirContext context,
                                    TTMLIRRemarkCallback callback,
                                    void *userData) {
  MLIRContext *own = unwrap(context);
  own->setRemarkEngine(nullptr);
  if (!callback)
    return;
  // A filter for all kinds only widens those that a kind has.
  remark::RemarkCategories all{".*", ".*", ".*", ".*", ".*"};
  // Fails if the streamer does, and this one has nothing to open.
  (void)remark::enableOptimizationRemarks(
      *own, std::make_unique<CallbackStreamer>(callback, userData),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), all);
}
