// Flatbuffer to JSON text by the binary schemas that are embedded at build
// time. The buffer has passed its verifier, so every offset can be followed.
#include "common/reflection.h"
#include "common/text.h"

#include "numerics/cancel.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tt::runtime {

namespace {

using flatbuffers::Table;
using flatbuffers::uoffset_t;
using reflect::follow;
using reflect::load;
using reflect::sizeOfScalar;
using reflect::typeFieldOf;
using reflection::BaseType;
using reflection::Field;

/// The text has at most so many bytes, and so many for each of the file: a
/// number takes a line of its own, and programs share their texts.
constexpr std::size_t kBaseTextBytes = std::size_t(128) << 20;
constexpr std::size_t kTextPerByte = 64;

std::int64_t readInteger(BaseType type, const std::uint8_t *at) {
  switch (type) {
  case BaseType::Bool:
  case BaseType::UByte:
  case BaseType::UType:
    return load<std::uint8_t>(at);
  case BaseType::Byte:
    return load<std::int8_t>(at);
  case BaseType::Short:
    return load<std::int16_t>(at);
  case BaseType::UShort:
    return load<std::uint16_t>(at);
  case BaseType::Int:
    return load<std::int32_t>(at);
  case BaseType::UInt:
    return load<std::uint32_t>(at);
  default:
    return load<std::int64_t>(at);
  }
}

bool isScalar(BaseType type) {
  return type >= BaseType::UType && type <= BaseType::Double;
}

class Writer {
public:
  Writer(const reflection::Schema &schema, std::string &text, bool elements,
         std::size_t limit)
      : schema_(schema), text_(text), elements_(elements), limit_(limit) {}

  void table(const reflection::Object &object, const Table *value) {
    open('{');
    for (const Field *field : byId(object)) {
      const BaseType type = field->type()->base_type();
      if (field->deprecated())
        continue;
      const bool present = value->CheckField(field->offset());
      const bool hasDefault =
          isScalar(type) && type != BaseType::UType && !field->optional();
      if (!present && !hasDefault)
        continue;
      name(*field);
      if (!present)
        defaultScalar(*field);
      else if (type == BaseType::Union)
        unionMember(object, *field, value);
      else
        member(*field->type(), value->GetAddressOf(field->offset()));
    }
    close('}');
  }

private:
  static std::vector<const Field *> byId(const reflection::Object &object) {
    std::vector<const Field *> fields(object.fields()->begin(),
                                      object.fields()->end());
    std::sort(fields.begin(), fields.end(), [](auto *a, auto *b) {
      return std::pair(a->offset(), a->id()) < std::pair(b->offset(), b->id());
    });
    return fields;
  }

  void open(char bracket) {
    text_ += bracket;
    indent_ += 2;
    first_ = true;
  }
  void close(char bracket) {
    indent_ -= 2;
    if (!first_) {
      text_ += '\n';
      text_.append(indent_, ' ');
    }
    text_ += bracket;
    first_ = false;
  }
  void item() {
    numerics::checkCancelled();
    if (text_.size() > limit_)
      raise(ErrorCategory::Unsupported,
            "expected a file whose text has at most ", limit_,
            " bytes, found one that names the same parts so often that "
            "it has more");
    text_ += first_ ? "\n" : ",\n";
    text_.append(indent_, ' ');
    first_ = false;
  }
  void name(const Field &field) {
    item();
    text_ += '"';
    text_ += field.name()->string_view();
    text_ += "\": ";
  }

  /// A value of any type but union at its place in a table or struct.
  void member(const reflection::Type &type, const std::uint8_t *at) {
    switch (type.base_type()) {
    case BaseType::String:
      string(*reinterpret_cast<const flatbuffers::String *>(follow(at)));
      return;
    case BaseType::Vector:
      vector(type, follow(at));
      return;
    case BaseType::Obj: {
      const auto &object = *schema_.objects()->Get(unsigned(type.index()));
      if (object.is_struct())
        structure(object, at);
      else
        table(object, reinterpret_cast<const Table *>(follow(at)));
      return;
    }
    default:
      scalar(type.base_type(), type.index(), at);
    }
  }

  void structure(const reflection::Object &object, const std::uint8_t *at) {
    open('{');
    for (const Field *field : byId(object)) {
      name(*field);
      member(*field->type(), at + field->offset());
    }
    close('}');
  }

  void vector(const reflection::Type &type, const std::uint8_t *at) {
    const uoffset_t count = load<uoffset_t>(at);
    const std::uint8_t *data = at + sizeof(uoffset_t);
    const BaseType element = type.element();
    open('[');
    const bool skipped =
        !elements_ && (element == BaseType::UByte || isInstructions(type));
    for (uoffset_t i = 0; i < (skipped ? 0 : count); ++i) {
      item();
      if (element == BaseType::String) {
        string(*reinterpret_cast<const flatbuffers::String *>(
            follow(data + i * sizeof(uoffset_t))));
      } else if (element == BaseType::Obj) {
        const auto &object = *schema_.objects()->Get(unsigned(type.index()));
        if (object.is_struct())
          structure(object, data + i * std::size_t(object.bytesize()));
        else
          table(object, reinterpret_cast<const Table *>(
                            follow(data + i * sizeof(uoffset_t))));
      } else {
        scalar(element, type.index(), data + i * sizeOfScalar(element));
      }
    }
    close(']');
  }

