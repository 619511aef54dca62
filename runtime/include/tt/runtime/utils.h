// Small helpers for users of the API.
#ifndef TT_RUNTIME_UTILS_H
#define TT_RUNTIME_UTILS_H

#include "tt/runtime/types.h"

#include <cstdlib>
#include <memory>
#include <new>

namespace tt::runtime::utils {

inline std::shared_ptr<void> malloc_shared(std::size_t size) {
  void *memory = std::malloc(size ? size : 1);
  if (!memory)
    throw std::bad_alloc();
  return std::shared_ptr<void>(memory, std::free);
}

/// A shared pointer that does not own: the caller keeps `object` alive.
template <typename T> std::shared_ptr<void> unsafe_borrow_shared(T *object) {
  return std::shared_ptr<void>(static_cast<void *>(object), [](void *) {});
}

/// Bytes per element; throws for block floats, which exist only as tiles.
std::uint32_t dataTypeElementSize(::tt::target::DataType dataType);

/// "Float32", "BFP_BFloat8", ...; "DataType(17)" for values outside the schema.
std::string dataTypeName(::tt::target::DataType dataType);

} // namespace tt::runtime::utils

#endif // TT_RUNTIME_UTILS_H
