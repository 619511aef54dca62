"""RNN, GRU and LSTM, against their equations in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from nodes import assert_close, node_model, random, run

from ttmlir.errors import CompileError

Array = np.ndarray[Any, Any]
TIME, BATCH, INPUT, HIDDEN = 5, 3, 4, 6
GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
NAMES = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}


def sigmoid(x: Array) -> Array:
    found: Array = 1 / (1 + np.exp(-x))
    return found


FUNCTIONS: dict[str, Callable[..., Array]] = {
    "Affine": lambda x, a=1, b=0: a * x + b,
    "Elu": lambda x, a=1.0, b=0: np.where(x > 0, x, a * np.expm1(x)),
    "HardSigmoid": lambda x, a=0.2, b=0.5: np.clip(a * x + b, 0, 1),
    "LeakyRelu": lambda x, a=0.01, b=0: np.where(x < 0, a * x, x),
    "Relu": lambda x, a=0, b=0: np.maximum(x, 0),
    "ScaledTanh": lambda x, a=1.0, b=1.0: a * np.tanh(b * x),
    "Sigmoid": lambda x, a=0, b=0: sigmoid(x),
    "Softplus": lambda x, a=0, b=0: np.log1p(np.exp(x)),
    "Softsign": lambda x, a=0, b=0: x / (1 + np.abs(x)),
    "Tanh": lambda x, a=0, b=0: np.tanh(x),
    "ThresholdedRelu": lambda x, a=1.0, b=0: np.where(x > a, x, 0),
}


def cell(
    kind: str,
    x: Array,
    states: list[Array],
    w: Array,
    r: Array,
    bias: Array,
    f: list[Any],
    peepholes: Array,
    late: bool,
    coupled: bool,
) -> list[Array]:
    """One turn."""
    n = HIDDEN
    wb, rb = bias[: len(bias) // 2], bias[len(bias) // 2 :]
    h = states[0]
    a, s = x @ w.T + wb, h @ r.T + rb
    if kind == "RNN":
        return [f[0](a + s)]
    if kind == "GRU":
        z, reset = f[0](a + s)[:, :n], f[0](a + s)[:, n : 2 * n]
        own = reset * s[:, 2 * n :] if late else (reset * h) @ r[2 * n :].T + rb[2 * n :]
        return [(1 - z) * f[1](a[:, 2 * n :] + own) + z * h]
    c = states[1]
    i, o, forget, new = (
        (a + s)[:, k * n : (k + 1) * n] + (peepholes[k * n : (k + 1) * n] * c if k in (0, 2) else 0)
        for k in range(4)
    )
    into = f[0](i)
    kept = 1 - into if coupled else f[0](forget)
    c = kept * c + into * f[1](new)
    return [f[0](o + peepholes[n : 2 * n] * c) * f[2](c), c]


def network(
    kind: str,
    given: dict[str, Array],
    direction: str,
    functions: list[Any],
    late: bool = False,
    coupled: bool = False,
) -> list[Array]:
    """Outputs of all times, and the last states."""
    count = 1 + (direction == "bidirectional")
    per, x = len(NAMES[kind]), given["x"].astype(np.float64)
    states = 2 if kind == "LSTM" else 1
    rows = np.zeros((TIME, count, BATCH, HIDDEN))
    lasts = [np.zeros((count, BATCH, HIDDEN)) for _ in range(states)]
    for d in range(count):
        bias = given.get("b", np.zeros((count, 2 * GATES[kind] * HIDDEN)))[d]
        peepholes = given.get("p", np.zeros((count, 3 * HIDDEN)))[d]
        now = [given[k][d] if k in given else np.zeros((BATCH, HIDDEN)) for k in ("h", "c")]
        now = now[:states]
        back = direction == "reverse" or d == 1
        for t in reversed(range(TIME)) if back else range(TIME):
            f = functions[d * per : (d + 1) * per]
            w, r = given["w"][d], given["r"][d]
            new = cell(kind, x[t], now, w, r, bias, f, peepholes, late, coupled)
            goes = np.ones((BATCH, 1), bool)
            if "n" in given:
                goes = (t < given["n"])[:, None]
            now = [np.where(goes, y, old) for y, old in zip(new, now, strict=True)]
            rows[t, d] = np.where(goes, new[0], 0)
        for last, state in zip(lasts, now, strict=True):
            last[d] = state
    return [np.asarray(y, np.float32) for y in (rows, *lasts)]


def weights(kind: str, directions: int = 1, names: str = "xwrb") -> dict[str, Array]:
    gates = GATES[kind] * HIDDEN
    shapes = {
        "x": (TIME, BATCH, INPUT),
        "w": (directions, gates, INPUT),
        "r": (directions, gates, HIDDEN),
        "b": (directions, 2 * gates),
        "n": (BATCH,),
        "h": (directions, BATCH, HIDDEN),
        "c": (directions, BATCH, HIDDEN),
        "p": (directions, 3 * HIDDEN),
    }
    found = {name: random(*shapes[name], seed=i) / 2 for i, name in enumerate(names)}
    if "n" in found:
        found["n"] = np.array([5, 2, 3], np.int32)
    return found


def check(
    kind: str,
    given: dict[str, Array],
    direction: str = "forward",
    functions: list[Any] | None = None,
    late: bool = False,
    coupled: bool = False,
    **attributes: Any,
) -> None:
    count = 1 + (direction == "bidirectional")
    own = functions or [FUNCTIONS[n] for n in NAMES[kind] * count]
    order = ["x", "w", "r", *(n if n in given else "" for n in "bnhcp")]
    order = order[: 6 if kind != "LSTM" else 8]
    stored = {n: given[n] for n in "wrbp" if n in given}
    inputs = {n: x for n, x in given.items() if n not in stored}
    if late:
        attributes["linear_before_reset"] = 1
    if coupled:
        attributes["input_forget"] = 1
    model = node_model(
        kind,
        inputs,
        known=stored,
        order=order,
        outputs=3 if kind == "LSTM" else 2,
        hidden_size=HIDDEN,
        direction=direction,
        **attributes,
    )
    assert_close(run(model, inputs), network(kind, given, direction, own, late, coupled))


@pytest.mark.parametrize("kind", ["RNN", "GRU", "LSTM"])
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
def test_directions(kind: str, direction: str) -> None:
    names = "xwrbnh" + ("c" if kind == "LSTM" else "")
    check(kind, weights(kind, 1 + (direction == "bidirectional"), names), direction)


def test_without_bias_and_state() -> None:
    check("GRU", weights("GRU", names="xwr"))


def test_linear_before_reset() -> None:
    check("GRU", weights("GRU", names="xwrbh"), late=True)


def test_peepholes_and_coupled_gates() -> None:
    check("LSTM", weights("LSTM", names="xwrbhcp"))
    check("LSTM", weights("LSTM", names="xwrb"), coupled=True)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_activations(name: str) -> None:
    check("RNN", weights("RNN"), functions=[FUNCTIONS[name]], activations=[name])


def test_numbers_of_activations() -> None:
    functions = [
        lambda x: FUNCTIONS["HardSigmoid"](x, 0.3, 0.4),
        lambda x: FUNCTIONS["LeakyRelu"](x, 0.2),
        lambda x: FUNCTIONS["ScaledTanh"](x, 0.9, 0.7),
    ]
    check(
        "LSTM",
        weights("LSTM"),
        functions=functions,
        activations=["HardSigmoid", "LeakyRelu", "ScaledTanh"],
        activation_alpha=[0.3, 0.2, 0.9],
        activation_beta=[0.4, 0.7],
    )


def test_clip() -> None:
    functions = [lambda x: np.tanh(np.clip(x, -0.3, 0.3))]
    check("RNN", weights("RNN"), functions=functions, clip=0.3)
    gates = [lambda x: sigmoid(np.clip(x, -0.3, 0.3)), functions[0], np.tanh]
    check("LSTM", weights("LSTM"), functions=gates, clip=0.3)


def test_layout() -> None:
    given = weights("GRU", 2, "xwrbh")
    expected = network("GRU", given, "bidirectional", [FUNCTIONS[n] for n in NAMES["GRU"] * 2])
    inputs = {"x": given["x"].transpose(1, 0, 2), "h": given["h"].transpose(1, 0, 2)}
    model = node_model(
        "GRU",
        inputs,
        known={n: given[n] for n in "wrb"},
        order=["x", "w", "r", "b", "", "h"],
        outputs=2,
        hidden_size=HIDDEN,
        direction="bidirectional",
        layout=1,
    )
    found = run(model, inputs)
    assert_close(found, [expected[0].transpose(2, 0, 1, 3), expected[1].transpose(1, 0, 2)])


def test_unknown_activation() -> None:
    given = weights("RNN")
    model = node_model("RNN", given, hidden_size=HIDDEN, activations=["Cube"])
    with pytest.raises(CompileError, match="found 'Cube'"):
        run(model, given)
