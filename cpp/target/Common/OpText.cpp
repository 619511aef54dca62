#include "target/Common/OpText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::tt::serialization;

OpTextPrinter::OpTextPrinter(func::FuncOp func)
    : state(func, OpPrintingFlags()
                      .elideLargeElementsAttrs()
                      .enableDebugInfo()
                      .skipRegions()
                      .useLocalScope()
                      .assumeVerified()) {}

StringRef OpTextPrinter::print(Operation *op) {
  text.clear();
  llvm::raw_string_ostream os(text);
  // Ops of these dialects have no custom assembly format.
  StringRef dialect = op->getName().getDialectNamespace();
  if ((dialect == "ttnn" || dialect == "ttmetal") && op->getNumResults() <= 1 &&
      op->getNumRegions() == 0 && op->getNumSuccessors() == 0)
    printGenericForm(op, os);
  else
    op->print(os, state);
  return text;
}

void OpTextPrinter::printGenericForm(Operation *op, llvm::raw_ostream &os) {
  auto printTypes = [&](TypeRange types) {
    os << '(';
    llvm::interleaveComma(types, os, [&](Type type) { os << getText(type); });
    os << ')';
  };
  for (OpResult result : op->getResults()) {
    result.printAsOperand(os, state);
    os << " = ";
  }
  os << '"' << op->getName().getStringRef() << "\"(";
  llvm::interleaveComma(op->getOperands(), os, [&](Value operand) {
    operand.printAsOperand(os, state);
  });
  os << ')';
  if (Attribute properties = op->getPropertiesAsAttribute())
    os << " <" << getText(properties) << '>';
  DictionaryAttr attributes = op->getDiscardableAttrDictionary();
  if (!attributes.empty())
    os << ' ' << getText(attributes);
  os << " : ";
  printTypes(op->getOperandTypes());
  os << " -> ";
  if (op->getNumResults() == 1)
    os << getText(op->getResult(0).getType());
  else
    os << "()";
  os << ' ';
  Attribute(op->getLoc()).print(os, state);
}

StringRef OpTextPrinter::getText(Type type) {
  auto [it, isNew] = texts.try_emplace(type.getAsOpaquePointer());
  if (isNew) {
    llvm::raw_string_ostream os(it->second);
    type.print(os, state);
  }
  return it->second;
}

StringRef OpTextPrinter::getText(Attribute attribute) {
  auto [it, isNew] = texts.try_emplace(attribute.getAsOpaquePointer());
  if (isNew) {
    llvm::raw_string_ostream os(it->second);
    attribute.print(os, state);
  }
  return it->second;
}
