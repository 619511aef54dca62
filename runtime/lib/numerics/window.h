// Windows over images in NHWC: convolution and its transpose.
#ifndef TT_RUNTIME_NUMERICS_WINDOW_H
#define TT_RUNTIME_NUMERICS_WINDOW_H

#include "numerics/matmul.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace tt::runtime::numerics {

/// A 2-d window over H and W; all units are elements.
struct Window2d {
  int64_t kernelH = 1, kernelW = 1;
  int64_t strideH = 1, strideW = 1;
  int64_t dilationH = 1, dilationW = 1;
  int64_t padTop = 0, padLeft = 0, padBottom = 0, padRight = 0;
  bool ceilMode = false;
};

/// N x H x W x C.
struct Image {
  int64_t batch = 0, height = 0, width = 0, channels = 0;
};

struct Conv2dArgs {
  int64_t batch = 1, inH = 0, inW = 0, inChannels = 0, outChannels = 0;
  int64_t groups = 1;
  Window2d window;
  /// F32, F16 or BF16 of input, weight and output; U32 or I32 if `multiply`
  /// takes them.
  DType type = DType::F32;
  const void *input = nullptr;  // N x inH x inW x inChannels
  const void *weight = nullptr; // outChannels x inChannels/groups x kH x kW
  /// The weight as kH x kW x inChannels/groups rows of outChannels, instead;
  /// read in blocks only if there is one group.
  std::optional<MatmulOperand> prepared;
  const float *bias = nullptr; // outChannels, or null
  void *output = nullptr;      // N x outH x outW x outChannels
  Rounding rounding = Rounding::Fast;
  /// Multiplies the unfolded input with the weights; `matmul` if null, but for
  /// what is faster with the same numbers.
  std::function<void(const MatmulArgs &)> multiply;
};

/// Cross-correlation with f32 accumulation, as matrix products in which K runs
/// over the rows and columns of the window and the channels. Throws
/// std::invalid_argument on channels that the groups do not divide or windows
/// without extent.
void conv2d(const Conv2dArgs &args);

/// The transpose of a convolution, its gradient with respect to the input: each
/// input pixel adds its product with the weights to the output. In the window
/// the padding is cut off the output and the stride is that of the output.
struct ConvTranspose2dArgs {
  int64_t batch = 1, inH = 0, inW = 0, inChannels = 0, outChannels = 0;
  int64_t groups = 1;
  Window2d window;
  int64_t outputPaddingH = 0, outputPaddingW = 0; // more rows and columns
  DType type = DType::F32;      // F32, F16 or BF16 of input, weight and output
  const void *input = nullptr;  // N x inH x inW x inChannels
  const void *weight = nullptr; // inChannels x outChannels/groups x kH x kW
  const float *bias = nullptr;  // outChannels, or null
  void *output = nullptr;       // N x outH x outW x outChannels
  Rounding rounding = Rounding::Fast;
};

void convTranspose2d(const ConvTranspose2dArgs &args);

/// The same as a convolution, with the kernel turned round, of the input with
/// zeros between its pixels; slower where the stride is not 1.
void convTranspose2dAsConv2d(const ConvTranspose2dArgs &args,
                             std::function<void(const MatmulArgs &)> multiply);

/// Throws std::invalid_argument unless kernel, stride and dilation are at least
/// 1 and the padding at least 0.
void checkWindow(const char *what, const Window2d &window);

/// Throws std::invalid_argument unless a convolution can have elements of
/// `type` and `groups` that divide its channels.
void checkChannels(const char *what, DType type, int64_t batch,
                   int64_t inChannels, int64_t outChannels, int64_t groups);

/// Output extents of a window, at least 1 x 1; throws std::invalid_argument.
struct Extent2d {
  int64_t height, width;
};
Extent2d outputExtent(const char *what, const Window2d &window, int64_t height,
                      int64_t width);

struct Channels {
  int64_t first, count;
};

/// What windows cover of some channels as the rows of a matrix, one of kH x kW
/// x channels elements for each output pixel. The input outlives it.
class WindowRows {
public:
  /// `outside` is the element beyond the image; null for zeros.
  WindowRows(int64_t elementBytes, const void *input, const Image &image,
             const Window2d &window, const Extent2d &out,
             const Channels &channels, const void *outside = nullptr);

  int64_t elementBytes() const { return size_; }
  /// The elements of a row.
  int64_t depth() const { return window_.kernelH * taps_ * run_; }
  /// Any part of the matrix; `stride` elements from row to row of the target.
  void read(int64_t row0, int64_t rows, int64_t col0, int64_t cols,
            void *target, int64_t stride) const;
  /// The rows from `first` on as an operand of a product, until the next call.
  BlockReader reader(int64_t first) {
    first_ = first;
    return {[](void *context, int64_t, int64_t row0, int64_t rows, int64_t col0,
               int64_t cols, void *target, int64_t stride) {
              const auto &self = *static_cast<const WindowRows *>(context);
              self.read(self.first_ + row0, rows, col0, cols, target, stride);
            },
            this};
  }

private:
  void readRow(int64_t pixel, int64_t col, int64_t cols, char *to) const;
  void copy(char *to, const char *from, int64_t count) const;

  const char *input_;
  Image image_;
  Window2d window_;
  Extent2d out_;
  Channels channels_;
  int64_t size_;
  /// A row of the kernel is `taps_` runs of `run_` elements.
  int64_t taps_, run_;
  int64_t first_ = 0;
  std::vector<char> outside_;
};

/// The rows of output pixels [first, last), one behind the other.
void unfold(const WindowRows &windows, int64_t first, int64_t last, void *rows);

} // namespace tt::runtime::numerics

#endif // TT_RUNTIME_NUMERICS_WINDOW_H
