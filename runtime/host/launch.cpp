// Runs host programs on the emulator.
#include "host/host.h"

#include "emulator/launch.h"
#include "numerics/tiles.h"
#include "ttmetal/cost.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include <dlfcn.h>

namespace tt::tt_metal {

using emulator::Launch;
using runtime::ChipGeometry;

namespace {

//===-- Kernels -----------------------------------------------------------===//

/// The kernel headers, next to this library in the package.
std::string kernelHeaders() {
  Dl_info info;
  static const char here = 0;
  if (!dladdr(&here, &info) || !info.dli_fname)
    raise(ErrorCategory::Internal, "the path of the library is unknown");
  return std::filesystem::absolute(info.dli_fname).parent_path().parent_path() /
         "include" / "kernel_api";
}

runtime::KernelUnit unitOf(const KernelEntry &kernel, std::uint32_t commonArgs,
                           const ChipGeometry &chip) {
  runtime::KernelUnit unit;
  unit.path = kernel.path;
  unit.text = kernel.text;
  unit.name = kernel.path.empty() ? kernel.name + ".cpp" : kernel.name;
  unit.commonArgs = commonArgs;
  unit.chip = {chip.arch == ::tt::target::Arch::Blackhole,
               std::uint32_t(chip.l1Align), std::uint32_t(chip.dramAlign),
               std::uint32_t(chip.channels), std::uint32_t(chip.cores())};
  const auto take = [&](const auto &config) {
    unit.compileArgs = config.compile_args;
    for (const auto &[name, value] : config.defines)
      unit.defines.emplace_back(name, value.empty()
                                          ? std::optional<std::string>()
                                          : std::optional(value));
  };
  const auto takeNamed = [&](const NamedArgs &named) {
    unit.namedCompileArgs.assign(named.begin(), named.end());
    std::sort(unit.namedCompileArgs.begin(), unit.namedCompileArgs.end());
  };
  if (const auto *data = std::get_if<DataMovementConfig>(&kernel.config)) {
    take(*data);
    takeNamed(data->named_compile_args);
    unit.noc = data->noc;
  } else {
    const auto &compute = std::get<ComputeConfig>(kernel.config);
    take(compute);
    takeNamed(compute.named_compile_args);
    unit.fp32DestAcc = compute.fp32_dest_acc_en;
  }
  return unit;
}

/// Descriptions of tensors for kernels: first those referenced by number, then
/// those found by address.
std::vector<NativeTensorUse> tensorsOf(IDevice::Impl &device) {
  std::vector<NativeTensorUse> tensors = device.layouts;
  for (const auto &buffer : device.liveBuffers())
    tensors.push_back(buffer->place);
  return tensors;
}

std::vector<emulator::CoreRange> toRanges(const CoreRangeSet &set) {
  std::vector<emulator::CoreRange> ranges;
  for (const CoreRange &range : set.ranges())
    ranges.push_back(
        {std::int64_t(range.start_coord.y), std::int64_t(range.start_coord.x),
         std::int64_t(range.grid_size().y), std::int64_t(range.grid_size().x)});
  return ranges;
}

/// For each argument, the values of the cores in the order of the ranges.
/// Missing arguments of a core are 0.
std::vector<std::vector<std::uint32_t>> argumentsOf(const KernelEntry &kernel) {
  std::size_t count = 0;
  for (const auto &[core, args] : kernel.args)
    count = std::max(count, args.size());
  std::vector<std::vector<std::uint32_t>> result(count);
  for (const CoreRange &range : kernel.cores.ranges())
    for (const CoreCoord &core : range) {
      const auto found = kernel.args.find(core);
      for (std::size_t i = 0; i < count; ++i)
        result[i].push_back(found != kernel.args.end() &&
                                    i < found->second.size()
                                ? found->second[i]
                                : 0);
    }
  return result;
}

emulator::Kernel launched(const KernelEntry &kernel) {
  emulator::Kernel result;
  result.name = kernel.name;
  result.location = kernel.path;
  result.native = kernel.native;
  result.unchecked = kernel.unchecked;
  result.program = kernel.native->program();
  result.cores = toRanges(kernel.cores);
  result.runtimeArgs = argumentsOf(kernel);
  if (const auto *data = std::get_if<DataMovementConfig>(&kernel.config)) {
    result.kind = data->noc == NOC_0 ? emulator::KernelKind::Noc0
                                     : emulator::KernelKind::Noc1;
    return result;
  }
  const auto &compute = std::get<ComputeConfig>(kernel.config);
  result.kind = emulator::KernelKind::Tensix;
  result.fidelity = ::tt::target::MathFidelity(compute.math_fidelity);
  result.fp32DestAcc = compute.fp32_dest_acc_en;
  result.approx = compute.math_approx_mode;
  for (const UnpackToDestMode mode : compute.unpack_to_dest_mode)
    result.preserveFp32 |= mode == UnpackToDestMode::UnpackToDestFp32;
  return result;
}

//===-- Circular buffers --------------------------------------------------===//

/// Allocates circular buffers one after the other in the L1 of the cores; each
/// has the same address on all its cores.
class BufferPlacer {
public:
  explicit BufferPlacer(const ChipGeometry &chip)
      : chip_(chip), alignment_(std::max(chip.l1Align, chip.dramAlign)),
        next_(std::size_t(chip.cores()), align(chip.l1Base)) {}

