// Which units of the machine the kernels use. One binary carries kernels for
// all of them.
#ifndef TT_RUNTIME_NUMERICS_CPU_H
#define TT_RUNTIME_NUMERICS_CPU_H

#include <cstdint>

namespace tt::runtime::numerics {

/// Baseline is x86-64-v2 on x86 and the compiler's default elsewhere; V3 adds
/// AVX2 and FMA; V4 adds AVX-512 F, BW, CD, DQ and VL. The others are V4 with a
/// unit for products of bf16: V4Bf16 vdpbf16ps (AVX512-BF16), V4Amx the tiles
/// of AMX-BF16. V4EmulatedAmx computes the tile instructions in C++, on any
/// machine that has V4: for tests.
enum class Isa : uint8_t {
  Baseline = 0,
  V3 = 1,
  V4 = 2,
  V4Bf16 = 3,
  V4Amx = 4,
  V4EmulatedAmx = 5
};
inline constexpr int kIsas = 6;

/// Whether this machine can run it, and for V4Amx whether the operating system
/// lets the process use tiles.
bool hasIsa(Isa isa);

/// The fastest on this machine, which depends on its model alone. It is V4 and
/// not V4Bf16 on Intel's, whose vdpbf16ps is slower than a product in f32.
Isa bestIsa();

/// The one in use; bestIsa() unless a test has changed it.
Isa currentIsa();

/// Uses `isa`, or bestIsa() when this machine lacks it. For tests and
/// benchmarks; not to be called while kernels run.
void setIsa(Isa isa);

/// "x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4+avx512bf16",
/// "x86-64-v4+amx", "x86-64-v4+emulated amx" or "generic".
const char *isaName(Isa isa);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_CPU_H
