// Conversions between f32 and the plain storage formats.
#include "numerics/isa/simd.h"
#include "numerics/isa/table.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

//===-- f16 and bf16 and tf32 bits in f32 lanes ---------------------------===//

TTK_INLINE vf widenF16(vh raw) {
  vu half = __builtin_convertvector(raw, vu);
  vu magnitude = (half & 0x7fffu) << 13;
  // Scaling by 2^112 moves the exponent bias and normalizes denormals exactly.
  vf value = asFloat(magnitude) * 0x1p112f;
  value = select((vi)((half & 0x7c00u) == 0x7c00u),
                 asFloat(magnitude | 0x7f800000u), value);
  return asFloat(bits(value) | ((half & 0x8000u) << 16));
}

template <Rounding R> TTK_INLINE vu bf16Bits(vf x) {
  vu raw = bits(x);
  vu magnitude = raw & 0x7fffffffu;
  if constexpr (R == Rounding::Host) {
    vu rounded = (raw + 0x7fffu + ((raw >> 16) & 1u)) >> 16;
    return select(isNan(x), splatU(0x7fc0u), rounded);
  } else if constexpr (R == Rounding::Packer) {
    vu rounded = (raw + 0x8000u) >> 16;
    rounded = select(isNan(x), ((raw >> 16) & 0x8000u) | 0x7f80u, rounded);
    return select((vi)(magnitude < 0x00800000u), splatU(0), rounded);
  } else if constexpr (R == Rounding::Unpacker) {
    vu sign = (raw >> 16) & 0x8000u;
    return select((vi)(magnitude < 0x00800000u), sign, raw >> 16);
  } else {
    vu rounded = (raw + 0x8000u) >> 16;
    return select(isNan(x), (raw >> 16) | 0x40u, rounded);
  }
}

template <Rounding R> TTK_INLINE vu tf32Bits(vf x) {
  vu raw = bits(x);
  vu magnitude = raw & 0x7fffffffu;
  vu quiet = (raw | 0x00400000u) & ~0x1fffu;
  if constexpr (R == Rounding::Host) {
    vu rounded = (raw + 0xfffu + ((raw >> 13) & 1u)) & ~0x1fffu;
    return select(isNan(x), quiet, rounded);
  } else if constexpr (R == Rounding::Packer) {
    vu rounded = (raw + 0x1000u) & ~0x1fffu;
    rounded = select(isNan(x), (raw & 0x80000000u) | 0x7f800000u, rounded);
    return select((vi)(magnitude < 0x00800000u), splatU(0), rounded);
  } else if constexpr (R == Rounding::Unpacker) {
    return select((vi)(magnitude < 0x00800000u), raw & 0x80000000u,
                  raw & ~0x1fffu);
  } else {
    vu rounded = (raw + 0x1000u) & ~0x1fffu;
    return select(isNan(x), quiet, rounded);
  }
}

/// What the packer makes of f32 for f32.
TTK_INLINE vu packedF32(vf x) {
  vu raw = bits(x);
  vu magnitude = raw & 0x7fffffffu;
  raw = select(isNan(x), (raw & 0x80000000u) | 0x7f800000u, raw);
  return select((vi)(magnitude < 0x00800000u), splatU(0), raw);
}

