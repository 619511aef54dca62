// Destination tiles that are sums of tiles which are still in L1.
#include "support.h"

#include "testing/testing.h"

#include <cstring>
#include <numeric>
#include <vector>

using namespace tt::runtime;
using tensix::DstRegisters;
using tensix::Held;

namespace {

constexpr std::size_t kTileBytes = numerics::kTileElements * 2;

std::vector<std::byte> tile(std::uint16_t first) {
  std::vector<std::uint16_t> numbers(numerics::kTileElements);
  std::iota(numbers.begin(), numbers.end(), first);
  std::vector<std::byte> bytes(kTileBytes);
  std::memcpy(bytes.data(), numbers.data(), kTileBytes);
  return bytes;
}

} // namespace

TEST(Pairs, AreCopiedBeforeTheirPagesChange) {
  DstRegisters dst(/*fp32=*/false);
  std::vector<std::byte> a = tile(1), b = tile(1000), other(64);
  dst.acquire();
  dst.setPair(dst.mathTile(3), numerics::BinaryOp::Add, a.data(), b.data());
  EXPECT_TRUE(dst.hasPairs());
  EXPECT_TRUE(dst.mathTile(3).from[0] == a.data());
  // The last byte of the second page.
  dst.settle(b.data() + kTileBytes - 1, 1);
  EXPECT_FALSE(dst.hasPairs());
  EXPECT_TRUE(dst.mathTile(3).held == Held::Pair);
  const std::vector<std::byte> before = b;
  std::memset(a.data(), 0, kTileBytes);
  std::memset(b.data(), 0, kTileBytes);
  EXPECT_TRUE(
      std::memcmp(dst.mathTile(3).from[0], tile(1).data(), kTileBytes) == 0);
  EXPECT_TRUE(std::memcmp(dst.mathTile(3).from[1], before.data(), kTileBytes) ==
              0);
}

TEST(Pairs, StayWhereOtherBytesChange) {
  DstRegisters dst(/*fp32=*/false);
  // One behind the other, so that nothing is between them.
  std::vector<std::byte> pages(3 * kTileBytes);
  dst.acquire();
  dst.setPair(dst.mathTile(0), numerics::BinaryOp::Add, pages.data(),
              pages.data() + kTileBytes);
  dst.settle(pages.data() + 2 * kTileBytes, kTileBytes);
  EXPECT_TRUE(dst.hasPairs());
  EXPECT_TRUE(dst.mathTile(0).from[0] == pages.data());
}

TEST(Pairs, EndWithTheirSection) {
  DstRegisters dst(/*fp32=*/false);
  std::vector<std::byte> a = tile(1), b = tile(2);
  dst.acquire();
  dst.setPair(dst.mathTile(0), numerics::BinaryOp::Add, a.data(), b.data());
  dst.commit();
  dst.acquire();
  dst.setPair(dst.mathTile(1), numerics::BinaryOp::Add, a.data(), b.data());
  dst.release(); // the first section
  EXPECT_TRUE(dst.hasPairs());
  dst.commit();
  dst.release();
  EXPECT_FALSE(dst.hasPairs());
}
