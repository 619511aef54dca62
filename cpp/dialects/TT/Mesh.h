#ifndef DIALECTS_TT_MESH_H
#define DIALECTS_TT_MESH_H

#include "dialects/TT/TT.h"

#include <optional>
#include <string>

namespace mlir::tt {

/// Extents joined by 'x', as meshes are written: `2x4`.
std::string formatExtents(ArrayRef<int64_t> extents);

/// The Ethernet links of the system that join two of its chips.
int64_t countLinks(SystemDescAttr systemDesc, unsigned chip0, unsigned chip1);

/// The chips of a device as points of its mesh.
///
/// A position is the row-major index of a chip in the mesh; a chip id is its
/// index in the system. A mesh of less than two dimensions is extended by ones:
/// no mesh is 1x1, a mesh of `2` is 2x1. A cluster axis is a mesh dimension
/// along which chips communicate.
class Mesh {
public:
  using EmitError = function_ref<InFlightDiagnostic()>;
  using Groups = SmallVector<SmallVector<int64_t>>;

  explicit Mesh(DeviceAttr device)
      : Mesh(device.getMeshShape(), device.getChipIds()) {}
  /// `chipIds` row-major over `shape`, as many as the mesh has points.
  Mesh(ArrayRef<int64_t> shape, ArrayRef<unsigned> chipIds);

  /// Extents, at least two.
  ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return static_cast<int64_t>(shape.size()); }
  int64_t getNumChips() const { return static_cast<int64_t>(chipIds.size()); }
  unsigned getChipId(int64_t position) const { return chipIds[position]; }
  /// The mesh for messages: `2x4`.
  std::string str() const { return formatExtents(shape); }

  /// Index of a position in every dimension, and back.
  SmallVector<int64_t> getPoint(int64_t position) const;
  int64_t getPosition(ArrayRef<int64_t> point) const;

  /// The position `step` chips further along `axis`; nothing beyond the end of
  /// the mesh, or the other end of it when `wrap` is set.
  std::optional<int64_t> getNeighbour(int64_t position, int64_t axis,
                                      int64_t step, bool wrap = false) const;

  /// An error unless `axis` is a dimension of the mesh.
  LogicalResult verifyAxis(EmitError emitError, int64_t axis) const;

  /// Chips of a group that communicates along `axis`; all without an axis.
  int64_t getGroupSize(std::optional<int64_t> axis) const;
  /// The groups along `axis`, positions in ascending order; without an axis
  /// one group of all chips. Every position is in exactly one group.
  Groups getGroups(std::optional<int64_t> axis) const;

  /// Whether the groups along `axis` have three or more chips and every one has
  /// a link from its last to its first chip.
  bool wraps(SystemDescAttr systemDesc, int64_t axis) const;
  /// Whether the chips of every group along `axis` form a ring: neighbours are
  /// linked, and the axis wraps.
  bool isRing(SystemDescAttr systemDesc, int64_t axis) const;

  /// An error that names the two chips unless all neighbours along `axis` are
  /// linked; with `ring` the ends of every group of three or more too.
  LogicalResult verifyLinks(EmitError emitError, SystemDescAttr systemDesc,
                            int64_t axis, bool ring = false) const;

  /// Positions on the route from one chip to another, both included: dimension
  /// by dimension, the last one first, from neighbour to neighbour. On an axis
  /// that wraps around, the shorter direction.
  SmallVector<int64_t> getRoute(SystemDescAttr systemDesc, int64_t from,
                                int64_t to) const;
  /// An error that names the two chips unless all hops of the route are linked.
  LogicalResult verifyRoute(EmitError emitError, SystemDescAttr systemDesc,
                            int64_t from, int64_t to) const;

private:
  LogicalResult verifyLink(EmitError emitError, SystemDescAttr systemDesc,
                           int64_t position0, int64_t position1) const;

  SmallVector<int64_t> shape;
  SmallVector<unsigned> chipIds;
};

/// Chips of the system for a mesh of `meshShape`, row-major, as
/// `ttmlir::MeshPlacement` chooses them; the system has enough of them.
SmallVector<unsigned> getMeshPlacement(SystemDescAttr systemDesc,
                                       ArrayRef<int64_t> meshShape);

/// The mesh of the module around `op`; nothing if the module has no
/// `tt.device`.
std::optional<Mesh> getScopeMesh(Operation *op);

/// Rows and columns of cores that one chip of the device has in its grid.
SmallVector<int64_t> getChipGrid(DeviceAttr device);

/// The device from the view of one chip: the cores and memories of a chip,
/// without mesh. Tensors of a program are those of one chip, so passes that
/// place them use this view. A device of one chip is its own view.
DeviceAttr getChipView(DeviceAttr device);

/// The view of the device of the module around `op`; null without a device.
DeviceAttr getScopeChipView(Operation *op);

/// An error unless all chips of the device have their workers and DRAM cores at
/// the same physical places: kernels name those, and the same kernels run on
/// every chip.
LogicalResult verifyEqualCores(Mesh::EmitError emitError,
                               SystemDescAttr systemDesc, DeviceAttr device);

/// The device laid out as `meshShape`, with `shape` (rows, columns) cores a
/// chip, all of a chip's when that is empty, of the chips `chipIds` (row-major
/// over the mesh) or, without them, of those that getMeshPlacement chooses.
/// Null, and an error, if the system does not have them.
DeviceAttr createDevice(Mesh::EmitError emitError, SystemDescAttr systemDesc,
                        ArrayRef<int64_t> meshShape,
                        std::optional<ArrayRef<unsigned>> chipIds = {},
                        ArrayRef<int64_t> shape = {});

} // namespace mlir::tt

#endif
