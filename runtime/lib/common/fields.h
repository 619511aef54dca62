// Reads fields of a file's tables and says what is wrong with them.
#ifndef TT_RUNTIME_COMMON_FIELDS_H
#define TT_RUNTIME_COMMON_FIELDS_H

#include "common/shapes.h"

#include "flatbuffers/flatbuffers.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace tt::runtime {

/// A vector of the file; empty if it is absent. Throws Error(Format) when it is
/// not aligned: the verifier aligns a vector by its length of four bytes alone.
template <typename T>
std::vector<std::int64_t> readVector(::flatbuffers::Vector<T> const *vector,
                                     const char *field) {
  if (!vector)
    return {};
  if (vector->size() &&
      reinterpret_cast<std::uintptr_t>(vector->Data()) % alignof(T))
    malformed("the elements of field ", field, " are not aligned");
  return {vector->begin(), vector->end()};
}

/// The bytes themselves, which belong to the file and may stand at any address.
inline std::span<const std::uint8_t>
readBytes(::flatbuffers::Vector<std::uint8_t> const *vector) {
  if (!vector)
    return {};
  return {vector->data(), vector->size()};
}

inline std::optional<std::int64_t> readOptional(const auto &value) {
  return value ? std::optional<std::int64_t>(*value) : std::nullopt;
}

/// Throws Error(Format) unless `value` is an enumerator.
template <typename E> void checkEnumerator(const char *what, E value) {
  if (value > E::MAX)
    malformed("expected ", what, " up to ", unsigned(E::MAX), ", found ",
              unsigned(value));
}

/// `value` of that field, which is an enumerator.
template <typename E> E readEnumerator(E value, const char *field) {
  if (value > E::MAX)
    malformed("expected a value up to ", unsigned(E::MAX), " in field ", field,
              ", found ", unsigned(value));
  return value;
}

/// What `decode(table, index)` makes of each table of a vector, the same object
/// for a table that is named many times.
template <typename Result, typename Tables, typename Decode>
std::vector<std::shared_ptr<const Result>> decodeOnce(const Tables *tables,
                                                      Decode decode) {
  std::vector<std::shared_ptr<const Result>> results;
  std::unordered_map<const void *, std::size_t> known;
  const std::size_t count = tables ? tables->size() : 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto const *table = tables->Get(unsigned(i));
    const auto [first, isNew] = known.try_emplace(table, i);
    results.push_back(isNew ? std::make_shared<const Result>(decode(table, i))
                            : results[first->second]);
  }
  return results;
}

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_FIELDS_H
