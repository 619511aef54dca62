// Micro benchmark of kernel threads: instructions a second of loops and of
// circular buffer calls, tiles a second of a copy, with and without checks.
#include "emulator/launch.h"
#include "emulator/launch_memory.h"
#include "numerics/parallel.h"

#include <chrono>
#include <cstdio>
#include <cstring>

using namespace tt::runtime;
using namespace tt::runtime::emulator;

namespace {

using enum ::tt::target::metal::Opcode;

ChipGeometry chip() {
  ChipGeometry g;
  g.gridY = g.gridX = 8;
  g.l1Size = 1499136;
  g.l1Base = 1024;
  g.channels = 12;
  g.channelSize = g.dramEnd = 1 << 30;
  g.dramBase = 1024;
  return g;
}

/// A program of instructions written with all their registers.
struct Code {
  KernelProgram program;

  Code(std::vector<std::uint32_t> constants, std::uint32_t registers) {
    program.constants = std::move(constants);
    program.registers = registers;
    program.strings = {"bench"};
  }
  std::uint32_t add(Opcode opcode, std::vector<std::uint32_t> operands,
                    std::uint32_t result = kNoResult) {
    program.instructions.push_back({opcode, std::uint16_t(operands.size()),
                                    result,
                                    std::uint32_t(program.operands.size()), 0});
    program.operands.insert(program.operands.end(), operands.begin(),
                            operands.end());
    return std::uint32_t(program.instructions.size() - 1);
  }
  Kernel kernel(KernelKind kind, CoreRange cores) {
    Kernel k;
    k.name = "bench";
    k.kind = kind;
    k.cores = {cores};
    k.program = std::make_shared<const KernelProgram>(std::move(program));
    return k;
  }
};

// Registers 0 and 1 hold 0 and 1, 2 the number of rounds, 3 counts them.
constexpr std::uint32_t kOne = 1, kRounds = 2, kCount = 3, kMore = 4;

template <typename F>
Code loop(
    std::uint32_t rounds, F &&body, void (*begin)(Code &) = [](Code &) {}) {
  Code code({0, 1, rounds}, 10);
  begin(code);
  const std::uint32_t head = code.add(cmpi, {6, kCount, kRounds}, kMore);
  const std::uint32_t branch = code.add(cond_br, {kMore, head + 2, 0});
  body(code);
  code.add(addi, {kCount, kOne}, kCount);
  code.add(br, {head});
  code.program.operands[code.program.instructions[branch].first + 2] =
      code.add(ret, {});
  return code;
}

double seconds(Chip &chip, const Launch &launch, const LaunchOptions &options,
               LaunchResult &result) {
  double best = 1e9;
  LaunchMemory memory;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    result = emulator::launch({{&chip}, nullptr, &memory}, launch, options);
    const std::chrono::duration<double> spent =
        std::chrono::steady_clock::now() - start;
    best = spent.count() < best ? spent.count() : best;
  }
  return best;
}

void report(const char *name, Chip &chip, const Launch &launch, double units,
            const char *unit) {
  for (const bool checks : {false, true}) {
    LaunchOptions options;
    options.checks = checks;
    LaunchResult result;
    const double time = seconds(chip, launch, options, result);
    std::printf("%-18s checks %-3s %8.1f M instructions/s", name,
                checks ? "on" : "off",
                double(result.instructions) / time / 1e6);
    if (units > 0)
      std::printf("  %8.3f M %s/s", units / time / 1e6, unit);
    std::printf("  %5.0f ms\n", time * 1e3);
  }
}

Launch arithmetic() {
  Launch launch;
  Code code = loop(4'000'000, [](Code &c) {
    c.add(muli, {kCount, kCount}, 5);
    c.add(addi, {5, kCount}, 6);
    c.add(andi, {6, kRounds}, 6);
  });
  launch.kernels.push_back(code.kernel(KernelKind::Noc0, {}));
  return launch;
}

/// A thread that pushes pages and one that pops them.
Launch handshake() {
  constexpr std::uint32_t kPages = 2'000'000;
  Launch launch;
  Code push = loop(kPages, [](Code &c) {
    c.add(cb_reserve_back, {0, kOne});
    c.add(cb_push_back, {0, kOne});
  });
  Code pop = loop(kPages, [](Code &c) {
    c.add(cb_wait_front, {0, kOne});
    c.add(cb_pop_front, {0, kOne});
  });
  launch.kernels.push_back(push.kernel(KernelKind::Noc0, {}));
  launch.kernels.push_back(pop.kernel(KernelKind::Noc1, {}));
  launch.buffers.push_back(
      {0, 65536, 2048, 8, numerics::DType::BF16, true, false, {CoreRange{}}});
  return launch;
}

