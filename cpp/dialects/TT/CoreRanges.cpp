#include "dialects/TT/CoreRanges.h"

#include "dialects/TT/Mesh.h"

using namespace mlir;
using namespace mlir::tt;

/// Adds a core behind the last one.
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
    for (size_t d = point.size(); d-- > 0;) {
      if (++point[d] < shape[d])
        break;
      point[d] = 0;
    }
  }
  return ranges;
}
