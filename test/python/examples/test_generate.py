"""The Transformer that counts: its training, and the texts that it generates on the device."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[3] / "examples" / "generate.py"
BACKENDS = ("ttnn", "ttmetal")
STEPS = 600
#: Runs by itself: the example says how many threads NumPy has, before NumPy is loaded.
TRAIN = """
import sys, generate, numpy
from rich.console import Console
weights = generate.trained(generate.Config(), int(sys.argv[1]), Console())
numpy.savez(sys.argv[2], **weights)
"""


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(EXAMPLE.parent)
        return importlib.import_module("generate")


@pytest.fixture(scope="module")
def counting(generate: ModuleType) -> ModuleType:
    return sys.modules["counting"]


@pytest.fixture(scope="module")
def training(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    """The weights, and what the example says of them."""
    path = tmp_path_factory.mktemp("weights") / "weights.npz"
    done = subprocess.run(
        [sys.executable, "-c", TRAIN, str(STEPS), str(path)],
        cwd=EXAMPLE.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(np.load(path)), done.stdout


def test_words(counting: ModuleType) -> None:
    names = {0: "zero", 15: "fifteen", 40: "forty", 99: "ninety-nine", 200: "two hundred"}
    names |= {117: "one hundred seventeen", 342: "three hundred forty-two"}
    assert {number: counting.words(number) for number in names} == names
    assert counting.TEXT.startswith("one, two, three, ")
    assert counting.TEXT.endswith("one hundred ninety-nine, two hundred.\n")
    assert counting.decode(counting.encode("forty-two, ")) == "forty-two, "
    with pytest.raises(ValueError, match="found 'Z'"):
        counting.encode("a Zebra")


def test_gradients(counting: ModuleType) -> None:
    """Against differences, in float64."""
    config = counting.Config(context=12)
    rng = np.random.default_rng(1)
    texts = rng.integers(0, len(counting.CHARACTERS), (2, 13))
    weights = {
        name: value.astype(np.float64)
        for name, value in counting.initial_weights(config, 0).items()
    }

    def loss(**changed: Any) -> tuple[float, dict[str, Any]]:
        found = counting.Pass(config, weights | changed, texts[:, :-1]).loss(texts[:, 1:])
        assert all(g.dtype == np.float64 for g in found[1].values())
        return found  # type: ignore[no-any-return]

    _, gradients = loss()
    assert gradients.keys() == weights.keys()
    for name, gradient in gradients.items():
        direction = rng.standard_normal(gradient.shape)
        # So small that no relu changes its side.
        step = 1e-8 * direction
        ends = [loss(**{name: weights[name] + sign * step})[0] for sign in (1, -1)]
        slope = (ends[0] - ends[1]) / 2e-8
        assert slope == pytest.approx((gradient * direction).sum(), rel=1e-4, abs=1e-6), name


def test_a_later_token_changes_nothing_before(counting: ModuleType) -> None:
    config = counting.Config()
    weights = counting.initial_weights(config, 3)
    tokens = np.random.default_rng(3).integers(0, len(counting.CHARACTERS), (1, 40))
    changed = tokens.copy()
    changed[0, 25] = (changed[0, 25] + 1) % len(counting.CHARACTERS)
    before, after = (counting.Pass(config, weights, t).logits[0] for t in (tokens, changed))
    assert np.array_equal(before[:25], after[:25])
    assert (np.abs(before[25:] - after[25:]).max(axis=1) > 0).all()


@pytest.mark.whole_run
def test_training(
    training: tuple[dict[str, Any], str], counting: ModuleType, generate: ModuleType
) -> None:
    """The loss falls, and the model counts on from numbers that it is given."""
    weights, text = training
    first, last = map(float, text.rpartition("loss ")[2].split(" to "))
    assert first > 2
    assert last < 0.1
    config = counting.Config()
    generator = generate.Generator(config, weights, np.zeros((config.context, 1)), "ttnn", "n150")
    right = 0
    for number in range(5, 200, 40):
        start = counting.words(number) + ","
        found = counting.decode(generator.reference(generate.open_text(config, start)))
        right += counting.TEXT[counting.TEXT.index(f" {start}") :].startswith(f" {found}")
    assert right >= 4  # of 5


@pytest.mark.whole_run
@pytest.mark.parametrize("temperature", [0.0, 0.7])
@pytest.mark.parametrize("backend", BACKENDS)
def test_texts(
    training: tuple[dict[str, Any], str],
    counting: ModuleType,
    generate: ModuleType,
    backend: Any,
    temperature: float,
) -> None:
    weights, _ = training
    config = counting.Config()
    noise = generate.choice_noise(config, temperature, 7)
    generator = generate.Generator(config, weights, noise, backend, "n150")
    text = generate.open_text(config, "ninety-seven,")
    expected = generator.reference(text)
    assert expected[len("ninety-seven,") :].min() >= 0
    single, whole = generator.token_by_token(text), generator.one_program(text)
    assert counting.decode(single.text) == counting.decode(expected)
    assert counting.decode(whole.text) == counting.decode(expected)
    # A call moves one token and one row of logits.
    assert single.calls == config.context - 1
    assert single.report.host_to_device_bytes == 4
    assert single.report.device_to_host_bytes == 4 * len(counting.CHARACTERS)
    # It is no luck: the second best is farther away than rounding takes a logit.
    logits = counting.Pass(config, weights, expected[None, :-1]).logits[0] + noise[:-1]
    best = np.sort(logits[len("ninety-seven,") - 1 :], axis=-1)
    assert (best[:, -1] - best[:, -2]).min() > 1e-3


@pytest.mark.whole_run
@pytest.mark.parametrize("backend", BACKENDS)
def test_the_end_ends_the_loop(
    training: tuple[dict[str, Any], str],
    counting: ModuleType,
    generate: ModuleType,
    backend: Any,
) -> None:
    weights, _ = training
    config = counting.Config()
    noise = generate.choice_noise(config, 0, 0)
    generator = generate.Generator(config, weights, noise, backend, "n150")
    start = "one hundred ninety-seven, one hundred ninety-eight,"
    text = generate.open_text(config, start)
    expected = generator.reference(text)
    single, whole = generator.token_by_token(text), generator.one_program(text)
    assert np.array_equal(single.text, expected)
    assert np.array_equal(whole.text, expected)
    end = counting.decode(expected[expected != generate.OPEN])
    assert end == f"{start} one hundred ninety-nine, two hundred.\n"
    assert single.calls == len(end) - 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--prompt", "Ten"], "--prompt: expected characters of"),
        (["--prompt", ""], "--prompt: expected 1 to 127 characters, found 0"),
        (["--prompt", "one, " * 30], "--prompt: expected 1 to 127 characters, found 150"),
        (["--prompt", "one\n"], "--prompt: expected one line"),
        (["--backend", "cuda"], "argument --backend: invalid choice: 'cuda'"),
        (["--target", "n151"], "argument --target: invalid choice: 'n151'"),
        (["--temperature", "-1"], "--temperature: expected at least 0, found -1.0"),
        (["--temperature", "nan"], "--temperature: expected at least 0, found nan"),
        (["--seed", "-1"], "--seed: expected at least 0, found -1"),
        (["--steps", "x"], "argument --steps: invalid int value: 'x'"),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: {message}")
    assert done.stderr.count("\n") == 1
    assert not done.stdout


@pytest.mark.sampled(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_command(backend: str) -> None:
    """Without training, since texts have to be equal in any case."""
    command = [sys.executable, str(EXAMPLE), "--steps", "0", "--prompt", "one", "--seed", "2"]
    done = subprocess.run(
        [*command, "--backend", backend, "--temperature", "1", "--target", "p150"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Generation on the emulated p150, {backend}" in done.stdout
    assert "token by token" in done.stdout
    assert "one program" in done.stdout
