"""Plans of ``parallelize_module`` in ``ttmlir.compile(parallel=...)``."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
import torch
from divided_modules import DECODER, MLP, NAMES, Attention, Decoder, divided, mlp
from judge import difference
from torch import nn
from torch.distributed.tensor import Replicate
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    ParallelStyle,
    PrepareModuleOutput,
    RowwiseParallel,
    SequenceParallel,
)

import ttmlir
from ttmlir.frontends.torch._parallelize_plan import parameter_shardings

COLUMNS, ROWS = ColwiseParallel(), RowwiseParallel()
#: Sums over chips are added in another order.
SCALE = 4.0
#: The all-reduces and all-gathers on several chips. Columns of embeddings are gathered for the
#: norms, and the residual of the first layer.
COLLECTIVES = {
    "mlp": {"all_reduce": 1},
    "attention": {"all_reduce": 1},
    "block": {"all_reduce": 2},
    "decoder": {"all_reduce": 4, "all_gather": 5},
}


def collectives(exe: ttmlir.Executable) -> dict[str, int]:
    return dict(Counter(op.name for op in exe.estimate().ops if op.ethernet_bytes))


def weight_bytes(exe: ttmlir.Executable) -> int:
    """The bytes that stay in a bank of a chip's DRAM between calls."""
    return min(op.dram_high_water for op in exe.estimate().ops)


def single(module: nn.Module, args: Any, **keywords: Any) -> ttmlir.Executable:
    return ttmlir.compile(module, *args, target="t3000", mesh_shape=(1, 1), **keywords)


def shardings(module: nn.Module, plan: Any) -> dict[str, tuple[int | None, ...]]:
    found, rest = parameter_shardings(module, plan)
    assert found is not None
    assert not rest
    return {name: parameter.dims for name, parameter in found.parameters.items()}


@pytest.mark.parametrize(("target", "chips"), [("n300", 2), ("t3000", 8)])
@pytest.mark.parametrize("name", NAMES)
def test_the_results_of_one_chip(name: str, target: str, chips: int) -> None:
    module, args, plan = divided(name)
    exe = ttmlir.compile(module, *args, target=target, parallel=plan)
    assert exe.programs[0].mesh_shape == (1, chips)
    found = exe(*args)
    assert difference(found, module(*args), scale=SCALE) == ""
    assert difference(found, single(module, args)(*args), scale=SCALE) == ""
    if name in COLLECTIVES:
        assert collectives(exe) == COLLECTIVES[name]


@pytest.mark.parametrize("name", ["mlp", "block"])
def test_kernels(name: str) -> None:
    module, args, plan = divided(name)
    exe = ttmlir.compile(module, *args, target="n300", parallel=plan, backend="ttmetal")
    assert difference(exe(*args), module(*args), scale=SCALE) == ""


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_weights_are_divided(dtype: str) -> None:
    # Tiles that the 12 banks of DRAM divide.
    up, down = nn.Linear(768, 3072, bias=False), nn.Linear(3072, 768, bias=False)
    module, args = nn.Sequential(up, nn.ReLU(), down), (torch.randn(32, 768),)
    whole = single(module, args, dtype=dtype)
    exe = ttmlir.compile(module, *args, target="t3000", parallel=MLP, dtype=dtype)
    assert weight_bytes(exe) == weight_bytes(whole) / 8


def test_embeddings_are_divided_by_columns() -> None:
    module = nn.Sequential(nn.Embedding(3072, 512))
    args = (torch.arange(64),)
    whole = single(module, args)
    exe = ttmlir.compile(module, *args, target="t3000", parallel={"0": COLUMNS})
    assert weight_bytes(exe) == weight_bytes(whole) / 8
    assert torch.equal(exe(*args), module(*args))
    # Every chip looks up all rows.
    exe = ttmlir.compile(module, *args, target="t3000", parallel={"0": ROWS})
    assert torch.equal(exe(*args), module(*args))


def test_dimensions_of_parameters() -> None:
    """Those of the placements of PyTorch's own styles."""
    linear, embedding = nn.Linear(8, 16), nn.Embedding(16, 8)
    assert shardings(linear, COLUMNS) == {"weight": (0,), "bias": (0,)}
    assert shardings(linear, ROWS) == {"weight": (1,), "bias": (None,)}
    assert shardings(embedding, COLUMNS) == {"weight": (1,)}
    assert shardings(embedding, ROWS) == {"weight": (0,)}
    assert shardings(nn.LayerNorm(8), SequenceParallel()) == {"weight": (None,), "bias": (None,)}
    without = nn.Linear(8, 16, bias=False)
    assert shardings(nn.Sequential(without), {"0": (ROWS, COLUMNS)}) == {"0.weight": (1, 0)}


