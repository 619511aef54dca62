#include "dialects/TT/CoreRanges.h"

#include "dialects/TT/Mesh.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::tt;

/// Adds a core after the last one.
static void append(SmallVectorImpl<CoreRange> &ranges, int32_t y, int32_t x) {
  CoreRange *last = ranges.empty() ? nullptr : &ranges.back();
  if (last && last->y == y && last->height == 1 && last->x + last->width == x)
    ++last->width;
  else
    ranges.push_back({y, x, 1, 1});
}

/// Joins the last rectangle to the one above that has the same columns.
static void joinRows(SmallVectorImpl<CoreRange> &ranges) {
  if (ranges.size() < 2)
    return;
  CoreRange row = ranges.back();
  CoreRange &above = ranges[ranges.size() - 2];
  if (above.x != row.x || above.width != row.width ||
      above.y + above.height != row.y)
    return;
  above.height += row.height;
  ranges.pop_back();
}

/// The next point of a box of these extents in row-major order.
static void advance(MutableArrayRef<int64_t> point, ArrayRef<int64_t> shape) {
  for (size_t d = point.size(); d-- > 0;) {
    if (++point[d] < shape[d])
      return;
    point[d] = 0;
  }
}

FailureOr<SmallVector<CoreRange>>
mlir::tt::getCoreRanges(function_ref<InFlightDiagnostic()> emitError,
                        LayoutAttr layout, DeviceAttr device) {
  device = getChipView(device);
  GridAttr grid = layout.getGrid(), workerGrid = device.getWorkerGrid();
  ArrayRef<int64_t> shape = grid.getShape();
  if (!fitsDevice(device, grid, layout.getMemLayout()))
    return emitError() << "has a tensor on the grid " << grid
                       << ", which is not inside the device's grid "
                       << GridAttr::get(grid.getContext(),
                                        workerGrid.getShape());

  SmallVector<CoreRange> ranges;
  SmallVector<int64_t> point(shape.size(), 0);
  for (int64_t i = 0, e = grid.getVolume(); i < e; ++i) {
    SmallVector<int64_t> worker = getWorkerPoint(device, grid, point);
    SmallVector<int64_t> core = evaluate(workerGrid.getMapping(), worker)
                                    .value_or(SmallVector<int64_t>(3, -1));
    if (core[0] != 0)
      return emitError() << "has a tensor on chip " << core[0]
                         << " of the device; a program runs on one chip";
    append(ranges, static_cast<int32_t>(core[1]),
           static_cast<int32_t>(core[2]));
    joinRows(ranges);
    advance(point, shape);
  }
  return ranges;
}

LogicalResult
mlir::tt::verifyCores(function_ref<InFlightDiagnostic()> emitError,
                      DeviceAttr device, SystemDescAttr systemDesc) {
  // The cores of all chips in one row.
  SmallVector<int64_t> firstCores;
  int64_t numCores = 0;
  for (unsigned id : device.getChipIds()) {
    firstCores.push_back(numCores);
    numCores += volume(systemDesc.getChipDesc(id).getGrid());
  }
  std::string mesh = Mesh(device).str();
  ArrayRef<int64_t> shape = device.getWorkerGrid().getShape();
  if (!isAddressable(shape, numCores))
    return emitError() << "expected a worker grid of at most " << numCores
                       << " points, the cores of mesh " << mesh << ", found "
                       << formatExtents(shape);

  BitVector used(static_cast<unsigned>(numCores));
  SmallVector<int64_t> point(shape.size(), 0);
  for (int64_t i = 0, e = volume(shape); i < e; ++i, advance(point, shape)) {
    auto place = evaluate(device.getWorkerGrid().getMapping(), point);
    int64_t chip = place ? place->front() : -1;
    if (chip < 0 || chip >= static_cast<int64_t>(firstCores.size()))
      return emitError() << "expected the points of the worker grid on the "
                            "chips of mesh "
                         << mesh << ", found " << formatExtents(point)
                         << " elsewhere";
    ArrayRef<int64_t> cores =
        systemDesc.getChipDesc(device.getChipIds()[chip]).getGrid();
    int64_t y = (*place)[1], x = (*place)[2];
    if (y < 0 || y >= cores[0] || x < 0 || x >= cores[1])
      return emitError() << "expected the points of the worker grid on the "
                         << formatExtents(cores) << " cores of a chip of mesh "
                         << mesh << ", found " << formatExtents(point)
                         << " on core " << y << "," << x;
    auto core = static_cast<unsigned>(firstCores[chip] + y * cores[1] + x);
    if (used.test(core))
      return emitError() << "expected every point of the worker grid on a core "
                            "of its own in mesh "
                         << mesh << ", found " << formatExtents(point)
                         << " on core " << y << "," << x << " of chip "
                         << device.getChipIds()[chip] << " as well";
    used.set(core);
  }
  return success();
}
