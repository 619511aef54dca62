// Argument checks of the kernel library: one clear message, expected and found.
#ifndef TT_RUNTIME_NUMERICS_CHECK_H
#define TT_RUNTIME_NUMERICS_CHECK_H

#include "numerics/formats.h"

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace tt::runtime::numerics {

[[noreturn]] inline void fail(const std::string &message) {
  throw std::invalid_argument(message);
}

/// Throws unless `type` has elements of its own, that is, is no block float.
inline void requirePlain(const char *what, DType type) {
  if (elementSize(type) == 0)
    fail(std::string(what) +
         ": expected a plain element type, found block float " +
         dtypeName(type));
}

inline std::string shapeText(std::span<const int64_t> shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

/// The number of elements; throws on a negative extent.
inline int64_t volume(const char *what, std::span<const int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent < 0)
      fail(std::string(what) +
           ": expected extents of at least 0, found shape " + shapeText(shape));
    count *= extent;
  }
  return count;
}

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_CHECK_H
