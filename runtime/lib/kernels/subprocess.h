// Programs of the host that the runtime calls.
#ifndef TT_RUNTIME_KERNELS_SUBPROCESS_H
#define TT_RUNTIME_KERNELS_SUBPROCESS_H

#include <string>
#include <vector>

namespace tt::runtime::kernels {

struct Finished {
  int error = 0;      // errno of a program that cannot be started
  int status = 0;     // of its end; 128 and the signal if one ended it
  std::string output; // what it wrote
};

enum class Capture { Output, OutputAndErrors };

/// Runs a program, found on the path, to its end. What is not captured of its
/// output is lost.
Finished runProgram(const std::vector<std::string> &arguments, Capture capture);

} // namespace tt::runtime::kernels

#endif // TT_RUNTIME_KERNELS_SUBPROCESS_H
