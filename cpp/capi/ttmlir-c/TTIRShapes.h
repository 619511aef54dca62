#ifndef TTMLIR_C_TTIR_SHAPES_H
#define TTMLIR_C_TTIR_SHAPES_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Is given the shape of an output.
typedef void (*TTMLIRShapeCallback)(const int64_t *shape, size_t rank,
                                    void *userData);

/// Hands the shapes of the outputs of the `ttir` op `name` to `callback`: of an
/// op that is not there yet, with these inputs and all its attributes, a
/// dictionary, on a mesh if it is a collective. What the op's definition says
/// of their number and kinds must hold. On failure there is a diagnostic at
/// `location`, that of the op's verifier.
MLIR_CAPI_EXPORTED MlirLogicalResult ttmlirTTIRInferShapes(
    MlirStringRef name, MlirLocation location, const MlirValue *inputs,
    size_t numInputs, MlirAttribute attributes, const int64_t *meshShape,
    size_t meshRank, TTMLIRShapeCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif
