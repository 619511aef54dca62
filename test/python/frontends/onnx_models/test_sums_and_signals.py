"""Einsum, Fourier transforms, losses, optimizers, random numbers and ops of ai.onnx.ml."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from nodes import assert_close, check, model_of, node_model, random, run

import ttmlir
from ttmlir.errors import CompileError

# Einsum ------------------------------------------------------------------------------------------

EQUATIONS = [
    ("ij,jk->ik", [(3, 4), (4, 5)]),
    ("ij,jk", [(3, 4), (4, 5)]),
    ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]),
    ("bhid,bhjd->bhij", [(2, 3, 4, 5), (2, 3, 6, 5)]),
    ("...ij,...jk->...ik", [(2, 3, 4), (1, 4, 5)]),
    ("i,j->ij", [(3,), (4,)]),
    ("ij->ji", [(3, 4)]),
    ("ii->i", [(4, 4)]),
    ("ii", [(4, 4)]),
    ("...ii->...i", [(2, 4, 4)]),
    ("ij->", [(3, 4)]),
    ("ij,j->i", [(3, 4), (4,)]),
    ("ij,ij->ij", [(3, 4), (3, 4)]),
    ("ij,jk,kl->il", [(3, 4), (4, 5), (5, 6)]),
    ("bij,bij,bi->b", [(2, 3, 4), (2, 3, 4), (2, 3)]),
    ("i...,i->...", [(3, 2, 4), (3,)]),
    ("bnth,nhd->btd", [(2, 3, 4, 5), (3, 5, 6)]),
]


@pytest.mark.parametrize(("equation", "shapes"), EQUATIONS)
def test_einsum(equation: str, shapes: list[tuple[int, ...]]) -> None:
    inputs = {f"x{i}": random(*shape, seed=i) for i, shape in enumerate(shapes)}
    expected = np.einsum(equation, *inputs.values())
    check("Einsum", inputs, equation=equation, expected=[expected], atol=1e-4)


def test_einsum_of_integers() -> None:
    inputs = {"x": random(3, 4, dtype=np.int32), "y": random(4, 5, dtype=np.int32, seed=1)}
    check("Einsum", inputs, equation="ab,bc->ca", expected=[(inputs["x"] @ inputs["y"]).T])


def test_equation_that_does_not_fit() -> None:
    inputs = {"x": random(3, 4)}
    with pytest.raises(CompileError, match="expected a tensor of rank 3 for 'abc'"):
        run(node_model("Einsum", inputs, equation="abc->a"), inputs)


# Fourier transforms ------------------------------------------------------------------------------


def pairs(x: Any) -> Any:
    return np.stack([x.real, x.imag], -1).astype(np.float32)


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("inverse", [0, 1])
@pytest.mark.parametrize("length", [None, 6, 12])
def test_dft(parts: int, inverse: int, length: int | None) -> None:
    x = random(2, 10, 3, parts)
    whole = x[..., 0] + 1j * x[..., -1] if parts == 2 else x[..., 0]
    transform = np.fft.ifft if inverse else np.fft.fft
    known: dict[str, Any] = {} if length is None else {"n": np.array(length, np.int64)}
    known["axis"] = np.array(1, np.int64)
    order = ["x", "n" if "n" in known else "", "axis"]
    expected = [pairs(transform(whole, length, 1))]
    named = {"known": known, "order": order, "inverse": inverse}
    check("DFT", {"x": x}, expected=expected, atol=1e-4, **named)


def test_dft_of_one_side() -> None:
    x = random(2, 10, 1)
    expected = [pairs(np.fft.rfft(x[..., 0], axis=1))]
    check("DFT", {"x": x}, onesided=1, expected=expected, atol=1e-4)
    check("DFT", {"x": x}, onesided=1, axis=1, opset=17, expected=expected, atol=1e-4)


@pytest.mark.parametrize("onesided", [0, 1])
def test_stft(onesided: int) -> None:
    x, window = random(2, 40, 1), np.hanning(16).astype(np.float32)
    known = {"step": np.array(7, np.int64), "w": window}
    frames = np.stack([x[:, i : i + 16, 0] * window for i in range(0, 25, 7)], 1)
    transform = np.fft.rfft if onesided else np.fft.fft
    named = {"known": known, "order": ["x", "step", "w"], "onesided": onesided}
    check("STFT", {"x": x}, expected=[pairs(transform(frames))], atol=1e-4, **named)


# Losses and optimizers ---------------------------------------------------------------------------


@pytest.mark.parametrize("op_type", ["NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"])
@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
def test_losses(op_type: str, reduction: str) -> None:
    inputs = {
        "x": random(3, 5, 2),
        "t": np.array([[0, 4], [2, -1], [3, 3]], np.int64),
        "w": np.abs(random(5, seed=1)),
    }
    check(op_type, inputs, reduction=reduction, ignore_index=-1, atol=1e-4)


@pytest.mark.parametrize("count", [0, 3])
@pytest.mark.parametrize(
    ("op_type", "states", "attributes"),
    [
        ("Adagrad", 1, {"decay_factor": 0.1, "epsilon": 1e-3, "norm_coefficient": 0.01}),
        ("Adam", 2, {"alpha": 0.8, "beta": 0.9, "epsilon": 1e-3, "norm_coefficient_post": 0.1}),
        ("Momentum", 1, {"alpha": 0.9, "beta": 0.8, "norm_coefficient": 0.1, "mode": "standard"}),
        ("Momentum", 1, {"alpha": 0.9, "beta": 0.8, "norm_coefficient": 0.0, "mode": "nesterov"}),
    ],
)
def test_optimizers(op_type: str, states: int, attributes: dict[str, Any], count: int) -> None:
    inputs = {"r": np.array(0.1, np.float32), "n": np.array(count, np.int64)}
    for kind in range(2 + states):
        for i, shape in enumerate([(3,), (2, 4)]):
            x = random(*shape, seed=10 * kind + i)
            inputs[f"{'xgab'[kind]}{i}"] = np.abs(x) if kind > 1 else x
    named = {"domain": "ai.onnx.preview.training", "outputs": 2 * (1 + states)}
    check(op_type, inputs, **named, **attributes)


# Random numbers ----------------------------------------------------------------------------------


def moments(op_type: str, inputs: dict[str, Any], **attributes: Any) -> tuple[float, float]:
    (found,) = run(node_model(op_type, inputs, **attributes), inputs)
    return float(found.mean()), float(found.std())


def test_distributions() -> None:
    x = {"x": np.zeros((100, 100), np.float32)}
    assert moments("RandomNormal", {}, shape=[10000], mean=2.0, scale=3.0) == pytest.approx(
        (2, 3), abs=0.15
    )
    uniform = pytest.approx((1, 6 / np.sqrt(12)), abs=0.1)
    assert moments("RandomUniformLike", x, low=-2.0, high=4.0) == uniform
    assert moments("RandomNormalLike", x) == pytest.approx((0, 1), abs=0.05)
    chance = {"x": np.full((100, 100), 0.25, np.float32)}
    assert moments("Bernoulli", chance) == pytest.approx((0.25, np.sqrt(0.25 * 0.75)), abs=0.02)


def test_multinomial() -> None:
    shares = np.array([[0.1, 0.2, 0.7], [0.5, 0.5, 0]], np.float32)
    with np.errstate(divide="ignore"):
        inputs = {"x": np.log(shares)}
    (found,) = run(node_model("Multinomial", inputs, sample_size=4000), inputs)
    assert (found.shape, found.dtype) == ((2, 4000), np.int32)
    for row, expected in zip(found, shares, strict=True):
        np.testing.assert_allclose(np.bincount(row, minlength=3) / 4000, expected, atol=0.04)


def test_dropout_in_training() -> None:
    x = np.ones((100, 100), np.float32)
    known = {"r": np.array(0.25, np.float32), "t": np.array(True)}
    found, mask = run(node_model("Dropout", {"x": x}, known=known, outputs=2), {"x": x})
    assert 0.72 < mask.mean() < 0.78
    assert_close(found, np.where(mask, np.float32(4 / 3), np.float32(0)))


@pytest.mark.parametrize("name", ["RandomNormalLike", "RandomUniformLike", "Bernoulli", "Dropout"])
def test_seeds(name: str) -> None:
    x = np.full((16, 16), 0.5, np.float32)
    known = {"r": np.array(0.5, np.float32), "t": np.array(True)} if name == "Dropout" else {}

    def drawn(**attributes: float) -> list[np.ndarray]:
        executable = ttmlir.compile(node_model(name, {"x": x}, known=known, **attributes))
        return [executable(x) for _ in range(2)]

    first, second = drawn(seed=3.0)
    again, _ = drawn(seed=3.0)
    other, _ = drawn(seed=4.0)
    assert np.array_equal(first, second)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    first, second = drawn()
    assert not np.array_equal(first, second)


def test_random_numbers_in_a_loop() -> None:
    body = onnx.helper.make_graph(
        [
            onnx.helper.make_node("RandomNormalLike", ["x"], ["y"]),
            onnx.helper.make_node("Identity", ["c"], ["again"]),
        ],
        "body",
        [
            onnx.helper.make_tensor_value_info("i", onnx.TensorProto.INT64, ()),
            onnx.helper.make_tensor_value_info("c", onnx.TensorProto.BOOL, ()),
            onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, (4,)),
        ],
        [
            onnx.helper.make_tensor_value_info("again", onnx.TensorProto.BOOL, ()),
            onnx.helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, (4,)),
        ],
    )
    loop = onnx.helper.make_node("Loop", ["n", "", "x0"], ["last"], body=body)
    inputs = {"x0": random(4), "n": np.array(9, np.int64)}
    with pytest.raises(CompileError, match="random numbers in loops"):
        run(model_of([loop], inputs, ["last"]), inputs)


# ai.onnx.ml --------------------------------------------------------------------------------------


def test_classical_ops() -> None:
    named: dict[str, Any] = {"domain": "ai.onnx.ml"}
    x = random(4, 3)
    check("Binarizer", {"x": x}, threshold=0.1, expected=[(x > 0.1).astype(np.float32)], **named)
    places = {"i": np.array([2, 0], np.int64)}
    check("ArrayFeatureExtractor", {"x": x}, known=places, expected=[x[:, [2, 0]]], **named)
    scaled = (x - np.float32([1, 2, 3])) * np.float32(0.5)
    check("Scaler", {"x": x}, offset=[1.0, 2.0, 3.0], scale=[0.5], expected=[scaled], **named)
    weights = np.arange(6, dtype=np.float32)
    expected = x @ weights.reshape(2, 3).T + np.float32([1, -1])
    numbers = {"coefficients": weights.tolist(), "intercepts": [1.0, -1.0], "targets": 2}
    check("LinearRegressor", {"x": x}, expected=[expected], **numbers, **named)
