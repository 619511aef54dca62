// A loaded file behind the public Flatbuffer handles.
#ifndef TT_RUNTIME_COMMON_FILE_H
#define TT_RUNTIME_COMMON_FILE_H

#include "common/layout.h"
#include "common/mesh_device.h"
#include "tt/runtime/types.h"

#include <memory>
#include <vector>

namespace tt::target {
struct SystemDesc;
}
namespace tt::runtime::ttnn {
struct Program;
}
namespace tt::runtime::ttmetal {
struct Program;
}

namespace tt::runtime {

enum class FileKind : std::uint8_t { Ttnn, TtMetal, SystemDesc };

struct LoadedFile {
  std::shared_ptr<const void> bytes; // with the size prefix
  std::size_t size = 0;
  FileKind kind = FileKind::Ttnn;
  // Decoded at load for files of this version, else empty.
  std::vector<std::shared_ptr<const ttnn::Program>> programs;
  std::vector<std::shared_ptr<const ttmetal::Program>> metalPrograms;

  const std::uint8_t *data() const {
    return static_cast<const std::uint8_t *>(bytes.get());
  }
};

/// Verifies the bytes and decodes what they say.
std::shared_ptr<LoadedFile> loadFile(std::shared_ptr<const void> bytes,
                                     std::size_t size, const char *where);

/// Throws Error(Format), which names the field, for a text that cannot be shown
/// and for a file that stands for far more than it has.
void checkContents(const LoadedFile &file);

/// The runtime that the programs of a binary are for.
DeviceRuntime runtimeOf(const Binary &binary);

/// The decoded program; throws Error(Version) for a file of another version,
/// Error(Argument) for an index that does not exist or a file of the other
/// runtime.
const ttnn::Program &getProgram(const Binary &binary, std::uint32_t index);
const ttmetal::Program &getMetalProgram(const Binary &binary,
                                        std::uint32_t index);

/// Where a program of either runtime runs.
MeshDevice meshOf(const Binary &binary, std::uint32_t index);

/// The layouts of the inputs or outputs of a program of either runtime, as
/// callers see them: without variables.
std::vector<const Layout *> argumentLayouts(const Binary &binary,
                                            std::uint32_t index, bool inputs);

/// Throws Error(Version) unless the file was written by this version.
void checkVersion(const Flatbuffer &file);

/// Throws Error(SystemMismatch) naming the first field that differs.
void checkSameSystem(::tt::target::SystemDesc const *expected,
                     ::tt::target::SystemDesc const *found);

/// The buffer as JSON text by the embedded schema; without `elements`, the
/// bytes of constants and goldens and the instructions of kernels are left out.
/// Throws Error(Unsupported) where it would be far longer than the file.
std::string toJson(const LoadedFile &file, bool elements);

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_FILE_H
