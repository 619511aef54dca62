// The tile instructions of AMX, and the same in C++ for machines without them.
#ifndef TT_RUNTIME_NUMERICS_ISA_TILES_H
#define TT_RUNTIME_NUMERICS_ISA_TILES_H

#include "numerics/isa/table.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

/// The operand of ldtilecfg: the rows of each of the 8 tiles, at most 16, and
/// the bytes of a row, at most 64.
struct TileConfig {
  uint8_t palette = 1, startRow = 0, reserved[14] = {};
  uint16_t rowBytes[16] = {};
  uint8_t rows[16] = {};
};
static_assert(sizeof(TileConfig) == 64);

/// The registers of the host's thread. A configuration is lost where other
/// libraries use tiles, so that a kernel sets its own.
struct HostTiles {
  static TTK_INLINE void configure(const TileConfig &config) {
    asm volatile("ldtilecfg %0" ::"m"(config));
  }
  static TTK_INLINE void release() { asm volatile("tilerelease"); }
  template <int Tile> static TTK_INLINE void zero() {
    asm volatile("tilezero %%tmm%c0" ::"i"(Tile));
  }
  /// Rows from `data` on, `stride` bytes apart.
  template <int Tile>
  static TTK_INLINE void load(const void *data, int64_t stride) {
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(data), "r"(stride),
                 "i"(Tile)
                 : "memory");
  }
  template <int Tile> static TTK_INLINE void store(void *data, int64_t stride) {
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(data), "r"(stride),
                 "i"(Tile)
                 : "memory");
  }
  /// Sum += A x B, of bf16 in pairs along k.
  template <int Sum, int A, int B> static TTK_INLINE void multiply() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(Sum), "i"(A),
                 "i"(B));
  }
};

/// What the manual says of the instructions (Intel 64 and IA-32 Architectures
/// Software Developer's Manual, volume 2, TDPBF16PS): of each element, the
/// products of even k and those of odd k are summed apart, with one rounding to
/// nearest even for a product and its sum; the two sums are added, then what
/// the element was. Denormal operands and results are 0. A result that rounds
/// up to 2^-126 may be 0 on the host.
struct EmulatedTiles {
  struct State {
    TileConfig config;
    alignas(64) uint8_t data[8][16][64];
  };
  static State &state() {
    static thread_local State state;
    return state;
  }
  static float flushed(float x) {
    return __builtin_fabsf(x) < 0x1p-126f ? __builtin_copysignf(0, x) : x;
  }
  static float element(const uint8_t *row, int index) {
    uint16_t bits;
    __builtin_memcpy(&bits, row + index * 2, 2);
    const uint32_t word = uint32_t(bits) << 16;
    float value;
    __builtin_memcpy(&value, &word, 4);
    return flushed(value);
  }

  static void configure(const TileConfig &config) {
    state().config = config;
    __builtin_memset(state().data, 0, sizeof(State::data));
  }
  static void release() { configure({}); }
  template <int Tile> static void zero() {
    __builtin_memset(state().data[Tile], 0, sizeof(State::data[Tile]));
  }
  template <int Tile> static void load(const void *data, int64_t stride) {
    State &s = state();
    zero<Tile>();
    for (int row = 0; row < s.config.rows[Tile]; ++row)
      __builtin_memcpy(s.data[Tile][row],
                       static_cast<const char *>(data) + row * stride,
                       s.config.rowBytes[Tile]);
  }
  template <int Tile> static void store(void *data, int64_t stride) {
    const State &s = state();
    for (int row = 0; row < s.config.rows[Tile]; ++row)
      __builtin_memcpy(static_cast<char *>(data) + row * stride,
                       s.data[Tile][row], s.config.rowBytes[Tile]);
  }
  template <int Sum, int A, int B> static void multiply() {
    State &s = state();
    const int pairs = s.config.rowBytes[A] / 4;
    for (int row = 0; row < s.config.rows[Sum]; ++row)
      for (int col = 0; col < s.config.rowBytes[Sum] / 4; ++col) {
        float sums[2] = {};
        for (int pair = 0; pair < pairs; ++pair)
          for (int odd = 0; odd < 2; ++odd)
            sums[odd] = flushed(__builtin_fmaf(
                element(s.data[A][row], pair * 2 + odd),
                element(s.data[B][pair], col * 2 + odd), sums[odd]));
        float old;
        __builtin_memcpy(&old, s.data[Sum][row] + col * 4, 4);
        const float sum = flushed(flushed(old) + flushed(sums[0] + sums[1]));
        __builtin_memcpy(s.data[Sum][row] + col * 4, &sum, 4);
      }
  }
};

} // namespace
} // namespace tt::runtime::numerics::TTK_ISA

#endif // TT_RUNTIME_NUMERICS_ISA_TILES_H
