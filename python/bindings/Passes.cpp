#include "Bindings.h"

#include "ttmlir-c/Cancellation.h"
#include "ttmlir-c/Dialects.h"
#include "ttmlir-c/Remarks.h"
#include "ttmlir-c/Translation.h"

#include "mlir-c/Pass.h"

#include "nanobind/stl/map.h"
#include "nanobind/stl/tuple.h"

using namespace ttmlir::bindings;

namespace {

using Diagnostics = std::vector<py::PyDiagnostic::DiagnosticInfo>;

/// `ttmlir.passes.PassError`, made when the module is.
PyObject *passError = nullptr;

/// Raises PassError: the message, then each diagnostic in a line of its own.
[[noreturn]] void raise(std::string message, const Diagnostics &diagnostics) {
  nb::list list;
  for (const py::PyDiagnostic::DiagnosticInfo &info : diagnostics) {
    nb::object diagnostic = nb::cast(info);
    auto location =
        nb::cast<std::string>(diagnostic.attr("location").attr("__str__")());
    message += "\n" + location + ": error: " + info.message;
    // The operation itself, which MLIR adds as a note, may be a whole module.
    for (const py::PyDiagnostic::DiagnosticInfo &note : info.notes)
      if (note.message.rfind("see current operation", 0) != 0)
        message += "\n  note: " + note.message;
    list.append(diagnostic);
  }
  nb::object error = nb::borrow(passError)(message);
  error.attr("error_diagnostics") = list;
  PyErr_SetObject(passError, error.ptr());
  throw nb::python_error();
}

/// Calls `body`, which must not touch Python. In the main thread it runs beside
/// the interpreter, and what a handler of a signal raises meanwhile, such as
/// KeyboardInterrupt, ends it and is raised. No other thread gets signals.
template <typename BodyT> void cancellable(MlirContext context, BodyT body) {
  nb::object main = nb::module_::import_("threading").attr("main_thread")();
  if (nb::cast<unsigned long>(main.attr("ident")) !=
      PyThread_get_thread_ident())
    return body();
  TTMLIRTask *task = ttmlirTaskStart(
      context, [](void *data) { (*static_cast<BodyT *>(data))(); }, &body);
  std::optional<nb::python_error> raised;
  while (true) {
    bool done;
    {
      nb::gil_scoped_release release;
      done = ttmlirTaskWait(task, /*milliseconds=*/20);
    }
    if (!raised && PyErr_CheckSignals() != 0) {
      raised.emplace();
      ttmlirTaskCancel(task);
    }
    if (done)
      break;
  }
  ttmlirTaskFinish(task);
  if (raised)
    throw std::move(*raised);
}

/// The operation behind a Module or an Operation, kept alive.
struct OperationHandle {
  explicit OperationHandle(nb::handle module)
      : object(nb::getattr(module, "operation", nb::none())) {
    if (object.is_none())
      throw nb::type_error("expected a ttmlir.ir.Module or Operation");
    nb::cast<py::PyOperation &>(object).checkValid();
  }
  MlirOperation get() const {
    return nb::cast<py::PyOperation &>(object).get();
  }
  py::PyMlirContextRef getContext() const {
    return nb::cast<py::PyOperation &>(object).getContext();
  }

private:
  nb::object object;
};

MlirStringRef refer(const std::string &text) {
  return mlirStringRefCreate(text.data(), text.size());
}

/// Kind, pass, name, function, place, label and arguments.
using Remark =
    std::tuple<std::string, std::string, std::string, std::string, std::string,
               std::string, std::map<std::string, std::string>>;
using Remarks = std::vector<Remark>;

/// Collects remarks of a context while it lives.
class RemarkCapture {
public:
  /// Those of the passes that match `filter`; none without. Raises ValueError
  /// for one that is no regular expression.
  RemarkCapture(MlirContext context, const std::optional<std::string> &filter)
      : context(context) {
    std::string problem;
    if (filter &&
        mlirLogicalResultIsFailure(ttmlirContextSetRemarkCallback(
            context, refer(*filter), add, &remarks, appendTo, &problem)))
      throw nb::value_error(
          ("remarks: expected a regular expression of passes, "
           "found '" +
           *filter + "': " + problem)
              .c_str());
  }
  RemarkCapture(const RemarkCapture &) = delete;
  ~RemarkCapture() {
    ttmlirContextSetRemarkCallback(context, {}, nullptr, nullptr, nullptr,
                                   nullptr);
  }

