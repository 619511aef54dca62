#include "emulator/debug_session.h"

#include "numerics/cancel.h"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace tt::runtime {

using emulator::Code;
using emulator::KernelProgram;
using emulator::State;

namespace {

/// A place in a source.
struct Place {
  std::string_view file;
  std::uint32_t line = 0; // 0 for none
};

/// Splits "file:line" or "file:line:column".
Place splitPlace(std::string_view text) {
  std::uint32_t numbers[2] = {0, 0};
  std::size_t count = 0;
  while (count < 2) {
    const std::size_t colon = text.rfind(':');
    if (colon == text.npos || colon == 0)
      break;
    const std::string_view number = text.substr(colon + 1);
    const char *end = number.data() + number.size();
    if (number.empty() ||
        std::from_chars(number.data(), end, numbers[count]).ptr != end)
      break;
    text = text.substr(0, colon);
    ++count;
  }
  return count ? Place{text, numbers[count - 1]} : Place();
}

/// Whether `file` ends in the components of `pattern`.
bool matches(std::string_view file, std::string_view pattern) {
  return file.ends_with(pattern) &&
         (file.size() == pattern.size() || pattern.front() == '/' ||
          file[file.size() - pattern.size() - 1] == '/');
}

std::string textOf(const Place &place) {
  return place.line ? std::string(place.file) + ":" + std::to_string(place.line)
                    : "";
}

/// The place of an instruction, but none of the last one: that is the kernel's
/// beginning.
Place placeAt(const KernelProgram &program, std::size_t index) {
  const emulator::Instruction &instruction = program.instructions[index];
  if (instruction.opcode == emulator::Opcode::ret)
    return {};
  return splitPlace(program.locationOf(instruction));
}

constexpr auto kPoll = std::chrono::milliseconds(50);

} // namespace

//===-- The run -----------------------------------------------------------===//

DebugPlace Debugger::Session::placeOf(const Thread &thread) {
  return {{int(thread.machine->device), thread.core->y, thread.core->x},
          emulator::threadName(thread.kind())};
}

std::string Debugger::Session::lineOf(const Thread &thread) {
  return textOf(splitPlace(emulator::placeOf(thread, thread.next).location));
}

void Debugger::Session::begin(Mesh &mesh) {
  const Lock lock(mutex_);
  mesh_ = &mesh;
  calls_.clear();
  lastLines_.clear();
  firstOps_.clear();
  for (Stop &stop : stops_)
    resolve(stop);
}

void Debugger::Session::finish() noexcept {
  const Lock lock(mutex_);
  mesh_ = nullptr;
  shown_.reset();
  for (Stop &stop : stops_) {
    stop.ops.clear();
    stop.lines.clear();
  }
}

Debugger::Session::Order Debugger::Session::stop(DebugStop stop) {
  takePrints();
  Lock lock(mutex_);
  struct Stopped {
    std::shared_ptr<emulator::RunMutex> device;
    void set(bool stopped) {
      if (device)
        device->setStopped(stopped);
    }
    ~Stopped() { set(false); }
  } stopped{device_};
  stopped.set(true);
  shown_ = std::move(stop);
  order_.reset();
  changed_.notify_all();
  while (!order_ && !abandoned_) {
    changed_.wait_for(lock, kPoll);
    lock.unlock();
    numerics::checkCancelled();
    lock.lock();
  }
  shown_.reset();
  if (abandoned_)
    raise(ErrorCategory::Cancelled, "the debugged run was abandoned");
  return *order_;
}

void Debugger::Session::takePrints() {
  const Lock lock(mutex_);
  if (!mesh_)
    return;
  for (const auto &machine : mesh_->machines)
    for (std::uint32_t index : machine->active) {
      const Core &core = machine->cores[index];
      std::size_t &seen = seenPrints_[&core];
      for (; seen < core.prints.size(); ++seen) {
        const emulator::DebugPrint &line = core.prints[seen];
        prints_.push_back({line.core.y, line.core.x, line.thread, line.text,
                           std::max(0, line.chip.device)});
      }
    }
}

//===-- Breakpoints -------------------------------------------------------===//

