#include "numerics/matrix_unit.h"

#include "numerics/isa/table.h"

namespace tt::runtime::numerics {

namespace {

const MatrixUnitTable &tableOf(const MatrixUnitMode &mode) {
  return kernelTable().matrixUnit[int(mode.accumulator)];
}

} // namespace

void matrixUnitMultiplyTiles(const float *b, const float *a, float *dst,
                             bool accumulate, const MatrixUnitMode &mode) {
  tableOf(mode).multiplyTiles(b, a, dst, accumulate, mode.phases,
                              mode.wormhole);
}

void matrixUnitPoolFace(const float *face, const float *weights, float *line,
                        const MatrixUnitMode &mode) {
  tableOf(mode).poolFace(face, weights, line, mode.phases, mode.wormhole);
}

void matrixUnitMultiply(const float *a, const float *b, float *dst,
                        int64_t count, bool accumulate,
                        const MatrixUnitMode &mode) {
  tableOf(mode).multiply(a, b, dst, count, accumulate, mode.phases,
                         mode.wormhole);
}

void matrixUnitAdd(const float *a, const float *b, float *dst, int64_t count,
                   bool subtract, bool accumulate, const MatrixUnitMode &mode) {
  tableOf(mode).add(a, b, dst, count, subtract, accumulate, mode.wormhole);
}

} // namespace tt::runtime::numerics
