//===- DeviceAttr.cpp - maps of a device and sizes of tensors on it -------===//

#include "dialects/TT/Mesh.h"
#include "dialects/TT/TileLayout.h"

#include "mlir/IR/AffineExpr.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

using EmitError = function_ref<InFlightDiagnostic()>;

/// Elements of a tensor that are contiguous in one DRAM channel before the next
/// channel follows.
static constexpr int64_t kDramPageElements = 8192;

/// Element-wise minimum of the grids of the chips.
static SmallVector<int64_t> getCommonGrid(SystemDescAttr systemDesc,
                                          ArrayRef<unsigned> chipIds) {
  SmallVector<int64_t> grid(systemDesc.getChipDesc(chipIds[0]).getGrid());
  for (unsigned id : chipIds)
    for (auto [extent, other] :
         llvm::zip(grid, systemDesc.getChipDesc(id).getGrid()))
      extent = std::min(extent, other);
  return grid;
}

/// The logical grid of chips of `chipGrid` laid out as `mesh` (rank >= 2), with
/// the map from a grid point to (chip, core row, core column).
static GridAttr createWorkerGrid(MLIRContext *context,
                                 ArrayRef<int64_t> chipGrid,
                                 ArrayRef<int64_t> mesh) {
  size_t rank = mesh.size();
  SmallVector<int64_t> shape(mesh);
  shape[rank - 2] *= chipGrid[0];
  shape[rank - 1] *= chipGrid[1];

  AffineExpr chip = getAffineConstantExpr(0, context);
  int64_t stride = mesh[rank - 2] * mesh[rank - 1];
  SmallVector<AffineExpr> outer;
  for (int64_t d = static_cast<int64_t>(rank) - 3; d >= 0; --d) {
    outer.push_back(getAffineDimExpr(d, context) * stride);
    stride *= mesh[d];
  }
  for (AffineExpr term : llvm::reverse(outer))
    chip = chip + term;

  AffineExpr y = getAffineDimExpr(rank - 2, context);
  AffineExpr x = getAffineDimExpr(rank - 1, context);
  if (mesh[rank - 2] > 1 || mesh[rank - 1] > 1)
    chip = chip + y.floorDiv(chipGrid[0]) * mesh[rank - 1];
  if (mesh[rank - 1] > 1) {
    chip = chip + x.floorDiv(chipGrid[1]);
    x = x % chipGrid[1];
  }
  if (mesh[rank - 2] > 1)
    y = y % chipGrid[0];
  return GridAttr::get(context, shape,
                       AffineMap::get(rank, 0, {chip, y, x}, context));
}

/// Position of the shard's element in the shard, and the shard's volume.
static std::pair<AffineExpr, AffineExpr> createShardOffset(MLIRContext *context,
                                                           unsigned rank) {
  AffineExpr offset = getAffineConstantExpr(0, context);
  AffineExpr stride = getAffineConstantExpr(1, context);
  for (int64_t d = static_cast<int64_t>(rank) - 1; d >= 0; --d) {
    AffineExpr extent = getAffineSymbolExpr(d, context);
    offset = addTerms((getAffineDimExpr(d, context) % extent) * stride, offset);
    stride = extent * stride;
  }
  return {offset, stride};
}

/// The grid point that holds a point of the physical space.
static SmallVector<AffineExpr> createShardIndices(MLIRContext *context,
                                                  unsigned rank) {
  SmallVector<AffineExpr> indices;
  for (unsigned d = 0; d < rank; ++d)
    indices.push_back(
        getAffineDimExpr(d, context).floorDiv(getAffineSymbolExpr(d, context)));
  return indices;
}

static AffineMap createL1Map(GridAttr workerGrid) {
  MLIRContext *context = workerGrid.getContext();
  unsigned rank = workerGrid.getRank();
  AffineMap map = workerGrid.getMapping().replaceDimsAndSymbols(
      createShardIndices(context, rank), {}, rank, rank);
  return map.insertResult(createShardOffset(context, rank).first, 3);
}

