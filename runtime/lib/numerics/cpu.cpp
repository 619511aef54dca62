#include "numerics/cpu.h"

#include "numerics/isa/table.h"

#include <atomic>

#if TTK_HAS_X86_ISAS
#include <cpuid.h>
#endif
#if TTK_HAS_X86_ISAS && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tt::runtime::numerics {
namespace {

#if TTK_HAS_X86_ISAS

bool hasV3() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("f16c");
}

bool hasV4() {
  return hasV3() && __builtin_cpu_supports("avx512f") &&
         __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") &&
         __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}

bool hasBf16() { return hasV4() && __builtin_cpu_supports("avx512bf16"); }

/// Linux gives the registers of tiles, which make every saved state 8 KiB
/// larger, to processes that ask for them.
bool hasAmx() {
#if defined(__linux__) && defined(SYS_arch_prctl)
  constexpr unsigned kTiles = 1u << 24, kBf16 = 1u << 22; // CPUID 7, EDX
  constexpr unsigned kSavesState = 1u << 27;              // CPUID 1, ECX
  constexpr unsigned kTileState = 3u << 17;               // XCR0
  constexpr long kRequestPermission = 0x1023, kTileData = 18;
  unsigned a, b, c, d;
  if (!hasV4() || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(d & kTiles) ||
      !(d & kBf16) || !__get_cpuid(1, &a, &b, &c, &d) || !(c & kSavesState))
    return false;
  unsigned low, high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & kTileState) == kTileState &&
         syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

/// With AVX512-BF16 and one thread, a product of bf16 matrices of 4096x4096
/// takes a Xeon with AMX 1.6 times as long as one of f32 (1,699 and 1,079 ms).
/// On an EPYC it takes half as long (2048x2048: 95 and 194 ms).
bool prefersBf16() { return hasBf16() && !__builtin_cpu_is("intel"); }

void fillV4Bf16(KernelTable &table) {
  v4::fillKernelTable(table);
  v4bf16::fillBf16Gemm(table);
  v4bf16::fillBf16TileGemm(table);
}
void fillV4Amx(KernelTable &table) {
  v4::fillKernelTable(table);
  v4amx::fillAmxGemm(table);
}
void fillV4EmulatedAmx(KernelTable &table) {
  v4::fillKernelTable(table);
  v4amx::fillEmulatedAmxGemm(table);
}

#endif

bool always() { return true; }
[[maybe_unused]] bool never() { return false; }

struct Unit {
  const char *name;
  bool (*runs)();
  bool (*isFast)(); // faster than those before it
  void (*fill)(KernelTable &);
};

/// By Isa.
constexpr Unit kUnits[] = {
#if TTK_HAS_X86_ISAS
    {"x86-64-v2", always, always, baseline::fillKernelTable},
    {"x86-64-v3", hasV3, hasV3, v3::fillKernelTable},
    {"x86-64-v4", hasV4, hasV4, v4::fillKernelTable},
    {"x86-64-v4+avx512bf16", hasBf16, prefersBf16, fillV4Bf16},
    {"x86-64-v4+amx", hasAmx, hasAmx, fillV4Amx},
    {"x86-64-v4+emulated amx", hasV4, never, fillV4EmulatedAmx},
#else
    {"generic", always, always, baseline::fillKernelTable},
#endif
};
constexpr int kUnitCount = int(sizeof(kUnits) / sizeof(kUnits[0]));
static_assert(kUnitCount <= kIsas);

struct Units {
  KernelTable tables[kIsas];
  bool runs[kIsas] = {};
  Isa best = Isa::Baseline;

  Units() {
#if TTK_HAS_X86_ISAS
    __builtin_cpu_init();
#endif
    for (int i = 0; i < kUnitCount; ++i) {
      runs[i] = kUnits[i].runs();
      // What fills a table was compiled for its machine, too.
      if (runs[i])
        kUnits[i].fill(tables[i]);
      if (runs[i] && kUnits[i].isFast())
        best = Isa(i);
    }
  }
};

const Units &units() {
  static const Units units;
  return units;
}

/// The table in use; the mutable state behind setIsa.
std::atomic<const KernelTable *> selected{nullptr};

} // namespace

const KernelTable &kernelTable() {
  const KernelTable *table = selected.load(std::memory_order_acquire);
  if (!table) {
    table = &units().tables[int(bestIsa())];
    selected.store(table, std::memory_order_release);
  }
  return *table;
}

bool hasIsa(Isa isa) { return units().runs[int(isa)]; }

Isa bestIsa() { return units().best; }

Isa currentIsa() { return Isa(&kernelTable() - &units().tables[0]); }

void setIsa(Isa isa) {
  selected.store(&units().tables[int(hasIsa(isa) ? isa : bestIsa())],
                 std::memory_order_release);
}

const char *isaName(Isa isa) {
  return int(isa) < kUnitCount ? kUnits[int(isa)].name : kUnits[0].name;
}

} // namespace tt::runtime::numerics
