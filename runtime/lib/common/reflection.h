// Walking through a verified file by the binary schema that is embedded for
// its kind at build time.
#ifndef TT_RUNTIME_COMMON_REFLECTION_H
#define TT_RUNTIME_COMMON_REFLECTION_H

#include "common/file.h"

#include "flatbuffers/reflection_generated.h"

#include <cstdint>
#include <cstring>

namespace tt::runtime::reflect {

const reflection::Schema &schemaOf(FileKind kind);

/// The verifier aligns vectors by their length alone, so that elements of eight
/// bytes may stand at any address.
template <typename T> T load(const std::uint8_t *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return flatbuffers::EndianScalar(value);
}

/// What the offset at a place leads to.
inline const std::uint8_t *follow(const std::uint8_t *at) {
  return at + load<flatbuffers::uoffset_t>(at);
}

/// Bytes of a number in a vector or struct.
std::size_t sizeOfScalar(reflection::BaseType type);

/// The field with the type of a union, or the types of a vector of unions.
const reflection::Field *typeFieldOf(const reflection::Object &object,
                                     const reflection::Field &field);

/// The table that a union holds; null for an unknown one and for what is none.
const reflection::Type *memberOf(const reflection::Schema &schema,
                                 const reflection::Field &field,
                                 std::int64_t type);

} // namespace tt::runtime::reflect

#endif // TT_RUNTIME_COMMON_REFLECTION_H