/// Shards of a chip are stored one after the other in the order of its cores,
/// so the memory of a chip does not depend on its mesh.
static AffineMap createDramMap(GridAttr workerGrid, int64_t numChannels) {
  MLIRContext *context = workerGrid.getContext();
  unsigned rank = workerGrid.getRank();
  int64_t chipColumns =
      evalShape(workerGrid.getMapping(), workerGrid.getShape())[2];
  AffineMap workers = workerGrid.getMapping().replaceDimsAndSymbols(
      createShardIndices(context, rank), {}, rank, rank);
  AffineExpr shardIndex =
      addTerms(workers.getResult(1) * chipColumns, workers.getResult(2));
  auto [offset, shardVolume] = createShardOffset(context, rank);
  AffineExpr address = addTerms(shardIndex * shardVolume, offset);
  AffineExpr channel = address.floorDiv(kDramPageElements) % numChannels;
  AffineExpr channelOffset = address.floorDiv(kDramPageElements * numChannels) +
                             address % kDramPageElements;
  return AffineMap::get(rank, rank,
                        {workers.getResult(0),
                         getAffineConstantExpr(0, context), channel,
                         channelOffset},
                        context);
}

/// The maps of a device of `chipGrid` cores a chip.
static DeviceAttr buildDevice(EmitError emitError, MLIRContext *context,
                              ArrayRef<int64_t> chipGrid,
                              ArrayRef<int64_t> meshShape,
                              ArrayRef<unsigned> chipIds, int64_t numChannels) {
  GridAttr workerGrid =
      createWorkerGrid(context, chipGrid, Mesh(meshShape, chipIds).getShape());
  return DeviceAttr::getChecked(
      emitError, context, workerGrid, createL1Map(workerGrid),
      createDramMap(workerGrid, numChannels), meshShape, chipIds);
}

//===----------------------------------------------------------------------===//
// Devices from outside
//===----------------------------------------------------------------------===//

/// An error unless the system has the chips of the mesh.
static LogicalResult verifyMesh(EmitError emitError, SystemDescAttr systemDesc,
                                ArrayRef<int64_t> meshShape) {
  for (int64_t extent : meshShape)
    if (extent <= 0)
      return emitError() << "expected positive mesh dimensions, found "
                         << formatExtents(meshShape);
  int64_t available = systemDesc.getNumChips();
  // Counted with an early stop: a huge mesh must not become a huge list.
  int64_t chips = 1;
  for (int64_t extent : meshShape) {
    if (extent > available / chips)
      return emitError() << "expected a mesh of at most " << available
                         << (available == 1 ? " chip" : " chips")
                         << ", the chips of the system, found "
                         << formatExtents(meshShape);
    chips *= extent;
  }
  return success();
}

/// An error unless the system has the chips, one for every point of the mesh.
static LogicalResult verifyChipIds(EmitError emitError,
                                   SystemDescAttr systemDesc,
                                   ArrayRef<int64_t> meshShape,
                                   ArrayRef<unsigned> chipIds) {
  if (chipIds.empty())
    return emitError() << "expected at least one chip";
  if (meshShape.empty() && chipIds.size() != 1)
    return emitError() << "expected one chip id without a mesh, found "
                       << chipIds.size();
  if (static_cast<int64_t>(chipIds.size()) != volume(meshShape))
    return emitError() << "expected " << volume(meshShape)
                       << " chip ids, one for every point of mesh "
                       << formatExtents(meshShape) << ", found "
                       << chipIds.size();
  for (unsigned id : chipIds)
    if (id >= systemDesc.getNumChips())
      return emitError() << "expected chip ids below "
                         << systemDesc.getNumChips()
                         << ", the chips of the system"
                         << (meshShape.empty() ? "" : ", for mesh ")
                         << formatExtents(meshShape) << ", found " << id;
  return success();
}

/// Cores to use of each chip: `wanted`, or all that all chips have.
static FailureOr<SmallVector<int64_t>> selectCores(EmitError emitError,
                                                   SystemDescAttr systemDesc,
                                                   ArrayRef<unsigned> chipIds,
                                                   ArrayRef<int64_t> wanted) {
  SmallVector<int64_t> grid = getCommonGrid(systemDesc, chipIds);
  if (wanted.empty())
    return grid;
  if (wanted.size() == 2 && wanted[0] >= 1 && wanted[1] >= 1 &&
      wanted[0] <= grid[0] && wanted[1] <= grid[1])
    return SmallVector<int64_t>(wanted);
  InFlightDiagnostic diagnostic = emitError();
  diagnostic << "expected a device shape of two extents from 1,1 to " << grid[0]
             << "," << grid[1] << ", the cores of a chip, found ";
  llvm::interleave(
      wanted, [&](int64_t extent) { diagnostic << extent; },
      [&] { diagnostic << ","; });
  return failure();
}

