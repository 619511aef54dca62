#ifndef DIALECTS_TTIR_INFERSHAPES_H
#define DIALECTS_TTIR_INFERSHAPES_H

#include "dialects/TTIR/TTIR.h"

namespace mlir::tt::ttir {

/// The shapes of the outputs of an op that is not there yet: `name` with its
/// inputs, ranked tensors of static shape, and all its attributes. What the
/// op's definition says of their number and kinds holds. Collectives are on a
/// mesh of `meshShape`, others do not look at it. Failure after one error at
/// `loc`, that of the op's verifier; also where the op's inputs do not decide.
FailureOr<SmallVector<shapes::Shape>>
inferOutputShapes(StringRef name, Location loc, ValueRange inputs,
                  DictionaryAttr attributes, ArrayRef<int64_t> meshShape = {});

} // namespace mlir::tt::ttir

#endif
