// Loading and storing: the flatbuffers verifier, then the semantic one.
#include "common/file.h"

#include "tt/runtime/utils.h"
#include "ttmlir/Target/TTNN/binary_generated.h"
#include "ttmlir/Version.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace tt::runtime {

namespace target = ::tt::target;
namespace fb = ::tt::target::ttnn;

namespace {

constexpr std::size_t kPrefix = sizeof(flatbuffers::uoffset_t);
constexpr std::size_t kIdentifierOffset =
    kPrefix + sizeof(flatbuffers::uoffset_t);
constexpr std::size_t kHeader = kIdentifierOffset + 4;

/// The identifier with what is not printable shown as '?'.
std::string printable(const char *text, std::size_t size) {
  std::string result(text, size);
  for (char &c : result)
    if (c < 0x20 || c > 0x7e)
      c = '?';
  return result;
}

template <typename Root>
void verifySchema(const LoadedFile &file, const char *where) {
  flatbuffers::Verifier::Options options;
  options.max_depth = 64;
  // A table takes at least four bytes, but many fields may name the same one.
  options.max_tables = flatbuffers::uoffset_t(
      std::min<std::size_t>(1000000 + 2 * file.size, 1u << 31));
  flatbuffers::Verifier verifier(file.data(), file.size, options);
  if (!verifier.VerifySizePrefixedBuffer<Root>(nullptr))
    raise(ErrorCategory::Format, where,
          ": the flatbuffer is damaged (it does not fit its schema)");
}

const target::Version *versionOf(const LoadedFile &file) {
  return file.kind == FileKind::Ttnn
             ? fb::GetSizePrefixedTTNNBinary(file.data())->version()
             : target::GetSizePrefixedSystemDescRoot(file.data())->version();
}

std::string versionString(const target::Version *version) {
  return std::to_string(version->major()) + "." +
         std::to_string(version->minor()) + "." +
         std::to_string(version->patch());
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

void verify(LoadedFile &file, const char *where) {
  const char *found =
      reinterpret_cast<const char *>(file.data()) + kIdentifierOffset;
  if (!std::memcmp(found, fb::TTNNBinaryIdentifier(), 4))
    file.kind = FileKind::Ttnn;
  else if (!std::memcmp(found, target::SystemDescRootIdentifier(), 4))
    file.kind = FileKind::SystemDesc;
  else
    raise(ErrorCategory::Format, where,
          ": unsupported binary format: expected file identifier '",
          fb::TTNNBinaryIdentifier(), "' or '",
          target::SystemDescRootIdentifier(), "', found '", printable(found, 4),
          "'");
  file.kind == FileKind::Ttnn
      ? verifySchema<fb::TTNNBinary>(file, where)
      : verifySchema<target::SystemDescRoot>(file, where);
  if (!versionOf(file))
    raise(ErrorCategory::Format, where, ": expected a version, found none");
  // What another version means by its fields is not known here: such a file can
  // be printed, and every attempt to use it is refused.
  if (versionString(versionOf(file)) != TTMLIR_VERSION)
    return;
  try {
    if (file.kind == FileKind::SystemDesc) {
      verifySystem(
          target::GetSizePrefixedSystemDescRoot(file.data())->system_desc());
      return;
    }
    auto const *binary = fb::GetSizePrefixedTTNNBinary(file.data());
    verifySystem(binary->system_desc());
    file.programs = decodePrograms(binary);
  } catch (const Error &error) {
    raise(error.category(), where, ": ", error.what());
  }
}

std::shared_ptr<LoadedFile> readFile(const char *path) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = stream ? std::streamoff(stream.tellg()) : -1;
  if (size < 0)
    raise(ErrorCategory::File, "failed to open file: ", path, ": ",
          std::strerror(errno));
  std::shared_ptr<void> bytes = utils::malloc_shared(std::size_t(size));
  stream.seekg(0);
  if (!stream.read(static_cast<char *>(bytes.get()), size))
    raise(ErrorCategory::File, "failed to read file: ", path);
  return loadFile(std::move(bytes), std::size_t(size), path);
}

std::shared_ptr<LoadedFile> copyMemory(const void *memory, std::size_t size) {
  std::shared_ptr<void> bytes = utils::malloc_shared(size);
  std::memcpy(bytes.get(), memory, size);
  return loadFile(std::move(bytes), size, "memory");
}

/// Refuses a file of the other kind.
std::shared_ptr<LoadedFile> expectKind(std::shared_ptr<LoadedFile> file,
                                       FileKind kind, const char *where) {
  if (file->kind != kind)
    raise(ErrorCategory::Format, where, ": expected file identifier '",
          kind == FileKind::Ttnn ? fb::TTNNBinaryIdentifier()
                                 : target::SystemDescRootIdentifier(),
          "', found '",
          file->kind == FileKind::Ttnn ? fb::TTNNBinaryIdentifier()
                                       : target::SystemDescRootIdentifier(),
          "'");
  return file;
}

const LoadedFile &fileOf(const Flatbuffer &flatbuffer) {
  if (!flatbuffer.handle)
    raise(ErrorCategory::Argument, "expected a loaded flatbuffer, found an "
                                   "empty handle");
  return flatbuffer.as<LoadedFile>();
}

} // namespace

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
  const char *identifier =
      reinterpret_cast<const char *>(file->data()) + kIdentifierOffset;
  const bool ours =
      !std::memcmp(identifier, fb::TTNNBinaryIdentifier(), 4) ||
      !std::memcmp(identifier, target::SystemDescRootIdentifier(), 4);
  if (ours && expected != size)
    raise(ErrorCategory::Format, where,
          expected > size ? ": truncated: expected " : ": expected ", expected,
          " bytes as the size prefix says, found ", size);
  verify(*file, where);
  return file;
}