DeviceAttr mlir::tt::createDevice(
    EmitError emitError, SystemDescAttr systemDesc, ArrayRef<int64_t> meshShape,
    std::optional<ArrayRef<unsigned>> requestedChips, ArrayRef<int64_t> shape) {
  if (failed(verifyMesh(emitError, systemDesc, meshShape)))
    return {};
  SmallVector<unsigned> chipIds = requestedChips
                                      ? SmallVector<unsigned>(*requestedChips)
                                      : getMeshPlacement(systemDesc, meshShape);
  if (failed(verifyChipIds(emitError, systemDesc, meshShape, chipIds)))
    return {};
  size_t channels = std::numeric_limits<size_t>::max();
  for (unsigned id : chipIds)
    channels = std::min(
        channels,
        systemDesc.getChipDesc(id).getChipPhysicalCores().getDram().size());
  if (channels == 0) {
    emitError() << "expected a chip with DRAM cores, found none";
    return {};
  }
  FailureOr<SmallVector<int64_t>> grid =
      selectCores(emitError, systemDesc, chipIds, shape);
  if (failed(grid))
    return {};
  return buildDevice(emitError, systemDesc.getContext(), *grid, meshShape,
                     chipIds, channels);
}

DeviceAttr
DeviceAttr::getChecked(EmitError emitError, SystemDescAttr systemDesc,
                       ArrayRef<int64_t> meshShape,
                       std::optional<ArrayRef<unsigned>> requestedChips) {
  return createDevice(emitError, systemDesc, meshShape, requestedChips);
}

DeviceAttr DeviceAttr::get(SystemDescAttr systemDesc,
                           ArrayRef<int64_t> meshShape,
                           ArrayRef<unsigned> chipIds) {
  auto emitError = [&] {
    return mlir::emitError(UnknownLoc::get(systemDesc.getContext()),
                           "invalid device: ");
  };
  DeviceAttr device = getChecked(emitError, systemDesc, meshShape, chipIds);
  assert(device && "arguments of a device must fit together");
  return device;
}

DeviceAttr DeviceAttr::get(SystemDescAttr systemDesc,
                           ArrayRef<int64_t> meshShape) {
  return get(systemDesc, meshShape, getMeshPlacement(systemDesc, meshShape));
}

/// Whether the mapping of a grid maps its points to cores.
static bool namesCores(GridAttr workerGrid) {
  return workerGrid.getMapping().getNumResults() == 3;
}

AffineMap DeviceAttr::getDefaultL1Map(GridAttr workerGrid) {
  return namesCores(workerGrid) ? createL1Map(workerGrid)
                                : AffineMap::get(workerGrid.getContext());
}

AffineMap DeviceAttr::getDefaultDramMap(GridAttr workerGrid) {
  MLIRContext *context = workerGrid.getContext();
  if (!namesCores(workerGrid))
    return AffineMap::get(context);
  ChipDescAttr chip = SystemDescAttr::getDefault(context).getChipDesc();
  return createDramMap(workerGrid, chip.getNumDramChannels());
}

//===----------------------------------------------------------------------===//
// One chip of a device
//===----------------------------------------------------------------------===//

/// The number of channels, from the map's `... mod channels` result; 1 when the
/// map has another form.
static int64_t getNumDramChannels(AffineMap dramMap) {
  auto channel = dyn_cast<AffineBinaryOpExpr>(dramMap.getResult(2));
  if (!channel || channel.getKind() != AffineExprKind::Mod)
    return 1;
  auto channels = dyn_cast<AffineConstantExpr>(channel.getRHS());
  return channels ? channels.getValue() : 1;
}

LogicalResult DeviceAttr::verifyInSystem(EmitError emitError,
                                         SystemDescAttr systemDesc) {
  int64_t channels = getNumDramChannels(getDramMap());
  for (unsigned id : getChipIds()) {
    if (id >= systemDesc.getNumChips())
      return emitError() << "expected the chip ids of tt.device, mesh "
                         << Mesh(*this).str() << ", to be below "
                         << systemDesc.getNumChips()
                         << ", the chips of tt.system_desc, found " << id;
    unsigned available = systemDesc.getChipDesc(id).getNumDramChannels();
    if (channels > available)
      return emitError() << "expected the dramMap of tt.device over at most "
                         << available << " DRAM channels, those of chip " << id
                         << " of tt.system_desc, found " << channels;
  }
  return success();
}

