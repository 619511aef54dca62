#include "numerics/cpu.h"

#include "numerics/isa/table.h"

#include <atomic>

namespace tt::runtime::numerics {
namespace {

Isa detect() {
#if TTK_HAS_X86_ISAS
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("bmi2") || !__builtin_cpu_supports("f16c"))
    return Isa::Baseline;
  if (!__builtin_cpu_supports("avx512f") ||
      !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512cd") ||
      !__builtin_cpu_supports("avx512dq") ||
      !__builtin_cpu_supports("avx512vl"))
    return Isa::V3;
  return __builtin_cpu_supports("avx512bf16") ? Isa::V4Bf16 : Isa::V4;
#else
  return Isa::Baseline;
#endif
}

struct Tables {
  KernelTable tables[4];
  Tables() {
    for (KernelTable &table : tables)
      baseline::fillKernelTable(table);
#if TTK_HAS_X86_ISAS
    // What fills a table was compiled for its machine, too.
    const Isa best = detect();
    if (best >= Isa::V3)
      v3::fillKernelTable(tables[1]);
    if (best >= Isa::V4) {
      v4::fillKernelTable(tables[2]);
      v4::fillKernelTable(tables[3]);
    }
    if (best >= Isa::V4Bf16) {
      v4bf16::fillBf16Gemm(tables[3]);
      v4bf16::fillBf16TileGemm(tables[3]);
    }
#endif
  }
};

/// The table in use; the mutable state behind setIsa.
std::atomic<const KernelTable *> selected{nullptr};

const Tables &allTables() {
  static const Tables tables;
  return tables;
}

} // namespace

const KernelTable &kernelTable() {
  const KernelTable *table = selected.load(std::memory_order_acquire);
  if (!table) {
    table = &allTables().tables[int(bestIsa())];
    selected.store(table, std::memory_order_release);
  }
  return *table;
}

Isa bestIsa() {
  static const Isa best = detect();
  return best;
}

Isa currentIsa() { return Isa(&kernelTable() - &allTables().tables[0]); }

void setIsa(Isa isa) {
  selected.store(&allTables().tables[int(isa <= bestIsa() ? isa : bestIsa())],
                 std::memory_order_release);
}

const char *isaName(Isa isa) {
#if TTK_HAS_X86_ISAS
  switch (isa) {
  case Isa::Baseline:
    return "x86-64-v2";
  case Isa::V3:
    return "x86-64-v3";
  case Isa::V4:
    return "x86-64-v4";
  case Isa::V4Bf16:
    return "x86-64-v4+avx512bf16";
  }
#endif
  (void)isa;
  return "generic";
}

} // namespace tt::runtime::numerics
