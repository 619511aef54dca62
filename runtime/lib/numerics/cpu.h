// Which instruction set the kernels use. One binary carries all of them.
#ifndef TT_RUNTIME_NUMERICS_CPU_H
#define TT_RUNTIME_NUMERICS_CPU_H

#include <cstdint>

namespace tt::runtime::numerics {

/// Ordered: a machine that has one has all before it. Baseline is x86-64-v2 on
/// x86 and the compiler's default elsewhere; V3 adds AVX2 and FMA; V4 adds
/// AVX-512 F, BW, CD, DQ and VL; V4Bf16 adds AVX512-BF16.
enum class Isa : uint8_t { Baseline = 0, V3 = 1, V4 = 2, V4Bf16 = 3 };

/// The best instruction set of this machine.
Isa bestIsa();

/// The one in use; bestIsa() unless a test has lowered it.
Isa currentIsa();

/// Uses `isa`, or bestIsa() when this machine lacks it. For tests and
/// benchmarks; not to be called while kernels run.
void setIsa(Isa isa);

/// "x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4+avx512bf16" or "generic".
const char *isaName(Isa isa);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_CPU_H
