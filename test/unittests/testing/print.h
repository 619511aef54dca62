// Values as the messages of tests show them.
#ifndef TTMLIR_UNITTESTS_TESTING_PRINT_H
#define TTMLIR_UNITTESTS_TESTING_PRINT_H

#include <cstdint>
#include <limits>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace testing {

/// A text that is put together with `<<`.
class Message {
public:
  template <typename T> Message &operator<<(const T &value) {
    text << value;
    return *this;
  }
  Message &operator<<(bool value) {
    text << (value ? "true" : "false");
    return *this;
  }
  std::string str() const { return text.str(); }
  operator std::string() const { return text.str(); }

private:
  std::ostringstream text;
};

inline std::ostream &operator<<(std::ostream &out, const Message &message) {
  return out << message.str();
}

namespace detail {
template <typename T, typename = void> constexpr bool isPrintable = false;
template <typename T>
constexpr bool
    isPrintable<T, std::void_t<decltype(std::declval<std::ostream &>()
                                        << std::declval<const T &>())>> = true;
template <typename T, typename = void> constexpr bool isRange = false;
template <typename T>
constexpr bool
    isRange<T, std::void_t<decltype(std::declval<const T &>().begin()),
                           decltype(std::declval<const T &>().end())>> = true;
} // namespace detail

template <typename T> std::string show(const T &value);

template <typename T> std::string show(const std::optional<T> &value) {
  return value ? show(*value) : "nothing";
}

template <typename A, typename B>
std::string show(const std::pair<A, B> &value) {
  return "(" + show(value.first) + ", " + show(value.second) + ")";
}

/// Numbers in full, texts in quotes, the elements of ranges; what has no text
/// of its own has none here.
template <typename T> std::string show(const T &value) {
  std::ostringstream out;
  if constexpr (std::is_same_v<T, bool>)
    out << (value ? "true" : "false");
  else if constexpr (std::is_same_v<T, std::nullptr_t>)
    out << "nullptr";
  else if constexpr (std::is_floating_point_v<T>)
    (out.precision(std::numeric_limits<T>::max_digits10), out << value);
  else if constexpr (std::is_enum_v<T>)
    out << std::int64_t(value);
  else if constexpr (std::is_integral_v<T>)
    out << +value;
  else if constexpr (std::is_convertible_v<T, std::string_view>)
    out << '"' << std::string_view(value) << '"';
  else if constexpr (detail::isRange<T>) {
    const char *separator = "{";
    for (const auto &element : value) {
      out << separator << show(element);
      separator = ", ";
    }
    out << (*separator == '{' ? "{}" : "}");
  } else if constexpr (detail::isPrintable<T>)
    out << value;
  else
    out << "a value of " << sizeof(T) << " bytes";
  return out.str();
}

} // namespace testing

#endif
