// Log messages of host programs, on standard error.
#ifndef TTM_LOG_H
#define TTM_LOG_H

#include "ttm/assert.h"

#include <iostream>
#include <string>

namespace tt {

/// The category of a message.
enum LogType {
  LogAlways,
  LogTest,
  LogTimer,
  LogDevice,
  LogModel,
  LogVerif,
  LogOp,
  LogDispatch,
  LogFabric,
  LogMetal
};

} // namespace tt

namespace ttm {

template <typename... Arguments>
void log(const char *level, tt::LogType, const std::string &text,
         const Arguments &...arguments) {
  std::cerr << level << ": " << format(text, arguments...) << '\n';
}
template <typename... Arguments>
void log(const char *level, const std::string &text,
         const Arguments &...arguments) {
  log(level, tt::LogAlways, text, arguments...);
}

} // namespace ttm

#define log_info(...) ::ttm::log("info", __VA_ARGS__)
#define log_warning(...) ::ttm::log("warning", __VA_ARGS__)
#define log_error(...) ::ttm::log("error", __VA_ARGS__)
#define log_debug(...) static_cast<void>(0)

#endif // TTM_LOG_H
