// Runs host programs for the runtime.
#ifndef TT_RUNTIME_KERNELS_SUBPROCESS_H
#define TT_RUNTIME_KERNELS_SUBPROCESS_H

#include <string>
#include <vector>

namespace tt::runtime::kernels {

struct Finished {
  int error = 0;      // errno of a program that cannot be started
  int status = 0;     // exit status; 128 plus the signal if one ended it
  std::string output; // the captured output
};

enum class Capture { Output, OutputAndErrors };

/// Runs a program from the PATH and waits for its end. Output that is not
/// captured is discarded.
Finished runProgram(const std::vector<std::string> &arguments, Capture capture);

} // namespace tt::runtime::kernels

#endif // TT_RUNTIME_KERNELS_SUBPROCESS_H