SmallVector<int64_t> mlir::tt::getChipGrid(DeviceAttr device) {
  ArrayRef<int64_t> grid = device.getWorkerGrid().getShape();
  if (device.getChipIds().size() == 1)
    return SmallVector<int64_t>(grid);
  Mesh mesh(device);
  ArrayRef<int64_t> inner = mesh.getShape().take_back(2);
  grid = grid.take_back(2);
  return {grid[0] / inner[0], grid[1] / inner[1]};
}

DeviceAttr mlir::tt::getChipView(DeviceAttr device) {
  if (device.getChipIds().size() == 1)
    return device;
  MLIRContext *context = device.getContext();
  return buildDevice([=] { return emitError(UnknownLoc::get(context)); },
                     context, getChipGrid(device), /*meshShape=*/{},
                     device.getChipIds().front(),
                     getNumDramChannels(device.getDramMap()));
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

AffineMap DeviceAttr::getMapForMemorySpace(MemorySpace memorySpace) const {
  switch (memorySpace) {
  case MemorySpace::DeviceL1:
    return getL1Map();
  case MemorySpace::DeviceDRAM:
    return getDramMap();
  default:
    return AffineMap::get(getContext());
  }
}

uint64_t DeviceAttr::getLayoutSizeBytes(ArrayRef<int64_t> tensorShape,
                                        LayoutAttr layout,
                                        MemorySpace memorySpace) const {
  uint64_t elementBytes = layout.getElementStorageSizeBytes();
  uint64_t shardBytes = volume(layout.getMemref().getShape()) * elementBytes;
  if (memorySpace == MemorySpace::DeviceL1)
    return shardBytes;
  if (memorySpace != MemorySpace::DeviceDRAM)
    return shardBytes * layout.getGrid().getVolume();

  // Shards of a chip are stored one after the other in the order of its cores;
  // the last one with an element ends the tensor. A tensor that continues on
  // other chips uses all cores of the first one in that direction.
  SmallVector<int64_t> shard = layout.getShardShape();
  SmallVector<int64_t> physical = layout.getPhysicalShape(tensorShape);
  SmallVector<int64_t> chipGrid = getChipGrid(*this);
  ArrayRef<int64_t> deviceGrid = getWorkerGrid().getShape();
  int64_t lastShard = 0, stride = 1;
  int64_t rank = static_cast<int64_t>(shard.size());
  for (int64_t d = rank - 1, g = getRank() - 1; d >= 0; --d, --g) {
    if (shard[d] == 0 || physical[d] <= 0)
      return 0;
    int64_t last = (physical[d] - 1) / shard[d];
    int64_t inner = g - static_cast<int64_t>(getRank() - chipGrid.size());
    if (inner >= 0) {
      if (chipGrid[inner] < deviceGrid[g])
        last = std::min(last, chipGrid[inner] - 1);
      lastShard += last * stride;
      stride *= chipGrid[inner];
    } else if (g < 0) {
      lastShard += last * stride;
    }
  }
  int64_t elements = (lastShard + 1) * volume(layout.getMemref().getShape());
  // The first channel is the fullest: all complete rounds over the channels
  // and what is left of the last one.
  int64_t round = kDramPageElements * getNumDramChannels(getDramMap());
  int64_t inFirstChannel = elements / round * kDramPageElements +
                           std::min(elements % round, kDramPageElements);
  return inFirstChannel * elementBytes;
}

uint64_t DeviceAttr::getTensorSizeBytes(RankedTensorType type) const {
  auto layout = cast<LayoutAttr>(type.getEncoding());
  return getLayoutSizeBytes(type.getShape(), layout, layout.getMemorySpace());
}

uint64_t DeviceAttr::getTensorSizeBytes(RankedTensorType type,
                                        MemorySpace memorySpace) const {
  return getLayoutSizeBytes(type.getShape(),
                            cast<LayoutAttr>(type.getEncoding()), memorySpace);
}
