#include "emulator/native_ops.h"

#include "emulator/engine.h"

namespace tt::runtime::emulator {

namespace {

/// Properties of an instruction that do not depend on its operands.
struct NativeForm {
  Handler run = nullptr;
  tensix::Handler compute = nullptr;
  bool onTiles = false, takesTime = false;
  std::uint32_t registers = 0; // a bit for each operand
  std::uint32_t ports = 0, types = 0;

  NativeForm() = default;
  explicit NativeForm(Opcode opcode)
      : run(handlerOf(opcode)), onTiles(tensix::isCompute(opcode)),
        takesTime(signatureOf(opcode).takesTime) {
    if (onTiles)
      compute = tensix::handlerFor(opcode);
    const std::string_view letters = signatureOf(opcode).operands;
    for (std::size_t i = 0; i < letters.size() && i < kMostNativeOperands;
         ++i) {
      registers |= std::uint32_t(letters[i] == 'r') << i;
      ports |= std::uint32_t(letters[i] == 'c') << i;
      types |= std::uint32_t(letters[i] == 'd') << i;
    }
  }
};

const NativeForm &formOf(std::uint32_t opcode) {
  static const auto forms = [] {
    std::array<NativeForm, std::size_t(Opcode::MAX) + 1> result;
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = NativeForm(Opcode(i));
    return result;
  }();
  return forms[opcode];
}

} // namespace

void setSiteOp(SiteOp &made, std::uint32_t opcode, std::uint32_t count,
               const std::uint64_t *values, const ttk::Site &site) {
  const NativeForm &form = formOf(opcode);
  made.site = site;
  made.immediates = ~form.registers & ((1u << count) - 1);
  for (std::uint32_t i = 0; i < kMostNativeOperands; ++i)
    made.operands[i] = made.immediates >> i & 1 ? std::uint32_t(values[i]) : i;
  Op &op = made.op;
  op.run = form.run;
  op.compute = form.compute;
  op.opcode = Opcode(opcode);
  op.takesTime = form.takesTime;
  op.operands = made.operands.data();
  op.out = kNativeResult;
  op.count = std::uint16_t(count);
  op.a = form.onTiles ? count : made.operands[0];
  op.b = form.onTiles ? form.registers : made.operands[1];
  op.c = form.onTiles ? 0 : made.operands[2];
}

InvalidOperand invalidOperand(std::uint32_t opcode, std::uint32_t count,
                              const std::uint64_t *values) {
  const NativeForm &form = formOf(opcode);
  for (std::uint32_t i = 0; i < count && (form.ports | form.types); ++i) {
    const bool isLeftOut = values[i] == ttk::kNoBuffer &&
                           (Opcode(opcode) == Opcode::init_bcast ||
                            Opcode(opcode) == Opcode::transpose_wh_init);
    if (form.ports >> i & 1 && values[i] >= kPorts && !isLeftOut)
      return {FaultKind::BufferMisuse,
              "expected a circular buffer below " + std::to_string(kPorts) +
                  ", found " + std::to_string(std::int64_t(values[i]))};
    if (form.types >> i & 1 &&
        values[i] > std::uint64_t(::tt::target::DataType::MAX))
      return {FaultKind::Operand,
              "expected a data format, found " + std::to_string(values[i])};
  }
  return {};
}

const SiteOp *NativeOps::find(std::uint32_t opcode, std::uint32_t count,
                              const std::uint64_t *values,
                              const ttk::Site &site) const {
  const SiteOp *op =
      byHash_[hashOf(opcode, site)].load(std::memory_order_acquire);
  while (op && !op->is(opcode, count, values, site))
    op = op->next;
  return op;
}

const SiteOp &NativeOps::add(std::uint32_t opcode, std::uint32_t count,
                             const std::uint64_t *values,
                             const ttk::Site &site) {
  const std::lock_guard lock(mutex_);
  if (const SiteOp *known = find(opcode, count, values, site))
    return *known;
  SiteOp &made = all_.emplace_back();
  setSiteOp(made, opcode, count, values, site);
  if (made.op.opcode == Opcode::load_from_l1)
    loadsData_.store(true, std::memory_order_relaxed);
  auto &head = byHash_[hashOf(opcode, site)];
  made.next = head.load(std::memory_order_relaxed);
  head.store(&made, std::memory_order_release);
  return made;
}

} // namespace tt::runtime::emulator
