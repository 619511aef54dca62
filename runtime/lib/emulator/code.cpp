// From a verified program to instructions that run.
#include "emulator/engine.h"

#include <algorithm>

namespace tt::runtime::emulator {

Handler handlerOf(Opcode opcode) {
  switch (opcode) {
#define TTMLIR_CASE(name, operands, result, threads, engine, takesTime,        \
                    handler)                                                   \
  case Opcode::name:                                                           \
    return handler(opcode);
    TTMLIR_INSTRUCTIONS(TTMLIR_CASE)
#undef TTMLIR_CASE
  }
  raise(ErrorCategory::Internal, "no instruction ", unsigned(opcode));
}

namespace {

Op makeOp(const KernelProgram &program, const Instruction &from,
          const Signature &signature) {
  Op op{};
  const std::uint32_t *operands = program.operandsOf(from);
  op.operands = operands;
  op.out = from.result;
  op.a = from.count > 0 ? operands[0] : 0;
  op.b = from.count > 1 ? operands[1] : 0;
  op.c = from.count > 2 ? operands[2] : 0;
  op.run = handlerOf(from.opcode);
  op.opcode = from.opcode;
  op.takesTime = signature.takesTime;
  op.count = from.count;
  if (tensix::isCompute(from.opcode)) {
    op.compute = tensix::handlerFor(from.opcode);
    op.a = from.count;
    op.b = 0;
    for (std::uint32_t i = 0; i < from.count; ++i)
      op.b |= std::uint32_t(signature.operands[i] == 'r') << i;
  }
  return op;
}

void notePorts(Code &code, const KernelProgram &program,
               const Instruction &instruction) {
  switch (instruction.opcode) {
  case Opcode::cb_reserve_back:
  case Opcode::cb_push_back:
  case Opcode::cb_wait_front:
  case Opcode::cb_pop_front:
    code.queues |= 1u << program.operandsOf(instruction)[0];
    break;
  default:
    break;
  }
  switch (instruction.opcode) {
  case Opcode::cb_push_back:
    code.pushes |= 1u << program.operandsOf(instruction)[0];
    break;
  case Opcode::cb_pop_front:
    code.pops |= 1u << program.operandsOf(instruction)[0];
    break;
  case Opcode::get_noc_addr:
  case Opcode::get_noc_multicast_addr:
    code.reachesCores = true;
    break;
  case Opcode::fabric_async_write:
  case Opcode::fabric_semaphore_inc:
    code.reachesChips = true;
    break;
  case Opcode::load_from_l1:
    code.loadsData = true;
    break;
  case Opcode::get_noc_addr_from_bank_id:
    code.reachesCores |= program.operandsOf(instruction)[2] == 0;
    break;
  default:
    break;
  }
}

PlacedAccessor place(const Kernel &kernel, const Accessor &from,
                     const ChipGeometry &geometry) {
  PlacedAccessor to;
  to.dram = from.dram;
  to.bytes = from.pageSize;
  to.stride = from.alignedPageSize;
  to.pages = std::uint64_t(from.rows) * from.cols;
  to.cols = from.cols;
  to.banks = std::uint32_t(from.dram ? geometry.channels : geometry.cores());
  if (!from.sharded)
    return to;
  to.shardRows = from.shardRows;
  to.shardCols = from.shardCols;
  to.shardsX = (from.cols + from.shardCols - 1) / from.shardCols;
  // Channels count as one row.
  const std::int64_t width = from.dram ? geometry.channels : geometry.gridX;
  const std::int64_t height = from.dram ? 1 : geometry.gridY;
  for (const Range2d &r : from.cores)
    for (int y = r.y; y < r.y + r.height; ++y)
      for (int x = r.x; x < r.x + r.width; ++x) {
        if (y >= height || x >= width)
          raise(ErrorCategory::Argument, "kernel '", kernel.name,
                "': expected the shards of a tensor "
                "on a grid of ",
                height, "x", width, ", found (", y, ", ", x, ")");
        to.shardBanks.push_back(std::uint32_t(y * width + x));
      }
  return to;
}

} // namespace

Code &CodeCache::take(const Kernel &kernel, std::uint32_t index,
                      const ChipGeometry &geometry) {
  const auto &program = kernel.program;
  if (entries_.size() >= most_ && !entries_.contains(program.get()))
    forget();
  std::vector<Entry> &known = entries_[program.get()];
  for (Entry &entry : known) {
    // A program that is gone may have been where this one is.
    const bool same = !entry.program.owner_before(program) &&
                      !program.owner_before(entry.program);
    if (!same || entry.kind != kernel.kind || entry.code->taken)
      continue;
    entry.code->kernel = &kernel;
    entry.code->index = index;
    entry.code->taken = true;
    return *entry.code;
  }
  std::erase_if(known,
                [](const Entry &entry) { return entry.program.expired(); });
  known.push_back({program, kernel.kind, compile(kernel, index, geometry)});
  return *known.back().code;
}

void CodeCache::forget() {
  std::erase_if(entries_, [](const auto &known) {
    return std::ranges::all_of(known.second, [](const Entry &entry) {
      return entry.program.expired();
    });
  });
  most_ = std::max(most_, 2 * entries_.size());
}

std::unique_ptr<Code> compile(const Kernel &kernel, std::uint32_t index,
                              const ChipGeometry &geometry) {
  const KernelProgram &program = *kernel.program;
  auto code = std::make_unique<Code>();
  code->kernel = &kernel;
  code->index = index;
  code->ops.reserve(program.instructions.size());
  const Threads own = kernel.kind == KernelKind::Tensix ? Threads::Compute
                                                        : Threads::DataMovement;
  for (const Instruction &instruction : program.instructions) {
    const Signature &signature = signatureOf(instruction.opcode);
    if (signature.threads != Threads::Any && signature.threads != own)
      raise(ErrorCategory::Format, "kernel '", kernel.name,
            "': expected only instructions of ",
            own == Threads::Compute ? "compute" : "data movement",
            " kernels, found ",
            ::tt::target::metal::EnumNameOpcode(instruction.opcode), " at ",
            program.locationOf(instruction));
    code->ops.push_back(makeOp(program, instruction, signature));
    notePorts(*code, program, instruction);
  }
  for (const Accessor &accessor : program.accessors)
    code->accessors.push_back(place(kernel, accessor, geometry));
  return code;
}

} // namespace tt::runtime::emulator
