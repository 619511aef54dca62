//===- Nesting.cpp - brackets of a text ----------------------------------===//

#include "Nesting.h"

using namespace mlir;

std::optional<unsigned> tt::findDeepNesting(llvm::StringRef text) {
  if (text.starts_with("ML\xEFR"))
    return std::nullopt;
  unsigned depth = 0, line = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    char next = i + 1 < text.size() ? text[i + 1] : '\0';
    switch (text[i]) {
    case '\n':
      ++line;
      break;
    case '/':
      // The end of the line ends the comment.
      if (next == '/')
        i = std::min(text.find('\n', i), text.size()) - 1;
      break;
    case '"':
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        i += text[i] == '\\';
      line += i < text.size() && text[i] == '\n';
      break;
    case '-':
      // An arrow closes nothing.
      i += next == '>';
      break;
    case '<':
    case '>':
      if (next == '=') {
        ++i;
        break;
      }
      [[fallthrough]];
    case '(':
    case ')':
    case '[':
    case ']':
    case '{':
    case '}':
      if (llvm::StringRef("([{<").contains(text[i])) {
        if (++depth > kMaxNesting)
          return line;
      } else if (depth > 0) {
        --depth;
      }
      break;
    default:
      break;
    }
  }
  return std::nullopt;
}
