"""Decoders with caches that they change in place, as transformers' static cache does."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import ttmlir

USERS, HEADS, GROUPS, SIZE, CONTEXT = 4, 8, 2, 32, 96
WIDTH = HEADS * SIZE


class Cache:
    """Its tensors are buffers of a module that does not read them by its attributes."""

    def __init__(self, device: str) -> None:
        shape = (USERS, GROUPS, CONTEXT, SIZE)
        self.keys = torch.zeros(shape, dtype=torch.bfloat16, device=device)
        self.values = torch.zeros(shape, dtype=torch.bfloat16, device=device)
        self.length = torch.zeros((), dtype=torch.long, device=device)


class Decoder(nn.Module):
    def __init__(self, device: str = "cpu") -> None:
        super().__init__()
        with torch.device(device):
            self.qkv = nn.Linear(WIDTH, WIDTH + 2 * GROUPS * SIZE, bias=False)
            self.out = nn.Linear(WIDTH, WIDTH, bias=False)
            frequencies = torch.linspace(0.01, 1, WIDTH)
        self.register_buffer("frequencies", frequencies, persistent=False)
        self.to(torch.bfloat16)
        self.share(Cache(device))

    def share(self, cache: Cache) -> None:
        self.cache = cache
        self.register_buffer("keys", cache.keys, persistent=False)
        self.register_buffer("values", cache.values, persistent=False)
        self.register_buffer("length", cache.length, persistent=False)

    def forward(self, x: torch.Tensor, position: torch.Tensor) -> torch.Tensor:
        cache = self.cache
        cache.length.copy_(position[0])
        x = x + torch.sin(self.frequencies)
        q, k, v = self.qkv(x).split((WIDTH, GROUPS * SIZE, GROUPS * SIZE), -1)
        q, k, v = (y.view(USERS, 1, -1, SIZE).transpose(1, 2) for y in (q, k, v))
        places = torch.arange(1, device=x.device) + cache.length
        cache.keys.index_copy_(2, places, k)
        cache.values.index_copy_(2, places, v)
        mask = (torch.arange(CONTEXT, device=x.device) <= cache.length)[None, None, None]
        y = F.scaled_dot_product_attention(
            q, cache.keys, cache.values, attn_mask=mask, enable_gqa=True
        )
        return self.out(y.transpose(1, 2).reshape(USERS, 1, WIDTH))


def example(device: str = "cpu") -> tuple[torch.Tensor, torch.Tensor]:
    return (
        torch.zeros(USERS, 1, WIDTH, dtype=torch.bfloat16, device=device),
        torch.zeros(1, dtype=torch.long, device=device),
    )


def decoder() -> Decoder:
    torch.manual_seed(0)
    return Decoder().eval()


def steps(exe: Any, module: Decoder) -> float:
    """Runs both at some positions; the largest difference, of the largest element."""
    worst = 0.0
    for position in (0, 1, 2, 40, CONTEXT - 1):
        torch.manual_seed(position)
        x, place = torch.randn(USERS, 1, WIDTH, dtype=torch.bfloat16), torch.tensor([position])
        with torch.no_grad():
            wanted = module(x, place).float()
        worst = max(worst, float((exe(x, place).float() - wanted).abs().max() / wanted.abs().max()))
    return worst


def updates(exe: Any) -> list[str]:
    return [line for line in exe.mlir.splitlines() if '"ttnn.update_slice"' in line]


@pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
def test_a_cache_reached_by_an_object_is_the_modules_buffer(backend: str) -> None:
    module = decoder()
    exe = ttmlir.compile(copy.deepcopy(module), example_inputs=example(), backend=backend)
    assert steps(exe, module) < 2**-5
    # Five steps have written five rows.
    found = exe.buffers()
    assert sorted(found) == ["keys", "length", "values"]
    assert int(found["length"]) == CONTEXT - 1
    assert (found["keys"].float() != 0).any(-1).sum() == 5 * USERS * GROUPS
    for name in ("keys", "values"):
        wanted = module.get_buffer(name).float()
        assert (found[name].float() - wanted).abs().max() <= 2**-6 * wanted.abs().max()


def test_rows_are_written_in_place() -> None:
    exe = ttmlir.compile(decoder(), example_inputs=example())
    for line in updates(exe):
        operands = line.split("(", 1)[1].split(")", 1)[0].split(", ")
        assert operands[0] == operands[-1]
    assert len(updates(exe)) == 2
    found = {op.name: op for op in exe.estimate().ops}["update_slice"]
    # A tile of each head and user, read and written.
    tiles = USERS * GROUPS * SIZE // 32
    assert found.dram_write_bytes == tiles * 2048


def attention_of(report: Any) -> Any:
    return next(op for op in report.ops if op.name == "scaled_dot_product_attention")


def test_attention_reads_the_cache_up_to_the_position() -> None:
    module = decoder()
    exe = ttmlir.compile(copy.deepcopy(module), example_inputs=example())
    # The mask, and what PyTorch does for queries that see no key, are gone.
    assert "ttnn.le" not in exe.mlir
    assert "ttnn.max" not in exe.mlir
    assert "is_causal = true" in exe.mlir
    whole = attention_of(exe.estimate())
    tile = 1024 * 2  # of bf16
    for position in (0, 31, 32, CONTEXT - 1):
        x, place = example()[0], torch.tensor([position])
        ran = attention_of(exe.report(x, place))
        estimated = attention_of(exe.estimate(position=position))
        assert ran.cycles == estimated.cycles
        assert ran.dram_read_bytes == estimated.dram_read_bytes
        # Keys and values of each user, in tiles of 32 positions.
        read = 2 * USERS * GROUPS * (SIZE // 32) * (position // 32 + 1) * tile
        assert whole.dram_read_bytes - ran.dram_read_bytes == (
            2 * USERS * GROUPS * (CONTEXT // 32) * (SIZE // 32) * tile - read
        )
        assert ran.cycles <= whole.cycles
    with pytest.raises(ttmlir.Error, match="position of at least 0, found -1"):
        exe.estimate(position=-1)


def test_caches_are_block_floats_with_performance() -> None:
    module = decoder()
    exe = ttmlir.compile(copy.deepcopy(module), example_inputs=example(), precision="performance")
    assert steps(exe, module) < 2**-4
    found = {op.name: op for op in exe.estimate().ops}["scaled_dot_product_attention"]
    assert [operand.dtype for operand in found.operands][1:3] == ["bfp8_b", "bfp8_b"]
    assert {name: value.dtype for name, value in exe.buffers().items()} == {
        "keys": torch.bfloat16,
        "values": torch.bfloat16,
        "length": torch.int64,
    }


def test_rows_in_block_floats_stay_as_they_are() -> None:
    """Steps do not round again what earlier ones have written."""
    exe = ttmlir.compile(decoder(), example_inputs=example(), precision="performance")
    earlier: dict[str, torch.Tensor] = {}
    for position in range(40):
        torch.manual_seed(position)
        exe(torch.randn(USERS, 1, WIDTH, dtype=torch.bfloat16), torch.tensor([position]))
        now = {name: exe.buffers()[name] for name in ("keys", "values")}
        for name, value in earlier.items():
            assert torch.equal(now[name][:, :, :position], value[:, :, :position])
        earlier = now


def test_a_module_on_meta_costs_the_same() -> None:
    exe = ttmlir.compile(decoder(), example_inputs=example())
    shapes = ttmlir.compile(Decoder("meta").eval(), example_inputs=example("meta"))
    known, unknown = exe.estimate(), shapes.estimate()
    # What is made of the frequencies is a constant if they are known.
    for name in ("scaled_dot_product_attention", "update_slice", "matmul"):
        assert [op.cycles for op in known.ops if op.name == name] == [
            op.cycles for op in unknown.ops if op.name == name
        ]


def test_weights_of_some_layers_in_four_bits() -> None:
    module = decoder()
    formats = {"*": "bf16", "qkv*": "bfp4_b"}
    exe = ttmlir.compile(
        copy.deepcopy(module), example_inputs=example(), precision="performance", dtype=formats
    )
    weights = [
        operand.dtype
        for op in exe.estimate().ops
        if op.name == "matmul"
        for operand in op.operands[1:2]
    ]
    assert weights == ["bfp4_b", "bfp8_b"]
    assert steps(exe, module) < 2**-2
