"""Compiled programs with ``numerics="exact"``: the bits of a model of the matrix engine, in every
fidelity and destination, the defaults of the library, and the same in both backends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from library import DESTINATIONS, run_exact
from matrix_engine import Array, Engine, bits_of, pack, zeros
from tiles import BF16, DTYPES, as_sources, check, engine, from_bits, operand, result_type

import ttmlir

PHASES = ("lofi", "hifi2", "hifi3", "hifi4")
BACKENDS = pytest.mark.parametrize("backend", ["ttnn", "ttmetal"])
FIDELITIES = pytest.mark.parametrize("fidelity", PHASES)


def compiled(op: str, a: Array, b: Array, **options: Any) -> Array:
    """The result in the operands' format, with exact numerics."""
    builder = ttmlir.Builder()
    x, y = builder.input("x", a.shape, a.dtype.name), builder.input("y", b.shape, b.dtype.name)
    builder.output(getattr(builder, op)(x, y, name="op"))
    return run_exact(ttmlir.compile(builder, **options), a, b)


def operands(dtype: str, *shapes: tuple[int, int]) -> list[Array]:
    rng = np.random.default_rng(list(f"{dtype}{shapes}".encode()))
    return [operand(rng, "mixed", shape, dtype) for shape in shapes]


def product(config: Engine, a: Array, b: Array, dtype: str) -> Array:
    return pack(config.to_f32(config.matmul(as_sources(config, a), as_sources(config, b))), dtype)


@BACKENDS
@DESTINATIONS
@FIDELITIES
@pytest.mark.parametrize("dtype", ["bf16", "f32", "f16"])
def test_products(dtype: str, fidelity: str, fp32: bool, backend: str) -> None:
    a, b = operands(dtype, (64, 32), (32, 96))
    found = compiled("matmul", a, b, backend=backend, math_fidelity=fidelity, fp32_dest_acc_en=fp32)
    check(found, product(engine(fidelity, fp32, dtype), a, b, dtype))


@FIDELITIES
def test_deep_products(fidelity: str) -> None:
    """All tiles along K add up in the destination, on both kinds of chips."""
    a, b = operands("bf16", (32, 320), (320, 64))
    for target in ("n150", "p150"):
        found = compiled(
            "matmul", a, b, target=target, math_fidelity=fidelity, fp32_dest_acc_en=True
        )
        check(found, product(engine(fidelity, True, "bf16", target), a, b, "bf16"))


@DESTINATIONS
@pytest.mark.parametrize("block", [8, 5])
def test_the_packer_adds_blocks(block: int, fp32: bool) -> None:
    """As many tiles along K as divide them, of which the packer keeps the sum in L1 in the width of
    the destination; two blocks stay in the destination."""
    config = engine("hifi4", fp32)
    options = {"math_fidelity": "hifi4", "fp32_dest_acc_en": fp32, "packer_l1_acc": True}
    depth, format_ = 3 * block * 32, result_type(config)
    a, b = operands("bf16", (32, depth), (depth, 32))
    total = np.zeros((32, 32), np.float32)
    for k in range(0, depth, block * 32):
        part = product(config, a[:, k : k + block * 32], b[k : k + block * 32], format_)
        total += from_bits(part, format_).astype(np.float32)
        total = total.astype(DTYPES[format_]).astype(np.float32)
    check(compiled("matmul", a, b, **options), pack(bits_of(total), "bf16"))
    two = slice(0, 2 * block * 32)
    found = compiled("matmul", a[:, two], b[two], **options)
    check(found, product(config, a[:, two], b[two], "bf16"))


@pytest.mark.parametrize(
    ("dtype", "target", "fidelity", "fp32"),
    [
        ("bf16", "n150", "hifi2", False),
        ("f16", "n150", "hifi2", False),
        ("f32", "n150", "hifi3", True),
        ("f32", "p150", "hifi4", True),
    ],
)
def test_defaults_of_the_library(dtype: str, target: str, fidelity: str, fp32: bool) -> None:
    a, b = operands(dtype, (32, 64), (64, 32))
    found = compiled("matmul", a, b, target=target)
    check(found, product(engine(fidelity, fp32, dtype, target), a, b, dtype))


@DESTINATIONS
@FIDELITIES
@pytest.mark.parametrize("op", ["add", "subtract", "multiply"])
def test_elementwise(op: str, fidelity: str, fp32: bool) -> None:
    """The matrix engine has sums, differences and products of tiles, in both backends."""
    a, b = operands("bf16", (64, 96), (64, 96))
    config = engine(fidelity, fp32)
    x, y = as_sources(config, a), as_sources(config, b)
    dst = getattr(config, op)(x, y)
    for backend in ("ttnn", "ttmetal"):
        found = compiled(op, a, b, backend=backend, math_fidelity=fidelity, fp32_dest_acc_en=fp32)
        check(found, pack(config.to_f32(dst), "bf16"))


