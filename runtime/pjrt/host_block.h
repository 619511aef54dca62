// Memory of the host that an array of Python can have.
#ifndef TT_PJRT_HOST_BLOCK_H
#define TT_PJRT_HOST_BLOCK_H

#include "python_object.h"

#include <cstddef>
#include <memory>

namespace tt::pjrt {

struct AlignedDelete {
  void operator()(char *memory) const;
};

/// Bytes at an address that is a multiple of 64.
using HostMemory = std::unique_ptr<char[], AlignedDelete>;

/// Throws std::bad_alloc.
HostMemory allocateHost(std::size_t size);

/// An object with the buffer protocol that owns the memory. With the
/// interpreter's lock; null for a raised exception.
Local makeBlock(HostMemory memory, std::size_t size);

} // namespace tt::pjrt

#endif // TT_PJRT_HOST_BLOCK_H
