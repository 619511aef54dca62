// Compiles kernels in C++ to object files.
#include "kernels/build_files.h"
#include "kernels/cache.h"
#include "kernels/comments.h"
#include "kernels/digest.h"
#include "kernels/library.h"
#include "kernels/object_file.h"
#include "kernels/own_lines.h"
#include "kernels/subprocess.h"
#include "kernels/toolchain.h"
#include "tt/runtime/error.h"
#include "tt/runtime/kernel_compiler.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <thread>

#include <unistd.h>

namespace tt::runtime {
namespace kernels {

namespace fs = std::filesystem;

namespace {

/// Whether a debugger is to show the variables of a kernel.
bool hasDebugInfo(const KernelUnit &unit) {
  const char *all = std::getenv("TTMLIR_KERNEL_DEBUG");
  return unit.debugInfo || (all && *all && std::string(all) != "0");
}

/// Macros that the kernel library reads.
constexpr std::string_view kLibraryMacros[] = {"REDUCE_OP", "REDUCE_DIM"};

std::string
definition(const std::pair<std::string, std::optional<std::string>> &macro) {
  return "-D" + macro.first + (macro.second ? "=" + *macro.second : "");
}

/// The options that the kernel library depends on.
std::vector<std::string> libraryOptions(const KernelUnit &unit) {
  std::vector<std::string> options;
  if (unit.noc)
    options.push_back("-DTTK_NOC=" + std::to_string(*unit.noc));
  else
    options.push_back("-DTTK_COMPUTE=1");
  for (const auto &macro : unit.defines)
    if (std::ranges::count(kLibraryMacros, macro.first))
      options.push_back(definition(macro));
  if (hasDebugInfo(unit))
    options.insert(options.end(), {"-g", "-gno-variable-location-views"});
  return options;
}

std::vector<std::string> optionsOf(const KernelUnit &unit) {
  std::vector<std::string> options = libraryOptions(unit);
  for (const auto &macro : unit.defines)
    if (!std::ranges::count(kLibraryMacros, macro.first))
      options.push_back(definition(macro));
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
  const KernelChip &chip = unit.chip;
  const auto define = [&](const char *name, std::uint32_t value) {
    options.push_back("-D" + std::string(name) + "=" + std::to_string(value));
  };
  options.push_back(chip.blackhole ? "-DARCH_BLACKHOLE" : "-DARCH_WORMHOLE");
  define("L1_ALIGNMENT", chip.l1Alignment);
  define("DRAM_ALIGNMENT", chip.dramAlignment);
  define("NUM_DRAM_BANKS", chip.dramBanks);
  define("NUM_L1_BANKS", chip.l1Banks);
  options.push_back(unit.noc ? "-DCOMPILE_FOR_BRISC=1"
                             : "-DCOMPILE_FOR_TRISC=1");
  return options;
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
  writeFile(written, unit.text);
  fs::rename(written, file);
  return "-fdebug-prefix-map=" + fs::current_path().string() + "=" +
         folder.string();
}

/// The kernel between the parts of the library.
std::string sourceOf(const KernelUnit &unit, const std::string &shown) {
  std::string text = "#include \"ttk/kernel.h\"\n"
                     "#include \"ttk/arguments.h\"\n";
  if (unit.path.empty())
    text += "#line 1 \"" + unit.name + "\"\n" + unit.text + "\n";
  else
    text += "#include \"" + fs::absolute(unit.path).string() + "\"\n";
  return text + "#line 1 \"the end of " + shown + "\"\nTTK_KERNEL_END\n";
}

KernelObject build(const Compiler &compiler, Libraries &libraries,
                   const KernelUnit &unit, const fs::path &folder,
                   const std::string &key) {
  const Library &library = libraries.get(libraryOptions(unit));
  const TemporaryFolder temporary(folder); // so that a file can be renamed
  const std::string &shown = unit.path.empty() ? unit.name : unit.path;
  const bool forDebuggers = hasDebugInfo(unit);
  const std::string source = temporary.path() / "kernel.cpp";
  const std::string compiled =
      temporary.path() / (forDebuggers ? "kernel.s" : "kernel.o");
  const std::string output = temporary.path() / "kernel.so";
  const fs::path rule = temporary.path() / "kernel.d";
  writeFile(source, sourceOf(unit, shown));
  std::vector<std::string> options = {"-I" + compiler.headers};
  for (std::string &option : optionsOf(unit))
    options.push_back(std::move(option));
  if (forDebuggers && unit.path.empty())
    options.push_back(keepText(unit, folder / key));

  const auto compile = [&](bool inAdvance) {
    std::vector<std::string> command = {compiler.command};
    command.insert(command.end(), compileFlags().begin(), compileFlags().end());
    if (inAdvance)
      command.push_back("-I" + library.folder.string());
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"-MMD", "-MF", rule, source, "-o", compiled,
                                   forDebuggers ? "-S" : "-c"});
    return runProgram(command, Capture::OutputAndErrors);
  };
  const auto raiseErrorOf = [&](const Finished &done) {
    if (done.error || done.status)
      raise(ErrorCategory::Argument, "the kernel '", shown,
            "' does not compile:\n",
            done.error ? std::strerror(done.error)
                       : messagesOf(done.output, unit, source));
  };
  // Messages do not depend on the precompiled header, nor on damage to it.
  if (const Finished done = compile(true); done.error || done.status)
    raiseErrorOf(compile(false));
  if (forDebuggers)
    writeFile(compiled, keepOwnLines(readFile(compiled), compiler.headers));

  const auto link = [&](std::span<const char *const> rest) {
    std::vector<std::string> command = {compiler.command};
    command.insert(command.end(), linkFlags().begin(), linkFlags().end());
    command.insert(command.end(), {compiled, library.hooks, "-o", output});
    command.insert(command.end(), rest.begin(), rest.end());
    return runProgram(command, Capture::OutputAndErrors);
  };
  // Most kernels need nothing of the host's libraries, which take longer to
  // read than the kernel.
  static constexpr const char *kNoLibraries[] = {"-Wl,-z,defs"};
  if (const Finished done = link(kNoLibraries); done.error || done.status)
    raiseErrorOf(link(hostLibraries()));

  std::vector<std::string> files = readDependencies(rule, source);
  for (const std::string &file : library.files) // not in the rule
    if (std::ranges::find(files, file) == files.end())
      files.push_back(file);
  const std::string dump = dumpObject(output);
  KernelObject object;
  object.hasVariables = hasVariables(readFile(output));
  object.lines = readLines(dump, unit, files, compiler.headers);
  refuseEmptyLoops(dump, object.lines, shown);
  return addToCache(folder, key, output, files, std::move(object));
}

KernelObject compileOne(const Compiler &compiler, Libraries &libraries,
                        const KernelUnit &unit) {
  std::string all = compiler.identity;
  const auto add = [&](const std::string &part) { (all += '\0') += part; };
  for (const char *flag : compileFlags())
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
    return build(compiler, libraries, unit, folder, key);
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
  kernels::Libraries libraries(compiler, kernels::cacheFolder());
  std::vector<KernelObject> objects(unique.size());
  std::vector<std::exception_ptr> errors(unique.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i; (i = next++) < unique.size();)
      try {
        objects[i] = kernels::compileOne(compiler, libraries, *unique[i]);
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
