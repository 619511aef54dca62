#ifndef BINDINGS_H
#define BINDINGS_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir/Bindings/Python/IRAttributes.h"
#include "mlir/Bindings/Python/IRCore.h"
#include "mlir/Bindings/Python/IRTypes.h"
#include "mlir/Bindings/Python/Nanobind.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"

#include <string>
#include <vector>

namespace ttmlir::bindings {

namespace nb = nanobind;
namespace py = mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN;
using namespace nanobind::literals;

/// Add the classes of the `ttnn` dialect to its submodule.
void populateTTNNAttributes(nb::module_ &m);
/// Add the classes of the `ttkernel` and `ttmetal` dialects to theirs.
void populateTTKernelAttributes(nb::module_ &m);
void populateTTMetalAttributes(nb::module_ &m);
/// Add the classes of the `tt` dialect to its submodule.
void populateEnumAttributes(nb::module_ &m);
void populateTensorAttributes(nb::module_ &m);
void populateSystemAttributes(nb::module_ &m);
void populateTypes(nb::module_ &m);
/// Add the function that infers shapes of outputs.
void populateShapes(nb::module_ &m);
/// Add the functions that run pipelines and translations.
void populatePasses(nb::module_ &m);

/// Appends a part to the `std::string` that `text` points to: a callback of
/// MLIR's C API.
inline void appendTo(MlirStringRef part, void *text) {
  static_cast<std::string *>(text)->append(part.data, part.length);
}

/// Collects the errors of the context as text while it lives.
class ErrorText {
public:
  explicit ErrorText(MlirContext context)
      : context(context),
        id(mlirContextAttachDiagnosticHandler(context, handle, this, nullptr)) {
  }
  ErrorText(const ErrorText &) = delete;
  ~ErrorText() { mlirContextDetachDiagnosticHandler(context, id); }

  std::string text;

private:
  static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *self);

  MlirContext context;
  MlirDiagnosticHandlerID id;
};

/// What `make()` returns, an attribute or a type; ValueError with the errors
/// that it emitted if that is null.
template <typename MakeT> auto checked(MlirContext context, MakeT make) {
  ErrorText errors(context);
  auto result = make();
  if (!result.ptr)
    throw nb::value_error(errors.text.c_str());
  return result;
}

/// `attr` itself; ValueError if it is not what `isA` tests for.
MlirAttribute expect(MlirAttribute attr, bool (*isA)(MlirAttribute),
                     const char *what);

/// Attributes that come as a list or as one.
using AttributeList = std::variant<std::vector<MlirAttribute>, MlirAttribute>;
std::vector<MlirAttribute> expectAll(const AttributeList &attrs,
                                     bool (*isA)(MlirAttribute),
                                     const char *what);

/// A member of a Python enumeration that is generated from a dialect, `tt`
/// unless another one is named.
nb::object enumerator(const char *name, uint32_t value,
                      const char *dialect = "tt");

/// The signature of a property that is such a member.
#define TTMLIR_ENUM_SIGNATURE(Property, Dialect, Enum)                         \
  "def " Property "(self, /) -> ttmlir.dialects._" Dialect "_enum_gen." Enum
#define TTMLIR_ENUM_GETTER_OF(Property, Dialect, Enum)                         \
  nanobind::for_getter(                                                        \
      nanobind::sig(TTMLIR_ENUM_SIGNATURE(Property, Dialect, Enum)))
#define TTMLIR_ENUM_GETTER(Property, Enum)                                     \
  TTMLIR_ENUM_GETTER_OF(Property, "tt", Enum)

/// Reads an array out of an attribute with a `size_t get(attr, &data)`.
template <typename ElementT>
std::vector<ElementT> read(MlirAttribute attr,
                           size_t (*get)(MlirAttribute, const ElementT **)) {
  const ElementT *data = nullptr;
  size_t size = get(attr, &data);
  return std::vector<ElementT>(data, data + size);
}

/// An attribute as an instance of its Python class.
using Attr = MlirAttribute;
using Intervals = std::vector<std::pair<int64_t, int64_t>>;

/// An attribute that is one enumerator: `get(ctx, value)` and `value`.
template <typename DerivedT>
struct EnumAttr : py::PyConcreteAttribute<DerivedT> {
  using BaseT = py::PyConcreteAttribute<DerivedT>;
  using BaseT::BaseT;

  static void bindDerived(typename BaseT::ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, uint32_t value) -> Attr {
          return checked(context,
                         [&] { return DerivedT::getFunction(context, value); });
        },
        "ctx"_a, "value"_a,
        "The attribute with this enumerator (or its number).");
    c.def_prop_ro(
        "value",
        [](MlirAttribute self) {
          return enumerator(DerivedT::enumName, DerivedT::valueFunction(self),
                            DerivedT::dialectName);
        },
        nb::for_getter(nb::sig(DerivedT::valueSignature)), "The enumerator.");
  }
};

