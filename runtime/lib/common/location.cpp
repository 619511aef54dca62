#include "common/location.h"

#include "common/layout.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace tt::runtime {

namespace {

/// The location at the end of the text of an operation, or the text itself.
std::string_view locationIn(std::string_view text) {
  if (const std::size_t begin = text.rfind(" loc("); begin != text.npos)
    text.remove_prefix(begin + 1);
  return text.starts_with("loc(") ? text : std::string_view();
}

} // namespace

std::string labelOf(std::string_view text) {
  const std::string_view location = locationIn(text);
  std::vector<std::string> names;
  for (std::size_t at = 0; at < location.size(); ++at) {
    // What a fusion says about itself is no name.
    if (location.substr(at).starts_with("fused<"))
      at = std::min(location.find('[', at), location.size() - 1);
    if (location[at] != '"')
      continue;
    const bool inside = location.substr(0, at).ends_with("\"(");
    std::string name;
    for (++at; at < location.size() && location[at] != '"'; ++at) {
      if (location[at] != '\\' || at + 1 >= location.size()) {
        name += location[at];
        continue;
      }
      const std::string hex(location.substr(at + 1, 2));
      if (hex.size() == 2 &&
          std::isxdigit(static_cast<unsigned char>(hex[0])) &&
          std::isxdigit(static_cast<unsigned char>(hex[1]))) {
        name += char(std::stoi(hex, nullptr, 16));
        at += 2;
      } else {
        name += location[++at];
      }
    }
    const bool isFile = location.substr(at).starts_with("\":");
    if (!inside && !isFile &&
        std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  std::string label;
  for (const std::string &name : names)
    label += (label.empty() ? "" : " + ") + name;
  return label;
}

std::string placeOf(std::string_view text) {
  // The innermost place is the last text in quotes that numbers follow.
  const std::string_view location = locationIn(text);
  const std::size_t close = location.rfind("\":");
  const std::size_t end = location.find(')', close);
  if (close == std::string_view::npos || end == std::string_view::npos)
    return "";
  const std::size_t open = location.rfind('"', close - 1);
  if (open == std::string_view::npos)
    return "";
  std::string place(location.substr(open + 1, close - open - 1));
  place += location.substr(close + 1, end - close - 1);
  return " at " + place;
}

std::string describeTensor(std::uint32_t id, const Layout &layout,
                           std::string_view text) {
  const std::string tensor = "tensor " + std::to_string(id);
  if (const std::string label = labelOf(text); !label.empty())
    return "'" + label + "' (" + tensor + ", " + layout.describe() + ")";
  return tensor + placeOf(text) + " (" + layout.describe() + ")";
}

} // namespace tt::runtime
