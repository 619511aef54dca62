#include "conversion/TodayToTTIR/Dialects.h"
#include "conversion/TodayToTTIR/Reader.h"
#include "conversion/TodayToTTIR/TodayToTTIR.h"

#include "TextLimits.h"
#include "dialects/TTIR/TTIR.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::today;

/// Gives diagnostics of the context that a text is parsed in to the context
/// that the program is for.
static void forward(Diagnostic &diagnostic, Import &import) {
  DiagnosticEngine &engine = import.getContext()->getDiagEngine();
  InFlightDiagnostic made = engine.emit(
      import.location(diagnostic.getLocation()), diagnostic.getSeverity());
  made << diagnostic.str();
  for (Diagnostic &note : diagnostic.getNotes())
    made.attachNote(import.location(note.getLocation())) << note.str();
}

OwningOpRef<ModuleOp> mlir::tt::today::read(StringRef text, StringRef file,
                                            MLIRContext *context) {
  context->loadDialect<func::FuncDialect, tensor::TensorDialect,
                       ttir::TTIRDialect>();
  if (std::optional<ExceededLimit> limit = findExceededLimit(text)) {
    emitError(FileLineColLoc::get(context, file, limit->line, 1))
        << limit->message;
    return nullptr;
  }
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext own(registry, MLIRContext::Threading::DISABLED);
  own.allowUnregisteredDialects();
  Import import(context);
  own.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
    forward(diagnostic, import);
    return success();
  });
  // Values that are used in front of their op are found when it is converted.
  ParserConfig config(&own, /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> parsed =
      parseSourceString<ModuleOp>(text, config, file);
  if (!parsed)
    return nullptr;
  return Reader(*parsed, context).run();
}

OwningOpRef<ModuleOp> mlir::tt::today::parse(StringRef text, StringRef file,
                                             MLIRContext *context,
                                             TextForm form) {
  if (form == TextForm::Today ||
      (form == TextForm::Auto && isToday(text, *context)))
    return read(text, file, context);
  return parseSourceString<ModuleOp>(text, ParserConfig(context), file);
}
