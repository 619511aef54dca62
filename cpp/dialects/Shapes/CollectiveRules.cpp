#include "dialects/Shapes/CollectiveRules.h"

#include "dialects/Shapes/ShapeRules.h"
#include "dialects/TT/Bounds.h"

#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#include <set>

namespace mlir::tt::shapes {

//===----------------------------------------------------------------------===//
// What an op says
//===----------------------------------------------------------------------===//

/// Names of an op and of the attributes that are called differently by kind.
struct KindFacts {
  StringRef name;
  CollectiveKind kind;
  StringRef dim, groups;
};

static constexpr KindFacts kKinds[] = {
    {"all_gather", CollectiveKind::AllGather, "all_gather_dim", ""},
    {"reduce_scatter", CollectiveKind::ReduceScatter, "scatter_dim", ""},
    {"all_reduce", CollectiveKind::AllReduce, "", ""},
    {"collective_permute", CollectiveKind::CollectivePermute, "",
     "source_target_pairs"},
    {"mesh_partition", CollectiveKind::MeshPartition, "dim", ""},
    {"all_to_all", CollectiveKind::AllToAll, "split_dim", "replica_groups"},
    {"collective_broadcast", CollectiveKind::CollectiveBroadcast, "",
     "replica_groups"},
};

static const KindFacts &getFacts(Operation *op) {
  StringRef name = op->getName().stripDialect();
  for (const KindFacts &facts : kKinds)
    if (facts.name == name)
      return facts;
  llvm_unreachable("expected a collective");
}

static const KindFacts &getFacts(CollectiveKind kind) {
  return kKinds[static_cast<size_t>(kind)];
}

static std::optional<int64_t> getInteger(Operation *op, StringRef name) {
  auto attr =
      name.empty() ? IntegerAttr() : op->getAttrOfType<IntegerAttr>(name);
  if (!attr)
    return std::nullopt;
  return attr.getType().isUnsignedInteger()
             ? static_cast<int64_t>(attr.getValue().getZExtValue())
             : attr.getValue().getSExtValue();
}

Collective getCollective(Operation *op) {
  const KindFacts &facts = getFacts(op);
  Collective collective;
  collective.kind = facts.kind;
  collective.inputs = op->getOperands().take_front(1);
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    collective.inputs = op->getOperands().drop_back(dps.getNumDpsInits());
  collective.outputs = op->getResultTypes();
  if (auto reduce = op->getAttrOfType<ReduceTypeAttr>("reduce_type"))
    collective.reduceType = reduce.getValue();
  collective.dim = getInteger(op, facts.dim);
  collective.concatDim = getInteger(op, "concat_dim");
  collective.splitCount = getInteger(op, "split_count");
  collective.clusterAxis = getInteger(op, "cluster_axis");
  if (!facts.groups.empty())
    collective.groups = op->getAttrOfType<DenseIntElementsAttr>(facts.groups);
  collective.numLinks = getInteger(op, "num_links");
  if (auto topology = op->getAttrOfType<TopologyAttr>("topology"))
    collective.topology = topology.getValue();
  return collective;
}

static Mesh::Groups getRows(DenseIntElementsAttr groups) {
  int64_t size = groups.getType().getDimSize(1);
  Mesh::Groups rows(groups.getType().getDimSize(0));
  for (auto [index, position] : llvm::enumerate(groups.getValues<int64_t>()))
    rows[index / size].push_back(position);
  return rows;
}

Mesh::Groups getGroups(const Collective &collective, const Mesh &mesh) {
  return collective.groups ? getRows(collective.groups)
                           : mesh.getGroups(collective.clusterAxis);
}

bool isTrivial(const Collective &collective, const Mesh &mesh) {
  Mesh::Groups groups = getGroups(collective, mesh);
  // The row of a permutation is a group of one chip if it sends to itself.
  return static_cast<int64_t>(groups.size()) == mesh.getNumChips() &&
         llvm::all_of(groups, [](ArrayRef<int64_t> group) {
           return llvm::all_equal(group);
         });
}

//===----------------------------------------------------------------------===//
// Rules of the op alone
//===----------------------------------------------------------------------===//

static LogicalResult verifyTensors(Operation *op,
                                   const Collective &collective) {
  size_t inputs = collective.inputs.size(), outputs = collective.outputs.size();
  if (inputs != outputs || inputs == 0)
    return op->emitOpError("expected one output for each input, and at least "
                           "one: found ")
           << inputs << " inputs and " << outputs << " outputs";
  for (auto [in, out] :
       llvm::zip(collective.inputs.getTypes(), collective.outputs)) {
    auto input = cast<RankedTensorType>(in);
    auto output = cast<RankedTensorType>(out);
    if (input.getElementType() != output.getElementType())
      return op->emitOpError("input and output must have one element type: "
                             "found ")
             << input.getElementType() << " and " << output.getElementType();
    if (input.getRank() != output.getRank())
      return op->emitOpError("input and output must have one rank: found ")
             << input.getRank() << " and " << output.getRank();
  }
  return success();
}

static LogicalResult verifyReduceType(Operation *op,
                                      const Collective &collective) {
  std::optional<ReduceType> type = collective.reduceType;
  if (type && *type >= ReduceType::Std)
    return op->emitOpError("reduce_type is not supported: expected sum, mean, "
                           "max or min, found ")
           << stringifyEnum(*type);
  for (Type input : collective.inputs.getTypes())
    if (Type element = cast<RankedTensorType>(input).getElementType();
        type == ReduceType::Mean && element.isInteger())
      return op->emitOpError("expected a floating-point tensor for a mean, "
                             "found ")
             << element;
  return success();
}

static LogicalResult verifyDim(Operation *op, StringRef name,
                               std::optional<int64_t> dim, int64_t rank) {
  if (!dim || normalizeDim(*dim, rank))
    return success();
  return op->emitOpError(name)
         << " must be a dimension of the input: expected one in [" << -rank
         << ", " << rank << "), found " << *dim;
}

/// Positions that no row may have twice; in a permutation no column.
static LogicalResult verifyRows(Operation *op, StringRef name,
                                DenseIntElementsAttr groups, bool isPairs) {
  ShapedType type = groups.getType();
  if (type.getRank() != 2 || type.getDimSize(1) == 0 ||
      (isPairs && type.getDimSize(1) != 2))
    return op->emitOpError(name)
           << " must be a tensor of " << (isPairs ? "nx2" : "groups x chips")
           << " positions: found " << type;
  // A splat of any size ends at its second position.
  std::set<int64_t> seen[2];
  for (auto [index, position] : llvm::enumerate(groups.getValues<int64_t>())) {
    size_t column = isPairs ? index % 2 : 0;
    if (position < 0)
      return op->emitOpError(name)
             << (isPairs ? " must have positions of chips in the mesh"
                         : " must have groups of one size")
             << ": expected numbers from 0 on, found " << position;
    if (!seen[column].insert(position).second)
      return op->emitOpError(name)
             << " must have each "
             << (isPairs ? (column == 0 ? "source" : "target") : "chip")
             << " once: found position " << position << " twice";
  }
  return success();
}

static bool isMultiple(int64_t large, int64_t small) {
  return small == large || (small > 0 && large % small == 0);
}

/// The shapes of tensors whose extents in `dim` have a whole ratio, which
/// depends on the mesh.
static LogicalResult verifyRatio(Operation *op, RankedTensorType input,
                                 RankedTensorType output, int64_t dim,
                                 bool grows) {
  for (int64_t d = 0; d < input.getRank(); ++d) {
    int64_t from = input.getDimSize(d), to = output.getDimSize(d);
    if (from == to ||
        (d == dim && (grows ? isMultiple(to, from) : isMultiple(from, to))))
      continue;
    return op->emitOpError("Output shape mismatch: expected ")
           << (d != dim ? "the input's extent "
               : grows  ? "a multiple of the input's extent "
                        : "a divisor of the input's extent ")
           << from << " in dimension " << d << ", found "
           << toString(output.getShape());
  }
  return success();
}

static FailureOr<Shape> inferAllToAll(Operation *op,
                                      const Collective &collective,
                                      RankedTensorType input) {
  int64_t rank = input.getRank(), count = *collective.splitCount;
  int64_t split = *normalizeDim(*collective.dim, rank);
  if (count < 1 || input.getDimSize(split) % count != 0)
    return op->emitOpError("split_count must divide the input's extent ")
           << input.getDimSize(split) << " in dimension " << split << ": found "
           << count;
  int64_t size = collective.groups.getType().getDimSize(1);
  if (size != count)
    return op->emitOpError("replica_groups must have split_count chips each: "
                           "expected ")
           << count << ", found " << size;
  Shape shape(input.getShape());
  shape[split] /= count;
  shape[*normalizeDim(*collective.concatDim, rank)] *= count;
  return shape;
}

static LogicalResult verifyDims(Operation *op, const Collective &collective,
                                int64_t rank) {
  if (failed(
          verifyDim(op, getFacts(collective.kind).dim, collective.dim, rank)))
    return failure();
  return verifyDim(op, "concat_dim", collective.concatDim, rank);
}

static LogicalResult verifyShapes(Operation *op, const Collective &collective,
                                  RankedTensorType input,
                                  RankedTensorType output) {
  int64_t rank = input.getRank();
  if (failed(verifyDims(op, collective, rank)))
    return failure();
  switch (collective.kind) {
  case CollectiveKind::AllGather:
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::MeshPartition:
    return verifyRatio(op, input, output, *normalizeDim(*collective.dim, rank),
                       collective.kind == CollectiveKind::AllGather);
  case CollectiveKind::AllToAll:
    return expectShape(op, inferAllToAll(op, collective, input), output);
  case CollectiveKind::AllReduce:
  case CollectiveKind::CollectivePermute:
  case CollectiveKind::CollectiveBroadcast:
    return expectShape(op, Shape(input.getShape()), output);
  }
  llvm_unreachable("every kind is listed");
}

/// What the op says besides its tensors' shapes.
static LogicalResult verifyAttributes(Operation *op,
                                      const Collective &collective) {
  if (failed(verifyReduceType(op, collective)))
    return failure();
  bool isPairs = collective.kind == CollectiveKind::CollectivePermute;
  if (collective.groups &&
      failed(verifyRows(op, getFacts(collective.kind).groups, collective.groups,
                        isPairs)))
    return failure();
  if (collective.numLinks && *collective.numLinks == 0)
    return op->emitOpError("num_links must be positive: found 0");
  return success();
}

LogicalResult verifyCollective(Operation *op) {
  Collective collective = getCollective(op);
  if (failed(verifyTensors(op, collective)) ||
      failed(verifyAttributes(op, collective)))
    return failure();
  for (auto [input, output] :
       llvm::zip(collective.inputs.getTypes(), collective.outputs))
    if (failed(verifyShapes(op, collective, cast<RankedTensorType>(input),
                            cast<RankedTensorType>(output))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Rules about the mesh
//===----------------------------------------------------------------------===//

/// Positions in the mesh; in the groups of an all_to_all every one.
static LogicalResult
verifyPositions(Operation *op, const Collective &collective, const Mesh &mesh) {
  if (!collective.groups)
    return success();
  StringRef name = getFacts(collective.kind).groups;
  int64_t chips = mesh.getNumChips();
  for (int64_t position : collective.groups.getValues<int64_t>())
    if (position >= chips)
      return op->emitOpError(name)
             << " must have positions of chips in the mesh " << mesh.str()
             << ": expected numbers below " << chips << ", found " << position;
  if (collective.kind == CollectiveKind::AllToAll &&
      collective.groups.size() != chips)
    return op->emitOpError(name)
           << " must have every chip of the mesh " << mesh.str()
           << ": expected " << chips << " positions, found "
           << collective.groups.size();
  return success();
}

/// The output of an input: in an all_gather its extent is as many times the
/// input's as a group has chips, when a tensor is divided it is the other way
/// round.
static FailureOr<Shape> inferOutput(Operation *op, const Collective &collective,
                                    const Mesh &mesh, RankedTensorType input) {
  Shape shape(input.getShape());
  int64_t chips = mesh.getGroupSize(collective.clusterAxis);
  switch (collective.kind) {
  case CollectiveKind::AllGather: {
    int64_t dim = *normalizeDim(*collective.dim, input.getRank());
    shape[dim] = saturatedVolume({shape[dim], chips});
    return shape;
  }
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::MeshPartition: {
    int64_t dim = *normalizeDim(*collective.dim, input.getRank());
    if (shape[dim] % chips != 0)
      return op->emitOpError("the chips of a group must get equal parts: "
                             "expected an extent that ")
             << chips << " chips of the mesh " << mesh.str()
             << " divide in dimension " << dim << ", found " << toString(shape);
    shape[dim] /= chips;
    return shape;
  }
  case CollectiveKind::AllToAll:
    return inferAllToAll(op, collective, input);
  case CollectiveKind::AllReduce:
  case CollectiveKind::CollectivePermute:
  case CollectiveKind::CollectiveBroadcast:
    return shape;
  }
  llvm_unreachable("every kind is listed");
}

/// The op's rules on the mesh, but for links.
static LogicalResult verifyOnMesh(Operation *op, const Collective &collective,
                                  const Mesh &mesh) {
  if (collective.clusterAxis &&
      failed(mesh.verifyAxis([&] { return op->emitOpError(); },
                             *collective.clusterAxis)))
    return failure();
  return verifyPositions(op, collective, mesh);
}

FailureOr<SmallVector<Shape>> inferCollective(Operation *op, const Mesh &mesh) {
  Collective collective = getCollective(op);
  if (failed(verifyAttributes(op, collective)) ||
      failed(verifyOnMesh(op, collective, mesh)))
    return failure();
  SmallVector<Shape> shapes;
  for (Type type : collective.inputs.getTypes()) {
    auto input = cast<RankedTensorType>(type);
    if (failed(verifyDims(op, collective, input.getRank())))
      return failure();
    FailureOr<Shape> shape = inferOutput(op, collective, mesh, input);
    if (failed(shape))
      return failure();
    shapes.push_back(std::move(*shape));
  }
  return shapes;
}

static LogicalResult verifyExtents(Operation *op, const Collective &collective,
                                   const Mesh &mesh) {
  // Other kinds do not depend on the mesh.
  if (collective.kind != CollectiveKind::AllGather &&
      collective.kind != CollectiveKind::ReduceScatter &&
      collective.kind != CollectiveKind::MeshPartition)
    return success();
  int64_t chips = mesh.getGroupSize(collective.clusterAxis);
  for (auto [in, out] :
       llvm::zip(collective.inputs.getTypes(), collective.outputs)) {
    auto input = cast<RankedTensorType>(in);
    auto output = cast<RankedTensorType>(out);
    int64_t dim = *normalizeDim(*collective.dim, input.getRank());
    if (input.isDynamicDim(dim) || output.isDynamicDim(dim))
      continue;
    FailureOr<Shape> expected = inferOutput(op, collective, mesh, input);
    if (failed(expected))
      return failure();
    if (output.getDimSize(dim) != (*expected)[dim])
      return op->emitOpError("Output shape mismatch: expected ")
             << toString(*expected) << ", found " << toString(output.getShape())
             << " with groups of " << chips << (chips == 1 ? " chip" : " chips")
             << " on the mesh " << mesh.str();
  }
  return success();
}

/// `num_links` links between two neighbours.
static LogicalResult
verifyLinkCount(Operation *op, const Collective &collective, const Mesh &mesh,
                SystemDescAttr systemDesc, int64_t from, int64_t to) {
  int64_t expected = collective.numLinks.value_or(1);
  if (expected == 1)
    return success();
  int64_t found =
      countLinks(systemDesc, mesh.getChipId(from), mesh.getChipId(to));
  if (found >= expected)
    return success();
  return op->emitOpError("num_links must be links that the system has: "
                         "expected at most ")
         << found << " between chips " << mesh.getChipId(from) << " and "
         << mesh.getChipId(to) << " (positions " << from << " and " << to
         << " of mesh " << mesh.str() << "), found " << expected;
}

/// Links between neighbours along the axis.
static LogicalResult verifyLinksAlong(Operation *op,
                                      const Collective &collective,
                                      const Mesh &mesh,
                                      SystemDescAttr systemDesc, int64_t axis) {
  bool isRing = collective.topology == Topology::Ring;
  if (failed(mesh.verifyLinks([&] { return op->emitOpError(); }, systemDesc,
                              axis, isRing)))
    return failure();
  for (ArrayRef<int64_t> group : mesh.getGroups(axis))
    for (size_t i = 0; i + (isRing && group.size() > 2 ? 0 : 1) < group.size();
         ++i)
      if (failed(verifyLinkCount(op, collective, mesh, systemDesc, group[i],
                                 group[(i + 1) % group.size()])))
        return failure();
  return success();
}

/// Checks the links on the routes between the chips of the groups.
static LogicalResult verifyLinks(Operation *op, const Collective &collective,
                                 const Mesh &mesh, SystemDescAttr systemDesc) {
  auto emitError = [&] { return op->emitOpError(); };
  // Nothing is sent.
  if (collective.kind == CollectiveKind::MeshPartition)
    return success();
  if (collective.clusterAxis)
    return verifyLinksAlong(op, collective, mesh, systemDesc,
                            *collective.clusterAxis);
  bool all = collective.kind == CollectiveKind::AllToAll;
  for (ArrayRef<int64_t> group : getGroups(collective, mesh))
    for (int64_t from : all ? group : group.take_front())
      for (int64_t to : group)
        if (failed(mesh.verifyRoute(emitError, systemDesc, from, to)))
          return failure();
  return success();
}

int64_t countFreeLinks(const Collective &collective, const Mesh &mesh,
                       SystemDescAttr systemDesc) {
  std::optional<int64_t> fewest;
  auto count = [&](int64_t from, int64_t to) {
    int64_t links =
        countLinks(systemDesc, mesh.getChipId(from), mesh.getChipId(to));
    fewest = std::min(fewest.value_or(links), links);
  };
  for (int64_t axis = 0; axis < mesh.getRank(); ++axis) {
    if (collective.clusterAxis && *collective.clusterAxis != axis)
      continue;
    bool wraps = mesh.wraps(systemDesc, axis);
    for (ArrayRef<int64_t> line : mesh.getGroups(axis)) {
      for (auto [from, to] : llvm::zip(line, line.drop_front()))
        count(from, to);
      if (wraps)
        count(line.back(), line.front());
    }
  }
  bool reserved =
      llvm::any_of(systemDesc.getChipCapabilities(), [](auto capabilities) {
        return !bitEnumContainsAll(capabilities.getValue(),
                                   ChipCapability::PCIE);
      });
  return std::max<int64_t>(fewest.value_or(1) - reserved, 1);
}

LogicalResult verifyCollectiveOnMesh(Operation *op, DeviceAttr device,
                                     SystemDescAttr systemDesc) {
  Collective collective = getCollective(op);
  Mesh mesh(device);
  if (failed(verifyOnMesh(op, collective, mesh)) ||
      failed(verifyExtents(op, collective, mesh)))
    return failure();
  if (!systemDesc)
    return success();
  return verifyLinks(op, collective, mesh, systemDesc);
}

} // namespace mlir::tt::shapes