const Program &getProgram(const Binary &binary, std::uint32_t index) {
  const LoadedFile &file = fileOf(binary);
  checkVersion(binary);
  if (index >= file.programs.size())
    raise(ErrorCategory::Argument, "expected a program index below ",
          file.programs.size(), ", found ", index);
  return file.programs[index];
}

void checkVersion(const Flatbuffer &flatbuffer) {
  const std::string found = flatbuffer.getVersion();
  if (found != TTMLIR_VERSION)
    raise(ErrorCategory::Version,
          "the file was written by another version: expected ", TTMLIR_VERSION,
          ", found ", found);
}

//===-- Flatbuffer --------------------------------------------------------===//

Flatbuffer Flatbuffer::loadFromPath(char const *path) {
  return Flatbuffer(readFile(path));
}

Flatbuffer Flatbuffer::loadFromMemory(void const *memory, std::size_t size) {
  return Flatbuffer(copyMemory(memory, size));
}

void Flatbuffer::store(char const *path) const {
  const LoadedFile &file = fileOf(*this);
  // Beside the target first, so that a failure leaves what was there.
  const std::string temporary = std::string(path) + ".partial";
  std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
  if (!stream)
    raise(ErrorCategory::File, "failed to open file for writing: ", path, ": ",
          std::strerror(errno));
  stream.write(reinterpret_cast<const char *>(file.data()),
               std::streamsize(file.size));
  stream.close();
  if (!stream || std::rename(temporary.c_str(), path) != 0) {
    std::remove(temporary.c_str());
    raise(ErrorCategory::File, "failed to write file: ", path);
  }
}

std::string_view Flatbuffer::getFileIdentifier() const {
  return fileOf(*this).kind == FileKind::Ttnn
             ? fb::TTNNBinaryIdentifier()
             : target::SystemDescRootIdentifier();
}

std::string Flatbuffer::getVersion() const {
  return versionString(versionOf(fileOf(*this)));
}

std::string_view Flatbuffer::getTTMLIRGitHash() const {
  const LoadedFile &file = fileOf(*this);
  flatbuffers::String const *hash =
      file.kind == FileKind::Ttnn
          ? fb::GetSizePrefixedTTNNBinary(file.data())->ttmlir_git_hash()
          : target::GetSizePrefixedSystemDescRoot(file.data())
                ->ttmlir_git_hash();
  return hash ? hash->string_view() : std::string_view();
}

std::string Flatbuffer::asJson(bool elements) const {
  return toJson(fileOf(*this), elements);
}

