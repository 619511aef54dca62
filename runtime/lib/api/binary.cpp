// Binaries: decoding, and what callers ask of programs before they run.
#include "api/binary.h"

#include "common/hosts.h"

#include "tt/runtime/variables.h"
#include "ttmetal/program.h"
#include "ttmlir/Target/TTMetal/binary_generated.h"
#include "ttmlir/Target/TTNN/binary_generated.h"
#include "ttnn/program.h"

#include <optional>

namespace tt::runtime {

namespace target = ::tt::target;
namespace fb = ::tt::target::ttnn;
namespace metal = ::tt::target::metal;

namespace {

template <typename AnyProgram>
std::vector<const Layout *> layoutsOf(const AnyProgram &program, bool inputs) {
  std::vector<const Layout *> result;
  for (std::uint32_t value : inputs ? program.inputs : program.outputs)
    result.push_back(&program.values[value].layout);
  return result;
}

const Shardings &shardingsOf(auto const &program, bool inputs) {
  return inputs ? program.inputShardings : program.outputShardings;
}

std::vector<std::optional<HostDesc>>
decodeHosts(auto const *table, auto const &program, bool inputs) {
  return runtime::decodeHosts(
      inputs ? "input_hosts" : "output_hosts",
      inputs ? table->input_hosts() : table->output_hosts(),
      layoutsOf(program, inputs), shardingsOf(program, inputs));
}

/// What the source says of inputs and outputs, against what they are.
template <typename Tables, typename Programs>
void checkHosts(const Tables *tables, const Programs &programs) {
  for (std::size_t i = 0; i < programs.size(); ++i) {
    auto const *table = tables->Get(unsigned(i));
    decodeHosts(table, *programs[i], true);
    decodeHosts(table, *programs[i], false);
    decodeArguments(table->arguments(), programs[i]->inputs.size());
  }
}

void checkHosts(const LoadedBinary &file) {
  if (file.kind == FileKind::Ttnn)
    checkHosts(fb::GetSizePrefixedTTNNBinary(file.data())->programs(),
               file.programs);
  if (file.kind == FileKind::TtMetal)
    checkHosts(metal::GetSizePrefixedTTMetalBinary(file.data())->programs(),
               file.metalPrograms);
}

/// `fileOf` makes a LoadedFile of a handle, so that is the type to erase.
std::shared_ptr<void> handleOf(std::shared_ptr<LoadedFile> file) {
  return file;
}

const LoadedBinary &binaryOf(const Binary &binary) {
  return static_cast<const LoadedBinary &>(fileOf(binary));
}

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

std::shared_ptr<LoadedBinary> loadBinary(const LoadedFile &file,
                                         const char *where) {
  if (file.kind == FileKind::SystemDesc)
    refuseKind(file, "'TTNN' or 'TTM0'", where);
  auto binary = std::make_shared<LoadedBinary>();
  static_cast<LoadedFile &>(*binary) = file;
  if (!isOfThisVersion(file))
    return binary;
  try {
    if (file.kind == FileKind::Ttnn)
      binary->programs =
          ttnn::decodePrograms(fb::GetSizePrefixedTTNNBinary(file.data()));
    else
      binary->metalPrograms = ttmetal::decodePrograms(
          metal::GetSizePrefixedTTMetalBinary(file.data()));
    checkHosts(*binary);
  } catch (const Error &error) {
    raise(error.category(), where, ": ", error.what());
  }
  return binary;
}

const ttnn::Program &getProgram(const Binary &binary, std::uint32_t index) {
  return programAt(binary, binaryOf(binary).programs, DeviceRuntime::TTNN,
                   index);
}

const ttmetal::Program &getMetalProgram(const Binary &binary,
                                        std::uint32_t index) {
  return programAt(binary, binaryOf(binary).metalPrograms,
                   DeviceRuntime::TTMetal, index);
}
static Flatbuffer loadAny(std::shared_ptr<LoadedFile> file, const char *where) {
  return Flatbuffer(file->kind == FileKind::SystemDesc
                        ? handleOf(std::move(file))
                        : handleOf(loadBinary(*file, where)));
}

Flatbuffer Flatbuffer::loadFromPath(char const *path) {
  return loadAny(readFile(path), path);
}

Flatbuffer Flatbuffer::loadFromMemory(void const *memory, std::size_t size) {
  return loadAny(copyMemory(memory, size), "memory");
}

Binary Binary::loadFromPath(char const *path) {
  return Binary(handleOf(loadBinary(*readFile(path), path)));
}

Binary Binary::loadFromMemory(void const *memory, std::size_t size) {
  return Binary(handleOf(loadBinary(*copyMemory(memory, size), "memory")));
}

Binary Binary::loadFromHandle(std::shared_ptr<void> handle) {
  if (!handle)
    raise(ErrorCategory::Argument, "expected a flatbuffer, found null");
  const std::size_t size =
      sizeof(flatbuffers::uoffset_t) +
      flatbuffers::ReadScalar<flatbuffers::uoffset_t>(handle.get());
  return Binary(handleOf(
      loadBinary(*loadFile(std::move(handle), size, "memory"), "memory")));
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

/// A caller sees a tensor as a whole row-major array, whatever the device makes
/// of it.
std::vector<TensorDesc> summarize(const Binary &binary, std::uint32_t index,
                                  bool inputs) {
  const Shardings shardings =
      withProgram(binary, index, [&](auto const &program) {
        return shardingsOf(program, inputs);
      });
  std::vector<TensorDesc> result;
  for (const Layout *layout : argumentLayouts(binary, index, inputs)) {
    const Layout host =
        hostLayout(wholeShape(shardings, result.size(), *layout), layout->type);
    TensorDesc desc;
    desc.shape.assign(host.shape.begin(), host.shape.end());
    desc.stride.assign(host.stride.begin(), host.stride.end());
    desc.itemsize = std::uint32_t(host.elementSize());
    desc.dataType = target::DataType(host.type);
    if (!shardings.empty() && shardings[result.size()]) {
      desc.shardDims = shardings[result.size()]->dims;
      desc.shardShape = layout->shape;
    }
    result.push_back(std::move(desc));
  }
  return result;
}

} // namespace

MeshDevice meshOf(const ttnn::Program &program) { return program.mesh(); }
MeshDevice meshOf(const ttmetal::Program &program) { return program.mesh; }

MeshDevice meshOf(const Binary &binary, std::uint32_t index) {
  return withProgram(binary, index,
                     [](auto const &program) { return meshOf(program); });
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
  auto hosts = withPrograms(fileOf(binary), [&](auto const *tables) {
    return withProgram(binary, index, [&](auto const &program) {
      return decodeHosts(tables->Get(index), program, inputs);
    });
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
  return systemOf(*this);
}

std::vector<TensorDesc>
Binary::getProgramInputs(std::uint32_t programIndex) const {
  return summarize(*this, programIndex, true);
}

std::vector<TensorDesc>
Binary::getProgramOutputs(std::uint32_t programIndex) const {
  return summarize(*this, programIndex, false);
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
  reset(binaryOf(binary).programs);
  reset(binaryOf(binary).metalPrograms);
}

std::vector<KeptResults>
Binary::getProgramKept(std::uint32_t programIndex) const {
  std::vector<KeptResults> all;
  withProgram(*this, programIndex, [&](auto const &program) {
    for (auto const &cached : program.cached) {
      KeptResults &kept = all.emplace_back();
      kept.fingerprint = cached.fingerprint;
      for (auto value : cached.outputs)
        if (const Layout &layout = program.values[value].layout;
            layout.space == Space::Dram && layout.onDevice())
          kept.dramBytes += layout.bankBytes;
    }
  });
  return all;
}

void Binary::releaseKept() const {
  const auto release = [](auto const &programs) {
    for (auto const &program : programs)
      for (auto const &cached : program->cached)
        cached.kept->clear();
  };
  release(binaryOf(*this).programs);
  release(binaryOf(*this).metalPrograms);
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
