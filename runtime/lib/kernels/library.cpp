#include "kernels/library.h"

#include "kernels/build_files.h"
#include "kernels/cache.h"
#include "kernels/digest.h"
#include "kernels/subprocess.h"
#include "tt/runtime/error.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

namespace tt::runtime::kernels {

namespace fs = std::filesystem;

namespace {

constexpr char kLibraryMagic[] = "ttmlir kernel library 1";
constexpr char kHeader[] = "ttk/kernel.h.gch", kHooks[] = "hooks.o";

/// 0 for a file that does not exist.
std::uintmax_t sizeOf(const fs::path &path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  return error ? 0 : size;
}

/// The library that a description refers to, unless a header has changed.
std::optional<Library> findLibrary(const fs::path &cache,
                                   const fs::path &description) {
  std::ifstream stream(description);
  std::string word;
  if (!std::getline(stream, word) || word != kLibraryMagic)
    return std::nullopt;
  Library library;
  bool complete = false;
  while (stream >> word) {
    if (word == "library") {
      std::uintmax_t header = 0, hooks = 0;
      stream >> word >> header >> hooks;
      library.folder = cache / word;
      library.hooks = library.folder / kHooks;
      if (sizeOf(library.folder / kHeader) != header ||
          sizeOf(library.hooks) != hooks)
        return std::nullopt;
    } else if (word == "file") {
      std::string file;
      stream >> word >> std::ws;
      std::getline(stream, file);
      if (fileDigest(file) != word)
        return std::nullopt;
      library.files.push_back(file);
    } else {
      complete = word == "end";
    }
  }
  return complete ? std::optional(std::move(library)) : std::nullopt;
}

} // namespace

Libraries::Libraries(const Compiler &compiler, fs::path cache)
    : compiler_(compiler), cache_(std::move(cache)) {}

const Library &Libraries::get(const std::vector<std::string> &options) {
  std::promise<Library> promise;
  std::shared_future<Library> result;
  bool isFirst = false;
  {
    const std::lock_guard lock(mutex_);
    const auto [entry, added] =
        known_.try_emplace(options, promise.get_future().share());
    result = entry->second;
    isFirst = added;
  }
  if (isFirst)
    try {
      promise.set_value(make(options));
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  return result.get(); // a reference into known_
}

Library Libraries::make(const std::vector<std::string> &options) const {
  std::string all = compiler_.identity + '\0' + compiler_.headers;
  for (const char *flag : compileFlags())
    (all += '\0') += flag;
  for (const std::string &option : options)
    (all += '\0') += option;
  const std::string key = digest(all).substr(0, 32);
  const fs::path description = cache_ / (key + ".library");
  if (auto known = findLibrary(cache_, description))
    return std::move(*known);

  const TemporaryFolder temporary(cache_); // so that it can be renamed
  const fs::path folder = temporary.path() / "library";
  const fs::path rule = temporary.path() / "kernel.d";
  const fs::path headers = fs::path(compiler_.headers) / "ttk";
  fs::create_directories(folder / "ttk");
  const auto compile = [&](const std::vector<std::string> &rest) {
    std::vector<std::string> command = {compiler_.command};
    command.insert(command.end(), compileFlags().begin(), compileFlags().end());
    command.insert(command.end(), options.begin(), options.end());
    command.push_back("-I" + compiler_.headers);
    command.insert(command.end(), rest.begin(), rest.end());
    return runProgram(command, Capture::OutputAndErrors);
  };
  // Without lines, so that debuggers step over it.
  const Finished hooks = compile({"-g0", "-x", "c++", "-c", headers / "hooks.h",
                                  "-MMD", "-MF", rule, "-o", folder / kHooks});
  if (hooks.error || hooks.status)
    raise(ErrorCategory::Unsupported, "'", compiler_.command,
          "' cannot compile the kernel library:\n",
          hooks.error ? std::strerror(hooks.error) : hooks.output);
  std::vector<std::string> files = readDependencies(rule, "");
  const Finished header =
      compile({"-x", "c++-header", headers / "kernel.h", "-MMD", "-MF", rule,
               "-o", folder / kHeader});
  if (header.error || header.status)
    fs::remove(folder / kHeader); // kernels compile without it
  else
    for (const std::string &file : readDependencies(rule, ""))
      if (std::find(files.begin(), files.end(), file) == files.end())
        files.push_back(file);

  // Processes that compile it at the same time have a folder each.
  const std::string name = "library-" + temporary.path().filename().string();
  std::ostringstream text;
  text << kLibraryMagic << "\nlibrary " << name << ' '
       << sizeOf(folder / kHeader) << ' ' << sizeOf(folder / kHooks) << '\n';
  for (const std::string &file : files)
    text << "file " << fileDigest(file) << ' ' << file << '\n';
  text << "end\n";
  fs::rename(folder, cache_ / name);
  const fs::path written = temporary.path() / "description";
  writeFile(written, text.str());
  fs::rename(written, description);
  return {cache_ / name, cache_ / name / kHooks, std::move(files)};
}

} // namespace tt::runtime::kernels
