// Vectors of the instruction set that the file is compiled for, by the
// compiler's vector extension: VF lanes of f32 and the integers beside them.
#ifndef TT_RUNTIME_NUMERICS_ISA_SIMD_H
#define TT_RUNTIME_NUMERICS_ISA_SIMD_H

#ifndef TTK_ISA
#error "TTK_ISA names the namespace of the instruction set"
#endif

#include <cstdint>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define TTK_INLINE inline __attribute__((always_inline))

namespace tt::runtime::numerics::TTK_ISA {
namespace {

#if defined(__AVX512F__)
constexpr int VF = 16;
#elif defined(__AVX2__)
constexpr int VF = 8;
#else
constexpr int VF = 4;
#endif

using vf = float __attribute__((vector_size(VF * 4)));
using vi = int32_t __attribute__((vector_size(VF * 4)));
using vu = uint32_t __attribute__((vector_size(VF * 4)));
using vh = uint16_t __attribute__((vector_size(VF * 2)));
using vb = uint8_t __attribute__((vector_size(VF)));
using vd = double __attribute__((vector_size(VF * 4))); // half as many lanes
using vl = int64_t __attribute__((vector_size(VF * 4)));
using vul = uint64_t __attribute__((vector_size(VF * 4)));
using vfHalf = float __attribute__((vector_size(VF * 2)));

template <typename V> TTK_INLINE V load(const void *source) {
  V value;
  __builtin_memcpy(&value, source, sizeof(V));
  return value;
}

template <typename V> TTK_INLINE void store(void *target, V value) {
  __builtin_memcpy(target, &value, sizeof(V));
}

/// Stores past the caches; `target` is aligned to the size of the vector.
template <typename V> TTK_INLINE void storeStream(void *target, V value) {
#if defined(__AVX512F__)
  if constexpr (sizeof(V) == 64) {
    _mm512_stream_si512(reinterpret_cast<__m512i *>(target), (__m512i)value);
    return;
  }
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(V) == 32) {
    _mm256_stream_si256(reinterpret_cast<__m256i *>(target), (__m256i)value);
    return;
  }
#endif
#if defined(__x86_64__)
  if constexpr (sizeof(V) == 16) {
    _mm_stream_si128(reinterpret_cast<__m128i *>(target), (__m128i)value);
    return;
  }
#endif
  store(target, value);
}

/// Orders streamed stores before what follows.
TTK_INLINE void streamFence() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

TTK_INLINE vf splat(float value) { return value - vf{}; }
TTK_INLINE vi splatI(int32_t value) { return value - vi{}; }
TTK_INLINE vu splatU(uint32_t value) { return value - vu{}; }
TTK_INLINE vu bits(vf value) { return (vu)value; }
TTK_INLINE vi ibits(vf value) { return (vi)value; }
TTK_INLINE vf asFloat(vu value) { return (vf)value; }
TTK_INLINE vf asFloat(vi value) { return (vf)value; }

TTK_INLINE vf select(vi mask, vf a, vf b) { return mask ? a : b; }
TTK_INLINE vu select(vi mask, vu a, vu b) { return mask ? a : b; }
TTK_INLINE vi select(vi mask, vi a, vi b) { return mask ? a : b; }
TTK_INLINE vf vabs(vf x) { return asFloat(bits(x) & 0x7fffffffu); }
TTK_INLINE vf copySign(vf magnitude, vf sign) {
  return asFloat((bits(magnitude) & 0x7fffffffu) | (bits(sign) & 0x80000000u));
}
TTK_INLINE vi isNan(vf x) { return x != x; }

TTK_INLINE vf vsqrt(vf x) {
#if defined(__AVX512F__)
  return (vf)_mm512_maskz_sqrt_ps(0xffff, (__m512)x);
#elif defined(__AVX2__)
  return (vf)_mm256_sqrt_ps((__m256)x);
#elif defined(__x86_64__)
  return (vf)_mm_sqrt_ps((__m128)x);
#else
  vf result;
  for (int i = 0; i < VF; ++i)
    result[i] = __builtin_sqrtf(x[i]);
  return result;
#endif
}

/// True if any lane of a comparison result is set.
TTK_INLINE bool anyLane(vi mask) {
#if defined(__AVX512F__)
  return _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask) != 0;
#elif defined(__AVX2__)
  return !_mm256_testz_si256((__m256i)mask, (__m256i)mask);
#elif defined(__x86_64__)
  return _mm_movemask_epi8((__m128i)mask) != 0;
#else
  int32_t any = 0;
  for (int i = 0; i < VF; ++i)
    any |= mask[i];
  return any != 0;
#endif
}

//===-- bf16 --------------------------------------------------------------===//

TTK_INLINE vf widenBf16(vh raw) {
  return asFloat(__builtin_convertvector(raw, vu) << 16);
}

/// Rounding::Fast: half away from zero, NaN quieted.
TTK_INLINE vh narrowBf16Fast(vf x) {
  vu raw = bits(x);
  vu rounded = (raw + 0x8000u) >> 16;
  rounded = select(isNan(x), (raw >> 16) | 0x40u, rounded);
  return __builtin_convertvector(rounded, vh);
}

} // namespace
} // namespace tt::runtime::numerics::TTK_ISA

#endif // TT_RUNTIME_NUMERICS_ISA_SIMD_H
