#include "support.h"

#include "emulator/tensor.h"
#include "emulator/tensor_copy.h"
#include "emulator/unwritten.h"

#include "testing/testing.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace tt::runtime;
using namespace tt::runtime::test;
using emulator::allocateTensor;
using numerics::DType;

namespace {

std::shared_ptr<emulator::Chip> openChip() {
  return emulator::System(system_desc::getDefaultSystemDesc("n150"))
      .openChip(0);
}

Layout layoutOf(const emulator::Chip &chip, int rows, int cols,
                target::DataType type, const Place &place) {
  Builder builder;
  builder.fbb.Finish(builder.desc(rows, cols, type, place));
  return readLayout(
      flatbuffers::GetRoot<target::TensorDesc>(builder.fbb.GetBufferPointer()),
      chip.geometry());
}

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

void put(const std::vector<float> &values, const emulator::TensorPtr &tensor) {
  const Layout host = hostLayout(tensor->layout.shape, DType::F32);
  auto *bytes =
      reinterpret_cast<std::byte *>(const_cast<float *>(values.data()));
  emulator::copyTensor({&host, bytes, 0}, tensor->view(),
                       numerics::Rounding::Host);
}

} // namespace

TEST(Memory, TilesOfFourFacesGoRoundTheChannels) {
  auto chip = openChip();
  const Layout layout =
      layoutOf(*chip, 64, 64, target::DataType::Float32, Place{});
  auto tensor = allocateTensor(layout, chip, "tensor");
  put(counting(64 * 64), tensor);
  // Tile 3 (rows 32.., columns 32..) is the first page of channel 3. Its second
  // face holds the columns 48..63 of rows 32..47.
  const auto *tile = reinterpret_cast<const float *>(chip->dram(3, 1024));
  EXPECT_EQ(tile[0], 32 * 64 + 32);
  EXPECT_EQ(tile[256], 32 * 64 + 48);
  EXPECT_EQ(tile[512], 48 * 64 + 32);
  EXPECT_EQ(tile[256 + 16 + 2], 33 * 64 + 50);
}

TEST(Memory, RowsGoRoundTheCores) {
  auto chip = openChip();
  const Place place = {target::MemorySpace::DeviceL1,
                       target::TensorMemoryLayout::Interleaved, false};
  const Layout layout =
      layoutOf(*chip, 100, 10, target::DataType::Float32, place);
  auto tensor = allocateTensor(layout, chip, "tensor");
  put(counting(1000), tensor);
  // Row 70 is the second page of core 6; pages are 48 bytes apart.
  const auto *row = reinterpret_cast<const float *>(chip->l1(6, 1024 + 48));
  EXPECT_EQ(row[0], 700);
  EXPECT_EQ(row[9], 709);
}

TEST(Memory, ShardsAreContiguousInACore) {
  auto chip = openChip();
  const Place place = {target::MemorySpace::DeviceL1,
                       target::TensorMemoryLayout::BlockSharded, false, 2, 2};
  const Layout layout = layoutOf(*chip, 8, 8, target::DataType::Float32, place);
  auto tensor = allocateTensor(layout, chip, "tensor");
  put(counting(64), tensor);
  // The shard of core (1, 0) has rows 4..7, columns 0..3.
  const auto *shard = reinterpret_cast<const float *>(chip->l1(8, 1024));
  EXPECT_EQ(shard[0], 32);
  EXPECT_EQ(shard[4], 40);
  EXPECT_EQ(shard[15], 59);
}

TEST(Memory, BlockFloatsHaveTheirExponentsFirst) {
  auto chip = openChip();
  const Layout layout =
      layoutOf(*chip, 32, 32, target::DataType::BFP_BFloat8, Place{});
  auto tensor = allocateTensor(layout, chip, "tensor");
  put(std::vector<float>(1024, -1.5f), tensor);
  const auto *tile =
      reinterpret_cast<const std::uint8_t *>(chip->dram(0, 1024));
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(tile[i], 127);
  // Sign, then 1.5 in seven bits of which the first is the integer part.
  for (int i = 64; i < 1088; ++i)
    EXPECT_EQ(tile[i], 0x80 | 0x60);
}

TEST(Memory, FreedMemoryIsUsedAgain) {
  auto chip = openChip();
  const Layout layout =
      layoutOf(*chip, 64, 64, target::DataType::Float32, Place{});
  std::byte *first = allocateTensor(layout, chip, "a")->buffer->base();
  EXPECT_EQ(allocateTensor(layout, chip, "b")->buffer->base(), first);
  auto tensor = allocateTensor(layout, chip, "c");
  chip->deallocateAll();
  EXPECT_THROW(tensor->view(), Error);
  auto other = allocateTensor(layout, chip, "d");
  tensor.reset(); // must not free what is no longer its own
  EXPECT_GT(chip->memory(Space::Dram).allocator.used(), 0);
}

