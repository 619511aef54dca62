// Copies a buffer in DRAM to another one, through a page of L1.
//
//     g++ examples/host/loopback.cpp $(python -m ttmlir.config --cxxflags
//         --ldflags) -o loopback && ./loopback
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <ttmlir/emulator.hpp>

#include <cstdio>
#include <filesystem>
#include <numeric>
#include <vector>

using namespace tt;
using namespace tt::tt_metal;

static std::string kernel(const char *name) {
  return std::filesystem::path(__FILE__).parent_path() / "kernels" / name;
}

int main() {
  constexpr std::uint32_t pages = 50, page_bytes = 2048;
  constexpr CoreCoord core = {0, 0};
  const auto mesh = distributed::MeshDevice::create_unit_mesh(0);
  auto &queue = mesh->mesh_command_queue();

  const distributed::ReplicatedBufferConfig size{.size = pages * page_bytes};
  const distributed::ReplicatedBufferConfig one{.size = page_bytes};
  const distributed::DeviceLocalBufferConfig dram{
      .page_size = page_bytes, .buffer_type = BufferType::DRAM};
  const distributed::DeviceLocalBufferConfig l1{.page_size = page_bytes,
                                                .buffer_type = BufferType::L1};
  const auto from = distributed::MeshBuffer::create(size, dram, mesh.get());
  const auto to = distributed::MeshBuffer::create(size, dram, mesh.get());
  const auto page = distributed::MeshBuffer::create(one, l1, mesh.get());
  std::vector<std::uint32_t> numbers(pages * page_bytes / 4), found;
  std::iota(numbers.begin(), numbers.end(), 0u);
  distributed::EnqueueWriteMeshBuffer(queue, from, numbers, false);

  Program program = CreateProgram();
  std::vector<std::uint32_t> accessors;
  TensorAccessorArgs(*from).append_to(accessors);
  TensorAccessorArgs(*to).append_to(accessors);
  const KernelHandle copy =
      CreateKernel(program, kernel("copy_pages.cpp"), core,
                   DataMovementConfig{
                       .processor = DataMovementProcessor::RISCV_0,
                       .noc = NOC::RISCV_0_default,
                       .compile_args = accessors,
                   });
  SetRuntimeArgs(program, copy, core,
                 {std::uint32_t(page->address()),
                  std::uint32_t(from->address()), std::uint32_t(to->address()),
                  pages});

  distributed::MeshWorkload workload;
  workload.add_program(distributed::MeshCoordinateRange(mesh->shape()),
                       std::move(program));
  distributed::EnqueueMeshWorkload(queue, workload, false);
  distributed::EnqueueReadMeshBuffer(queue, found, to, true);
  TT_FATAL(found == numbers, "the copy differs");
  std::printf("%u pages copied in %.1f us\n", pages,
              1e6 * ttmlir::last_program_time(*mesh).seconds);
  return mesh->close() ? 0 : 1;
}
