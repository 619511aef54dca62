#include "dialects/TTIR/Transforms/Optimizer/LegalLayouts.h"

#include "dialects/TTIR/TTIR.h"
#include "dialects/TTIR/Transforms/Layout/LayoutState.h"
#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::tt::ttir {

static bool isSharded(TensorMemoryLayout memLayout) {
  return memLayout == TensorMemoryLayout::HeightSharded ||
         memLayout == TensorMemoryLayout::WidthSharded ||
         memLayout == TensorMemoryLayout::BlockSharded;
}

bool isShardedInL1(LayoutAttr layout) {
  return layout.getMemorySpace() == MemorySpace::DeviceL1 &&
         isSharded(layout.getMemLayout());
}

bool hasChoice(Operation *op) {
  // An update is where its input is.
  return isa<TTIROp>(op) &&
         !isa<ToLayoutOp, UpdateSliceOp, CollectiveOpInterface>(op);
}

/// The sharded layouts of a tensor, in which each core has as many rows and as
/// many columns of tiles as any other: block-sharded ones of all grids, then
/// columns and rows of cores as long as the device has cores.
static SmallVector<LayoutAttr> getShardedCandidates(RankedTensorType type,
                                                    LayoutAttr base,
                                                    GridAttr workerGrid) {
  SmallVector<LayoutAttr> candidates;
  ArrayRef<int64_t> cores = workerGrid.getShape();
  if (cores.size() != 2 || base.getGrid().getRank() != 2)
    return candidates;
  MLIRContext *context = type.getContext();
  // Rows and columns of the matrix that the dimensions are collapsed to.
  SmallVector<int64_t> matrix =
      base.withGrid(type, GridAttr::get(context, {1, 1})).getShardShape();
  int64_t tileRows = llvm::divideCeilSigned(matrix[0], 32);
  int64_t tileColumns = llvm::divideCeilSigned(matrix[1], 32);
  auto consider = [&](TensorMemoryLayout memLayout, int64_t rows,
                      int64_t columns) {
    if (tileRows % rows != 0 || tileColumns % columns != 0)
      return;
    auto grid = GridAttr::get(context, {rows, columns});
    candidates.push_back(base.withMemoryLayout(memLayout).withGrid(type, grid));
  };
  base = base.withMemorySpace(MemorySpace::DeviceL1);
  for (int64_t rows = 1; rows <= cores[0]; ++rows)
    for (int64_t columns = 1; columns <= cores[1]; ++columns)
      consider(TensorMemoryLayout::BlockSharded, rows, columns);
  for (int64_t rows = 2; rows <= cores[0] * cores[1]; ++rows)
    consider(TensorMemoryLayout::HeightSharded, rows, 1);
  for (int64_t columns = 2; columns <= cores[0] * cores[1]; ++columns)
    consider(TensorMemoryLayout::WidthSharded, 1, columns);

  llvm::stable_sort(candidates, [](LayoutAttr a, LayoutAttr b) {
    return a.getGrid().getVolume() > b.getGrid().getVolume();
  });
  if (candidates.size() > LegalLayoutAnalysis::kMaxSharded)
    candidates.truncate(LegalLayoutAnalysis::kMaxSharded);
  return candidates;
}

LegalLayoutAnalysis::LegalLayoutAnalysis(DeviceAttr device,
                                         const GridOverrides &gridOverrides,
                                         const LayoutOverrides &layoutOverrides,
                                         bool sharding)
    : device(device),
      workerGrid(GridAttr::get(device.getContext(),
                               device.getWorkerGrid().getShape())),
      gridOverrides(gridOverrides), layoutOverrides(layoutOverrides),
      sharding(sharding) {
  for (const auto &entry : gridOverrides.entries)
    unusedNames.insert(entry.getKey());
  for (const auto &entry : layoutOverrides.entries)
    unusedNames.insert(entry.getKey());
}

SmallVector<StringRef> LegalLayoutAnalysis::getUnusedNames() const {
  SmallVector<StringRef> names(unusedNames.keys());
  llvm::sort(names);
  return names;
}

