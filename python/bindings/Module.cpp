#include "Bindings.h"

#include "ttmlir-c/Clock.h"
#include "ttmlir-c/Dialects.h"
#include "ttmlir-c/Translation.h"

using namespace ttmlir::bindings;

MlirLogicalResult ErrorText::handle(MlirDiagnostic diagnostic, void *self) {
  // Warnings and remarks are for the next handler.
  if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError)
    return mlirLogicalResultFailure();
  std::string &text = static_cast<ErrorText *>(self)->text;
  if (!text.empty())
    text += '\n';
  mlirDiagnosticPrint(diagnostic, appendTo, &text);
  return mlirLogicalResultSuccess();
}

static std::string print(MlirAttribute attr) {
  std::string text;
  mlirAttributePrint(attr, appendTo, &text);
  return text;
}

MlirAttribute ttmlir::bindings::expect(MlirAttribute attr,
                                       bool (*isA)(MlirAttribute),
                                       const char *what) {
  if (isA(attr))
    return attr;
  std::string message =
      std::string("expected ") + what + ", found " + print(attr);
  throw nb::value_error(message.c_str());
}

std::vector<MlirAttribute>
ttmlir::bindings::expectAll(const AttributeList &attrs,
                            bool (*isA)(MlirAttribute), const char *what) {
  std::vector<MlirAttribute> list;
  if (const auto *one = std::get_if<MlirAttribute>(&attrs))
    list.push_back(*one);
  else
    list = std::get<std::vector<MlirAttribute>>(attrs);
  for (MlirAttribute attr : list)
    expect(attr, isA, what);
  return list;
}

nb::object ttmlir::bindings::enumerator(const char *name, uint32_t value,
                                        const char *dialect) {
  std::string module = MAKE_MLIR_PYTHON_QUALNAME("dialects._");
  module += dialect;
  module += "_enum_gen";
  return nb::module_::import_(module.c_str()).attr(name)(value);
}

/// Makes the dialects of the project known to one context, and loads them.
static void registerDialect(MlirContext context, bool load) {
  MlirDialectHandle handles[] = {
      mlirGetDialectHandle__tt__(), mlirGetDialectHandle__ttir__(),
      mlirGetDialectHandle__ttkernel__(), mlirGetDialectHandle__ttmetal__(),
      mlirGetDialectHandle__ttnn__()};
  for (MlirDialectHandle handle : handles) {
    mlirDialectHandleRegisterDialect(handle, context);
    if (load)
      mlirDialectHandleLoadDialect(handle, context);
  }
}

/// The bytes of a str or bytes object, which lives on.
static MlirStringRef referTo(nb::handle text) {
  Py_ssize_t size = 0;
  const char *data = nullptr;
  if (PyBytes_Check(text.ptr())) {
    size = PyBytes_GET_SIZE(text.ptr());
    data = PyBytes_AS_STRING(text.ptr());
  } else if (!(data = PyUnicode_AsUTF8AndSize(text.ptr(), &size))) {
    throw nb::python_error();
  }
  return mlirStringRefCreate(data, size);
}

