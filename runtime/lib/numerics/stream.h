// Copies of more than the caches hold.
#ifndef TT_RUNTIME_NUMERICS_STREAM_H
#define TT_RUNTIME_NUMERICS_STREAM_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tt::runtime::numerics {

/// Bytes from which on what is copied will not be in the caches when it is
/// used: then stores that go past them save reading the target first.
inline constexpr std::int64_t kStreamedBytes = 16 << 20;

/// Orders the stores of copyStreamed before what other threads are told.
inline void endStreams() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

/// Asks for bytes that will be read soon.
inline void prefetch(const void *bytes, std::size_t count) {
  auto *from = static_cast<const char *>(bytes);
  for (std::size_t i = 0; i < count; i += 64)
    __builtin_prefetch(from + i);
}

/// Copies 64 bytes past the caches to a multiple of 16; see copyStreamed.
inline void copyStreamed64(void *target, const void *source) {
#if defined(__SSE2__)
  auto *to = static_cast<__m128i *>(target);
  auto *from = static_cast<const __m128i *>(source);
  __m128i part[4];
  for (int i = 0; i < 4; ++i)
    part[i] = _mm_loadu_si128(from + i);
  for (int i = 0; i < 4; ++i)
    _mm_stream_si128(to + i, part[i]);
#else
  std::memcpy(target, source, 64);
#endif
}

/// memcpy past the caches. Other threads see the bytes after endStreams().
inline void copyStreamed(void *target, const void *source, std::size_t bytes) {
#if defined(__SSE2__)
  auto *to = static_cast<char *>(target);
  auto *from = static_cast<const char *>(source);
  const std::size_t head =
      (64 - reinterpret_cast<std::uintptr_t>(to) % 64) % 64;
  if (bytes >= 256 + head) {
    std::memcpy(to, from, head);
    to += head;
    from += head;
    bytes -= head;
    for (; bytes >= 64; bytes -= 64, to += 64, from += 64)
      copyStreamed64(to, from);
  }
  std::memcpy(to, from, bytes);
#else
  std::memcpy(target, source, bytes);
#endif
}

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_STREAM_H