const LegalLayouts *LegalLayoutAnalysis::add(Type elementType,
                                             ArrayRef<LayoutAttr> layouts) {
  auto legal = std::make_unique<LegalLayouts>();
  legal->elementType = elementType;
  legal->layouts.assign(layouts.begin(), layouts.end());
  for (LayoutAttr layout : layouts) {
    if (!isShardedInL1(layout) || legal->sharded.size() == kMaxSharded)
      continue;
    legal->sharded.push_back(layout);
    legal->shardedBytes.push_back(
        device.getLayoutSizeBytes({}, layout, MemorySpace::DeviceL1));
  }
  return storage.emplace_back(std::move(legal)).get();
}

/// Interleaved over DRAM, on the whole grid: what every op can write.
static LayoutAttr interleaved(RankedTensorType type, LayoutAttr layout,
                              MemorySpace space, GridAttr grid) {
  return layout.withMemorySpace(space)
      .withMemoryLayout(TensorMemoryLayout::Interleaved)
      .withGrid(type, grid);
}

LayoutAttr LegalLayoutAnalysis::getDefault(RankedTensorType type,
                                           OperandConstraint constraint) {
  auto current = cast<LayoutAttr>(type.getEncoding());
  LayoutAttr layout =
      interleaved(type, current, MemorySpace::DeviceDRAM, workerGrid);
  return allows(constraint, layout) ? layout : current;
}

const LegalLayouts *
LegalLayoutAnalysis::getChoices(RankedTensorType type,
                                OperandConstraint constraint) {
  const LegalLayouts *&legal =
      byType[{type, static_cast<unsigned>(constraint)}];
  if (legal)
    return legal;
  SmallVector<LayoutAttr> layouts{getDefault(type, constraint)};
  if (sharding || !layoutOverrides.entries.empty()) {
    auto current = cast<LayoutAttr>(type.getEncoding());
    layouts.push_back(
        interleaved(type, current, MemorySpace::DeviceL1, workerGrid));
    llvm::append_range(layouts,
                       getShardedCandidates(type, current, workerGrid));
    layouts.erase(std::remove_if(layouts.begin() + 1, layouts.end(),
                                 [&](LayoutAttr layout) {
                                   return !allows(constraint, layout);
                                 }),
                  layouts.end());
  }
  return legal = add(type.getElementType(), layouts);
}

/// An error if the grid is none of this device.
static LogicalResult checkGrid(Operation *op, ArrayRef<int64_t> grid,
                               LayoutAttr layout, DeviceAttr device) {
  int64_t rank = layout.getGrid().getRank();
  if (static_cast<int64_t>(grid.size()) != rank)
    return op->emitOpError("override grid has rank ")
           << grid.size() << ", expected rank " << rank;
  auto attr = GridAttr::get(op->getContext(), grid);
  if (fitsDevice(device, attr, layout.getMemLayout()))
    return success();
  return op->emitOpError("override grid ")
         << attr << " of a layout that is "
         << stringifyEnum(layout.getMemLayout())
         << " is not on the device: expected one inside "
         << GridAttr::get(op->getContext(), device.getWorkerGrid().getShape());
}

LogicalResult LegalLayoutAnalysis::overrideGrid(Operation *op,
                                                RankedTensorType type,
                                                ArrayRef<int64_t> grid) {
  auto layout = cast<LayoutAttr>(type.getEncoding());
  if (failed(checkGrid(op, grid, layout, device)))
    return failure();
  LayoutAttr chosen =
      layout.withGrid(type, GridAttr::get(op->getContext(), grid));
  byOp[op] = add(type.getElementType(), chosen);
  if (auto remark = kOptimizerRemarks.passed(op, "Overridden"))
    remark << reason("override-grid-sizes puts the result on {0}",
                     describe(chosen))
           << rejected("{0}, where it would be without", describe(layout));
  return success();
}

/// The layout's element type in the form and the data type that are wanted.
static FailureOr<Type> overrideElementType(Operation *op, LayoutAttr layout,
                                           const LayoutOverride &wanted) {
  MLIRContext *context = op->getContext();
  DataType dataType =
      wanted.dataType.value_or(*elementTypeToDataType(layout.getElementType()));
  bool tiled = wanted.tiled.value_or(layout.isTiled());
  if (tiled && layout.getGrid().getRank() < 2)
    return op->emitOpError("override layout has tiles on the grid ")
           << layout.getGrid() << ": expected a grid of rank 2";
  if (tiled)
    return Type(TileType::get(context, dataType));
  if (isBlockFloat(dataType))
    return op->emitOpError("override layout has block floats in rows: expected "
                           "'tile' with ")
           << stringifyEnum(dataType);
  // Signs of integers are the tensor's.
  if (!wanted.dataType)
    return layout.getScalarElementType();
  return dataTypeToElementType(context, dataType);
}

