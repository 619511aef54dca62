#include "dialects/TT/CoreRanges.h"
#include "dialects/TT/Remarks.h"
#include "dialects/TT/TTOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;

#include "dialects/TT/TTDialect.cpp.inc"

namespace {

/// Names for attributes at the top of a module: `#layout`, `#dram` ...
struct TTAliases : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    StringRef name = llvm::TypeSwitch<Attribute, StringRef>(attr)
                         .Case([](LayoutAttr) { return "layout"; })
                         .Case([](DeviceAttr) { return "device"; })
                         .Case([](SystemDescAttr) { return "system_desc"; })
                         .Case([](MemorySpaceAttr space) {
                           // An underscore ends the name that would end in a
                           // digit.
                           return space.getValue() == MemorySpace::DeviceL1
                                      ? StringRef("l1_")
                                      : stringifyEnum(space.getValue());
                         })
                         .Case([](IteratorTypeAttr iterator) {
                           return stringifyEnum(iterator.getValue());
                         })
                         .Case([](OperandConstraintAttr constraint) {
                           return constraintAlias(constraint.getValue());
                         })
                         .Default(StringRef());
    if (name.empty())
      return AliasResult::NoAlias;
    os << name;
    return AliasResult::OverridableAlias;
  }

private:
  static StringRef constraintAlias(OperandConstraint constraint) {
    switch (constraint) {
    case OperandConstraint::Any:
      return "any";
    case OperandConstraint::AnyDevice:
      return "any_device";
    case OperandConstraint::AnyDeviceTile:
      return "any_device_tile";
    case OperandConstraint::L1BlockSharded:
      return "l1_block_sharded";
    default:
      return "operand_constraint";
    }
  }
};

LogicalResult verifyModuleAttribute(Operation *op, StringRef name) {
  if (isa<ModuleOp>(op))
    return success();
  return op->emitOpError("attribute '")
         << name << "' belongs on a builtin.module";
}

LogicalResult verifyDevice(Operation *op, NamedAttribute attribute) {
  auto device = dyn_cast<DeviceAttr>(attribute.getValue());
  if (!device)
    return op->emitOpError("attribute 'tt.device' expects #tt.device, found ")
           << attribute.getValue();
  if (failed(verifyModuleAttribute(op, DeviceAttr::name)))
    return failure();
  auto systemDesc = op->getAttrOfType<SystemDescAttr>(SystemDescAttr::name);
  if (!systemDesc)
    return success();
  auto emitError = [&] { return op->emitOpError(); };
  if (failed(device.verifyInSystem(emitError, systemDesc)))
    return failure();
  return verifyCores(emitError, device, systemDesc);
}

LogicalResult verifyArgumentAllocations(Operation *op, Attribute value) {
  auto array = dyn_cast<ArrayAttr>(value);
  if (!array || !llvm::all_of(array, llvm::IsaPred<ArgumentAllocationAttr>))
    return op->emitOpError("attribute 'tt.arg_alloc' expects an array of "
                           "#tt.arg_alloc, found ")
           << value;
  return success();
}

LogicalResult verifyVariable(Operation *op, NamedAttribute attribute) {
  if (isa<FlatSymbolRefAttr>(attribute.getValue()))
    return success();
  return op->emitOpError("attribute '")
         << kVariableAttr << "' expects the name of a tt.variable, found "
         << attribute.getValue();
}

} // namespace

void TTDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOps();
  addInterfaces<TTAliases, RemarkLimit>();
}

LogicalResult TTDialect::verifyOperationAttribute(Operation *op,
                                                  NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == DeviceAttr::name)
    return verifyDevice(op, attribute);
  if (name == ArgumentAllocationAttr::name)
    return verifyArgumentAllocations(op, attribute.getValue());
  if (name == SystemDescAttr::name) {
    if (!isa<SystemDescAttr>(attribute.getValue()))
      return op->emitOpError("attribute 'tt.system_desc' expects "
                             "#tt.system_desc, found ")
             << attribute.getValue();
    return verifyModuleAttribute(op, name);
  }
  return success();
}

/// `tt.aliased_output` of argument `argument`.
static LogicalResult verifyAliasedOutput(Operation *op, unsigned argument,
                                         Attribute value) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  auto output = dyn_cast<IntegerAttr>(value);
  if (!func || !output || output.getInt() < 0 ||
      output.getInt() >= func.getNumResults())
    return op->emitOpError("attribute 'tt.aliased_output' of argument ")
           << argument << " expects the number of a result, found " << value;
  auto given = dyn_cast<RankedTensorType>(func.getArgumentTypes()[argument]);
  auto result =
      dyn_cast<RankedTensorType>(func.getResultTypes()[output.getInt()]);
  if (!given || !result || given.getShape() != result.getShape() ||
      given.getElementType() != result.getElementType())
    return op->emitOpError("attribute 'tt.aliased_output' of argument ")
           << argument << " expects a result of shape and elements of "
           << func.getArgumentTypes()[argument] << ", found "
           << func.getResultTypes()[output.getInt()];
  for (unsigned other = 0; other < argument; ++other)
    if (func.getArgAttr(other, kAliasedOutputAttr) == value)
      return op->emitOpError("attribute 'tt.aliased_output' of argument ")
             << argument << " expects a result of its own, found that of "
             << "argument " << other;
  return success();
}

/// `tt.shard_dims` or `tt.presharded`.
static LogicalResult verifyShardDims(Operation *op, const Twine &what,
                                     NamedAttribute attribute) {
  if (isa<DenseI64ArrayAttr>(attribute.getValue()))
    return success();
  return op->emitOpError("attribute '")
         << attribute.getName().getValue() << "' of " << what
         << " expects array<i64: ...>, found " << attribute.getValue();
}

LogicalResult TTDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                  unsigned argument,
                                                  NamedAttribute attribute) {
  if (attribute.getName() == kAliasedOutputAttr)
    return verifyAliasedOutput(op, argument, attribute.getValue());
  if (attribute.getName() == kVariableAttr)
    return verifyVariable(op, attribute);
  if (attribute.getName() == kShardDimsAttr ||
      attribute.getName() == kPreshardedAttr)
    return verifyShardDims(op, "argument " + Twine(argument), attribute);
  if (attribute.getName() != ArgumentTypeAttr::name ||
      isa<ArgumentTypeAttr>(attribute.getValue()))
    return success();
  return op->emitOpError("attribute 'tt.argument_type' of argument ")
         << argument << " expects #tt.argument_type, found "
         << attribute.getValue();
}

LogicalResult TTDialect::verifyRegionResultAttribute(Operation *op, unsigned,
                                                     unsigned result,
                                                     NamedAttribute attribute) {
  if (attribute.getName() != kPreshardedAttr)
    return success();
  return verifyShardDims(op, "result " + Twine(result), attribute);
}
