//===- TTAttrs.cpp - registration and verifiers of tt attributes ----------===//

#include "dialects/TT/AssemblyDirectives.h"
#include "dialects/TT/Bounds.h"
#include "dialects/TT/TT.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

using EmitError = function_ref<InFlightDiagnostic()>;

#include "dialects/TT/TTEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/TT/TTAttrs.cpp.inc"

void TTDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/TT/TTAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

static bool allPositive(ArrayRef<int64_t> extents) {
  return llvm::all_of(extents, [](int64_t extent) { return extent > 0; });
}

static InFlightDiagnostic &printShape(InFlightDiagnostic &diagnostic,
                                      ArrayRef<int64_t> shape) {
  llvm::interleave(
      shape, [&](int64_t extent) { diagnostic << extent; },
      [&] { diagnostic << "x"; });
  return diagnostic;
}

/// Maps are evaluated at points, so no constant divisor may be zero or less.
static LogicalResult verifyDivisors(EmitError emitError, StringRef constraint,
                                    AffineMap map) {
  bool valid = true;
  map.walkExprs([&](AffineExpr expr) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || binary.getKind() == AffineExprKind::Add ||
        binary.getKind() == AffineExprKind::Mul)
      return;
    auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    valid &= !divisor || divisor.getValue() > 0;
  });
  if (valid)
    return success();
  return emitError() << constraint
                     << " expected positive divisors in a map, found "
                     << AffineMapAttr::get(map);
}

LogicalResult GridAttr::verify(EmitError emitError, ArrayRef<int64_t> shape,
                               AffineMap mapping) {
  if (shape.empty())
    return emitError() << "(C1) expected a grid of at least one dimension, "
                          "found none";
  if (!allPositive(shape)) {
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "(C1) expected positive grid dimensions, found ";
    return printShape(diagnostic, shape);
  }
  if (!isAddressable(shape))
    return emitError() << "(C1) expected a grid of at most 2^40 points";
  if (mapping.getNumResults() != 0 &&
      (mapping.getNumDims() != shape.size() || mapping.getNumSymbols() != 0))
    return emitError() << "(C2) expected a grid mapping of " << shape.size()
                       << " dimensions without symbols, found "
                       << mapping.getNumDims() << " dimensions and "
                       << mapping.getNumSymbols() << " symbols";
  return verifyDivisors(emitError, "(C2)", mapping);
}

int64_t GridAttr::getVolume() const { return volume(getShape()); }

LogicalResult LayoutAttr::verify(EmitError emitError, AffineMap linear, OOBVal,
                                 GridAttr grid, MemRefType memref,
                                 TensorMemoryLayout) {
  int64_t rank = grid.getRank();
  if (linear.getNumSymbols() != 0)
    return emitError() << "(C1) expected a linear map without symbols, found "
                       << linear.getNumSymbols();
  if (linear.getNumResults() != rank)
    return emitError() << "(C1) expected a linear map of " << rank
                       << " results, one a grid dimension, found "
                       << linear.getNumResults();
  if (memref.getRank() != rank)
    return emitError() << "(C2) expected a memref of the grid's rank " << rank
                       << ", found rank " << memref.getRank();
  if (!memref.hasStaticShape())
    return emitError() << "(C2) expected a memref of static shape, found "
                       << memref;
  if (!memref.getLayout().isIdentity())
    return emitError() << "(C2) expected a memref with the identity map, found "
                       << memref.getLayout();
  if (!isa_and_nonnull<MemorySpaceAttr>(memref.getMemorySpace()))
    return emitError() << "(C2) expected a memref in a #tt.memory_space, found "
                       << memref;
  if (!elementTypeToDataType(memref.getElementType()))
    return emitError() << "(C2) expected a memref of tiles or of elements f32, "
                          "f16, bf16 or integers of 32, 16 or 8 bits, found "
                       << memref;
  if (isa<TileType>(memref.getElementType()) && rank < 2)
    return emitError() << "(C3) expected a tiled memref of rank >= 2, found "
                       << rank;
  SmallVector<int64_t> shard(memref.getShape());
  if (auto tile = dyn_cast<TileType>(memref.getElementType()))
    llvm::append_range(shard, tile.getShape());
  if (!isAddressable(shard, kMaxShardElements))
    return emitError() << "(C2) expected a memref of at most 2^60 elements, "
                          "found "
                       << memref;
  return verifyDivisors(emitError, "(C1)", linear);
}