  Remarks remarks;

private:
  static std::string copy(MlirStringRef text) {
    return std::string(text.data, text.length);
  }
  static void add(const TTMLIRRemark *remark, void *remarks) {
    std::map<std::string, std::string> args;
    for (size_t i = 0; i < remark->numArgs; ++i)
      args[copy(remark->keys[i])] = copy(remark->values[i]);
    static_cast<Remarks *>(remarks)->emplace_back(
        copy(remark->kind), copy(remark->category), copy(remark->name),
        copy(remark->function), copy(remark->location), copy(remark->label),
        std::move(args));
  }

  MlirContext context;
};

Remarks runPipeline(nb::handle module, const std::string &pipeline,
                    const std::string &options,
                    const std::optional<std::string> &filter) {
  OperationHandle op(module);
  MlirContext context = op.getContext()->get();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  ttmlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);

  RemarkCapture capture(context, filter);
  py::PyMlirContext::ErrorCapture errors(op.getContext());
  MlirPassManager manager = mlirPassManagerCreateOnOperation(
      context, mlirIdentifierStr(mlirOperationGetName(op.get())));
  std::string text = pipeline;
  if (!options.empty())
    text += "{" + options + "}";
  std::string problem;
  if (mlirLogicalResultIsFailure(mlirOpPassManagerAddPipeline(
          mlirPassManagerGetAsOpPassManager(manager),
          mlirStringRefCreate(text.data(), text.size()), appendTo, &problem))) {
    mlirPassManagerDestroy(manager);
    raise("Failed to add pipeline to pass manager: " + text + "\n" + problem,
          errors.take());
  }
  MlirLogicalResult result = mlirLogicalResultFailure();
  try {
    cancellable(context,
                [&] { result = mlirPassManagerRunOnOp(manager, op.get()); });
  } catch (...) {
    mlirPassManagerDestroy(manager);
    throw;
  }
  mlirPassManagerDestroy(manager);
  // A run that reports an error has failed, whatever it returns.
  Diagnostics diagnostics = errors.take();
  if (mlirLogicalResultIsFailure(result) || !diagnostics.empty())
    raise("Failed to run pass manager", diagnostics);
  return std::move(capture.remarks);
}

/// The flatbuffer of a module; raises with the diagnostics if it has none.
template <typename TranslateT>
auto translate(nb::handle module, TranslateT translate) {
  OperationHandle op(module);
  py::PyMlirContext::ErrorCapture errors(op.getContext());
  decltype(translate(op.get())) result{};
  cancellable(op.getContext()->get(), [&] { result = translate(op.get()); });
  Diagnostics diagnostics = errors.take();
  if (!result || !diagnostics.empty())
    raise("Failed to translate the module to a flatbuffer", diagnostics);
  return result;
}

/// Program, key, shape, data type (its number) and the elements, row-major.
using Golden = std::tuple<std::string, std::string, std::vector<int64_t>,
                          uint32_t, nb::bytes>;
using Goldens = std::vector<Golden>;

