#include "dialects/TT/Bounds.h"
#include "dialects/TT/Mesh.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;

bool tt::isAddressable(ArrayRef<int64_t> shape, int64_t limit) {
  int64_t volume = 1;
  for (int64_t extent : shape)
    if (llvm::MulOverflow(volume, std::max<int64_t>(extent, 1), volume) ||
        volume > limit)
      return false;
  return true;
}

bool tt::isComputable(ArrayRef<int64_t> shape) {
  return isAddressable(shape) && llvm::all_of(shape, [](int64_t extent) {
           return extent >= 0 && extent <= kMaxExtent;
         });
}

bool tt::isComputable(RankedTensorType type) {
  Type element = type.getElementType();
  bool isTile =
      isa<TileType>(element) && isa_and_present<BufferAttr>(type.getEncoding());
  return (element.isIntOrFloat() || isTile ||
          isa<quant::QuantizedType>(element)) &&
         isComputable(type.getShape());
}

static std::optional<int64_t> evaluate(AffineExpr expr,
                                       ArrayRef<int64_t> dims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<int64_t> lhs = evaluate(binary.getLHS(), dims);
  std::optional<int64_t> rhs = evaluate(binary.getRHS(), dims);
  if (!lhs || !rhs)
    return std::nullopt;
  int64_t result;
  if (binary.getKind() == AffineExprKind::Add)
    return llvm::AddOverflow(*lhs, *rhs, result) ? std::nullopt
                                                 : std::optional(result);
  if (binary.getKind() == AffineExprKind::Mul)
    return llvm::MulOverflow(*lhs, *rhs, result) ? std::nullopt
                                                 : std::optional(result);
  if (*rhs <= 0)
    return std::nullopt;
  if (binary.getKind() == AffineExprKind::FloorDiv)
    return llvm::divideFloorSigned(*lhs, *rhs);
  if (binary.getKind() == AffineExprKind::CeilDiv)
    return llvm::divideCeilSigned(*lhs, *rhs);
  return *lhs - *rhs * llvm::divideFloorSigned(*lhs, *rhs);
}

std::optional<SmallVector<int64_t>> tt::evaluate(AffineMap map,
                                                 ArrayRef<int64_t> dims) {
  SmallVector<int64_t> results;
  for (AffineExpr expr : map.getResults()) {
    std::optional<int64_t> result = ::evaluate(expr, dims);
    if (!result)
      return std::nullopt;
    results.push_back(*result);
  }
  return results;
}

/// The range of a product or a sum of two ranges.
static std::optional<IndexRange>
combine(AffineExprKind kind, const IndexRange &lhs, const IndexRange &rhs) {
  IndexRange result;
  if (kind == AffineExprKind::Add) {
    bool overflows = llvm::AddOverflow(lhs.first, rhs.first, result.first) ||
                     llvm::AddOverflow(lhs.last, rhs.last, result.last);
    return overflows ? std::nullopt : std::optional(result);
  }
  SmallVector<int64_t, 4> products;
  for (int64_t a : {lhs.first, lhs.last})
    for (int64_t b : {rhs.first, rhs.last})
      if (llvm::MulOverflow(a, b, products.emplace_back()))
        return std::nullopt;
  return IndexRange{*llvm::min_element(products), *llvm::max_element(products)};
}

std::optional<IndexRange> tt::getIndexRange(AffineExpr expr,
                                            ArrayRef<int64_t> shape) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return IndexRange{constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    int64_t last = shape[dim.getPosition()] - 1;
    return IndexRange{std::min<int64_t>(last, 0), last};
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<IndexRange> lhs = getIndexRange(binary.getLHS(), shape);
  std::optional<IndexRange> rhs = getIndexRange(binary.getRHS(), shape);
  if (!lhs || !rhs)
    return std::nullopt;
  AffineExprKind kind = binary.getKind();
  if (kind == AffineExprKind::Add || kind == AffineExprKind::Mul)
    return combine(kind, *lhs, *rhs);
  // Division is by a positive constant.
  int64_t divisor = rhs->first;
  if (divisor <= 0 || rhs->last != divisor)
    return std::nullopt;
  if (kind == AffineExprKind::FloorDiv)
    return IndexRange{llvm::divideFloorSigned(lhs->first, divisor),
                      llvm::divideFloorSigned(lhs->last, divisor)};
  if (kind == AffineExprKind::CeilDiv)
    return IndexRange{llvm::divideCeilSigned(lhs->first, divisor),
                      llvm::divideCeilSigned(lhs->last, divisor)};
  if (lhs->first >= 0 && lhs->last < divisor)
    return lhs;
  return IndexRange{0, divisor - 1};
}