void Debugger::Session::resolve(Stop &stop) {
  stop.ops.clear();
  stop.lines.clear();
  stop.point.places.clear();
  if (!mesh_)
    return;
  // The first line from the given one on, in the kernels of any core.
  std::uint32_t line = 0;
  const auto note = [&](std::string_view file, std::uint32_t found) {
    if (found >= stop.point.line && matches(file, stop.point.file))
      line = line ? std::min(line, found) : found;
  };
  const auto forCodes = [&](auto &&body) {
    for (const auto &machine : mesh_->machines)
      for (const Code *code : machine->codes)
        body(*code);
  };
  if (!stop.point.file.empty())
    forCodes([&](const Code &code) {
      for (std::size_t i = 0; !code.kernel->native && i < code.ops.size(); ++i)
        if (const Place place = placeAt(*code.kernel->program, i); place.line)
          note(place.file, place.line);
    });
  forCodes([&](const Code &code) { resolve(stop, code, line); });
  std::sort(stop.point.places.begin(), stop.point.places.end());
  stop.point.places.erase(
      std::unique(stop.point.places.begin(), stop.point.places.end()),
      stop.point.places.end());
}

void Debugger::Session::resolve(Stop &stop, const Code &code,
                                std::uint32_t line) {
  const DebugBreakpoint &point = stop.point;
  if (!point.kernel.empty() && code.kernel->name != point.kernel)
    return;
  if (!point.thread.empty() &&
      emulator::threadName(code.kernel->kind) != point.thread)
    return;
  const auto found = [&](const Place &place) {
    stop.point.places.push_back(place.line ? textOf(place)
                                           : "kernel " + code.kernel->name);
  };
  if (code.kernel->native) {
    // Only a run shows which lines have calls: see isAtLine().
    const NativeLine *last = nullptr;
    for (const NativeLine &known : code.kernel->native->lines())
      if (!point.file.empty() && known.line >= point.line &&
          matches(known.file, point.file))
        last = &known;
    if (point.file.empty() || last) {
      stop.lines[&code] = point.line;
      found(last ? Place{last->file, point.line} : Place());
    }
    return;
  }
  const KernelProgram &program = *code.kernel->program;
  std::set<std::uint32_t> ops;
  bool inside = false;
  for (std::size_t i = 0; i < code.ops.size(); ++i) {
    const Place place = placeAt(program, i);
    const bool here = point.file.empty() ? i == 0
                                         : place.line && place.line == line &&
                                               matches(place.file, point.file);
    if (here && !inside) {
      ops.insert(std::uint32_t(i));
      found(place);
    }
    inside = here;
  }
  if (!ops.empty())
    stop.ops[&code] = std::move(ops);
}

bool Debugger::Session::mayBreak(const Thread &thread) const {
  const Lock lock(mutex_);
  return std::any_of(stops_.begin(), stops_.end(), [&](const Stop &stop) {
    return stop.point.enabled &&
           (stop.ops.contains(thread.code) || stop.lines.contains(thread.code));
  });
}

bool Debugger::Session::isAtLine(Stop &stop, const Thread &thread) {
  const auto bound = stop.lines.find(thread.code);
  if (bound == stop.lines.end())
    return false;
  if (stop.point.file.empty())
    return thread.steps == 0 && thread.native->isScalar(thread.next);
  const std::string location = emulator::placeOf(thread, thread.next).location;
  const Place place = splitPlace(location);
  if (!place.line || !matches(place.file, stop.point.file))
    return false;
  // A line without calls stops at the next call: the first that is reached
  // from the lines before it, or after a jump back.
  auto &calls = calls_[thread.code];
  const auto between = calls.lower_bound(bound->second);
  const bool isNext = place.line > bound->second &&
                      (lastLines_[&thread] < bound->second ||
                       lastLines_[&thread] >= place.line) &&
                      (between == calls.end() || *between >= place.line);
  if (isNext) {
    const std::string before = textOf({place.file, bound->second});
    std::ranges::replace(stop.point.places, before, textOf(place));
    bound->second = place.line;
  }
  if (place.line != bound->second)
    return false;
  // Once for each time that the line is reached, whatever its calls are.
  const auto first = firstOps_.find({&thread, place.line});
  return lastLines_[&thread] != place.line ||
         (first != firstOps_.end() && first->second == thread.next);
}

bool Debugger::Session::isAt(Stop &stop, const Thread &thread) {
  const DebugBreakpoint &point = stop.point;
  if (!point.enabled || (point.core && *point.core != placeOf(thread).core))
    return false;
  if (thread.native)
    return isAtLine(stop, thread);
  const auto ops = stop.ops.find(thread.code);
  return ops != stop.ops.end() && ops->second.contains(std::uint32_t(
                                      thread.next - thread.code->ops.data()));
}