TEST(Memory, ClearedMemoryIsZero) {
  // Of the second, whole pages are given back to the operating system.
  for (std::int64_t bytes : {std::int64_t(1000), std::int64_t(17) << 20}) {
    emulator::Arena arena(2, 32 << 20);
    const std::int64_t offset = 100;
    for (int bank : {0, 1})
      std::memset(arena.bank(bank), 0xff, std::size_t(bytes + 200));
    arena.clear(offset, bytes);
    for (int bank : {0, 1}) {
      const std::byte *first = arena.bank(bank);
      EXPECT_EQ(first[offset - 1], std::byte(0xff));
      EXPECT_EQ(first[offset + bytes], std::byte(0xff));
      EXPECT_EQ(
          std::count(first + offset, first + offset + bytes, std::byte(0)),
          bytes);
    }
  }
}

/// What is watched in DRAM is cleared late, and only where nothing was written.
TEST(Memory, UnwrittenBytesBecomeZeros) {
  auto chip = openChip();
  // Rows of 20 bytes on pages of 32.
  const Layout layout = layoutOf(*chip, 40, 10, target::DataType::BFloat16,
                                 Place{.tiled = false});
  EXPECT_GT(layout.pageStride, layout.pageBytes);
  auto tensor = allocateTensor(layout, chip, "tensor");
  emulator::Buffer &buffer = *tensor->buffer;
  const auto bank = [&](std::int64_t i) {
    return buffer.base() + i * buffer.bankSpacing();
  };
  const auto zeros = [&](std::int64_t i, std::int64_t begin, std::int64_t end) {
    return std::count(bank(i) + begin, bank(i) + end, std::byte(0));
  };
  const auto restart = [&] {
    for (std::int64_t i = 0; i < layout.banks; ++i)
      std::memset(bank(i), 0xff, std::size_t(layout.bankBytes));
    buffer.clear(true);
  };
  restart();
  (*buffer.written())[1].mark(5, 50);
  buffer.setWritten();
  EXPECT_EQ(buffer.written(), nullptr);
  EXPECT_EQ(zeros(0, 0, layout.bankBytes), layout.bankBytes);
  EXPECT_EQ(zeros(1, 0, layout.bankBytes), layout.bankBytes - 45);
  EXPECT_EQ(zeros(1, 5, 50), 0);
  restart();
  buffer.overwrite(layout);
  for (std::int64_t row = 0; row < layout.rows; ++row) {
    const std::int64_t at = row / layout.banks * layout.pageStride;
    EXPECT_EQ(zeros(row % layout.banks, at, at + layout.pageBytes), 0);
    EXPECT_EQ(zeros(row % layout.banks, at + layout.pageBytes,
                    at + layout.pageStride),
              layout.pageStride - layout.pageBytes);
  }
  EXPECT_GT(layout.rows % layout.banks, 0);
  EXPECT_EQ(zeros(layout.banks - 1, layout.bankBytes - layout.pageStride,
                  layout.bankBytes),
            layout.pageStride);
}

/// Of a tensor with padding: what holds elements must be written, by bytes.
TEST(Memory, UnwrittenElementsAreFound) {
  auto chip = openChip();
  for (auto type : {target::DataType::BFloat16, target::DataType::BFP_BFloat8,
                    target::DataType::BFP_BFloat4}) {
    const bool plain = type == target::DataType::BFloat16;
    const int bits = plain ? 16 : type == target::DataType::BFP_BFloat8 ? 8 : 4;
    const Layout layout = layoutOf(*chip, 17, 40, type, Place{});
    auto tensor = allocateTensor(layout, chip, "tensor");
    EXPECT_EQ(emulator::findUnwritten(*tensor).bytes, 0); // not watched
    tensor->buffer->clear(true);
    EXPECT_EQ(emulator::findUnwritten(*tensor).pages, 2);
    auto &written = *tensor->buffer->written();
    // The elements (r, c) of the second tile: rows 0..16, columns 0..7.
    written[0].mark(0, std::uint64_t(layout.pageBytes));
    const std::uint64_t first = plain ? 0 : 64;
    for (std::uint64_t r = 0; r < 17; ++r) {
      const std::uint64_t line = r < 16 ? r : 32; // of 16 elements
      if (!plain)
        written[1].mark(line, line + 1);
      const auto found = emulator::findUnwritten(*tensor);
      EXPECT_EQ(found.pages, 1);
      EXPECT_EQ(found.firstPage, 1);
      EXPECT_EQ(found.allPages, 2);
      EXPECT_EQ(found.bytes, std::int64_t((17 - r) * std::uint64_t(bits) +
                                          (plain ? 0 : 16 - r)));
      const std::uint64_t begin = first + line * 2 * std::uint64_t(bits);
      written[1].mark(begin, begin + std::uint64_t(bits));
    }
    EXPECT_EQ(emulator::findUnwritten(*tensor).bytes, 0);
  }
}

TEST(Memory, LargeHostBlocksAreCached) {
  auto block = emulator::allocateHost(8 << 20);
  void *address = block.get();
  std::memset(address, 1, 8 << 20);
  block.reset();
  EXPECT_EQ(emulator::allocateHost(8 << 20).get(), address);
  EXPECT_THROW(emulator::allocateHost(std::int64_t(1) << 60), Error);
}
