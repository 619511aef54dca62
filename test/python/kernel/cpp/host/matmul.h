// Programs that multiply matrices.
#include "common.h"

/// The product as the host computes it.
inline std::vector<float> multiplied(const Numbers &a, const Numbers &b,
                                     std::uint32_t m, std::uint32_t k,
                                     std::uint32_t n) {
  std::vector<float> c(m * n);
  for (std::uint32_t i = 0; i < m; ++i)
    for (std::uint32_t l = 0; l < k; ++l)
      for (std::uint32_t j = 0; j < n; ++j)
        c[i * n + j] += float(a[i * k + l]) * float(b[l * n + j]);
  return c;
}

/// Each core computes some tiles of the product, each from a row and a column
/// of tiles.
inline void multiply(const Folder &folder, CoreCoord grid) {
  constexpr std::uint32_t m = 128, k = 96, n = 64;
  constexpr std::uint32_t kt = k / TILE_WIDTH, nt = n / TILE_WIDTH;
  constexpr std::uint32_t tiles = m / TILE_HEIGHT * nt;
  Unit unit;
  const Numbers a = folder.read("a"), b = folder.read("b");
  const auto from_a = unit.buffer(tilize_nfaces(a, m, k));
  const auto from_b = unit.buffer(tilize_nfaces(b, k, n));
  const auto to = unit.buffer(m * n * sizeof(bfloat16));
  const auto [count, cores, more, less, most, least] =
      split_work_to_cores(grid, tiles);
  Program program = CreateProgram();
  circular(program, cores, CBIndex::c_0, 2);
  circular(program, cores, CBIndex::c_1, 2);
  circular(program, cores, CBIndex::c_16, 2);
  const KernelHandle read =
      CreateKernel(program, KERNEL("read_matmul"), cores,
                   reader(accessors({kt, nt}, from_a, from_b)));
  const KernelHandle compute =
      CreateKernel(program, KERNEL("matmul"), cores,
                   ComputeConfig{.math_fidelity = MathFidelity::HiFi4,
                                 .compile_args = {kt}});
  const KernelHandle write = CreateKernel(program, KERNEL("write_tiles"), cores,
                                          writer(accessors({}, to)));
  std::uint32_t first = 0;
  for (const auto &[group, each] : {std::pair{more, most}, {less, least}})
    for (const CoreCoord &core : corerange_to_cores(group)) {
      const std::uint32_t end = first + each;
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
  const Numbers c = untilize_nfaces(unit.read(to), m, n);
  check(c, multiplied(a, b, m, k, n), 0.05f);
  folder.write("y", c);
}

/// Multiplies blocks on a grid of cores. A block of the product stays on its
/// core: its partial sums are in c_24, which shares the memory of c_16.
inline void matmul_reuse(const Folder &folder) {
  constexpr std::uint32_t m = 128, k = 128, n = 192;
  constexpr std::uint32_t rows = 2, inner = 2, columns = 3;
  constexpr std::uint32_t kt = k / TILE_WIDTH, nt = n / TILE_WIDTH;
  constexpr std::uint32_t steps = kt / inner;
  const CoreRange cores({0, 0}, {nt / columns - 1, m / TILE_HEIGHT / rows - 1});
  Unit unit;
  const Numbers a = folder.read("a"), b = folder.read("b");
  const auto from_a = unit.buffer(tilize_nfaces(a, m, k));
  const auto from_b = unit.buffer(tilize_nfaces(b, k, n));
  const auto to = unit.buffer(m * n * sizeof(bfloat16));
  Program program = CreateProgram();
  circular(program, cores, CBIndex::c_0, 2 * rows * inner);
  circular(program, cores, CBIndex::c_1, 2 * inner * columns);
  CreateCircularBuffer(
      program, cores,
      CircularBufferConfig(rows * columns * kTileBytes,
                           {{CBIndex::c_16, DataFormat::Float16_b},
                            {CBIndex::c_24, DataFormat::Float16_b}})
          .set_page_size(CBIndex::c_16, kTileBytes)
          .set_page_size(CBIndex::c_24, kTileBytes));
  const KernelHandle read = CreateKernel(
      program, KERNEL("read_blocks"), cores,
      reader(accessors({steps, rows, inner, columns, kt, nt}, from_a, from_b)));
  CreateKernel(program, KERNEL("multiply_subblocks"), cores,
               ComputeConfig{.math_fidelity = MathFidelity::HiFi4,
                             .fp32_dest_acc_en = true,
                             .compile_args = {steps, rows, inner, columns}});
  const KernelHandle write =
      CreateKernel(program, KERNEL("write_rows"), cores,
                   writer(accessors({rows, columns, nt}, to)));
  for (const CoreCoord &core : cores) {
    const auto row = std::uint32_t(core.y) * rows;
    const auto column = std::uint32_t(core.x) * columns;
    SetRuntimeArgs(program, read, core,
                   {std::uint32_t(from_a->address()),
                    std::uint32_t(from_b->address()), row, column});
    SetRuntimeArgs(program, write, core,
                   {std::uint32_t(to->address()), row * nt + column});
  }
  unit.run(std::move(program));
  const Numbers c = untilize_nfaces(unit.read(to), m, n);
  check(c, multiplied(a, b, m, k, n), 0.05f);
  folder.write("y", c);
}

/// The same, but the first core of each line reads its operand from DRAM and
/// multicasts it to the others.
inline void matmul_multicast(const Folder &folder) {
  constexpr std::uint32_t m = 128, k = 256, n = 192;
  constexpr std::uint32_t rows = 2, inner = 2, columns = 2;
  constexpr std::uint32_t kt = k / TILE_WIDTH, nt = n / TILE_WIDTH;
  constexpr std::uint32_t steps = kt / inner;
  constexpr std::uint32_t last_x = nt / columns - 1;
  constexpr std::uint32_t last_y = m / TILE_HEIGHT / rows - 1;
  Unit unit;
  const CoreRange cores({0, 0}, {last_x, last_y});
  const CoreRange left({0, 0}, {0, last_y}), top({0, 0}, {last_x, 0});
  const CoreRange right({1, 0}, {last_x, last_y}),
      low({0, 1}, {last_x, last_y});
  const Numbers a = folder.read("a"), b = folder.read("b");
  const auto from_a = unit.buffer(tilize_nfaces(a, m, k));
  const auto from_b = unit.buffer(tilize_nfaces(b, k, n));
  const auto to = unit.buffer(m * n * sizeof(bfloat16));

  Program program = CreateProgram();
  circular(program, cores, CBIndex::c_0, 2 * rows * inner);
  circular(program, cores, CBIndex::c_1, 2 * inner * columns);
  circular(program, cores, CBIndex::c_16, rows * columns);
  const std::uint32_t ready_a = CreateSemaphore(program, cores, 0);
  const std::uint32_t valid_a = CreateSemaphore(program, cores, 0);
  const std::uint32_t ready_b = CreateSemaphore(program, cores, 0);
  const std::uint32_t valid_b = CreateSemaphore(program, cores, 0);
  const KernelHandle send_a = CreateKernel(
      program, KERNEL("send_blocks"), left,
      reader(accessors({CBIndex::c_0, steps, inner, kt, rows, inner}, from_a)));
  const KernelHandle receive_a =
      CreateKernel(program, KERNEL("receive_blocks"), right,
                   reader({CBIndex::c_0, steps, rows * inner}));
  DataMovementConfig config = writer(accessors(
      {CBIndex::c_1, steps, inner * nt, nt, inner, columns}, from_b, to));
  config.defines["WRITES"] = "1";
  const KernelHandle send_b =
      CreateKernel(program, KERNEL("send_blocks"), top, config);
  config.compile_args = accessors({CBIndex::c_1, steps, inner * columns}, to);
  const KernelHandle receive_b =
      CreateKernel(program, KERNEL("receive_blocks"), low, config);
  CreateKernel(program, KERNEL("multiply_blocks"), cores,
               ComputeConfig{.math_fidelity = MathFidelity::HiFi4,
                             .fp32_dest_acc_en = true,
                             .compile_args = {steps, rows, inner, columns}});

  const auto place = [&](std::size_t x, std::size_t y) {
    const CoreCoord at = unit.mesh->worker_core_from_logical_core({x, y});
    return std::pair(std::uint32_t(at.x), std::uint32_t(at.y));
  };
  for (const CoreCoord &core : cores) {
    const auto row = std::uint32_t(core.y), column = std::uint32_t(core.x);
    if (column == 0) {
      const auto [x0, y0] = place(1, row);
      const auto [x1, y1] = place(last_x, row);
      SetRuntimeArgs(program, send_a, core,
                     {std::uint32_t(from_a->address()), row * rows * kt, x0, y0,
                      x1, y1, last_x, ready_a, valid_a});
    } else {
      const auto [x0, y0] = place(0, row);
      SetRuntimeArgs(program, receive_a, core, {x0, y0, ready_a, valid_a});
    }
    std::vector<std::uint32_t> args;
    if (row == 0) {
      // NoC 1 runs up and to the left, so a rectangle begins at its end.
      const auto [x0, y0] = place(column, last_y);
      const auto [x1, y1] = place(column, 1);
      args = {std::uint32_t(from_b->address()),
              column * columns,
              x0,
              y0,
              x1,
              y1,
              last_y,
              ready_b,
              valid_b};
    } else {
      const auto [x0, y0] = place(column, 0);
      args = {x0, y0, ready_b, valid_b};
    }
    args.insert(args.end(),
                {std::uint32_t(to->address()),
                 row * rows * nt + column * columns, nt, rows, columns});
    SetRuntimeArgs(program, row == 0 ? send_b : receive_b, core, args);
  }
  unit.run(std::move(program));
  const Numbers c = untilize_nfaces(unit.read(to), m, n);
  check(c, multiplied(a, b, m, k, n), 0.05f);
  folder.write("y", c);
}

inline void matmul_single_core(const Folder &folder) {
  multiply(folder, {1, 1});
}
inline void matmul_multi_core(const Folder &folder) {
  multiply(folder, {3, 1});
}
