#ifndef TARGET_COMMON_SERIALIZEMODULE_H
#define TARGET_COMMON_SERIALIZEMODULE_H

#include "target/Common/Goldens.h"
#include "target/Common/Module.h"
#include "target/Common/RemarkTables.h"

#include "llvm/Support/raw_ostream.h"

#include <optional>

namespace mlir::tt::serialization {

/// Makes the debug information of a program from the C++ of its kernels, if the
/// module has no C++.
using Describe = function_ref<Offset<fbs::DebugInfo>(StringRef cpp)>;

/// The file of a module: `serialize(cache, function, describe)` makes the
/// programs, `create` the root table. With `cpp`, the C++ of the module, all
/// programs refer to it.
template <typename BinaryT, typename ProgramT, typename SerializeT,
          typename CreateT>
FailureOr<FlatbufferBytes>
serializeModule(const ModuleSource &source, StringRef dialect,
                const Attachments &attachments, std::optional<StringRef> cpp,
                SerializeT serialize, CreateT create, const char *identifier) {
  RemarkTables remarks(attachments.remarks);
  if (failed(
          expectToFit(source, (cpp ? cpp->size() : 0) + remarks.getMaxBytes())))
    return failure();

  ::flatbuffers::FlatBufferBuilder fbb(1 << 16);
  FlatbufferObjectCache cache(fbb, source.device);
  cache.reserved = source.goldenBytes + remarks.getMaxBytes();
  auto createString = [&](StringRef text) {
    return fbb.CreateString(text.data(), text.size());
  };
  auto text = createString(source.text);
  auto mlir = fbs::CreateMLIR(fbb, createString(dialect), text);
  Offset<::flatbuffers::String> shared = cpp ? createString(*cpp) : 0;
  auto programs =
      serializeFunctions<ProgramT>(source.module, [&](func::FuncOp func) {
        StringRef name = func.getSymName();
        return serialize(cache, func, [&](StringRef own) {
          auto golden = createGoldenInfo(fbb, name, attachments.goldens);
          return remarks.createDebugInfo(
              fbb, name, mlir, cpp ? shared : createString(own), golden);
        });
      });
  if (failed(programs))
    return failure();
  return finishBinary<BinaryT>(cache, source, *programs, create, identifier);
}

/// Writes a file to a stream; nothing if it could not be made.
inline LogicalResult write(const FailureOr<FlatbufferBytes> &bytes,
                           llvm::raw_ostream &os) {
  if (failed(bytes))
    return failure();
  os << bytes->str();
  return success();
}

} // namespace mlir::tt::serialization

#endif
