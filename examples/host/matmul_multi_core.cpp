// Multiplies matrices on all cores of the chip: each core computes some tiles
// of the product, from a row and a column of tiles for each.
//
//     g++ examples/host/matmul_multi_core.cpp $(python -m ttmlir.config
//         --cxxflags --ldflags) -o matmul && ./matmul
#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/constants.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tilize_utils.hpp>
#include <tt-metalium/work_split.hpp>
#include <ttmlir/emulator.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

using namespace tt;
using namespace tt::constants;
using namespace tt::tt_metal;

static std::string kernel(const char *name) {
  return std::filesystem::path(__FILE__).parent_path() / "kernels" / name;
}

int main() {
  constexpr std::uint32_t M = 320, K = 256, N = 384;
  constexpr std::uint32_t Kt = K / TILE_WIDTH, Nt = N / TILE_WIDTH;
  constexpr std::uint32_t tiles = M / TILE_HEIGHT * Nt;
  constexpr std::uint32_t tile_bytes = sizeof(bfloat16) * TILE_HW;
  const auto mesh = distributed::MeshDevice::create_unit_mesh(0);
  auto &queue = mesh->mesh_command_queue();
  const auto buffer = [&](std::uint32_t rows, std::uint32_t columns) {
    return distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = sizeof(bfloat16) * rows *
                                                    columns},
        distributed::DeviceLocalBufferConfig{.page_size = tile_bytes},
        mesh.get());
  };
  const auto a = buffer(M, K), b = buffer(K, N), c = buffer(M, N);
  const auto x = create_random_vector_of_bfloat16_native(a->size(), 2, 1, -1);
  const auto y = create_random_vector_of_bfloat16_native(b->size(), 2, 2, -1);
  distributed::EnqueueWriteMeshBuffer(queue, a, tilize_nfaces(x, M, K), false);
  distributed::EnqueueWriteMeshBuffer(queue, b, tilize_nfaces(y, K, N), false);

  const auto [count, cores, more, less, most, least] =
      split_work_to_cores(mesh->compute_with_storage_grid_size(), tiles);
  Program program = CreateProgram();
  for (const CBIndex index : {CBIndex::c_0, CBIndex::c_1, CBIndex::c_16})
    CreateCircularBuffer(
        program, cores,
        CircularBufferConfig(2 * tile_bytes, {{index, DataFormat::Float16_b}})
            .set_page_size(index, tile_bytes));
  std::vector<std::uint32_t> read_args = {Kt, Nt}, write_args;
  TensorAccessorArgs(*a).append_to(read_args);
  TensorAccessorArgs(*b).append_to(read_args);
  TensorAccessorArgs(*c).append_to(write_args);
  const KernelHandle read =
      CreateKernel(program, kernel("read_rows_and_columns.cpp"), cores,
                   ReaderDataMovementConfig(read_args));
  const KernelHandle multiply =
      CreateKernel(program, kernel("multiply.cpp"), cores,
                   ComputeConfig{.math_fidelity = MathFidelity::HiFi4,
                                 .fp32_dest_acc_en = true,
                                 .compile_args = {Kt}});
  const KernelHandle write =
      CreateKernel(program, kernel("write_tiles.cpp"), cores,
                   WriterDataMovementConfig(write_args));
  std::uint32_t first = 0;
  for (const auto &[group, own] : {std::pair{more, most}, {less, least}})
    for (const CoreRange &range : group.ranges())
      for (const CoreCoord &core : range) {
        SetRuntimeArgs(program, read, core,
                       {std::uint32_t(a->address()),
                        std::uint32_t(b->address()), first, own});
        SetRuntimeArgs(program, multiply, core, {own});
        SetRuntimeArgs(program, write, core,
                       {std::uint32_t(c->address()), first, own});
        first += own;
      }

  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(mesh->shape()),
                       std::move(program));
  distributed::EnqueueMeshWorkload(queue, workload, false);
  std::vector<bfloat16> found;
  distributed::EnqueueReadMeshBuffer(queue, found, c, true);
  found = untilize_nfaces(found, M, N);
  float worst = 0;
  for (std::uint32_t i = 0; i < M; ++i)
    for (std::uint32_t j = 0; j < N; ++j) {
      float sum = 0;
      for (std::uint32_t k = 0; k < K; ++k)
        sum += float(x[i * K + k]) * float(y[k * N + j]);
      worst = std::fmax(worst, std::fabs(sum - found[i * N + j]));
    }
  // Sums are up to 32, of which a bfloat16 is exact to 1/16.
  TT_FATAL(worst < 0.2f, "the largest error is {}", worst);
  std::printf("%ux%ux%u multiplied on %u cores in %.1f us\n", M, K, N, count,
              1e6 * ttmlir::last_program_time(*mesh).seconds);
  return mesh->close() ? 0 : 1;
}