void const *Flatbuffer::data() const { return fileOf(*this).data(); }
std::size_t Flatbuffer::size() const { return fileOf(*this).size; }

//===-- SystemDesc --------------------------------------------------------===//

SystemDesc SystemDesc::loadFromPath(char const *path) {
  return SystemDesc(expectKind(readFile(path), FileKind::SystemDesc, path));
}

SystemDesc SystemDesc::loadFromMemory(void const *memory, std::size_t size) {
  return SystemDesc(
      expectKind(copyMemory(memory, size), FileKind::SystemDesc, "memory"));
}

target::SystemDesc const *SystemDesc::get() const {
  checkVersion(*this);
  return target::GetSizePrefixedSystemDescRoot(fileOf(*this).data())
      ->system_desc();
}

//===-- Binary ------------------------------------------------------------===//

Binary Binary::loadFromPath(char const *path) {
  return Binary(expectKind(readFile(path), FileKind::Ttnn, path));
}

Binary Binary::loadFromMemory(void const *memory, std::size_t size) {
  return Binary(expectKind(copyMemory(memory, size), FileKind::Ttnn, "memory"));
}

Binary Binary::loadFromHandle(std::shared_ptr<void> handle) {
  if (!handle)
    raise(ErrorCategory::Argument, "expected a flatbuffer, found null");
  const std::size_t size =
      kPrefix + flatbuffers::ReadScalar<flatbuffers::uoffset_t>(handle.get());
  return Binary(expectKind(loadFile(std::move(handle), size, "memory"),
                           FileKind::Ttnn, "memory"));
}

std::uint32_t Binary::getNumPrograms() const {
  auto const *programs =
      fb::GetSizePrefixedTTNNBinary(fileOf(*this).data())->programs();
  return programs ? programs->size() : 0;
}

std::string_view Binary::getProgramName(std::uint32_t programIndex) const {
  return getProgram(*this, programIndex).name;
}

target::SystemDesc const *Binary::getSystemDesc() const {
  checkVersion(*this);
  return fb::GetSizePrefixedTTNNBinary(fileOf(*this).data())->system_desc();
}

namespace {

using Refs = flatbuffers::Vector<flatbuffers::Offset<target::TensorRef>>;

std::vector<target::TensorDesc const *> describe(Refs const *refs) {
  std::vector<target::TensorDesc const *> result;
  if (refs)
    for (target::TensorRef const *ref : *refs)
      result.push_back(ref->desc());
  return result;
}

fb::Program const *programTable(const Binary &binary, std::uint32_t index) {
  getProgram(binary, index);
  return fb::GetSizePrefixedTTNNBinary(fileOf(binary).data())
      ->programs()
      ->Get(index);
}

std::vector<TensorDesc> summarize(const Program &program,
                                  const std::vector<ValueIndex> &values) {
  std::vector<TensorDesc> result;
  for (ValueIndex value : values) {
    const Layout &layout = program.values[value].layout;
    // A caller sees a tensor as a row-major array, whatever the device makes
    // of it.
    const Layout host = hostLayout(layout.shape, layout.type);
    TensorDesc desc;
    desc.shape.assign(host.shape.begin(), host.shape.end());
    desc.stride.assign(host.stride.begin(), host.stride.end());
    desc.itemsize = std::uint32_t(host.elementSize());
    desc.dataType = target::DataType(host.type);
    result.push_back(std::move(desc));
  }
  return result;
}

} // namespace

std::vector<TensorDesc>
Binary::getProgramInputs(std::uint32_t programIndex) const {
  const Program &program = getProgram(*this, programIndex);
  return summarize(program, program.inputs);
}

std::vector<TensorDesc>
Binary::getProgramOutputs(std::uint32_t programIndex) const {
  const Program &program = getProgram(*this, programIndex);
  return summarize(program, program.outputs);
}

std::vector<target::TensorDesc const *>
Binary::getProgramInputLayouts(std::uint32_t programIndex) const {
  return describe(programTable(*this, programIndex)->inputs());
}

std::vector<target::TensorDesc const *>
Binary::getProgramOutputLayouts(std::uint32_t programIndex) const {
  return describe(programTable(*this, programIndex)->outputs());
}

} // namespace tt::runtime
