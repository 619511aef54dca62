// Programs under construction.
#include "host/host.h"

#include "emulator/launch.h"
#include "numerics/tiles.h"

#include <cstdlib>
#include <filesystem>

namespace tt {

static runtime::numerics::DType typeOf(DataFormat format) {
  using runtime::numerics::DType;
  static_assert(int(DataFormat::Float16_b) == int(DType::BF16) &&
                int(DataFormat::Bfp8_b) == int(DType::BFP8_B) &&
                int(DataFormat::Int32) == int(DType::I32));
  if (format > DataFormat::Int32)
    runtime::raise(runtime::ErrorCategory::Argument,
                   "expected a data format, found ", int(format));
  return DType(format);
}

std::uint32_t tile_size(DataFormat format) {
  return std::uint32_t(runtime::numerics::tileBytes(typeOf(format)));
}
std::uint32_t datum_size(DataFormat format) {
  return std::uint32_t(runtime::numerics::elementSize(typeOf(format)));
}

namespace tt_metal {

namespace fs = std::filesystem;

Program::Program() : impl_(std::make_unique<Impl>()) {}
Program::~Program() = default;
Program::Program(Program &&) noexcept = default;
Program &Program::operator=(Program &&) noexcept = default;

Program CreateProgram() { return {}; }

CoreRangeSet toSet(const CoreSpec &cores) {
  return std::visit([](const auto &given) { return CoreRangeSet(given); },
                    cores);
}

static CoreRangeSet checkCores(const CoreSpec &cores, const char *what) {
  CoreRangeSet set = toSet(cores);
  if (set.empty())
    raise(ErrorCategory::Argument, "expected cores for ", what, ", found none");
  return set;
}

//===-- Circular buffers --------------------------------------------------===//

CircularBufferConfig &CircularBufferConfig::set_page_size(std::uint8_t index,
                                                          std::uint32_t bytes) {
  if (!formats_.contains(index))
    raise(ErrorCategory::Argument,
          "set_page_size: the configuration has no "
          "circular buffer ",
          int(index));
  if (bytes == 0 || total_size_ % bytes)
    raise(ErrorCategory::Argument, "circular buffer ", int(index),
          ": expected a page size that divides ", total_size_, " bytes, found ",
          bytes);
  page_sizes_[index] = bytes;
  return *this;
}

CBHandle CreateCircularBuffer(Program &program, const CoreSpec &cores,
                              const CircularBufferConfig &config) {
  const std::string what = "a circular buffer";
  if (config.data_formats().empty())
    raise(ErrorCategory::Argument,
          "expected a circular buffer with an index and a format");
  for (const auto &[index, format] : config.data_formats()) {
    typeOf(format);
    if (index >= CBIndex::SIZE)
      raise(ErrorCategory::Argument, "expected a circular buffer below ",
            int(CBIndex::SIZE), ", found ", int(index));
    if (!config.page_sizes().contains(index))
      raise(ErrorCategory::Argument, "circular buffer ", int(index),
            ": expected a page size, see set_page_size");
  }
  program.impl().buffers.push_back({checkCores(cores, what.c_str()), config});
  return CBHandle(program.impl().buffers.size() - 1);
}

static CircularBufferConfig &configOf(Program &program, CBHandle buffer) {
  auto &buffers = program.impl().buffers;
  if (buffer >= buffers.size())
    raise(ErrorCategory::Argument,
          "expected a circular buffer of the program "
          "(of ",
          buffers.size(), "), found number ", buffer);
  return buffers[buffer].config;
}

void UpdateCircularBufferTotalSize(Program &program, CBHandle buffer,
                                   std::uint32_t bytes) {
  configOf(program, buffer).set_total_size(bytes);
}
void UpdateDynamicCircularBufferAddress(Program &program, CBHandle circular,
                                        const Buffer &buffer) {
  configOf(program, circular).set_globally_allocated_address(buffer);
}
const CircularBufferConfig &GetCircularBufferConfig(Program &program,
                                                    CBHandle buffer) {
  return configOf(program, buffer);
}

//===-- Kernels -----------------------------------------------------------===//

namespace {

KernelHandle addKernel(Program &program, KernelEntry kernel) {
  if (std::holds_alternative<EthernetConfig>(kernel.config))
    raise(ErrorCategory::Unsupported, "the kernel '", kernel.name,
          "': expected a kernel of worker cores, found one of Ethernet cores");
  program.impl().kernels.push_back(std::move(kernel));
  return KernelHandle(program.impl().kernels.size() - 1);
}

/// The file, in the current folder or in $TT_METAL_HOME.
std::string findFile(const std::string &path) {
  if (fs::is_regular_file(path))
    return path;
  const char *home = std::getenv("TT_METAL_HOME");
  if (home && *home && fs::path(path).is_relative())
    if (const fs::path found = fs::path(home) / path;
        fs::is_regular_file(found))
      return found;
  raise(ErrorCategory::File, "the kernel '", path, "' is not found in '",
        fs::current_path().string(), "'",
        home && *home ? std::string(" or in TT_METAL_HOME, '") + home + "'"
                      : std::string(", and TT_METAL_HOME is not set"));
}

KernelEntry &entryOf(const Program &program, KernelHandle kernel) {
  auto &kernels = program.impl().kernels;
  if (kernel >= kernels.size())
    raise(ErrorCategory::Argument, "expected a kernel of the program (of ",
          kernels.size(), "), found number ", kernel);
  return kernels[kernel];
}

RuntimeArgsData &argsOf(KernelEntry &kernel, const CoreCoord &core) {
  if (!kernel.cores.contains(core))
    raise(ErrorCategory::Argument, "the kernel '", kernel.name,
          "' does not run on core ", core.str(),
          ", for which it is given "
          "run-time arguments; it runs on ",
          kernel.cores.str());
  return kernel.args[core];
}

} // namespace

KernelHandle CreateKernel(Program &program, const std::string &path,
                          const CoreSpec &cores, const KernelConfig &config) {
  KernelEntry kernel{fs::path(path).stem(), findFile(path), "",
                     checkCores(cores, "a kernel"), config};
  return addKernel(program, std::move(kernel));
}

KernelHandle CreateKernelFromString(Program &program, const std::string &text,
                                    const CoreSpec &cores,
                                    const KernelConfig &config) {
  KernelEntry kernel{"kernel_" + std::to_string(program.impl().kernels.size()),
                     "", text, checkCores(cores, "a kernel"), config};
  return addKernel(program, std::move(kernel));
}

std::uint32_t CreateSemaphore(Program &program, const CoreSpec &cores,
                              std::uint32_t initial_value, CoreType type) {
  checkCores(cores, "a semaphore");
  if (type != CoreType::WORKER)
    raise(ErrorCategory::Unsupported,
          "expected a semaphore of worker cores, found one of Ethernet cores");
  std::vector<std::uint32_t> &semaphores = program.impl().semaphores;
  if (semaphores.size() == emulator::kSemaphores)
    raise(ErrorCategory::Unsupported, "expected at most ",
          emulator::kSemaphores, " semaphores of a program");
  semaphores.push_back(initial_value);
  return std::uint32_t(semaphores.size() - 1);
}

//===-- Run-time arguments ------------------------------------------------===//

void SetRuntimeArgs(const Program &program, KernelHandle kernel,
                    const CoreSpec &cores,
                    const std::vector<std::uint32_t> &args) {
  KernelEntry &entry = entryOf(program, kernel);
  const CoreRangeSet set = toSet(cores);
  for (const CoreRange &range : set.ranges())
    for (const CoreCoord &core : range)
      argsOf(entry, core) = args;
}

void SetRuntimeArgs(const Program &program, KernelHandle kernel,
                    const std::vector<CoreCoord> &cores,
                    const std::vector<std::vector<std::uint32_t>> &args) {
  if (cores.size() != args.size())
    raise(ErrorCategory::Argument, "expected arguments for each of ",
          cores.size(), " cores, found ", args.size());
  for (std::size_t i = 0; i < cores.size(); ++i)
    argsOf(entryOf(program, kernel), cores[i]) = args[i];
}

void SetCommonRuntimeArgs(const Program &program, KernelHandle kernel,
                          const std::vector<std::uint32_t> &args) {
  entryOf(program, kernel).commonArgs = args;
}

RuntimeArgsData &GetRuntimeArgs(const Program &program, KernelHandle kernel,
                                const CoreCoord &core) {
  return argsOf(entryOf(program, kernel), core);
}
RuntimeArgsData &GetCommonRuntimeArgs(const Program &program,
                                      KernelHandle kernel) {
  return entryOf(program, kernel).commonArgs;
}

} // namespace tt_metal
} // namespace tt
