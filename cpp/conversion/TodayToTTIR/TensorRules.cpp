//===- TensorRules.cpp - products, shapes, indices, chips -----------------===//

#include "conversion/TodayToTTIR/Call.h"
#include "conversion/TodayToTTIR/Rules.h"

#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Traits.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::today;
using graph::elementOf;
using graph::shapeOf;
using graph::Tensor;
using graph::typeOf;

/// A product whose operands have one rank, of at least 2: leading dimensions of
/// extent 1 are added, and those of a vector go away behind it.
static LogicalResult product(Call &call) {
  ArrayRef<int64_t> a = shapeOf(call.in("a")), b = shapeOf(call.in("b"));
  if (a.size() == b.size() && a.size() >= 2)
    return call.carry();
  if (a.empty() || b.empty())
    return call.refuse("expected operands of rank 1 at least");
  SmallVector<int64_t> left(a), right(b);
  if (left.size() == 1)
    left.insert(call.flag("transpose_a") ? left.end() : left.begin(), 1);
  if (right.size() == 1)
    right.insert(call.flag("transpose_b") ? right.begin() : right.end(), 1);
  size_t rank = std::max(left.size(), right.size());
  left.insert(left.begin(), rank - left.size(), 1);
  right.insert(right.begin(), rank - right.size(), 1);
  SmallVector<int64_t> shape;
  if (!OpTrait::util::getBroadcastedShape(ArrayRef(left).drop_back(2),
                                          ArrayRef(right).drop_back(2), shape))
    return call.refuse("its leading dimensions do not broadcast");
  shape.push_back(left[rank - (call.flag("transpose_a") ? 1 : 2)]);
  shape.push_back(right[rank - (call.flag("transpose_b") ? 2 : 1)]);
  RankedTensorType type = call.types.front();
  auto wide = RankedTensorType::get(shape, type.getElementType());
  if (wide.getNumElements() != type.getNumElements())
    return call.refuse(llvm::formatv("its product is {0}, and the program says "
                                     "{1}",
                                     wide, type)
                           .str());
  call.operands[0].front() = call.reshape(call.in("a"), left);
  call.operands[1].front() = call.reshape(call.in("b"), right);
  call.types.front() = wide;
  if (failed(call.carry()))
    return failure();
  call.types.front() = type;
  Value made = call.reshape(call.results.front(), type.getShape());
  return made ? call.give(made) : failure();
}

LogicalResult rules::matmul(Call &call) { return product(call); }
LogicalResult rules::linear(Call &call) { return product(call); }

LogicalResult rules::broadcast(Call &call) {
  Tensor input = call.in("input");
  RankedTensorType type = call.types.front();
  SmallVector<int64_t> times = call.integers("broadcast_dimensions");
  ArrayRef<int64_t> from = shapeOf(input), to = type.getShape();
  if (times.size() != from.size() || from.size() != to.size())
    return call.refuse("broadcast_dimensions: expected a number for each "
                       "dimension of its input and its result");
  bool isRepeat = false;
  for (auto [count, before, behind] : llvm::zip(times, from, to)) {
    int64_t extent;
    if (count < 0 || llvm::MulOverflow(count, before, extent) ||
        extent != behind)
      return call.refuse("broadcast_dimensions: expected the extents of its "
                         "result divided by those of its input");
    isRepeat |= count != 1 && before != 1;
  }
  Builder builder(call.import.getContext());
  if (isRepeat)
    return call.carry(builder.getNamedAttr("repeat_dimensions",
                                           builder.getDenseI64ArrayAttr(times)),
                      "repeat");
  return call.carry(
      builder.getNamedAttr("dimension",
                           builder.getI64ArrayAttr(graph::range(from.size()))),
      "broadcast");
}

LogicalResult rules::sliceDynamic(Call &call) {
  Tensor input = call.in("input");
  DenseElementsAttr begins = graph::elementsOf(call.in("begins")),
                    ends = graph::elementsOf(call.in("ends"));
  size_t rank = shapeOf(input).size();
  SmallVector<int64_t> steps = call.integers("step");
  if (steps.empty())
    steps.assign(rank, 1);
  Builder builder(call.import.getContext());
  if (!begins || !ends) {
    // How many elements there are, the result's type says.
    SmallVector<NamedAttribute> attributes = {builder.getNamedAttr(
        "shape", builder.getDenseI64ArrayAttr(call.types.front().getShape()))};
    if (call.attribute("step"))
      attributes.push_back(
          builder.getNamedAttr("step", call.attribute("step")));
    return call.carry(attributes, "slice_dynamic");
  }
  auto first = integersOf(begins), last = integersOf(ends);
  if (!first || !last || first->size() != rank || last->size() != rank ||
      steps.size() != rank)
    return call.refuse("expected a begin, an end and a step for each dimension "
                       "of its input");
  for (size_t dim = 0; dim < rank; ++dim) {
    int64_t extent = shapeOf(input)[dim];
    int64_t &from = (*first)[dim], &to = (*last)[dim];
    from = from < 0 ? from + extent : from;
    to = std::min(to < 0 ? to + extent : to, extent);
    if (from < 0 || to < from || steps[dim] <= 0)
      return call.refuse("expected begins, ends and steps inside its input");
  }
  return call.give(call.builder.slice(input, *first, *last, steps));
}

