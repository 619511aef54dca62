#include "kernels/object_file.h"

#include "kernels/subprocess.h"
#include "tt/runtime/error.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>
#include <stdexcept>

#include <elf.h>

namespace tt::runtime::kernels {

namespace fs = std::filesystem;

namespace {

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
    const std::size_t end =
        std::min(line.find_first_of(kSpaces, at), line.size());
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

std::string dumpObject(const std::string &object) {
  return runProgram({"objdump", "--wide", "--dwarf=decodedline", "-d",
                     "--no-show-raw-insn", object},
                    Capture::Output)
      .output;
}

std::vector<NativeLine> readLines(const std::string &dump,
                                  const KernelUnit &unit,
                                  const std::vector<std::string> &files,
                                  const std::string &headers) {
  // The table has file names without folders.
  std::map<std::string, std::string> names;
  for (const std::string &file : files)
    if (!file.starts_with(headers + "/"))
      names[fs::path(file).filename()] = file;
  const std::string &shown = unit.path.empty() ? unit.name : unit.path;
  names[fs::path(shown).filename()] = shown;
  std::map<std::uint64_t, Place> found;
  forLines(dump, [&](auto row) {
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

void refuseEmptyLoops(const std::string &dump,
                      const std::vector<NativeLine> &lines,
                      const std::string &shown) {
  forLines(dump, [&](auto row) {
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
          ", an endless loop has no statements, so the emulator cannot stop "
          "it: expected a call or a volatile access in the loop");
  });
}

namespace {

/// The elements of a table in an ELF object; throws std::out_of_range if it
/// exceeds the object.
template <typename Element>
std::vector<Element> readTable(std::string_view object, std::size_t offset,
                               std::size_t count) {
  std::vector<Element> elements(count);
  const std::string_view bytes = object.substr(offset, count * sizeof(Element));
  if (bytes.size() != count * sizeof(Element))
    throw std::out_of_range("table");
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}

bool findVariable(std::string_view object) {
  const Elf64_Ehdr header = readTable<Elf64_Ehdr>(object, 0, 1).front();
  const auto sections =
      readTable<Elf64_Shdr>(object, header.e_shoff, header.e_shnum);
  const std::size_t strings = sections.at(header.e_shstrndx).sh_offset;
  const auto isVariable = [&](const Elf64_Sym &symbol) {
    const int type = ELF64_ST_TYPE(symbol.st_info);
    if ((type != STT_OBJECT && type != STT_TLS) || symbol.st_size == 0 ||
        symbol.st_shndx >= sections.size())
      return false;
    const std::string_view name =
        object.substr(strings + sections[symbol.st_shndx].sh_name);
    bool writable = false;
    for (const char *prefix : {".data", ".bss", ".tdata", ".tbss"})
      writable |= name.starts_with(prefix);
    return writable && !name.starts_with(".data.rel.ro");
  };
  bool found = true; // without a table of symbols
  for (const Elf64_Shdr &section : sections)
    if (section.sh_type == SHT_SYMTAB) {
      const auto symbols = readTable<Elf64_Sym>(
          object, section.sh_offset, section.sh_size / sizeof(Elf64_Sym));
      found = std::any_of(symbols.begin(), symbols.end(), isVariable);
    }
  return found;
}

} // namespace

bool hasVariables(std::string_view object) {
  if (object.size() < EI_NIDENT ||
      std::memcmp(object.data(), ELFMAG, SELFMAG) ||
      object[EI_CLASS] != ELFCLASS64)
    return true;
  try {
    return findVariable(object);
  } catch (const std::out_of_range &) {
    return true;
  }
}

} // namespace tt::runtime::kernels
