// Verification of kernel programs: damaged ones are refused with a message that
// says where and what.
#include "assembler.h"

#include "testing/testing.h"

#include <random>

namespace tt::runtime::test {
namespace {

using enum Opcode;

/// The message with which a program is refused.
std::string refusal(const std::vector<std::uint8_t> &bytes) {
  try {
    emulator::decodeKernel(
        flatbuffers::GetRoot<metal::KernelProgram>(bytes.data()), "reader");
  } catch (const Error &error) {
    EXPECT_EQ(error.category(), ErrorCategory::Format);
    return error.what();
  }
  return "accepted";
}

struct Damage {
  const char *what;
  std::function<void(Assembler &)> write;
  const char *message;
};

TEST(Programs, RefusesWhatDoesNotFit) {
  const std::vector<Damage> cases = {
      {"count", [](Assembler &a) { a.op(cb_wait_front, {0}); },
       "reader: instruction 0 (cb_wait_front): expected 2 operands, found 1"},
      {"port", [](Assembler &a) { a.op(cb_wait_front, {32, 1}); },
       "reader: instruction 0 (cb_wait_front): expected operand 0 to be the "
       "port of a circular buffer below 32, found 32"},
      {"target", [](Assembler &a) { a.op(br, {2}); },
       "reader: instruction 0 (br): expected operand 0 to be an instruction "
       "below 2, found 2"},
      {"register", [](Assembler &a) { a.into(Reg{9, false}, move, {1}); },
       "reader: instruction 0 (move): expected a result below 1 registers, "
       "found 10"},
      {"predicate", [](Assembler &a) { a.op(cmpi, {10, 1, 1}); },
       "reader: instruction 0 (cmpi): expected operand 0 to be a predicate "
       "below 10, found 10"},
      {"bytes", [](Assembler &a) { a.op(load_from_l1, {1, 3}); },
       "reader: instruction 0 (load_from_l1): expected operand 1 to be 1, 2 or "
       "4 bytes, found 3"},
      {"accessor", [](Assembler &a) { a.op(tensor_accessor, {1, 0}); },
       "reader: instruction 0 (tensor_accessor): expected operand 1 to be an "
       "accessor below 0, found 0"},
      {"string", [](Assembler &a) { a.op(dprint, {5}); },
       "reader: instruction 0 (dprint): expected operand 0 to be a string "
       "below "
       "2, found 5"},
      {"type", [](Assembler &a) { a.op(pack_set_data_type, {15}); },
       "reader: instruction 0 (pack_set_data_type): expected operand 0 to be a "
       "data type up to 14, found 15"},
      {"array", [](Assembler &a) { a.op(load_element, {0, 9, 1}); },
       "reader: instruction 0 (load_element): expected operand 0 to be the "
       "first of 9 registers below 2, found 0"},
      {"opcode", [](Assembler &a) { a.op(ret); }, "accepted"},
  };
  for (const Damage &damage : cases) {
    Assembler a;
    damage.write(a);
    EXPECT_EQ(refusal(a.serialize()), damage.message) << damage.what;
  }
}

/// Instructions as the file has them, with any fields.
std::vector<std::uint8_t> raw(const std::vector<metal::Instruction> &code,
                              std::uint32_t registers = 4) {
  flatbuffers::FlatBufferBuilder fbb;
  const std::vector<std::uint32_t> operands = {0, 1}, constants = {7};
  std::vector<flatbuffers::Offset<flatbuffers::String>> strings = {
      fbb.CreateString("k:0")};
  fbb.Finish(metal::CreateKernelProgramDirect(fbb, registers, &constants, &code,
                                              &operands, nullptr, &strings));
  return {fbb.GetBufferPointer(), fbb.GetBufferPointer() + fbb.GetSize()};
}

TEST(Programs, RefusesFieldsOutOfRange) {
  const std::uint32_t none = emulator::kNoResult;
  EXPECT_EQ(refusal(raw({})),
            "reader: expected at least one instruction, found none");
  EXPECT_EQ(refusal(raw({{Opcode(9999), 0, none, 0, 0}})),
            "reader: instruction 0: expected an opcode up to " +
                std::to_string(unsigned(Opcode::MAX)) + ", found 9999");
  EXPECT_EQ(refusal(raw({{ret, 0, none, 0, 1}})),
            "reader: instruction 0 (ret): expected its location among 1 "
            "strings, found 1");
  EXPECT_EQ(refusal(raw({{addi, 2, 1, 0xffffffff, 0}})),
            "reader: instruction 0 (addi): expected operands within 2, found 2 "
            "from 4294967295 on");
  EXPECT_EQ(refusal(raw({{ret, 0, 1, 0, 0}})),
            "reader: instruction 0 (ret): expected no result, found register "
            "1");
  EXPECT_EQ(refusal(raw({{addi, 2, 1, 0, 0}})),
            "reader: expected the last instruction to leave or to branch, "
            "found addi");
  EXPECT_EQ(refusal(raw({{ret, 0, none, 0, 0}}, 0)),
            "reader: expected at most one constant per register (0), found 1");
  EXPECT_EQ(refusal(raw({{ret, 0, none, 0, 0}}, 1u << 30)),
            "reader: expected at most 16777216 registers, found 1073741824");
  EXPECT_EQ(refusal(raw({{ret, 0, none, 0, 0}})), "accepted");
}

TEST(Programs, RefusesAccessors) {
  emulator::Accessor accessor = tiles(4);
  accessor.pageSize = 8192;
  Assembler small;
  small.accessor(accessor);
  EXPECT_EQ(refusal(small.serialize()),
            "reader: accessor 0: expected a page of at least one byte and an "
            "aligned size not below it, found 8192 and 4096");
  accessor = tiles(4);
  accessor.sharded = true;
  accessor.shardRows = accessor.shardCols = 1;
  accessor.cores = {{0, 0, 1, 3}};
  Assembler few;
  few.accessor(accessor);
  EXPECT_EQ(refusal(few.serialize()),
            "reader: accessor 0: expected a core for each of 4 shards, found "
            "3");
}

/// What a launch refuses before anything runs.
template <typename F> std::string launchRefusal(F &&change) {
  Bench bench;
  Assembler a;
  bench.kernel(KernelKind::Noc0, a);
  change(bench);
  try {
    bench.run();
  } catch (const Error &error) {
    return error.what();
  }
  return "accepted";
}

TEST(Programs, LaunchesThatDoNotFitTheChip) {
  EXPECT_EQ(launchRefusal(
                [](Bench &b) { b.launch.kernels[0].cores = {{0, 0, 5, 1}}; }),
            "expected a kernel on cores of the 4x4 grid, found 5x1 at (0, 0)");
  EXPECT_EQ(launchRefusal([](Bench &b) { b.buffer(3, 256 * 1024 - 4096, 2); }),
            "expected the pages of circular buffer 3 within the 262144 bytes "
            "of an L1, found 2 of 4096 bytes at 258048");
  EXPECT_EQ(launchRefusal([](Bench &b) { b.launch.semaphores.assign(17, 0); }),
            "expected at most 16 semaphores, found 17");
  EXPECT_EQ(launchRefusal([](Bench &b) {
              Assembler again;
              b.kernel(KernelKind::Noc0, again);
            }),
            "expected one noc0 kernel on core (0, 0), found 'noc0_kernel' and "
            "'noc0_kernel'");
  EXPECT_EQ(launchRefusal([](Bench &b) {
              Assembler compute;
              compute.op(tile_regs_acquire);
              b.kernel(KernelKind::Noc1, compute);
            }),
            "kernel 'noc1_kernel': expected only instructions of data movement "
            "kernels, found tile_regs_acquire at k:0");
  EXPECT_EQ(launchRefusal(
                [](Bench &b) { b.launch.kernels[0].runtimeArgs = {{1, 2}}; }),
            "expected 1 value or 1, one per core, for argument 0 of kernel "
            "'noc0_kernel', found 2");
}

//===-- Programs that make no sense ---------------------------------------===//

/// A number that instructions are likely to take, or are not.
std::uint32_t someNumber(std::mt19937 &random) {
  static constexpr std::uint32_t kNumbers[] = {0,
                                               1,
                                               2,
                                               3,
                                               4,
                                               8,
                                               16,
                                               31,
                                               32,
                                               64,
                                               4096,
                                               8192,
                                               kL1Base,
                                               kL1Base + 4,
                                               kDramBase,
                                               200000,
                                               262140,
                                               1u << 20,
                                               0x7fffffff,
                                               0x80000000u,
                                               0xfffffff0,
                                               3840,
                                               kL1Base - 16,
                                               ~0u};
  return kNumbers[random() % std::size(kNumbers)];
}

/// A verified operand of the kind; registers are among what came before.
Operand someOperand(std::mt19937 &random, char kind,
                    const std::vector<Reg> &registers, std::uint32_t line) {
  switch (kind) {
  case 'r':
  case '*':
    return registers.empty() || random() % 3 == 0
               ? Operand(someNumber(random))
               : Operand(registers[random() % registers.size()]);
  case 'c':
    return unsigned(random() % 8 == 0 ? random() % 32 : random() % 3);
  case 't':
    return unsigned(line + 1); // forwards, so that most programs end
  case 'b':
    return 1u << random() % 3;
  case 'w':
    return unsigned(1 + random() % 64);
  case 'p':
    return unsigned(random() % 10);
  case 'd':
    return unsigned(random() % 13);
  case 'e':
  case 'm':
    return unsigned(random() % 3);
  case 'k':
  case 'o':
    return unsigned(random() % 4);
  case 'f':
    return unsigned(random() % 2);
  default:
    return 0u; // the only accessor, the only string, any number
  }
}

/// Instructions of one kind of thread in no sensible order.
Assembler nonsense(std::mt19937 &random, KernelKind kind) {
  Assembler a;
  a.string("{} {}");
  emulator::Accessor accessor = tiles(5, 1024);
  if (random() % 2) {
    accessor.dram = false;
    accessor.sharded = true;
    accessor.shardRows = accessor.shardCols = 2;
    accessor.cores = {{0, 0, 1, 3}};
  }
  a.accessor(accessor);
  const auto own = kind == KernelKind::Tensix ? emulator::Threads::Compute
                                              : emulator::Threads::DataMovement;
  std::vector<Reg> registers;
  for (int i = 0; i < 24;) {
    const auto opcode = Opcode(random() % (unsigned(Opcode::MAX) + 1));
    const emulator::Signature &form = emulator::signatureOf(opcode);
    if (opcode == ret || opcode == unreachable || opcode == assert_that ||
        (form.threads != emulator::Threads::Any && form.threads != own))
      continue;
    std::vector<Operand> operands;
    for (const char letter : form.operands)
      operands.push_back(someOperand(random, letter, registers, a.here()));
    const Reg out = a.op(opcode, operands);
    if (form.result)
      registers.push_back(out);
    // Most instructions fault unless these came before.
    if (kind == KernelKind::Tensix && i % 6 == 0)
      a.op(i % 12 == 0 ? acquire_dst : release_dst);
    ++i;
  }
  return a;
}

/// Whatever a kernel does, it ends, or ends with an error.
TEST(Programs, NonsenseIsAnErrorAtMost) {
  std::mt19937 random(7);
  int ended = 0, failed = 0;
  for (int i = 0; i < 1000; ++i) {
    Bench bench;
    for (KernelKind kind :
         {KernelKind::Noc0, KernelKind::Noc1, KernelKind::Tensix}) {
      Assembler a = nonsense(random, kind);
      bench.kernel(kind, a, {0, 0, 1, 2});
    }
    bench.launch.semaphores = {0, 3};
    for (std::uint32_t port = 0; port < 3; ++port)
      bench
          .buffer(port, kL1Base + port * 16384, 4, {0, 0, 1, 2},
                  random() % 2 == 0,
                  random() % 2 ? numerics::DType::F32 : numerics::DType::BF16)
          .tiled = random() % 4 != 0;
    bench.options.checks = i % 2;
    bench.options.events = i % 3 == 0;
    bench.options.stepLimit = 10000;
    try {
      bench.run();
      ++ended;
    } catch (const Error &error) {
      EXPECT_NE(error.category(), ErrorCategory::Internal) << error.what();
      ++failed;
    }
  }
  EXPECT_GT(failed, 0);
  EXPECT_EQ(ended + failed, 1000);
}

} // namespace
} // namespace tt::runtime::test
