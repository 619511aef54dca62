// Damaged files that still look like files.
#ifndef TT_RUNTIME_TOOLS_MUTATION_H
#define TT_RUNTIME_TOOLS_MUTATION_H

#include "fields.h"

#include <random>
#include <string>

namespace tt::runtime::tools {

/// A valid file with its fields.
struct Original {
  explicit Original(std::string content)
      : bytes(std::move(content)), fields(findFields(bytes)) {}
  std::string bytes;
  Fields fields;
};

/// A mutation of a file. Most change fields to numbers, offsets, lengths and
/// texts that a field of the type may hold; some change bits, bytes or the
/// length of the file.
std::string mutate(const Original &original, std::mt19937_64 &random);

} // namespace tt::runtime::tools

#endif // TT_RUNTIME_TOOLS_MUTATION_H
