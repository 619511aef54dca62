// Checks of host programs.
#ifndef TTM_ASSERT_H
#define TTM_ASSERT_H

#include <sstream>
#include <stdexcept>
#include <string>

namespace ttm {

/// Formats text such as "value {} of {}" with the arguments in place of the
/// braces.
template <typename... Arguments>
std::string format(std::string text, const Arguments &...arguments) {
  std::size_t at = 0;
  [[maybe_unused]] const auto place = [&](const auto &argument) {
    std::ostringstream shown;
    shown << argument;
    at = text.find('{', at);
    const std::size_t end = at == std::string::npos ? at : text.find('}', at);
    if (end == std::string::npos)
      return;
    text.replace(at, end - at + 1, shown.str());
    at += shown.str().size();
  };
  (place(arguments), ...);
  return text;
}

[[noreturn]] inline void fail(const char *file, int line, const char *what,
                              const std::string &message = "") {
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) +
                           ": " + what + (message.empty() ? "" : ": ") +
                           message);
}

} // namespace ttm

#define TT_FATAL(condition, ...)                                               \
  do                                                                           \
    if (!(condition))                                                          \
      ::ttm::fail(                                                             \
          __FILE__, __LINE__,                                                  \
          "expected " #condition __VA_OPT__(, ::ttm::format(__VA_ARGS__)));    \
  while (0)
#define TT_ASSERT(condition, ...) TT_FATAL(condition __VA_OPT__(, __VA_ARGS__))
#define TT_THROW(...)                                                          \
  ::ttm::fail(__FILE__, __LINE__, "error", ::ttm::format(__VA_ARGS__))

#endif // TTM_ASSERT_H