@BACKENDS
def test_fidelity_is_seen(backend: str) -> None:
    """1 + 2^-6 of source A has a bit that the first phase leaves out, 1 + 2^-7 of source B one that
    the first two leave out."""
    one = np.ones((32, 32), BF16)
    found = {}
    for fidelity in PHASES:
        options = {"math_fidelity": fidelity, "fp32_dest_acc_en": True, "backend": backend}
        eye = np.eye(32, dtype=np.float32).astype(BF16)
        second = (one * BF16.type(1 + 2**-6)).astype(BF16)
        first = (one * BF16.type(1 + 2**-7)).astype(BF16)
        found[fidelity] = (
            float(compiled("matmul", eye, second, **options)[0, 0]),
            float(compiled("matmul", first, eye, **options)[0, 0]),
        )
    assert found == {
        "lofi": (1, 1),
        "hifi2": (1 + 2**-6, 1),
        "hifi3": (1 + 2**-6, 1 + 2**-7),
        "hifi4": (1 + 2**-6, 1 + 2**-7),
    }


def test_single_ops() -> None:
    """An override goes before what is said of all."""
    a, b = operands("bf16", (32, 32), (32, 32))
    expected = product(engine("lofi", True), a, b, "bf16")
    for backend in ("ttnn", "ttmetal"):
        found = compiled(
            "matmul",
            a,
            b,
            backend=backend,
            math_fidelity="hifi4",
            override_compute_config={"op": "lofi:fp32_dest_acc_en"},
        )
        check(found, expected)


@DESTINATIONS
@FIDELITIES
@pytest.mark.parametrize("dim", [-1, -2])
def test_sums(dim: int, fidelity: str, fp32: bool) -> None:
    """Tiles along the dimension add up in one destination, face by face."""
    (values,) = operands("bf16", (64, 96))
    builder = ttmlir.Builder()
    builder.output(builder.sum(builder.input("x", values.shape, "bf16"), dim=dim, keep_dim=True))
    exe = ttmlir.compile(builder, math_fidelity=fidelity, fp32_dest_acc_en=fp32)
    config = engine(fidelity, fp32)
    turned = values if dim == -2 else values.T.copy()
    numbers, ones = as_sources(config, turned), as_sources(config, np.ones(16, BF16))
    lines = []
    for column in range(0, turned.shape[1], 32):
        line = zeros((32,))
        for row in range(0, turned.shape[0], 32):
            tile = numbers[row : row + 32, column : column + 32]
            line = config.sum_columns(tile, ones, line)
        lines.append(pack(config.to_f32(line), "bf16"))
    check(run_exact(exe, values).reshape(-1), np.concatenate(lines))


def test_library_calls_say_how(tmp_path: Path) -> None:
    """What an op says is in the file and in the C++ form."""
    a, b = operands("bf16", (32, 32), (32, 32))
    builder = ttmlir.Builder()
    x, y = builder.input("x", a.shape, "bf16"), builder.input("y", b.shape, "bf16")
    builder.output(builder.matmul(x, y))
    exe = ttmlir.compile(builder, math_fidelity="lofi", fp32_dest_acc_en=True)
    config = "ttnn::DeviceComputeKernelConfig{ttnn::MathFidelity::LOFI, std::nullopt, true, "
    assert config + "std::nullopt}" in exe.cpp
    exe.save(tmp_path / "lofi.ttnn")
    found = run_exact(ttmlir.load(tmp_path / "lofi.ttnn"), a, b)
    check(found, product(engine("lofi", True), a, b, "bf16"))


@pytest.mark.parametrize("options", [{"math_fidelity": "lofi"}, {"math_approx_mode": True}])
def test_fused_calls_have_the_bits_of_several(options: dict[str, Any]) -> None:
    """Activations are applied to what is rounded, wherever tensors are."""

    def block() -> ttmlir.Builder:
        b = ttmlir.Builder()
        x, w = b.input("x", (64, 96), "bf16"), b.input("w", (96, 160), "bf16")
        y = b.gelu(b.matmul(x, w))
        b.output(b.relu(b.add(y, b.silu(b.multiply(y, y)))))
        return b

    arrays = operands("bf16", (64, 96), (96, 160))
    plain, fused = (
        run_exact(ttmlir.compile(block(), optimization_level=level, **options), *arrays)
        for level in (0, 1)
    )
    np.testing.assert_array_equal(fused.view("uint16"), plain.view("uint16"))