/// Goldens and remarks as the C API takes them; they refer to those of Python.
class BorrowedAttachments {
public:
  BorrowedAttachments(const Goldens &goldens, const Remarks &remarks) {
    for (const auto &[program, key, shape, dataType, data] : goldens)
      this->goldens.push_back({refer(program), refer(key), shape.data(),
                               shape.size(), dataType,
                               mlirStringRefCreate(data.c_str(), data.size())});
    size_t count = 0;
    for (const Remark &remark : remarks)
      count += std::get<6>(remark).size();
    // Not moved any more, as remarks refer to them.
    keys.reserve(count);
    values.reserve(count);
    for (const auto &[kind, pass, name, function, place, label, args] :
         remarks) {
      size_t first = keys.size();
      for (const auto &[key, value] : args) {
        keys.push_back(refer(key));
        values.push_back(refer(value));
      }
      this->remarks.push_back({refer(kind), refer(pass), refer(name),
                               refer(function), refer(place), refer(label),
                               keys.data() + first, values.data() + first,
                               args.size()});
    }
  }

  TTMLIRAttachments get() const {
    return {goldens.data(), goldens.size(), remarks.data(), remarks.size()};
  }

private:
  std::vector<TTMLIRGolden> goldens;
  std::vector<TTMLIRRemark> remarks;
  std::vector<MlirStringRef> keys, values;
};

/// A kind of flatbuffer: how it is made of a module, as bytes and as a pointer.
struct Format {
  const char *dialect;
  decltype(ttmlirTTNNToFlatbuffer) *toBytes;
  decltype(ttmlirTTNNToSharedBuffer) *toSharedBuffer;
};
constexpr Format kTTNN = {"ttnn", ttmlirTTNNToFlatbuffer,
                          ttmlirTTNNToSharedBuffer};
constexpr Format kTTMetal = {"ttmetal", ttmlirTTMetalToFlatbuffer,
                             ttmlirTTMetalToSharedBuffer};

std::string toBytes(const Format &format, nb::handle module,
                    const Goldens &goldens, const Remarks &remarks) {
  BorrowedAttachments own(goldens, remarks);
  return *translate(module, [&](MlirOperation op) {
    std::string bytes;
    TTMLIRAttachments attachments = own.get();
    bool ok = mlirLogicalResultIsSuccess(
        format.toBytes(op, &attachments, appendTo, &bytes));
    return ok ? std::optional<std::string>(std::move(bytes)) : std::nullopt;
  });
}

nb::capsule toCapsule(const Format &format, nb::handle module,
                      const Goldens &goldens, const Remarks &remarks) {
  BorrowedAttachments own(goldens, remarks);
  void *buffer = translate(module, [&](MlirOperation op) {
    TTMLIRAttachments attachments = own.get();
    return format.toSharedBuffer(op, &attachments);
  });
  return nb::capsule(buffer, [](void *pointer) noexcept {
    ttmlirSharedBufferDestroy(pointer);
  });
}

void toFile(const Format &format, nb::handle module, nb::handle path,
            const Goldens &goldens, const Remarks &remarks) {
  // Anything with __fspath__ is a path.
  auto name =
      nb::cast<std::string>(nb::module_::import_("os").attr("fsdecode")(path));
  std::string bytes = toBytes(format, module, goldens, remarks);
  std::string problem;
  if (mlirLogicalResultIsFailure(
          ttmlirWriteFile(refer(name), refer(bytes), appendTo, &problem)))
    raise(problem, {});
}

/// Shares the bytes of a flatbuffer with the runtime.
struct SharedVoidPtr {
  nb::object capsule = nb::none();
};

#define TTMLIR_MODULE "module: ttmlir.ir.Module | ttmlir.ir.Operation"
#define TTMLIR_REMARK "tuple[str, str, str, str, str, str, dict[str, str]]"
#define TTMLIR_ATTACHMENTS                                                     \
  "goldens: collections.abc.Sequence[tuple[str, str, "                         \
  "collections.abc.Sequence[int], int, bytes]] = (), "                         \
  "remarks: collections.abc.Sequence[" TTMLIR_REMARK "] = ()"

