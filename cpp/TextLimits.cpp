//===- TextLimits.cpp - limits of a text ---------------------------------===//

#include "TextLimits.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

static constexpr unsigned kMaxNesting = 1000;
static constexpr unsigned kMaxResultNumber = 1 << 20;
static constexpr int64_t kMaxTypeElements = int64_t(1) << 60;

/// Whether the bracket between two texts begins a type of more elements than
/// allowed, such as `tensor` and `4x?x8xf32>`; empty extents count as one.
static bool hasTooManyElements(llvm::StringRef name, llvm::StringRef text) {
  if (!name.ends_with("tensor") && !name.ends_with("memref") &&
      !name.ends_with("vector"))
    return false;
  int64_t count = 1;
  while (true) {
    uint64_t extent = 1;
    if (!text.consume_front("?") && text.consumeInteger(10, extent))
      // No number, or one that has more than 64 bits: the parser's error.
      return false;
    if (!text.consume_front("x"))
      return false;
    if (extent > uint64_t(kMaxTypeElements) ||
        llvm::MulOverflow(count, std::max<int64_t>(extent, 1), count) ||
        count > kMaxTypeElements)
      return true;
  }
}

std::optional<tt::ExceededLimit> tt::findExceededLimit(llvm::StringRef text) {
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
    case '#': {
      // The number of a result of an op, `%name#3`; aliases begin with letters.
      uint64_t number = 0;
      if (!text.substr(i + 1).consumeInteger(10, number) &&
          number > kMaxResultNumber)
        return ExceededLimit{line, "expected numbers of results of at most " +
                                       std::to_string(kMaxResultNumber) +
                                       ", found " + std::to_string(number)};
      break;
    }
    case '<':
    case '>':
      if (next == '=') {
        ++i;
        break;
      }
      if (text[i] == '<' &&
          hasTooManyElements(text.take_front(i), text.substr(i + 1)))
        return ExceededLimit{
            line,
            "expected types of at most 2^60 elements, found " +
                text.substr(i)
                    .take_until([](char c) { return c == '>' || c == '\n'; })
                    .str() +
                '>'};
      [[fallthrough]];
    case '(':
    case ')':
    case '[':
    case ']':
    case '{':
    case '}':
      if (llvm::StringRef("([{<").contains(text[i])) {
        if (++depth > kMaxNesting)
          return ExceededLimit{line, "expected brackets nested at most " +
                                         std::to_string(kMaxNesting) + " deep"};
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