LogicalResult LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape,
                                         Type elementType,
                                         EmitError emitError) const {
  // The parser asks for a type that it could not read too.
  if (!elementType)
    return failure();
  AffineMap linear = getLinear();
  if (linear.getNumDims() != shape.size())
    return emitError() << "(C4) expected a tensor of rank "
                       << linear.getNumDims()
                       << ", the dimensions of the layout's linear map, found "
                          "rank "
                       << shape.size();
  if (!allPositive(shape))
    return emitError() << "(C4) expected a tensor of static, positive extents";
  if (!elementTypeToDataType(elementType))
    return emitError() << "(C4) expected a tensor of elements f32, f16, bf16 "
                          "or integers of 32, 16 or 8 bits, found "
                       << elementType;
  // One index beyond the end, so that every coefficient counts.
  std::optional<SmallVector<int64_t>> end = evaluate(linear, shape);
  if (!isAddressable(shape) || !end ||
      !isAddressable(*end, kMaxPhysicalElements))
    return emitError() << "(C5) expected a tensor of at most 2^40 elements and "
                          "a linear map of at most 2^56, found "
                       << AffineMapAttr::get(linear);
  return success();
}

SmallVector<int64_t> BufferAttr::getShape() const {
  return SmallVector<int64_t>(getMemref().getShape());
}

LogicalResult TileSizeAttr::verify(EmitError emitError, int64_t y, int64_t x) {
  if (y > 0 && x > 0)
    return success();
  return emitError() << "(C1) expected a tile of positive height and width, "
                        "found "
                     << y << "x" << x;
}

LogicalResult ChipDescAttr::verify(
    EmitError emitError, ArchAttr, ArrayRef<int64_t> grid, unsigned l1Size,
    unsigned numDramChannels, unsigned dramChannelSize,
    unsigned nocL1AddressAlignBytes, unsigned pcieAddressAlignBytes,
    unsigned nocDRAMAddressAlignBytes, unsigned l1UnreservedBase, unsigned,
    unsigned dramUnreservedBase, unsigned dramUnreservedEnd,
    ChipPhysicalCoresAttr chipPhysicalCores, ArrayRef<DataTypeAttr>,
    ArrayRef<TileSizeAttr>) {
  if (grid.size() != 2 || !allPositive(grid)) {
    InFlightDiagnostic diagnostic = emitError();
    diagnostic
        << "(C1) expected a chip grid of two positive dimensions, found ";
    return printShape(diagnostic, grid);
  }
  size_t workers = chipPhysicalCores.getWorker().size();
  if (static_cast<int64_t>(workers) != volume(grid)) {
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "(C2) expected " << volume(grid)
               << " physical workers for the grid ";
    return printShape(diagnostic, grid) << ", found " << workers;
  }
  size_t channels = chipPhysicalCores.getDram().size();
  if (channels != 0 && channels != numDramChannels)
    return emitError() << "(C2) expected " << numDramChannels
                       << " physical DRAM cores, one for each channel, or none,"
                          " found "
                       << channels;
  for (unsigned align : {nocL1AddressAlignBytes, pcieAddressAlignBytes,
                         nocDRAMAddressAlignBytes})
    if (!llvm::isPowerOf2_32(align))
      return emitError() << "(C3) expected an alignment that is a power of "
                            "two, found "
                         << align;
  if (l1UnreservedBase > l1Size)
    return emitError() << "(C4) expected l1_unreserved_base <= l1_size "
                       << l1Size << ", found " << l1UnreservedBase;
  if (dramUnreservedBase > dramUnreservedEnd ||
      dramUnreservedEnd > dramChannelSize)
    return emitError() << "(C4) expected dram_unreserved_base <= "
                          "dram_unreserved_end <= dram_channel_size "
                       << dramChannelSize << ", found " << dramUnreservedBase
                       << " and " << dramUnreservedEnd;
  return success();
}

LogicalResult ChipChannelAttr::verify(EmitError emitError, unsigned,
                                      ArrayRef<int64_t> ethernetCoreCoord0,
                                      unsigned,
                                      ArrayRef<int64_t> ethernetCoreCoord1) {
  for (ArrayRef<int64_t> coord : {ethernetCoreCoord0, ethernetCoreCoord1})
    if (coord.size() != 2)
      return emitError() << "(C1) expected 2 coordinates of an Ethernet core, "
                            "found "
                         << coord.size();
  return success();
}

LogicalResult
SystemDescAttr::verify(EmitError emitError, ArrayRef<ChipDescAttr> chipDescs,
                       ArrayRef<unsigned> chipDescIndices,
                       ArrayRef<ChipCapabilityAttr> chipCapabilities,
                       ArrayRef<ChipCoordAttr> chipCoords,
                       ArrayRef<ChipChannelAttr> channels) {
  size_t chips = chipDescIndices.size();
  if (chips == 0)
    return emitError() << "(C1) expected at least one chip in the system";
  for (unsigned index : chipDescIndices)
    if (index >= chipDescs.size())
      return emitError() << "(C2) expected chip description indices below "
                         << chipDescs.size() << ", found " << index;
  if (chipCapabilities.size() != chips)
    return emitError() << "(C3) expected " << chips
                       << " chip capabilities, one a chip, found "
                       << chipCapabilities.size();
  if (chipCoords.size() != chips)
    return emitError() << "(C3) expected " << chips
                       << " chip coordinates, one a chip, found "
                       << chipCoords.size();
  for (ChipChannelAttr channel : channels)
    for (unsigned device : {channel.getDeviceId0(), channel.getDeviceId1()})
      if (device >= chips)
        return emitError() << "(C4) expected chip channels between chips below "
                           << chips << ", found chip " << device;
  return success();
}

