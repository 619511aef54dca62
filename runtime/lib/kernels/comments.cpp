#include "kernels/comments.h"

#include "tt/runtime/error.h"

#include <fstream>
#include <sstream>

namespace tt::runtime::kernels {

namespace {

std::string trimmed(const std::string &text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos)
    return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// "no races, no buffers" or "no checks".
CheckKinds parse(const std::string &list) {
  CheckKinds kinds = 0;
  std::istringstream items(list);
  for (std::string item; std::getline(items, item, ',');) {
    item = trimmed(item);
    if (item == "no checks")
      kinds |= kAllChecks;
    else if (item.starts_with("no "))
      kinds |= checkKindsOf({trimmed(item.substr(3))});
    else
      raise(ErrorCategory::Argument,
            "expected 'no' and a kind of checks, or 'no checks', found '", item,
            "'");
  }
  return kinds;
}

} // namespace

CheckKinds readUnchecked(const KernelUnit &unit) {
  constexpr std::string_view kMark = "// ttmlir:";
  std::istringstream text(unit.text);
  std::ifstream file;
  if (!unit.path.empty())
    file.open(unit.path, std::ios::binary);
  std::istream &lines =
      unit.path.empty() ? static_cast<std::istream &>(text) : file;
  CheckKinds kinds = 0;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = trimmed(line);
    if (!line.starts_with(kMark))
      continue;
    try {
      kinds |= parse(line.substr(kMark.size()));
    } catch (const Error &error) {
      raise(error.category(), unit.path.empty() ? unit.name : unit.path, ":",
            number, ": ", error.what());
    }
  }
  return kinds;
}

} // namespace tt::runtime::kernels
