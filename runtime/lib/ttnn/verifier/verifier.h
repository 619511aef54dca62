// The rules of all operations of a file: the shapes, types and attributes of a
// step fit each other. They are written independently of the compiler's, which
// makes most files but not all, so that no file runs that breaks one. What a
// table may say in several ways a rule also brings into one form.
#ifndef TT_RUNTIME_TTNN_VERIFIER_VERIFIER_H
#define TT_RUNTIME_TTNN_VERIFIER_VERIFIER_H

#include "common/shapes.h"
#include "ttnn/program.h"

namespace tt::runtime::ttnn {

/// Throws Error(Format) or Error(Unsupported) that name the field of the schema
/// unless the step can run as it is afterwards.
void verify(const Program &program, Step &step);

class Verifier {
public:
  explicit Verifier(const Program &program) : program_(program) {}

  void operator()(const GetDeviceStep &) const {}
  void operator()(const EmptyStep &) const {}
  void operator()(const DeallocStep &) const {}
  void operator()(const UnaryStep &s) const;
  void operator()(const BinaryStep &s) const;
  void operator()(const WhereStep &s) const;
  void operator()(const TypecastStep &s) const;
  void operator()(const MeshShardStep &s) const;
  void operator()(const CollectiveStep &s) const;
  // Once the parts are there: emulator::checkControlFlow().
  void operator()(const ControlFlowStep &) const {}
#define TTMLIR_RULE(Step) void operator()(Step &s) const;
  TTMLIR_TTNN_STEPS(TTMLIR_RULE)
#undef TTMLIR_RULE

private:
  using Shape = std::vector<std::int64_t>;

  const Layout &layout(ValueIndex value) const {
    return program_.values[value].layout;
  }
  const Shape &shape(ValueIndex value) const { return layout(value).shape; }

  /// `dim` of a tensor, counted from the front from now on.
  void normalize(std::int64_t &dim, ValueIndex value, const char *field) const;
  /// Error(Unsupported) unless all of them are floats, or integers.
  void expectFloats(std::initializer_list<ValueIndex> values) const;
  void expectIntegers(std::initializer_list<ValueIndex> values) const;
  /// Integers of 16 bits at least.
  void expectPlaces(ValueIndex value) const;
  /// A tensor with these elements, whatever the shape of the outer dimensions.
  void expectImage(const char *field, ValueIndex value,
                   const Shape &nhwc) const;
  /// A row of `channels` elements.
  void expectChannels(const char *field, OptionalValue value,
                      std::int64_t channels) const;
  void checkMove(ValueIndex in, ValueIndex out) const;
  /// matmul and linear.
  template <typename Step>
  void checkProduct(const Step &s, OptionalValue bias) const;
  template <typename Step> void checkNorm(const Step &s) const;
  template <typename Step> void checkScan(Step &s) const;
  /// What both kinds of convolution have in common.
  template <typename Step>
  void checkConvolution(const Step &s, const Shape &weight,
                        std::int64_t outHeight, std::int64_t outWidth) const;
  template <typename Step> void checkPool(const Step &s) const;

  const Program &program_;
};

/// Throws Error(Format) unless field `field` has `expected` elements.
void expectCount(const char *field, std::size_t expected,
                 const std::vector<std::int64_t> &found);

} // namespace tt::runtime::ttnn

#endif // TT_RUNTIME_TTNN_VERIFIER_VERIFIER_H