/// Every chip is at one point of the mesh.
static LogicalResult verifyMeshOfDevice(EmitError emitError,
                                        ArrayRef<int64_t> meshShape,
                                        ArrayRef<unsigned> chipIds) {
  if (chipIds.empty())
    return emitError() << "expected at least one chip";
  if (!allPositive(meshShape)) {
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "expected positive mesh dimensions, found ";
    return printShape(diagnostic, meshShape);
  }
  if (!isAddressable(meshShape) ||
      volume(meshShape) != static_cast<int64_t>(chipIds.size()))
    return emitError() << "expected chipIds size to match the volume of "
                          "meshShape, expected "
                       << volume(meshShape) << ", found " << chipIds.size();
  SmallVector<unsigned> sorted = llvm::to_vector(chipIds);
  llvm::sort(sorted);
  const unsigned *twice = llvm::adjacent_find(sorted);
  if (twice == sorted.end())
    return success();
  InFlightDiagnostic diagnostic = emitError();
  diagnostic << "expected every chip once in mesh ";
  return printShape(diagnostic, meshShape)
         << ", found chip " << *twice << " twice";
}

/// Grids of more points are not looked at point by point.
constexpr int64_t kMostCheckedPoints = 1 << 14;

/// The grid of several chips has the dimensions of the mesh, and its points are
/// on the chips.
static LogicalResult verifyGridOfMesh(EmitError emitError, GridAttr workerGrid,
                                      ArrayRef<int64_t> meshShape) {
  int64_t chips = volume(meshShape);
  int64_t rank = std::max<int64_t>(meshShape.size(), 2);
  if (chips > 1 && workerGrid.getRank() != rank) {
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "expected a worker grid of " << rank
               << " dimensions, those of mesh ";
    return printShape(diagnostic, meshShape)
           << ", found " << workerGrid.getRank();
  }
  ArrayRef<int64_t> grid = workerGrid.getShape();
  if (!isAddressable(grid, kMostCheckedPoints))
    return success();
  SmallVector<int64_t> point(grid.size(), 0);
  for (int64_t i = 0, end = volume(grid); i < end; ++i) {
    auto place = evaluate(workerGrid.getMapping(), point);
    if (!place || (*place)[0] < 0 || (*place)[0] >= chips) {
      InFlightDiagnostic diagnostic = emitError();
      diagnostic << "expected the points of the worker grid on the " << chips
                 << (chips == 1 ? " chip" : " chips") << " of the mesh, found ";
      printShape(diagnostic, point);
      if (!place)
        return diagnostic << " nowhere";
      return diagnostic << " on chip " << (*place)[0];
    }
    for (size_t d = point.size(); d-- > 0;) {
      if (++point[d] < grid[d])
        break;
      point[d] = 0;
    }
  }
  return success();
}

LogicalResult DeviceAttr::verify(EmitError emitError, GridAttr workerGrid,
                                 AffineMap l1Map, AffineMap dramMap,
                                 ArrayRef<int64_t> meshShape,
                                 ArrayRef<unsigned> chipIds) {
  if (failed(verifyMeshOfDevice(emitError, meshShape, chipIds)))
    return failure();
  if (!allPositive(workerGrid.getShape()))
    return emitError() << "expected positive grid dimensions";
  if (workerGrid.getMapping().getNumResults() != 3)
    return emitError()
           << "expected physical grid mapping to have "
              "PhysGridResultIdx::NumIndices results, expected 3, found "
           << workerGrid.getMapping().getNumResults();
  for (auto [map, name] : {std::pair(l1Map, "l1Map"), {dramMap, "dramMap"}}) {
    if (map.getNumResults() != 4)
      return emitError() << "expected " << name
                         << " to have MemoryMapResultIdx::NumIndices results, "
                            "expected 4, found "
                         << map.getNumResults();
    unsigned rank = workerGrid.getRank();
    if (map.getNumDims() != rank || map.getNumSymbols() > rank)
      return emitError() << "expected " << name << " of " << rank
                         << " dimensions and at most as many symbols, found "
                         << map.getNumDims() << " dimensions and "
                         << map.getNumSymbols() << " symbols";
    if (failed(verifyDivisors(emitError, name, map)))
      return failure();
  }
  return verifyGridOfMesh(emitError, workerGrid, meshShape);
}
