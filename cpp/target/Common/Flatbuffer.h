#ifndef TARGET_COMMON_FLATBUFFER_H
#define TARGET_COMMON_FLATBUFFER_H

#include "dialects/TT/TT.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

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

/// A remark of a pass, as files have it.
struct FileRemark {
  StringRef kind, pass, name, function, location, label;
  SmallVector<std::pair<StringRef, StringRef>, 4> args;
};

/// What a file has beside its programs.
struct Attachments {
  ArrayRef<Golden> goldens;
  ArrayRef<FileRemark> remarks;
  /// Without, the text of the program in C++ is empty.
  bool withCpp = true;
};

} // namespace mlir::tt

#endif
