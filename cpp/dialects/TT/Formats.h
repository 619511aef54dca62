#ifndef DIALECTS_TT_FORMATS_H
#define DIALECTS_TT_FORMATS_H

#include "dialects/TT/TTTypes.h"

#include "ttmlir/Target/Common/formats.h"

#include <optional>

namespace mlir::tt {

using ::ttmlir::formats::formatOf;

/// The format that users name: as everywhere outside of the IR (`bfp8_b`), as
/// in the IR (`bfp_bf8`), or as NumPy does (`bfloat16`).
std::optional<DataType> parseDataType(StringRef name);

} // namespace mlir::tt

#endif
