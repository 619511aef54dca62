// A row-major tensor seen around one dimension, or one run of dimensions.
#ifndef TT_RUNTIME_NUMERICS_EXTENTS_H
#define TT_RUNTIME_NUMERICS_EXTENTS_H

#include "numerics/check.h"

#include <cstdint>
#include <span>

namespace tt::runtime::numerics {

/// outer x reduced x inner elements.
struct Extents {
  int64_t outer = 1, reduced = 1, inner = 1;
};

inline Extents extentsAround(const char *what, std::span<const int64_t> shape,
                             int64_t dim) {
  if (dim < 0 || dim >= int64_t(shape.size()))
    fail(std::string(what) + ": expected a dimension in [0, " +
         std::to_string(shape.size()) + "), found " + std::to_string(dim));
  volume(what, shape);
  Extents extents;
  for (int64_t d = 0; d < int64_t(shape.size()); ++d)
    (d < dim    ? extents.outer
     : d == dim ? extents.reduced
                : extents.inner) *= shape[size_t(d)];
  return extents;
}

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_EXTENTS_H
