#include "kernels/object_file.h"

#include "kernels/subprocess.h"
#include "tt/runtime/error.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>

#include <elf.h>

namespace tt::runtime::kernels {

namespace fs = std::filesystem;

namespace {

/// What objdump, which belongs to the compiler's tools, prints; nothing
/// without it.
std::string objdump(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"objdump", "--wide"});
  return runProgram(arguments, Capture::Output).output;
}

template <typename F> void forLines(std::string_view text, const F &f) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    f(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::vector<std::string_view> wordsOf(std::string_view line) {
  constexpr std::string_view kSpaces = " \t";
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(kSpaces);
       at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kSpaces, at),
                                     line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kSpaces, end);
  }
  return words;
}

template <typename Number>
bool parse(std::string_view text, Number &number, int base) {
  const char *end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number, base);
  return error == std::errc() && last == end && !text.empty();
}

/// An address, with 0x unless it is 0.
bool parseAddress(std::string_view text, std::uint64_t &number) {
  if (text == "0")
    return number = 0, true;
  return text.starts_with("0x") && parse(text.substr(2), number, 16);
}

struct Place {
  std::uint32_t line;
  std::string file; // empty: of a header
};

/// "kernel.cpp   12   0x1a0 ...": the name of a file may have spaces.
bool parseRow(std::string_view row, std::uint64_t &address, Place &place) {
  if (row.empty() || row.front() == ' ' || row.front() == '\t')
    return false;
  const auto words = wordsOf(row);
  for (std::size_t i = 1; i + 1 < words.size(); ++i)
    if (parse(words[i], place.line, 10) &&
        parseAddress(words[i + 1], address)) {
      const char *end = words[i - 1].data() + words[i - 1].size();
      place.file.assign(row.data(), end);
      return true;
    }
  return false;
}

} // namespace

std::vector<NativeLine> readLines(const std::string &object,
                                  const KernelUnit &unit,
                                  const std::vector<std::string> &files,
                                  const std::string &headers) {
  // The table has the names of files without their folders.
  std::map<std::string, std::string> names;
  for (const std::string &file : files)
    if (!file.starts_with(headers + "/"))
      names[fs::path(file).filename()] = file;
  const std::string &shown = unit.path.empty() ? unit.name : unit.path;
  names[fs::path(shown).filename()] = shown;
  std::map<std::uint64_t, Place> found;
  forLines(objdump({"--dwarf=decodedline", object}), [&](auto row) {
    std::uint64_t address = 0;
    Place place;
    if (!parseRow(row, address, place))
      return;
    const auto known = names.find(fs::path(place.file).filename());
    place.file = known == names.end() ? "" : known->second;
    found[address] = std::move(place);
  });
  std::vector<NativeLine> lines;
  const Place *next = nullptr;
  for (auto row = found.rbegin(); row != found.rend(); ++row) {
    if (!row->second.file.empty())
      next = &row->second;
    if (next)
      lines.push_back({row->first, next->line, next->file});
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

void refuseEmptyLoops(const std::string &object,
                      const std::vector<NativeLine> &lines,
                      const std::string &shown) {
  forLines(objdump({"-d", "--no-show-raw-insn", object}), [&](auto row) {
    // " 11a0:  jmp  11a0 <kernel_main+0x20>"
    const auto words = wordsOf(row);
    if (words.size() < 4 || (words[1] != "jmp" && words[1] != "b") ||
        words[0] != std::string(words[2]) + ":")
      return;
    std::uint64_t address = 0;
    if (!parse(words[2], address, 16))
      return;
    std::string place = shown;
    for (const NativeLine &line : lines)
      if (line.offset <= address)
        place = line.file + ":" + std::to_string(line.line);
    raise(ErrorCategory::Argument, "at or after ", place,
          ", a loop has no statement and no end, so that nothing can stop it: "
          "expected one with a call or a volatile access");
  });
}

bool hasVariables(std::string_view object) {
  Elf64_Ehdr header;
  if (object.size() < sizeof header ||
      std::memcmp(object.data(), ELFMAG, SELFMAG) ||
      object[EI_CLASS] != ELFCLASS64)
    return true;
  std::memcpy(&header, object.data(), sizeof header);
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  const std::size_t bytes = sections.size() * sizeof(Elf64_Shdr);
  if (header.e_shoff > object.size() || bytes > object.size() - header.e_shoff ||
      header.e_shstrndx >= sections.size())
    return true;
  std::memcpy(sections.data(), object.data() + header.e_shoff, bytes);
  const std::size_t strings = sections[header.e_shstrndx].sh_offset;
  for (const Elf64_Shdr &section : sections) {
    const std::size_t name = strings + section.sh_name;
    if (name >= object.size())
      return true;
    const std::string_view text =
        object.substr(name, object.find('\0', name) - name);
    bool variable = false;
    for (const char *prefix : {".data", ".bss", ".tdata", ".tbss"})
      variable |= text.starts_with(prefix);
    constexpr auto kFlags = SHF_WRITE | SHF_ALLOC;
    if (variable && !text.starts_with(".data.rel.ro") && section.sh_size &&
        (section.sh_flags & kFlags) == kFlags)
      return true;
  }
  return false;
}

} // namespace tt::runtime::kernels
