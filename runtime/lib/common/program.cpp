// Decodes the operations of a TTNN program, one function per table.
#include "common/decoder.h"

#include "common/shapes.h"

#include <algorithm>

namespace tt::runtime {

namespace {

namespace fb = ::tt::target::ttnn;
using Shape = std::vector<std::int64_t>;

using kernels::BinaryOp;
using kernels::UnaryOp;

struct EltwiseEntry {
  const char *name;
  bool binary;
  UnaryOp unaryOp;
  BinaryOp binaryOp;
};

/// By EltwiseOpType.
constexpr EltwiseEntry kEltwise[] = {
    {"eltwise.add", true, {}, BinaryOp::Add},
    {"eltwise.multiply", true, {}, BinaryOp::Multiply},
    {"eltwise.subtract", true, {}, BinaryOp::Subtract},
    {"eltwise.relu", false, UnaryOp::Relu, {}},
    {"eltwise.ge", true, {}, BinaryOp::Ge},
    {"eltwise.sqrt", false, UnaryOp::Sqrt, {}},
    {"eltwise.div", true, {}, BinaryOp::Div},
    {"eltwise.sigmoid", false, UnaryOp::Sigmoid, {}},
    {"eltwise.reciprocal", false, UnaryOp::Reciprocal, {}},
    {"eltwise.exp", false, UnaryOp::Exp, {}},
    {"eltwise.maximum", true, {}, BinaryOp::Maximum},
    {"eltwise.abs", false, UnaryOp::Abs, {}},
    {"eltwise.neg", false, UnaryOp::Neg, {}},
};

Step decode(Decoder &d, fb::GetDeviceOp const *op) {
  auto const *ids = op->chip_ids();
  if (!ids || ids->size() != 1)
    raise(ErrorCategory::Unsupported, "expected exactly one chip id, found ",
          ids ? ids->size() : 0);
  const std::uint32_t id = ids->Get(0);
  d.defineDevice(id, op->out());
  return GetDeviceStep{id};
}

Step decode(Decoder &d, fb::ToMemoryConfigOp const *op) {
  const ValueIndex in = d.use(op->in0(), "in0");
  return d.move(in, op->device(), op->out());
}

Step decode(Decoder &d, fb::ToLayoutOp const *op) {
  if (op->layout() > ::tt::target::TensorLayout::MAX)
    malformed("expected a tensor layout up to ",
              unsigned(::tt::target::TensorLayout::MAX), ", found ",
              unsigned(op->layout()));
  const ValueIndex in = d.use(op->in(), "in");
  return d.move(in, op->device(), op->out());
}

Step decode(Decoder &d, fb::ToDeviceOp const *op) {
  d.checkMemoryConfig(op->memcfg());
  const ValueIndex in = d.use(op->in(), "in");
  return d.move(in, op->device(), op->out());
}

Step decode(Decoder &d, fb::EmptyOp const *op) {
  d.checkMemoryConfig(op->memcfg());
  const std::uint32_t device = d.device(op->device());
  const ValueIndex out = d.defineEmpty(op->out(), "out");
  if (auto const *shape = op->shape()) {
    // The verifier aligns a vector by its length of four bytes alone.
    if (shape->size() &&
        reinterpret_cast<std::uintptr_t>(shape->Data()) % alignof(std::int64_t))
      malformed("the elements of field shape are not aligned");
    const Shape found(shape->begin(), shape->end());
    d.expectShape("shape", d.shape(out), found);
  }
  const kernels::DType type = d.layout(out).type;
  if (op->dtype() != ::tt::target::DataType(type))
    malformed("expected dtype ", kernels::dtypeName(type),
              " as in the result, found data type ", unsigned(op->dtype()));
  return EmptyStep{out, device};
}

Step decode(Decoder &d, fb::FullOp const *op) {
  const std::uint32_t device = d.device(op->device());
  const ValueIndex out = d.define(op->out(), "out");
  return FullStep{out, device, op->fill_value()};
}

Step decode(Decoder &d, fb::EltwiseOp const *op) {
  if (unsigned(op->type()) >= std::size(kEltwise))
    malformed("expected an elementwise type up to ", std::size(kEltwise) - 1,
              ", found ",
              unsigned(op->type()));
  const EltwiseEntry &entry = kEltwise[unsigned(op->type())];
  d.name = entry.name;
  const std::size_t count = op->ins() ? op->ins()->size() : 0;
  const std::size_t expected = entry.binary ? 2 : 1;
  if (count != expected)
    malformed("expected ", expected, " inputs, found ", count);
  const ValueIndex a = d.use(op->ins()->Get(0), "ins[0]");
  if (!entry.binary) {
    const ValueIndex out = d.result(op->out());
    d.expectShape("out", d.shape(a), d.shape(out));
    return UnaryStep{entry.unaryOp, a, out};
  }
  const ValueIndex b = d.use(op->ins()->Get(1), "ins[1]");
  const ValueIndex out = d.result(op->out());
  d.expectShape("out", broadcastShapes(d.shape(a), d.shape(b)), d.shape(out));
  return BinaryStep{entry.binaryOp, a, b, out};
}

Step decode(Decoder &d, fb::MatmulOp const *op) {
  const ValueIndex a = d.use(op->in0(), "in0"), b = d.use(op->in1(), "in1");
  const ValueIndex out = d.result(op->out());
  d.expectShape("out", matmulShape(d.shape(a), d.shape(b)), d.shape(out));
  for (ValueIndex value : {a, b, out})
    if (kernels::isInteger(d.layout(value).type))
      raise(ErrorCategory::Unsupported,
            "expected floating-point tensors, found ",
            kernels::dtypeName(d.layout(value).type));
  return MatmulStep{a, b, out};
}

/// True if the result has whole tiles in the place of reduced inner dimensions.
bool keepsTiles(const Shape &in, const ReduceStep &step, const Shape &found) {
  if (found.size() != in.size())
    return false;
  for (std::size_t d = 0; d < in.size(); ++d) {
    const bool reduced =
        step.dims.empty() ||
        std::count(step.dims.begin(), step.dims.end(), std::int64_t(d));
    const bool tile = reduced && d + 2 >= in.size() && found[d] == 32;
    if (found[d] != step.shape[d] && !tile)
      return false;
  }
  return true;
}

Step decode(Decoder &d, fb::ReductionOp const *op) {
  static constexpr kernels::ReduceOp kinds[] = {
      kernels::ReduceOp::Sum, kernels::ReduceOp::Mean, kernels::ReduceOp::Max};
  static constexpr const char *names[] = {"reduction.sum", "reduction.mean",
                                          "reduction.max"};
  if (unsigned(op->type()) >= std::size(kinds))
    malformed("expected a reduction type up to ", std::size(kinds) - 1,
              ", found ",
              unsigned(op->type()));
  d.name = names[unsigned(op->type())];
  const ValueIndex in = d.use(op->in(), "in");
  const ValueIndex out = d.result(op->out());
  const Shape &shape = d.shape(in);
  ReduceStep step{kinds[unsigned(op->type())], in, out, {}, {}};
  if (op->dim_arg())
    for (std::int32_t dim : *op->dim_arg())
      step.dims.push_back(normalizeDim(dim, shape.size(), "dim_arg"));
  std::sort(step.dims.begin(), step.dims.end());
  if (std::adjacent_find(step.dims.begin(), step.dims.end()) != step.dims.end())
    malformed("expected each dimension once in dim_arg");
  step.shape = reducedShape(shape, step.dims, op->keep_dim());
  const Shape &found = d.shape(out);
  // A full reduction may be a scalar or keep one dimension.
  if (step.shape.empty() && found == Shape{1})
    step.shape = found;
  if (!op->keep_dim() || !keepsTiles(shape, step, found))
    d.expectShape("out", step.shape, found);
  return step;
}

Step decode(Decoder &d, fb::EmbeddingOp const *op) {
  const ValueIndex indices = d.use(op->input(), "input");
  const ValueIndex weight = d.use(op->weight(), "weight");
  const ValueIndex out = d.result(op->output());
  Shape expected = d.shape(indices);
  const Shape &table = d.shape(weight);
  if (table.size() < 2 ||
      !std::all_of(table.begin(), table.end() - 2,
                   [](std::int64_t extent) { return extent == 1; }))
    malformed("expected a weight of rank 2, found ", shapeString(table));
  expected.push_back(table.back());
  // Leading ones of the result are a matter of taste of the lowering.
  const auto strip = [](const Shape &shape) {
    return Shape(std::find_if(shape.begin(), shape.end() - 1,
                              [](std::int64_t extent) { return extent != 1; }),
                 shape.end());
  };
  const Shape &found = d.shape(out);
  if (found.empty() || strip(expected) != strip(found))
    d.expectShape("output", expected, found);
  return EmbeddingStep{indices, weight, out};
}

Step decode(Decoder &d, fb::SoftmaxOp const *op) {
  const ValueIndex in = d.use(op->in(), "in");
  const ValueIndex out = d.result(op->out());
  d.expectShape("out", d.shape(in), d.shape(out));
  return SoftmaxStep{
      in, out, normalizeDim(op->dimension(), d.shape(in).size(), "dimension")};
}

Step decode(Decoder &d, fb::TransposeOp const *op) {
  const ValueIndex in = d.use(op->in(), "in");
  const ValueIndex out = d.result(op->out());
  Shape shape = d.shape(in);
  const std::int64_t dim0 = normalizeDim(op->dim0(), shape.size(), "dim0");
  const std::int64_t dim1 = normalizeDim(op->dim1(), shape.size(), "dim1");
  std::swap(shape[dim0], shape[dim1]);
  d.expectShape("out", shape, d.shape(out));
  return TransposeStep{in, out, dim0, dim1};
}

Step decode(Decoder &d, fb::ConcatOp const *op) {
  const std::size_t count = op->inputs() ? op->inputs()->size() : 0;
  if (count == 0)
    malformed("expected at least one input, found none");
  ConcatStep step{{}, 0, 0};
  for (std::size_t i = 0; i < count; ++i)
    step.ins.push_back(d.use(op->inputs()->Get(i), "inputs"));
  step.out = d.result(op->out());
  Shape shape = d.shape(step.ins.front());
  step.dim = normalizeDim(op->dim(), shape.size(), "dim");
  for (std::size_t i = 1; i < count; ++i) {
    Shape other = d.shape(step.ins[i]);
    if (other.size() != shape.size())
      malformed("expected inputs of rank ", shape.size(), ", found ",
                shapeString(other));
    shape[step.dim] += other[step.dim];
    other[step.dim] = shape[step.dim];
    d.expectShape("inputs", shape, other);
  }
  d.expectShape("out", shape, d.shape(step.out));
  return step;
}

Step decode(Decoder &d, fb::ReshapeOp const *op) {
  const ValueIndex in = d.use(op->in(), "in");
  const ValueIndex out = d.result(op->out());
  if (d.layout(in).volume() != d.layout(out).volume())
    malformed("expected a result of ", d.layout(in).volume(),
              " elements, found ", shapeString(d.shape(out)));
  if (auto const *shape = op->shape()) {
    const Shape found(shape->begin(), shape->end());
    d.expectShape("shape", d.shape(out), found);
  }
  return ReshapeStep{in, out};
}

Step decode(Decoder &d, fb::Conv2dOp const *op) {
  const ValueIndex in = d.use(op->input(), "input");
  const ValueIndex weight = d.use(op->weight(), "weight");
  const std::int64_t bias =
      op->bias() ? std::int64_t(d.use(op->bias(), "bias")) : -1;
  d.device(op->device());
  const ValueIndex out = d.result(op->out());
  Conv2dStep step{in,
                  weight,
                  out,
                  bias,
                  op->batch_size(),
                  op->input_height(),
                  op->input_width(),
                  op->in_channels(),
                  op->out_channels(),
                  op->groups(),
                  {}};
  step.window = readWindow({op->kernel_height(), op->kernel_width(),
                            op->stride_height(), op->stride_width(),
                            op->dilation_height(), op->dilation_width(),
                            op->padding_height(), op->padding_width()},
                           false);
  checkConv2d(d, step);
  return step;
}

Step decode(Decoder &d, fb::MaxPool2dOp const *op) {
  const ValueIndex in = d.use(op->in(), "in");
  d.device(op->device());
  const ValueIndex out = d.result(op->out());
  MaxPool2dStep step{in,
                     out,
                     op->batch_size(),
                     op->input_height(),
                     op->input_width(),
                     op->channels(),
                     {}};
  step.window = readWindow({op->kernel_height(), op->kernel_width(),
                            op->stride_height(), op->stride_width(),
                            op->dilation_height(), op->dilation_width(),
                            op->padding_height(), op->padding_width()},
                           op->ceil_mode());
  checkMaxPool2d(d, step);
  return step;
}

Step decode(Decoder &d, fb::DeallocOp const *op) {
  return DeallocStep{d.kill(op->in())};
}

const char *operationName(fb::OpType type) {
  switch (type) {
  case fb::OpType::GetDeviceOp:
    return "get_device";
  case fb::OpType::ToMemoryConfigOp:
    return "to_memory_config";
  case fb::OpType::ToLayoutOp:
    return "to_layout";
  case fb::OpType::ToDeviceOp:
    return "to_device";
  case fb::OpType::EmptyOp:
    return "empty";
  case fb::OpType::FullOp:
    return "full";
  case fb::OpType::EltwiseOp:
    return "eltwise";
  case fb::OpType::MatmulOp:
    return "matmul";
  case fb::OpType::ReductionOp:
    return "reduction";
  case fb::OpType::EmbeddingOp:
    return "embedding";
  case fb::OpType::SoftmaxOp:
    return "softmax";
  case fb::OpType::TransposeOp:
    return "transpose";
  case fb::OpType::Conv2dOp:
    return "conv2d";
  case fb::OpType::ConcatOp:
    return "concat";
  case fb::OpType::ReshapeOp:
    return "reshape";
  case fb::OpType::MaxPool2dOp:
    return "max_pool2d";
  case fb::OpType::DeallocOp:
    return "dealloc";
  default:
    break;
  }
  malformed("expected an operation type that this version runs, found ",
            unsigned(type));
}

Step decodeStep(Decoder &d, fb::Operation const *op) {
  switch (op->type_type()) {
#define TTMLIR_DECODE(Table)                                                   \
  case fb::OpType::Table:                                                      \
    return decode(d, op->type_as_##Table())
    TTMLIR_DECODE(GetDeviceOp);
    TTMLIR_DECODE(ToMemoryConfigOp);
    TTMLIR_DECODE(ToLayoutOp);
    TTMLIR_DECODE(ToDeviceOp);
    TTMLIR_DECODE(EmptyOp);
    TTMLIR_DECODE(FullOp);
    TTMLIR_DECODE(EltwiseOp);
    TTMLIR_DECODE(MatmulOp);
    TTMLIR_DECODE(ReductionOp);
    TTMLIR_DECODE(EmbeddingOp);
    TTMLIR_DECODE(SoftmaxOp);
    TTMLIR_DECODE(TransposeOp);
    TTMLIR_DECODE(Conv2dOp);
    TTMLIR_DECODE(ConcatOp);
    TTMLIR_DECODE(ReshapeOp);
    TTMLIR_DECODE(MaxPool2dOp);
    TTMLIR_DECODE(DeallocOp);
#undef TTMLIR_DECODE
  default:
    break;
  }
  malformed("expected an operation");
}

/// Throws the error of a callee again with the place in front.
template <typename... Parts>
[[noreturn]] void rethrowAt(const Error &error, const Parts &...place) {
  raise(error.category(), place..., ": ", error.what());
}

Program decodeProgram(fb::Program const *program, std::size_t index,
                      const ChipGeometry &chip) {
  Program result;
  result.name = program && program->name() ? program->name()->str() : "";
  Decoder decoder(chip, result);
  try {
    if (!program)
      malformed("expected a program table");
    decoder.defineInputs(program->inputs());
  } catch (const Error &error) {
    rethrowAt(error, "program ", index, " '", result.name, "', inputs");
  }
  const std::size_t count =
      program->operations() ? program->operations()->size() : 0;
  result.operations.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    decoder.name = "operation";
    try {
      fb::Operation const *op = program->operations()->Get(i);
      if (!op || !op->type())
        malformed("expected an operation table");
      decoder.name = operationName(op->type_type());
      Step step = decodeStep(decoder, op);
      result.operations.push_back(
          {std::move(step), decoder.name,
           op->debug_info() ? op->debug_info()->str() : std::string()});
    } catch (const Error &error) {
      rethrowAt(error, "program ", index, " '", result.name, "', operation ", i,
                " (", decoder.name, ")");
    }
  }
  try {
    decoder.useOutputs(program->outputs());
  } catch (const Error &error) {
    rethrowAt(error, "program ", index, " '", result.name, "', outputs");
  }
  return result;
}

} // namespace

std::vector<Program> decodePrograms(fb::TTNNBinary const *binary) {
  if (!binary->system_desc() || !binary->system_desc()->chip_descs() ||
      binary->system_desc()->chip_descs()->size() == 0)
    malformed("expected a system description with at least one chip");
  const ChipGeometry chip =
      chipGeometry(binary->system_desc()->chip_descs()->Get(0));
  std::vector<Program> programs;
  const std::size_t count = binary->programs() ? binary->programs()->size() : 0;
  for (std::size_t i = 0; i < count; ++i)
    programs.push_back(decodeProgram(binary->programs()->Get(i), i, chip));
  return programs;
}

} // namespace tt::runtime
