// Programs that move data between DRAM and cores.
#include "common.h"

/// Copies tiles through the L1 of a core, which a circular buffer holds.
inline void loopback(const Folder &folder) {
  constexpr CoreCoord core = {0, 0};
  Unit unit;
  const Numbers x = tilize_nfaces(folder.read("x"), 320, 160);
  const auto from = unit.buffer(x);
  const auto to = unit.buffer(x.size() * sizeof(bfloat16));
  Program program = CreateProgram();
  circular(program, core, CBIndex::c_0, 1);
  const KernelHandle copy = CreateKernel(
      program, KERNEL("loopback"), core,
      DataMovementConfig{.compile_args = accessors({CBIndex::c_0}, from, to)});
  SetRuntimeArgs(program, copy, core,
                 {std::uint32_t(from->address()), std::uint32_t(to->address()),
                  from->num_pages()});
  unit.run(std::move(program));
  const Numbers y = unit.read(to);
  check(y, floats(x), 0);
  folder.write("y", untilize_nfaces(y, 320, 160));
}

/// Passes a tile from one core to its neighbour.
inline void noc_tile_transfer(const Folder &folder) {
  constexpr CoreCoord left = {0, 0}, right = {1, 0};
  const CoreRange both(left, right);
  Unit unit;
  const Numbers x = tilize_nfaces(folder.read("x"), 32, 32);
  const auto from = unit.buffer(x);
  const auto to = unit.buffer(kTileBytes);
  Program program = CreateProgram();
  circular(program, both, CBIndex::c_0, 1);
  const std::uint32_t ready = CreateSemaphore(program, both, 0);
  const std::uint32_t sent = CreateSemaphore(program, both, 0);
  const KernelHandle send =
      CreateKernel(program, KERNEL("send_tile"), left,
                   DataMovementConfig{.compile_args = accessors({}, from)});
  const KernelHandle receive =
      CreateKernel(program, KERNEL("receive_tile"), right,
                   DataMovementConfig{.compile_args = accessors({}, to)});
  SetRuntimeArgs(program, send, left,
                 {std::uint32_t(from->address()), std::uint32_t(right.x),
                  std::uint32_t(right.y), ready, sent});
  SetRuntimeArgs(program, receive, right,
                 {std::uint32_t(to->address()), std::uint32_t(left.x),
                  std::uint32_t(left.y), ready, sent});
  unit.run(std::move(program));
  const Numbers y = unit.read(to);
  check(y, floats(x), 0);
  folder.write("y", untilize_nfaces(y, 32, 32));
}

/// Copies rows of a matrix in DRAM to shards in the L1 of a column of cores.
inline void shard_data_rm(const Folder &folder) {
  constexpr std::uint32_t rows = 16, columns = 64, count = 4;
  constexpr std::uint32_t bytes = columns * sizeof(bfloat16);
  const CoreRange cores({0, 0}, {0, count - 1});
  Device *device = CreateDevice(0);
  const Numbers x = folder.read("x");
  const auto from = CreateBuffer(InterleavedBufferConfig{
      .device = device, .size = rows * bytes, .page_size = bytes});
  const auto to = CreateBuffer(ShardedBufferConfig{
      .device = device,
      .size = rows * bytes,
      .page_size = bytes,
      .buffer_layout = TensorMemoryLayout::HEIGHT_SHARDED,
      .shard_parameters = ShardSpecBuffer(cores, {rows / count, columns},
                                          ShardOrientation::ROW_MAJOR,
                                          {1, columns}, {rows, 1})});
  detail::WriteToBuffer(from, x);

  Program program = CreateProgram();
  CreateCircularBuffer(
      program, cores,
      CircularBufferConfig(rows / count * bytes,
                           {{CBIndex::c_0, DataFormat::Float16_b}})
          .set_page_size(CBIndex::c_0, bytes)
          .set_globally_allocated_address(*to));
  const KernelHandle read =
      CreateKernel(program, KERNEL("read_shard"), cores,
                   DataMovementConfig{.compile_args = accessors({}, from)});
  for (std::uint32_t i = 0; i < count; ++i)
    SetRuntimeArgs(program, read, CoreCoord(0, i),
                   {std::uint32_t(from->address()), i * rows / count,
                    rows / count, bytes});
  EnqueueProgram(device->command_queue(), program, false);
  std::printf("cycles %.17g\n", ttmlir::last_program_time(*device).cycles);

  Numbers y;
  detail::ReadFromBuffer(to, y);
  check(y, floats(x), 0);
  // The shard of the second core.
  Numbers shard;
  detail::ReadFromDeviceL1(device, CoreCoord(0, 1),
                           std::uint32_t(to->address()), rows / count * bytes,
                           shard);
  const auto second = x.begin() + rows / count * columns;
  TT_FATAL(std::equal(shard.begin(), shard.end(), second));
  folder.write("y", y);
  CloseDevice(device);
}

/// Pads rows at their end with a value, on a row of cores.
inline void pad(const Folder &folder) {
  constexpr std::uint32_t rows = 12, columns = 64, wide = 96, count = 4;
  const CoreRange cores({0, 0}, {count - 1, 0});
  Unit unit;
  const Numbers x = folder.read("x");
  const auto from = unit.buffer(x, columns * sizeof(bfloat16));
  const auto to =
      unit.buffer(rows * wide * sizeof(bfloat16), wide * sizeof(bfloat16));
  Program program = CreateProgram();
  circular(program, cores, CBIndex::c_0, 1, wide * sizeof(bfloat16));
  const KernelHandle copy =
      CreateKernel(program, KERNEL("pad"), cores,
                   DataMovementConfig{.compile_args = accessors(
                                          {columns * 2, wide * 2}, from, to),
                                      .defines = {{"PAD_VALUE", "0x4000"}}});
  for (std::uint32_t i = 0; i < count; ++i)
    SetRuntimeArgs(program, copy, CoreCoord(i, 0),
                   {std::uint32_t(from->address()),
                    std::uint32_t(to->address()), i * rows / count,
                    (i + 1) * rows / count});
  unit.run(std::move(program));
  const Numbers y = unit.read(to);
  std::vector<float> expected;
  for (std::uint32_t row = 0; row < rows; ++row)
    for (std::uint32_t i = 0; i < wide; ++i)
      expected.push_back(i < columns ? float(x[row * columns + i]) : 2.0f);
  check(y, expected, 0);
  folder.write("y", y);
}
