"""The examples for users of JAX, on the emulated chip and on JAX's CPU."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("optax", reason="needs the extra 'examples'")
if find_spec("ttmlir._pjrt") is None:
    pytest.skip("needs the plugin for JAX", allow_module_level=True)

FOLDER = Path(__file__).parents[3] / "examples" / "jax"
NOTEBOOK = FOLDER / "chip_in_a_notebook.ipynb"


def run(name: str, *arguments: str, target: str = "n150", status: int = 0) -> str:
    """What an example prints; of errors, if it is to end with another status than 0."""
    done = subprocess.run(
        [sys.executable, str(FOLDER / name), *arguments],
        env={**os.environ, "TTMLIR_TARGET": target},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stderr if status else done.stdout


def test_digits() -> None:
    """The example compares the accuracies; what it trains is also worth it."""
    pytest.importorskip("flax")
    pytest.importorskip("sklearn")
    found = run("train_digits.py")
    rows = [line.split("│") for line in found.splitlines() if "%" in line]
    assert [row[1].strip() for row in rows] == ["wormhole_b0 (emulated)", "JAX's CPU"]
    for row in rows:
        first, last, accuracy = (float(cell.strip(" %")) for cell in row[2:5])
        assert first > 2
        assert last < 0.2
        assert accuracy > 95
    assert "us for a step" in found


@pytest.fixture(scope="module")
def decoder() -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        return importlib.import_module("decoder")


@pytest.mark.whole_run
def test_decoder() -> None:
    found = run("decoder.py", "--steps", "5", "--temperature", "1", "--prompt", "a core")
    assert "greedy: a core" in found
    assert "sampled: a core" in found
    assert "90 tokens behind 6" in found


@pytest.mark.parametrize(
    ("prompt", "message"),
    [("Zebra", "found 'Z'"), ("", "expected 1 to 95 characters"), ("a" * 96, "expected 1 to 95")],
)
def test_wrong_prompts(prompt: str, message: str) -> None:
    assert message in run("decoder.py", "--prompt", prompt, status=2)


def test_cache(decoder: ModuleType) -> None:
    """However a text is divided into blocks, and whatever comes behind, logits are the same."""
    config = decoder.Config(context=12)
    forward = jax.jit(decoder.forward, static_argnums=0)
    with jax.default_device(jax.devices("cpu")[0]):
        weights = decoder.initial_weights(config, jax.random.key(0))
        tokens = decoder.encode("a core reads")
        whole, _ = forward(config, weights, config.empty_cache(), tokens, 0)
        parts, cache = [], config.empty_cache()
        for start, end in ((0, 5), (5, 6), (6, 12)):
            found, cache = forward(config, weights, cache, tokens[start:end], start)
            parts.append(found)
        np.testing.assert_allclose(np.concatenate(parts), whole, atol=1e-5)
        tokens[8] += 1
        changed, _ = forward(config, weights, config.empty_cache(), tokens, 0)
    np.testing.assert_array_equal(changed[:8], whole[:8])
    assert (np.abs(changed[8:] - whole[8:]).max(axis=1) > 0).all()


@pytest.mark.whole_run
def test_sampling(decoder: ModuleType) -> None:
    """The tokens are those that the logits give, and the logits those of the text so far."""
    config, prompt, heat = decoder.Config(), decoder.encode("two "), 1.3
    with jax.default_device(jax.devices("cpu")[0]):
        weights = decoder.initial_weights(config, jax.random.key(1))
    found = decoder.run(config, weights, prompt, heat, jax.devices("tt")[0])
    greedy, drawn = found.tokens
    np.testing.assert_array_equal(greedy, found.logits[0].argmax(-1))
    keys = jax.random.split(jax.random.key(7), len(drawn))
    noise = np.stack([jax.random.gumbel(key, found.logits[1].shape[1:]) for key in keys])
    np.testing.assert_array_equal(drawn, (found.logits[1] / heat + noise).argmax(-1))
    assert (greedy != drawn).any()
    forward = jax.jit(decoder.forward, static_argnums=0)
    for tokens, logits in zip(found.tokens, found.logits, strict=True):
        text = np.concatenate([prompt, tokens])
        whole, _ = forward(config, weights, config.empty_cache(), text, 0)
        np.testing.assert_allclose(logits, whole[len(prompt) - 1 : -1], atol=1e-4)


def test_what_the_decoder_calls_wrong(decoder: ModuleType) -> None:
    rng = np.random.default_rng(0)
    tokens: Any = [np.arange(4), np.arange(4) + 1]
    logits: Any = [rng.standard_normal((4, 26)) for _ in range(2)]
    own = decoder.Texts(tokens, logits, None)
    assert decoder.failures(own, own) == []
    [message] = decoder.failures(replace(own, tokens=tokens[::-1][:1] + tokens[1:]), own)
    assert message == "expected ' ,.a' as on the CPU, found ',.ab'"
    [message] = decoder.failures(replace(own, logits=[logits[0], logits[1] * 1.001]), own)
    assert message == "expected logits within 1e-05 of the CPU's, found 1.0e-03"
    [message] = decoder.failures(replace(own, logits=[logits[0] * np.nan, logits[1]]), own)
    assert message == "expected logits within 1e-05 of the CPU's, found nan"


def test_parallel() -> None:
    """The example compares the numbers of the meshes; here the bytes on their links."""
    found = run("parallel.py", "--mesh", "8x1", "--mesh", "1x8", "--steps", "2", target="t3000")
    rows = [line.split("│")[1:-1] for line in found.splitlines() if " x " in line and "│" in line]
    total = {row[0].strip(): int(row[3].replace(",", "")) for row in rows}
    assert list(total) == ["1 x 1", "8 x 1", "1 x 8"]
    assert total["1 x 1"] == 0
    # A sum over eight chips sends 14 times the bytes of a tensor at best, and 20 times where rows
    # of chips add up first and columns then. Chips with parts of the batch add up the gradients of
    # all weights, and losses, in f32.
    weights = 4 * (4 * 128 * 128 + 2 * 128 * 512)
    assert 14 * weights < total["8 x 1"] <= 20 * (weights + 4096)
    # Chips with parts of the weights add up activations: behind both projections, and in front of
    # the MLP on the way back.
    activations = 4 * (8 * 32 * 128)
    assert 14 * 3 * activations <= total["1 x 8"] <= 20 * 3 * activations


def test_parallel_without_the_chips() -> None:
    message = "expected the 8 chips of TTMLIR_TARGET=t3000, found 1"
    assert message in run("parallel.py", target="n150", status=2)
    assert "expected one of 1x1, 8x1" in run("parallel.py", "--mesh", "3x3", status=2)


def test_what_parallel_calls_far() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        patch.setenv("TTMLIR_TARGET", "n150")
        parallel = importlib.import_module("parallel")
    one = parallel.Outcome({"q": np.ones((2, 2))}, [2.0, 1.0], None)
    assert parallel.farthest(one, one) == 0
    assert parallel.farthest(replace(one, losses=[2.0, 1.1]), one) == pytest.approx(0.05)
    changed = {"q": np.array([[1, 1], [1, 0.5]])}
    assert parallel.farthest(replace(one, changes=changed), one) == 0.5


def test_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs in a kernel of this interpreter; the file has no results."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    monkeypatch.setenv("TTMLIR_TARGET", "n150")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [[output.get("data", output) for output in cell.outputs] for cell in code]
    assert "[TTDevice(id=0)] wormhole_b0 (emulated)" in outputs[0][0]["text"]
    assert "<iframe" in outputs[2][-1]["text/html"]
    first, last = map(float, outputs[3][0]["text"].removeprefix("loss ").split(" to "))
    assert first > 2
    assert last < 0.5
    assert "image/png" in outputs[4][-1]
