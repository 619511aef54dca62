// Transposition of square blocks held in vectors.
#ifndef TT_RUNTIME_NUMERICS_ISA_TRANSPOSE_H
#define TT_RUNTIME_NUMERICS_ISA_TRANSPOSE_H

#include "numerics/isa/simd.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

template <int... I> struct Lanes {};
template <int N, int... I>
struct CountLanes : CountLanes<N - 1, N - 1, I...> {};
template <int... I> struct CountLanes<0, I...> { using type = Lanes<I...>; };

/// Swaps the off-diagonal Step x Step blocks of two rows.
template <int Step, int N, typename V, int... I>
TTK_INLINE void swapBlocks(V &a, V &b, Lanes<I...>) {
  V low = __builtin_shufflevector(a, b, ((I & Step) ? N + I - Step : I)...);
  V high = __builtin_shufflevector(a, b, ((I & Step) ? N + I : I + Step)...);
  a = low;
  b = high;
}

template <int Step, int N, typename V> TTK_INLINE void transposeSteps(V *rows) {
  if constexpr (Step > 0) {
#pragma GCC unroll 32
    for (int i = 0; i < N; ++i)
      if (!(i & Step))
        swapBlocks<Step, N>(rows[i], rows[i + Step],
                            typename CountLanes<N>::type{});
    transposeSteps<Step / 2, N>(rows);
  }
}

/// Transposes N rows of N lanes in place.
template <int N, typename V> TTK_INLINE void transposeSquare(V *rows) {
  transposeSteps<N / 2, N>(rows);
}

/// target[c * targetStride + r] = source[r * sourceStride + c], strides in
/// elements of V's lane type E.
template <typename V, typename E, int N>
TTK_INLINE void transposeBlock(const E *source, int64_t sourceStride,
                               int64_t rows, int64_t cols, E *target,
                               int64_t targetStride) {
  int64_t r = 0;
  for (; r + N <= rows; r += N) {
    int64_t c = 0;
    for (; c + N <= cols; c += N) {
      V lines[N];
#pragma GCC unroll 32
      for (int i = 0; i < N; ++i)
        lines[i] = load<V>(source + (r + i) * sourceStride + c);
      transposeSquare<N>(lines);
#pragma GCC unroll 32
      for (int i = 0; i < N; ++i)
        store(target + (c + i) * targetStride + r, lines[i]);
    }
    for (; c < cols; ++c)
      for (int i = 0; i < N; ++i)
        target[c * targetStride + r + i] = source[(r + i) * sourceStride + c];
  }
  for (; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c)
      target[c * targetStride + r] = source[r * sourceStride + c];
}

} // namespace
} // namespace tt::runtime::numerics::TTK_ISA

#endif // TT_RUNTIME_NUMERICS_ISA_TRANSPOSE_H
