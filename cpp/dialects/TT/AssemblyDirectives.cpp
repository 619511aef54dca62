//===- AssemblyDirectives.cpp - text of tt attributes ---------------------===//

#include "dialects/TT/AssemblyDirectives.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::tt;

//===----------------------------------------------------------------------===//
// Coordinates: 0x1, 0x0x0x0
//===----------------------------------------------------------------------===//

/// Reads the coordinates, in brackets also with commas between them.
static ParseResult parseCoordinateList(AsmParser &parser, bool bracketed,
                                       SmallVector<int64_t> &coordinates) {
  if (parseExtents(parser, coordinates))
    return failure();
  while (bracketed && !coordinates.empty() &&
         succeeded(parser.parseOptionalComma()))
    if (parser.parseInteger(coordinates.emplace_back()))
      return failure();
  return success();
}

/// Reads exactly `count` coordinates that fit 32 bits.
static FailureOr<SmallVector<int64_t>> parseCoordinates(AsmParser &parser,
                                                        size_t count) {
  bool bracketed = succeeded(parser.parseOptionalLess());
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> coordinates;
  if (parseCoordinateList(parser, bracketed, coordinates))
    return failure();
  if (coordinates.size() != count) {
    parser.emitError(loc, "expected ")
        << count << " coordinates separated by 'x', found "
        << coordinates.size();
    return failure();
  }
  for (int64_t coordinate : coordinates) {
    if (coordinate < 0 || coordinate > std::numeric_limits<int32_t>::max()) {
      parser.emitError(loc, "expected coordinates ")
          << (coordinate < 0 ? "from 0" : "below 2^31") << ", found "
          << coordinate;
      return failure();
    }
  }
  if (bracketed && parser.parseGreater())
    return failure();
  return coordinates;
}

ParseResult mlir::tt::parsePair(AsmParser &parser, int64_t &y, int64_t &x) {
  FailureOr<SmallVector<int64_t>> pair = parseCoordinates(parser, 2);
  if (failed(pair))
    return failure();
  y = (*pair)[0];
  x = (*pair)[1];
  return success();
}

void mlir::tt::printPair(AsmPrinter &printer, int64_t y, int64_t x) {
  printer << y << "x" << x;
}

ParseResult mlir::tt::parseQuad(AsmParser &parser, unsigned &rack,
                                unsigned &shelf, unsigned &y, unsigned &x) {
  FailureOr<SmallVector<int64_t>> quad = parseCoordinates(parser, 4);
  if (failed(quad))
    return failure();
  rack = (*quad)[0];
  shelf = (*quad)[1];
  y = (*quad)[2];
  x = (*quad)[3];
  return success();
}

void mlir::tt::printQuad(AsmPrinter &printer, unsigned rack, unsigned shelf,
                         unsigned y, unsigned x) {
  printer << rack << "x" << shelf << "x" << y << "x" << x;
}

//===----------------------------------------------------------------------===//
// Sets of flags: alias|stream
//===----------------------------------------------------------------------===//

/// Reads names joined by '|' and unites their bits; `expected` lists them.
template <typename Flags>
static ParseResult parseFlags(AsmParser &parser, Flags &flags,
                              std::optional<Flags> (*symbolize)(StringRef),
                              StringRef expected) {
  flags = {};
  do {
    SMLoc loc = parser.getCurrentLocation();
    std::string name;
    if (parser.parseKeywordOrString(&name))
      return failure();
    std::optional<Flags> flag = symbolize(name);
    if (!flag)
      return parser.emitError(loc, "expected one of ")
             << expected << ", found " << name;
    flags = flags | *flag;
  } while (succeeded(parser.parseOptionalVerticalBar()));
  return success();
}

ParseResult mlir::tt::parseAccess(AsmParser &parser, BufferAccess &access) {
  bool bracketed = succeeded(parser.parseOptionalLess());
  if (parseFlags<BufferAccess>(parser, access, symbolizeBufferAccess,
                               "alias, stream"))
    return failure();
  return bracketed ? parser.parseGreater() : ParseResult(success());
}

void mlir::tt::printAccess(AsmPrinter &printer, BufferAccess access) {
  printer << stringifyBufferAccess(access);
}

//===----------------------------------------------------------------------===//
// Chips of a system
//===----------------------------------------------------------------------===//

