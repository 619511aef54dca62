// Conversion between the schema's DataType and the kernels' DType.
#ifndef TT_RUNTIME_NUMERICS_SCHEMA_H
#define TT_RUNTIME_NUMERICS_SCHEMA_H

#include "numerics/formats.h"
#include "ttmlir/Target/Common/types_generated.h"

namespace tt::runtime::numerics {

/// Both enumerations come from cpp/dialects/Formats.td.
constexpr DType fromSchema(::tt::target::DataType type) {
  return static_cast<DType>(type);
}

constexpr ::tt::target::DataType toSchema(DType type) {
  return static_cast<::tt::target::DataType>(type);
}

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_SCHEMA_H
