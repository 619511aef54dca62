// The form of every instruction, as its description says.
#include "emulator/program.h"
#include "ttmlir/Target/TTMetal/instructions.inc"

#include <array>

namespace tt::runtime::emulator {

const Signature &signatureOf(Opcode opcode) {
  static constexpr auto table = [] {
    std::array<Signature, std::size_t(Opcode::MAX) + 1> result{};
#define TTMLIR_SIGNATURE(name, operands, hasResult, threads, engine,           \
                         takesTime, handler)                                   \
  result[std::size_t(Opcode::name)] = {operands, hasResult, Threads::threads,  \
                                       Engine::engine, takesTime};
    TTMLIR_INSTRUCTIONS(TTMLIR_SIGNATURE)
#undef TTMLIR_SIGNATURE
    return result;
  }();
  return table[std::size_t(opcode)];
}

} // namespace tt::runtime::emulator
