#ifndef TARGET_COMMON_REMARKTABLES_H
#define TARGET_COMMON_REMARKTABLES_H

#include "target/Common/Flatbuffer.h"

#include "ttmlir/Target/Common/debug_info_generated.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::tt::serialization {

/// Writes the remarks of a module into the tables of its programs.
class RemarkTables {
public:
  /// None without a list, which lives on.
  explicit RemarkTables(const RemarkList *remarks);

  /// Of all programs, for the check of the file's size; strings that are there
  /// several times are written once.
  size_t getMaxBytes() const { return maxBytes; }

  /// The table of a program: `mlir`, `cpp` and `goldens`, null if it has none,
  /// with its remarks. Those that are on no function are with the first one.
  ::flatbuffers::Offset<::tt::target::DebugInfo>
  createDebugInfo(::flatbuffers::FlatBufferBuilder &fbb, StringRef program,
                  ::flatbuffers::Offset<::tt::target::MLIR> mlir,
                  ::flatbuffers::Offset<::flatbuffers::String> cpp,
                  ::flatbuffers::Offset<::tt::target::GoldenInfo> goldens);

private:
  ::flatbuffers::Offset<::tt::target::Remark>
  createRemark(::flatbuffers::FlatBufferBuilder &fbb, const FileRemark &remark);
  ::flatbuffers::Offset<::flatbuffers::String>
  share(::flatbuffers::FlatBufferBuilder &fbb, StringRef text);

  llvm::StringMap<::flatbuffers::Offset<::flatbuffers::String>> texts;
  const RemarkList *remarks;
  llvm::StringMap<SmallVector<const FileRemark *>> byFunction;
  size_t maxBytes = 0;
};

} // namespace mlir::tt::serialization

#endif
