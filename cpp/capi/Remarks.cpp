#include "ttmlir-c/Remarks.h"

#include "dialects/TT/Remarks.h"
#include "target/Common/Flatbuffer.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Remarks.h"

#include <mutex>

using namespace mlir;
using namespace mlir::tt;

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
    place = (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
             Twine(file.getColumn()))
                .str();
    return WalkResult::interrupt();
  });
  return {std::move(place), label};
}

namespace {
/// Passes on functions may run in several threads.
class ListStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  ListStreamer(RemarkList &list, StringRef passes)
      : list(list), passes(passes) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    SmallVector<std::pair<StringRef, StringRef>> args;
    for (const remark::detail::Remark::Arg &arg : remark.getArgs())
      args.emplace_back(arg.key, arg.val);
    auto [place, label] = describe(remark.getLocation());
    StringRef function = remark.getFunction();
    if (function.starts_with('<')) // The engine's text for none.
      function = "";
    std::lock_guard<std::mutex> lock(mutex);
    list.add({remark.getRemarkTypeString(), remark.getCategoryName(),
              remark.getRemarkName(), function, place, label, args});
  }

  /// False if the list is full; the remark is counted then.
  bool keeps(StringRef pass, StringRef function) {
    std::lock_guard<std::mutex> lock(mutex);
    if (!list.isFull(function))
      return true;
    auto [it, isNew] = matches.try_emplace(pass);
    if (isNew)
      it->second = passes.match(pass);
    if (it->second)
      list.skip(function);
    return false;
  }

private:
  RemarkList &list;
  llvm::Regex passes;
  llvm::StringMap<bool> matches;
  std::mutex mutex;
};
} // namespace

static RemarkList *unwrap(TTMLIRRemarkList list) {
  return static_cast<RemarkList *>(list.ptr);
}

TTMLIRRemarkList ttmlirRemarkListCreate(bool all) {
  return {all ? new RemarkList() : new RemarkList(kMaxFileRemarks)};
}

void ttmlirRemarkListDestroy(TTMLIRRemarkList list) { delete unwrap(list); }

size_t ttmlirRemarkListGetSize(TTMLIRRemarkList list) {
  return unwrap(list)->get().size();
}

void ttmlirRemarkListGet(TTMLIRRemarkList list, size_t index,
                         TTMLIRRemarkCallback callback, void *userData) {
  const FileRemark &remark = unwrap(list)->get()[index];
  SmallVector<TTMLIRRemarkArg> args;
  for (auto [key, value] : remark.args)
    args.push_back({wrap(key), wrap(value)});
  TTMLIRRemark found{wrap(remark.kind),     wrap(remark.pass),
                     wrap(remark.name),     wrap(remark.function),
                     wrap(remark.location), wrap(remark.label),
                     args.data(),           args.size()};
  callback(&found, userData);
}

void ttmlirRemarkListAdd(TTMLIRRemarkList list, const TTMLIRRemark *remark) {
  SmallVector<std::pair<StringRef, StringRef>> args;
  for (TTMLIRRemarkArg arg : ArrayRef(remark->args, remark->numArgs))
    args.emplace_back(unwrap(arg.key), unwrap(arg.value));
  unwrap(list)->add({unwrap(remark->kind), unwrap(remark->category),
                     unwrap(remark->name), unwrap(remark->function),
                     unwrap(remark->location), unwrap(remark->label), args});
}

MlirLogicalResult ttmlirContextCollectRemarks(MlirContext context,
                                              MlirStringRef passes,
                                              TTMLIRRemarkList list,
                                              MlirStringCallback problem,
                                              void *problemData) {
  MLIRContext *own = unwrap(context);
  const auto *limit =
      own->getOrLoadDialect<TTDialect>()->getRegisteredInterface<RemarkLimit>();
  limit->keeps = nullptr;
  own->setRemarkEngine(nullptr);
  if (!list.ptr)
    return mlirLogicalResultSuccess();
  StringRef passesText = unwrap(passes);
  std::string error;
  if (!llvm::Regex(passesText).isValid(error)) {
    problem(wrap(StringRef(error)), problemData);
    return mlirLogicalResultFailure();
  }
  // The engine's filters match whole names, and one for all kinds only widens
  // those that a kind has.
  std::string filter = (".*(" + passesText + ").*").str();
  remark::RemarkCategories all{filter, filter, filter, filter, filter};
  auto streamer = std::make_unique<ListStreamer>(*unwrap(list), passesText);
  limit->keeps = [streamer = streamer.get()](StringRef pass,
                                             StringRef function) {
    return streamer->keeps(pass, function);
  };
  // Fails if the streamer does, and this one has nothing to open.
  (void)remark::enableOptimizationRemarks(
      *own, std::move(streamer),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), all);
  return mlirLogicalResultSuccess();
}