/// The layout that `wanted` describes, if no legal layout matches.
static FailureOr<LayoutAttr> buildLayout(Operation *op, RankedTensorType type,
                                         const LayoutOverride &wanted,
                                         DeviceAttr device) {
  auto base = cast<LayoutAttr>(type.getEncoding());
  auto memLayout = wanted.memLayout.value_or(TensorMemoryLayout::Interleaved);
  auto space = wanted.memorySpace.value_or(
      isSharded(memLayout) ? MemorySpace::DeviceL1 : MemorySpace::DeviceDRAM);
  bool onHost =
      space == MemorySpace::System || space == MemorySpace::SystemMMIO;
  if (onHost && !wanted.memLayout)
    memLayout = TensorMemoryLayout::None;
  if (onHost && memLayout != TensorMemoryLayout::None)
    return op->emitOpError("override layout is ")
           << stringifyEnum(memLayout) << " in " << stringifyEnum(space)
           << ": expected memory layout none in host memory";
  if (!onHost && memLayout == TensorMemoryLayout::None)
    return op->emitOpError("override layout is none in ")
           << stringifyEnum(space)
           << ": expected an interleaved, single_bank or sharded one on a "
              "device";
  if (space == MemorySpace::DeviceDRAM && isSharded(memLayout))
    return op->emitOpError("override layout is ")
           << stringifyEnum(memLayout)
           << " in dram: expected memory space l1 with sharded layouts";
  if (isSharded(memLayout) && wanted.grid.empty())
    return op->emitOpError("override layout is ")
           << stringifyEnum(memLayout)
           << ": expected a grid with it, since no grid of several cores "
              "divides the tiles of "
           << type << " evenly";
  bool isColumn = memLayout == TensorMemoryLayout::HeightSharded;
  if ((isColumn && wanted.grid[1] != 1) ||
      (memLayout == TensorMemoryLayout::WidthSharded && wanted.grid[0] != 1))
    return op->emitOpError("override layout is ")
           << stringifyEnum(memLayout) << " on the grid " << wanted.grid[0]
           << "x" << wanted.grid[1] << ": expected a grid "
           << (isColumn ? "Rx1" : "1xC");

  base = base.withMemoryLayout(memLayout).withMemorySpace(space);
  SmallVector<int64_t> grid(wanted.grid.begin(), wanted.grid.end());
  if (grid.empty() && onHost)
    grid.assign(base.getGrid().getRank(), 1);
  else if (grid.empty())
    llvm::append_range(grid, device.getWorkerGrid().getShape());
  if (failed(checkGrid(op, grid, base, device)))
    return failure();
  return base.withGrid(type, GridAttr::get(op->getContext(), grid));
}

LogicalResult
LegalLayoutAnalysis::overrideLayout(Operation *op, RankedTensorType type,
                                    OperandConstraint constraint,
                                    const LayoutOverride &wanted) {
  auto current = cast<LayoutAttr>(type.getEncoding());
  FailureOr<Type> elementType = overrideElementType(op, current, wanted);
  if (failed(elementType))
    return failure();
  // Without a data type the tensor keeps its own, signs and all.
  Type scalar = wanted.dataType
                    ? dataTypeToElementType(op->getContext(), *wanted.dataType)
                    : type.getElementType();
  type = RankedTensorType::get(type.getShape(), scalar,
                               current.withElementType(*elementType));

  SmallVector<LayoutAttr> matching;
  for (LayoutAttr layout : getChoices(type, constraint)->layouts)
    if ((wanted.grid.empty() ||
         layout.getGrid().getShape() == ArrayRef<int64_t>(wanted.grid)) &&
        layout.getMemorySpace() ==
            wanted.memorySpace.value_or(layout.getMemorySpace()) &&
        layout.getMemLayout() ==
            wanted.memLayout.value_or(layout.getMemLayout()))
      matching.push_back(layout);
  if (matching.empty()) {
    FailureOr<LayoutAttr> layout = buildLayout(op, type, wanted, device);
    if (failed(layout))
      return failure();
    if (!allows(constraint, *layout))
      return op->emitOpError("override layout is ")
             << stringifyEnum(layout->getMemLayout()) << " in "
             << stringifyEnum(layout->getMemorySpace())
             << ": expected one that the operand constraint of the "
                "destination allows";
    matching.push_back(*layout);
  }
  byOp[op] = add(scalar, matching);
  if (auto remark = kOptimizerRemarks.passed(op, "Overridden"))
    remark << reason("override-output-layout puts the result on {0}:{1}",
                     describe(matching.front()),
                     stringifyEnum(*elementTypeToDataType(
                         matching.front().getElementType())))
           << rejected("{0}, where it would be without, and {1} more that "
                       "the override allows",
                       describe(getDefault(type, constraint)),
                       matching.size() - 1);
  return success();
}

