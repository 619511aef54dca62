#include "Bindings.h"

#include "ttmlir-c/TTAttrs.h"

using namespace ttmlir::bindings;

namespace {

#define TTMLIR_ENUM_ATTR(Name) TTMLIR_ENUM_ATTR_OF("tt", TT, Name)

TTMLIR_ENUM_ATTR(Arch)
TTMLIR_ENUM_ATTR(DataType)
TTMLIR_ENUM_ATTR(MemorySpace)
TTMLIR_ENUM_ATTR(TensorMemoryLayout)
TTMLIR_ENUM_ATTR(IteratorType)
TTMLIR_ENUM_ATTR(OOBVal)
TTMLIR_ENUM_ATTR(ReduceType)
TTMLIR_ENUM_ATTR(MeshShardType)
TTMLIR_ENUM_ATTR(MeshShardDirection)
TTMLIR_ENUM_ATTR(ArgumentType)
TTMLIR_ENUM_ATTR(Topology)
TTMLIR_ENUM_ATTR(BufferAccess)

struct OperandConstraintAttr : EnumAttr<OperandConstraintAttr> {
  using EnumAttr::EnumAttr;
  static constexpr IsAFunctionTy isaFunction =
      ttmlirAttributeIsATTOperandConstraint;
  static constexpr GetTypeIDFunctionTy getTypeIdFunction =
      ttmlirTTOperandConstraintAttrGetTypeID;
  static constexpr const char *pyClassName = "OperandConstraintAttr";
  static constexpr const char *dialectName = "tt";
  static constexpr const char *enumName = "OperandConstraint";
  static constexpr const char *valueSignature =
      TTMLIR_ENUM_SIGNATURE("value", "tt", "OperandConstraint");
  static constexpr auto getFunction = ttmlirTTOperandConstraintAttrGet;
  static constexpr auto valueFunction = ttmlirTTOperandConstraintAttrGetValue;

  static void bindDerived(ClassTy &c) {
    EnumAttr::bindDerived(c);
    c.def_static(
        "get",
        [](uint32_t value, MlirContext context) -> Attr {
          return checked(context, [&] {
            return ttmlirTTOperandConstraintAttrGet(context, value);
          });
        },
        "value"_a, "ctx"_a, "The same with the arguments in the older order.");
  }
};

/// Not an attribute of its own but an integer attribute of capability bits.
struct ChipCapabilityAttr : EnumAttr<ChipCapabilityAttr> {
  using EnumAttr::EnumAttr;
  static constexpr IsAFunctionTy isaFunction =
      ttmlirAttributeIsATTChipCapability;
  static constexpr const char *pyClassName = "ChipCapabilityAttr";
  static constexpr const char *dialectName = "tt";
  static constexpr const char *enumName = "ChipCapability";
  static constexpr const char *valueSignature =
      TTMLIR_ENUM_SIGNATURE("value", "tt", "ChipCapability");
  static constexpr auto getFunction = ttmlirTTChipCapabilityAttrGet;
  static constexpr auto valueFunction = ttmlirTTChipCapabilityAttrGetValue;
};

} // namespace

void ttmlir::bindings::populateEnumAttributes(nb::module_ &m) {
  ArchAttr::bind(m);
  DataTypeAttr::bind(m);
  MemorySpaceAttr::bind(m);
  TensorMemoryLayoutAttr::bind(m);
  IteratorTypeAttr::bind(m);
  OOBValAttr::bind(m);
  ReduceTypeAttr::bind(m);
  MeshShardTypeAttr::bind(m);
  MeshShardDirectionAttr::bind(m);
  ArgumentTypeAttr::bind(m);
  TopologyAttr::bind(m);
  BufferAccessAttr::bind(m);
  OperandConstraintAttr::bind(m);
  ChipCapabilityAttr::bind(m);
}
