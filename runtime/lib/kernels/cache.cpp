#include "kernels/cache.h"

#include "kernels/build_files.h"
#include "kernels/digest.h"
#include "ttmlir/Version.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <tuple>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tt::runtime::kernels {

namespace fs = std::filesystem;

namespace {

constexpr char kMagic[] = "ttmlir kernel 1";

fs::path home() {
  if (const char *home = std::getenv("HOME"); home && *home)
    return home;
  const passwd *user = getpwuid(getuid());
  return user ? fs::path(user->pw_dir) : fs::temp_directory_path();
}

/// The rest of a line: a path may have spaces.
std::string restOf(std::istream &stream) {
  std::string text;
  std::getline(stream >> std::ws, text);
  return text;
}

/// Named by its content, since the loader never reloads a path.
fs::path objectPath(const fs::path &folder, const std::string &content) {
  return folder / (content.substr(0, 32) + ".so");
}

} // namespace

fs::path cacheFolder() {
  const char *base = std::getenv("XDG_CACHE_HOME");
  const fs::path root = base && *base ? fs::path(base) : home() / ".cache";
  return root / "ttmlir" / "kernels" / TTMLIR_VERSION;
}

std::string fileDigest(const std::string &path) {
  struct stat found;
  if (stat(path.c_str(), &found))
    return "";
  using Version = std::tuple<std::int64_t, std::int64_t, std::int64_t, ino_t>;
  static std::mutex mutex;
  static std::map<std::string, std::pair<Version, std::string>> known;
  const Version version{found.st_mtim.tv_sec, found.st_mtim.tv_nsec,
                        found.st_size, found.st_ino};
  {
    const std::lock_guard lock(mutex);
    const auto entry = known.find(path);
    if (entry != known.end() && entry->second.first == version)
      return entry->second.second;
  }
  std::string text = digest(readFile(path));
  const std::lock_guard lock(mutex);
  known[path] = {version, text};
  return text;
}

std::optional<KernelObject> findCached(const fs::path &folder,
                                       const std::string &key) {
  std::ifstream stream(folder / (key + ".txt"));
  std::string word;
  if (!std::getline(stream, word) || word != kMagic)
    return std::nullopt;
  KernelObject object;
  std::vector<std::string> names;
  bool complete = false;
  while (stream >> word) {
    if (word == "object") {
      stream >> word >> object.hasVariables;
      object.path = objectPath(folder, word);
      if (word != fileDigest(object.path))
        return std::nullopt;
    } else if (word == "file") {
      stream >> word;
      if (fileDigest(restOf(stream)) != word)
        return std::nullopt;
    } else if (word == "name") {
      names.push_back(restOf(stream));
    } else if (word == "line") {
      NativeLine line;
      std::size_t name = 0;
      stream >> line.offset >> line.line >> name;
      if (name >= names.size())
        return std::nullopt;
      line.file = names[name];
      object.lines.push_back(std::move(line));
    } else {
      complete = word == "end";
    }
  }
  return complete ? std::optional(std::move(object)) : std::nullopt;
}

KernelObject addToCache(const fs::path &folder, const std::string &key,
                        const fs::path &object,
                        const std::vector<std::string> &files,
                        KernelObject description) {
  const std::string content = digest(readFile(object));
  std::ostringstream text;
  text << kMagic << "\nobject " << content << ' ' << description.hasVariables
       << '\n';
  for (const std::string &file : files)
    text << "file " << fileDigest(file) << ' ' << file << '\n';
  std::map<std::string, std::size_t> names;
  for (const NativeLine &line : description.lines)
    if (names.try_emplace(line.file, names.size()).second)
      text << "name " << line.file << '\n';
  for (const NativeLine &line : description.lines)
    text << "line " << line.offset << ' ' << line.line << ' '
         << names[line.file] << '\n';
  text << "end\n";
  const fs::path written = object.parent_path() / "kernel.txt";
  writeFile(written, text.str());
  description.path = objectPath(folder, content);
  fs::rename(object, description.path);
  fs::rename(written, folder / (key + ".txt"));
  return description;
}

} // namespace tt::runtime::kernels
