"""precision: which formats it gives to weights and activations, at what loss, and its errors."""

from __future__ import annotations

import ml_dtypes  # noqa: F401  (bfloat16)
import numpy as np
import pytest

import ttmlir


def encoder_block() -> ttmlir.Builder:
    """A feed-forward block with a norm, and attention scores that a mask hides."""
    b = ttmlir.Builder("encoder_block")
    x, mask = b.input("x", (2, 200, 128), "bf16"), b.input("mask", (1, 200, 200), "bf16")
    up = b.input("up", (1, 128, 512), "bf16", argument_type="parameter")
    bias = b.input("bias", (512,), "bf16", argument_type="parameter")
    down = b.input("down", (1, 512, 128), "bf16", argument_type="parameter")
    scale = b.input("scale", (128,), "bf16", argument_type="parameter")
    y = b.layer_norm(x, scale, name="norm")
    y = b.matmul(b.gelu(b.linear(y, up, bias), name="up"), down, name="down")
    scores = b.matmul(y, b.transpose(y, 1, 2), name="scores")
    weights = b.softmax(b.add(scores, mask, name="masked"), 2, name="weights")
    b.output(b.add(b.matmul(weights, y, name="context"), x, name="sum"))
    return b


def _arrays(exe: ttmlir.Executable) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    arrays = {t.name: rng.standard_normal(t.shape) / np.sqrt(t.shape[-1]) for t in exe.inputs}
    arrays["mask"] = np.where(np.tri(200)[None] > 0, 0, -3e38)
    return [array.astype("bfloat16") for array in arrays.values()]


def _formats(exe: ttmlir.Executable) -> dict[str, str]:
    ops = [op for op in exe.report().ops if op.phase == "run" and op.kernels and op.label]
    return {op.label: op.results[0].dtype for op in ops}


def _weights(exe: ttmlir.Executable) -> list[str]:
    """The formats of the weights of both products."""
    products = [op for op in exe.report().ops if op.label in ("up", "down") and op.kernels]
    return [op.operands[1].dtype for op in products]


def test_performance_stores_block_floats_where_that_is_safe() -> None:
    balanced = ttmlir.compile(encoder_block(), precision="balanced")
    fast = ttmlir.compile(encoder_block(), precision="performance")
    arrays = _arrays(fast)
    expected = np.asarray(balanced(*arrays), np.float64).ravel()
    found = np.asarray(fast(*arrays), np.float64).ravel()
    assert np.corrcoef(expected, found)[0, 1] > 0.999
    assert fast.report().cycles < balanced.report().cycles
    formats = _formats(fast)
    wide = {name for name, dtype in formats.items() if dtype == "bf16"}
    # A mask adds numbers of another magnitude; the last one leaves the program.
    assert wide == {"masked", "sum"}, formats
    assert {dtype for name, dtype in formats.items() if name not in wide} == {"bfp8_b"}
    assert set(_formats(balanced).values()) == {"bf16"}
    assert _weights(fast) == ["bfp8_b"] * 2


def test_bits_of_level_0_and_1_are_the_same() -> None:
    options = {"weight_dtype": "bfp_bf8", "activation_dtype": "bfp_bf8"}
    exes = [ttmlir.compile(encoder_block(), optimization_level=i, **options) for i in (0, 1)]
    results = [np.asarray(exe(*_arrays(exe)), np.float32) for exe in exes]
    np.testing.assert_array_equal(*results)


def test_keywords_have_priority() -> None:
    exe = ttmlir.compile(encoder_block(), precision="performance", activation_dtype="default")
    assert set(_formats(exe).values()) == {"bf16"}
    exe = ttmlir.compile(encoder_block(), precision="performance", weight_dtype="bfp_bf4")
    assert _weights(exe) == ["bfp4_b"] * 2


def test_each_precision_is_faster_than_the_one_before() -> None:
    cycles = []
    for precision in ("accuracy", "balanced", "performance"):
        exe = ttmlir.compile(encoder_block(), precision=precision)
        assert ("math_fidelity = hifi4" in exe.mlir) == (precision == "accuracy")
        cycles.append(exe.report().cycles)
    assert cycles == sorted(cycles, reverse=True)


@pytest.mark.parametrize("precision", ["accuracy", "balanced", "performance"])
def test_kernels_take_it_too(precision: str) -> None:
    exe = ttmlir.compile(encoder_block(), backend="ttmetal", precision=precision)
    plain = ttmlir.compile(encoder_block())
    arrays = _arrays(exe)
    found, expected = (np.asarray(e(*arrays), np.float64).ravel() for e in (exe, plain))
    assert np.corrcoef(expected, found)[0, 1] > 0.999


@pytest.mark.parametrize("numerics", ["fast", "exact"])
def test_kernels_multiply_all_bits_of_block_floats(numerics: str) -> None:
    b = ttmlir.Builder("products")
    x, one = b.input("x", (64, 64), "bfp8_b"), b.input("one", (64, 64), "bfp8_b")
    b.output(b.matmul(x, one), b.matmul(one, x), b.multiply(x, b.transpose(one, 0, 1)))
    exe = ttmlir.compile(b, backend="ttmetal", precision="performance", numerics=numerics)
    # All seven bits of a datum, next to one that sets the exponent of its block.
    numbers = np.random.default_rng(0).integers(-127, 128, (64, 64)).astype(np.float32)
    numbers[:, ::16] = 64
    left, right, diagonal = exe(numbers, np.eye(64, dtype=np.float32))
    np.testing.assert_array_equal(left, numbers)
    np.testing.assert_array_equal(right, numbers)
    np.testing.assert_array_equal(diagonal, numbers * np.eye(64))


def test_errors() -> None:
    with pytest.raises(ttmlir.Error, match="precision: expected one of accuracy, balanced, perf"):
        ttmlir.compile(encoder_block(), precision="fast")
    options = ttmlir.passes.TTIRToTTNNBackendPipelineOptions()
    with pytest.raises(ttmlir.Error, match="expected options or precision, found both"):
        ttmlir.compile(encoder_block(), options=options, precision="balanced")


def test_overrides_decide() -> None:
    exe = ttmlir.compile(
        encoder_block(),
        precision="performance",
        override_output_layout={"down": "dram:interleaved:bf16", "scores": "l1:interleaved"},
    )
    found = {
        op.label: (op.results[0].memory, op.results[0].dtype)
        for op in exe.report().ops
        if op.kernels and op.label
    }
    assert found["down"] == ("dram", "bf16")
    assert found["scores"] == ("l1", "bf16")
