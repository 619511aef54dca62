// A core without threads: circular buffers in memory, and instructions by name.
#ifndef TT_TEST_UNITTESTS_TENSIX_SUPPORT_H
#define TT_TEST_UNITTESTS_TENSIX_SUPPORT_H

#include "../numerics/support.h"
#include "numerics/tiles.h"
#include "tensix/compute.h"

#include <initializer_list>
#include <map>
#include <stdexcept>

namespace tt::runtime::tensix::test {

namespace numerics = ::tt::runtime::numerics;
using namespace numerics::test;
using numerics::kTileElements;

/// 1024 values of a tile, row by row.
using Tile = std::vector<float>;

class FaultError : public std::runtime_error {
public:
  FaultError(ComputeFault kind, const std::string &message)
      : std::runtime_error(message), kind(kind) {}
  ComputeFault kind;
};

class Core : public TileAccess {
public:
  explicit Core(MathConfig config) : context(config, *this) {
    context.dst.acquire();
  }

  const std::byte *front(std::uint32_t port, std::uint64_t offset,
                         std::uint64_t bytes) override {
    return range(port, offset, bytes);
  }
  std::byte *back(std::uint32_t port, std::uint64_t offset, std::uint64_t bytes,
                  bool adds) override {
    accumulated = adds;
    return range(port, offset, bytes);
  }
  std::byte *nextBack(std::uint32_t port, std::uint64_t tiles,
                      bool adds) override {
    accumulated = adds;
    const std::uint32_t page = context.cbs[port].pageBytes;
    std::byte *at = range(port, packed[port] * page, tiles * page);
    packed[port] += tiles;
    return at;
  }
  [[noreturn]] void fault(ComputeFault kind,
                          const std::string &message) override {
    throw FaultError(kind, message);
  }

  /// A circular buffer of `tiles` tiles of zeros.
  void bind(std::uint32_t port, DType type, std::int64_t tiles) {
    const std::int64_t page = numerics::tileBytes(type);
    context.cbs[port] = {type, true, true, std::uint32_t(page)};
    memory[port].assign(size_t(page * tiles), std::byte(0));
    packed[port] = 0;
  }
  /// A circular buffer with these tiles, rounded to the type.
  void bind(std::uint32_t port, DType type, const std::vector<Tile> &tiles) {
    bind(port, type, std::int64_t(tiles.size()));
    for (size_t i = 0; i < tiles.size(); ++i)
      numerics::tilizeFromF32(tiles[i].data(), 32, 32, 32, type, {at(port, i)});
  }
  void *at(std::uint32_t port, size_t tile) {
    return memory[port].data() + tile * context.cbs[port].pageBytes;
  }
  Tile tile(std::uint32_t port, size_t index) {
    Tile values(kTileElements);
    numerics::untilizeToF32(context.cbs[port].type, {at(port, index)},
                            values.data(), 32, 32, 32);
    return values;
  }
  void run(Opcode opcode, std::initializer_list<std::uint64_t> operands) {
    Handler handler = handlerFor(opcode);
    ASSERT_NE(handler, nullptr);
    handler(context, std::data(operands));
  }
  /// Hands the destination registers to the packer and starts again.
  void next() {
    context.dst.commit();
    context.dst.release();
    context.dst.acquire();
  }
  /// Packs destination tile `index` to tile 0 of `port` and reads it back.
  Tile result(std::uint32_t port, std::uint64_t index = 0) {
    run(Opcode::pack_tile, {index, port, 0, 1});
    return tile(port, 0);
  }

  ComputeContext context;
  std::map<std::uint32_t, std::vector<std::byte>> memory;
  std::map<std::uint32_t, std::uint64_t> packed;
  bool accumulated = false; // the last pages that were asked for

private:
  std::byte *range(std::uint32_t port, std::uint64_t offset,
                   std::uint64_t bytes) {
    std::vector<std::byte> &data = memory.at(port);
    if (offset + bytes > data.size())
      throw std::out_of_range("test: beyond the circular buffer");
    return data.data() + offset;
  }
};

inline Tile randomTile(std::uint32_t seed, float low = -4, float high = 4) {
  return randomFloats(kTileElements, seed, low, high);
}

/// What the format makes of the values, by way of the host.
inline Tile inFormat(DType type, const Tile &values) {
  std::vector<char> tile(size_t(numerics::tileBytes(type)));
  numerics::tilizeFromF32(values.data(), 32, 32, 32, type, {tile.data()});
  Tile result(values.size());
  numerics::untilizeToF32(type, {tile.data()}, result.data(), 32, 32, 32);
  return result;
}

/// Half away from zero to bf16, written down independently.
inline float toBf16(double value) {
  if (value == 0 || !std::isfinite(value))
    return float(value);
  int exponent;
  const double fraction = std::frexp(value, &exponent);
  return float(std::ldexp(std::round(std::ldexp(fraction, 8)), exponent - 8));
}

/// The `bits` leading significant bits of a value.
inline double leadingBits(double value, int bits) {
  int exponent;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::trunc(std::ldexp(fraction, bits)), exponent - bits);
}

inline std::uint64_t floatBits(float value) { return bitsOf(value); }

#define EXPECT_FAULT(statement, expected)                                      \
  try {                                                                        \
    statement;                                                                 \
    ADD_FAILURE() << "no fault";                                               \
  } catch (const FaultError &error) {                                          \
    EXPECT_EQ(error.kind, expected) << error.what();                           \
  }

} // namespace tt::runtime::tensix::test

#endif // TT_TEST_UNITTESTS_TENSIX_SUPPORT_H
