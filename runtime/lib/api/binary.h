// Binaries: files with programs, which are decoded when they are loaded.
#ifndef TT_RUNTIME_API_BINARY_H
#define TT_RUNTIME_API_BINARY_H

#include "common/file.h"
#include "common/layout.h"
#include "common/mesh_device.h"

#include <vector>

namespace tt::runtime::ttnn {
struct Program;
}
namespace tt::runtime::ttmetal {
struct Program;
}

namespace tt::runtime {

struct LoadedBinary : LoadedFile {
  // Of one runtime; empty in a file of another version.
  std::vector<std::shared_ptr<const ttnn::Program>> programs;
  std::vector<std::shared_ptr<const ttmetal::Program>> metalPrograms;
};

/// Verifies and decodes the programs of a verified file. Throws Error(Format)
/// for a file without programs; errors begin with `where`.
std::shared_ptr<LoadedBinary> loadBinary(const LoadedFile &file,
                                         const char *where);

/// The decoded program; throws Error(Version) for a file of another version,
/// Error(Argument) for an index that does not exist or a file of the other
/// runtime.
const ttnn::Program &getProgram(const Binary &binary, std::uint32_t index);
const ttmetal::Program &getMetalProgram(const Binary &binary,
                                        std::uint32_t index);

/// body(program) of either runtime.
template <typename Body>
auto withProgram(const Binary &binary, std::uint32_t index, const Body &body) {
  return runtimeOf(binary) == DeviceRuntime::TTMetal
             ? body(getMetalProgram(binary, index))
             : body(getProgram(binary, index));
}

/// Where a program of either runtime runs.
MeshDevice meshOf(const ttnn::Program &program);
MeshDevice meshOf(const ttmetal::Program &program);
MeshDevice meshOf(const Binary &binary, std::uint32_t index);

/// The layouts of the inputs or outputs of a program of either runtime, as
/// callers see them: without variables.
std::vector<const Layout *> argumentLayouts(const Binary &binary,
                                            std::uint32_t index, bool inputs);

} // namespace tt::runtime

#endif // TT_RUNTIME_API_BINARY_H
