// Compiles kernels in C++ to object files.
#include "kernels/cache.h"
#include "kernels/comments.h"
#include "kernels/digest.h"
#include "kernels/object_file.h"
#include "kernels/own_lines.h"
#include "kernels/subprocess.h"
#include "tt/runtime/error.h"
#include "tt/runtime/kernel_compiler.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <thread>

#include <unistd.h>

namespace tt::runtime {
namespace kernels {

namespace fs = std::filesystem;

namespace {

constexpr int kOldest = 12; // -fsanitize-coverage can be left out for functions

// Loops are not unrolled, since each iteration counts instructions. Calls keep
// their return addresses, which identify lines. Each memory access calls a
// function of ttk/kernel.h, which rejects addresses of the chip; divisions by
// zero and indices beyond an array call others, which fail.
constexpr const char *kFlags[] = {
    "-std=c++20",
    "-O1",
    "-g1",
    "-fPIC",
    "-shared",
    "-nostartfiles",
    "-fvisibility=hidden",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-optimize-sibling-calls",
    "-fno-strict-aliasing",
    "-fwrapv",
    "-fsanitize-coverage=trace-pc",
    "-fno-threadsafe-statics",
    "--param=max-completely-peeled-insns=0",
    "--param=max-completely-peel-times=0",
    "-fsanitize=kernel-address",
    "--param=asan-stack=0",
    "--param=asan-globals=0",
    "--param=asan-instrumentation-with-call-threshold=0",
    "-fsanitize=integer-divide-by-zero,bounds-strict",
    "-nodefaultlibs", // among them that of the sanitizer
    "-fno-builtin-memset",
    "-fno-builtin-memcpy",
    "-fno-builtin-memmove",
    "-fno-tree-loop-distribute-patterns",
    "-Wno-int-to-pointer-cast",
    "-Wno-attributes"};

/// Whether a debugger is to show the variables of a kernel.
bool hasDebugInfo(const KernelUnit &unit) {
  const char *all = std::getenv("TTMLIR_KERNEL_DEBUG");
  return unit.debugInfo || (all && *all && std::string(all) != "0");
}

constexpr const char *kLibraries[] = {"-lstdc++", "-lm", "-lgcc_s", "-lgcc",
                                      "-lc"};

struct Compiler {
  std::string command, identity;
  std::string headers; // folder
};

std::string firstLine(const std::string &text) {
  return text.substr(0, text.find('\n'));
}

/// The number after "#define <name> ", or 0.
int macro(const std::string &text, const std::string &name) {
  const std::string begin = "#define " + name + " ";
  const std::size_t at = text.find(begin);
  return at == std::string::npos ? 0 : std::atoi(&text[at + begin.size()]);
}

std::string identify(const std::string &command) {
  const Finished done =
      runProgram({command, "-dumpfullversion", "-dumpmachine", "--version"},
                 Capture::OutputAndErrors);
  if (done.error)
    raise(ErrorCategory::Unsupported, "a kernel in C++ needs g++ ", kOldest,
          " or later, but '", command,
          "' cannot be run: ", std::strerror(done.error),
          "; install it, or set CXX to another compiler");
  const std::string macros =
      runProgram({command, "-dM", "-E", "-x", "c++", "/dev/null"},
                 Capture::Output)
          .output;
  if (macros.find("__clang__") != std::string::npos ||
      macro(macros, "__GNUC__") < kOldest)
    raise(ErrorCategory::Unsupported, "a kernel in C++ needs g++ ", kOldest,
          " or later, found '", command, "' (", firstLine(done.output), ")");
  return command + " " + done.output;
}

/// `$CXX`, or g++, with its cached identity.
Compiler findCompiler(std::string headers) {
  static std::mutex mutex;
  static std::map<std::string, std::string> identities;
  const char *chosen = std::getenv("CXX");
  const std::string command = chosen && *chosen ? chosen : "g++";
  const std::lock_guard lock(mutex);
  auto known = identities.find(command);
  if (known == identities.end())
    known = identities.emplace(command, identify(command)).first;
  return {command, known->second, std::move(headers)};
}

std::vector<std::string> optionsOf(const KernelUnit &unit) {
  std::vector<std::string> options;
  for (const auto &[name, value] : unit.defines)
    options.push_back("-D" + name + (value ? "=" + *value : ""));
  for (const std::string &folder : unit.includeDirs)
    options.push_back("-I" + folder);
  std::string words, named;
  for (const std::uint32_t word : unit.compileArgs)
    words += (words.empty() ? "" : ",") + std::to_string(word) + "u";
  for (const auto &[name, word] : unit.namedCompileArgs)
    named += "{\"" + name + "\"," + std::to_string(word) + "u},";
  options.push_back("-DTTK_COMPILE_ARGS=" + words);
  options.push_back("-DTTK_NAMED_COMPILE_ARGS=" + named);
  options.push_back("-DTTK_COMMON_ARGS=" + std::to_string(unit.commonArgs));
  if (hasDebugInfo(unit))
    options.insert(options.end(), {"-g", "-gno-variable-location-views"});
  const KernelChip &chip = unit.chip;
  const auto define = [&](const char *name, std::uint32_t value) {
    options.push_back("-D" + std::string(name) + "=" + std::to_string(value));
  };
  options.push_back(chip.blackhole ? "-DARCH_BLACKHOLE" : "-DARCH_WORMHOLE");
  define("L1_ALIGNMENT", chip.l1Alignment);
  define("DRAM_ALIGNMENT", chip.dramAlignment);
  define("NUM_DRAM_BANKS", chip.dramBanks);
  define("NUM_L1_BANKS", chip.l1Banks);
  if (unit.noc) {
    define("TTK_NOC", *unit.noc);
    options.push_back("-DCOMPILE_FOR_BRISC=1");
  } else {
    options.insert(options.end(), {"-DTTK_COMPUTE=1", "-DCOMPILE_FOR_TRISC=1"});
    if (unit.fp32DestAcc)
      options.push_back("-DTTK_FP32_DEST_ACC=1");
  }
  return options;
}

/// A folder that exists as long as this object.
class TemporaryFolder {
public:
  explicit TemporaryFolder(const fs::path &parent) {
    std::string name = parent / "XXXXXX";
    if (!mkdtemp(name.data()))
      throw fs::filesystem_error(
          "cannot create", parent,
          std::error_code(errno, std::generic_category()));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  const fs::path &path() const { return path_; }

private:
  fs::path path_;
};

/// The prerequisites of the rule that -MMD writes, except `own`.
std::vector<std::string> readDependencies(const fs::path &rule,
                                          const std::string &own) {
  std::ifstream stream(rule, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
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

void replaceAll(std::string &text, const std::string &from,
                const std::string &to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
}

/// The compiler's messages, with the path of the kernel as the caller wrote it
/// and without the file around it.
std::string messagesOf(std::string text, const KernelUnit &unit,
                       const std::string &around) {
  if (!unit.path.empty())
    replaceAll(text, fs::absolute(unit.path), unit.path);
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t word = line.find_first_not_of(' ');
    const bool isTrail = word != std::string::npos &&
                         (line.compare(word, 5, "from ") == 0 ||
                          line.starts_with("In file included from ")) &&
                         line.find(around + ":") != std::string::npos;
    if (!isTrail)
      kept += (kept.empty() ? "" : "\n") + line;
  }
  return kept;
}

/// Writes the text of a kernel without a file to where debuggers look for it,
/// and returns the option that says so.
std::string keepText(const KernelUnit &unit, const fs::path &folder) {
  fs::create_directories(folder);
  const fs::path file = folder / fs::path(unit.name).filename();
  const fs::path written = folder / ("text." + std::to_string(getpid()));
  if (!(std::ofstream(written, std::ios::binary) << unit.text).flush())
    throw fs::filesystem_error(
        "cannot write", written,
        std::error_code(ENOSPC, std::generic_category()));
  fs::rename(written, file);
  return "-fdebug-prefix-map=" + fs::current_path().string() + "=" +
         folder.string();
}

KernelObject build(const Compiler &compiler, const KernelUnit &unit,
                   const fs::path &folder, const std::string &key) {
  const TemporaryFolder temporary(folder); // so that a file can be renamed
  const std::string &shown = unit.path.empty() ? unit.name : unit.path;
  const std::string source = temporary.path() / "kernel.cpp";
  const fs::path output = temporary.path() / "kernel.so";
  const fs::path rule = temporary.path() / "kernel.d";
  std::ofstream text(source, std::ios::binary);
  text << "#include \"ttk/kernel.h\"\n";
  if (unit.path.empty())
    text << "#line 1 \"" << unit.name << "\"\n" << unit.text << "\n";
  else
    text << "#include \"" << fs::absolute(unit.path).string() << "\"\n";
  text << "#line 1 \"the end of " << shown << "\"\nTTK_KERNEL_END\n";
  text.close();
  std::vector<std::string> command = {compiler.command};
  command.insert(command.end(), std::begin(kFlags), std::end(kFlags));
  command.push_back("-I" + compiler.headers);
  const auto options = optionsOf(unit);
  command.insert(command.end(), options.begin(), options.end());
  const bool forDebuggers = hasDebugInfo(unit);
  if (forDebuggers && unit.path.empty())
    command.push_back(keepText(unit, folder / key));
  const std::string assembly = temporary.path() / "kernel.s";
  command.insert(command.end(), {"-MMD", "-MF", rule});
  const auto run = [&](const std::vector<std::string> &rest) {
    std::vector<std::string> all = command;
    all.insert(all.end(), rest.begin(), rest.end());
    all.insert(all.end(), std::begin(kLibraries), std::end(kLibraries));
    const Finished done = runProgram(all, Capture::OutputAndErrors);
    if (done.error || done.status)
      raise(ErrorCategory::Argument, "the kernel '", shown,
            "' does not compile:\n",
            done.error ? std::strerror(done.error)
                       : messagesOf(done.output, unit, source));
  };
  if (forDebuggers) {
    run({"-S", source, "-o", assembly});
    std::ifstream all(assembly, std::ios::binary);
    const std::string lines = keepOwnLines(
        {std::istreambuf_iterator<char>(all), {}}, compiler.headers);
    std::ofstream(assembly, std::ios::binary | std::ios::trunc) << lines;
    command.resize(command.size() - 3); // the rule is that of the source
    run({assembly, "-o", output});
  } else {
    run({source, "-o", output});
  }
  const auto files = readDependencies(rule, source);
  std::ifstream stream(output, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  KernelObject object;
  object.hasVariables = hasVariables(bytes);
  object.lines = readLines(output, unit, files, compiler.headers);
  refuseEmptyLoops(output, object.lines, shown);
  return addToCache(folder, key, output, files, std::move(object));
}

KernelObject compileOne(const Compiler &compiler, const KernelUnit &unit) {
  std::string all = compiler.identity;
  const auto add = [&](const std::string &part) { (all += '\0') += part; };
  for (const char *flag : kFlags)
    add(flag);
  for (const std::string &option : optionsOf(unit))
    add(option);
  for (const std::string &part :
       {unit.name, unit.path, unit.text, compiler.headers})
    add(part);
  const std::string key = digest(all).substr(0, 32);
  const fs::path folder = cacheFolder();
  if (auto known = findCached(folder, key))
    return std::move(*known);
  try {
    fs::create_directories(folder);
    return build(compiler, unit, folder, key);
  } catch (const fs::filesystem_error &error) {
    raise(ErrorCategory::File, "the kernel '", unit.name,
          "' cannot be compiled in '", folder.string(),
          "': ", error.code().message(),
          "; set XDG_CACHE_HOME to another folder");
  }
}

} // namespace
} // namespace kernels

std::vector<KernelObject> compileKernels(const std::vector<KernelUnit> &units,
                                         const std::string &headers) {
  std::vector<const KernelUnit *> unique;
  std::vector<std::size_t> places;
  for (const KernelUnit &unit : units) {
    const auto known =
        std::find_if(unique.begin(), unique.end(),
                     [&](const KernelUnit *other) { return *other == unit; });
    places.push_back(std::size_t(known - unique.begin()));
    if (known == unique.end())
      unique.push_back(&unit);
  }
  if (unique.empty())
    return {};
  const kernels::Compiler compiler = kernels::findCompiler(headers);
  std::vector<KernelObject> objects(unique.size());
  std::vector<std::exception_ptr> errors(unique.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < unique.size();)
      try {
        objects[i] = kernels::compileOne(compiler, *unique[i]);
        objects[i].unchecked = kernels::readUnchecked(*unique[i]);
      } catch (...) {
        errors[i] = std::current_exception();
      }
  };
  const std::size_t count = std::min<std::size_t>(
      unique.size(), std::max(1u, std::thread::hardware_concurrency()));
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < count; ++i)
      threads.emplace_back(work);
    work();
  }
  for (const std::exception_ptr &error : errors)
    if (error)
      std::rethrow_exception(error);
  std::vector<KernelObject> result;
  for (const std::size_t place : places)
    result.push_back(objects[place]);
  return result;
}

} // namespace tt::runtime
