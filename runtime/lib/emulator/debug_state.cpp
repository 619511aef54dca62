// What a debugger shows of a run that has stopped.
#include "emulator/debug_session.h"

#include "numerics/schema.h"
#include "tensix/engine.h"

#include <algorithm>
#include <cstring>

namespace tt::runtime {

using namespace emulator;

const Mesh &Debugger::Session::stopped(const Lock &) const {
  if (!mesh_ || !shown_)
    raise(ErrorCategory::Argument,
          "expected a program that has stopped in its kernels, found one that ",
          shown_ ? "has ended" : "runs");
  return *mesh_;
}

Core &Debugger::Session::core(const DebugCore &at) const {
  const auto &machines = mesh_->machines;
  if (at.device < 0 || std::size_t(at.device) >= machines.size())
    raise(ErrorCategory::Argument, "expected a device below ", machines.size(),
          ", found ", at.device);
  Machine &machine = *machines[std::size_t(at.device)];
  for (Core &core : machine.cores)
    if (core.y == at.y && core.x == at.x)
      return core;
  raise(ErrorCategory::Argument, "expected a core of the grid of ",
        machine.geometry->gridY, "x", machine.geometry->gridX, ", found (",
        at.y, ", ", at.x, ")");
}

Thread &Debugger::Session::thread(const DebugPlace &at) const {
  const Core &on = core(at.core);
  for (const auto &thread : on.threads)
    if (at.thread == threadName(thread->kind()))
      return *thread;
  raise(ErrorCategory::Argument, "no kernel runs on ", at.thread, " of ",
        coreText(on));
}

namespace {

/// "cb_reserve_back(cb 0, 1)". With `thread`, registers have their values.
std::string instructionText(const Code &code, const Op *op,
                            const Thread *thread) {
  const std::string_view letters = signatureOf(op->opcode).operands;
  std::string text = ::tt::target::metal::EnumNameOpcode(op->opcode);
  text += "(";
  for (std::size_t i = 0; i < op->count; ++i) {
    const bool isRest = i >= letters.size() || letters[i] == '*';
    const char kind = isRest ? 'r' : letters[i];
    const std::uint32_t operand = op->operands[i];
    text += i ? ", " : "";
    if (kind == 'r' && thread)
      text += std::to_string(std::int32_t(thread->r[operand]));
    else if (kind == 's')
      text += '"' + code.kernel->program->strings[operand] + '"';
    else
      text += (kind == 'r'   ? "r"
               : kind == 'c' ? "cb "
               : kind == 't' ? "#"
               : kind == 'x' ? "tensor "
                             : "") +
              std::to_string(operand);
  }
  return text + ")";
}

std::string kernelOf(const Thread *thread) {
  return thread ? thread->code->kernel->name : "";
}

DebugRegister describe(const tensix::ComputeContext &context,
                       const char *section, std::uint32_t index,
                       tensix::DstTile tile, const std::uint32_t *words) {
  // A copy: a tile may have its numbers in another form, which it keeps.
  alignas(64) std::uint32_t copy[tensix::kElements];
  std::memcpy(copy, words, sizeof copy);
  tensix::makeWords(context, tile, copy);
  DebugRegister result{section, index, "f32", {}};
  if (tile.kind != tensix::Kind::F32)
    result.kind = tile.kind == tensix::Kind::I32 ? "i32" : "u32";
  for (std::int64_t row = 0; row < numerics::kTileDim; ++row)
    for (std::int64_t col = 0; col < numerics::kTileDim; ++col)
      result.words.push_back(copy[tensix::faceIndex(row, col)]);
  return result;
}

} // namespace

DebugThread Debugger::Session::describe(const Thread &t) const {
  DebugThread result;
  result.place = placeOf(t);
  const FaultPlace place = emulator::placeOf(t, t.next);
  result.kernel = place.kernel;
  result.location = place.location;
  result.steps = t.steps;
  if (t.kind() == KernelKind::Tensix && place.thread != "compute")
    result.engine = place.thread;
  if (t.native && t.native->waypoint())
    result.waypoint = t.native->waypoint();
  const bool isScalar = t.native && t.native->isScalar(t.next);
  result.opcode = isScalar
                      ? place.instruction
                      : ::tt::target::metal::EnumNameOpcode(t.next->opcode);
  result.instruction =
      isScalar ? result.opcode : instructionText(*t.code, t.next, &t);
  if (t.state == State::Done) {
    result.state = DebugThreadState::Ended;
  } else if (t.state == State::Blocked) {
    const Waiter waiter = waiterOf(*mesh_, t);
    result.state = DebugThreadState::Waiting;
    result.waitsFor = waiter.waitsFor;
    result.suppliers = waiter.suppliers;
  }
  return result;
}

std::vector<DebugThread> Debugger::threads() const {
  const Session::Lock lock(session_->mutex_);
  std::vector<DebugThread> result;
  for (const auto &machine : session_->stopped(lock).machines)
    for (std::uint32_t index : machine->active)
      for (const auto &thread : machine->cores[index].threads)
        result.push_back(session_->describe(*thread));
  return result;
}

std::vector<DebugBuffer> Debugger::buffers(const DebugCore &at) const {
  const Session::Lock lock(session_->mutex_);
  session_->stopped(lock);
  const Core &core = session_->core(at);
  std::vector<DebugBuffer> result;
  for (std::size_t port = 0; port < core.buffers.size(); ++port) {
    const CircularBuffer &from = core.buffers[port];
    if (from.bound)
      result.push_back({std::uint32_t(port), from.address, from.pageSize,
                        from.pages, numerics::toSchema(from.type), from.tiled,
                        from.available(), from.room(), from.readPage,
                        from.writePage, from.waited, from.reserved,
                        from.received, from.acked, kernelOf(from.producer),
                        kernelOf(from.consumer)});
  }
  return result;
}

std::vector<DebugSemaphore> Debugger::semaphores(const DebugCore &at) const {
  const Session::Lock lock(session_->mutex_);
  session_->stopped(lock);
  const Core &core = session_->core(at);
  const Machine &machine = *session_->mesh_->machines[std::size_t(at.device)];
  std::vector<DebugSemaphore> result;
  for (std::uint32_t id = 0; id < machine.launch->semaphores.size(); ++id) {
    DebugSemaphore found{id, machine.semaphores + id * kSemaphoreBytes, 0};
    std::memcpy(&found.value, core.l1 + found.address, sizeof found.value);
    result.push_back(found);
  }
  return result;
}

std::vector<DebugRegister> Debugger::registers(const DebugCore &at) const {
  const Session::Lock lock(session_->mutex_);
  session_->stopped(lock);
  const Core &core = session_->core(at);
  std::vector<DebugRegister> result;
  const bool isCompute =
      std::any_of(core.threads.begin(), core.threads.end(), [](auto &thread) {
        return thread->kind() == KernelKind::Tensix;
      });
  if (!isCompute)
    return result;
  tensix::ComputeContext &context = *core.compute;
  tensix::DstRegisters &dst = context.dst;
  for (std::uint32_t i = 0; i < dst.capacity(); ++i)
    if (dst.mathTile(i).written)
      result.push_back(
          describe(context, "math", i, dst.mathTile(i), dst.mathWords(i)));
  for (std::uint32_t i = 0; i < dst.capacity(); ++i)
    if (&dst.packTile(i) != &dst.mathTile(i) && dst.packTile(i).written)
      result.push_back(
          describe(context, "pack", i, dst.packTile(i), dst.packWords(i)));
  return result;
}

DebugArguments Debugger::arguments(const DebugPlace &place) const {
  const Session::Lock lock(session_->mutex_);
  session_->stopped(lock);
  const Thread &t = session_->thread(place);
  const Kernel &kernel = *t.code->kernel;
  DebugArguments result;
  for (const auto &values : kernel.runtimeArgs)
    result.runtime.push_back(values.size() == 1 ? values[0]
                                                : values[t.coreIndex]);
  result.common = t.machine->launch->commonArgs;
  result.compileTime = kernel.compileArgs;
  if (!t.native)
    result.registers = t.registers;
  return result;
}

std::vector<DebugLineOfCode> Debugger::code(const DebugPlace &place) const {
  const Session::Lock lock(session_->mutex_);
  session_->stopped(lock);
  const Thread &t = session_->thread(place);
  std::vector<DebugLineOfCode> result;
  if (t.native) {
    const std::string here = Session::lineOf(t);
    for (const NativeLine &line : t.code->kernel->native->lines()) {
      const std::string location = line.file + ":" + std::to_string(line.line);
      if (result.empty() || result.back().location != location)
        result.push_back({location, "", location == here});
    }
    return result;
  }
  const KernelProgram &program = t.program();
  for (std::size_t i = 0; i < t.code->ops.size(); ++i) {
    const Op *op = &t.code->ops[i];
    result.push_back({program.locationOf(program.instructions[i]),
                      instructionText(*t.code, op, nullptr), op == t.next});
  }
  return result;
}

std::vector<std::byte> Debugger::readL1(const DebugCore &at,
                                        std::uint64_t address,
                                        std::uint64_t bytes) const {
  const Session::Lock lock(session_->mutex_);
  session_->stopped(lock);
  const Core &core = session_->core(at);
  const auto size = std::uint64_t(
      session_->mesh_->machines[std::size_t(at.device)]->geometry->l1Size);
  if (address > size || bytes > size - address)
    raise(ErrorCategory::Argument, "expected bytes of an L1 of ", size,
          " bytes, found ", bytes, " at ", address);
  return {core.l1 + address, core.l1 + address + bytes};
}

} // namespace tt::runtime
