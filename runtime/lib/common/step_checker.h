// The rules of all operations, one function each: shapes, attributes and types
// of a step. Behind checkStep().
#ifndef TT_RUNTIME_COMMON_STEP_CHECKER_H
#define TT_RUNTIME_COMMON_STEP_CHECKER_H

#include "common/program.h"
#include "common/shapes.h"

namespace tt::runtime {

class StepChecker {
public:
  explicit StepChecker(const Program &program) : program_(program) {}

  void operator()(const GetDeviceStep &) const {}
  void operator()(const MoveStep &s) const;
  void operator()(const EmptyStep &) const {}
  void operator()(const FullStep &) const {}
  void operator()(const ConstantStep &s) const;
  void operator()(const ArangeStep &s) const;
  void operator()(const UnaryStep &s) const;
  void operator()(const BinaryStep &s) const;
  void operator()(const WhereStep &s) const;
  void operator()(const TypecastStep &s) const;
  void operator()(const MatmulStep &s) const;
  void operator()(const ReduceStep &s) const;
  void operator()(const ArgmaxStep &s) const;
  void operator()(const CumsumStep &s) const;
  void operator()(const SoftmaxStep &s) const;
  void operator()(const NormStep &s) const;
  void operator()(const EmbeddingStep &s) const;
  void operator()(const EmbeddingBackwardStep &s) const;
  void operator()(const GatherStep &s) const;
  void operator()(const TransposeStep &s) const;
  void operator()(const PermuteStep &s) const;
  void operator()(const ConcatStep &s) const;
  void operator()(const ReshapeStep &s) const;
  void operator()(const SliceStep &s) const;
  void operator()(const PadStep &s) const;
  void operator()(const RepeatStep &s) const;
  void operator()(const Conv2dStep &s) const;
  void operator()(const ConvTranspose2dStep &s) const;
  void operator()(const Pool2dStep &s) const;
  void operator()(const UpsampleStep &s) const;
  void operator()(const DeallocStep &) const {}
  void operator()(const MeshShardStep &s) const;
  void operator()(const CollectiveStep &s) const;

private:
  using Shape = std::vector<std::int64_t>;

  const Layout &layout(ValueIndex value) const {
    return program_.values[value].layout;
  }
  const Shape &shape(ValueIndex value) const { return layout(value).shape; }

  /// Error(Unsupported) unless all of them are floats, or integers.
  void expectFloats(std::initializer_list<ValueIndex> values) const;
  void expectIntegers(std::initializer_list<ValueIndex> values) const;
  /// A tensor with these elements, whatever the shape of the outer dimensions.
  void expectImage(const char *field, ValueIndex value,
                   const Shape &nhwc) const;
  /// A row of `channels` elements.
  void expectChannels(const char *field, OptionalValue value,
                      std::int64_t channels) const;
  /// What both kinds of convolution have in common.
  void checkConvolution(const Conv2dStep &s, const Shape &weight,
                        std::int64_t outHeight, std::int64_t outWidth) const;

  const Program &program_;
};

} // namespace tt::runtime

#endif // TT_RUNTIME_COMMON_STEP_CHECKER_H