/// A chip after its '<': `#tt.arch<wormhole_b0>, #tt.grid<8x8>>`.
static FailureOr<ChipDescAttr> parseChipOfArch(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  FailureOr<ArchAttr> arch = FieldParser<ArchAttr>::parse(parser);
  if (failed(arch) || parser.parseComma())
    return failure();
  FailureOr<GridAttr> grid = FieldParser<GridAttr>::parse(parser);
  if (failed(grid) || parser.parseGreater())
    return failure();
  ChipDescAttr chip = ChipDescAttr::getOfArch(
      [&] { return parser.emitError(loc); }, *arch, *grid);
  if (!chip)
    return failure();
  return chip;
}

ParseResult mlir::tt::parseChips(AsmParser &parser,
                                 SmallVector<ChipDescAttr> &chips) {
  return parser.parseCommaSeparatedList([&]() -> ParseResult {
    FailureOr<ChipDescAttr> chip =
        succeeded(parser.parseOptionalLess())
            ? parseChipOfArch(parser)
            : FieldParser<ChipDescAttr>::parse(parser);
    if (failed(chip))
      return failure();
    chips.push_back(*chip);
    return success();
  });
}

void mlir::tt::printChips(AsmPrinter &printer, ArrayRef<ChipDescAttr> chips) {
  printer.printStrippedAttrOrType(chips);
}

/// The bits of one chip.
static FailureOr<ChipCapabilityAttr> parseCapability(AsmParser &parser) {
  constexpr StringLiteral kNames = "pcie, host_mmio";
  if (succeeded(parser.parseOptionalLess())) {
    ChipCapability capability;
    if (parseFlags<ChipCapability>(parser, capability, symbolizeChipCapability,
                                   kNames) ||
        parser.parseGreater())
      return failure();
    return ChipCapabilityAttr::get(parser.getContext(), capability);
  }
  SMLoc loc = parser.getCurrentLocation();
  Attribute attribute;
  if (parser.parseAttribute(attribute))
    return failure();
  if (auto capability = dyn_cast<ChipCapabilityAttr>(attribute))
    return capability;
  parser.emitError(loc, "expected chip capabilities of ")
      << kNames << " as a set of 32 bits, found " << attribute;
  return failure();
}

ParseResult
mlir::tt::parseCapabilities(AsmParser &parser,
                            SmallVector<ChipCapabilityAttr> &capabilities) {
  return parser.parseCommaSeparatedList([&]() -> ParseResult {
    FailureOr<ChipCapabilityAttr> capability = parseCapability(parser);
    if (failed(capability))
      return failure();
    capabilities.push_back(*capability);
    return success();
  });
}

void mlir::tt::printCapabilities(AsmPrinter &printer,
                                 ArrayRef<ChipCapabilityAttr> capabilities) {
  printer.printStrippedAttrOrType(capabilities);
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

ParseResult mlir::tt::parseMemoryMaps(AsmParser &parser, GridAttr workerGrid,
                                      AffineMap &l1Map, AffineMap &dramMap) {
  if (failed(parser.parseOptionalKeyword("l1Map"))) {
    l1Map = DeviceAttr::getDefaultL1Map(workerGrid);
    dramMap = DeviceAttr::getDefaultDramMap(workerGrid);
    return success();
  }
  return failure(parser.parseEqual() || parser.parseAffineMap(l1Map) ||
                 parser.parseComma() || parser.parseKeyword("dramMap") ||
                 parser.parseEqual() || parser.parseAffineMap(dramMap) ||
                 parser.parseComma());
}

void mlir::tt::printMemoryMaps(AsmPrinter &printer, GridAttr, AffineMap l1Map,
                               AffineMap dramMap) {
  printer << "l1Map = ";
  l1Map.print(printer.getStream());
  printer << ", dramMap = ";
  dramMap.print(printer.getStream());
  printer << ",";
}

ParseResult mlir::tt::parseMesh(AsmParser &parser,
                                SmallVector<int64_t> &meshShape,
                                SmallVector<unsigned> &chipIds) {
  if (parseExtents(parser, meshShape))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalComma()))
    return parser.emitError(
        loc, "expected ', chipIds = [..]', the chips of the mesh");
  return failure(
      parser.parseKeyword("chipIds") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() {
        return parser.parseInteger(chipIds.emplace_back());
      }));
}

void mlir::tt::printMesh(AsmPrinter &printer, ArrayRef<int64_t> meshShape,
                         ArrayRef<unsigned> chipIds) {
  printer.printDimensionList(meshShape);
  printer << ", chipIds = [";
  llvm::interleaveComma(chipIds, printer.getStream());
  printer << "]";
}
