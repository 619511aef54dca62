// The C interface through which other languages call exported functions: a
// frame takes the inputs, the function of the program runs on it, and it gives
// the outputs or an error.
#include "emitc/call.h"

using ttnn::DataType;
using ttnn::Frame;
using ttnn::Tensor;

namespace {

/// Runs `body`; false, with the message in the frame, when it throws.
template <typename Body> bool protect(Frame *frame, const Body &body) noexcept {
  try {
    body();
    return true;
  } catch (const std::exception &error) {
    frame->error = error.what();
    return false;
  }
}

} // namespace

extern "C" {

TTNN_API Frame *ttnn_frame_create() { return new Frame(); }
TTNN_API void ttnn_frame_destroy(Frame *frame) { delete frame; }

/// The message of the last failure; empty after success.
TTNN_API const char *ttnn_frame_error(const Frame *frame) {
  return frame->error.c_str();
}

/// Adds an input: a copy of row-major elements. `dtype` is a ttnn::DataType.
TTNN_API bool ttnn_frame_input(Frame *frame, const void *elements,
                               const int64_t *shape, std::size_t rank,
                               int dtype) {
  return protect(frame, [&] {
    const ttnn::Shape extents(std::vector<int64_t>(shape, shape + rank));
    frame->inputs.push_back(
        ttnn::from_host(elements, extents, DataType(dtype)));
  });
}

TTNN_API std::size_t ttnn_frame_num_outputs(const Frame *frame) {
  return frame->outputs.size();
}
TTNN_API std::size_t ttnn_frame_output_rank(const Frame *frame,
                                            std::size_t index) {
  return frame->outputs[index].shape().rank();
}
TTNN_API int64_t ttnn_frame_output_extent(const Frame *frame, std::size_t index,
                                          std::size_t dim) {
  return frame->outputs[index].shape()[dim];
}
/// The type of the elements on the host.
TTNN_API int ttnn_frame_output_dtype(const Frame *frame, std::size_t index) {
  return int(ttnn::host_dtype(frame->outputs[index].dtype()));
}
/// Copies the elements of an output to memory of `bytes` bytes.
TTNN_API bool ttnn_frame_output(Frame *frame, std::size_t index, void *elements,
                                std::size_t bytes) {
  return protect(frame, [&] {
    const Tensor &output = frame->outputs[index];
    ttnn::to_host(output, elements, bytes, ttnn::host_dtype(output.dtype()));
  });
}

/// Chooses the system; see ttnn::use_system.
TTNN_API bool ttnn_use_system(Frame *frame, const char *targetOrPath) {
  return protect(frame, [&] { ttnn::use_system(targetOrPath); });
}

} // extern "C"