/// Copies pages of DRAM by two data movement threads, and adds them to
/// themselves on the way with `compute`.
Launch stream(std::uint32_t tiles, CoreRange cores, bool compute) {
  Launch launch;
  const auto places = std::uint32_t(cores.height * cores.width);
  Accessor accessor;
  accessor.pageSize = accessor.alignedPageSize = 2048;
  accessor.rows = places;
  accessor.cols = tiles;
  auto mover = [&](std::uint32_t port, std::uint32_t base, bool reads) {
    Code code({0, 1, tiles, 0, 0, base, tiles}, 12);
    code.program.accessors.push_back(accessor);
    code.add(tensor_accessor, {5, 0}, 7);
    code.add(core_index, {}, 8);
    code.add(muli, {8, 6}, 8);
    const std::uint32_t head = code.add(cmpi, {6, kCount, kRounds}, kMore);
    const std::uint32_t branch = code.add(cond_br, {kMore, head + 2, 0});
    code.add(reads ? cb_reserve_back : cb_wait_front, {port, kOne});
    code.add(reads ? get_write_ptr : get_read_ptr, {port}, 9);
    code.add(addi, {8, kCount}, 10);
    code.add(reads ? noc_async_read_page : noc_async_write_page, {10, 7, 9});
    code.add(reads ? noc_async_read_barrier : noc_async_write_barrier, {});
    code.add(reads ? cb_push_back : cb_pop_front, {port, kOne});
    code.add(addi, {kCount, kOne}, kCount);
    code.add(br, {head});
    code.program.operands[code.program.instructions[branch].first + 2] =
        code.add(ret, {});
    return code;
  };
  Code read = mover(0, 1024, true);
  Code write = mover(compute ? 16 : 0, 1 << 29, false);
  const std::uint64_t bytes =
      (std::uint64_t(places) * tiles / 12 + 1) * 2048; // in a channel
  launch.live.push_back({"the input", 1024, bytes, {}, {}});
  launch.live.push_back({"the output", 1 << 29, bytes, {}, {}});
  launch.kernels.push_back(read.kernel(KernelKind::Noc0, cores));
  launch.kernels.push_back(write.kernel(KernelKind::Noc1, cores));
  launch.buffers.push_back(
      {0, 65536, 2048, 2, numerics::DType::BF16, true, false, {cores}});
  if (!compute)
    return launch;
  launch.buffers.push_back(
      {16, 131072, 2048, 2, numerics::DType::BF16, true, false, {cores}});
  Code math = loop(
      tiles,
      [](Code &c) {
        c.add(cb_wait_front, {0, kOne});
        c.add(cb_reserve_back, {16, kOne});
        c.add(tile_regs_acquire, {});
        c.add(add_tiles, {0, 0, 0, 0, 0});
        c.add(tile_regs_commit, {});
        c.add(tile_regs_wait, {});
        c.add(pack_tile, {0, 16, 0, 0});
        c.add(tile_regs_release, {});
        c.add(cb_push_back, {16, kOne});
        c.add(cb_pop_front, {0, kOne});
      },
      [](Code &c) {
        c.add(binary_op_init_common, {0, 0, 16});
        c.add(add_tiles_init, {0, 0});
      });
  launch.kernels.push_back(math.kernel(KernelKind::Tensix, cores));
  return launch;
}

} // namespace

int main() {
  Chip target(0, chip());
  numerics::setNumThreads(1);
  report("loop", target, arithmetic(), 0, "");
  report("circular buffer", target, handshake(), 0, "");
  constexpr std::uint32_t kTiles = 1000;
  const CoreRange all{0, 0, 8, 8};
  report("copy 64 cores", target, stream(kTiles, all, false), kTiles * 64,
         "tiles");
  report("add 64 cores", target, stream(kTiles, all, true), kTiles * 64,
         "tiles");
  numerics::setNumThreads(2);
  std::printf("two host threads\n");
  report("copy 64 cores", target, stream(kTiles, all, false), kTiles * 64,
         "tiles");
  report("add 64 cores", target, stream(kTiles, all, true), kTiles * 64,
         "tiles");
}
