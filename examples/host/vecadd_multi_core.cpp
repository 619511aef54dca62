// Adds two vectors of tiles on all cores of the chip: each core has some of the
// tiles, and half of the cores may have one more than the others.
//
//     g++ examples/host/vecadd_multi_core.cpp $(python -m ttmlir.config
//         --cxxflags --ldflags) -o vecadd && ./vecadd
#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/constants.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/work_split.hpp>
#include <ttmlir/emulator.hpp>

#include <cstdio>
#include <filesystem>
#include <vector>

using namespace tt;
using namespace tt::tt_metal;

static std::string kernel(const char *name) {
  return std::filesystem::path(__FILE__).parent_path() / "kernels" / name;
}

int main() {
  constexpr std::uint32_t tiles = 640;
  constexpr std::uint32_t tile_bytes = sizeof(bfloat16) * constants::TILE_HW;
  const auto mesh = distributed::MeshDevice::create_unit_mesh(0);
  auto &queue = mesh->mesh_command_queue();
  const auto buffer = [&] {
    return distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = tiles * tile_bytes},
        distributed::DeviceLocalBufferConfig{.page_size = tile_bytes},
        mesh.get());
  };
  const auto a = buffer(), b = buffer(), c = buffer();
  const auto x =
      create_random_vector_of_bfloat16_native(tiles * tile_bytes, 2, 1, -1);
  const auto y =
      create_random_vector_of_bfloat16_native(tiles * tile_bytes, 2, 2, -1);
  distributed::EnqueueWriteMeshBuffer(queue, a, x, false);
  distributed::EnqueueWriteMeshBuffer(queue, b, y, false);

  const CoreCoord grid = mesh->compute_with_storage_grid_size();
  const auto [count, cores, more, less, most, least] =
      split_work_to_cores(grid, tiles);
  Program program = CreateProgram();
  for (const CBIndex index : {CBIndex::c_0, CBIndex::c_1, CBIndex::c_16})
    CreateCircularBuffer(
        program, cores,
        CircularBufferConfig(2 * tile_bytes, {{index, DataFormat::Float16_b}})
            .set_page_size(index, tile_bytes));
  std::vector<std::uint32_t> read_args, write_args;
  TensorAccessorArgs(*a).append_to(read_args);
  TensorAccessorArgs(*b).append_to(read_args);
  TensorAccessorArgs(*c).append_to(write_args);
  const KernelHandle read = CreateKernel(program, kernel("read_two.cpp"), cores,
                                         ReaderDataMovementConfig(read_args));
  const KernelHandle add =
      CreateKernel(program, kernel("add.cpp"), cores,
                   ComputeConfig{.math_fidelity = MathFidelity::HiFi4});
  const KernelHandle write =
      CreateKernel(program, kernel("write_tiles.cpp"), cores,
                   WriterDataMovementConfig(write_args));
  std::uint32_t first = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const CoreCoord core = {i / grid.y, i % grid.y};
    const std::uint32_t own = more.contains(core) ? most : least;
    SetRuntimeArgs(
        program, read, core,
        {std::uint32_t(a->address()), std::uint32_t(b->address()), first, own});
    SetRuntimeArgs(program, add, core, {own});
    SetRuntimeArgs(program, write, core,
                   {std::uint32_t(c->address()), first, own});
    first += own;
  }

  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(mesh->shape()),
                       std::move(program));
  distributed::EnqueueMeshWorkload(queue, workload, false);
  std::vector<bfloat16> z;
  distributed::EnqueueReadMeshBuffer(queue, z, c, true);
  for (std::size_t i = 0; i < z.size(); ++i)
    TT_FATAL(is_close(z[i], float(x[i]) + float(y[i]), 0.01f, 0.01f),
             "element {} is {}, expected {}", i, z[i], x[i] + y[i]);
  std::printf("%u tiles added on %u cores in %.1f us\n", tiles, count,
              1e6 * ttmlir::last_program_time(*mesh).seconds);
  return mesh->close() ? 0 : 1;
}
