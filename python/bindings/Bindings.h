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

/// Add the classes of the `tt` dialect to its submodule.
void populateEnumAttributes(nb::module_ &m);
void populateTensorAttributes(nb::module_ &m);
void populateSystemAttributes(nb::module_ &m);
void populateTypes(nb::module_ &m);
/// Add the functions that run pipelines and translations.
void populatePasses(nb::module_ &m);

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

/// A member of a generated Python enumeration of the dialect.
nb::object enumerator(const char *name, uint32_t value);

/// The signature of a property that is such a member.
#define TTMLIR_ENUM_GETTER(Property, Enum)                                     \
  nanobind::for_getter(nanobind::sig(                                          \
      "def " Property "(self, /) -> ttmlir.dialects._tt_enum_gen." Enum))

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

} // namespace ttmlir::bindings

#endif