SmallVector<int64_t> tt::evalShape(AffineMap map, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result;
  for (AffineExpr expr : map.getResults()) {
    std::optional<IndexRange> range = getIndexRange(expr, shape);
    if (!range)
      return SmallVector<int64_t>(map.getNumResults(), 0);
    result.push_back(range->last + 1);
  }
  return result;
}

int64_t tt::volume(ArrayRef<int64_t> shape) {
  int64_t result = 1;
  for (int64_t extent : shape)
    result *= extent;
  return result;
}

int64_t tt::saturatedVolume(ArrayRef<int64_t> shape) {
  int64_t result = 1;
  for (int64_t extent : shape)
    if (llvm::MulOverflow(result, extent, result))
      return std::numeric_limits<int64_t>::max();
  return result;
}

static bool intersects(OperandConstraint a, OperandConstraint b) {
  return (static_cast<uint32_t>(a) & static_cast<uint32_t>(b)) != 0;
}

bool tt::allowsMemorySpace(OperandConstraint constraint,
                           MemorySpace memorySpace) {
  switch (memorySpace) {
  case MemorySpace::System:
  case MemorySpace::SystemMMIO:
    return intersects(constraint, OperandConstraint::System);
  case MemorySpace::DeviceDRAM:
    return intersects(constraint, OperandConstraint::DRAM);
  case MemorySpace::DeviceL1:
    return intersects(constraint, OperandConstraint::L1);
  }
  llvm_unreachable("all memory spaces are handled");
}

bool tt::allowsMemoryLayout(OperandConstraint constraint,
                            TensorMemoryLayout memLayout) {
  switch (memLayout) {
  case TensorMemoryLayout::None:
    return intersects(constraint, OperandConstraint::None);
  case TensorMemoryLayout::Interleaved:
    return intersects(constraint, OperandConstraint::Interleaved);
  case TensorMemoryLayout::SingleBank:
    return intersects(constraint, OperandConstraint::SingleBank);
  case TensorMemoryLayout::HeightSharded:
    return intersects(constraint, OperandConstraint::HeightSharded);
  case TensorMemoryLayout::WidthSharded:
    return intersects(constraint, OperandConstraint::WidthSharded);
  case TensorMemoryLayout::BlockSharded:
    return intersects(constraint, OperandConstraint::BlockSharded);
  }
  llvm_unreachable("all memory layouts are handled");
}

/// Whether no extent of the grid is longer than the device's.
static bool isInside(ArrayRef<int64_t> grid, ArrayRef<int64_t> limit) {
  return grid.size() == limit.size() &&
         llvm::all_of(llvm::zip(grid, limit), [](auto extents) {
           return std::get<0>(extents) <= std::get<1>(extents);
         });
}

bool tt::fitsDevice(DeviceAttr device, GridAttr grid,
                    TensorMemoryLayout memLayout) {
  ArrayRef<int64_t> shape = grid.getShape();
  SmallVector<int64_t> limit = getChipGrid(device);
  if (isInside(shape, limit))
    return true;
  bool isLine = (memLayout == TensorMemoryLayout::HeightSharded &&
                 shape.size() == 2 && shape[1] == 1) ||
                (memLayout == TensorMemoryLayout::WidthSharded &&
                 shape.size() == 2 && shape[0] == 1);
  return isLine && limit.size() == 2 && volume(shape) <= volume(limit);
}

SmallVector<int64_t> tt::getWorkerPoint(DeviceAttr device, GridAttr grid,
                                        ArrayRef<int64_t> point) {
  SmallVector<int64_t> limit = getChipGrid(device);
  if (isInside(grid.getShape(), limit))
    return SmallVector<int64_t>(point);
  int64_t index = point[0] + point[1];
  return {index / limit[1], index % limit[1]};
}

