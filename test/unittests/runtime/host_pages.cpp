// Rows of a tensor in DRAM that the host has.
#include "support.h"

#include "emulator/host_pages.h"
#include "emulator/tensor_copy.h"

#include "testing/testing.h"

#include <cstring>
#include <numeric>

using namespace tt::runtime;
using namespace tt::runtime::test;
using emulator::HostPages;
using emulator::TensorPtr;
using numerics::DType;

namespace {

constexpr std::int64_t kRows = 29,
                       kCols = 5; // rows of 20 bytes, in pages of 32

/// A host tensor of 1, 2, ..., and one in DRAM.
struct Tensors {
  std::shared_ptr<emulator::Chip> chip = std::make_shared<emulator::Chip>(
      0, chipGeometry(
             system_desc::getDefaultSystemDesc("n150")->chip_descs()->Get(0)));
  TensorPtr host = emulator::allocateTensor(
      hostLayout({kRows, kCols}, DType::F32), nullptr, "");
  TensorPtr dram = emulator::allocateTensor(
      interleavedLayout({kRows, kCols}, DType::F32, /*tiled=*/false,
                        chip->geometry()),
      chip, "dram");

  Tensors() {
    auto *numbers = reinterpret_cast<float *>(host->buffer->base());
    std::iota(numbers, numbers + kRows * kCols, 1.0f);
    dram->buffer->clear(/*watch=*/true);
  }
  std::uint64_t addressOf(std::int64_t row) const {
    return std::uint64_t(dram->buffer->address() +
                         row / dram->layout.banks * dram->layout.pageStride);
  }
  std::uint64_t channelOf(std::int64_t row) const {
    return std::uint64_t(row % dram->layout.banks);
  }
};

} // namespace

TEST(RowsOfTheHost, FitRowsOfOneType) {
  Tensors t;
  EXPECT_TRUE(HostPages::fit(*t.host, t.dram->layout));
  EXPECT_FALSE(HostPages::fit(*t.dram, t.dram->layout));
  Layout other = t.dram->layout;
  other.type = DType::I32;
  EXPECT_FALSE(HostPages::fit(*t.host, other));
  EXPECT_FALSE(HostPages::fit(
      *t.host, interleavedLayout({kRows, kCols}, DType::F32,
                                 /*tiled=*/true, t.chip->geometry())));
}

TEST(RowsOfTheHost, AreReadWhereTheHostHasThem) {
  Tensors t;
  HostPages pages(t.host, t.dram, HostPages::Access::Read);
  for (std::int64_t row = 0; row < kRows; ++row) {
    const auto *found = reinterpret_cast<const float *>(
        pages.find(t.channelOf(row), t.addressOf(row) + 4, 16));
    EXPECT_TRUE(found && *found == float(row * kCols + 2));
  }
  EXPECT_TRUE(pages.has(t.addressOf(0)));
  EXPECT_FALSE(pages.has(t.addressOf(0) - 1));
  // What pads a page is 0, and a read may go on in the bank's next page.
  EXPECT_FALSE(pages.find(0, t.addressOf(0), 32));
  const std::int64_t next = t.dram->layout.banks;
  float got[10];
  pages.read(0, t.addressOf(0) + 16, 40, reinterpret_cast<std::byte *>(got));
  const float expected[] = {
      5, 0, 0, 0, float(next * kCols + 1), float(next * kCols + 2)};
  EXPECT_TRUE(std::memcmp(got, expected, sizeof(expected)) == 0);
}

TEST(RowsOfTheHost, SettleInDramOnce) {
  Tensors t;
  HostPages pages(t.host, t.dram, HostPages::Access::Read);
  pages.settle();
  EXPECT_FALSE(pages.has(t.addressOf(0)));
  const auto numbers = [&](std::int64_t row) {
    return reinterpret_cast<float *>(t.dram->view().page(row));
  };
  for (std::int64_t row = 0; row < kRows; ++row)
    EXPECT_TRUE(numbers(row)[4] == float((row + 1) * kCols));
  EXPECT_FALSE(t.dram->buffer->written());
  numbers(3)[0] = -1;
  pages.settle();
  EXPECT_TRUE(numbers(3)[0] == -1);
}

TEST(RowsOfTheHost, AreWrittenWhereTheHostHasThem) {
  Tensors t;
  HostPages pages(t.host, t.dram, HostPages::Access::Write);
  float row[8];
  std::iota(row, row + 8, 100.0f);
  pages.write(t.channelOf(2), t.addressOf(2), 32,
              reinterpret_cast<const std::byte *>(row));
  const auto *numbers = reinterpret_cast<float *>(t.host->buffer->base());
  EXPECT_TRUE(numbers[2 * kCols] == 100 && numbers[3 * kCols - 1] == 104);
  EXPECT_TRUE(numbers[3 * kCols] == float(3 * kCols + 1)); // no padding
}
