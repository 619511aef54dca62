#include "dialects/TTIR/Transforms/TensorTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

#include <cstring>
#include <vector>

namespace mlir::tt::ttir {

DeviceAttr getOrCreateDevice(ModuleOp module) {
  if (auto device = module->getAttrOfType<DeviceAttr>("tt.device"))
    return device;
  auto systemDesc = module->getAttrOfType<SystemDescAttr>("tt.system_desc");
  if (!systemDesc) {
    systemDesc = SystemDescAttr::getDefault(module.getContext());
    module->setAttr("tt.system_desc", systemDesc);
  }
  auto device = DeviceAttr::getChecked([&] { return module.emitError(); },
                                       systemDesc, /*meshShape=*/{});
  if (device)
    module->setAttr("tt.device", device);
  return device;
}

RankedTensorType withLayout(RankedTensorType type, LayoutAttr layout) {
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}

LayoutAttr withPadding(LayoutAttr layout, OOBVal padding) {
  return LayoutAttr::get(layout.getContext(), layout.getLinear(), padding,
                         layout.getGrid(), layout.getMemref(),
                         layout.getMemLayout());
}

ToLayoutOp createToLayout(OpBuilder &builder, Location loc, Value value,
                          RankedTensorType type) {
  auto destination = tensor::EmptyOp::create(
      builder, loc, type.getShape(), type.getElementType(), type.getEncoding());
  return ToLayoutOp::create(builder, loc, type, value, destination);
}

Location getTransferLoc(ToLayoutOp move) {
  auto isOnHost = [](Value tensor) {
    LayoutAttr layout = getLayoutOf(tensor.getType());
    return layout && layout.isSystemMemorySpace();
  };
  Location loc = move.getLoc();
  bool isAdded = llvm::any_of(
      move->getUsers(), [&](Operation *user) { return user->getLoc() == loc; });
  bool isTransfer = isOnHost(move.getInput()) != isOnHost(move.getResult());
  // A return has no name; it returns what an op made.
  bool isForReturn = move->getBlock()->getTerminator()->getLoc() == loc;
  if (!isAdded || (!isTransfer && !isForReturn))
    return loc;
  Value moved = move.getInput();
  for (auto before = moved.getDefiningOp<ToLayoutOp>();
       before && before.getLoc() == loc;
       before = moved.getDefiningOp<ToLayoutOp>())
    moved = before.getInput();
  return isa<UnknownLoc>(moved.getLoc()) ? loc : moved.getLoc();
}

bool isCreation(Operation *op) {
  return isa_and_nonnull<tensor::EmptyOp, ConstantOp, FullOp, ArangeOp>(op);
}

float toFill(APFloat number) {
  bool losesInfo;
  number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToFloat();
}

std::optional<float> getFill(ElementsAttr elements) {
  if (!isa<DenseElementsAttr>(elements) || !elements.isSplat())
    return std::nullopt;
  if (isa<FloatType>(elements.getElementType()))
    return toFill(elements.getSplatValue<APFloat>());
  APFloat value(APFloat::IEEEsingle());
  if (value.convertFromAPInt(elements.getSplatValue<APInt>(),
                             elements.getElementType().isSignedInteger(),
                             APFloat::rmNearestTiesToEven) != APFloat::opOK)
    return std::nullopt;
  return value.convertToFloat();
}

/// The bits of `value`, rounded, in an element of this type.
static APInt getBits(Type elementType, double value) {
  APFloat number(value);
  bool loses;
  if (auto floatType = dyn_cast<FloatType>(elementType)) {
    number.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &loses);
    return number.bitcastToAPInt();
  }
  llvm::APSInt integer(elementType.getIntOrFloatBitWidth(),
                       !elementType.isSignedInteger() && !number.isNegative());
  number.convertToInteger(integer, APFloat::rmTowardZero, &loses);
  return integer;
}

