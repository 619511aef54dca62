// Text in UTF-8, which a damaged file may have filled with any bytes.
#ifndef TT_RUNTIME_COMMON_TEXT_H
#define TT_RUNTIME_COMMON_TEXT_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tt::runtime {

/// Number of bytes of the UTF-8 sequence at `at`, or 0 if it is not one; sets
/// the code point.
std::size_t decodeUtf8(const unsigned char *at, std::size_t left,
                       std::uint32_t &point);

/// The text; what is not UTF-8 becomes the replacement character.
std::string validUtf8(std::string_view text);

/// Appends a string of JSON in ASCII, with its quotes.
void appendJsonString(std::string &to, std::string_view text);

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_TEXT_H
