#include "target/Common/RemarkTables.h"

using namespace mlir::tt;
using namespace mlir::tt::serialization;

namespace fbs = ::tt::target;
using ::flatbuffers::FlatBufferBuilder;
using ::flatbuffers::Offset;

void RemarkList::add(const FileRemark &remark) {
  llvm::SmallVector<std::pair<llvm::StringRef, llvm::StringRef>> args;
  for (auto [key, value] : remark.args) {
    auto *at = llvm::lower_bound(args, key, [](const auto &arg, auto other) {
      return arg.first < other;
    });
    if (at == args.end() || at->first != key)
      at = args.insert(at, {words.save(key), {}});
    at->second = words.save(value);
  }
  ++counts[remark.function];
  remarks.push_back({words.save(remark.kind), words.save(remark.pass),
                     words.save(remark.name), words.save(remark.function),
                     words.save(remark.location), words.save(remark.label),
                     llvm::ArrayRef(args).copy(storage)});
}

RemarkTables::RemarkTables(const RemarkList *remarks) : remarks(remarks) {
  if (!remarks)
    return;
  for (const FileRemark &remark : remarks->get()) {
    byFunction[remark.function].push_back(&remark);
    for (const auto &[key, value] : remark.args)
      maxBytes += key.size() + value.size();
  }
}

Offset<::flatbuffers::String> RemarkTables::share(FlatBufferBuilder &fbb,
                                                  llvm::StringRef text) {
  auto [it, isNew] = texts.try_emplace(text);
  if (isNew)
    it->second = fbb.CreateString(text.data(), text.size());
  return it->second;
}

Offset<fbs::Remark> RemarkTables::createRemark(FlatBufferBuilder &fbb,
                                               const FileRemark &remark) {
  llvm::SmallVector<Offset<fbs::RemarkArg>> args;
  for (const auto &[key, value] : remark.args) {
    auto name = share(fbb, key);
    args.push_back(fbs::CreateRemarkArg(fbb, name, share(fbb, value)));
  }
  auto kind = share(fbb, remark.kind), pass = share(fbb, remark.pass),
       name = share(fbb, remark.name), function = share(fbb, remark.function),
       location = share(fbb, remark.location), label = share(fbb, remark.label);
  return fbs::CreateRemark(fbb, kind, pass, name, function, location, label,
                           fbb.CreateVector(args.data(), args.size()));
}

Offset<fbs::DebugInfo> RemarkTables::createDebugInfo(
    FlatBufferBuilder &fbb, llvm::StringRef program, Offset<fbs::MLIR> mlir,
    Offset<::flatbuffers::String> cpp, Offset<fbs::GoldenInfo> goldens) {
  llvm::SmallVector<const FileRemark *> own;
  size_t count = 0;
  for (llvm::StringRef function : {llvm::StringRef(), program})
    if (auto it = byFunction.find(function); it != byFunction.end()) {
      llvm::append_range(own, it->second);
      count += remarks->count(function);
      byFunction.erase(it);
    }
  std::vector<Offset<fbs::Remark>> made;
  for (const FileRemark *remark :
       llvm::ArrayRef(own).take_front(std::min(own.size(), kMaxFileRemarks)))
    made.push_back(createRemark(fbb, *remark));
  auto written = made.empty() ? 0 : fbb.CreateVector(made);
  return fbs::CreateDebugInfo(fbb, mlir, cpp, goldens, written, count);
}
