#include "target/Common/RemarkTables.h"

using namespace mlir::tt;
using namespace mlir::tt::serialization;

namespace fbs = ::tt::target;
using ::flatbuffers::FlatBufferBuilder;
using ::flatbuffers::Offset;

RemarkTables::RemarkTables(llvm::ArrayRef<FileRemark> remarks) {
  for (const FileRemark &remark : remarks) {
    byFunction[remark.function].push_back(&remark);
    for (const auto &[key, value] : remark.args)
      maxBytes += key.size() + value.size();
  }
}

static Offset<::flatbuffers::String> share(FlatBufferBuilder &fbb,
                                           llvm::StringRef text) {
  return fbb.CreateSharedString(text.data(), text.size());
}

static Offset<fbs::Remark> createRemark(FlatBufferBuilder &fbb,
                                        const FileRemark &remark) {
  std::vector<Offset<fbs::RemarkArg>> args;
  for (const auto &[key, value] : remark.args) {
    auto name = share(fbb, key);
    args.push_back(fbs::CreateRemarkArg(fbb, name, share(fbb, value)));
  }
  auto kind = share(fbb, remark.kind), pass = share(fbb, remark.pass),
       name = share(fbb, remark.name), function = share(fbb, remark.function),
       location = share(fbb, remark.location), label = share(fbb, remark.label);
  return fbs::CreateRemark(fbb, kind, pass, name, function, location, label,
                           fbb.CreateVector(args));
}

Offset<fbs::DebugInfo> RemarkTables::createDebugInfo(
    FlatBufferBuilder &fbb, llvm::StringRef program, Offset<fbs::MLIR> mlir,
    Offset<::flatbuffers::String> cpp, Offset<fbs::GoldenInfo> goldens) {
  llvm::SmallVector<const FileRemark *> own;
  for (llvm::StringRef function : {llvm::StringRef(), program})
    if (auto it = byFunction.find(function); it != byFunction.end()) {
      llvm::append_range(own, it->second);
      byFunction.erase(it);
    }
  std::vector<Offset<fbs::Remark>> remarks;
  for (const FileRemark *remark :
       llvm::ArrayRef(own).take_front(std::min(own.size(), kMaxRemarks)))
    remarks.push_back(createRemark(fbb, *remark));
  auto written = remarks.empty() ? 0 : fbb.CreateVector(remarks);
  return fbs::CreateDebugInfo(fbb, mlir, cpp, goldens, written, own.size());
}
