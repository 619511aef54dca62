#include "dialects/TT/Mesh.h"

#include "ttmlir/MeshPlacement.h"

using namespace mlir;
using namespace mlir::tt;

std::string mlir::tt::formatExtents(ArrayRef<int64_t> extents) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(extents, os, "x");
  return text;
}

int64_t mlir::tt::countLinks(SystemDescAttr systemDesc, unsigned chip0,
                             unsigned chip1) {
  auto ends = std::minmax({chip0, chip1});
  return llvm::count_if(
      systemDesc.getChipChannels(), [&](ChipChannelAttr channel) {
        return ends ==
               std::minmax({channel.getDeviceId0(), channel.getDeviceId1()});
      });
}

SmallVector<unsigned> mlir::tt::getMeshPlacement(SystemDescAttr systemDesc,
                                                 ArrayRef<int64_t> meshShape) {
  ttmlir::MeshPlacement::Links links;
  for (ChipChannelAttr channel : systemDesc.getChipChannels())
    links.emplace_back(channel.getDeviceId0(), channel.getDeviceId1());
  return llvm::to_vector_of<unsigned>(ttmlir::MeshPlacement::choose(
      systemDesc.getNumChips(), links, {meshShape.begin(), meshShape.end()}));
}

Mesh::Mesh(ArrayRef<int64_t> shape, ArrayRef<unsigned> chipIds)
    : shape(shape), chipIds(chipIds) {
  while (this->shape.size() < 2)
    this->shape.push_back(1);
  assert(volume(shape) == static_cast<int64_t>(chipIds.size()) &&
         "a mesh has one chip at every point");
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

SmallVector<int64_t> Mesh::getPoint(int64_t position) const {
  SmallVector<int64_t> point(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    point[d] = position % shape[d];
    position /= shape[d];
  }
  return point;
}

int64_t Mesh::getPosition(ArrayRef<int64_t> point) const {
  int64_t position = 0;
  for (auto [extent, index] : llvm::zip_equal(shape, point))
    position = position * extent + index;
  return position;
}

std::optional<int64_t> Mesh::getNeighbour(int64_t position, int64_t axis,
                                          int64_t step, bool wrap) const {
  SmallVector<int64_t> point = getPoint(position);
  int64_t index = point[axis] + step, extent = shape[axis];
  if (!wrap && (index < 0 || index >= extent))
    return std::nullopt;
  point[axis] = (index % extent + extent) % extent;
  return getPosition(point);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

LogicalResult Mesh::verifyAxis(EmitError emitError, int64_t axis) const {
  if (axis >= 0 && axis < getRank())
    return success();
  return emitError() << "expected a cluster axis below " << getRank()
                     << ", the dimensions of mesh " << str() << ", found "
                     << axis;
}

int64_t Mesh::getGroupSize(std::optional<int64_t> axis) const {
  return axis ? shape[*axis] : getNumChips();
}

Mesh::Groups Mesh::getGroups(std::optional<int64_t> axis) const {
  if (!axis)
    return {llvm::to_vector(llvm::seq<int64_t>(0, getNumChips()))};
  Groups groups;
  for (int64_t position = 0; position < getNumChips(); ++position) {
    if (getPoint(position)[*axis] != 0)
      continue;
    SmallVector<int64_t> &group = groups.emplace_back();
    for (int64_t step = 0; step < shape[*axis]; ++step)
      group.push_back(*getNeighbour(position, *axis, step));
  }
  return groups;
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

LogicalResult Mesh::verifyLink(EmitError emitError, SystemDescAttr systemDesc,
                               int64_t position0, int64_t position1) const {
  unsigned chip0 = chipIds[position0], chip1 = chipIds[position1];
  if (countLinks(systemDesc, chip0, chip1) > 0)
    return success();
  return emitError() << "expected an Ethernet link between chips " << chip0
                     << " and " << chip1 << " (positions " << position0
                     << " and " << position1 << " of mesh " << str()
                     << "), found none in the system";
}

bool Mesh::wraps(SystemDescAttr systemDesc, int64_t axis) const {
  int64_t last = shape[axis] - 1;
  if (last < 2)
    return false;
  return llvm::all_of(getGroups(axis), [&](ArrayRef<int64_t> group) {
    return countLinks(systemDesc, chipIds[group[last]], chipIds[group[0]]) > 0;
  });
}

bool Mesh::isRing(SystemDescAttr systemDesc, int64_t axis) const {
  if (!wraps(systemDesc, axis))
    return false;
  return llvm::all_of(llvm::seq<int64_t>(0, getNumChips()), [&](int64_t from) {
    std::optional<int64_t> to = getNeighbour(from, axis, 1);
    return !to || countLinks(systemDesc, chipIds[from], chipIds[*to]) > 0;
  });
}

LogicalResult Mesh::verifyLinks(EmitError emitError, SystemDescAttr systemDesc,
                                int64_t axis, bool ring) const {
  bool wrap = ring && shape[axis] > 2;
  for (int64_t from = 0; from < getNumChips(); ++from) {
    std::optional<int64_t> to = getNeighbour(from, axis, 1, wrap);
    if (to && failed(verifyLink(emitError, systemDesc, from, *to)))
      return failure();
  }
  return success();
}

SmallVector<int64_t> Mesh::getRoute(SystemDescAttr systemDesc, int64_t from,
                                    int64_t to) const {
  SmallVector<int64_t> route = {from};
  SmallVector<int64_t> target = getPoint(to);
  for (int64_t axis = getRank() - 1; axis >= 0; --axis) {
    int64_t extent = shape[axis], start = getPoint(route.back())[axis];
    int64_t distance = target[axis] - start, hops = std::abs(distance);
    int64_t step = distance < 0 ? -1 : 1;
    if (extent - hops < hops && wraps(systemDesc, axis)) {
      step = -step;
      hops = extent - hops;
    }
    for (; hops > 0; --hops)
      route.push_back(*getNeighbour(route.back(), axis, step, /*wrap=*/true));
  }
  return route;
}

LogicalResult Mesh::verifyRoute(EmitError emitError, SystemDescAttr systemDesc,
                                int64_t from, int64_t to) const {
  SmallVector<int64_t> route = getRoute(systemDesc, from, to);
  for (size_t i = 1; i < route.size(); ++i)
    if (failed(verifyLink(emitError, systemDesc, route[i - 1], route[i])))
      return failure();
  return success();
}

LogicalResult mlir::tt::verifyEqualCores(Mesh::EmitError emitError,
                                         SystemDescAttr systemDesc,
                                         DeviceAttr device) {
  ArrayRef<unsigned> chips = device.getChipIds();
  auto getCores = [&](unsigned chip) {
    return systemDesc.getChipDesc(chip).getChipPhysicalCores();
  };
  for (unsigned chip : chips.drop_front()) {
    ChipPhysicalCoresAttr cores = getCores(chip), first = getCores(chips[0]);
    if (cores.getWorker() != first.getWorker() ||
        cores.getDram() != first.getDram())
      return emitError() << "expected the cores of all chips of mesh "
                         << Mesh(device).str()
                         << " at the same places, found chips " << chips[0]
                         << " and " << chip << " with different ones";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Devices of modules
//===----------------------------------------------------------------------===//

std::optional<Mesh> mlir::tt::getScopeMesh(Operation *op) {
  if (DeviceAttr device = getScopeDevice(op))
    return Mesh(device);
  return std::nullopt;
}

DeviceAttr mlir::tt::getScopeChipView(Operation *op) {
  DeviceAttr device = getScopeDevice(op);
  return device ? getChipView(device) : device;
}
