#include "dialects/TT/Remarks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tt;

Remarks::InFlight Remarks::emitWanted(Emitter emitter, Operation *op,
                                      StringRef name) const {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<FunctionOpInterface>();
  if (function && function->hasAttr(kTrialAttr))
    return {};
  StringRef functionName = function ? function.getName() : StringRef();
  if (auto *dialect = op->getContext()->getLoadedDialect<TTDialect>()) {
    const auto *limit = dialect->getRegisteredInterface<RemarkLimit>();
    if (limit->keeps && !limit->keeps(pass, functionName))
      return {};
  }
  InFlight remark = emitter(
      op->getLoc(),
      remark::RemarkOpts::name(name).category(pass).function(functionName));
  if (remark)
    remark << remark::detail::Remark::Arg("Op", op->getName().getStringRef());
  return remark;
}

std::string mlir::tt::countOps(Block::iterator begin, Block::iterator end) {
  llvm::MapVector<StringRef, size_t> counts;
  for (Operation &op : llvm::make_range(begin, end))
    if (StringRef name = op.getName().getStringRef(); name != "tensor.empty")
      ++counts[name];
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(counts, os, [&](const auto &entry) {
    if (entry.second > 1)
      os << entry.second << ' ';
    os << entry.first;
  });
  return text;
}

std::string mlir::tt::describe(LayoutAttr layout) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(layout.getGrid().getShape(), os, "x");
  os << ':' << stringifyEnum(layout.getMemorySpace()) << ':'
     << stringifyEnum(layout.getMemLayout())
     << (layout.isTiled() ? ":tile" : ":row_major");
  return text;
}