def test_patterns_match_names_part_by_part() -> None:
    model = Decoder()
    found = shardings(model, {"layers.[1-9].ffn.*": COLUMNS, "layers.*.attention.o": ROWS})
    assert found == {
        **{f"layers.1.ffn.{name}.weight": (0,) for name in ("gate", "up", "down")},
        **{f"layers.{i}.attention.o.weight": (1,) for i in range(2)},
    }
    # The last pattern has priority.
    output = PrepareModuleOutput(output_layouts=Replicate(), desired_output_layouts=Replicate())
    assert shardings(mlp(), {"0": COLUMNS, "[02]": ROWS, "*": output}) == {
        "0.weight": (1,),
        "0.bias": (None,),
        "2.weight": (1,),
        "2.bias": (None,),
    }


def test_data_on_the_other_axis() -> None:
    module, args, plan = divided("decoder")
    exe = ttmlir.compile(module, *args, target="t3000", parallel={"data": 2, **plan})
    assert exe.programs[0].mesh_shape == (2, 4)
    assert difference(exe(*args), module(*args), scale=SCALE) == ""
    # The rows of four chips sum half of the batch each.
    alone = ttmlir.compile(module, *args, target="t3000", mesh_shape=(1, 4), parallel=plan)

    def sent(exe: ttmlir.Executable) -> int:
        return sum(op.ethernet_bytes for op in exe.estimate().ops)

    assert sent(exe) == sent(alone)


def test_an_axis_of_the_mesh() -> None:
    module, args, plan = divided("mlp")
    for mesh, styles in (
        ((2, 4), {name: (None, style) for name, style in plan.items()}),
        ((4, 2), {name: (style, None) for name, style in plan.items()}),
        ((8, 1), plan),
    ):
        parallel: Any = styles
        exe = ttmlir.compile(module, *args, target="t3000", mesh_shape=mesh, parallel=parallel)
        assert exe.programs[0].mesh_shape == mesh
        assert difference(exe(*args), module(*args), scale=SCALE) == ""
        assert collectives(exe) == {"all_reduce": 1}


def test_data_beside_a_named_axis() -> None:
    module, args, plan = divided("mlp")
    parallel: Any = {"data": 2, **{name: (None, style) for name, style in plan.items()}}
    exe = ttmlir.compile(module, *args, target="t3000", parallel=parallel)
    assert exe.programs[0].mesh_shape == (2, 4)
    assert difference(exe(*args), module(*args), scale=SCALE) == ""


def test_shardings_of_arguments_have_priority() -> None:
    module, args, plan = divided("decoder")
    keywords: dict[str, Any] = {"target": "t3000", "mesh_shape": (1, 8)}
    exe = ttmlir.compile(module, *args, parallel={**plan, "embedding.*": (None, None)}, **keywords)
    assert collectives(exe) == {"all_reduce": 4}
    assert difference(exe(*args), module(*args), scale=SCALE) == ""


def test_a_style_of_the_module() -> None:
    module, x = nn.Linear(64, 128), torch.randn(4, 64)
    exe = ttmlir.compile(module, x, target="n300", parallel=COLUMNS)
    assert exe.programs[0].mesh_shape == (1, 2)
    assert difference(exe(x), module(x)) == ""


def test_tied_parameters() -> None:
    model = Decoder().eval()
    model.output.weight = model.embedding.weight
    tokens = torch.randint(0, 512, (2, 32))
    with pytest.raises(
        ttmlir.Error, match=r"'embedding\.weight' and 'output.weight' are one param"
    ):
        ttmlir.compile(model, tokens, target="t3000", parallel=DECODER)
    plan = {**DECODER, "embedding": ROWS}
    exe = ttmlir.compile(model, tokens, target="t3000", parallel=plan)
    # Logits of an embedding with a variance of 1 are near 10.
    assert difference(exe(tokens), model(tokens), scale=10 * SCALE) == ""


def test_block_floats() -> None:
    module, args, plan = divided("mlp")
    exe = ttmlir.compile(module, *args, target="t3000", parallel=plan, dtype="bfp8_b")
    expected = single(module, args, dtype="bfp8_b")(*args)
    assert torch.allclose(exe(*args), expected, atol=2.0**-6)
    assert collectives(exe) == {"all_reduce": 1}


def test_dynamic_shapes() -> None:
    module, (x,), plan = divided("attention")
    batch = torch.export.Dim("batch", min=2, max=16)
    exe = ttmlir.compile(module, x, target="n300", parallel=plan, dynamic_shapes=({0: batch},))
    for rows in (2, 6):
        x = torch.randn(rows, 32, 128)
        assert difference(exe(x), module(x), scale=SCALE) == ""


