"""Kernels as they are compiled: random loops, branches and arithmetic against Python."""

from __future__ import annotations

import numpy as np
import pytest
from kernel_fuzz import write

import ttmlir
from ttmlir import ir, passes, runtime
from ttmlir.dialects import tt

LAYOUT = (
    "#tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x32xf32, #tt.memory_space<dram>>, "
    "interleaved>"
)


def program(kernel: list[str]) -> ttmlir.Executable:
    """A program that runs a kernel on one core and gives its input back."""
    context = ir.Context()
    system = tt.ir.SystemDescAttr.get_default(context)
    device = tt.ir.DeviceAttr.from_system_desc(context, system, [])
    body = "\n".join(kernel)
    text = f"""#layout = {LAYOUT}
module attributes {{tt.device = {device}, tt.system_desc = {system}}} {{
func.func @main(%a: tensor<32x32xf32, #layout>) -> tensor<32x32xf32, #layout>
    attributes {{tt.arg_alloc = [#tt.arg_alloc<1024, 4096, dram>]}} {{
  "ttmetal.dispatch"() <{{core_ranges = [#ttmetal.core_range<0x0, 1x1>],
      kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 0, 0>}}> ({{
    {body}
    "ttkernel.return"() : () -> ()
  }}) : () -> ()
  return %a : tensor<32x32xf32, #layout>
}}
}}
"""
    data = passes.ttmetal_to_flatbuffer_bytes(ir.Module.parse(text, context))
    return ttmlir.Executable(runtime.load_binary_from_bytes(data))


def prints(kernel: list[str]) -> list[str]:
    exe = program(kernel)
    exe(np.zeros((32, 32), np.float32))
    return [line.text for line in runtime.get_debug_prints(exe.device)]


@pytest.mark.parametrize("seed", range(40))
def test_prints_what_python_computes(seed: int) -> None:
    kernel, expected = write(seed)
    assert prints(kernel) == [" ".join(map(str, numbers)) for numbers in expected]


def test_prints_show_what_is_computed_wrongly() -> None:
    different = 0
    for seed in range(10):
        kernel, expected = write(seed)
        wrong = [line.replace("arith.constant 7 ", "arith.constant 9 ") for line in kernel]
        different += prints(wrong) != [" ".join(map(str, numbers)) for numbers in expected]
    assert different > 2