Attribute getElement(Type elementType, double value) {
  APInt bits = getBits(elementType, value);
  if (auto floatType = dyn_cast<FloatType>(elementType))
    return FloatAttr::get(floatType,
                          APFloat(floatType.getFloatSemantics(), bits));
  return IntegerAttr::get(elementType, bits);
}

ElementsAttr getElements(Operation *creation) {
  if (auto constant = dyn_cast<ConstantOp>(creation))
    return constant.getValue();
  auto type = cast<RankedTensorType>(creation->getResult(0).getType());
  Type elementType = type.getElementType();
  auto plain = RankedTensorType::get(type.getShape(), elementType);
  if (auto full = dyn_cast<FullOp>(creation)) {
    auto number = dyn_cast<FloatAttr>(full.getFillValue());
    double value = number ? number.getValueAsDouble()
                          : cast<IntegerAttr>(full.getFillValue()).getInt();
    return DenseElementsAttr::get(plain, getElement(elementType, value));
  }
  auto arange = cast<ArangeOp>(creation);
  int64_t dim = arange.getArangeDimension();
  int64_t count = type.getDimSize(dim);
  int64_t inner = volume(type.getShape().drop_front(dim + 1));
  // Bytes and not attributes, which the context would never free.
  size_t size = elementType.getIntOrFloatBitWidth() / 8;
  std::vector<char> bytes(type.getNumElements() * size);
  for (size_t i = 0; i * size < bytes.size(); ++i) {
    int64_t place = i / inner % count;
    APInt bits =
        getBits(elementType, arange.getStart() + place * arange.getStep());
    std::memcpy(&bytes[i * size], bits.getRawData(), size);
  }
  return DenseElementsAttr::getFromRawBuffer(plain, bytes);
}

Value cloneCreation(OpBuilder &builder, Operation *creation, Location loc,
                    RankedTensorType type) {
  Operation *made = builder.clone(*creation);
  made->setLoc(loc);
  made->getResult(0).setType(type);
  return made->getResult(0);
}

void setPlacedOperands(Operation *op, ArrayRef<LayoutAttr> layouts) {
  if (llvm::none_of(layouts, [](LayoutAttr layout) { return !!layout; }))
    return;
  auto none = UnitAttr::get(op->getContext());
  SmallVector<Attribute> notes;
  for (LayoutAttr layout : layouts)
    notes.push_back(layout ? Attribute(layout) : none);
  op->setAttr(kPlacedOperands, ArrayAttr::get(op->getContext(), notes));
}

LayoutAttr getPlacedOperand(Operation *op, unsigned index) {
  auto notes = op->getAttrOfType<ArrayAttr>(kPlacedOperands);
  return notes && index < notes.size() ? dyn_cast<LayoutAttr>(notes[index])
                                       : LayoutAttr();
}

bool hasPlacedResult(Operation *op) {
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  return dps && dps.getNumDpsInits() == 1 &&
         getPlacedOperand(op, dps.getDpsInitOperand(0)->getOperandNumber());
}

bool isOwnDestination(OpOperand &operand) {
  return operand.get().getDefiningOp<tensor::EmptyOp>() &&
         operand.get().hasOneUse();
}

void retypeDestination(OpOperand &operand, RankedTensorType type) {
  Operation *op = operand.getOwner();
  Operation *old = operand.get().getDefiningOp();
  if (isOwnDestination(operand)) {
    operand.get().setType(type);
    old->moveBefore(op);
    return;
  }
  OpBuilder builder(op);
  operand.set(tensor::EmptyOp::create(builder, op->getLoc(), type.getShape(),
                                      type.getElementType(),
                                      type.getEncoding()));
}

void updateResultTypes(func::FuncOp func) {
  if (func.isExternal())
    return;
  auto returnOp =
      dyn_cast<func::ReturnOp>(func.getBody().back().getTerminator());
  if (!returnOp)
    return;
  func.setType(FunctionType::get(func.getContext(),
                                 func.getFunctionType().getInputs(),
                                 returnOp.getOperandTypes()));
}

} // namespace mlir::tt::ttir
