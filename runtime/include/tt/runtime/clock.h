// The clock for tools that do not run programs.
#ifndef TT_RUNTIME_CLOCK_H
#define TT_RUNTIME_CLOCK_H

#include <cstddef>

namespace tt::runtime {

/// The cycles that the operations of all programs in a TTNN binary take on the
/// chip; infinity for bytes that are no binary of this version. Nothing is
/// executed.
double modelledCycles(const void *binary, std::size_t size) noexcept;

} // namespace tt::runtime

#endif // TT_RUNTIME_CLOCK_H
