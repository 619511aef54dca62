#ifndef TARGET_COMMON_FLATBUFFER_H
#define TARGET_COMMON_FLATBUFFER_H

#include "dialects/TT/TT.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/StringSaver.h"

#include <memory>
#include <vector>

namespace mlir::tt {

/// A finished flatbuffer with its size prefix.
struct FlatbufferBytes {
  std::shared_ptr<void> data;
  size_t size = 0;

  StringRef str() const {
    return StringRef(static_cast<const char *>(data.get()), size);
  }
};

/// Writes a file that appears under its name when it is complete; on failure
/// there is none.
llvm::Error writeFile(StringRef path, StringRef contents);

/// What an input or an output of a program is expected to hold.
struct Golden {
  /// Name of the function.
  StringRef program;
  /// `input_<i>` or `output_<i>`.
  StringRef key;
  ArrayRef<int64_t> shape;
  DataType dataType;
  /// The elements, row-major.
  StringRef data;
};

/// Remarks of one program in a file.
inline constexpr size_t kMaxFileRemarks = 10000;

/// A remark of a pass, as files have it.
struct FileRemark {
  StringRef kind, pass, name, function, location, label;
  ArrayRef<std::pair<StringRef, StringRef>> args;
};

/// Remarks with their texts.
class RemarkList {
public:
  /// Has room for the first `most` of each function.
  explicit RemarkList(size_t most = SIZE_MAX) : most(most) {}

  /// Adds a copy, with its arguments in the order of their keys; of a key that
  /// is there twice, the last value.
  void add(const FileRemark &remark);
  bool isFull(StringRef function) const {
    return counts.lookup(function) >= most;
  }
  /// Counts a remark that is not kept.
  void skip(StringRef function) { ++counts[function]; }

  ArrayRef<FileRemark> get() const { return remarks; }
  /// Of a function, with those that are not kept.
  size_t count(StringRef function) const { return counts.lookup(function); }

private:
  size_t most;
  llvm::BumpPtrAllocator storage;
  // Many remarks differ in few words.
  llvm::UniqueStringSaver words{storage};
  std::vector<FileRemark> remarks;
  llvm::StringMap<size_t> counts;
};

/// What a file has beside its programs.
struct Attachments {
  ArrayRef<Golden> goldens;
  const RemarkList *remarks = nullptr;
  /// Without, the texts of the program in MLIR and C++ are empty.
  bool withTexts = true;
};

} // namespace mlir::tt

#endif