def test_parameters_that_the_program_does_not_use() -> None:
    class Unused(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.used, self.unused = nn.Linear(64, 64), nn.Linear(64, 64)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            result: torch.Tensor = self.used(x)
            return result

    module, x = Unused(), torch.randn(4, 64)
    exe = ttmlir.compile(module, x, target="n300", parallel={"*used": COLUMNS})
    assert difference(exe(x), module(x)) == ""


class Own(ParallelStyle):
    def _apply(self, module: nn.Module, device_mesh: Any) -> nn.Module:
        return module


@pytest.mark.parametrize(
    ("plan", "keywords", "message"),
    [
        ({"nrom": COLUMNS}, {}, "no module matches 'nrom'; did you mean 'norm'?"),
        ({"norm": COLUMNS}, {}, "ColwiseParallel of 'norm': expected nn.Linear or nn.Embedding, f"),
        ({"": ROWS}, {}, "RowwiseParallel of the module: expected nn.Linear or nn.Embedding, f"),
        ({"q": Own()}, {}, "Own of 'q': expected ColwiseParallel, RowwiseParallel, SequenceP"),
        (
            {"k": COLUMNS},
            {},
            "ColwiseParallel of 'k': 8 chips along axis 1 of the mesh 1x8 do not divide dimension 0"
            " of 'k.weight', 36x96",
        ),
        (
            {"o": (COLUMNS, COLUMNS)},
            {"mesh_shape": (2, 4)},
            "8 chips along axis 0 and 1 of the mesh 2x4 do not divide dimension 0 of 'o.weight', 1",
        ),
        ({"q": COLUMNS}, {"mesh_shape": (2, 4)}, "the plan does not name an axis of the mesh 2x4"),
        ({"q": (None, COLUMNS)}, {}, "a plan that names its axes needs mesh_shape"),
        ({"q": (None, COLUMNS)}, {"mesh_shape": (8,)}, "expected 2 axes, as in the plan, found 8"),
        ({"q": (None, None, COLUMNS)}, {}, "expected styles for at most two axes, found 3"),
        ({"q": (0, COLUMNS)}, {}, "expected a style or None for each axis, found 0"),
        ({"q": COLUMNS, "o": (None, ROWS)}, {}, "found 1 for 'q' and 2 for 'o'"),
        ({"data": 3, "q": COLUMNS}, {}, "3 chips do not divide the 8 chips of the target"),
        ({"data": 2, "tensor": 4, "q": COLUMNS}, {}, "expected at most one kind, on the axis that"),
        ({"data": 2, "q": COLUMNS}, {"mesh_shape": (2, 4)}, "numbers of chips or mesh_shape"),
        ({"q": COLUMNS}, {"parallelism": ("data",)}, "expected parallel or parallelism, found b"),
        ({"q": COLUMNS, "x": (0,)}, {}, "'x': expected an entry for each axis of the mesh 1x8"),
        (
            {"q": COLUMNS, "q.wait": (0, None)},
            {},
            "no argument matches 'q.wait'; did you mean 'q.w",
        ),
        (
            {"q": COLUMNS, "x": 3},
            {},
            "'x': expected one of data, sequence, tensor, expert, pipeline with a",
        ),
        ({"q": COLUMNS}, {"mesh_shape": (4, 8)}, "the plan does not name an axis of the mesh 4x8"),
        ({"q": COLUMNS}, {"mesh_shape": (1, 16)}, "16 chips in the mesh 1x16, the target has 8"),
    ],
)
def test_wrong_plans(plan: Any, keywords: dict[str, Any], message: str) -> None:
    class Module(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.q, self.k, self.o = nn.Linear(96, 96), nn.Linear(96, 36), nn.Linear(96, 100)
            self.norm = nn.RMSNorm(96)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            x = self.norm(self.q(x))
            return torch.cat([self.k(x), self.o(x)], -1)

    module, x = Module(), torch.randn(4, 96)
    with pytest.raises(ttmlir.Error, match=re.escape(message)):
        ttmlir.compile(module, x, target="t3000", parallel=plan, **keywords)


def test_plans_need_a_module() -> None:
    module, x = Attention(128, 8, 8).eval(), torch.randn(2, 32, 128)
    exported = torch.export.export(module, (x,))
    with pytest.raises(ttmlir.Error, match=r"a plan needs the module itself.*ExportedProgram"):
        ttmlir.compile(exported, target="n300", parallel={"q": COLUMNS})
    builder = ttmlir.Builder()
    builder.output(builder.relu(builder.input("x", (32, 32))))
    for plan in ({"x": COLUMNS}, COLUMNS):
        parallel: Any = plan
        with pytest.raises(ttmlir.Error, match=r"parallel: .*found ColwiseParallel\("):
            ttmlir.compile(builder, target="n300", parallel=parallel)
