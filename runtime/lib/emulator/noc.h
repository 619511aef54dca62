// Addresses on the network on chip.
//
// An address has a tag in its upper 4 bits, so that a number that is none is
// found; then coordinates of 6 bits each and 36 bits of the address in a core
// or channel. A multicast address has the corners of a rectangle.
#ifndef TT_RUNTIME_EMULATOR_NOC_H
#define TT_RUNTIME_EMULATOR_NOC_H

#include "clock/noc_map.h"

#include <cstdint>

namespace tt::runtime::emulator {

using clock::kNocSide;
using clock::NocMap;
inline constexpr std::uint64_t kLocalMask = (std::uint64_t(1) << 36) - 1;

enum class NocTag : std::uint8_t { None, Unicast, Multicast };

struct NocAddress {
  NocTag tag;
  std::uint32_t x, y; // of a multicast: the end
  std::uint32_t startX, startY;
  std::uint64_t local;
};

constexpr std::uint64_t encodeUnicast(std::uint32_t x, std::uint32_t y,
                                      std::uint64_t local) {
  return std::uint64_t(NocTag::Unicast) << 60 | std::uint64_t(y) << 42 |
         std::uint64_t(x) << 36 | local;
}

constexpr std::uint64_t encodeMulticast(std::uint32_t x0, std::uint32_t y0,
                                        std::uint32_t x1, std::uint32_t y1,
                                        std::uint64_t local) {
  return std::uint64_t(NocTag::Multicast) << 60 | std::uint64_t(y0) << 54 |
         std::uint64_t(x0) << 48 | std::uint64_t(y1) << 42 |
         std::uint64_t(x1) << 36 | local;
}

constexpr NocAddress decodeNoc(std::uint64_t address) {
  const std::uint64_t tag = address >> 60;
  auto field = [address](int shift) {
    return std::uint32_t(address >> shift) & (kNocSide - 1);
  };
  return {tag == 1   ? NocTag::Unicast
          : tag == 2 ? NocTag::Multicast
                     : NocTag::None,
          field(36),
          field(42),
          field(48),
          field(54),
          address & kLocalMask};
}

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_NOC_H