  std::int64_t place(const CoreRangeSet &cores, std::uint32_t bytes) {
    std::int64_t address = 0;
    forCores(cores,
             [&](std::int64_t &next) { address = std::max(address, next); });
    forCores(cores, [&](std::int64_t &next) { next = align(address + bytes); });
    return address;
  }

private:
  std::int64_t align(std::int64_t address) const {
    return (address + alignment_ - 1) / alignment_ * alignment_;
  }
  template <typename F> void forCores(const CoreRangeSet &cores, const F &f) {
    for (const CoreRange &range : cores.ranges())
      for (const CoreCoord &core : range) {
        if (core.x >= std::size_t(chip_.gridX) ||
            core.y >= std::size_t(chip_.gridY))
          raise(ErrorCategory::Argument,
                "expected a circular buffer on cores of the chip's ",
                chip_.gridX, "x", chip_.gridY, ", found ", core.str());
        f(next_[core.y * std::size_t(chip_.gridX) + core.x]);
      }
  }

  const ChipGeometry &chip_;
  std::int64_t alignment_;
  std::vector<std::int64_t> next_; // free address of each core
};

void addBuffers(const Program::Impl &program, const ChipGeometry &chip,
                Launch &launch) {
  BufferPlacer placer(chip);
  for (const auto &[cores, config] : program.buffers) {
    const std::uint32_t bytes = config.total_size();
    const auto &given = config.globally_allocated_address();
    const std::int64_t address =
        given ? std::int64_t(*given) : placer.place(cores, bytes);
    for (const auto &[port, format] : config.data_formats()) {
      const std::uint32_t page = config.page_sizes().at(port);
      if (bytes == 0 || bytes % page)
        raise(ErrorCategory::Argument, "circular buffer ", int(port),
              ": expected pages that divide its ", bytes, " bytes, found ",
              page, " bytes");
      emulator::CircularBufferConfig &buffer = launch.buffers.emplace_back();
      buffer.port = port;
      buffer.address = std::uint64_t(address);
      buffer.pageSize = page;
      buffer.pages = bytes / page;
      buffer.type = runtime::numerics::DType(format);
      buffer.tiled = page >= tt::tile_size(format);
      buffer.aliased = given || config.data_formats().size() > 1;
      buffer.cores = toRanges(cores);
    }
  }
}

//===-- Tensors -----------------------------------------------------------===//

std::vector<emulator::LiveBuffer>
liveBuffers(IDevice::Impl &device,
            const std::vector<std::uint32_t> &positions) {
  std::vector<emulator::LiveBuffer> result;
  for (const auto &buffer : device.liveBuffers()) {
    emulator::LiveBuffer live;
    live.name = buffer->describe();
    live.address = buffer->place.address;
    live.bytes = std::uint64_t(buffer->on(0).bankBytes());
    if (buffer->type == BufferType::L1) {
      for (const runtime::NativeCores &cores : buffer->place.cores)
        live.cores.push_back({cores.y, cores.x, cores.height, cores.width});
      if (live.cores.empty())
        live.cores.push_back(
            {0, 0, device.geometry().gridY, device.geometry().gridX});
    }
    for (const std::uint32_t position : positions)
      live.written.push_back(buffer->on(position).written());
    result.push_back(std::move(live));
  }
  return result;
}

//===-- Output ------------------------------------------------------------===//

/// "0:(x=1,y=0):BR: text" for each line, as the chip's debug server prints.
void print(const emulator::LaunchResult &result, const Program::Impl &program) {
  for (const emulator::DebugPrint &line : result.prints) {
    const CoreCoord core(std::size_t(line.core.x), std::size_t(line.core.y));
    const char *thread = "TR";
    for (const KernelEntry &kernel : program.kernels)
      if (const auto *data = std::get_if<DataMovementConfig>(&kernel.config);
          data && kernel.cores.contains(core) &&
          line.thread == (data->noc == NOC_0 ? "noc0" : "noc1"))
        thread =
            data->processor == DataMovementProcessor::RISCV_0 ? "BR" : "NC";
    std::cout << std::max(0, line.chip.device) << ':' << core.str() << ':'
              << thread << ": " << line.text << '\n';
  }
  std::cout.flush();
}

ttmlir::ProgramTime timeOf(const runtime::OpCost &cost, double clockHz) {
  ttmlir::ProgramTime time;
  time.cycles = cost.cycles;
  time.clock_hz = clockHz;
  time.seconds = cost.cycles / clockHz;
  time.dram_read_bytes = cost.dramReadBytes;
  time.dram_write_bytes = cost.dramWriteBytes;
  time.noc_bytes = cost.nocBytes;
  for (const runtime::KernelUse &kernel : cost.kernels)
    time.kernels.push_back({kernel.name, kernel.thread, kernel.cores,
                            kernel.begin, kernel.end, kernel.busy});
  return time;
}

void printTime(const ttmlir::ProgramTime &time, std::uint32_t number) {
  std::cerr << "program " << number << ": " << std::int64_t(time.cycles)
            << " cycles (" << time.seconds * 1e6 << " us)\n";
  for (const ttmlir::KernelTime &kernel : time.kernels)
    std::cerr << "  " << kernel.name << " on " << kernel.thread << " of "
              << kernel.cores << (kernel.cores == 1 ? " core" : " cores")
              << ": cycles " << std::int64_t(kernel.begin) << " to "
              << std::int64_t(kernel.end) << ", busy "
              << std::int64_t(kernel.busy) << '\n';
}

bool wantsTimes() {
  const char *wants = std::getenv("TT_METAL_DEVICE_PROFILER");
  return wants && *wants && std::string(wants) != "0";
}

} // namespace

void compileKernels(IDevice::Impl &device, Program::Impl &program) {
  const std::vector<NativeTensorUse> tensors = tensorsOf(device);
  std::vector<std::uint32_t> addresses;
  for (const NativeTensorUse &tensor : tensors)
    addresses.push_back(tensor.address);
  std::vector<runtime::KernelUnit> units;
  std::uint32_t common = 0;
  for (const KernelEntry &kernel : program.kernels) {
    units.push_back(unitOf(kernel, common, device.geometry()));
    common += std::uint32_t(kernel.commonArgs.size());
  }
  bool known = true;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const KernelEntry &kernel = program.kernels[i];
    known &=
        kernel.native && kernel.unit == units[i] && kernel.tensors == addresses;
  }
  if (known)
    return;
  const auto objects = runtime::compileKernels(units, kernelHeaders());
  for (std::size_t i = 0; i < units.size(); ++i) {
    KernelEntry &kernel = program.kernels[i];
    runtime::NativeKernelUse use;
    use.path = objects[i].path;
    use.hasVariables = objects[i].hasVariables;
    use.lines = objects[i].lines;
    kernel.native =
        std::make_shared<const emulator::NativeKernel>(std::move(use), tensors);
    noteKernel(objects[i].path, kernel.name, kernel.native);
    kernel.unit = std::move(units[i]);
    kernel.unchecked = objects[i].unchecked;
    kernel.tensors = addresses;
  }
}

