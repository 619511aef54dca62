// What locations of MLIR say, as texts of files: those of an operation, which
// end in one, or locations alone.
#ifndef TT_RUNTIME_COMMON_LOCATION_H
#define TT_RUNTIME_COMMON_LOCATION_H

#include <cstdint>
#include <string>
#include <string_view>

namespace tt::runtime {

struct Layout;

/// The name in a location, loc("name"(...)), or all names of a fused one with
/// " + " between; empty without one.
std::string labelOf(std::string_view text);

/// " at file:line:column" of loc("name"("file":line:column)) or
/// loc("file":line:column); else nothing.
std::string placeOf(std::string_view text);

/// A tensor by the name that the user gave to what makes it, or by its place:
/// "'scores' (tensor 3, 64x128 bf16, dram interleaved tile)".
std::string describeTensor(std::uint32_t id, const Layout &layout,
                           std::string_view text);

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_LOCATION_H
