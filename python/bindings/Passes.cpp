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

/// Remarks of passes. Python makes objects of those that it reads.
class Remarks {
public:
  /// Kind, pass, name, function, place, label and arguments.
  using Texts =
      std::tuple<std::string, std::string, std::string, std::string,
                 std::string, std::string, std::map<std::string, std::string>>;

  explicit Remarks(const std::vector<Texts> &remarks) : Remarks(true) {
    for (const auto &[kind, pass, name, function, place, label, texts] :
         remarks) {
      std::vector<TTMLIRRemarkArg> args;
      for (const auto &[key, value] : texts)
        args.push_back({refer(key), refer(value)});
      TTMLIRRemark remark{refer(kind),     refer(pass),  refer(name),
                          refer(function), refer(place), refer(label),
                          args.data(),     args.size()};
      ttmlirRemarkListAdd(list, &remark);
    }
  }
  explicit Remarks(bool all) : list(ttmlirRemarkListCreate(all)) {}
  Remarks(const Remarks &) = delete;
  ~Remarks() { ttmlirRemarkListDestroy(list); }

  TTMLIRRemarkList get() const { return list; }
  size_t size() const { return ttmlirRemarkListGetSize(list); }
  nb::tuple at(size_t index) const {
    if (index >= size())
      throw nb::index_error();
    nb::tuple result;
    ttmlirRemarkListGet(list, index, toTuple, &result);
    return result;
  }

private:
  static nb::str copy(MlirStringRef text) {
    return nb::str(text.data, text.length);
  }
  static void toTuple(const TTMLIRRemark *remark, void *result) {
    nb::dict args;
    for (size_t i = 0; i < remark->numArgs; ++i)
      args[copy(remark->args[i].key)] = copy(remark->args[i].value);
    *static_cast<nb::tuple *>(result) =
        nb::make_tuple(copy(remark->kind), copy(remark->category),
                       copy(remark->name), copy(remark->function),
                       copy(remark->location), copy(remark->label), args);
  }

  TTMLIRRemarkList list;
};

/// Collects the remarks of a context while it lives.
class RemarkCapture {
public:
  /// Those of the passes that match `filter`; none without a list. Raises
  /// ValueError for a filter that is no regular expression.
  RemarkCapture(MlirContext context, const Remarks *into,
                const std::string &filter)
      : context(context) {
    std::string problem;
    if (into && mlirLogicalResultIsFailure(ttmlirContextCollectRemarks(
                    context, refer(filter), into->get(), appendTo, &problem)))
      throw nb::value_error(
          ("remarks: expected a regular expression of passes, "
           "found '" +
           filter + "': " + problem)
              .c_str());
  }
  RemarkCapture(const RemarkCapture &) = delete;
  ~RemarkCapture() {
    ttmlirContextCollectRemarks(context, {}, {nullptr}, nullptr, nullptr);
  }

private:
  MlirContext context;
};

void runPipeline(nb::handle module, const std::string &pipeline,
                 const std::string &options, const Remarks *remarks,
                 const std::string &filter) {
  OperationHandle op(module);
  MlirContext context = op.getContext()->get();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  ttmlirRegisterAllDialects(registry);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);

  RemarkCapture capture(context, remarks, filter);
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
  BorrowedAttachments(const Goldens &goldens, const Remarks *remarks)
      : remarks(remarks) {
    for (const auto &[program, key, shape, dataType, data] : goldens)
      this->goldens.push_back({refer(program), refer(key), shape.data(),
                               shape.size(), dataType,
                               mlirStringRefCreate(data.c_str(), data.size())});
  }

  TTMLIRAttachments get() const {
    return {goldens.data(), goldens.size(),
            remarks ? remarks->get() : TTMLIRRemarkList{nullptr}};
  }

private:
  std::vector<TTMLIRGolden> goldens;
  const Remarks *remarks;
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
                    const Goldens &goldens, const Remarks *remarks) {
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
                      const Goldens &goldens, const Remarks *remarks) {
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
            const Goldens &goldens, const Remarks *remarks) {
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
  "remarks: Remarks | None = None"

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
                const Remarks *remarks) {
        return toCapsule(format, module, goldens, remarks);
      },
      "module"_a, "goldens"_a = Goldens(), "remarks"_a = nb::none());
  define(
      "bytes", "(" TTMLIR_MODULE ", " TTMLIR_ATTACHMENTS ") -> bytes",
      what + ".",
      [&format](nb::handle module, const Goldens &goldens,
                const Remarks *remarks) {
        std::string bytes = toBytes(format, module, goldens, remarks);
        return nb::bytes(bytes.data(), bytes.size());
      },
      "module"_a, "goldens"_a = Goldens(), "remarks"_a = nb::none());
  define(
      "file",
      "(" TTMLIR_MODULE
      ", filepath: str | os.PathLike[str], " TTMLIR_ATTACHMENTS ") -> None",
      what + ", as a file.",
      [&format](nb::handle module, nb::handle path, const Goldens &goldens,
                const Remarks *remarks) {
        toFile(format, module, path, goldens, remarks);
      },
      "module"_a, "filepath"_a, "goldens"_a = Goldens(),
      "remarks"_a = nb::none());
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

  nb::class_<Remarks>(m, "Remarks",
                      "Remarks of passes: kind, pass, name, function, place, "
                      "label and arguments of each.")
      .def(nb::init<bool>(), nb::kw_only(), "all"_a,
           "Without `all`, keeps at most as many remarks of each function as a "
           "file stores.")
      .def(nb::init<const std::vector<Remarks::Texts> &>(), "remarks"_a,
           nb::sig("def __init__(self, remarks: "
                   "collections.abc.Sequence[" TTMLIR_REMARK "]) -> None"))
      .def("__len__", &Remarks::size)
      .def("__getitem__", &Remarks::at, "index"_a,
           nb::sig("def __getitem__(self, index: int, /) -> " TTMLIR_REMARK));
  m.def("run_pipeline", runPipeline, "module"_a, "pipeline"_a, "options"_a = "",
        "remarks"_a = nb::none(), "remarks_of"_a = ".",
        nb::sig("def run_pipeline(" TTMLIR_MODULE
                ", pipeline: str, options: str = '', "
                "remarks: Remarks | None = None, remarks_of: str = '.') -> "
                "None"),
        "Runs a pipeline or a pass on a module, in place. Adds the remarks of "
        "the passes that match the regular expression.");
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
