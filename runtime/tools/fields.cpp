#include "fields.h"

#include "common/reflection.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

namespace tt::runtime::tools {

namespace {

using reflection::BaseType;

/// Elements of a vector that are taken up; the data of constants is long.
constexpr std::uint32_t kElements = 1000;
constexpr std::size_t kOffsetBytes = sizeof(flatbuffers::uoffset_t);
constexpr int kString = -1;

bool isScalar(BaseType type) {
  return type >= BaseType::UType && type <= BaseType::Double;
}

/// One number for each scalar type and enumeration.
int scalarType(BaseType type, int enumeration) {
  return int(type) * 1000 + enumeration;
}

/// One number for each type of vector.
int vectorType(const reflection::Type &type) {
  return -100 - scalarType(type.element(), type.index());
}

class Walker {
public:
  Walker(const std::string &bytes, const reflection::Schema &schema)
      : bytes_(bytes), schema_(schema) {}

  Fields walk() {
    int root = 0;
    while (schema_.objects()->Get(unsigned(root)) != schema_.root_table())
      ++root;
    table(root, follow(kOffsetBytes));
    return std::move(found_);
  }

private:
  template <typename T> T load(std::size_t at) const {
    T value;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return value;
  }
  std::size_t follow(std::size_t at) const {
    return at + load<flatbuffers::uoffset_t>(at);
  }
  void add(FieldKind kind, std::size_t at, std::size_t size, int type) {
    found_.fields.push_back({kind, at, size, type});
  }
  void addOffset(std::size_t at, int type) {
    add(FieldKind::Offset, at, kOffsetBytes, type);
    found_.targets[type].push_back(follow(at));
  }

  void scalar(BaseType type, int enumeration, std::size_t at) {
    const bool real = type == BaseType::Float;
    add(real ? FieldKind::Real : FieldKind::Integer, at,
        reflect::sizeOfScalar(type), scalarType(type, enumeration));
  }

  void string(std::size_t at) {
    add(FieldKind::Length, at, kOffsetBytes, kString);
    add(FieldKind::Text, at + kOffsetBytes, load<std::uint32_t>(at), kString);
  }

  /// A value at its place in a table, structure or vector.
  void member(BaseType type, int index, std::size_t at) {
    if (isScalar(type)) {
      scalar(type, index, at);
    } else if (type == BaseType::String) {
      addOffset(at, kString);
      string(follow(at));
    } else if (type == BaseType::Obj) {
      const auto &object = *schema_.objects()->Get(unsigned(index));
      if (object.is_struct()) {
        for (const auto *field : *object.fields())
          member(field->type()->base_type(), field->type()->index(),
                 at + field->offset());
      } else {
        addOffset(at, index);
        table(index, follow(at));
      }
    }
  }

  std::size_t elementBytes(const reflection::Type &type) const {
    if (isScalar(type.element()))
      return reflect::sizeOfScalar(type.element());
    if (type.element() == BaseType::Obj) {
      const auto &object = *schema_.objects()->Get(unsigned(type.index()));
      if (object.is_struct())
        return std::size_t(object.bytesize());
    }
    return kOffsetBytes;
  }

  void vector(const reflection::Type &type, std::size_t at) {
    const auto count = load<std::uint32_t>(at);
    add(FieldKind::Length, at, kOffsetBytes, vectorType(type));
    const std::size_t size = elementBytes(type);
    for (std::uint32_t i = 0; i < std::min(count, kElements); ++i)
      member(type.element(), type.index(), at + kOffsetBytes + i * size);
  }

  /// A union, or a vector of them, whose types stand in a field of their own.
  void unions(const reflection::Object &object, const reflection::Field &field,
              std::size_t at, std::size_t place, std::size_t vtable) {
    const auto *typeField = reflect::typeFieldOf(object, field);
    const std::size_t types =
        typeField ? fieldAt(*typeField, place, vtable) : 0;
    if (!types)
      return;
    if (field.type()->base_type() == BaseType::Union) {
      choice(field, types, at);
      return;
    }
    const std::size_t values = follow(at), kinds = follow(types);
    add(FieldKind::Length, values, kOffsetBytes, vectorType(*field.type()));
    const auto count = load<std::uint32_t>(values);
    for (std::uint32_t i = 0; i < std::min(count, kElements); ++i)
      choice(field, kinds + kOffsetBytes + i,
             values + kOffsetBytes + i * kOffsetBytes);
  }

  void choice(const reflection::Field &field, std::size_t typeAt,
              std::size_t at) {
    add(FieldKind::UnionType, typeAt, 1, field.type()->index());
    if (const auto *member =
            reflect::memberOf(schema_, field, load<std::uint8_t>(typeAt)))
      this->member(BaseType::Obj, member->index(), at);
  }

  /// Where a field of a table stands; 0 if it is not there.
  std::size_t fieldAt(const reflection::Field &field, std::size_t place,
                      std::size_t vtable) const {
    if (field.offset() + sizeof(std::uint16_t) > load<std::uint16_t>(vtable))
      return 0;
    const auto offset = load<std::uint16_t>(vtable + field.offset());
    return offset ? place + offset : 0;
  }

  void table(int index, std::size_t place) {
    if (!seen_.insert({place, index}).second)
      return;
    const std::size_t vtable = place - std::size_t(load<std::int32_t>(place));
    found_.vtables.push_back(vtable);
    const auto &object = *schema_.objects()->Get(unsigned(index));
    for (const auto *field : *object.fields()) {
      const std::size_t at = fieldAt(*field, place, vtable);
      const auto &type = *field->type();
      const bool isUnion = type.base_type() == BaseType::Union ||
                           (type.base_type() == BaseType::Vector &&
                            type.element() == BaseType::Union);
      if (!at || type.base_type() == BaseType::UType)
        continue;
      if (isUnion) {
        unions(object, *field, at, place, vtable);
      } else if (type.base_type() == BaseType::Vector) {
        addOffset(at, vectorType(type));
        vector(type, follow(at));
      } else {
        member(type.base_type(), type.index(), at);
      }
    }
  }

  const std::string &bytes_;
  const reflection::Schema &schema_;
  Fields found_;
  std::set<std::pair<std::size_t, int>> seen_;
};

FileKind kindOf(const std::string &bytes) {
  const std::string identifier = bytes.substr(2 * kOffsetBytes, 4);
  return identifier == "TTNN"   ? FileKind::Ttnn
         : identifier == "TTM0" ? FileKind::TtMetal
                                : FileKind::SystemDesc;
}

} // namespace

Fields findFields(const std::string &bytes) {
  return Walker(bytes, reflect::schemaOf(kindOf(bytes))).walk();
}

} // namespace tt::runtime::tools
