#ifndef TARGET_COMMON_REMARKTABLES_H
#define TARGET_COMMON_REMARKTABLES_H

#include "target/Common/Flatbuffer.h"

#include "ttmlir/Target/Common/debug_info_generated.h"

#include "llvm/ADT/StringMap.h"

namespace mlir::tt::serialization {

/// Writes the remarks of a module into the tables of its programs.
class RemarkTables {
public:
  /// What one program has in the file at most.
  static constexpr size_t kMaxRemarks = 10000;

  explicit RemarkTables(ArrayRef<FileRemark> remarks);

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
  llvm::StringMap<SmallVector<const FileRemark *>> byFunction;
  size_t maxBytes = 0;
};

} // namespace mlir::tt::serialization

#endif
