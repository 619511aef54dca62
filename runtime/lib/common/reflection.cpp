#include "common/reflection.h"

#include "ttmlir/Target/Common/system_desc_bfbs_generated.h"
#include "ttmlir/Target/TTMetal/binary_bfbs_generated.h"
#include "ttmlir/Target/TTNN/binary_bfbs_generated.h"

namespace tt::runtime::reflect {

const reflection::Schema &schemaOf(FileKind kind) {
  using Ttnn = ::tt::target::ttnn::TTNNBinaryBinarySchema;
  using Metal = ::tt::target::metal::TTMetalBinaryBinarySchema;
  using System = ::tt::target::SystemDescRootBinarySchema;
  return *reflection::GetSchema(kind == FileKind::Ttnn      ? Ttnn::data()
                                : kind == FileKind::TtMetal ? Metal::data()
                                                            : System::data());
}

std::size_t sizeOfScalar(reflection::BaseType type) {
  using reflection::BaseType;
  switch (type) {
  case BaseType::Bool:
  case BaseType::UByte:
  case BaseType::UType:
  case BaseType::Byte:
    return 1;
  case BaseType::Short:
  case BaseType::UShort:
    return 2;
  case BaseType::Int:
  case BaseType::UInt:
  case BaseType::Float:
    return 4;
  default:
    return 8;
  }
}

const reflection::Field *typeFieldOf(const reflection::Object &object,
                                     const reflection::Field &field) {
  const std::string name = field.name()->str() + "_type";
  return object.fields()->LookupByKey(name.c_str());
}

const reflection::Type *memberOf(const reflection::Schema &schema,
                                 const reflection::Field &field,
                                 std::int64_t type) {
  const auto *choice = schema.enums()
                           ->Get(unsigned(field.type()->index()))
                           ->values()
                           ->LookupByKey(type);
  const reflection::Type *member = choice ? choice->union_type() : nullptr;
  return member && member->base_type() == reflection::BaseType::Obj ? member
                                                                    : nullptr;
}

} // namespace tt::runtime::reflect
