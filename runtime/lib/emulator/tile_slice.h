// The part of a tile that a kernel prints with TSLICE.
#ifndef TT_RUNTIME_EMULATOR_TILE_SLICE_H
#define TT_RUNTIME_EMULATOR_TILE_SLICE_H

#include "emulator/engine.h"
#include "kernel_api/ttk/abi.h"

#include <string>

namespace tt::runtime::emulator {

/// The numbers of a slice as text, with spaces between them. Throws
/// Error(Argument) for a circular buffer or a tile that does not exist, and a
/// range that is not within 32x32.
std::string tileSliceText(const Core &core, const ttk::Slice &slice);

} // namespace tt::runtime::emulator

#endif // TT_RUNTIME_EMULATOR_TILE_SLICE_H
