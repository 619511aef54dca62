#include "Bindings.h"

#include "ttmlir-c/TTIRShapes.h"

using namespace ttmlir::bindings;

using Shape = std::vector<int64_t>;

static nb::list inferShapes(const std::string &op,
                            const std::vector<MlirValue> &inputs,
                            MlirAttribute attributes, const Shape &meshShape) {
  expect(attributes, mlirAttributeIsADictionary, "a dictionary of attributes");
  MlirContext context = mlirAttributeGetContext(attributes);
  std::vector<Shape> shapes;
  auto append = [](const int64_t *shape, size_t rank, void *list) {
    static_cast<std::vector<Shape> *>(list)->emplace_back(shape, shape + rank);
  };
  ErrorText errors(context);
  if (mlirLogicalResultIsFailure(ttmlirTTIRInferShapes(
          mlirStringRefCreate(op.data(), op.size()),
          mlirLocationUnknownGet(context), inputs.data(), inputs.size(),
          attributes, meshShape.data(), meshShape.size(), append, &shapes)))
    throw nb::value_error(errors.text.c_str());
  nb::list result;
  for (const Shape &shape : shapes)
    result.append(nb::tuple(nb::cast(shape)));
  return result;
}

void ttmlir::bindings::populateShapes(nb::module_ &m) {
  m.def(
      "infer_shapes", inferShapes, "op"_a, "inputs"_a, "attributes"_a,
      "mesh_shape"_a = Shape{},
      nb::sig("def infer_shapes(op: str, inputs: "
              "collections.abc.Sequence[ttmlir.ir.Value], attributes: "
              "ttmlir.ir.DictAttr, mesh_shape: "
              "collections.abc.Sequence[int] = ()) -> "
              "list[tuple[int, ...]]"),
      "Infers the output shapes of the op named `op`, given all its inputs and "
      "attributes, before it is created. Collectives use a mesh of "
      "`mesh_shape`. Raises ValueError with the error of the op's verifier.");
}
