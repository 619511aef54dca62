// Transposition of 2-byte and 4-byte matrices.
#include "numerics/isa/table.h"
#include "numerics/isa/transpose.h"

namespace tt::runtime::numerics::TTK_ISA {
namespace {

#if defined(__AVX512BW__)
constexpr int kShorts = 16;
#else
constexpr int kShorts = 8;
#endif
using vs = uint16_t __attribute__((vector_size(kShorts * 2)));

void transpose2(const void *source, int64_t sourceStride, int64_t rows,
                int64_t cols, void *target, int64_t targetStride) {
  transposeBlock<vs, uint16_t, kShorts>(
      static_cast<const uint16_t *>(source), sourceStride, rows, cols,
      static_cast<uint16_t *>(target), targetStride);
}

void transpose4(const void *source, int64_t sourceStride, int64_t rows,
                int64_t cols, void *target, int64_t targetStride) {
  transposeBlock<vu, uint32_t, VF>(
      static_cast<const uint32_t *>(source), sourceStride, rows, cols,
      static_cast<uint32_t *>(target), targetStride);
}

} // namespace

void fillShuffle(KernelTable &table) {
  table.transpose2 = transpose2;
  table.transpose4 = transpose4;
}

} // namespace tt::runtime::numerics::TTK_ISA
