// What the schema does not say about a file: its texts can be shown, and it
// does not stand for far more than it has.
//
// Tables may name the same table or vector many times, so that a small file can
// stand for a huge one. A part is looked at once, however often it is named.
#include "common/reflection.h"
#include "common/text.h"

#include <limits>
#include <map>

namespace tt::runtime {

namespace {

using flatbuffers::Table;
using flatbuffers::uoffset_t;
using reflect::follow;
using reflect::load;
using reflection::BaseType;
using reflection::Field;

/// A file stands for at most so many bytes, and so many for each of its own.
constexpr std::uint64_t kBaseBytes = std::uint64_t(64) << 20;
constexpr std::uint64_t kFactor = 64;

class Checker {
public:
  explicit Checker(const LoadedFile &file)
      : schema_(reflect::schemaOf(file.kind)),
        limit_(kBaseBytes + kFactor * file.size) {}

  /// Bytes that the table stands for.
  std::uint64_t table(const reflection::Object &object, const Table *value) {
    return once(value, &object, [&] {
      std::uint64_t bytes = 8;
      for (const Field *field : *object.fields()) {
        if (field->deprecated() || !value->CheckField(field->offset()))
          continue;
        place_.push_back({field, -1});
        bytes += this->field(object, *field, value);
        place_.pop_back();
        check(bytes);
      }
      return bytes;
    });
  }

private:
  /// What `measure` gives for a part, which it looks at once.
  template <typename Measure>
  std::uint64_t once(const void *part, const void *type, Measure measure) {
    const auto known = known_.find({part, type});
    if (known != known_.end())
      return known->second;
    const std::uint64_t bytes = measure();
    known_.emplace(std::pair(part, type), bytes);
    return bytes;
  }

  std::uint64_t field(const reflection::Object &object, const Field &field,
                      const Table *value) {
    const std::uint8_t *at = value->GetAddressOf(field.offset());
    const reflection::Type &type = *field.type();
    if (type.base_type() == BaseType::Union) {
      const Field *types = reflect::typeFieldOf(object, field);
      return chosen(
          field, types ? value->GetField<std::uint8_t>(types->offset(), 0) : 0,
          at);
    }
    if (type.base_type() != BaseType::Vector)
      return member(type.base_type(), type.index(), at);
    const std::uint8_t *vector = follow(at);
    return once(vector, &type, [&] {
      return elements(object, field, value, load<uoffset_t>(vector),
                      vector + sizeof(uoffset_t));
    });
  }

  std::uint64_t elements(const reflection::Object &object, const Field &field,
                         const Table *value, uoffset_t count,
                         const std::uint8_t *data) {
    const reflection::Type &type = *field.type();
    const BaseType element = type.element();
    if (element == BaseType::Obj && objectAt(type.index()).is_struct())
      return std::uint64_t(count) *
             std::uint64_t(objectAt(type.index()).bytesize());
    if (element != BaseType::Obj && element != BaseType::String &&
        element != BaseType::Union)
      return count * std::uint64_t(reflect::sizeOfScalar(element));
    std::uint64_t bytes = 4;
    const Field *types = element == BaseType::Union
                             ? reflect::typeFieldOf(object, field)
                             : nullptr;
    for (uoffset_t i = 0; i < count; ++i) {
      place_.back().second = i;
      const std::uint8_t *at = data + i * sizeof(uoffset_t);
      bytes += element == BaseType::Union
                   ? chosen(field, unionType(types, value, i), at)
                   : member(element, type.index(), at);
      check(bytes);
    }
    return bytes;
  }

  static std::int64_t unionType(const Field *types, const Table *value,
                                uoffset_t index) {
    const auto *list =
        types ? value->GetPointer<const flatbuffers::Vector<std::uint8_t> *>(
                    types->offset())
              : nullptr;
    return list && index < list->size() ? list->Get(index) : 0;
  }

  std::uint64_t chosen(const Field &field, std::int64_t type,
                       const std::uint8_t *at) {
    const reflection::Type *member = reflect::memberOf(schema_, field, type);
    return member ? this->member(BaseType::Obj, member->index(), at) : 4;
  }

  std::uint64_t member(BaseType type, int index, const std::uint8_t *at) {
    if (type == BaseType::String) {
      const auto *text =
          reinterpret_cast<const flatbuffers::String *>(follow(at));
      // Texts are shared where they are used, a name with a text of lines too.
      const bool lines = hasLines(*place_.back().first);
      return once(text, lines ? text : nullptr, [&] {
        checkText(*text, lines);
        return std::uint64_t(4);
      });
    }
    if (type != BaseType::Obj || objectAt(index).is_struct())
      return 8;
    return table(objectAt(index), reinterpret_cast<const Table *>(follow(at)));
  }

  const reflection::Object &objectAt(int index) const {
    return *schema_.objects()->Get(unsigned(index));
  }

  void check(std::uint64_t bytes) const {
    if (bytes > limit_)
      raise(ErrorCategory::Format, where(),
            ": expected a file that stands for at most ", limit_,
            " bytes, found one that names the same parts so often that it "
            "stands for more");
  }

  /// Whether the schema says that a text, or those of a vector, have lines.
  static bool hasLines(const Field &field) {
    return field.attributes() && field.attributes()->LookupByKey("lines");
  }

  /// Control characters can forge what a terminal shows, and so can those that
  /// change the direction of a text, and in a name those that end a line.
  void checkText(const flatbuffers::String &text, bool lines) const {
    const auto *data = reinterpret_cast<const unsigned char *>(text.data());
    for (std::size_t i = 0; i < text.size();) {
      if (data[i] >= 0x20 && data[i] < 0x7f) {
        ++i;
        continue;
      }
      std::uint32_t point = 0;
      const std::size_t length = decodeUtf8(data + i, text.size() - i, point);
      if (length == 0)
        badText("text in UTF-8", "byte", data[i], i);
      const bool control =
          (point < 0x20 && point != '\t' && !(lines && point == '\n')) ||
          (point >= 0x7f && point < 0xa0) ||
          (point >= 0x2028 && point <= 0x202e) ||
          (point >= 0x2066 && point <= 0x2069);
      if (control)
        badText("text without control characters", "character", point, i);
      i += length;
    }
  }

  [[noreturn]] void badText(const char *expected, const char *what,
                            std::uint32_t found, std::size_t at) const {
    std::ostringstream number;
    number << std::hex << found;
    raise(ErrorCategory::Format, where(), ": expected ", expected, ", found ",
          what, " 0x", number.str(), " at ", at);
  }

  /// "programs[0].inputs[1].name"
  std::string where() const {
    std::string path;
    for (auto const &[field, index] : place_) {
      path += (path.empty() ? "" : ".") + field->name()->str();
      if (index >= 0)
        path += "[" + std::to_string(index) + "]";
    }
    return path;
  }

  const reflection::Schema &schema_;
  std::uint64_t limit_;
  std::map<std::pair<const void *, const void *>, std::uint64_t> known_;
  std::vector<std::pair<const Field *, std::int64_t>> place_;
};

} // namespace

void checkContents(const LoadedFile &file) {
  Checker checker(file);
  checker.table(*reflect::schemaOf(file.kind).root_table(),
                flatbuffers::GetSizePrefixedRoot<Table>(file.data()));
}

} // namespace tt::runtime
