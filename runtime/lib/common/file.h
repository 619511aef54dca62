// A loaded file behind the public Flatbuffer handles.
#ifndef TT_RUNTIME_COMMON_FILE_H
#define TT_RUNTIME_COMMON_FILE_H

#include "tt/runtime/types.h"

#include <cstdint>
#include <memory>
#include <string>

namespace tt::target {
struct SystemDesc;
}

namespace tt::runtime {

enum class FileKind : std::uint8_t { Ttnn, TtMetal, SystemDesc };

struct LoadedFile {
  std::shared_ptr<const void> bytes; // with the size prefix
  std::size_t size = 0;
  FileKind kind = FileKind::Ttnn;

  const std::uint8_t *data() const {
    return static_cast<const std::uint8_t *>(bytes.get());
  }
};

/// Verifies the bytes, except for programs: `loadBinary` decodes them. Errors
/// begin with `where`.
std::shared_ptr<LoadedFile> loadFile(std::shared_ptr<const void> bytes,
                                     std::size_t size, const char *where);
/// The same for the contents of a file.
std::shared_ptr<LoadedFile> readFile(const char *path);
/// The same for a copy of bytes that belong to the caller.
std::shared_ptr<LoadedFile> copyMemory(const void *memory, std::size_t size);

/// The file behind a handle; throws Error(Argument) if there is none.
const LoadedFile &fileOf(const Flatbuffer &flatbuffer);

bool isOfThisVersion(const LoadedFile &file);

/// Throws Error(Format): expected the file identifier `expected`.
[[noreturn]] void refuseKind(const LoadedFile &file, const char *expected,
                             const char *where);

/// Throws Error(Format), which names the field, for a text that cannot be shown
/// and for a file that stands for far more than it has.
void checkContents(const LoadedFile &file);

/// The runtime that the programs of a binary are for.
DeviceRuntime runtimeOf(const Binary &binary);

/// Throws Error(Version) unless the file was written by this version.
void checkVersion(const Flatbuffer &file);

/// The system that a file describes, or that its programs are for. Throws
/// Error(Version) for a file of another version.
::tt::target::SystemDesc const *systemOf(const Flatbuffer &file);

/// Throws Error(SystemMismatch) naming the first field that differs.
void checkSameSystem(::tt::target::SystemDesc const *expected,
                     ::tt::target::SystemDesc const *found);

/// The buffer as JSON text by the embedded schema; without `elements`, the
/// bytes of constants and goldens and the instructions of kernels are left out.
/// Throws Error(Unsupported) where it would be far longer than the file.
std::string toJson(const LoadedFile &file, bool elements);

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_FILE_H