/// The attribute of the nearest module around `op` that has it.
template <typename AttrT> static AttrT findInModules(Operation *op) {
  for (; op; op = op->getParentOp())
    if (isa<ModuleOp>(op))
      if (auto attr = op->getAttrOfType<AttrT>(AttrT::name))
        return attr;
  return {};
}

DeviceAttr tt::getScopeDevice(Operation *op) {
  return findInModules<DeviceAttr>(op);
}

SystemDescAttr tt::getScopeSystemDesc(Operation *op) {
  return findInModules<SystemDescAttr>(op);
}

//===----------------------------------------------------------------------===//
// PhysicalCoreCoordMapping
//===----------------------------------------------------------------------===//

static LogicalResult checkChipIds(function_ref<InFlightDiagnostic()> emitError,
                                  SystemDescAttr systemDesc,
                                  ArrayRef<unsigned> chipIds) {
  if (chipIds.empty())
    return emitError() << "expected at least one chip";
  for (unsigned id : chipIds)
    if (id >= systemDesc.getNumChips())
      return emitError() << "expected chip ids below "
                         << systemDesc.getNumChips() << ", found " << id;
  return success();
}

static void append(SmallVector<PhysicalCoreCoordMapping::Coord> &coords,
                   ArrayRef<CoreCoordAttr> cores) {
  for (CoreCoordAttr core : cores)
    coords.emplace_back(core.getY(), core.getX());
}

FailureOr<PhysicalCoreCoordMapping> PhysicalCoreCoordMapping::getWorkerMapping(
    function_ref<InFlightDiagnostic()> emitError, SystemDescAttr systemDesc,
    ArrayRef<unsigned> chipIds) {
  if (failed(checkChipIds(emitError, systemDesc, chipIds)))
    return failure();
  ArrayRef<int64_t> grid = systemDesc.getChipDesc(chipIds[0]).getGrid();
  PhysicalCoreCoordMapping mapping;
  mapping.rows = grid[0];
  mapping.columns = grid[1];
  for (unsigned id : chipIds) {
    ChipDescAttr chip = systemDesc.getChipDesc(id);
    if (chip.getGrid() != grid)
      return emitError() << "expected chips of one grid " << grid[0] << "x"
                         << grid[1] << ", found chip " << id << " with "
                         << chip.getGrid()[0] << "x" << chip.getGrid()[1];
    append(mapping.coords, chip.getChipPhysicalCores().getWorker());
  }
  return mapping;
}

FailureOr<PhysicalCoreCoordMapping> PhysicalCoreCoordMapping::getDramMapping(
    function_ref<InFlightDiagnostic()> emitError, SystemDescAttr systemDesc,
    ArrayRef<unsigned> chipIds) {
  if (failed(checkChipIds(emitError, systemDesc, chipIds)))
    return failure();
  PhysicalCoreCoordMapping mapping;
  mapping.rows = 1;
  mapping.columns = systemDesc.getChipDesc(chipIds[0])
                        .getChipPhysicalCores()
                        .getDram()
                        .size();
  for (unsigned id : chipIds) {
    ArrayRef<CoreCoordAttr> cores =
        systemDesc.getChipDesc(id).getChipPhysicalCores().getDram();
    if (static_cast<int64_t>(cores.size()) != mapping.columns)
      return emitError() << "expected chips of " << mapping.columns
                         << " DRAM cores, found chip " << id << " with "
                         << cores.size();
    append(mapping.coords, cores);
  }
  return mapping;
}

FailureOr<PhysicalCoreCoordMapping>
PhysicalCoreCoordMapping::getMemorySpaceMapping(
    function_ref<InFlightDiagnostic()> emitError, SystemDescAttr systemDesc,
    ArrayRef<unsigned> chipIds, MemorySpace memorySpace) {
  switch (memorySpace) {
  case MemorySpace::DeviceL1:
    return getWorkerMapping(emitError, systemDesc, chipIds);
  case MemorySpace::DeviceDRAM:
    return getDramMapping(emitError, systemDesc, chipIds);
  default:
    return emitError() << "expected memory space dram or l1, found "
                       << stringifyEnum(memorySpace);
  }
}
