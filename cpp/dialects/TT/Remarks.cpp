#include "dialects/TT/Remarks.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

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