/// `<dialect>_to_flatbuffer_{binary,bytes,file}`.
void bindFormat(nb::module_ &m, const Format &format) {
  const std::string prefix = std::string(format.dialect) + "_to_flatbuffer_";
  const std::string what = std::string("The flatbuffer of a module of the ") +
                           format.dialect + " dialect";
  auto define = [&](const char *suffix, const char *parameters,
                    const std::string &doc, auto function, auto... arguments) {
    const std::string name = prefix + suffix;
    const std::string signature = "def " + name + parameters;
    m.def(name.c_str(), function, arguments..., nb::sig(signature.c_str()),
          doc.c_str());
  };
  define(
      "binary", "(" TTMLIR_MODULE ", " TTMLIR_ATTACHMENTS ") -> object",
      what + ", as a capsule.",
      [&format](nb::handle module, const Goldens &goldens,
                const Remarks &remarks) {
        return toCapsule(format, module, goldens, remarks);
      },
      "module"_a, "goldens"_a = Goldens(), "remarks"_a = Remarks());
  define(
      "bytes", "(" TTMLIR_MODULE ", " TTMLIR_ATTACHMENTS ") -> bytes",
      what + ".",
      [&format](nb::handle module, const Goldens &goldens,
                const Remarks &remarks) {
        std::string bytes = toBytes(format, module, goldens, remarks);
        return nb::bytes(bytes.data(), bytes.size());
      },
      "module"_a, "goldens"_a = Goldens(), "remarks"_a = Remarks());
  define(
      "file",
      "(" TTMLIR_MODULE
      ", filepath: str | os.PathLike[str], " TTMLIR_ATTACHMENTS ") -> None",
      what + ", as a file.",
      [&format](nb::handle module, nb::handle path, const Goldens &goldens,
                const Remarks &remarks) {
        toFile(format, module, path, goldens, remarks);
      },
      "module"_a, "filepath"_a, "goldens"_a = Goldens(),
      "remarks"_a = Remarks());
}

} // namespace

void ttmlir::bindings::populatePasses(nb::module_ &m) {
  passError = PyErr_NewExceptionWithDoc(
      "ttmlir._mlir_libs._ttmlir.passes.PassError",
      "A pipeline or a translation failed. `error_diagnostics` is the list of "
      "the compiler's errors (ttmlir.ir.DiagnosticInfo), with their locations.",
      PyExc_RuntimeError, nullptr);
  m.attr("PassError") = nb::borrow(passError);
  m.attr("PassError").attr("error_diagnostics") = nb::list();

  m.def("run_pipeline", runPipeline, "module"_a, "pipeline"_a, "options"_a = "",
        "remarks"_a = nb::none(),
        nb::sig("def run_pipeline(" TTMLIR_MODULE
                ", pipeline: str, options: str = '', "
                "remarks: str | None = None) -> list[" TTMLIR_REMARK "]"),
        "Runs a pipeline or a pass on a module, in place. Returns the remarks "
        "of the passes that match the regular expression: kind, pass, name, "
        "function, place, label and arguments.");
  bindFormat(m, kTTNN);
  bindFormat(m, kTTMetal);

  nb::class_<SharedVoidPtr>(m, "SharedVoidPtr",
                            "Holds a flatbuffer for the runtime.")
      .def(nb::init<>())
      .def(
          "from_ttnn",
          [](SharedVoidPtr &self, nb::handle module) {
            self.capsule = toCapsule(kTTNN, module, {}, {});
          },
          "module"_a, "Serializes a module of ttnn into this pointer.")
      .def(
          "from_ttmetal",
          [](SharedVoidPtr &self, nb::handle module) {
            self.capsule = toCapsule(kTTMetal, module, {}, {});
          },
          "module"_a, "Serializes a module of ttmetal into this pointer.")
      .def_ro("capsule", &SharedVoidPtr::capsule,
              "The capsule, None before a module is serialized.");
}
