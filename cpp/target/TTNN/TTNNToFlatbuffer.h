#ifndef TARGET_TTNN_TTNNTOFLATBUFFER_H
#define TARGET_TTNN_TTNNTOFLATBUFFER_H

#include "dialects/TT/TT.h"

#include "mlir/IR/Operation.h"
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

namespace ttnn {

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

/// Serializes a module of the ttnn dialect as a size-prefixed TTNN binary:
/// version, system description, and one program for each function, with its
/// goldens. On failure there is an error at the op that cannot be serialized,
/// or at the function that a golden does not fit, and no bytes.
FailureOr<FlatbufferBytes> serializeToFlatbuffer(Operation *module,
                                                 ArrayRef<Golden> goldens = {});

/// The same; null on failure. The size of the buffer is its first four bytes
/// (little endian) plus four.
std::shared_ptr<void> ttnnToFlatbuffer(Operation *module,
                                       ArrayRef<Golden> goldens = {});

/// The same into a stream, to which nothing is written on failure.
LogicalResult translateTTNNToFlatbuffer(Operation *module,
                                        llvm::raw_ostream &os);

/// Registers `ttnn-to-flatbuffer` with mlir-translate.
void registerTTNNToFlatbuffer();

} // namespace ttnn
} // namespace mlir::tt

#endif