  bool isInstructions(const reflection::Type &type) const {
    return type.element() == BaseType::Obj &&
           schema_.objects()->Get(unsigned(type.index()))->name()->str() ==
               "tt.target.metal.Instruction";
  }

  /// A member of a union at its place; null for an unknown one.
  void chosen(const Field &field, std::int64_t type, const std::uint8_t *at) {
    if (const auto *known = reflect::memberOf(schema_, field, type))
      member(*known, at);
    else
      text_ += "null";
  }

  void unionMember(const reflection::Object &object, const Field &field,
                   const Table *value) {
    const Field *types = typeFieldOf(object, field);
    chosen(field, types ? value->GetField<std::uint8_t>(types->offset(), 0) : 0,
           value->GetAddressOf(field.offset()));
  }

  void unionVector(const reflection::Object &object, const Field &field,
                   const Table *value) {
    const Field *typeField = typeFieldOf(object, field);
    const auto *types =
        typeField
            ? value->GetPointer<const flatbuffers::Vector<std::uint8_t> *>(
                  typeField->offset())
            : nullptr;
    const std::uint8_t *at = follow(value->GetAddressOf(field.offset()));
    const uoffset_t count = load<uoffset_t>(at);
    open('[');
    for (uoffset_t i = 0; i < count; ++i) {
      item();
      chosen(field, types && i < types->size() ? types->Get(i) : 0,
             at + (i + 1) * sizeof(uoffset_t));
    }
    close(']');
  }

  void defaultScalar(const Field &field) {
    const BaseType type = field.type()->base_type();
    if (type == BaseType::Float || type == BaseType::Double)
      real(field.default_real());
    else
      integer(type, field.type()->index(), field.default_integer());
  }

  void scalar(BaseType type, int enumIndex, const std::uint8_t *at) {
    if (type == BaseType::Float)
      real(load<float>(at));
    else if (type == BaseType::Double)
      real(load<double>(at));
    else
      integer(type, enumIndex, readInteger(type, at));
  }

  void integer(BaseType type, int enumIndex, std::int64_t value) {
    if (type == BaseType::Bool) {
      text_ += value ? "true" : "false";
      return;
    }
    if (enumIndex >= 0 &&
        enumerator(*schema_.enums()->Get(unsigned(enumIndex)), value))
      return;
    text_ += type == BaseType::ULong ? std::to_string(std::uint64_t(value))
                                     : std::to_string(value);
  }

  /// The name of a value, or the names of its bits; false if it has none.
  bool enumerator(const reflection::Enum &type, std::int64_t value) {
    if (const auto *known = type.values()->LookupByKey(value)) {
      text_ += '"';
      text_ += known->name()->string_view();
      text_ += '"';
      return true;
    }
    // The binary schema does not say which enumerations are sets of flags; they
    // are those whose values are single bits.
    for (const auto *bit : *type.values())
      if (bit->value() <= 0 || (bit->value() & (bit->value() - 1)))
        return false;
    std::string names;
    std::int64_t rest = value;
    for (const auto *bit : *type.values())
      if (bit->value() & value) {
        if (!names.empty())
          names += ' ';
        names += bit->name()->string_view();
        rest &= ~bit->value();
      }
    if (names.empty() || rest)
      return false;
    text_ += '"';
    text_ += names;
    text_ += '"';
    return true;
  }

  /// JSON has no infinities and no NaN; they are strings.
  void real(float value) { number(value); }
  void real(double value) { number(value); }
  template <typename T> void number(T value) {
    if (!std::isfinite(value)) {
      text_ += std::isnan(value) ? "\"nan\""
               : value < 0       ? "\"-inf\""
                                 : "\"inf\"";
      return;
    }
    char buffer[64];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    const std::string_view digits(buffer, std::size_t(end - buffer));
    text_ += digits;
    if (digits.find_first_of(".e") == std::string_view::npos)
      text_ += ".0";
  }

  void string(const flatbuffers::String &value) {
    appendJsonString(text_, {value.data(), value.size()});
  }

  const reflection::Schema &schema_;
  std::string &text_;
  bool elements_;
  std::size_t limit_;
  std::size_t indent_ = 0;
  bool first_ = true;
};

} // namespace

std::string toJson(const LoadedFile &file, bool elements) {
  const reflection::Schema &schema = reflect::schemaOf(file.kind);
  std::string text;
  Writer(schema, text, elements, kBaseTextBytes + kTextPerByte * file.size)
      .table(*schema.root_table(),
             flatbuffers::GetSizePrefixedRoot<Table>(file.data()));
  text += '\n';
  return text;
}

} // namespace tt::runtime
