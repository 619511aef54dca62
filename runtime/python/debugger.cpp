// Python bindings of the debugger of kernels.
#include "bindings.h"
#include "native_call.h"

#include "tt/runtime/debugger.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

namespace nb = nanobind;
using namespace nb::literals;

namespace tt::runtime::python {
namespace {

/// (device, y, x)
using CoreTuple = std::tuple<int, int, int>;
using PlaceTuple = std::tuple<int, int, int, std::string>;

DebugCore toCore(const CoreTuple &core) {
  return {std::get<0>(core), std::get<1>(core), std::get<2>(core)};
}

DebugPlace toPlace(const PlaceTuple &place) {
  return {{std::get<0>(place), std::get<1>(place), std::get<2>(place)},
          std::get<3>(place)};
}

CoreTuple toTuple(const DebugCore &core) {
  return {core.device, core.y, core.x};
}

PlaceTuple toTuple(const DebugPlace &place) {
  return {place.core.device, place.core.y, place.core.x, place.thread};
}

const char *nameOf(DebugStopKind kind) {
  constexpr const char *names[] = {"launch", "breakpoint", "step", "interrupt",
                                   "fault",  "deadlock",   "ended"};
  return names[unsigned(kind)];
}

const char *nameOf(DebugThreadState state) {
  constexpr const char *names[] = {"ready", "waiting", "ended"};
  return names[unsigned(state)];
}

DebugResume resumeOf(const std::string &name) {
  constexpr const char *names[] = {"continue", "instruction", "line", "core"};
  for (unsigned i = 0; i < std::size(names); ++i)
    if (name == names[i])
      return DebugResume(i);
  raise(ErrorCategory::Argument,
        "expected continue, instruction, line or core, found '", name, "'");
}

nb::bytes toBytes(const void *data, std::size_t size) {
  return nb::bytes(static_cast<const char *>(data), size);
}

void bindState(nb::module_ &m) {
  nb::class_<DebugBreakpoint>(m, "DebugBreakpoint",
                              "A breakpoint of a debugger.")
      .def_ro("id", &DebugBreakpoint::id)
      .def_ro("file", &DebugBreakpoint::file)
      .def_ro("line", &DebugBreakpoint::line)
      .def_ro("kernel", &DebugBreakpoint::kernel)
      .def_ro("thread", &DebugBreakpoint::thread)
      .def_ro("enabled", &DebugBreakpoint::enabled)
      .def_ro("once", &DebugBreakpoint::once)
      .def_ro("hits", &DebugBreakpoint::hits)
      .def_ro("places", &DebugBreakpoint::places)
      .def_prop_ro(
          "core",
          [](const DebugBreakpoint &self) -> std::optional<CoreTuple> {
            if (!self.core)
              return std::nullopt;
            return toTuple(*self.core);
          },
          "(device, y, x), or None for every core.");

  nb::class_<DebugStop>(m, "DebugStop", "A stop of a debugged run.")
      .def_prop_ro("reason",
                   [](const DebugStop &self) { return nameOf(self.kind); })
      .def_prop_ro(
          "place",
          [](const DebugStop &self) -> std::optional<PlaceTuple> {
            if (!self.place)
              return std::nullopt;
            return toTuple(*self.place);
          },
          "(device, y, x, thread), or None.")
      .def_ro("breakpoints", &DebugStop::breakpoints)
      .def_ro("message", &DebugStop::message);

  nb::class_<DebugThread>(m, "DebugThread", "A thread of a core.")
      .def_prop_ro(
          "place", [](const DebugThread &self) { return toTuple(self.place); },
          "(device, y, x, thread)")
      .def_ro("kernel", &DebugThread::kernel)
      .def_ro("location", &DebugThread::location)
      .def_ro("instruction", &DebugThread::instruction)
      .def_ro("engine", &DebugThread::engine)
      .def_ro("opcode", &DebugThread::opcode)
      .def_prop_ro("state",
                   [](const DebugThread &self) { return nameOf(self.state); })
      .def_ro("waits_for", &DebugThread::waitsFor)
      .def_ro("suppliers", &DebugThread::suppliers)
      .def_ro("waypoint", &DebugThread::waypoint)
      .def_ro("steps", &DebugThread::steps);

  nb::class_<DebugBuffer>(m, "DebugBuffer", "A circular buffer of a core.")
      .def_ro("port", &DebugBuffer::port)
      .def_ro("address", &DebugBuffer::address)
      .def_ro("page_size", &DebugBuffer::pageSize)
      .def_ro("pages", &DebugBuffer::pages)
      .def_ro("dtype", &DebugBuffer::type)
      .def_ro("tiled", &DebugBuffer::tiled)
      .def_ro("available", &DebugBuffer::available)
      .def_ro("room", &DebugBuffer::room)
      .def_ro("read_page", &DebugBuffer::readPage)
      .def_ro("write_page", &DebugBuffer::writePage)
      .def_ro("waited", &DebugBuffer::waited)
      .def_ro("reserved", &DebugBuffer::reserved)
      .def_ro("pushed", &DebugBuffer::pushed)
      .def_ro("popped", &DebugBuffer::popped)
      .def_ro("producer", &DebugBuffer::producer)
      .def_ro("consumer", &DebugBuffer::consumer);

  nb::class_<DebugSemaphore>(m, "DebugSemaphore", "A semaphore of a core.")
      .def_ro("id", &DebugSemaphore::id)
      .def_ro("address", &DebugSemaphore::address)
      .def_ro("value", &DebugSemaphore::value);

  nb::class_<DebugRegister>(m, "DebugRegister",
                            "A written destination register of a core.")
      .def_ro("section", &DebugRegister::section)
      .def_ro("index", &DebugRegister::index)
      .def_ro("kind", &DebugRegister::kind)
      .def_prop_ro(
          "words",
          [](const DebugRegister &self) {
            return toBytes(self.words.data(), 4 * self.words.size());
          },
          "32x32 words, row-major.");

  nb::class_<DebugArguments>(m, "DebugArguments",
                             "Arguments and registers of a thread.")
      .def_ro("runtime", &DebugArguments::runtime)
      .def_ro("common", &DebugArguments::common)
      .def_ro("compile_time", &DebugArguments::compileTime)
      .def_ro("registers", &DebugArguments::registers);

  nb::class_<DebugLineOfCode>(m, "DebugLineOfCode",
                              "An instruction, or a line of C++.")
      .def_ro("location", &DebugLineOfCode::location)
      .def_ro("text", &DebugLineOfCode::text)
      .def_ro("is_next", &DebugLineOfCode::isNext);
}

} // namespace

void bindDebugger(nb::module_ &m) {
  bindState(m);
  nb::class_<Debugger>(m, "Debugger",
                       "Controls a run in another thread; used by "
                       "ttmlir.debugger. Cores are (device, y, x), threads "
                       "(device, y, x, thread).")
      .def(nb::init<>())
      .def(
          "add_breakpoint",
          [](Debugger &self, std::string file, std::uint32_t line,
             std::string kernel, std::string thread,
             const std::optional<CoreTuple> &core, bool once) {
            DebugBreakpoint point;
            point.file = std::move(file);
            point.line = line;
            point.kernel = std::move(kernel);
            point.thread = std::move(thread);
            if (core)
              point.core = toCore(*core);
            point.once = once;
            return self.addBreakpoint(std::move(point));
          },
          nb::kw_only(), "file"_a = "", "line"_a = 0, "kernel"_a = "",
          "thread"_a = "", "core"_a = nb::none(), "once"_a = false)
      .def("remove_breakpoint", &Debugger::removeBreakpoint, "id"_a)
      .def("enable_breakpoint", &Debugger::enableBreakpoint, "id"_a,
           "enabled"_a)
      .def("breakpoints", &Debugger::breakpoints)
      .def(
          "wait",
          [](Debugger &self) {
            return nativeCall([&] { return self.wait(); });
          },
          "Waits until the run stops.")
      .def(
          "resume",
          [](Debugger &self, const std::string &how,
             const std::optional<PlaceTuple> &place) {
            self.resume(resumeOf(how),
                        place ? std::optional(toPlace(*place)) : std::nullopt);
          },
          "how"_a, "place"_a = nb::none())
      .def("interrupt", &Debugger::interrupt)
      .def("abandon", &Debugger::abandon)
      .def("end", &Debugger::end, "message"_a)
      .def("threads", &Debugger::threads)
      .def(
          "buffers",
          [](const Debugger &self, const CoreTuple &core) {
            return self.buffers(toCore(core));
          },
          "core"_a)
      .def(
          "semaphores",
          [](const Debugger &self, const CoreTuple &core) {
            return self.semaphores(toCore(core));
          },
          "core"_a)
      .def(
          "registers",
          [](const Debugger &self, const CoreTuple &core) {
            return self.registers(toCore(core));
          },
          "core"_a)
      .def(
          "arguments",
          [](const Debugger &self, const PlaceTuple &place) {
            return self.arguments(toPlace(place));
          },
          "place"_a)
      .def(
          "code",
          [](const Debugger &self, const PlaceTuple &place) {
            return self.code(toPlace(place));
          },
          "place"_a)
      .def(
          "read_l1",
          [](const Debugger &self, const CoreTuple &core, std::uint64_t address,
             std::uint64_t bytes) {
            const auto found = self.readL1(toCore(core), address, bytes);
            return toBytes(found.data(), found.size());
          },
          "core"_a, "address"_a, "bytes"_a)
      .def("prints", &Debugger::prints);
  m.def("set_debugger", native(&setDebugger), "device"_a, "debugger"_a.none(),
        "Debugs later runs on the device; None for none.");
}

} // namespace tt::runtime::python
