#ifndef DIALECTS_TT_UTILS_H
#define DIALECTS_TT_UTILS_H

#include "dialects/TT/TTTypes.h"

#include "mlir/IR/Operation.h"

#include <array>
#include <optional>

namespace mlir::tt {

/// The most elements of a tensor, as in the runtime: more than any memory
/// holds.
constexpr int64_t kMaxElements = int64_t(1) << 40;
/// The most elements of the physical space of a layout, in which each matrix
/// may have its own tiles: arithmetic on indices does not overflow below it.
constexpr int64_t kMaxPhysicalElements = int64_t(1) << 56;
/// The most elements of a shard, with its padding to tiles.
constexpr int64_t kMaxShardElements = int64_t(1) << 60;

/// Whether a box of these extents has at most `limit` points; empty extents
/// count as one.
bool isAddressable(ArrayRef<int64_t> shape, int64_t limit = kMaxElements);

/// The results of `map` at a point; nothing where they overflow 64 bits or
/// divide by a number that is not positive.
std::optional<SmallVector<int64_t>> evaluate(AffineMap map,
                                             ArrayRef<int64_t> dims);

/// Extents of the box to which `map` maps the index space of `shape`: the map
/// applied to the last index, plus one. Exact for maps that do not decrease.
/// All are zero where the map cannot be evaluated.
SmallVector<int64_t> evalShape(AffineMap map, ArrayRef<int64_t> shape);

/// Product of all extents; 1 for none.
int64_t volume(ArrayRef<int64_t> shape);

/// The number format that stores elements of `type` (f32, f16, bf16, integers
/// of 32, 16 and 8 bits whatever their sign, tiles); nullopt for all others.
std::optional<DataType> elementTypeToDataType(Type type);

/// The type of a scalar of `dataType` in the IR: bfp_f* is f16, bfp_bf* is
/// bf16, integers are signless.
Type dataTypeToElementType(MLIRContext *context, DataType dataType);

/// Bits of a scalar of `dataType`; of block formats the bits of an element
/// without its share of the exponent.
unsigned getDataTypeBits(DataType dataType);

bool isBlockFloat(DataType dataType);

/// Whether a constraint allows the three properties of an operand.
bool allowsMemorySpace(OperandConstraint constraint, MemorySpace memorySpace);
bool allowsMemoryLayout(OperandConstraint constraint,
                        TensorMemoryLayout memLayout);

/// Whether a chip of the device has the cores of a tensor's grid. A column or a
/// row of cores (height- and width-sharded tensors) may be longer than a side
/// of the chip's grid: it is mapped to that grid row by row.
bool fitsDevice(DeviceAttr device, GridAttr grid, TensorMemoryLayout memLayout);

/// The point of the chip's grid that has the shard at `point` of a tensor's
/// grid, which fits the device.
SmallVector<int64_t> getWorkerPoint(DeviceAttr device, GridAttr grid,
                                    ArrayRef<int64_t> point);

/// The device of the module around `op` (attribute `tt.device`); null if it has
/// none.
DeviceAttr getScopeDevice(Operation *op);

/// The system of the module around `op` (attribute `tt.system_desc`); null if
/// it has none.
SystemDescAttr getScopeSystemDesc(Operation *op);

/// Physical coordinates (y, x) of the cores of a device. Chips of one device
/// have equal grids and equally many DRAM channels.
class PhysicalCoreCoordMapping {
public:
  using Coord = std::pair<int64_t, int64_t>;

  /// Worker cores of the given chips: index is (chip position, y, x).
  static FailureOr<PhysicalCoreCoordMapping>
  getWorkerMapping(function_ref<InFlightDiagnostic()> emitError,
                   SystemDescAttr systemDesc, ArrayRef<unsigned> chipIds);
  /// DRAM cores of the given chips: a grid of 1 x channels.
  static FailureOr<PhysicalCoreCoordMapping>
  getDramMapping(function_ref<InFlightDiagnostic()> emitError,
                 SystemDescAttr systemDesc, ArrayRef<unsigned> chipIds);
  /// Worker or DRAM cores, whichever `memorySpace` belongs to.
  static FailureOr<PhysicalCoreCoordMapping>
  getMemorySpaceMapping(function_ref<InFlightDiagnostic()> emitError,
                        SystemDescAttr systemDesc, ArrayRef<unsigned> chipIds,
                        MemorySpace memorySpace);

  Coord operator[](std::array<int64_t, 3> index) const {
    return coords[(index[0] * rows + index[1]) * columns + index[2]];
  }
  int64_t getNumRows() const { return rows; }
  int64_t getNumColumns() const { return columns; }

private:
  int64_t rows = 0, columns = 0;
  SmallVector<Coord> coords;
};

} // namespace mlir::tt

#endif