LogicalResult rules::embedding(Call &call) {
  Tensor table = call.in("weight");
  SmallVector<int64_t> shape(shapeOf(table));
  if (shape.size() > 2) {
    if (!llvm::all_of(ArrayRef(shape).drop_back(2),
                      [](int64_t extent) { return extent == 1; }))
      return call.refuse("expected a table of rank 2");
    call.operands[1].front() =
        call.reshape(table, ArrayRef(shape).take_back(2));
  }
  if (shape.size() < 2)
    return call.refuse("expected a table of rank 2");
  RankedTensorType type = call.types.front();
  SmallVector<int64_t> whole(shapeOf(call.in("input")));
  whole.push_back(shape.back());
  call.types.front() = RankedTensorType::get(whole, type.getElementType());
  if (failed(call.carry()))
    return failure();
  call.types.front() = type;
  Value made = call.reshape(call.results.front(), type.getShape());
  return made ? call.give(made) : failure();
}

LogicalResult rules::scatter(Call &call) {
  MLIRContext *context = call.import.getContext();
  StringRef name = call.text("scatter_reduce_type");
  std::optional<ReduceType> type = symbolizeReduceType(name);
  if (!type)
    return call.refuse("scatter_reduce_type: expected sum, prod, max, min or "
                       "invalid, found " +
                       name);
  Builder builder(context);
  return call.carry({builder.getNamedAttr("dim", call.attribute("dim")),
                     builder.getNamedAttr("reduce_type",
                                          ReduceTypeAttr::get(context, *type))},
                    "scatter_dim");
}

LogicalResult rules::rand(Call &call) {
  SmallVector<int64_t> size = call.integers("size");
  if (ArrayRef(size) != call.types.front().getShape())
    return call.refuse("size: expected the extents of its result");
  Builder builder(call.import.getContext());
  return call.carry(
      {builder.getNamedAttr("shape", builder.getDenseI64ArrayAttr(size)),
       builder.getNamedAttr("low", call.attribute("low")),
       builder.getNamedAttr("high", call.attribute("high")),
       builder.getNamedAttr("seed", call.attribute("seed"))},
      "rand");
}

/// Results 1 and 2 of today's op are the running statistics, updated, whatever
/// its names for them say; this project's op has those of the batch there and
/// the updated ones behind.
LogicalResult rules::batchNormTraining(Call &call) {
  StringRef names[] = {"running_mean", "running_variance"};
  for (auto [i, name] : llvm::enumerate(names)) {
    RankedTensorType running = typeOf(call.in(name));
    if (call.types[i + 1] != running)
      return call.refuse(llvm::formatv("result {0}: expected the type of {1}, "
                                       "{2}, found {3}",
                                       i + 1, name, running, call.types[i + 1])
                             .str());
    call.types.push_back(running);
  }
  if (failed(call.carry()) || call.results.size() != 5)
    return failure();
  Value result = call.results[0], mean = call.results[3],
        variance = call.results[4];
  call.changed = {mean, variance};
  call.types.truncate(3);
  call.results = {result, mean, variance};
  return success();
}

LogicalResult rules::meshShard(Call &call) {
  MLIRContext *context = call.import.getContext();
  Builder builder(context);
  StringRef kind = call.text("shard_type");
  if (kind == "maximal" || kind == "identity")
    return call.give(call.in("input"));
  std::optional<MeshShardType> type = symbolizeMeshShardType(kind);
  std::optional<MeshShardDirection> direction =
      symbolizeMeshShardDirection(call.text("shard_direction"));
  if (!type || !direction)
    return call.refuse("expected shard_type replicate, maximal or devices, and "
                       "shard_direction full_to_shard or shard_to_full");
  SmallVector<int64_t> shape = call.integers("shard_shape"),
                       dims = call.integers("shard_dims");
  if (*type == MeshShardType::Replicate) {
    shape.assign(typeOf(call.in("input")).getRank(), 1);
    // One for all axes of the mesh, or one for each.
    if (auto mesh = call.builder.getBuilder()
                        .getInsertionBlock()
                        ->getParentOp()
                        ->getParentOfType<ModuleOp>()
                        ->getAttrOfType<DenseI64ArrayAttr>("tt.mesh_shape"))
      dims.assign(mesh.size(), -1);
  }
  return call.carry(
      {builder.getNamedAttr("shard_type",
                            MeshShardTypeAttr::get(context, *type)),
       builder.getNamedAttr("shard_direction",
                            MeshShardDirectionAttr::get(context, *direction)),
       builder.getNamedAttr("shard_shape", builder.getDenseI64ArrayAttr(shape)),
       builder.getNamedAttr("shard_dims", builder.getDenseI64ArrayAttr(dims))},
      "mesh_shard");
}
