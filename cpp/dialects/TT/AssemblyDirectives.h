#ifndef DIALECTS_TT_ASSEMBLYDIRECTIVES_H
#define DIALECTS_TT_ASSEMBLYDIRECTIVES_H

#include "dialects/TT/Extents.h"
#include "dialects/TT/TT.h"

/// The custom directives of the assembly formats of tt attributes.
///
/// Some read a shorter or an older form beside the one that they print; the
/// printed form has everything.
namespace mlir::tt {

/// Prints `0x1`; reads `<0x1>` and `<0, 1>` too.
ParseResult parsePair(AsmParser &parser, int64_t &y, int64_t &x);
void printPair(AsmPrinter &printer, int64_t y, int64_t x);

/// The same with four coordinates.
ParseResult parseQuad(AsmParser &parser, unsigned &rack, unsigned &shelf,
                      unsigned &y, unsigned &x);
void printQuad(AsmPrinter &printer, unsigned rack, unsigned shelf, unsigned y,
               unsigned x);

/// Prints `alias`; reads `<alias>` too.
ParseResult parseAccess(AsmParser &parser, BufferAccess &access);
void printAccess(AsmPrinter &printer, BufferAccess access);

/// Prints whole descriptions; reads `<#tt.arch<wormhole_b0>, #tt.grid<8x8>>`
/// too, which has the rest from the named system of that generation.
ParseResult parseChips(AsmParser &parser, SmallVector<ChipDescAttr> &chips);
void printChips(AsmPrinter &printer, ArrayRef<ChipDescAttr> chips);

/// Prints `3 : i32`; reads `<pcie|host_mmio>` too.
ParseResult parseCapabilities(AsmParser &parser,
                              SmallVector<ChipCapabilityAttr> &capabilities);
void printCapabilities(AsmPrinter &printer,
                       ArrayRef<ChipCapabilityAttr> capabilities);

/// Prints `l1Map = .., dramMap = ..,`; where that is missing, the maps are
/// computed from the grid.
ParseResult parseMemoryMaps(AsmParser &parser, GridAttr workerGrid,
                            AffineMap &l1Map, AffineMap &dramMap);
void printMemoryMaps(AsmPrinter &printer, GridAttr workerGrid, AffineMap l1Map,
                     AffineMap dramMap);

/// `1x2, chipIds = [0, 1]`.
ParseResult parseMesh(AsmParser &parser, SmallVector<int64_t> &meshShape,
                      SmallVector<unsigned> &chipIds);
void printMesh(AsmPrinter &printer, ArrayRef<int64_t> meshShape,
               ArrayRef<unsigned> chipIds);

} // namespace mlir::tt

#endif
