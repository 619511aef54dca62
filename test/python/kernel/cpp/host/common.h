// Code that the host programs share. Each program reads its inputs from files
// in a folder, compares its results with a reference, and writes them to the
// folder.
#ifndef HOST_COMMON_H
#define HOST_COMMON_H

#include <tt-metalium/bfloat16.hpp>
#include <tt-metalium/constants.hpp>
#include <tt-metalium/device.hpp>
#include <tt-metalium/distributed.hpp>
#include <tt-metalium/host_api.hpp>
#include <tt-metalium/tensor_accessor_args.hpp>
#include <tt-metalium/tilize_utils.hpp>
#include <tt-metalium/work_split.hpp>
#include <ttmlir/emulator.hpp>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

using namespace tt;
using namespace tt::constants;
using namespace tt::tt_metal;
using Numbers = std::vector<bfloat16>;

#ifndef KERNELS
#error "expected KERNELS, the folder of the kernels"
#endif
#define KERNEL(name) KERNELS "/" name ".cpp"

/// A folder with the inputs and results of a program.
struct Folder {
  std::filesystem::path path;

  Numbers read(const std::string &name) const {
    std::ifstream stream(path / (name + ".bin"), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    TT_FATAL(!bytes.empty(), "input {}", name);
    Numbers numbers(bytes.size() / sizeof(bfloat16));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  }
  void write(const std::string &name, const Numbers &numbers) const {
    std::ofstream stream(path / (name + ".bin"), std::ios::binary);
    stream.write(reinterpret_cast<const char *>(numbers.data()),
                 std::streamsize(numbers.size() * sizeof(bfloat16)));
  }
};

inline constexpr std::uint32_t kTileBytes = sizeof(bfloat16) * TILE_HW;

/// Checks that `found` is close to `expected`, relative to their size.
inline void check(const Numbers &found, const std::vector<float> &expected,
                  float tolerance) {
  TT_FATAL(found.size() == expected.size(), "{} of {} elements", found.size(),
           expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    TT_FATAL(std::abs(float(found[i]) - expected[i]) <=
                 tolerance * (1 + std::abs(expected[i])),
             "element {} is {}, expected {}", i, float(found[i]), expected[i]);
}

inline std::vector<float> floats(const Numbers &numbers) {
  return {numbers.begin(), numbers.end()};
}

/// A mesh of one chip with its queue.
struct Unit {
  std::shared_ptr<distributed::MeshDevice> mesh =
      distributed::MeshDevice::create_unit_mesh(0);
  distributed::MeshCommandQueue &queue = mesh->mesh_command_queue();

  std::shared_ptr<distributed::MeshBuffer>
  buffer(std::size_t bytes, std::uint32_t page = kTileBytes) {
    return distributed::MeshBuffer::create(
        distributed::ReplicatedBufferConfig{.size = bytes},
        distributed::DeviceLocalBufferConfig{.page_size = page,
                                             .buffer_type = BufferType::DRAM},
        mesh.get());
  }
  std::shared_ptr<distributed::MeshBuffer>
  buffer(const Numbers &numbers, std::uint32_t page = kTileBytes) {
    auto made = buffer(numbers.size() * sizeof(bfloat16), page);
    distributed::EnqueueWriteMeshBuffer(queue, made, numbers, false);
    return made;
  }
  Numbers read(const std::shared_ptr<distributed::MeshBuffer> &buffer) {
    Numbers numbers;
    distributed::EnqueueReadMeshBuffer(queue, numbers, buffer, true);
    return numbers;
  }
  /// Runs the program, and prints its cycles.
  void run(Program program) {
    distributed::MeshWorkload workload;
    workload.add_program(distributed::MeshCoordinateRange(mesh->shape()),
                         std::move(program));
    distributed::EnqueueMeshWorkload(queue, workload, false);
    distributed::Finish(queue);
    std::printf("cycles %.17g\n", ttmlir::last_program_time(*mesh).cycles);
  }
};

inline void circular(Program &program, const CoreSpec &cores, CBIndex index,
                     std::uint32_t pages, std::uint32_t bytes = kTileBytes) {
  CreateCircularBuffer(
      program, cores,
      CircularBufferConfig(pages * bytes, {{index, DataFormat::Float16_b}})
          .set_page_size(index, bytes));
}

inline DataMovementConfig reader(std::vector<std::uint32_t> args) {
  return {.processor = DataMovementProcessor::RISCV_1,
          .noc = NOC::NOC_0,
          .compile_args = std::move(args)};
}
inline DataMovementConfig writer(std::vector<std::uint32_t> args) {
  return {.processor = DataMovementProcessor::RISCV_0,
          .noc = NOC::NOC_1,
          .compile_args = std::move(args)};
}

template <typename... Buffers>
std::vector<std::uint32_t> accessors(std::vector<std::uint32_t> args,
                                     const Buffers &...buffers) {
  (TensorAccessorArgs(*buffers).append_to(args), ...);
  return args;
}

#endif // HOST_COMMON_H
