// The kernel library, compiled in advance.
#ifndef TT_RUNTIME_KERNELS_LIBRARY_H
#define TT_RUNTIME_KERNELS_LIBRARY_H

#include "kernels/toolchain.h"

#include <filesystem>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace tt::runtime::kernels {

/// What kernels with the same options share.
struct Library {
  /// To be searched before the folder of the headers: it has a precompiled
  /// ttk/kernel.h, unless the compiler cannot make one.
  std::filesystem::path folder;
  /// The object of ttk/hooks.h.
  std::filesystem::path hooks;
  /// The headers in them.
  std::vector<std::string> files;
};

/// The compiled libraries in a cache folder.
class Libraries {
public:
  Libraries(const Compiler &compiler, std::filesystem::path cache);

  /// The library for options that it depends on. The first caller compiles it
  /// unless it is in the cache; others, of other threads, wait for it. Throws
  /// Error(Unsupported) if it does not compile, and
  /// std::filesystem::filesystem_error.
  const Library &get(const std::vector<std::string> &options);

private:
  Library make(const std::vector<std::string> &options) const;

  const Compiler &compiler_;
  const std::filesystem::path cache_;
  std::mutex mutex_;
  std::map<std::vector<std::string>, std::shared_future<Library>> known_;
};

} // namespace tt::runtime::kernels

#endif // TT_RUNTIME_KERNELS_LIBRARY_H
