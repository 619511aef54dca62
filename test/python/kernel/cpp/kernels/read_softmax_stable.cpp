// Passes on a scaler and a scale, then tiles, with the objects of 2026.
#include <cstdint>

#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/dataflow_buffer.h"
#include "api/dataflow/noc.h"
#include "ttnn/deprecated/tt_dnn/kernels/dataflow/generate_bcast_scalar.hpp"
#include "ttnn/deprecated/tt_dnn/kernels/dataflow/generate_reduce_scaler.hpp"

namespace args {
constexpr uint32_t x = 0, tiles = 1, one = 2, scale = 3;
}

void kernel_main() {
  constexpr auto x_args = TensorAccessorArgs<0>();
  const auto x = TensorAccessor(x_args, get_arg(args::x));
  generate_reduce_scaler(1, get_arg(args::one));
  generate_bcast_unary_scalar(2, get_arg(args::scale));
  Noc noc;
  DataflowBuffer buffer(0);
  for (uint32_t i = 0; i < get_arg(args::tiles); ++i) {
    buffer.reserve_back(1);
    noc.async_read(x, buffer, buffer.get_tile_size(), {.page_id = i}, {});
    noc.async_read_barrier();
    buffer.push_back(1);
  }
}