std::vector<int> Debugger::Session::hitsAt(const Thread &thread) {
  const Lock lock(mutex_);
  std::vector<int> hits;
  for (Stop &stop : stops_)
    if (isAt(stop, thread)) {
      ++stop.point.hits;
      hits.push_back(stop.point.id);
    }
  if (thread.native) {
    const std::string location =
        emulator::placeOf(thread, thread.next).location;
    const std::uint32_t line = splitPlace(location).line;
    if (lastLines_[&thread] != line)
      firstOps_.try_emplace({&thread, line}, thread.next);
    lastLines_[&thread] = line;
    calls_[thread.code].insert(line);
  }
  if (!hits.empty())
    std::erase_if(stops_, [&](const Stop &stop) {
      return stop.point.once &&
             std::find(hits.begin(), hits.end(), stop.point.id) != hits.end();
    });
  return hits;
}

Debugger::Session::Stop &Debugger::Session::find(int id) {
  const auto found =
      std::find_if(stops_.begin(), stops_.end(),
                   [&](const Stop &stop) { return stop.point.id == id; });
  if (found == stops_.end())
    raise(ErrorCategory::Argument, "there is no breakpoint ", id);
  return *found;
}

//===-- The interface -----------------------------------------------------===//

Debugger::Debugger() : session_(std::make_unique<Session>()) {}
Debugger::~Debugger() = default;

int Debugger::addBreakpoint(DebugBreakpoint breakpoint) {
  const std::string &thread = breakpoint.thread;
  if (!thread.empty() && thread != "noc0" && thread != "noc1" &&
      thread != "compute")
    raise(ErrorCategory::Argument,
          "expected the thread noc0, noc1 or compute, found '", thread, "'");
  if (!breakpoint.file.empty() && breakpoint.line == 0)
    raise(ErrorCategory::Argument, "expected a line from 1 on, found 0");
  const Session::Lock lock(session_->mutex_);
  breakpoint.id = ++session_->numbers_;
  breakpoint.hits = 0;
  session_->stops_.push_back({std::move(breakpoint), {}, {}});
  session_->resolve(session_->stops_.back());
  return session_->numbers_;
}

void Debugger::removeBreakpoint(int id) {
  const Session::Lock lock(session_->mutex_);
  session_->find(id);
  std::erase_if(session_->stops_,
                [&](const Session::Stop &stop) { return stop.point.id == id; });
}

void Debugger::enableBreakpoint(int id, bool enabled) {
  const Session::Lock lock(session_->mutex_);
  session_->find(id).point.enabled = enabled;
}

std::vector<DebugBreakpoint> Debugger::breakpoints() const {
  const Session::Lock lock(session_->mutex_);
  std::vector<DebugBreakpoint> result;
  for (const Session::Stop &stop : session_->stops_)
    result.push_back(stop.point);
  return result;
}

DebugStop Debugger::wait() {
  Session::Lock lock(session_->mutex_);
  while (!session_->shown_) {
    session_->changed_.wait_for(lock, kPoll);
    lock.unlock();
    numerics::checkCancelled();
    lock.lock();
  }
  return *session_->shown_;
}

void Debugger::resume(DebugResume how, const std::optional<DebugPlace> &place) {
  const Session::Lock lock(session_->mutex_);
  session_->stopped(lock);
  Session::Order order{how, nullptr};
  if (how != DebugResume::Continue) {
    if (!place)
      raise(ErrorCategory::Argument, "a step needs a thread");
    order.thread = &session_->thread(*place);
    if (how != DebugResume::Core && order.thread->state == State::Done)
      raise(ErrorCategory::Argument, "the thread ", place->thread, " of ",
            emulator::coreText(*order.thread->core), " has ended");
  }
  session_->order_ = order;
  session_->shown_.reset();
  session_->changed_.notify_all();
}

void Debugger::interrupt() { session_->interrupt_ = true; }

void Debugger::abandon() {
  const Session::Lock lock(session_->mutex_);
  session_->abandoned_ = true;
  session_->interrupt_ = true;
  session_->changed_.notify_all();
}

void Debugger::end(const std::string &message) {
  const Session::Lock lock(session_->mutex_);
  session_->shown_ = {DebugStopKind::Ended, {}, {}, message};
  session_->changed_.notify_all();
}

std::vector<DebugLine> Debugger::prints() const {
  const Session::Lock lock(session_->mutex_);
  return session_->prints_;
}

} // namespace tt::runtime
