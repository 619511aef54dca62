#ifndef TARGET_COMMON_MODULE_H
#define TARGET_COMMON_MODULE_H

#include "target/Common/Flatbuffer.h"

#include "ttmlir/Target/Common/version_generated.h"

#include "flatbuffers/flatbuffers.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::tt::serialization {

/// Offsets in a flatbuffer are signed 32-bit numbers; the builder would abort
/// at this size, which only the texts of debugging can reach.
constexpr size_t kMaxBytes = FLATBUFFERS_MAX_BUFFER_SIZE - (1u << 24);

/// The text of a module, with aliases.
std::string printModule(ModuleOp module);

/// The version and the commit of this compiler.
::tt::target::Version getVersion();
const char *getGitHash();

/// The attribute of the module, or an error that says where it comes from.
template <typename AttrT> AttrT getModuleAttr(ModuleOp module, StringRef pass) {
  auto attr = module->getAttrOfType<AttrT>(AttrT::name);
  if (!attr)
    module->emitError("cannot be serialized: expected the attribute ")
        << AttrT::name << " on the module, which --" << pass << " sets";
  return attr;
}

/// A verifier for a finished buffer of our own.
::flatbuffers::Verifier makeVerifier(::flatbuffers::FlatBufferBuilder &fbb);

/// The bytes of a finished buffer, which the builder gives away.
FlatbufferBytes release(::flatbuffers::FlatBufferBuilder &fbb);

} // namespace mlir::tt::serialization

#endif
