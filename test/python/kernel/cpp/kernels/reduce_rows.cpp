// Sums or maxima of rows, columns or all tiles, by a helper.
#include <cstdint>

#include "ttnn/cpp/ttnn/kernel_lib/reduce_helpers_compute.hpp"

void kernel_main() {
  compute_kernel_hw_startup(0, 1, 16);
  compute_kernel_lib::reduce<PoolType::TYPE, ReduceDim::DIM,
                             compute_kernel_lib::ReduceInputPolicy::POLICY>(
      0, 1, 16,
      compute_kernel_lib::ReduceInputBlockShape::of(
          get_compile_time_arg_val(0), get_compile_time_arg_val(1)));
}
