// Copies between the host and the layouts of TTMetal.
#include "support.h"

#include "emulator/tensor_copy.h"
#include "numerics/parallel.h"
#include "numerics/tiles.h"

#include "testing/testing.h"

#include <cstring>
#include <numeric>

using namespace tt::runtime;
using namespace tt::runtime::test;
using emulator::View;
using numerics::DType;

namespace {

ChipGeometry chip() {
  return chipGeometry(
      system_desc::getDefaultSystemDesc("n150")->chip_descs()->Get(0));
}

struct Spec {
  std::vector<int> shape, stride, shard;
  DType type = DType::F32;
  bool tiled = true;
  target::OOBVal padding = target::OOBVal::Undef;
  target::MemorySpace space = target::MemorySpace::DeviceDRAM;
  target::TensorMemoryLayout layout = target::TensorMemoryLayout::Interleaved;
  target::Dim2d grid = {1, 1};
};

Layout layoutOf(const Spec &s) {
  flatbuffers::FlatBufferBuilder fbb;
  const target::Dim2d tile(s.tiled ? 32 : 1, s.tiled ? 32 : 1);
  std::int64_t size = !s.tiled ? numerics::elementSize(s.type)
                               : numerics::tileBytes(s.type) -
                                     (numerics::isBlockFloat(s.type) ? 64 : 0);
  for (int extent : s.shard)
    size *= extent;
  const std::vector<target::Dim2dRange> cores = {
      target::Dim2dRange(target::Dim2d(0, 0), s.grid)};
  auto memory = target::CreateMemoryDescDirect(
      fbb, &s.shard, &tile, target::DataType(s.type), s.space, s.layout,
      std::uint64_t(size));
  auto layout =
      target::CreateLayoutDescDirect(fbb, &s.stride, s.padding, &cores, memory);
  fbb.Finish(target::CreateTensorDescDirect(fbb, &s.shape, layout));
  return readLayout(
      flatbuffers::GetRoot<target::TensorDesc>(fbb.GetBufferPointer()), chip(),
      Placement::Linear);
}

/// Memory of a layout on a chip of its own: banks one behind the other.
struct Memory {
  explicit Memory(const Layout &layout)
      : bytes(std::size_t(layout.banks * layout.bankBytes), std::byte(0xee)),
        view{&layout, bytes.data(), layout.bankBytes} {}
  std::vector<std::byte> bytes;
  View view;
};

std::vector<float> ramp(const Layout &layout) {
  std::vector<float> values(std::size_t(layout.volume()));
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

View viewOf(const Layout &host, std::vector<float> &values) {
  return {&host, reinterpret_cast<std::byte *>(values.data()), 0};
}

/// To the layout and back.
void roundTrip(const Layout &layout) {
  const Layout host = hostLayout(layout.shape, DType::F32);
  auto values = ramp(host);
  Memory memory(layout);
  emulator::copyTensor(viewOf(host, values), memory.view,
                       numerics::Rounding::Host);
  std::vector<float> back(values.size(), -1);
  emulator::copyTensor(memory.view, viewOf(host, back),
                       numerics::Rounding::Host);
  EXPECT_EQ(back, values) << layout.describe();
}

} // namespace

TEST(Transfer, MatricesHaveTilesOfTheirOwn) {
  // (d0, d1, d2) -> (d0 * 32 + d1, d2): one tile for each of 4 matrices.
  Spec spec{{4, 10, 20}, {640, 20, 1}, {4, 1}};
  spec.padding = target::OOBVal::NegInf;
  const Layout layout = layoutOf(spec);
  EXPECT_EQ(layout.tileRows, 4);
  EXPECT_EQ(layout.tileCols, 1);
  const Layout host = hostLayout(layout.shape, DType::F32);
  auto values = ramp(host);
  Memory memory(layout);
  emulator::copyTensor(viewOf(host, values), memory.view,
                       numerics::Rounding::Host);
  for (std::int64_t b = 0; b < 4; ++b) {
    std::vector<float> tile(1024);
    numerics::untilizeToF32(DType::F32, {memory.view.tile(b, 0)}, tile.data(),
                            32, 32, 32);
    for (std::int64_t y = 0; y < 32; ++y)
      for (std::int64_t x = 0; x < 32; ++x)
        ASSERT_EQ(tile[std::size_t(y * 32 + x)],
                  y < 10 && x < 20 ? values[std::size_t((b * 10 + y) * 20 + x)]
                                   : -std::numeric_limits<float>::infinity())
            << b << ", " << y << ", " << x;
  }
}

TEST(Transfer, EveryLayoutKeepsTheElements) {
  for (int threads : {1, 2}) {
    numerics::setNumThreads(threads);
    roundTrip(layoutOf({{4, 10, 20}, {640, 20, 1}, {4, 1}}));
    roundTrip(layoutOf({{2, 3, 40, 70}, {13440, 4480, 70, 1}, {12, 3}}));
    roundTrip(layoutOf({{3, 100}, {100, 1}, {3, 100}, DType::F32, false}));
    Spec shards{{2, 40, 96}, {6144, 96, 1}, {2, 1}};
    shards.space = target::MemorySpace::DeviceL1;
    shards.layout = target::TensorMemoryLayout::None;
    shards.grid = {2, 3};
    roundTrip(layoutOf(shards));
  }
  numerics::setNumThreads(0);
}

TEST(Transfer, PaddingIsNoneOfTheBlocks) {
  // The logarithm of a padding of 0, beside elements of one block.
  Spec spec{{40, 5}, {5, 1}, {2, 1}, DType::BF16};
  spec.padding = target::OOBVal::NegInf;
  const Layout from = layoutOf(spec);
  spec.type = DType::BFP8_B;
  spec.padding = target::OOBVal::Undef;
  const Layout to = layoutOf(spec), host = hostLayout(from.shape, DType::F32);
  std::vector<float> values(200, 0.25f), found(200);
  Memory source(from), target(to);
  emulator::copyTensor(viewOf(host, values), source.view,
                       numerics::Rounding::Host);
  emulator::copyTensor(source.view, target.view, numerics::Rounding::Fast);
  emulator::copyTensor(target.view, viewOf(host, found),
                       numerics::Rounding::Host);
  EXPECT_EQ(found, values);
}

TEST(Transfer, LinearLayoutsFollowTheMapOfTheDevice) {
  Spec spec{{300, 96}, {96, 1}, {150, 48}, DType::F32, false};
  spec.layout = target::TensorMemoryLayout::None;
  spec.grid = {2, 2};
  const Layout layout = layoutOf(spec);
  ASSERT_EQ(layout.placement, Placement::Linear);
  roundTrip(layout);
  // Shard (1, 1) is the tenth: the grid of the device has eight columns.
  Memory memory(layout);
  const std::int64_t index = 9 * 150 * 48 + 7 * 48 + 5;
  EXPECT_EQ(memory.view.element(157, 53), memory.view.base +
                                              index / 8192 * layout.bankBytes +
                                              index % 8192 * 4);
  spec.shape = {3000, 96};
  spec.shard = {3000, 96};
  spec.grid = {1, 1};
  EXPECT_THROW(layoutOf(spec), Error); // more than a page for each channel
}