template <Rounding R> TTK_INLINE vu f16Bits(vf x) {
  constexpr uint32_t kRebias = 112u << 23;
  vu raw = bits(x);
  vu sign = (raw >> 16) & 0x8000u;
  vu magnitude = raw & 0x7fffffffu;
  vi nan = (vi)(magnitude > 0x7f800000u);
  vi small = (vi)(magnitude < 0x38800000u); // below 2^-14
  if constexpr (R == Rounding::Host) {
    vu normal = (magnitude - kRebias + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
    // Adding 0.5 lets the FPU round to the f16 denormal unit 2^-24.
    vu tiny = bits(asFloat(magnitude) + 0.5f) - 0x3f000000u;
    vu value = select(small, tiny, normal);
    value = select((vi)(magnitude >= 0x477ff000u), splatU(0x7c00u), value);
    return select(nan, splatU(0x7e00u), value | sign);
  } else if constexpr (R == Rounding::Packer) {
    vu tf32 = (magnitude + 0x1000u) >> 13;
    vi exponent = (vi)(tf32 >> 10) - 112;
    vu value = ((vu)exponent << 10) | (tf32 & 0x3ffu) | sign;
    value = select((vi)((exponent > 31) | nan), sign | 0x7fffu, value);
    return select(exponent < 0, splatU(0), value);
  } else if constexpr (R == Rounding::Unpacker) {
    vu value = (magnitude - kRebias) >> 13;
    value = select((vi)(magnitude >= 0x47800000u), splatU(0x7bffu), value);
    value = select((vi)(magnitude == 0x7f800000u), splatU(0x7c00u), value);
    value = select(small, splatU(0), value);
    return select(nan, splatU(0x7e00u), value) | sign;
  } else {
    vu normal = (magnitude - kRebias + 0x1000u) >> 13;
    vf scaled = asFloat(select(small, magnitude, splatU(0))) * 0x1p24f;
    vi whole = __builtin_convertvector(scaled, vi);
    vf fraction = scaled - __builtin_convertvector(whole, vf);
    vu tiny = (vu)(whole - (fraction >= 0.5f)); // a true lane is -1
    vu value = select(small, tiny, normal);
    value = select((vi)(magnitude >= 0x477ff000u), splatU(0x7c00u), value);
    return select(nan, splatU(0x7e00u), value) | sign;
  }
}

//===-- Integers ----------------------------------------------------------===//

/// Truncates towards zero and saturates; NaN becomes 0.
TTK_INLINE vi toI32(vf x) {
  vi inRange = (x > -2147483648.0f) & (x < 2147483648.0f);
  vi value = __builtin_convertvector(select(inRange, x, vf{}), vi);
  value = select(x >= 2147483648.0f, splatI(INT32_MAX), value);
  return select(x <= -2147483648.0f, splatI(INT32_MIN), value);
}

TTK_INLINE vu toU32(vf x) {
  vi high = x >= 2147483648.0f;
  vf low = select(high, x - 2147483648.0f, x);
  vi inRange = (low > 0.0f) & (low < 2147483648.0f);
  vu value = (vu) __builtin_convertvector(select(inRange, low, vf{}), vi);
  value = value + select(high, splatU(0x80000000u), vu{});
  return select(x >= 4294967296.0f, splatU(UINT32_MAX), value);
}

/// Values 0..limit, exact in f32.
TTK_INLINE vu toSmall(vf x, float limit) {
  x = select(x > 0.0f, x, vf{});
  x = select(x < limit, x, splat(limit));
  return (vu) __builtin_convertvector(x, vi);
}

/// Values -limit-1..limit, exact in f32; NaN becomes 0.
TTK_INLINE vu toSmallSigned(vf x, float limit) {
  x = select(isNan(x), vf{}, x);
  x = select(x > -limit - 1.0f, x, splat(-limit - 1.0f));
  x = select(x < limit, x, splat(limit));
  return (vu) __builtin_convertvector(x, vi);
}

TTK_INLINE vf fromU32(vu x) {
  // Two exact halves and one rounding.
  vf high = __builtin_convertvector((vi)(x >> 16), vf) * 65536.0f;
  return high + __builtin_convertvector((vi)(x & 0xffffu), vf);
}

//===-- Loops -------------------------------------------------------------===//

/// Runs body(source pointer, target pointer) on VF elements at a time; a tail
/// goes through a buffer.
template <int SourceBytes, int TargetBytes, typename Body>
TTK_INLINE void vectorLoop(const void *source, void *target, int64_t n,
                           Body body) {
  const char *from = static_cast<const char *>(source);
  char *to = static_cast<char *>(target);
  int64_t i = 0;
  for (; i + VF <= n; i += VF)
    body(from + i * SourceBytes, to + i * TargetBytes);
  if (i < n) {
    char input[VF * SourceBytes] = {};
    char output[VF * TargetBytes];
    __builtin_memcpy(input, from + i * SourceBytes, (n - i) * SourceBytes);
    body(input, output);
    __builtin_memcpy(to + i * TargetBytes, output, (n - i) * TargetBytes);
  }
}

/// Calls fn with the rounding as a compile-time constant.
template <typename Fn> TTK_INLINE void withRounding(Rounding rounding, Fn fn) {
  switch (rounding) {
  case Rounding::Host:
    return fn.template operator()<Rounding::Host>();
  case Rounding::Packer:
    return fn.template operator()<Rounding::Packer>();
  case Rounding::Unpacker:
    return fn.template operator()<Rounding::Unpacker>();
  case Rounding::Fast:
    return fn.template operator()<Rounding::Fast>();
  }
}

void copyF32(const void *source, float *target, int64_t n) {
  __builtin_memcpy(target, source, n * 4);
}
void f16ToF32(const void *source, float *target, int64_t n) {
  vectorLoop<2, 4>(source, target, n, [](const void *from, void *to) {
    store(to, widenF16(load<vh>(from)));
  });
}
void bf16ToF32(const void *source, float *target, int64_t n) {
  vectorLoop<2, 4>(source, target, n, [](const void *from, void *to) {
    store(to, widenBf16(load<vh>(from)));
  });
}
void u32ToF32(const void *source, float *target, int64_t n) {
  vectorLoop<4, 4>(source, target, n, [](const void *from, void *to) {
    store(to, fromU32(load<vu>(from)));
  });
}
void i32ToF32(const void *source, float *target, int64_t n) {
  vectorLoop<4, 4>(source, target, n, [](const void *from, void *to) {
    store(to, __builtin_convertvector(load<vi>(from), vf));
  });
}
void u16ToF32(const void *source, float *target, int64_t n) {
  vectorLoop<2, 4>(source, target, n, [](const void *from, void *to) {
    store(to, __builtin_convertvector(
                  (vi) __builtin_convertvector(load<vh>(from), vu), vf));
  });
}
void u8ToF32(const void *source, float *target, int64_t n) {
  vectorLoop<1, 4>(source, target, n, [](const void *from, void *to) {
    store(to, __builtin_convertvector(
                  (vi) __builtin_convertvector(load<vb>(from), vu), vf));
  });
}
void i16ToF32(const void *source, float *target, int64_t n) {
  vectorLoop<2, 4>(source, target, n, [](const void *from, void *to) {
    vu wide = __builtin_convertvector(load<vh>(from), vu) << 16;
    store(to, __builtin_convertvector((vi)wide >> 16, vf));
  });
}
void i8ToF32(const void *source, float *target, int64_t n) {
  vectorLoop<1, 4>(source, target, n, [](const void *from, void *to) {
    vu wide = __builtin_convertvector(load<vb>(from), vu) << 24;
    store(to, __builtin_convertvector((vi)wide >> 24, vf));
  });
}

void storeF32(const float *source, void *target, int64_t n, Rounding rounding) {
  if (rounding != Rounding::Packer)
    return void(__builtin_memcpy(target, source, n * 4));
  vectorLoop<4, 4>(source, target, n, [](const void *from, void *to) {
    store(to, packedF32(load<vf>(from)));
  });
}
void f32ToF16(const float *source, void *target, int64_t n, Rounding rounding) {
  withRounding(rounding, [=]<Rounding R>() {
    vectorLoop<4, 2>(source, target, n, [](const void *from, void *to) {
      store(to, __builtin_convertvector(f16Bits<R>(load<vf>(from)), vh));
    });
  });
}
void f32ToBf16(const float *source, void *target, int64_t n,
               Rounding rounding) {
  withRounding(rounding, [=]<Rounding R>() {
    vectorLoop<4, 2>(source, target, n, [](const void *from, void *to) {
      store(to, __builtin_convertvector(bf16Bits<R>(load<vf>(from)), vh));
    });
  });
}
void roundTf32(const float *source, float *target, int64_t n,
               Rounding rounding) {
  withRounding(rounding, [=]<Rounding R>() {
    vectorLoop<4, 4>(source, target, n, [](const void *from, void *to) {
      store(to, tf32Bits<R>(load<vf>(from)));
    });
  });
}
void f32ToU32(const float *source, void *target, int64_t n, Rounding) {
  vectorLoop<4, 4>(source, target, n, [](const void *from, void *to) {
    store(to, toU32(load<vf>(from)));
  });
}
void f32ToI32(const float *source, void *target, int64_t n, Rounding) {
  vectorLoop<4, 4>(source, target, n, [](const void *from, void *to) {
    store(to, toI32(load<vf>(from)));
  });
}
void f32ToU16(const float *source, void *target, int64_t n, Rounding) {
  vectorLoop<4, 2>(source, target, n, [](const void *from, void *to) {
    store(to, __builtin_convertvector(toSmall(load<vf>(from), 65535.0f), vh));
  });
}
void f32ToU8(const float *source, void *target, int64_t n, Rounding) {
  vectorLoop<4, 1>(source, target, n, [](const void *from, void *to) {
    store(to, __builtin_convertvector(toSmall(load<vf>(from), 255.0f), vb));
  });
}
void f32ToI16(const float *source, void *target, int64_t n, Rounding) {
  vectorLoop<4, 2>(source, target, n, [](const void *from, void *to) {
    vu value = toSmallSigned(load<vf>(from), 32767.0f) & 0xffffu;
    store(to, __builtin_convertvector(value, vh));
  });
}
void f32ToI8(const float *source, void *target, int64_t n, Rounding) {
  vectorLoop<4, 1>(source, target, n, [](const void *from, void *to) {
    vu value = toSmallSigned(load<vf>(from), 127.0f) & 0xffu;
    store(to, __builtin_convertvector(value, vb));
  });
}

} // namespace

