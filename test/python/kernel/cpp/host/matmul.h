// Programs that multiply matrices.
#include "program.h"

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

/// Each core computes some tiles of the product, for each a row and a column of
/// tiles.
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
  const KernelHandle compute = CreateKernel(
      program, KERNEL("matmul"), cores,
      ComputeConfig{.math_fidelity = MathFidelity::HiFi4, .compile_args = {kt}});
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

inline void matmul_single_core(const Folder &folder) {
  multiply(folder, {1, 1});
}
inline void matmul_multi_core(const Folder &folder) { multiply(folder, {3, 1}); }
