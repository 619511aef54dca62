#include "mutation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string_view>

namespace tt::runtime::tools {

namespace {

using Random = std::mt19937_64;
using namespace std::string_view_literals;

constexpr std::size_t kPrefixBytes = 4;

/// Limits of types, sizes and alignments, and their neighbours.
constexpr std::array<std::uint64_t, 40> kNumbers = {
    0,          1,           2,          3,          4,          7,
    8,          15,          16,         31,         32,         33,
    63,         64,          65,         127,        128,        255,
    256,        1023,        1024,       4096,       32767,      32768,
    65535,      65536,       98304,      1048576,    1499136,    0x3fffffff,
    0x40000000, 0x7fffffff,  0x80000000, 0xfffffff0, 0xffffffff, 1ull << 32,
    1ull << 62, ~0ull >> 1u, 1ull << 63, ~0ull};
constexpr std::array kReals = {0.0f,   -0.0f, 1.0f,     1e38f,    -1e38f,
                               1e-45f, NAN,   INFINITY, -INFINITY};
constexpr std::array kTexts = {
    "../../../../x"sv, "/etc/passwd"sv, "\0\0\0"sv,   "\xff\xfe\xfd"sv,
    "%s%n%s"sv,        "\"\\\n\x01"sv,  "\x1b[31m"sv, "{}{}{}"sv};

std::size_t below(Random &random, std::size_t count) {
  return std::size_t(random() % count);
}

template <typename Values> auto pick(Random &random, const Values &values) {
  return values[below(random, values.size())];
}

std::uint64_t load(const std::string &bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, size);
  return value;
}

void store(std::string &bytes, std::size_t at, std::uint64_t value,
           std::size_t size) {
  if (at + size <= bytes.size())
    std::memcpy(bytes.data() + at, &value, size);
}

/// What another field of the same type holds, or any number.
std::uint64_t otherNumber(const Original &original, const Field &field,
                          Random &random) {
  for (int tries = 0; tries < 20; ++tries) {
    const Field &other = pick(random, original.fields.fields);
    if (other.kind == field.kind && other.type == field.type)
      return load(original.bytes, other.at, field.bytes);
  }
  return pick(random, kNumbers);
}

void changeInteger(std::string &bytes, const Original &original,
                   const Field &field, Random &random) {
  std::uint64_t value = load(bytes, field.at, field.bytes);
  switch (below(random, 6)) {
  case 0:
    value = pick(random, kNumbers);
    break;
  case 1:
    ++value;
    break;
  case 2:
    --value;
    break;
  case 3:
    value ^= 1ull << below(random, 8 * field.bytes);
    break;
  case 4:
    value *= 1 + below(random, 64);
    break;
  default:
    value = otherNumber(original, field, random);
  }
  store(bytes, field.at, value, field.bytes);
}

/// Lets an offset lead to something else, mostly of its type.
void changeOffset(std::string &bytes, const Original &original,
                  const Field &field, Random &random) {
  const auto &targets = original.fields.targets.at(field.type);
  const std::size_t target =
      random() % 4 ? pick(random, targets) : below(random, bytes.size());
  store(bytes, field.at, target - field.at, field.bytes);
}

void changeLength(std::string &bytes, const Field &field, Random &random) {
  const std::uint64_t old = load(bytes, field.at, field.bytes);
  const std::array<std::uint64_t, 9> lengths = {
      0,       old / 2,    old - 1,    old + 1,   old + 2,
      2 * old, 0x20000000, 0x7fffffff, 0xffffffff};
  store(bytes, field.at, pick(random, lengths), field.bytes);
}

void changeText(std::string &bytes, const Field &field, Random &random) {
  if (!field.bytes)
    return;
  if (random() % 2) {
    const std::string_view text = pick(random, kTexts);
    std::memcpy(bytes.data() + field.at, text.data(),
                std::min(field.bytes, text.size()));
  } else {
    bytes[field.at + below(random, field.bytes)] = char(random());
  }
}

void changeField(std::string &bytes, const Original &original, Random &random) {
  const Field &field = pick(random, original.fields.fields);
  // An earlier change may have cut the file.
  if (field.at + std::max<std::size_t>(field.bytes, 1) > bytes.size())
    return;
  switch (field.kind) {
  case FieldKind::Integer:
    return changeInteger(bytes, original, field, random);
  case FieldKind::Real: {
    const float value = pick(random, kReals);
    std::memcpy(bytes.data() + field.at, &value, sizeof value);
    return;
  }
  case FieldKind::Offset:
    return changeOffset(bytes, original, field, random);
  case FieldKind::Length:
    return changeLength(bytes, field, random);
  case FieldKind::UnionType:
    return store(bytes, field.at, below(random, 16), 1);
  case FieldKind::Text:
    return changeText(bytes, field, random);
  }
}

/// Takes a field out of a table, or puts it elsewhere.
void changeVtable(std::string &bytes, const Original &original,
                  Random &random) {
  const std::size_t at = pick(random, original.fields.vtables);
  const std::size_t size = load(bytes, at, 2);
  if (size < 6 || at + size > bytes.size())
    return;
  const std::size_t entry = at + 4 + 2 * below(random, (size - 4) / 2);
  const std::uint64_t old = load(bytes, entry, 2);
  store(bytes, entry, random() % 2 ? 0 : random() % 2 ? old + 4 : old - 4, 2);
}

/// Changes that know nothing of fields.
void changeBytes(std::string &bytes, Random &random) {
  const std::size_t at = below(random, bytes.size());
  switch (below(random, 6)) {
  case 0:
    bytes[at] = char(bytes[at] ^ char(1u << below(random, 8)));
    return;
  case 1:
    return store(bytes, at & ~std::size_t(3), pick(random, kNumbers), 4);
  case 2:
    return store(bytes, at & ~std::size_t(7), pick(random, kNumbers), 8);
  case 3: {
    const std::size_t from = below(random, bytes.size());
    const std::size_t count = std::min(
        {1 + below(random, 256), bytes.size() - at, bytes.size() - from});
    std::memmove(bytes.data() + at, bytes.data() + from, count);
    return;
  }
  case 4:
    bytes.resize(3 * kPrefixBytes +
                 below(random, bytes.size() - 3 * kPrefixBytes + 1));
    break;
  default:
    bytes.insert(at & ~std::size_t(3), 4 * (1 + below(random, 16)),
                 char(random() % 3 ? 0 : random()));
  }
  // Mostly the prefix still says the size.
  if (random() % 4)
    store(bytes, 0, bytes.size() - kPrefixBytes, kPrefixBytes);
}

} // namespace

std::string mutate(const Original &original, Random &random) {
  std::string bytes = original.bytes;
  const std::size_t kind = below(random, 10);
  const std::size_t changes = 1 + below(random, kind < 5 ? 2 : 5);
  for (std::size_t i = 0; i < changes; ++i) {
    if (kind < 8)
      changeField(bytes, original, random);
    else if (kind < 9)
      changeVtable(bytes, original, random);
    else
      changeBytes(bytes, random);
  }
  return bytes;
}

} // namespace tt::runtime::tools
