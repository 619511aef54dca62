// Loops that apply a vector function to f32 or bf16 spans.
#ifndef TT_RUNTIME_NUMERICS_ISA_LOOPS_H
#define TT_RUNTIME_NUMERICS_ISA_LOOPS_H

#include "numerics/isa/simd.h"
#include "numerics/isa/table.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

struct StoreF32 {
  using element = float;
  static TTK_INLINE vf read(const float *from) { return load<vf>(from); }
  static TTK_INLINE void write(float *to, vf x) { store(to, x); }
  static TTK_INLINE void stream(float *to, vf x) { storeStream(to, x); }
};

struct StoreBf16 {
  using element = uint16_t;
  static TTK_INLINE vf read(const uint16_t *from) {
    return widenBf16(load<vh>(from));
  }
  static TTK_INLINE void write(uint16_t *to, vf x) {
    store(to, narrowBf16Fast(x));
  }
  static TTK_INLINE void stream(uint16_t *to, vf x) {
    storeStream(to, narrowBf16Fast(x));
  }
};

/// Runs block(i) for i = 0, VF, ... and tail(i, left) for what remains. With
/// `stream`, elements before the first 64-byte boundary of `out` go through
/// tail(0, n) first, and streamBlock replaces block.
template <typename E, typename Block, typename StreamBlock, typename Tail>
TTK_INLINE void spanLoop(E *out, int64_t n, bool stream, Block block,
                         StreamBlock streamBlock, Tail tail) {
  int64_t i = 0;
  if (stream) {
    uintptr_t misaligned = reinterpret_cast<uintptr_t>(out) & 63;
    int64_t head =
        misaligned ? int64_t(64 - misaligned) / int64_t(sizeof(E)) : 0;
    head = head < n ? head : n;
    for (; i < head; i += VF)
      tail(i, head - i < VF ? head - i : int64_t(VF));
    i = head;
    for (; i + VF <= n; i += VF)
      streamBlock(i);
    streamFence();
  } else {
    for (; i + VF <= n; i += VF)
      block(i);
  }
  if (i < n)
    tail(i, n - i);
}

template <typename Op, typename S>
void unaryLoop(const void *in, void *out, int64_t n, UnaryParams params,
               bool stream) {
  using E = typename S::element;
  const E *from = static_cast<const E *>(in);
  E *to = static_cast<E *>(out);
  const Op op{params};
  spanLoop(
      to, n, stream,
      [&](int64_t i) { S::write(to + i, op(S::read(from + i))); },
      [&](int64_t i) { S::stream(to + i, op(S::read(from + i))); },
      [&](int64_t i, int64_t left) {
        E buffer[VF] = {};
        __builtin_memcpy(buffer, from + i, left * sizeof(E));
        S::write(buffer, op(S::read(buffer)));
        __builtin_memcpy(to + i, buffer, left * sizeof(E));
      });
}

template <typename Op, typename S, Spread Repeat>
void binaryLoop(const void *a, const void *b, void *out, int64_t n,
                bool stream) {
  using E = typename S::element;
  const E *first = static_cast<const E *>(a);
  const E *second = static_cast<const E *>(b);
  E *to = static_cast<E *>(out);
  vf fixed{};
  if constexpr (Repeat != Spread::None) {
    E lanes[VF];
    for (int i = 0; i < VF; ++i)
      lanes[i] = Repeat == Spread::First ? first[0] : second[0];
    fixed = S::read(lanes);
  }
  auto compute = [&](const E *x, const E *y) {
    if constexpr (Repeat == Spread::First)
      return Op::apply(fixed, S::read(y));
    else if constexpr (Repeat == Spread::Second)
      return Op::apply(S::read(x), fixed);
    else
      return Op::apply(S::read(x), S::read(y));
  };
  spanLoop(
      to, n, stream,
      [&](int64_t i) { S::write(to + i, compute(first + i, second + i)); },
      [&](int64_t i) { S::stream(to + i, compute(first + i, second + i)); },
      [&](int64_t i, int64_t left) {
        E x[VF] = {}, y[VF] = {};
        if constexpr (Repeat != Spread::First)
          __builtin_memcpy(x, first + i, left * sizeof(E));
        if constexpr (Repeat != Spread::Second)
          __builtin_memcpy(y, second + i, left * sizeof(E));
        S::write(x, compute(x, y));
        __builtin_memcpy(to + i, x, left * sizeof(E));
      });
}

} // namespace
} // namespace tt::runtime::numerics::TTK_ISA

#endif // TT_RUNTIME_NUMERICS_ISA_LOOPS_H
