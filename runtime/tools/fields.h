// Where the fields of a flatbuffer stand, by the schema that is embedded.
#ifndef TT_RUNTIME_TOOLS_FIELDS_H
#define TT_RUNTIME_TOOLS_FIELDS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tt::runtime::tools {

enum class FieldKind : std::uint8_t {
  Integer,   // a number, boolean or enumerator
  Real,      // a 32-bit float
  Offset,    // to a table, vector or string behind it
  Length,    // of a vector or string
  UnionType, // which member a union holds
  Text,      // the characters of a string
};

/// A place in a file. Fields of one `type` may be exchanged.
struct Field {
  FieldKind kind;
  std::size_t at;
  std::size_t bytes;
  int type;
};

/// The fields of a file, the offsets of its vtables, and what offsets of a type
/// lead to.
struct Fields {
  std::vector<Field> fields;
  std::vector<std::size_t> vtables;
  std::map<int, std::vector<std::size_t>> targets;
};

/// The fields of a valid file of any of the formats. The buffer is size
/// prefixed; places count from its begin.
Fields findFields(const std::string &bytes);

} // namespace tt::runtime::tools

#endif // TT_RUNTIME_TOOLS_FIELDS_H
