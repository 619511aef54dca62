#include "bindings.h"
#include "native_call.h"

#include "tt/runtime/detail/debug.h"
#include "tt/runtime/runtime.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <sstream>

namespace nb = nanobind;
using namespace nb::literals;

namespace tt::runtime::python {
namespace {

void bindTrace(nb::module_ &m) {
  nb::class_<TraceFilter>(
      m, "TraceFilter",
      "Selects the part of a run that a trace keeps: kinds of `tracks`, `ops` "
      "whose name or label matches a shell pattern, `devices` by position, "
      "`cores` (y, x), and a `window` of cycles; everything by default. A "
      "trace of more than `limit` slices is not written.")
      .def(
          "__init__",
          [](TraceFilter *self, std::vector<std::string> tracks,
             std::vector<std::string> ops, std::vector<int> devices,
             std::vector<std::pair<int, int>> cores,
             const std::optional<std::pair<double, double>> &window,
             std::uint64_t limit) {
            TraceFilter filter;
            filter.tracks = std::move(tracks);
            filter.ops = std::move(ops);
            filter.devices = std::move(devices);
            filter.cores = std::move(cores);
            if (window)
              std::tie(filter.begin, filter.end) = *window;
            filter.limit = limit;
            checkFilter(filter);
            new (self) TraceFilter(std::move(filter));
          },
          nb::kw_only(), "tracks"_a = std::vector<std::string>(),
          "ops"_a = std::vector<std::string>(),
          "devices"_a = std::vector<int>(),
          "cores"_a = std::vector<std::pair<int, int>>(),
          "window"_a = nb::none(), "limit"_a = TraceFilter().limit)
      .def_ro("tracks", &TraceFilter::tracks)
      .def_ro("ops", &TraceFilter::ops)
      .def_ro("devices", &TraceFilter::devices)
      .def_ro("cores", &TraceFilter::cores)
      .def_prop_ro("window",
                   [](const TraceFilter &self) {
                     return std::pair(self.begin, self.end);
                   })
      .def_ro("limit", &TraceFilter::limit);

  nb::class_<Timeline>(m, "Trace", "The timeline of a run.")
      .def("write", &Timeline::write, "sink"_a, "format"_a,
           "Calls `sink` with the bytes of the file, piece by piece; `format` "
           "is json, for Chrome's viewer, or perfetto.");
}

void bindReport(nb::module_ &m) {
  nb::class_<TimeParts>(m, "TimeParts", "The parts of a time, in cycles.")
      .def_ro("compute", &TimeParts::compute)
      .def_ro("noc", &TimeParts::noc)
      .def_ro("dram", &TimeParts::dram)
      .def_ro("ethernet", &TimeParts::ethernet)
      .def_ro("host", &TimeParts::host)
      .def_ro("dispatch", &TimeParts::dispatch)
      .def_ro("waiting", &TimeParts::waiting);

  nb::class_<KernelUse>(m, "KernelUse", "A kernel of an operation.")
      .def_ro("name", &KernelUse::name)
      .def_ro("thread", &KernelUse::thread)
      .def_ro("location", &KernelUse::location)
      .def_ro("cores", &KernelUse::cores)
      .def_ro("begin", &KernelUse::begin)
      .def_ro("end", &KernelUse::end)
      .def_ro("busy", &KernelUse::busy)
      .def_ro("parts", &KernelUse::parts);

  nb::class_<OperandUse>(m, "OperandUse",
                         "An operand or a result of an operation.")
      .def_ro("shape", &OperandUse::shape)
      .def_ro("dtype", &OperandUse::dtype)
      .def_ro("layout", &OperandUse::layout)
      .def_ro("memory", &OperandUse::memory)
      .def_ro("sharding", &OperandUse::sharding)
      .def_ro("grid", &OperandUse::grid)
      .def_ro("bytes", &OperandUse::bytes);

  nb::class_<MemoryUse>(m, "MemoryUse",
                        "Memory that an owner holds over a period of time.")
      .def_ro("device", &MemoryUse::device)
      .def_ro("space", &MemoryUse::space)
      .def_ro("address", &MemoryUse::address)
      .def_ro("bytes", &MemoryUse::bytes)
      .def_ro("name", &MemoryUse::name)
      .def_ro("begin", &MemoryUse::begin)
      .def_ro("end", &MemoryUse::end)
      .def_ro("y0", &MemoryUse::y0)
      .def_ro("x0", &MemoryUse::x0)
      .def_ro("y1", &MemoryUse::y1)
      .def_ro("x1", &MemoryUse::x1);

  nb::class_<MemoryRequest>(m, "MemoryRequest",
                            "A memory request that did not fit.")
      .def_ro("device", &MemoryRequest::device)
      .def_ro("space", &MemoryRequest::space)
      .def_ro("bytes", &MemoryRequest::bytes)
      .def_ro("name", &MemoryRequest::name)
      .def_ro("available", &MemoryRequest::available)
      .def_ro("largest_free", &MemoryRequest::largestFree);

  nb::class_<CoreUse>(m, "CoreUse", "Busy cycles of the engines of a core.")
      .def_ro("device", &CoreUse::device)
      .def_ro("y", &CoreUse::y)
      .def_ro("x", &CoreUse::x)
      .def_ro("noc0", &CoreUse::noc0)
      .def_ro("noc1", &CoreUse::noc1)
      .def_ro("unpack", &CoreUse::unpack)
      .def_ro("math", &CoreUse::math)
      .def_ro("pack", &CoreUse::pack)
      .def_ro("end", &CoreUse::end);

  nb::class_<LinkUse>(m, "LinkUse", "Traffic of a link of a network on chip.")
      .def_ro("device", &LinkUse::device)
      .def_ro("noc", &LinkUse::noc)
      .def_ro("x", &LinkUse::x)
      .def_ro("y", &LinkUse::y)
      .def_ro("vertical", &LinkUse::vertical)
      .def_ro("bytes", &LinkUse::bytes)
      .def_ro("busy", &LinkUse::busy);

  nb::class_<ChannelUse>(m, "ChannelUse", "Traffic of a DRAM channel.")
      .def_ro("device", &ChannelUse::device)
      .def_ro("channel", &ChannelUse::channel)
      .def_ro("read_bytes", &ChannelUse::readBytes)
      .def_ro("write_bytes", &ChannelUse::writeBytes)
      .def_ro("busy", &ChannelUse::busy);

  nb::class_<EthernetUse>(m, "EthernetUse",
                          "Traffic of one direction of an Ethernet link.")
      .def_ro("from_chip", &EthernetUse::fromChip)
      .def_ro("to_chip", &EthernetUse::toChip)
      .def_ro("link", &EthernetUse::link)
      .def_ro("bytes", &EthernetUse::bytes)
      .def_ro("wire_bytes", &EthernetUse::wireBytes)
      .def_ro("packets", &EthernetUse::packets)
      .def_ro("busy", &EthernetUse::busy);

  nb::class_<OpCost>(m, "OpCost", "Cost of one operation; see Report.")
      .def_ro("name", &OpCost::name)
      .def_ro("location", &OpCost::location)
      .def_ro("phase", &OpCost::phase)
      .def_ro("start", &OpCost::start)
      .def_ro("cycles", &OpCost::cycles)
      .def_ro("parts", &OpCost::parts)
      .def_ro("flops", &OpCost::flops)
      .def_ro("fidelity", &OpCost::fidelity)
      .def_ro("ideal_compute_cycles", &OpCost::idealComputeCycles)
      .def_ro("ideal_memory_cycles", &OpCost::idealMemoryCycles)
      .def_ro("operands", &OpCost::operands)
      .def_ro("results", &OpCost::results)
      .def_ro("kernels", &OpCost::kernels)
      .def_ro("dram_read_bytes", &OpCost::dramReadBytes)
      .def_ro("dram_write_bytes", &OpCost::dramWriteBytes)
      .def_ro("l1_read_bytes", &OpCost::l1ReadBytes)
      .def_ro("l1_write_bytes", &OpCost::l1WriteBytes)
      .def_ro("noc_bytes", &OpCost::nocBytes)
      .def_ro("host_bytes", &OpCost::hostBytes)
      .def_ro("cores", &OpCost::cores)
      .def_ro("compute_cycles", &OpCost::computeCycles)
      .def_ro("memory_cycles", &OpCost::memoryCycles)
      .def_ro("l1_high_water", &OpCost::l1HighWater)
      .def_ro("dram_high_water", &OpCost::dramHighWater)
      .def_ro("core_use", &OpCost::coreUse)
      .def_ro("link_use", &OpCost::linkUse)
      .def_ro("channel_use", &OpCost::channelUse)
      .def_ro("ethernet_bytes", &OpCost::ethernetBytes)
      .def_ro("ethernet_cycles", &OpCost::ethernetCycles)
      .def_ro("ethernet_use", &OpCost::ethernetUse);

  nb::class_<Report>(m, "Report", "Modelled cost of one run on the chip.")
      .def_ro("program", &Report::program)
      .def_ro("arch", &Report::arch)
      .def_ro("worker_cores", &Report::workerCores)
      .def_ro("clock_hz", &Report::clockHz)
      .def_ro("cycles", &Report::cycles)
      .def_ro("seconds", &Report::seconds)
      .def_ro("l1_high_water", &Report::l1HighWater)
      .def_ro("dram_high_water", &Report::dramHighWater)
      .def_ro("ethernet_bytes", &Report::ethernetBytes)
      .def_ro("ethernet_use", &Report::ethernetUse)
      .def_ro("ops", &Report::ops)
      .def_ro("memory", &Report::memory)
      .def_ro("failed", &Report::failed)
      .def_prop_ro("trace", [](const Report &self) -> std::optional<Timeline> {
        return toTimeline(self.trace);
      });

  m.def(
      "enable_report",
      [](Device device, bool enabled, const TimelineChoice &trace) {
        nativeCall([&] { enableReport(device, enabled, toFilter(trace)); });
      },
      "device"_a, "enabled"_a, "trace"_a = false,
      "Turns the cost report of later runs on or off; `trace` also records "
      "the timeline.");
  m.def("get_report", native(&getReport), "device"_a,
        "The report of the last run with reporting turned on.");
  m.def(
      "estimate_report", native(&estimateReport), "binary"_a, "program"_a,
      "position"_a = nb::none(),
      "Estimates the report of a TTNN program without a run; attention that "
      "takes positions has its last query at `position`.");
}

using Numbers = std::vector<std::int64_t>;

void bindMeshes(nb::module_ &m) {
  m.def(
      "open_mesh_device",
      [](const Numbers &meshShape, const std::vector<int> &ids,
         const std::optional<SystemDesc> &system) {
        const auto shape = toExtents("mesh_shape", meshShape);
        return system ? openMeshDevice(*system, shape, ids)
                      : openMeshDevice(shape, ids);
      },
      "mesh_shape"_a, "device_ids"_a = std::vector<int>{},
      "system_desc"_a = nb::none(),
      "Opens chips of a system, the current one by default, as a mesh. The ids "
      "are row-major over it; without them chips are chosen that have links to "
      "their neighbours.");
  m.def(
      "create_sub_mesh_device",
      [](Device parent, const Numbers &meshShape, const Numbers &offset) {
        return createSubMeshDevice(std::move(parent),
                                   toExtents("mesh_shape", meshShape),
                                   toExtents("offset", offset));
      },
      "parent"_a, "mesh_shape"_a, "offset"_a = Numbers{},
      "The block of a mesh that begins at `offset`, with the chips and the "
      "memory of its parent.");
  m.def("release_sub_mesh_device", native(&releaseSubMeshDevice), "sub_mesh"_a,
        "The submesh cannot be used afterwards.");
  m.def(
      "reshape_mesh_device",
      [](Device device, const Numbers &meshShape) {
        const auto extents = toExtents("mesh_shape", meshShape);
        nativeCall([&] { reshapeMeshDevice(device, extents); });
      },
      "device"_a, "mesh_shape"_a,
      "Changes the shape of the mesh; the chips keep their row-major order.");
}

void bindOptions(nb::module_ &m) {
  nb::enum_<Numerics>(m, "Numerics", "The arithmetic of ops and kernels.")
      .value("Fast", Numerics::Fast)
      .value("Exact", Numerics::Exact);

  nb::class_<DeviceOptions>(m, "DeviceOptions",
                            "How a device runs programs.")
      .def(
          "__init__",
          [](DeviceOptions *self, bool checks, Numerics numerics,
             std::uint64_t stepLimit, std::string kernelDirectory) {
            new (self) DeviceOptions{checks, numerics, stepLimit,
                                     std::move(kernelDirectory)};
          },
          nb::kw_only(), "checks"_a = DeviceOptions().checks,
          "numerics"_a = DeviceOptions().numerics,
          "step_limit"_a = DeviceOptions().stepLimit,
          "kernel_directory"_a = DeviceOptions().kernelDirectory)
      .def_rw("checks", &DeviceOptions::checks,
              "Reports errors that a chip would not detect.")
      .def_prop_rw(
          "check_kinds",
          [](const DeviceOptions &self) { return namesOf(self.checkKinds); },
          [](DeviceOptions &self, const std::vector<std::string> &names) {
            self.checkKinds = checkKindsOf(names);
          },
          "Names of the enabled kinds of checks, while checks are on.")
      .def_rw("numerics", &DeviceOptions::numerics)
      .def_rw("step_limit", &DeviceOptions::stepLimit,
              "The maximum number of instructions of a kernel thread.")
      .def_rw("kernel_directory", &DeviceOptions::kernelDirectory,
              "Directory of the kernel sources on disk, which must be those of "
              "the binary; empty to skip this check.");

  m.def("set_device_options", native(&setDeviceOptions), "device"_a,
        "options"_a, "Options of the runs on a device from now on.");
  m.def("get_device_options", native(&getDeviceOptions), "device"_a,
        "Options of the runs on a device, a copy.");
  m.def("set_default_device_options", &setDefaultDeviceOptions, "options"_a,
        "Options of the devices that are opened later.");
  m.def("get_default_device_options", &getDefaultDeviceOptions,
        "Options of the devices that are opened later, a copy.");

  nb::class_<DebugLine>(m, "DebugLine", "A line that a kernel printed.")
      .def_prop_ro(
          "core",
          [](const DebugLine &self) { return std::pair(self.y, self.x); })
      .def_ro("thread", &DebugLine::thread, "noc0, noc1 or compute.")
      .def_ro("text", &DebugLine::text)
      .def_ro("device", &DebugLine::device,
              "Position of the chip in the mesh.");
  m.def("get_debug_prints", native(&getDebugPrints), "device"_a,
        "Lines printed by the kernels of the last TTMetal run.");
  m.def("get_notes", native(&getNotes), "device"_a,
        "Findings of the checks of the last TTMetal run that may be meant, such "
        "as pages left in a circular buffer.");
}

} // namespace

void Timeline::write(const nb::callable &sink,
                     const std::string &format) const {
  if (format != "json" && format != "perfetto")
    raise(ErrorCategory::Argument,
          "format of a trace: expected json or perfetto, found '", format, "'");
  writeTrace(*trace,
             format == "json" ? TraceFormat::Json : TraceFormat::Perfetto,
             [&](std::string_view piece) {
               sink(nb::bytes(piece.data(), piece.size()));
             });
}

std::optional<Timeline> toTimeline(std::shared_ptr<const Trace> trace) {
  if (!trace)
    return std::nullopt;
  return Timeline{std::move(trace)};
}

std::optional<TraceFilter> toFilter(const TimelineChoice &choice) {
  if (auto const *given = std::get_if<TraceFilter>(&choice))
    return *given;
  return std::get<bool>(choice) ? std::optional(TraceFilter()) : std::nullopt;
}

std::vector<std::uint32_t> toExtents(const char *name,
                                     const std::vector<std::int64_t> &numbers) {
  for (std::int64_t number : numbers)
    if (number < 0 || number > std::int64_t(UINT32_MAX))
      raise(ErrorCategory::Argument, name, ": expected numbers from 0 to ",
            UINT32_MAX, ", found ", number);
  return {numbers.begin(), numbers.end()};
}

void bindDevices(nb::module_ &m) {
  nb::enum_<DeviceRuntime>(m, "DeviceRuntime",
                           "The runtime of a program, by the kind of its file.")
      .value("Disabled", DeviceRuntime::Disabled)
      .value("TTNN", DeviceRuntime::TTNN)
      .value("TTMetal", DeviceRuntime::TTMetal);

  nb::class_<debug::Env>(m, "DebugEnv", "Debug switches.")
      .def_static(
          "get", &debug::Env::get, "load_kernels_from_disk"_a = false,
          "disable_async_ttnn"_a = false,
          "Creates switches with these values; they do not affect runs.")
      .def("__str__", [](const debug::Env &env) {
        std::ostringstream text;
        text << env;
        return text.str();
      });

  nb::class_<Event>(m, "Event", "The end of a submitted run.");
  nb::class_<Device>(m, "Device", "One or more opened chips.")
      .def("deallocate_buffers", native(&detail::deallocateBuffers),
           "Frees the memory of all tensors on the device.")
      .def_prop_ro("ids", [](const Device &self) { return getDeviceIds(self); })
      .def_prop_ro(
          "mesh_shape", [](const Device &self) { return getMeshShape(self); },
          "Extents of the mesh; 1xN for N chips that were opened one by one.")
      .def_prop_ro("system_desc",
                   [](const Device &self) { return getDeviceSystemDesc(self); })
      .def("__repr__", [](const Device &self) {
        std::string ids;
        for (const auto id : getDeviceIds(self))
          ids += (ids.empty() ? "" : ", ") + std::to_string(id);
        return "<ttmlir.runtime.Device chips [" + ids + "]>";
      });

  nb::class_<WeakDevice>(
      m, "WeakDevice",
      "A weak reference to a device, which does not keep it open.")
      .def(nb::init<const Device &>(), "device"_a)
      .def(
          "__call__", &WeakDevice::lock,
          "The device; None once it is closed, when neither it nor a tensor on "
          "it was in use any more.");

  m.def("get_current_runtime", &getCurrentRuntime, "The current runtime.");
  m.def("get_available_runtimes", &getAvailableRuntimes,
        "All runtimes of this installation.");
  m.def("set_current_runtime", &setCurrentRuntime, "runtime"_a,
        "Sets the current runtime, which new devices and tensors refer to.");
  m.def("set_compatible_runtime", &setCompatibleRuntime, "binary"_a,
        "Sets the current runtime to that of the binary.");
  m.def(
      "get_current_system_desc", [] { return getCurrentSystemDesc(); },
      "The system that open_device opens, and the ids of its chips.");
  m.def("set_current_system_desc", &system_desc::setCurrentSystemDesc,
        "system_desc"_a, "Sets the system that open_device opens.");

  m.def(
      "open_device",
      [](const std::vector<int> &ids, const std::vector<std::uint8_t> &queues) {
        return openDevice(ids, queues);
      },
      "device_ids"_a = std::vector<int>{0},
      "num_hw_cqs"_a = std::vector<std::uint8_t>{},
      "Opens chips of the current system.");
  m.def(
      "open_system",
      [](const SystemDesc &systemDesc, const std::vector<int> &ids) {
        return openDevice(systemDesc, ids);
      },
      "system_desc"_a, "device_ids"_a = std::vector<int>{0},
      "Opens chips of the given system.");
  m.def("set_chip_owners", native(&setChipOwners), "device"_a, "owners"_a,
        "The rank that emulates each chip of the system in all meshes of the "
        "device, by chip; by default, positions of a mesh are divided.");
  m.def("close_device", native(&closeDevice), "device"_a,
        "Closes a device and frees the tensors on it.");
  bindMeshes(m);

  m.def("submit",
        native(nb::overload_cast<Device, Binary, std::uint32_t,
                                 const std::vector<Tensor> &,
                                 const std::vector<Tensor> &>(&submit)),
        "device"_a, "executable"_a, "program_index"_a, "inputs"_a, "outputs"_a,
        "Runs a program and writes its results to `outputs`.");
  m.def(
      "run",
      native(nb::overload_cast<Device, Binary, std::uint32_t,
                               const std::vector<Tensor> &>(&submit)),
      "device"_a, "executable"_a, "program_index"_a, "inputs"_a,
      "Runs a program and returns its results where the program leaves them.");
  m.def("wait", &wait, "event"_a, "Waits for a submitted run.");
  m.def(
      "to_layout",
      [](const Tensor &tensor, const Device &device, const Binary &executable,
         std::uint32_t program, std::uint32_t input,
         std::optional<std::uint32_t> position) {
        return nativeCall([&] {
          return position
                     ? toLayout(tensor, device, executable, program, input,
                                *position)
                     : toLayout(tensor, device, executable, program, input);
        });
      },
      "tensor"_a, "device"_a, "executable"_a, "program_index"_a,
      "input_index"_a, "position"_a = nb::none(),
      "Converts a tensor to the layout of a program input; copies only if "
      "needed. With a position, the tensor is that of one chip at this "
      "position of the program's mesh.");
  m.def("copy_to_chip", native(&copyToChip), "tensor"_a, "device"_a,
        "chip_id"_a,
        "Copies a tensor of one chip to another chip of the device, with the "
        "same memory space and layout.");

  // Ctrl-C ends a loop of a program between two turns.
  setHostPoll([] {
    nb::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0)
      throw nb::python_error();
  });
  m.def("set_num_threads", &setNumThreads, "count"_a,
        "Host threads of kernels and copies; below 1 for all CPUs.");
  m.def("get_num_threads", &getNumThreads,
        "Threads of the host that run programs.");
  bindOptions(m);
  bindTrace(m);
  bindReport(m);
}

} // namespace tt::runtime::python