/// The constraint of the destination of a result: the last ones of an op.
static OperandConstraint getConstraint(Operation *op, unsigned result) {
  ArrayAttr constraints = cast<TTIROp>(op).getOperandConstraints();
  size_t later = op->getNumResults() - result;
  if (!constraints || constraints.size() < later)
    return OperandConstraint::Any;
  return cast<OperandConstraintAttr>(constraints[constraints.size() - later])
      .getValue();
}

LayoutAttr LegalLayoutAnalysis::getDefault(Operation *op, unsigned result) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(result).getType());
  if (!type || !getLayoutOf(type))
    return {};
  return getDefault(type, getConstraint(op, result));
}

/// Only ops of the same name read the result: one of several steps that an op
/// became, and not the last.
static bool isStepOfSameName(Operation *op) {
  return !op->use_empty() && llvm::all_of(op->getUsers(), [&](Operation *user) {
    return (hasChoice(user) || isa<UpdateSliceOp>(user)) &&
           user->getLoc() == op->getLoc();
  });
}

LogicalResult LegalLayoutAnalysis::analyze(Operation *op) {
  if (op->getNumResults() == 0)
    return success();
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return success();
  // Results of collectives have the format of their inputs, unless overridden.
  bool isCollective = isa<CollectiveOpInterface>(op);
  bool isOutput = hasChoice(op);

  ArrayRef<int64_t> wantedGrid;
  const LayoutOverride *wantedLayout = nullptr;
  if (auto name = dyn_cast<NameLoc>(op->getLoc())) {
    auto grid = gridOverrides.entries.find(name.getName());
    if (grid != gridOverrides.entries.end())
      wantedGrid = grid->second;
    auto layout = layoutOverrides.entries.find(name.getName());
    // The tensors that are made for an op have its location, but are no output.
    if ((isOutput || isCollective) && layout != layoutOverrides.entries.end() &&
        !isStepOfSameName(op))
      wantedLayout = &layout->second;
    if (wantedLayout || grid != gridOverrides.entries.end())
      unusedNames.erase(name.getName());
  }
  if (isCollective && (wantedLayout || !wantedGrid.empty())) {
    if (isa<MeshShardOp>(op))
      return op->emitOpError("cannot be overridden: its tensors are in system "
                             "memory");
    if (op->getNumResults() != 1)
      return op->emitOpError(
                 "cannot be overridden: expected one result, found ")
             << op->getNumResults();
    overridden.insert(op);
    isOutput = true;
  }
  LayoutAttr current = getLayoutOf(type);
  if (!current && !isOutput && wantedGrid.empty())
    return success();
  if (!current)
    return op->emitOpError("result has no layout: expected a tensor with a "
                           "'tt.layout' encoding, found ")
           << type << "; run --ttir-layout first";

  numOverrides += !wantedGrid.empty() || wantedLayout;
  if (!wantedGrid.empty())
    return overrideGrid(op, type, wantedGrid);
  bool isPlaced = hasPlacedResult(op) && !wantedLayout;
  if (!isOutput || isPlaced) {
    const LegalLayouts *&legal = fixed[type];
    if (!legal)
      legal = add(type.getElementType(), current);
    byOp[op] = legal;
    return success();
  }
  OperandConstraint constraint = getConstraint(op, 0);
  if (wantedLayout)
    return overrideLayout(op, type, constraint, *wantedLayout);
  byOp[op] = getChoices(type, constraint);
  return success();
}

} // namespace mlir::tt::ttir
