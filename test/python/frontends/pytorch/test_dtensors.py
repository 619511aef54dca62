"""Modules whose parameters are ``DTensor``."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.distributed as dist
import torch.testing._internal.distributed.fake_pg  # registers the backend
from divided_modules import divided
from judge import difference
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import (
    DTensor,
    Partial,
    Replicate,
    Shard,
    distribute_module,
    distribute_tensor,
)
from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module

import ttmlir

#: Sums over chips are added in another order.
SCALE = 4.0


@pytest.fixture(autouse=True)
def fake_group() -> Iterator[None]:
    """Eight ranks, of which only this one exists."""
    dist.init_process_group("fake", rank=0, world_size=8)
    yield
    dist.destroy_process_group()


def on_meta(module: nn.Module) -> nn.Module:
    return module.to("meta")


def state(module: nn.Module) -> dict[str, Any]:
    """All that compiling changes for the time of the export."""
    found: dict[str, Any] = dict(module.named_parameters(remove_duplicate=False))
    for name, part in module.named_modules():
        found[f"{name} before"] = list(part._forward_pre_hooks.items())
        found[f"{name} after"] = list(part._forward_hooks.items())
    return found


@pytest.mark.parametrize(
    ("shape", "parallel", "mesh"),
    [
        ((8,), None, (1, 8)),
        ((2,), {"data": 2}, (2, 2)),
        ((2, 4), None, (2, 4)),
        ((2, 4), {"data": 2}, (2, 4)),
        ((2, 4), {"tokens": (0, None)}, (2, 4)),
    ],
)
def test_shards_without_data(shape: Any, parallel: Any, mesh: tuple[int, ...]) -> None:
    module, args, plan = divided("decoder")
    expected, values = module(*args), {k: v.clone() for k, v in module.state_dict().items()}
    devices = init_device_mesh("cpu", shape, mesh_dim_names=("dp", "tp")[-len(shape) :])
    module = on_meta(module)
    parallelize_module(module, devices["tp"], plan)
    before = state(module)
    exe = ttmlir.compile(module, *args, target="t3000", parallel=parallel)
    after = state(module)
    assert before.keys() == after.keys()
    assert all(after[name] is x or after[name] == x for name, x in before.items())
    assert all(isinstance(x, DTensor) for x in module.parameters())
    assert exe.programs[0].mesh_shape == mesh
    exe.bind(values)
    assert difference(exe(*args), expected, scale=SCALE) == ""
    # The chips divide the weights as with the plan.
    by_plan = ttmlir.compile(
        divided("decoder")[0],
        *args,
        target="t3000",
        mesh_shape=(1, mesh[1]),
        parallel=plan,
    )
    names = [op.name for op in exe.estimate().ops if op.ethernet_bytes]
    assert names == [op.name for op in by_plan.estimate().ops if op.ethernet_bytes]


def test_replicated_values() -> None:
    module, args, _ = divided("mlp")
    expected = module(*args)
    devices = init_device_mesh("cpu", (2,))
    module.register_buffer("scale", torch.ones(128))
    distribute_module(module, devices)
    assert all(isinstance(x, DTensor) for x in (*module.parameters(), *module.buffers()))
    exe = ttmlir.compile(module, *args, target="n300")
    assert exe.programs[0].mesh_shape == (1, 2)
    assert difference(exe(*args), expected) == ""
    # The reference is the whole module.
    found = exe.compare(module, *args)
    assert "1 outputs compared: none is off" in str(found)


def test_an_axis_of_one_chip() -> None:
    module = nn.Linear(32, 32)
    x = torch.randn(4, 32)
    expected = module(x)
    parallelize_module(module, init_device_mesh("cpu", (1,)), ColwiseParallel())
    exe = ttmlir.compile(module, x)
    assert exe.programs[0].mesh_shape == (1, 1)
    assert difference(exe(x), expected) == ""


def test_an_error_restores_the_module() -> None:
    class Broken(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.linear = nn.Linear(32, 32, device="meta")

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            raise ValueError("broken")

    module = Broken()
    parallelize_module(module, init_device_mesh("cpu", (2,)), {"linear": ColwiseParallel()})
    before = state(module)
    with pytest.raises(ttmlir.CompileError, match="broken"):
        ttmlir.compile(module, torch.ones(4, 32), target="n300")
    after = state(module)
    assert all(after[name] is x or after[name] == x for name, x in before.items())


def test_tied_parameters_stay_tied() -> None:
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(64, 32)
            self.output = nn.Linear(32, 64, bias=False)

        def forward(self, tokens: torch.Tensor) -> torch.Tensor:
            result: torch.Tensor = self.output(self.embedding(tokens))
            return result

    module, tokens = Tied(), torch.arange(32)
    module.output.weight = module.embedding.weight
    expected = module(tokens)
    weight = distribute_tensor(module.output.weight.detach(), init_device_mesh("cpu", (2,)))
    module.output.weight = module.embedding.weight = nn.Parameter(weight)
    exe = ttmlir.compile(module, tokens, target="n300")
    assert len(exe.inputs) == 2
    assert difference(exe(tokens), expected, scale=SCALE) == ""


def shards(module: nn.Module, **meshes: Any) -> None:
    mesh = init_device_mesh("cpu", (8,))
    parallelize_module(module, mesh, {"0": ColwiseParallel()})


def partial(module: nn.Module) -> None:
    mesh = init_device_mesh("cpu", (8,))
    own = DTensor.from_local(torch.ones(128), mesh, [Partial()], run_check=False)
    module[0].bias = nn.Parameter(own)  # type: ignore[index, union-attr]


def two_meshes(module: nn.Module) -> None:
    for number, chips in ((0, 8), (2, 4)):
        weight = module[number].weight.detach()  # type: ignore[index, union-attr]
        placed = distribute_tensor(weight, init_device_mesh("cpu", (chips,)), [Replicate()])
        module[number].weight = nn.Parameter(placed)  # type: ignore[index, union-attr]


def three_axes(module: nn.Module) -> None:
    mesh = init_device_mesh("cpu", (2, 2, 2))
    module[0].weight = nn.Parameter(  # type: ignore[index, union-attr]
        distribute_tensor(module[0].weight.detach(), mesh)  # type: ignore[index, union-attr]
    )


def on_two_chips(module: nn.Module) -> None:
    on_meta(module)
    parallelize_module(module, init_device_mesh("cpu", (2,)), {"0": ColwiseParallel()})


def on_two_axes(module: nn.Module) -> None:
    mesh = init_device_mesh("cpu", (2, 4))
    on_meta(module)
    weight = distribute_tensor(module[0].weight, mesh, [Shard(0), Shard(1)])  # type: ignore[index, union-attr]
    module[0].weight = nn.Parameter(weight)  # type: ignore[index, union-attr]


def uneven(module: nn.Module) -> None:
    on_meta(module)
    bias = distribute_tensor(
        torch.empty(129, device="meta"), init_device_mesh("cpu", (8,)), [Shard(0)]
    )
    module.register_parameter("extra", nn.Parameter(bias))


PLAN: Any = {"0": ColwiseParallel()}


@pytest.mark.parametrize(
    ("change", "keywords", "message"),
    [
        (shards, {}, r"the DTensor '0.weight' has only a shard \(64, 128\) of \(512, 128\)"),
        (partial, {}, r"the DTensor '0.bias': expected the placements Shard and Replicate, found"),
        (two_meshes, {}, r"expected one device mesh, found .*'0.weight' and .* for '2.weight'"),
        (three_axes, {}, r"'0.weight': expected a device mesh of one or two axes, found 3"),
        (uneven, {}, r"the DTensor 'extra': 8 chips along axis 1 of the mesh 1x8 do not divide"),
        (on_two_chips, {"mesh_shape": (1, 8)}, "expected an axis of 2 chips, as in the device me"),
        (on_two_chips, {"target": "n150"}, "2 chips in the mesh 1x2, the target has 1"),
        (on_two_chips, {"parallel": "tensor"}, "the module has DTensors.*found 'tensor'"),
        (on_two_chips, {"parallel": PLAN}, "the module has DTensors.*found a plan"),
        (on_two_axes, {"mesh_shape": (1, 8)}, "expected 2x4, the device mesh of the module, found"),
        (on_two_axes, {"parallel": {"data": 2}}, "'data': expected 2 chips on an axis that the p"),
    ],
)
def test_wrong_modules(
    change: Callable[[nn.Module], None], keywords: dict[str, Any], message: str
) -> None:
    module, args, _ = divided("mlp")
    change(module)
    with pytest.raises(ttmlir.Error, match=message):
        ttmlir.compile(module, *args, **{"target": "t3000", **keywords})


RANK = """
import sys
import torch, ttmlir
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor.parallel import parallelize_module
from divided_modules import divided

rank, store = int(sys.argv[1]), sys.argv[2]
module, args, plan = divided("mlp")
expected = module(*args)
dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
parallelize_module(module, init_device_mesh("cpu", (2,)), plan)
assert module[0].weight.to_local().shape == (256, 128)
exe = ttmlir.compile(module, *args, target="n300")
assert module[0].weight.to_local().shape == (256, 128)
assert torch.allclose(exe(*args), expected, atol=1e-5)
dist.destroy_process_group()
"""


def test_shards_of_two_processes(tmp_path: Path) -> None:
    command = [sys.executable, "-c", RANK]
    ranks = [
        subprocess.Popen(
            [*command, str(rank), str(tmp_path / "store")],
            cwd=Path(__file__).parent,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(2)
    ]
    for process in ranks:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
