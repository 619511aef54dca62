#include "kernels/matrix_unit.h"

#include "kernels/isa/table.h"

namespace tt::runtime::kernels {

void matrixUnitMultiplyTiles(const float *b, const float *a, float *dst,
                             bool accumulate, int phases,
                             Accumulator accumulator) {
  kernelTable().matrixUnit[int(accumulator)].multiplyTiles(b, a, dst,
                                                           accumulate, phases);
}

void matrixUnitMultiply(const float *a, const float *b, float *dst,
                        int64_t count, int phases, Accumulator accumulator) {
  kernelTable().matrixUnit[int(accumulator)].multiply(a, b, dst, count, phases);
}

void matrixUnitAdd(const float *a, const float *b, float *dst, int64_t count,
                   bool subtract, Accumulator accumulator) {
  kernelTable().matrixUnit[int(accumulator)].add(a, b, dst, count, subtract);
}

} // namespace tt::runtime::kernels
