#include "kernels/own_lines.h"

#include <filesystem>
#include <set>
#include <string_view>

namespace tt::runtime::kernels {

std::string keepOwnLines(const std::string &assembly,
                         const std::string &headers) {
  // The folder itself may be renamed in debug information.
  const std::string folder =
      "/" + std::filesystem::path(headers).filename().string() + "/";
  // \t.file 3 "folder" "path", \t.loc 3 12 5 is_stmt 1
  constexpr std::string_view kFile = "\t.file ", kPlace = "\t.loc ";
  const auto numberIn = [](std::string_view row, std::string_view begin) {
    row.remove_prefix(begin.size());
    return row.substr(0, row.find(' '));
  };
  std::set<std::string_view> others;
  std::string kept;
  kept.reserve(assembly.size());
  bool hasOwn = false; // the function has lines of the kernel
  bool isAbbreviations = false;
  std::string_view rest = assembly;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::size_t size = end == rest.npos ? rest.size() : end + 1;
    const std::string_view row = rest.substr(0, size);
    rest.remove_prefix(size);
    if (row.starts_with(kFile) &&
        (row.find(folder) != row.npos || row.find("/include/c++/") != row.npos))
      others.insert(numberIn(row, kFile));
    if (row.starts_with("\t.cfi_startproc"))
      hasOwn = false;
    if (row.starts_with(kPlace)) {
      const bool isOwn = !others.contains(numberIn(row, kPlace));
      if (!isOwn && hasOwn)
        continue;
      hasOwn |= isOwn;
    }
    if (row.starts_with("\t.section"))
      isAbbreviations = row.find(".debug_abbrev") != row.npos;
    // The tag DW_TAG_inlined_subroutine, in front of whether it has children.
    if (isAbbreviations && row == "\t.uleb128 0x1d\n" &&
        rest.starts_with("\t.byte"))
      kept += "\t.uleb128 0xb\n"; // DW_TAG_lexical_block
    else
      kept += row;
  }
  return kept;
}

} // namespace tt::runtime::kernels