void run(IDevice &owner, Program &program,
         const std::vector<std::uint32_t> &positions,
         const std::vector<std::uint32_t> &mesh) {
  IDevice::Impl &device = checkDevice(&owner).impl();
  Program::Impl &impl = program.impl();
  if (impl.kernels.empty())
    raise(ErrorCategory::Argument, "expected a program with kernels");
  compileKernels(device, impl);
  Launch launch;
  launch.semaphores = impl.semaphores;
  for (const KernelEntry &kernel : impl.kernels) {
    launch.kernels.push_back(launched(kernel));
    launch.commonArgs.insert(launch.commonArgs.end(), kernel.commonArgs.begin(),
                             kernel.commonArgs.end());
  }
  addBuffers(impl, device.geometry(), launch);
  emulator::OpenDevice &open = device.open();
  emulator::Chips chips;
  emulator::LaunchChips on;
  for (const std::uint32_t position : positions) {
    chips.push_back(device.chips[position]);
    on.chips.push_back(chips.back().get());
  }
  std::unique_ptr<emulator::Fabric> fabric;
  if (chips.size() > 1)
    fabric =
        std::make_unique<emulator::Fabric>(open.system->desc(), chips, mesh);
  on.fabric = fabric.get();
  on.memory = &open.launches;
  emulator::LaunchOptions options;
  options.checks = device.options.checks;
  if (!device.options.check_kinds.empty())
    options.checkKinds = runtime::checkKindsOf(device.options.check_kinds);
  options.exactNumerics = device.options.exact_numerics;
  options.stepLimit = device.options.step_limit;
  options.events = device.options.times || wantsTimes();
  const auto live = liveBuffers(device, positions);
  const std::lock_guard lock(open.mutex);
  const auto result = emulator::launch(on, launch, live, options);
  print(result, impl);
  ++device.programs;
  device.notes = result.notes;
  device.time = {};
  if (!options.events)
    return;
  device.time = timeOf(runtime::ttmetal::launchCost(
                           launch, result, device.geometry(), fabric.get()),
                       runtime::archData(device.geometry().arch).cost.clockHz);
  if (wantsTimes())
    printTime(device.time, device.programs);
}

