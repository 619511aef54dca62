// The one error class of the runtime. Every public function reports bad input,
// exhausted memory and unsupported programs by throwing it; the message says
// what was expected and what was found.
#ifndef TT_RUNTIME_ERROR_H
#define TT_RUNTIME_ERROR_H

#include <sstream>
#include <stdexcept>
#include <string>

namespace tt::runtime {

enum class ErrorCategory {
  File,           // a file cannot be opened, read or written
  Format,         // not a flatbuffer of ours, truncated, or inconsistent
  Version,        // written by another version of the compiler
  SystemMismatch, // compiled for a system that is not the opened one
  Argument,       // wrong count, shape, data type, device or index
  OutOfMemory,    // L1, DRAM or host memory exhausted
  Unsupported,    // valid, but this runtime cannot do it
  Kernel,         // a kernel did what the chip does not allow: a Fault
  Cancelled,      // ended early at the request of the caller
  Internal,       // a defect of the runtime itself
};

/// "file", "format", "version", ...
const char *categoryName(ErrorCategory category);

class Error : public std::runtime_error {
public:
  Error(ErrorCategory category, const std::string &message)
      : std::runtime_error(message), category_(category) {}

  ErrorCategory category() const { return category_; }

private:
  ErrorCategory category_;
};

/// Throws an Error whose message is the concatenation of `parts`.
template <typename... Parts>
[[noreturn]] void raise(ErrorCategory category, const Parts &...parts) {
  std::ostringstream message;
  (message << ... << parts);
  throw Error(category, message.str());
}

} // namespace tt::runtime

#endif // TT_RUNTIME_ERROR_H