/// The class of the enumerator attribute `Name` of a dialect, whose C API is
/// prefixed with `Prefix`.
#define TTMLIR_ENUM_ATTR_OF(Dialect, Prefix, Name)                             \
  struct Name##Attr : EnumAttr<Name##Attr> {                                   \
    using EnumAttr::EnumAttr;                                                  \
    static constexpr IsAFunctionTy isaFunction =                               \
        ttmlirAttributeIsA##Prefix##Name;                                      \
    static constexpr GetTypeIDFunctionTy getTypeIdFunction =                   \
        ttmlir##Prefix##Name##AttrGetTypeID;                                   \
    static constexpr const char *pyClassName = #Name "Attr";                   \
    static constexpr const char *dialectName = Dialect;                        \
    static constexpr const char *enumName = #Name;                             \
    static constexpr const char *valueSignature =                              \
        TTMLIR_ENUM_SIGNATURE("value", Dialect, #Name);                        \
    static constexpr auto getFunction = ttmlir##Prefix##Name##AttrGet;         \
    static constexpr auto valueFunction = ttmlir##Prefix##Name##AttrGetValue;  \
  };

/// A pair of coordinates: `get(ctx, y, x)`, `y` and `x`.
template <typename DerivedT>
struct PairAttr : py::PyConcreteAttribute<DerivedT> {
  using BaseT = py::PyConcreteAttribute<DerivedT>;
  using BaseT::BaseT;

  static void bindDerived(typename BaseT::ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, int64_t y, int64_t x) -> Attr {
          return checked(context,
                         [&] { return DerivedT::getFunction(context, y, x); });
        },
        "ctx"_a, "y"_a, "x"_a, DerivedT::doc);
    c.def_prop_ro("y",
                  [](MlirAttribute self) { return DerivedT::yFunction(self); });
    c.def_prop_ro("x",
                  [](MlirAttribute self) { return DerivedT::xFunction(self); });
  }
};

#define TTMLIR_PAIR_ATTR_OF(Prefix, Name, Doc)                                 \
  struct Name##Attr : PairAttr<Name##Attr> {                                   \
    using PairAttr::PairAttr;                                                  \
    static constexpr IsAFunctionTy isaFunction =                               \
        ttmlirAttributeIsA##Prefix##Name;                                      \
    static constexpr GetTypeIDFunctionTy getTypeIdFunction =                   \
        ttmlir##Prefix##Name##AttrGetTypeID;                                   \
    static constexpr const char *pyClassName = #Name "Attr";                   \
    static constexpr const char *doc = Doc;                                    \
    static constexpr auto getFunction = ttmlir##Prefix##Name##AttrGet;         \
    static constexpr auto yFunction = ttmlir##Prefix##Name##AttrGetY;          \
    static constexpr auto xFunction = ttmlir##Prefix##Name##AttrGetX;          \
  };

/// A rectangle of cores: `get(ctx, offset, size)`, `offset` and `size`.
template <typename DerivedT>
struct RangeAttr : py::PyConcreteAttribute<DerivedT> {
  using BaseT = py::PyConcreteAttribute<DerivedT>;
  using BaseT::BaseT;

  static void bindDerived(typename BaseT::ClassTy &c) {
    c.def_static(
        "get",
        [](MlirContext context, const std::vector<int64_t> &offset,
           const std::vector<int64_t> &size) -> Attr {
          return checked(context, [&] {
            return DerivedT::getFunction(context, offset.data(), offset.size(),
                                         size.data(), size.size());
          });
        },
        "ctx"_a, "offset"_a, "size"_a,
        "A rectangle of cores: [y, x] of the first one, [rows, columns].");
    c.def_prop_ro(
        "offset",
        [](MlirAttribute self) { return read(self, DerivedT::offsetFunction); },
        "[y, x] of the first core.");
    c.def_prop_ro(
        "size",
        [](MlirAttribute self) { return read(self, DerivedT::sizeFunction); },
        "[rows, columns].");
  }
};

#define TTMLIR_RANGE_ATTR_OF(Prefix, Name)                                     \
  struct Name##Attr : RangeAttr<Name##Attr> {                                  \
    using RangeAttr::RangeAttr;                                                \
    static constexpr IsAFunctionTy isaFunction =                               \
        ttmlirAttributeIsA##Prefix##Name;                                      \
    static constexpr GetTypeIDFunctionTy getTypeIdFunction =                   \
        ttmlir##Prefix##Name##AttrGetTypeID;                                   \
    static constexpr const char *pyClassName = #Name "Attr";                   \
    static constexpr auto getFunction = ttmlir##Prefix##Name##AttrGet;         \
    static constexpr auto offsetFunction =                                     \
        ttmlir##Prefix##Name##AttrGetOffset;                                   \
    static constexpr auto sizeFunction = ttmlir##Prefix##Name##AttrGetSize;    \
  };

} // namespace ttmlir::bindings

#endif
