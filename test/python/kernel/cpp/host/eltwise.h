// Programs that read tiles, compute with them, and write them.
#include "common.h"

/// Adds two matrices on a grid of cores, each of which has some of the tiles.
inline void add(const Folder &folder, CoreCoord grid) {
  constexpr std::uint32_t rows = 128, columns = 160;
  constexpr std::uint32_t tiles = rows * columns / TILE_HW;
  Unit unit;
  const Numbers a = folder.read("a"), b = folder.read("b");
  const auto from_a = unit.buffer(tilize_nfaces(a, rows, columns));
  const auto from_b = unit.buffer(tilize_nfaces(b, rows, columns));
  const auto to = unit.buffer(rows * columns * sizeof(bfloat16));
  const auto [count, cores, more, less, most, least] =
      split_work_to_cores(grid, tiles, /*row_wise=*/true);

  Program program = CreateProgram();
  circular(program, cores, CBIndex::c_0, 2);
  circular(program, cores, CBIndex::c_1, 2);
  circular(program, cores, CBIndex::c_16, 2);
  const KernelHandle read = CreateKernel(program, KERNEL("read_two"), cores,
                                         reader(accessors({}, from_a, from_b)));
  const KernelHandle compute = CreateKernel(
      program, KERNEL("add"), cores,
      ComputeConfig{.math_fidelity = MathFidelity::HiFi4,
                    .defines = {{"OPERATION", "add_tiles"},
                                {"OPERATION_init", "add_tiles_init"}}});
  const KernelHandle write = CreateKernel(program, KERNEL("write_tiles"), cores,
                                          writer(accessors({}, to)));
  std::uint32_t first = 0;
  for (const CoreCoord &core : grid_to_cores(count, grid.x, grid.y, true)) {
    const std::uint32_t end = first + (more.contains(core) ? most : least);
    SetRuntimeArgs(program, read, core,
                   {std::uint32_t(from_a->address()),
                    std::uint32_t(from_b->address()), first, end});
    SetRuntimeArgs(program, compute, core, {first, end});
    SetRuntimeArgs(program, write, core,
                   {std::uint32_t(to->address()), first, end});
    first = end;
  }
  TT_FATAL(first == tiles);
  unit.run(std::move(program));

  const Numbers sum = untilize_nfaces(unit.read(to), rows, columns);
  std::vector<float> expected(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    expected[i] = float(a[i]) + float(b[i]);
  check(sum, expected, 0.01f);
  folder.write("y", sum);
  unit.mesh->close();
}

inline void eltwise_binary(const Folder &folder) { add(folder, {1, 1}); }
inline void vecadd_multi_core(const Folder &folder) { add(folder, {4, 2}); }

/// The exponential of a matrix, by the calls of 2024.
inline void eltwise_sfpu(const Folder &folder) {
  constexpr std::uint32_t side = 64, tiles = side * side / TILE_HW;
  constexpr CoreCoord core = {0, 0};
  Device *device = CreateDevice(0);
  CommandQueue &queue = device->command_queue();
  const InterleavedBufferConfig config{.device = device,
                                       .size = tiles * kTileBytes,
                                       .page_size = kTileBytes,
                                       .buffer_type = BufferType::DRAM};
  const std::shared_ptr<Buffer> from = CreateBuffer(config);
  const std::shared_ptr<Buffer> to = CreateBuffer(config);
  const Numbers x = folder.read("x");
  EnqueueWriteBuffer(queue, from, tilize_nfaces(x, side, side), false);

  Program program = CreateProgram();
  circular(program, core, CBIndex::c_0, 2);
  circular(program, core, CBIndex::c_16, 2);
  const KernelHandle read = CreateKernel(program, KERNEL("read_one"), core,
                                         reader(accessors({}, from)));
  CreateKernel(program, KERNEL("exp"), core,
               ComputeConfig{.math_fidelity = MathFidelity::HiFi4,
                             .math_approx_mode = false,
                             .named_compile_args = {{"tiles", tiles}}});
  const KernelHandle write = CreateKernel(program, KERNEL("write_tiles"), core,
                                          writer(accessors({}, to)));
  SetRuntimeArgs(program, read, core,
                 {std::uint32_t(from->address()), 0, tiles});
  SetRuntimeArgs(program, write, core,
                 {std::uint32_t(to->address()), 0, tiles});
  EnqueueProgram(queue, program, false);
  Finish(queue);
  std::printf("cycles %.17g\n", ttmlir::last_program_time(*device).cycles);

  Numbers tiled;
  EnqueueReadBuffer(queue, to, tiled, true);
  const Numbers y = untilize_nfaces(tiled, side, side);
  std::vector<float> expected;
  for (const bfloat16 value : x)
    expected.push_back(std::exp(float(value)));
  check(y, expected, 0.02f);
  folder.write("y", y);
  TT_FATAL(CloseDevice(device));
}
