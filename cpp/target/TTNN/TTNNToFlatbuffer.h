#ifndef TARGET_TTNN_TTNNTOFLATBUFFER_H
#define TARGET_TTNN_TTNNTOFLATBUFFER_H

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

/// Serializes a module of the ttnn dialect as a size-prefixed TTNN binary:
/// version, system description, and one program for each function. On failure
/// there is an error at the op that cannot be serialized, and no bytes.
FailureOr<FlatbufferBytes> serializeToFlatbuffer(Operation *module);

/// The same; null on failure. The size of the buffer is its first four bytes
/// (little endian) plus four.
std::shared_ptr<void> ttnnToFlatbuffer(Operation *module);

/// The same into a stream, to which nothing is written on failure.
LogicalResult translateTTNNToFlatbuffer(Operation *module,
                                        llvm::raw_ostream &os);

/// Registers `ttnn-to-flatbuffer` with mlir-translate.
void registerTTNNToFlatbuffer();

} // namespace ttnn
} // namespace mlir::tt

#endif