void fillConvert(KernelTable &table) {
  for (size_t i = 0; i < kNumFormats; ++i) {
    table.toF32[i] = nullptr;
    table.fromF32[i] = nullptr;
  }
  table.toF32[int(DType::F32)] = copyF32;
  table.toF32[int(DType::F16)] = f16ToF32;
  table.toF32[int(DType::BF16)] = bf16ToF32;
  table.toF32[int(DType::U32)] = u32ToF32;
  table.toF32[int(DType::U16)] = u16ToF32;
  table.toF32[int(DType::U8)] = u8ToF32;
  table.toF32[int(DType::I32)] = i32ToF32;
  table.toF32[int(DType::I16)] = i16ToF32;
  table.toF32[int(DType::I8)] = i8ToF32;
  table.fromF32[int(DType::F32)] = storeF32;
  table.fromF32[int(DType::F16)] = f32ToF16;
  table.fromF32[int(DType::BF16)] = f32ToBf16;
  table.fromF32[int(DType::U32)] = f32ToU32;
  table.fromF32[int(DType::U16)] = f32ToU16;
  table.fromF32[int(DType::U8)] = f32ToU8;
  table.fromF32[int(DType::I32)] = f32ToI32;
  table.fromF32[int(DType::I16)] = f32ToI16;
  table.fromF32[int(DType::I8)] = f32ToI8;
  table.roundTf32 = roundTf32;
}

} // namespace tt::runtime::numerics::TTK_ISA
