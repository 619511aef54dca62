// Loading and storing: the flatbuffers verifier, then the semantic one.
#include "common/file.h"

#include "common/hosts.h"

#include "tt/runtime/utils.h"
#include "tt/runtime/variables.h"
#include "ttmetal/program.h"
#include "ttmlir/Target/TTMetal/binary_generated.h"
#include "ttmlir/Target/TTNN/binary_generated.h"
#include "ttmlir/Version.h"
#include "ttnn/program.h"

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

template <typename AnyProgram>
std::vector<const Layout *> layoutsOf(const AnyProgram &program, bool inputs) {
  std::vector<const Layout *> result;
  for (std::uint32_t value : inputs ? program.inputs : program.outputs)
    result.push_back(&program.values[value].layout);
  return result;
}

/// What the source says of inputs and outputs, against what they are.
template <typename Tables, typename Programs>
void checkHosts(const Tables *tables, const Programs &programs) {
  for (std::size_t i = 0; i < programs.size(); ++i) {
    auto const *table = tables->Get(unsigned(i));
    decodeHosts("input_hosts", table->input_hosts(),
                layoutsOf(*programs[i], true));
    decodeHosts("output_hosts", table->output_hosts(),
                layoutsOf(*programs[i], false));
    decodeArguments(table->arguments(), programs[i]->inputs.size());
  }
}

void checkHosts(const LoadedFile &file) {
  if (file.kind == FileKind::Ttnn)
    checkHosts(fb::GetSizePrefixedTTNNBinary(file.data())->programs(),
               file.programs);
  if (file.kind == FileKind::TtMetal)
    checkHosts(metal::GetSizePrefixedTTMetalBinary(file.data())->programs(),
               file.metalPrograms);
}

