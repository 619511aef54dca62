#include "kernels/build_files.h"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include <stdlib.h>

namespace tt::runtime::kernels {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(const fs::path &parent) {
  std::string name = parent / "XXXXXX";
  if (!mkdtemp(name.data()))
    throw fs::filesystem_error("cannot create", parent,
                               std::error_code(errno, std::generic_category()));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

std::string readFile(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void writeFile(const fs::path &path, std::string_view content) {
  if (!(std::ofstream(path, std::ios::binary) << content).flush())
    throw fs::filesystem_error(
        "cannot write", path, std::error_code(ENOSPC, std::generic_category()));
}

std::vector<std::string> readDependencies(const fs::path &rule,
                                          const std::string &own) {
  const std::string text = readFile(rule);
  std::vector<std::string> files;
  std::string file;
  const auto finish = [&] {
    if (!file.empty() && file != own)
      files.push_back(file);
    file.clear();
  };
  for (std::size_t i = text.find(':') + 1; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() &&
        (text[i + 1] == ' ' || text[i + 1] == '\n')) {
      if (text[++i] == ' ')
        file += ' ';
    } else if (c == ' ' || c == '\n') {
      finish();
    } else {
      file += c;
    }
  }
  finish();
  return files;
}

} // namespace tt::runtime::kernels