NB_MODULE(_ttmlir, m) {
  m.doc() = "ttmlir main python extension";
  // The classes below extend those of the core bindings.
  nb::module_::import_(MAKE_MLIR_PYTHON_QUALNAME("_mlir_libs._mlir"));

  m.def(
      "register_dialects",
      [](MlirDialectRegistry registry) { ttmlirRegisterAllDialects(registry); },
      "registry"_a,
      "Adds the project's dialects and the upstream dialects that its programs "
      "use to a registry. Every new context has them already.");
  m.def("register_dialect", registerDialect, "context"_a, "load"_a = true,
        "Makes the project's dialects known to a context, and loads them if "
        "`load`. Every new context has them already.");
  m.def(
      "attach_clock",
      [](MlirContext context, nb::capsule clock) {
        ttmlirContextAttachClock(
            context, reinterpret_cast<TTMLIRBinaryClock>(
                         clock.data("tt::runtime::modelledCycles")));
      },
      "context"_a, "clock"_a,
      "Lets the optimizer time layouts with the clock of the runtime.");
  m.def(
      "find_exceeded_limit",
      [](nb::handle text) -> nb::object {
        std::string message;
        unsigned line =
            ttmlirFindExceededLimit(referTo(text), appendTo, &message);
        return line ? nb::object(nb::make_tuple(line, message)) : nb::none();
      },
      "text"_a,
      nb::sig("def find_exceeded_limit(text: str | bytes) -> tuple[int, str] | "
              "None"),
      "Returns the line where a text exceeds a limit of MLIR's parser, and an "
      "error message; None if there is no such line.");
  m.def(
      "parse_module",
      [](MlirContext context, nb::handle text, const std::string &name,
         const std::string &form) {
        MlirStringRef formRef = mlirStringRefCreate(form.data(), form.size());
        if (!ttmlirIsTextForm(formRef))
          throw nb::value_error(
              ("form: expected auto, today or 2024, found " + form).c_str());
        MlirModule module = ttmlirParseModule(
            context, referTo(text),
            mlirStringRefCreate(name.data(), name.size()), formRef);
        if (mlirModuleIsNull(module))
          throw nb::value_error("Failed to parse the module");
        return module;
      },
      "context"_a, "text"_a, "name"_a, "form"_a = "auto",
      nb::sig("def parse_module(context: ttmlir.ir.Context, text: str | bytes, "
              "name: str, form: str = \"auto\") -> ttmlir.ir.Module"),
      "Parses a module from text or bytecode, with locations in the file "
      "`name`. `form` is the form of TTIR in a text: `2024`, `today`, which "
      "is converted, or `auto`, which detects it.");
  ttmlirRegisterAllPasses();

  nb::module_ ir =
      m.def_submodule("tt_ir", "Attributes and types of the tt dialect.");
  populateEnumAttributes(ir);
  populateTensorAttributes(ir);
  populateSystemAttributes(ir);
  populateTypes(ir);

  nb::module_ ttirIr =
      m.def_submodule("ttir_ir", "Shapes of the ttir dialect.");
  populateShapes(ttirIr);

  nb::module_ ttnnIr =
      m.def_submodule("ttnn_ir", "Attributes of the ttnn dialect.");
  populateTTNNAttributes(ttnnIr);

  nb::module_ ttkernelIr = m.def_submodule(
      "ttkernel_ir", "Attributes and types of the ttkernel dialect.");
  populateTTKernelAttributes(ttkernelIr);

  nb::module_ ttmetalIr =
      m.def_submodule("ttmetal_ir", "Attributes of the ttmetal dialect.");
  populateTTMetalAttributes(ttmetalIr);

  nb::module_ passes = m.def_submodule("passes", "Pipelines and translations.");
  populatePasses(passes);

  nb::module_ overrides = m.def_submodule(
      "overrides",
      "Checks of layout and compute config overrides, and op addresses.");
  overrides.def(
      "get_ptr",
      [](MlirOperation op) { return reinterpret_cast<uintptr_t>(op.ptr); },
      "op"_a,
      "Returns the address of an operation, its identity until it is erased.");
  auto defineCheck = [&](const char *name, auto check, const char *doc) {
    overrides.def(
        name,
        [check](const std::string &op, const std::string &text) {
          std::string problem;
          check(mlirStringRefCreate(op.data(), op.size()),
                mlirStringRefCreate(text.data(), text.size()), appendTo,
                &problem);
          return problem;
        },
        "name"_a, "text"_a, doc);
  };
  defineCheck(
      "check_layout", ttmlirCheckLayoutOverride,
      "Checks a layout override of the op `name`, such as "
      "`4x4:l1:block_sharded`. Returns the error; empty if it is valid.");
  defineCheck("check_compute_config", ttmlirCheckComputeConfigOverride,
              "Same, for a compute config override such as "
              "`hifi4:fp32_dest_acc_en`.");
}