void EnqueueProgram(CommandQueue &queue, Program &program, bool) {
  run(checkDevice(queue.device()), program, {0}, {1, 1});
}

namespace detail {

void CompileProgram(IDevice *device, Program &program) {
  compileKernels(checkDevice(device).impl(), program.impl());
}
void LaunchProgram(IDevice *device, Program &program, bool) {
  run(checkDevice(device), program, {0}, {1, 1});
}

} // namespace detail

namespace distributed {

void EnqueueMeshWorkload(MeshCommandQueue &queue, MeshWorkload &workload,
                         bool) {
  IDevice &device = checkDevice(queue.device());
  const std::vector<std::uint32_t> &mesh = device.impl().mesh;
  for (auto &[range, program] : workload.programs()) {
    const MeshCoordinate &first = range.start_coord(),
                         &last = range.end_coord();
    if (first[0] > last[0] || first[1] > last[1] || last[0] >= mesh[0] ||
        last[1] >= mesh[1])
      raise(ErrorCategory::Argument, "expected a range within the mesh ",
            mesh[0], "x", mesh[1], ", found (", first[0], ", ", first[1],
            ") to (", last[0], ", ", last[1], ")");
    std::vector<std::uint32_t> positions;
    for (std::uint32_t y = first[0]; y <= last[0]; ++y)
      for (std::uint32_t x = first[1]; x <= last[1]; ++x)
        positions.push_back(y * mesh[1] + x);
    run(device, program, positions,
        {last[0] - first[0] + 1, last[1] - first[1] + 1});
  }
}

} // namespace distributed
} // namespace tt::tt_metal
