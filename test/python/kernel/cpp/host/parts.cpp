// The parts of the host API one by one: `parts`.
#include "common.h"

#include <set>

namespace {

void cores() {
  const CoreRange range({1, 2}, {3, 3});
  std::vector<CoreCoord> all(range.begin(), range.end());
  TT_FATAL(all.size() == 6 && all[0] == CoreCoord(1, 2));
  TT_FATAL(all[1] == CoreCoord(2, 2) && all[3] == CoreCoord(1, 3));
  TT_FATAL(range.contains(CoreCoord(3, 2)) && !range.contains(CoreCoord(0, 2)));
  const CoreRangeSet set = CoreRangeSet(range).merge(CoreRange({3, 3}, {4, 3}));
  TT_FATAL(set.num_cores() == 7 && set.contains(CoreCoord(4, 3)));
  TT_FATAL(set.bounding_box() == CoreRange({1, 2}, {4, 3}));

  // Every unit is done once, and no core has two more than another.
  for (const bool row_wise : {false, true})
    for (const std::uint32_t units : {1u, 7u, 56u, 57u, 100u, 1000u}) {
      const auto [count, used, more, less, most, least] =
          split_work_to_cores(CoreCoord(8, 7), units, row_wise);
      TT_FATAL(count == std::min(units, 56u) && used.num_cores() == count);
      TT_FATAL(more.num_cores() + less.num_cores() == count);
      TT_FATAL(more.num_cores() * most + less.num_cores() * least == units);
      TT_FATAL(less.empty() || most == least + 1);
      std::set<CoreCoord> seen;
      for (const CoreRangeSet &group : {more, less})
        for (const CoreCoord &core : corerange_to_cores(group))
          TT_FATAL(seen.insert(core).second && used.contains(core));
    }
  // Columns come first, unless rows are asked for.
  TT_FATAL(grid_to_cores(3, 2, 2)[1] == CoreCoord(0, 1));
  TT_FATAL(grid_to_cores(3, 2, 2, true)[1] == CoreCoord(1, 0));
  TT_FATAL(num_cores_to_corerangeset(5, {4, 4}).ranges()[0] ==
           CoreRange({0, 0}, {0, 3}));
}

void data() {
  // Halves are rounded to even.
  TT_FATAL(bfloat16(1.00390625f).to_uint16() == 0x3f80);
  TT_FATAL(bfloat16(1.01171875f).to_uint16() == 0x3f82);
  TT_FATAL(bfloat16(-2.0f) == -2.0f && bfloat16(3) * 2 == 6.0f);
  TT_FATAL(std::isnan(float(bfloat16(NAN))));
  const auto [low, high] = unpack_two_bfloat16_from_uint32(
      pack_two_bfloat16_into_uint32({bfloat16(1.5f), bfloat16(-4.0f)}));
  TT_FATAL(low == 1.5f && high == -4.0f);
  const auto words = create_random_vector_of_bfloat16(4096, 2, 1, -1.0f);
  const Numbers numbers = unpack_uint32_vec_into_bfloat16_vec(words);
  TT_FATAL(numbers.size() == 2048);
  for (const bfloat16 number : numbers)
    TT_FATAL(number >= -1.0f && number <= 1.0f);
  TT_FATAL(pack_bfloat16_vec_into_uint32_vec(numbers) == words);

  std::vector<std::uint32_t> matrix(64 * 96);
  for (std::uint32_t i = 0; i < matrix.size(); ++i)
    matrix[i] = i;
  const auto tiles = tilize_nfaces(matrix, 64, 96);
  TT_FATAL(tiles[16] == 96);                    // the second row of a face
  TT_FATAL(tiles[256] == 16);                   // the second face
  TT_FATAL(tiles[512] == 16 * 96);              // the third one
  TT_FATAL(tiles[1024] == 32);                  // the second tile
  TT_FATAL(tiles[3 * 1024 + 1] == 32 * 96 + 1); // the second row of tiles
  TT_FATAL(untilize_nfaces(tiles, 64, 96) == matrix);
  TT_FATAL(tt::tile_size(DataFormat::Float16_b) == 2048);
  TT_FATAL(tt::tile_size(DataFormat::Bfp8_b) == 1088);
  log_info(tt::LogTest, "{} elements of {}", tiles.size(), "a matrix");
}

void arguments() {
  Program program = CreateProgram();
  const CoreRange cores({0, 0}, {1, 0});
  const KernelHandle kernel = CreateKernelFromString(
      program, "void kernel_main() {}", cores, ReaderDataMovementConfig({1}));
  SetRuntimeArgs(program, kernel, cores, {1, 2});
  const std::vector<CoreCoord> second = {{1, 0}};
  SetRuntimeArgs(program, kernel, second, {{3, 4}});
  GetRuntimeArgs(program, kernel, CoreCoord(0, 0))[1] = 5;
  TT_FATAL(GetRuntimeArgs(program, kernel, CoreCoord(0, 0)) ==
           RuntimeArgsData({1, 5}));
  TT_FATAL(GetRuntimeArgs(program, kernel, CoreCoord(1, 0)) ==
           RuntimeArgsData({3, 4}));
}

/// Common and changed arguments, named compile-time arguments, a buffer in L1,
/// and a program that runs twice.
void runs() {
  Device *device = CreateDevice(0);
  const auto worker = device->worker_core_from_logical_core({1, 0});
  const auto buffer =
      CreateBuffer(InterleavedBufferConfig{.device = device,
                                           .size = 3 * 64,
                                           .page_size = 64,
                                           .buffer_type = BufferType::L1});
  TT_FATAL(buffer->num_pages() == 3 && buffer->is_l1());
  Program program = CreateProgram();
  circular(program, CoreCoord(0, 0), CBIndex::c_0, 1, 64);
  std::vector<std::uint32_t> args;
  TensorAccessorArgs(buffer).append_to(args);
  const KernelHandle kernel = CreateKernelFromString(
      program,
      "#include \"dataflow_api.h\"\n"
      "void kernel_main() {\n"
      "  const auto to = TensorAccessor(TensorAccessorArgs<0>(),\n"
      "                                 get_common_arg_val<uint32_t>(0));\n"
      "  cb_reserve_back(0, 1);\n"
      "  const uint32_t l1 = get_write_ptr(0);\n"
      "  auto *words = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(l1);\n"
      "  for (uint32_t i = 0; i < 16; ++i)\n"
      "    words[i] = get_arg_val<uint32_t>(0) + i;\n"
      "  for (uint32_t page = 0; page < PAGES; ++page)\n"
      "    noc_async_write_page(page, to, l1);\n"
      "  noc_async_write_barrier();\n"
      "  cb_push_back(0, 1);\n"
      "  cb_wait_front(0, 1);\n"
      "  cb_pop_front(0, 1);\n"
      "  DPRINT << get_named_compile_time_arg_val(\"answer\") << ENDL();\n"
      "}\n",
      CoreCoord(0, 0),
      DataMovementConfig{.compile_args = args,
                         .defines = {{"PAGES", "3"}},
                         .named_compile_args = {{"answer", 42}}});
  SetCommonRuntimeArgs(program, kernel, {std::uint32_t(buffer->address())});
  for (const std::uint32_t first : {7u, 100u}) {
    SetRuntimeArgs(program, kernel, CoreCoord(0, 0), {first});
    EnqueueProgram(device->command_queue(), program, true);
    std::vector<std::uint32_t> found;
    EnqueueReadBuffer(device->command_queue(), buffer, found, true);
    for (std::uint32_t i = 0; i < found.size(); ++i)
      TT_FATAL(found[i] == first + i % 16);
  }
  TT_FATAL(ttmlir::last_program_time(*device).kernels.size() == 1);
  TT_FATAL(worker.x > 0 && CloseDevice(device));
  // Its memory is gone.
  bool refused = false;
  try {
    std::vector<std::uint32_t> found;
    detail::ReadFromBuffer(buffer, found);
  } catch (const std::exception &) {
    refused = true;
  }
  TT_FATAL(refused);
}

/// Halves of a matrix on two chips: each chip copies its own, and then only the
/// second one.
void mesh() {
  using namespace distributed;
  ttmlir::use_system("n300");
  TT_FATAL(GetNumAvailableDevices() == 2);
  const auto mesh = MeshDevice::create(MeshDeviceConfig(MeshShape(1, 2)));
  auto &queue = mesh->mesh_command_queue();
  const distributed::ShardedBufferConfig config{.global_size = 8 * 64 * 4,
                                                .global_buffer_shape = {8, 64},
                                                .shard_shape = {8, 32}};
  const DeviceLocalBufferConfig local{.page_size = 128};
  const auto from = MeshBuffer::create(config, local, mesh.get());
  const auto to = MeshBuffer::create(config, local, mesh.get());
  std::vector<std::uint32_t> matrix(8 * 64), found;
  for (std::uint32_t i = 0; i < matrix.size(); ++i)
    matrix[i] = i;
  EnqueueWriteMeshBuffer(queue, from, matrix, false);

  const auto copy = [&] {
    constexpr CoreCoord core = {0, 0};
    Program program = CreateProgram();
    circular(program, core, CBIndex::c_0, 1, 128);
    const KernelHandle kernel =
        CreateKernel(program, KERNEL("loopback"), core,
                     DataMovementConfig{
                         .compile_args = accessors({CBIndex::c_0}, from, to)});
    SetRuntimeArgs(program, kernel, core,
                   {std::uint32_t(from->address()),
                    std::uint32_t(to->address()), from->num_pages()});
    return program;
  };
  MeshWorkload workload;
  workload.add_program(MeshCoordinateRange(mesh->shape()), copy());
  EnqueueMeshWorkload(queue, workload, false);
  EnqueueReadMeshBuffer(queue, found, to, true);
  TT_FATAL(found == matrix);

  // The second chip has the columns from 32 on.
  ReadShard(queue, found, to, MeshCoordinate(0, 1));
  TT_FATAL(found[0] == 32 && found[32] == 96);
  WriteShard(queue, from, std::vector<std::uint32_t>(8 * 32, 5),
             MeshCoordinate(0, 0));
  WriteShard(queue, from, std::vector<std::uint32_t>(8 * 32, 6),
             MeshCoordinate(0, 1));
  MeshWorkload second;
  second.add_program(MeshCoordinateRange({0, 1}, {0, 1}), copy());
  EnqueueMeshWorkload(queue, second, true);
  EnqueueReadMeshBuffer(queue, found, to, true);
  TT_FATAL(found[0] == 0 && found[32] == 6);
  mesh->close();
}

} // namespace

int main() {
  cores();
  data();
  arguments();
  runs();
  mesh();
  return 0;
}
