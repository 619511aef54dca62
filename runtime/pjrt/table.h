// The function table. Each group of functions adds its own.
#ifndef TT_PJRT_TABLE_H
#define TT_PJRT_TABLE_H

#include "objects.h"

#include <cstring>
#include <string>

namespace tt::pjrt {

/// Fills a table: functions that nobody adds answer UNIMPLEMENTED with their
/// names.
class Table {
public:
  explicit Table(abi::Api &api);

  template <typename Args>
  void add(abi::Function function, Error *(*implementation)(Args *)) {
    set(function, reinterpret_cast<void (*)()>(implementation));
  }
  template <typename Args>
  void add(abi::Function function, void (*implementation)(Args *)) {
    set(function, reinterpret_cast<void (*)()>(implementation));
  }

private:
  void set(abi::Function function, void (*implementation)());

  abi::Api &api_;
};

void addEvents(Table &table);
void addClient(Table &table);
void addDevices(Table &table);
void addBuffers(Table &table);
void addTransfers(Table &table);
void addExecutables(Table &table);
void addExecution(Table &table);

/// A text of an object that lives as long as it.
inline void giveText(const std::string &text, const char *&data,
                     std::size_t &size) {
  data = text.data();
  size = text.size();
}

inline Error *unimplemented(std::string message) {
  return makeError(abi::ErrorCode::Unimplemented, std::move(message));
}

inline Error *invalid(std::string message) {
  return makeError(abi::ErrorCode::InvalidArgument, std::move(message));
}

/// For a buffer without content; `what` names it.
inline Error *deleted(const std::string &what, const Buffer &buffer) {
  return invalid(what + buffer.describe() +
                 " was deleted or donated, and cannot be used again");
}

} // namespace tt::pjrt

#endif // TT_PJRT_TABLE_H
