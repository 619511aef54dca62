#include "dialects/TTIR/InferShapes.h"

#include "dialects/TT/Bounds.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::tt;

/// More chips than any system has, and so few that a mesh can list them.
static constexpr int64_t kMaxChips = int64_t(1) << 16;

static FailureOr<SmallVector<shapes::Shape>>
inferOnMesh(CollectiveOpInterface op, ArrayRef<int64_t> meshShape) {
  int64_t chips = saturatedVolume(meshShape);
  if (chips < 1 || chips > kMaxChips)
    return op.emitOpError("expected a mesh of 1 to ")
           << kMaxChips << " chips, found " << formatExtents(meshShape);
  SmallVector<unsigned> chipIds =
      llvm::to_vector(llvm::seq<unsigned>(0, chips));
  return op.inferShapes(Mesh(meshShape, chipIds));
}

FailureOr<SmallVector<shapes::Shape>>
mlir::tt::ttir::inferOutputShapes(StringRef name, Location loc,
                                  ValueRange inputs, DictionaryAttr attributes,
                                  ArrayRef<int64_t> meshShape) {
  OperationState state(loc, name);
  bool isCollective = state.name.hasInterface<CollectiveOpInterface>();
  bool isComposite = state.name.hasInterface<CompositeOp>();
  if (inputs.empty() || (!isCollective && !isComposite &&
                         !state.name.hasInterface<InferShapeOp>()))
    return emitError(loc) << "expected an op whose inputs decide on the shape "
                             "of its output, found '"
                          << name << "'";
  for (Type type : inputs.getTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type);
        !tensor || !tensor.hasStaticShape())
      return emitError(loc)
             << "'" << name << "': expected inputs of static shape, found "
             << type;
  // Any tensors stand for the outputs, which are not looked at.
  size_t count = isCollective ? inputs.size() : 1;
  if (auto segments =
          attributes.getAs<DenseI32ArrayAttr>("operandSegmentSizes");
      segments && isComposite && !segments.empty())
    count = segments.asArrayRef().back();
  SmallVector<Value> outputs(count, inputs.front());
  state.addOperands(inputs);
  state.addOperands(outputs);
  state.addTypes(ValueRange(outputs).getTypes());
  state.addAttributes(attributes.getValue());
  OwningOpRef<Operation *> op = Operation::create(state);
  if (isCollective)
    return inferOnMesh(cast<CollectiveOpInterface>(op.get()), meshShape);
  if (isComposite)
    return cast<CompositeOp>(op.get()).inferShapes();
  FailureOr<shapes::Shape> shape = cast<InferShapeOp>(op.get()).inferShape();
  if (failed(shape))
    return failure();
  return SmallVector<shapes::Shape>{std::move(*shape)};
}
