// Planted mistakes, and the faults that they must end with.
#ifndef TTMLIR_UNITTESTS_RUNTIME_PLANTED_H
#define TTMLIR_UNITTESTS_RUNTIME_PLANTED_H

#include "assembler.h"
#include "errors.h"

#include "testing/testing.h"

namespace tt::runtime::test {

/// What a fault must say; `location` is that of the planted instruction.
struct Expected {
  const char *thread;
  std::string location;
  std::uint64_t bytes = 0;
  int y = 0, x = 0;
};

inline std::string at(std::uint32_t line) {
  return "k:" + std::to_string(line);
}

template <FaultKind Kind>
std::string expectFault(Bench &bench, const Expected &expected) {
  return faultOf<Kind>(
      [&] { bench.run(); },
      [&](const Fault &fault) {
        EXPECT_EQ(fault.kind(), Kind);
        EXPECT_EQ(fault.category(), ErrorCategory::Kernel);
        EXPECT_EQ(fault.place().thread, expected.thread) << fault.what();
        EXPECT_EQ(fault.place().location, expected.location) << fault.what();
        EXPECT_EQ(fault.place().bytes, expected.bytes) << fault.what();
        EXPECT_EQ(fault.place().core.y, expected.y) << fault.what();
        EXPECT_EQ(fault.place().core.x, expected.x) << fault.what();
      });
}

/// A kernel on noc0 of core (0, 0) whose last instruction is wrong.
template <FaultKind Kind>
void lastFails(Assembler &a, std::uint64_t bytes = 0,
               const std::function<void(Bench &)> &more = {}) {
  Bench bench;
  const std::uint32_t line = a.here() - 1;
  bench.kernel(KernelKind::Noc0, a);
  if (more)
    more(bench);
  expectFault<Kind>(bench, {"noc0", at(line), bytes});
}

/// An address in DRAM channel 0.
inline Reg dram(Assembler &a, int offset) {
  return a.op(Opcode::get_noc_addr_from_bank_id, {0, offset, 1});
}

} // namespace tt::runtime::test

#endif // TTMLIR_UNITTESTS_RUNTIME_PLANTED_H
