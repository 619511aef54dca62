#include "common/text.h"

#include <algorithm>

namespace tt::runtime {

namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

/// Calls `visit` with each code point, and the bytes that are it.
template <typename Visit> void eachPoint(std::string_view text, Visit visit) {
  const auto *data = reinterpret_cast<const unsigned char *>(text.data());
  for (std::size_t i = 0; i < text.size();) {
    std::uint32_t point = 0;
    const std::size_t length = decodeUtf8(data + i, text.size() - i, point);
    visit(length == 0 ? kReplacement : point, text.substr(i, length));
    i += std::max<std::size_t>(1, length);
  }
}

void escape(std::string &to, std::uint32_t unit) {
  static constexpr char digits[] = "0123456789abcdef";
  to += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4)
    to += digits[unit >> shift & 15];
}

} // namespace

std::size_t decodeUtf8(const unsigned char *at, std::size_t left,
                       std::uint32_t &point) {
  const unsigned char lead = at[0];
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (length == 0 || length > left)
    return 0;
  point = length == 1 ? lead : lead & (0xff >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((at[i] & 0xc0) != 0x80)
      return 0;
    point = point << 6 | (at[i] & 0x3f);
  }
  const bool overlong =
      (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
  const bool surrogate = point >= 0xd800 && point < 0xe000;
  return overlong || surrogate || point > 0x10ffff ? 0 : length;
}

std::string validUtf8(std::string_view text) {
  std::string valid;
  eachPoint(text, [&](std::uint32_t, std::string_view bytes) {
    valid += bytes.empty() ? "\xef\xbf\xbd" : bytes;
  });
  return valid;
}

void appendJsonString(std::string &to, std::string_view text) {
  to += '"';
  eachPoint(text, [&](std::uint32_t point, std::string_view) {
    if (point == '"' || point == '\\')
      (to += '\\') += char(point);
    else if (point == '\n')
      to += "\\n";
    else if (point == '\t')
      to += "\\t";
    else if (point >= 0x10000) {
      escape(to, 0xd800 + ((point - 0x10000) >> 10));
      escape(to, 0xdc00 + (point & 0x3ff));
    } else if (point < 0x20 || point > 0x7e)
      escape(to, point);
    else
      to += char(point);
  });
  to += '"';
}

} // namespace tt::runtime
