#include "conversion/TodayToTTIR/Table.h"
#include "conversion/TodayToTTIR/TodayToTTIR.h"

#include "dialects/TTIR/TTIR.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::today;

std::optional<TextForm> mlir::tt::today::symbolizeTextForm(StringRef name) {
  return llvm::StringSwitch<std::optional<TextForm>>(name)
      .Case("auto", TextForm::Auto)
      .Case("today", TextForm::Today)
      .Case("2024", TextForm::Own)
      .Default(std::nullopt);
}

namespace {

/// What a text has of either form.
struct Evidence {
  /// Something that is in today's form only.
  bool isToday = false;
  /// An op of today's form, which may be one of the own form too.
  bool hasOps = false;
  /// Something that is in the own form only.
  bool isOwn = false;
};

} // namespace

static bool isWordCharacter(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}

static bool isOf(StringRef name, StringRef dialect) {
  return name.consume_front(dialect) && (name.empty() || name.front() == '.');
}

/// An op in the generic form.
static void noteOp(StringRef name, MLIRContext &context, Evidence &evidence) {
  if (isOf(name, "ttcore")) {
    evidence.isToday = true;
    return;
  }
  if (!name.starts_with("ttir."))
    return;
  StringRef op = name.drop_front(5);
  // Both forms have these, and need not say more.
  if (llvm::is_contained(
          {"alloc", "arange", "constant", "dealloc", "full", "to_layout"}, op))
    return;
  bool isOwn = false;
  if (!findRow(op)) {
    context.loadDialect<ttir::TTIRDialect>();
    isOwn = RegisteredOperationName::lookup(name, &context).has_value();
  }
  evidence.isOwn |= isOwn;
  evidence.hasOps |= !isOwn;
}

bool mlir::tt::today::isToday(StringRef text, MLIRContext &context) {
  if (text.starts_with("ML\xEFR"))
    return false;
  Evidence evidence;
  auto wordAt = [&](size_t from) {
    return text.substr(from).take_while(isWordCharacter);
  };
  for (size_t i = 0; i < text.size() && !evidence.isToday; ++i) {
    char c = text[i];
    if (c == '/' && i + 1 < text.size() && text[i + 1] == '/') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '"') {
      size_t begin = i + 1;
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        i += text[i] == '\\';
      // The name of an op stands in front of its operands; in a location, such
      // as loc("name"("file":1:2)), it stands behind a bracket.
      StringRef behind = text.substr(std::min(i + 1, text.size())).ltrim();
      if (!behind.starts_with("("))
        continue;
      StringRef before = text.take_front(begin - 1).rtrim();
      if (!before.empty() && StringRef("([,").contains(before.back()))
        continue;
      noteOp(text.slice(begin, i), context, evidence);
    } else if (c == '%' || c == '@' || c == '^') {
      i += wordAt(i + 1).size();
    } else if (c == '#' || c == '!') {
      StringRef word = wordAt(i + 1);
      evidence.isToday = isOf(word, "ttcore") || isOf(word, "ttir");
      i += word.size();
    } else if (llvm::isAlpha(c) || c == '_') {
      StringRef word = wordAt(i);
      if (isOf(word, "ttcore") || word == "ttir.empty" ||
          word == "ttir.to_layout" || word == "ttir.tt_lang_op" ||
          word == "ttir.ttnn_metal_layout_cast")
        evidence.isToday = true;
      else if (word == "operand_constraints")
        evidence.isOwn = true;
      i += word.size() - 1;
    } else if (isWordCharacter(c)) {
      // A number, which may be long.
      i += wordAt(i).size() - 1;
    }
  }
  return evidence.isToday || (evidence.hasOps && !evidence.isOwn);
}