void verify(LoadedFile &file, const char *where) {
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
  if (versionString(versionOf(file)) != TTMLIR_VERSION)
    return;
  try {
    verifySystem(
        withRoot(file, [](auto const *root) { return root->system_desc(); }));
    if (file.kind == FileKind::Ttnn)
      file.programs =
          ttnn::decodePrograms(fb::GetSizePrefixedTTNNBinary(file.data()));
    if (file.kind == FileKind::TtMetal)
      file.metalPrograms = ttmetal::decodePrograms(
          metal::GetSizePrefixedTTMetalBinary(file.data()));
    checkHosts(file);
  } catch (const Error &error) {
    raise(error.category(), where, ": ", error.what());
  }
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

[[noreturn]] void refuseKind(const LoadedFile &file, const char *expected,
                             const char *where) {
  raise(ErrorCategory::Format, where, ": expected file identifier ", expected,
        ", found '", kIdentifiers[int(file.kind)], "'");
}

std::shared_ptr<LoadedFile> expectSystem(std::shared_ptr<LoadedFile> file,
                                         const char *where) {
  if (file->kind != FileKind::SystemDesc)
    refuseKind(*file, "'TTSY'", where);
  return file;
}

std::shared_ptr<LoadedFile> expectBinary(std::shared_ptr<LoadedFile> file,
                                         const char *where) {
  if (file->kind == FileKind::SystemDesc)
    refuseKind(*file, "'TTNN' or 'TTM0'", where);
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

namespace {

template <typename T>
const T &programAt(const Binary &binary,
                   const std::vector<std::shared_ptr<const T>> &programs,
                   DeviceRuntime runtime, std::uint32_t index) {
  checkVersion(binary);
  if (runtimeOf(binary) != runtime)
    raise(ErrorCategory::Argument, "expected a binary of the ",
          deviceRuntimeName(runtime), " runtime, found one of the ",
          deviceRuntimeName(runtimeOf(binary)), " runtime");
  if (index >= programs.size())
    raise(ErrorCategory::Argument, "expected a program index below ",
          programs.size(), ", found ", index);
  return *programs[index];
}

} // namespace

const ttnn::Program &getProgram(const Binary &binary, std::uint32_t index) {
  return programAt(binary, fileOf(binary).programs, DeviceRuntime::TTNN, index);
}

const ttmetal::Program &getMetalProgram(const Binary &binary,
                                        std::uint32_t index) {
  return programAt(binary, fileOf(binary).metalPrograms, DeviceRuntime::TTMetal,
                   index);
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

target::SystemDesc const *SystemDesc::get() const {
  checkVersion(*this);
  return target::GetSizePrefixedSystemDescRoot(fileOf(*this).data())
      ->system_desc();
}

//===-- Binary ------------------------------------------------------------===//

Binary Binary::loadFromPath(char const *path) {
  return Binary(expectBinary(readFile(path), path));
}

Binary Binary::loadFromMemory(void const *memory, std::size_t size) {
  return Binary(expectBinary(copyMemory(memory, size), "memory"));
}

Binary Binary::loadFromHandle(std::shared_ptr<void> handle) {
  if (!handle)
    raise(ErrorCategory::Argument, "expected a flatbuffer, found null");
  const std::size_t size =
      kPrefix + flatbuffers::ReadScalar<flatbuffers::uoffset_t>(handle.get());
  return Binary(
      expectBinary(loadFile(std::move(handle), size, "memory"), "memory"));
}

namespace {

/// Calls `body` with the vector of programs, which is one of two types.
template <typename Body>
auto withPrograms(const LoadedFile &file, Body &&body) {
  return file.kind == FileKind::TtMetal
             ? body(
                   metal::GetSizePrefixedTTMetalBinary(file.data())->programs())
             : body(fb::GetSizePrefixedTTNNBinary(file.data())->programs());
}

using Refs = flatbuffers::Vector<flatbuffers::Offset<target::TensorRef>>;

/// The first ones.
std::vector<target::TensorDesc const *> describe(Refs const *refs,
                                                 std::size_t count) {
  std::vector<target::TensorDesc const *> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(refs->Get(unsigned(i))->desc());
  return result;
}

/// A caller sees a tensor as a row-major array, whatever the device makes of
/// it.
std::vector<TensorDesc> summarize(const std::vector<const Layout *> &layouts) {
  std::vector<TensorDesc> result;
  for (const Layout *layout : layouts) {
    const Layout host = hostLayout(layout->shape, layout->type);
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

MeshDevice meshOf(const Binary &binary, std::uint32_t index) {
  return runtimeOf(binary) == DeviceRuntime::TTMetal
             ? getMetalProgram(binary, index).mesh
             : getProgram(binary, index).mesh();
}

/// body(program) of either runtime.
template <typename Body>
static auto withProgram(const Binary &binary, std::uint32_t index,
                        const Body &body) {
  return runtimeOf(binary) == DeviceRuntime::TTMetal
             ? body(getMetalProgram(binary, index))
             : body(getProgram(binary, index));
}

/// How many inputs or outputs callers see: all but the variables.
static std::size_t countOf(const Binary &binary, std::uint32_t index,
                           bool inputs) {
  return withProgram(binary, index, [&](auto const &program) {
    return inputs ? emulator::numInputs(program)
                  : emulator::numOutputs(program);
  });
}

std::vector<const Layout *> argumentLayouts(const Binary &binary,
                                            std::uint32_t index, bool inputs) {
  auto layouts = withProgram(binary, index, [&](auto const &program) {
    return layoutsOf(program, inputs);
  });
  layouts.resize(countOf(binary, index, inputs));
  return layouts;
}

static std::vector<std::optional<HostDesc>>
hostsOf(const Binary &binary, std::uint32_t index, bool inputs) {
  const auto layouts = withProgram(binary, index, [&](auto const &program) {
    return layoutsOf(program, inputs);
  });
  auto hosts = withPrograms(fileOf(binary), [&](auto const *programs) {
    auto const *program = programs->Get(index);
    return inputs
               ? decodeHosts("input_hosts", program->input_hosts(), layouts)
               : decodeHosts("output_hosts", program->output_hosts(), layouts);
  });
  hosts.resize(countOf(binary, index, inputs));
  return hosts;
}

std::uint32_t Binary::getNumPrograms() const {
  return withPrograms(fileOf(*this), [](auto const *programs) {
    return programs ? programs->size() : 0;
  });
}

std::string_view Binary::getProgramName(std::uint32_t programIndex) const {
  return runtimeOf(*this) == DeviceRuntime::TTMetal
             ? getMetalProgram(*this, programIndex).name
             : getProgram(*this, programIndex).name;
}

target::SystemDesc const *Binary::getSystemDesc() const {
  checkVersion(*this);
  return withRoot(fileOf(*this),
                  [](auto const *root) { return root->system_desc(); });
}

std::vector<TensorDesc>
Binary::getProgramInputs(std::uint32_t programIndex) const {
  return summarize(argumentLayouts(*this, programIndex, true));
}

std::vector<TensorDesc>
Binary::getProgramOutputs(std::uint32_t programIndex) const {
  return summarize(argumentLayouts(*this, programIndex, false));
}

std::vector<std::optional<HostDesc>>
Binary::getProgramInputHosts(std::uint32_t programIndex) const {
  return hostsOf(*this, programIndex, true);
}

std::vector<std::optional<HostDesc>>
Binary::getProgramOutputHosts(std::uint32_t programIndex) const {
  return hostsOf(*this, programIndex, false);
}

std::vector<ArgumentDesc>
Binary::getProgramArguments(std::uint32_t programIndex) const {
  const std::size_t count =
      withProgram(*this, programIndex,
                  [](auto const &program) { return program.inputs.size(); });
  auto arguments = withPrograms(fileOf(*this), [&](auto const *programs) {
    return decodeArguments(programs->Get(programIndex)->arguments(), count);
  });
  arguments.resize(countOf(*this, programIndex, true));
  return arguments;
}

std::vector<std::string> getProgramVariables(const Binary &binary,
                                             std::uint32_t programIndex) {
  return withProgram(binary, programIndex, [](auto const &program) {
    std::vector<std::string> names;
    for (emulator::VariableRef const &ref : program.variables)
      names.push_back(ref.variable->name());
    return names;
  });
}

void resetVariables(const Binary &binary) {
  const auto reset = [](auto const &programs) {
    for (auto const &program : programs)
      for (emulator::VariableRef const &ref : program->variables)
        ref.variable->reset();
  };
  reset(fileOf(binary).programs);
  reset(fileOf(binary).metalPrograms);
}

void Binary::releaseKept() const {
  const auto release = [](auto const &programs) {
    for (auto const &program : programs)
      for (auto const &cached : program->cached)
        cached.kept->clear();
  };
  release(fileOf(*this).programs);
  release(fileOf(*this).metalPrograms);
}

static void addKernels(const ttmetal::Program &program,
                       std::vector<KernelText> &kernels) {
  for (auto const &cached : program.cached)
    addKernels(*cached.program, kernels);
  for (auto const &queue : program.queues)
    for (auto const &command : queue.commands)
      if (auto const *run = std::get_if<ttmetal::RunStep>(&command.step))
        for (auto const &source : run->sources)
          kernels.push_back({source.fileName, std::string(source.text)});
}

std::vector<KernelText>
Binary::getProgramKernels(std::uint32_t programIndex) const {
  std::vector<KernelText> kernels;
  if (runtimeOf(*this) == DeviceRuntime::TTMetal)
    addKernels(getMetalProgram(*this, programIndex), kernels);
  return kernels;
}

std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>
Binary::getProgramMesh(std::uint32_t programIndex) const {
  const MeshDevice mesh = meshOf(*this, programIndex);
  return {mesh.meshShape, mesh.chipIds};
}

std::vector<target::TensorDesc const *>
Binary::getProgramInputLayouts(std::uint32_t programIndex) const {
  const std::size_t count = countOf(*this, programIndex, true);
  return withPrograms(fileOf(*this), [&](auto const *programs) {
    return describe(programs->Get(programIndex)->inputs(), count);
  });
}

std::vector<target::TensorDesc const *>
Binary::getProgramOutputLayouts(std::uint32_t programIndex) const {
  const std::size_t count = countOf(*this, programIndex, false);
  return withPrograms(fileOf(*this), [&](auto const *programs) {
    return describe(programs->Get(programIndex)->outputs(), count);
  });
}

} // namespace tt::runtime
