// 16-bit floats, and vectors of them packed in 32-bit integers.
#ifndef TTM_BFLOAT16_H
#define TTM_BFLOAT16_H

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <ostream>
#include <random>
#include <utility>
#include <vector>

/// The high half of a float, rounded to nearest even.
class bfloat16 {
public:
  bfloat16() = default;
  bfloat16(float value) : bits_(rounded(value)) {}
  bfloat16(int value) : bfloat16(static_cast<float>(value)) {}
  bfloat16(double value) : bfloat16(static_cast<float>(value)) {}
  explicit bfloat16(std::uint16_t bits) : bits_(bits) {}
  /// The low half of a 32-bit integer.
  explicit bfloat16(std::uint32_t bits)
      : bits_(static_cast<std::uint16_t>(bits)) {}

  operator float() const {
    return std::bit_cast<float>(std::uint32_t(bits_) << 16);
  }
  float to_float() const { return *this; }
  std::uint16_t to_uint16() const { return bits_; }
  std::uint16_t to_packed() const { return bits_; }
  static bfloat16 from_bits(std::uint16_t bits) { return bfloat16(bits); }

private:
  static std::uint16_t rounded(float value) {
    const std::uint32_t word = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value))
      return static_cast<std::uint16_t>(word >> 16 | 0x40);
    return static_cast<std::uint16_t>((word + 0x7fff + (word >> 16 & 1)) >> 16);
  }

  std::uint16_t bits_ = 0;
};
static_assert(sizeof(bfloat16) == 2);

/// The first of a pair is in the low half.
inline std::uint32_t
pack_two_bfloat16_into_uint32(std::pair<bfloat16, bfloat16> pair) {
  return pair.first.to_uint16() | std::uint32_t(pair.second.to_uint16()) << 16;
}
inline std::pair<bfloat16, bfloat16>
unpack_two_bfloat16_from_uint32(std::uint32_t word) {
  return {bfloat16(static_cast<std::uint16_t>(word)),
          bfloat16(static_cast<std::uint16_t>(word >> 16))};
}

inline std::vector<std::uint32_t>
pack_bfloat16_vec_into_uint32_vec(const std::vector<bfloat16> &data) {
  std::vector<std::uint32_t> words(data.size() / 2);
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = pack_two_bfloat16_into_uint32({data[2 * i], data[2 * i + 1]});
  return words;
}
inline std::vector<bfloat16>
unpack_uint32_vec_into_bfloat16_vec(const std::vector<std::uint32_t> &words) {
  std::vector<bfloat16> data;
  data.reserve(words.size() * 2);
  for (const std::uint32_t word : words) {
    const auto [first, second] = unpack_two_bfloat16_from_uint32(word);
    data.push_back(first);
    data.push_back(second);
  }
  return data;
}

/// `bytes` bytes of packed uniform random numbers from `offset` to `offset +
/// max`.
inline std::vector<std::uint32_t>
create_random_vector_of_bfloat16(std::size_t bytes, int max, int seed,
                                 float offset = 0.0f) {
  std::mt19937 generator(static_cast<std::uint32_t>(seed));
  std::uniform_real_distribution<float> uniform(0.0f, float(max));
  std::vector<std::uint32_t> words(bytes / 4);
  for (std::uint32_t &word : words) {
    const bfloat16 first = uniform(generator) + offset;
    word = pack_two_bfloat16_into_uint32({first, uniform(generator) + offset});
  }
  return words;
}
inline std::vector<bfloat16>
create_random_vector_of_bfloat16_native(std::size_t bytes, int max, int seed,
                                        float offset = 0.0f) {
  return unpack_uint32_vec_into_bfloat16_vec(
      create_random_vector_of_bfloat16(bytes, max, seed, offset));
}
inline std::vector<std::uint32_t>
create_constant_vector_of_bfloat16(std::size_t bytes, float value) {
  return std::vector<std::uint32_t>(
      bytes / 4, pack_two_bfloat16_into_uint32({value, value}));
}

/// Whether two packed vectors agree, comparing each half with `close(a, b)`.
inline bool packed_uint32_t_vector_comparison(
    const std::vector<std::uint32_t> &a, const std::vector<std::uint32_t> &b,
    const std::function<bool(float, float)> &close) {
  if (a.size() != b.size())
    return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto [a0, a1] = unpack_two_bfloat16_from_uint32(a[i]);
    const auto [b0, b1] = unpack_two_bfloat16_from_uint32(b[i]);
    if (!close(a0, b0) || !close(a1, b1))
      return false;
  }
  return true;
}

/// |a - b| within `atol`, or within `rtol` of the larger one.
inline bool is_close(float a, float b, float rtol = 0.01f,
                     float atol = 0.001f) {
  const float difference = std::fabs(a - b);
  return difference <= atol ||
         difference <= rtol * std::fmax(std::fabs(a), std::fabs(b));
}

inline std::ostream &operator<<(std::ostream &stream, const bfloat16 &value) {
  return stream << float(value);
}

#endif // TTM_BFLOAT16_H
