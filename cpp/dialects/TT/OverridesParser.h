#ifndef DIALECTS_TT_OVERRIDESPARSER_H
#define DIALECTS_TT_OVERRIDESPARSER_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"

#include <optional>
#include <string>

namespace mlir::tt {

/// What is wrong with a text; empty if nothing.
using Problem = std::string;

/// What the user demands by the names of ops (of their NameLoc), in an option
/// `name=text,name=text...`. `Derived` says what the option overrides and how a
/// text looks, for errors and help, and reads and prints one:
///   static constexpr const char *kWhat, *kForm, *kValueName;
///   static Problem read(StringRef name, StringRef text, EntryT &entry);
///   static void print(raw_ostream &os, const EntryT &entry);
template <typename Derived, typename EntryT> struct Overrides {
  using Entry = EntryT;
  llvm::StringMap<EntryT> entries;
};

/// Sets a part of an entry once; false if it has a value already.
template <typename T> bool setOnce(std::optional<T> &field, T value) {
  if (field)
    return false;
  field = value;
  return true;
}

} // namespace mlir::tt

namespace llvm::cl {

template <typename OverridesT>
class OverridesParser : public basic_parser<OverridesT> {
public:
  using basic_parser<OverridesT>::basic_parser;

  /// True, with an error on the option, if `text` is ill-formed.
  bool parse(Option &option, StringRef, StringRef text, OverridesT &overrides) {
    SmallVector<StringRef> entries;
    text.split(entries, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (StringRef entry : entries) {
      auto [name, value] = entry.split('=');
      if (name.empty() || value.empty())
        return option.error("Invalid format for override " +
                            Twine(OverridesT::kWhat) + ": " + entry +
                            " (expected name=" + OverridesT::kForm + ")");
      typename OverridesT::Entry result;
      mlir::tt::Problem problem = OverridesT::read(name, value, result);
      if (!problem.empty())
        return option.error(problem);
      overrides.entries[name] = std::move(result);
    }
    return false;
  }

  /// The form that parse() reads, in the order of the names.
  static void print(raw_ostream &os, const OverridesT &overrides) {
    SmallVector<StringRef> names(overrides.entries.keys());
    llvm::sort(names);
    auto printEntry = [&](StringRef name) {
      os << name << '=';
      OverridesT::print(os, overrides.entries.find(name)->second);
    };
    llvm::interleave(names, os, printEntry, ",");
  }

  void printOptionDiff(const Option &option, const OverridesT &overrides,
                       const OptionValue<OverridesT> &, size_t width) const {
    this->printOptionName(option, width);
    outs() << "= ";
    print(outs(), overrides);
    outs() << '\n';
  }

  StringRef getValueName() const override { return OverridesT::kValueName; }
};

} // namespace llvm::cl

#endif
