// Tables that move elements, with and without indices.
#include "common/operations.h"

#include <algorithm>

namespace tt::runtime {

namespace fb = ::tt::target::ttnn;

Step decode(Decoder &d, fb::TransposeOp const *op) {
  const ValueIndex in = d.use(op->in(), "in");
  const std::size_t rank = d.shape(in).size();
  const std::int64_t dim0 = normalizeDim(op->dim0(), rank, "dim0");
  const std::int64_t dim1 = normalizeDim(op->dim1(), rank, "dim1");
  return TransposeStep{in, d.result(op->out()), dim0, dim1};
}

Step decode(Decoder &d, fb::PermuteOp const *op) {
  const ValueIndex in = d.use(op->in(), "in");
  return PermuteStep{in, d.result(op->out()),
                     readVector(op->permutation(), "permutation")};
}

Step decode(Decoder &d, fb::ConcatOp const *op) {
  const std::size_t count = op->inputs() ? op->inputs()->size() : 0;
  if (count == 0)
    malformed("expected at least one input, found none");
  ConcatStep step{{}, 0, 0};
  for (std::size_t i = 0; i < count; ++i)
    step.ins.push_back(d.use(op->inputs()->Get(unsigned(i)), "inputs"));
  step.out = d.result(op->out());
  step.dim = normalizeDim(op->dim(), d.shape(step.ins.front()).size(), "dim");
  return step;
}

Step decode(Decoder &d, fb::ReshapeOp const *op) {
  const ValueIndex in = d.use(op->in(), "in");
  const ValueIndex out = d.result(op->out());
  if (op->shape()) {
    auto shape = readVector(op->shape(), "shape");
    // One extent may be left to the others.
    const auto open = std::find(shape.begin(), shape.end(), -1);
    if (open != shape.end() && shape.size() == d.shape(out).size())
      *open = d.shape(out)[std::size_t(open - shape.begin())];
    expectShape("shape", d.shape(out), shape);
  }
  return ReshapeStep{in, out};
}

Step decode(Decoder &d, fb::SliceOp const *op) {
  const ValueIndex in = d.use(op->in(), "in");
  SliceStep step{in, d.result(op->out()), readVector(op->begins(), "begins"),
                 readVector(op->ends(), "ends"),
                 readVector(op->step(), "step")};
  // A step beyond the extent takes one element, as the extent itself does.
  const auto &shape = d.shape(in);
  for (std::size_t i = 0; i < std::min(shape.size(), step.step.size()); ++i)
    step.step[i] = std::min(step.step[i], shape[i]);
  return step;
}

Step decode(Decoder &d, fb::PadOp const *op) {
  const ValueIndex in = d.use(op->in(), "in");
  PadStep step{in, d.result(op->out()), {}, {}, op->value()};
  const auto padding = readVector(op->padding(), "padding");
  if (padding.size() != 2 * d.shape(in).size())
    malformed("expected ", 2 * d.shape(in).size(),
              " elements in field padding, found ", padding.size());
  for (std::size_t i = 0; i < padding.size(); i += 2) {
    step.low.push_back(padding[i]);
    step.high.push_back(padding[i + 1]);
  }
  return step;
}

Step decode(Decoder &d, fb::RepeatOp const *op) {
  const ValueIndex in = d.use(op->in(), "in");
  return RepeatStep{in, d.result(op->out()),
                    readVector(op->repeat_dims(), "repeat_dims")};
}

Step decode(Decoder &d, fb::EmbeddingOp const *op) {
  const ValueIndex indices = d.use(op->input(), "input");
  const ValueIndex weight = d.use(op->weight(), "weight");
  return EmbeddingStep{indices, weight, d.result(op->output(), "output")};
}

Step decode(Decoder &d, fb::EmbeddingBackwardOp const *op) {
  const ValueIndex indices = d.use(op->input(), "input");
  const ValueIndex weight = d.use(op->weight(), "weight");
  const ValueIndex gradient = d.use(op->in_gradient(), "in_gradient");
  return EmbeddingBackwardStep{indices, weight, gradient, d.result(op->out())};
}

Step decode(Decoder &d, fb::GatherOp const *op) {
  const ValueIndex in = d.use(op->input(), "input");
  const ValueIndex indices = d.use(op->start_indices(), "start_indices");
  GatherStep step{in, indices, d.result(op->out()), {}};
  step.dims = {readVector(op->offset_dims(), "offset_dims"),
               readVector(op->collapsed_slice_dims(), "collapsed_slice_dims"),
               readVector(op->operand_batching_dims(), "operand_batching_dims"),
               readVector(op->start_indices_batching_dims(),
                          "start_indices_batching_dims"),
               readVector(op->start_index_map(), "start_index_map"),
               op->index_vector_dim(),
               readVector(op->slice_sizes(), "slice_sizes")};
  return step;
}

} // namespace tt::runtime
