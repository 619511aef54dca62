// Loading and storing: the flatbuffers verifier, then the semantic one for all
// but programs.
#include "common/file.h"

#include "common/layout.h"

#include "tt/runtime/utils.h"
#include "ttmlir/Target/TTMetal/binary_generated.h"
#include "ttmlir/Target/TTNN/binary_generated.h"
#include "ttmlir/Version.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>

namespace tt::runtime {

namespace target = ::tt::target;
namespace fb = ::tt::target::ttnn;
namespace metal = ::tt::target::metal;

namespace {

/// By FileKind.
constexpr const char *kIdentifiers[] = {"TTNN", "TTM0", "TTSY"};

constexpr std::size_t kPrefix = sizeof(flatbuffers::uoffset_t);
constexpr std::size_t kIdentifierOffset =
    kPrefix + sizeof(flatbuffers::uoffset_t);
constexpr std::size_t kHeader = kIdentifierOffset + 4;
constexpr std::size_t kMaxFile = FLATBUFFERS_MAX_BUFFER_SIZE + kPrefix;

/// The identifier with what is not printable shown as '?'.
std::string printable(const char *text, std::size_t size) {
  std::string result(text, size);
  for (char &c : result)
    if (c < 0x20 || c > 0x7e)
      c = '?';
  return result;
}

std::string versionString(const target::Version *version) {
  return std::to_string(version->major()) + "." +
         std::to_string(version->minor()) + "." +
         std::to_string(version->patch());
}

/// The version in a file of which nothing is known to be sound; null if that
/// cannot be reached.
template <typename Root>
const target::Version *findVersion(const LoadedFile &file) {
  struct Head : flatbuffers::Table {
    bool Verify(flatbuffers::Verifier &verifier) const {
      return VerifyTableStart(verifier) &&
             VerifyField<target::Version>(verifier, Root::VT_VERSION, 4);
    }
  };
  flatbuffers::Verifier verifier(file.data(), file.size);
  if (!verifier.VerifySizePrefixedBuffer<Head>(nullptr))
    return nullptr;
  return flatbuffers::GetSizePrefixedRoot<Head>(file.data())
      ->template GetStruct<const target::Version *>(Root::VT_VERSION);
}

template <typename Root>
void verifySchema(const LoadedFile &file, const char *where) {
  flatbuffers::Verifier::Options options;
  options.max_depth = 64;
  // A table takes at least four bytes, but many fields may name the same one.
  options.max_tables = flatbuffers::uoffset_t(
      std::min<std::size_t>(1000000 + 2 * file.size, 1u << 31));
  flatbuffers::Verifier verifier(file.data(), file.size, options);
  if (verifier.VerifySizePrefixedBuffer<Root>(nullptr))
    return;
  const target::Version *version = findVersion<Root>(file);
  if (version && versionString(version) != TTMLIR_VERSION)
    raise(ErrorCategory::Version, where, ": the file of version ",
          versionString(version), " does not fit the schema of version ",
          TTMLIR_VERSION, ", or is damaged");
  raise(ErrorCategory::Format, where,
        ": the flatbuffer is damaged (it does not fit its schema)");
}

/// Calls `body` with the root table of the file, which is one of three.
template <typename Body> auto withRoot(const LoadedFile &file, Body &&body) {
  switch (file.kind) {
  case FileKind::Ttnn:
    return body(fb::GetSizePrefixedTTNNBinary(file.data()));
  case FileKind::TtMetal:
    return body(metal::GetSizePrefixedTTMetalBinary(file.data()));
  case FileKind::SystemDesc:
    break;
  }
  return body(target::GetSizePrefixedSystemDescRoot(file.data()));
}

const target::Version *versionOf(const LoadedFile &file) {
  return withRoot(file, [](auto const *root) { return root->version(); });
}

void verifySystem(target::SystemDesc const *system) {
  if (!system || !system->chip_descs() || system->chip_descs()->size() == 0 ||
      !system->chip_desc_indices() || system->chip_desc_indices()->size() == 0)
    raise(ErrorCategory::Format,
          "expected a system description with at least one chip");
  for (target::ChipDesc const *chip : *system->chip_descs())
    chipGeometry(chip);
  if (system->chip_desc_indices()->size() > 1024)
    raise(ErrorCategory::Format, "expected at most 1024 chips, found ",
          system->chip_desc_indices()->size());
  for (std::uint32_t index : *system->chip_desc_indices())
    if (index >= system->chip_descs()->size())
      raise(ErrorCategory::Format, "expected chip_desc_indices below ",
            system->chip_descs()->size(), ", found ", index);
}

/// The kind that the identifier names; nothing for a foreign file.
std::optional<FileKind> kindOf(const LoadedFile &file) {
  for (std::size_t i = 0; i < std::size(kIdentifiers); ++i)
    if (!std::memcmp(file.data() + kIdentifierOffset, kIdentifiers[i], 4))
      return FileKind(i);
  return std::nullopt;
}

void verifySchema(const LoadedFile &file, const char *where) {
  switch (file.kind) {
  case FileKind::Ttnn:
    return verifySchema<fb::TTNNBinary>(file, where);
  case FileKind::TtMetal:
    return verifySchema<metal::TTMetalBinary>(file, where);
  case FileKind::SystemDesc:
    return verifySchema<target::SystemDescRoot>(file, where);
  }
}

void verify(const LoadedFile &file, const char *where) {
  verifySchema(file, where);
  if (!versionOf(file))
    raise(ErrorCategory::Format, where, ": expected a version, found none");
  try {
    checkContents(file);
  } catch (const Error &error) {
    raise(error.category(), where, ": ", error.what());
  }
  // What another version means by its fields is not known here: such a file can
  // be printed, and every attempt to use it is refused.
  if (!isOfThisVersion(file))
    return;
  try {
    verifySystem(
        withRoot(file, [](auto const *root) { return root->system_desc(); }));
  } catch (const Error &error) {
    raise(error.category(), where, ": ", error.what());
  }
}

} // namespace

bool isOfThisVersion(const LoadedFile &file) {
  return versionString(versionOf(file)) == TTMLIR_VERSION;
}

std::shared_ptr<LoadedFile> readFile(const char *path) {
  // A pipe that nobody writes to must not block.
  const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0)
    raise(ErrorCategory::File, "failed to open file: ", path, ": ",
          std::strerror(errno));
  const std::shared_ptr<std::FILE> stream(fdopen(descriptor, "rb"),
                                          std::fclose);
  struct stat status = {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    raise(ErrorCategory::File, "failed to read file: ", path,
          ": expected a regular file, found ",
          S_ISDIR(status.st_mode)    ? "a folder"
          : S_ISFIFO(status.st_mode) ? "a pipe"
                                     : "a device");
  const auto size = std::size_t(status.st_size);
  if (size > kMaxFile)
    raise(ErrorCategory::Format, path, ": expected at most ", kMaxFile,
          " bytes, which a flatbuffer can have, found ", size);
  std::shared_ptr<void> bytes = utils::malloc_shared(size);
  if (std::fread(bytes.get(), 1, size, stream.get()) != size)
    raise(ErrorCategory::File, "failed to read file: ", path);
  return loadFile(std::move(bytes), size, path);
}

std::shared_ptr<LoadedFile> copyMemory(const void *memory, std::size_t size) {
  std::shared_ptr<void> bytes = utils::malloc_shared(size);
  std::memcpy(bytes.get(), memory, size);
  return loadFile(std::move(bytes), size, "memory");
}

void refuseKind(const LoadedFile &file, const char *expected,
                const char *where) {
  raise(ErrorCategory::Format, where, ": expected file identifier ", expected,
        ", found '", kIdentifiers[int(file.kind)], "'");
}

static std::shared_ptr<LoadedFile>
expectSystem(std::shared_ptr<LoadedFile> file, const char *where) {
  if (file->kind != FileKind::SystemDesc)
    refuseKind(*file, "'TTSY'", where);
  return file;
}

const LoadedFile &fileOf(const Flatbuffer &flatbuffer) {
  if (!flatbuffer.handle)
    raise(ErrorCategory::Argument, "expected a loaded flatbuffer, found an "
                                   "empty handle");
  return flatbuffer.as<LoadedFile>();
}

std::shared_ptr<LoadedFile> loadFile(std::shared_ptr<const void> bytes,
                                     std::size_t size, const char *where) {
  auto file = std::make_shared<LoadedFile>();
  file->bytes = std::move(bytes);
  file->size = size;
  if (size < kHeader)
    raise(ErrorCategory::Format, where,
          ": not a flatbuffer: expected at least ", kHeader, " bytes, found ",
          size);
  // The identifier first: it tells foreign files from truncated ones.
  const std::uint64_t expected =
      kPrefix + std::uint64_t(flatbuffers::ReadScalar<flatbuffers::uoffset_t>(
                    file->data()));
  const std::optional<FileKind> kind = kindOf(*file);
  if (!kind)
    raise(ErrorCategory::Format, where,
          ": unsupported binary format: expected file identifier 'TTNN', "
          "'TTM0' or 'TTSY', found '",
          printable(reinterpret_cast<const char *>(file->data()) +
                        kIdentifierOffset,
                    4),
          "'");
  file->kind = *kind;
  if (expected != size)
    raise(ErrorCategory::Format, where,
          expected > size ? ": truncated: expected " : ": expected ", expected,
          " bytes as the size prefix says, found ", size);
  verify(*file, where);
  return file;
}

DeviceRuntime runtimeOf(const Binary &binary) {
  switch (fileOf(binary).kind) {
  case FileKind::Ttnn:
    return DeviceRuntime::TTNN;
  case FileKind::TtMetal:
    return DeviceRuntime::TTMetal;
  case FileKind::SystemDesc:
    break;
  }
  raise(ErrorCategory::Unsupported,
        "unsupported binary file identifier or runtime not enabled: expected "
        "'TTNN' or 'TTM0', found '",
        binary.getFileIdentifier(), "'");
}

void checkVersion(const Flatbuffer &flatbuffer) {
  const std::string found = flatbuffer.getVersion();
  if (found != TTMLIR_VERSION)
    raise(ErrorCategory::Version,
          "the file was written by another version: expected ", TTMLIR_VERSION,
          ", found ", found);
}

target::SystemDesc const *systemOf(const Flatbuffer &flatbuffer) {
  checkVersion(flatbuffer);
  return withRoot(fileOf(flatbuffer),
                  [](auto const *root) { return root->system_desc(); });
}

//===-- Flatbuffer --------------------------------------------------------===//

void Flatbuffer::store(char const *path) const {
  const LoadedFile &file = fileOf(*this);
  // Beside the target first, so that a failure leaves what was there. A link
  // of that name, which somebody else may have put there, is not followed.
  const std::string temporary = std::string(path) + ".partial";
  std::remove(temporary.c_str());
  std::FILE *stream = std::fopen(temporary.c_str(), "wbx");
  if (!stream)
    raise(ErrorCategory::File, "failed to open file for writing: ", path, ": ",
          std::strerror(errno));
  const bool written =
      std::fwrite(file.data(), 1, file.size, stream) == file.size;
  const bool closed = std::fclose(stream) == 0;
  if (!written || !closed || std::rename(temporary.c_str(), path) != 0) {
    std::remove(temporary.c_str());
    raise(ErrorCategory::File, "failed to write file: ", path);
  }
}

std::string_view Flatbuffer::getFileIdentifier() const {
  return kIdentifiers[int(fileOf(*this).kind)];
}

std::string Flatbuffer::getVersion() const {
  return versionString(versionOf(fileOf(*this)));
}

std::string_view Flatbuffer::getTTMLIRGitHash() const {
  flatbuffers::String const *hash = withRoot(
      fileOf(*this), [](auto const *root) { return root->ttmlir_git_hash(); });
  return hash ? hash->string_view() : std::string_view();
}

std::string Flatbuffer::asJson(bool elements) const {
  return toJson(fileOf(*this), elements);
}

void const *Flatbuffer::data() const { return fileOf(*this).data(); }
std::size_t Flatbuffer::size() const { return fileOf(*this).size; }

//===-- SystemDesc --------------------------------------------------------===//

SystemDesc SystemDesc::loadFromPath(char const *path) {
  return SystemDesc(expectSystem(readFile(path), path));
}

SystemDesc SystemDesc::loadFromMemory(void const *memory, std::size_t size) {
  return SystemDesc(expectSystem(copyMemory(memory, size), "memory"));
}

target::SystemDesc const *SystemDesc::get() const { return systemOf(*this); }

} // namespace tt::runtime
