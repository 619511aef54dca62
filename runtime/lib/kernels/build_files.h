// Files of a compilation.
#ifndef TT_RUNTIME_KERNELS_BUILD_FILES_H
#define TT_RUNTIME_KERNELS_BUILD_FILES_H

#include <filesystem>
#include <string>
#include <vector>

namespace tt::runtime::kernels {

/// A folder that exists as long as this object.
class TemporaryFolder {
public:
  explicit TemporaryFolder(const std::filesystem::path &parent);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
};

/// The content of a file; empty if it cannot be read.
std::string readFile(const std::filesystem::path &path);

/// Writes a file. Throws std::filesystem::filesystem_error.
void writeFile(const std::filesystem::path &path, std::string_view content);

/// The prerequisites of the rule that -MMD writes, except `own`.
std::vector<std::string> readDependencies(const std::filesystem::path &rule,
                                          const std::string &own);

} // namespace tt::runtime::kernels

#endif // TT_RUNTIME_KERNELS_BUILD_FILES_H
