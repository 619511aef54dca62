"""Folders with weights, shapes alone, estimates, and the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from small_decoders import CHUNK, CONTEXT, PROMPTS, continued, decoder, save, save_tokenizer
from transformers import LlamaConfig

import ttmlir
from ttmlir import llm
from ttmlir.llm.__main__ import main

pytestmark = pytest.mark.torch
SETTINGS: dict[str, Any] = {"users": 3, "context": CONTEXT, "prefill_chunk": CHUNK}
WEIGHTS = "model.safetensors"


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = save(decoder(), tmp_path_factory.mktemp("checkpoint"))
    save_tokenizer(folder)
    return folder


@pytest.fixture
def changed(checkpoint: Path, tmp_path: Path) -> Path:
    """A copy that a test changes."""
    for file in checkpoint.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def test_a_folder(checkpoint: Path) -> None:
    model = llm.load(checkpoint, precision="accuracy", **SETTINGS)
    wanted = continued(decoder(), PROMPTS, 4)
    found = model.generate(PROMPTS, max_new_tokens=4, eos=None)
    assert found.tokens == wanted
    assert found.texts == [" ".join(f"w{i}" for i in text) for text in wanted]
    texts = [" ".join(f"w{i}" for i in text) for text in PROMPTS]
    pieces: list[Any] = []
    again = model.generate(texts, max_new_tokens=4, eos=None, stream=pieces.append)
    assert again.tokens == wanted
    assert again.texts is not None
    for user, text in enumerate(again.texts):
        assert "".join(piece.text for piece in pieces if piece.user == user) == text


def test_tensors_are_mapped(checkpoint: Path) -> None:
    """Not read before they are copied to the device."""
    source = llm.load(checkpoint, **SETTINGS)._source
    array = source.weights["lm_head.weight"]  # type: ignore[index]
    while array.base is not None and not isinstance(array.base, memoryview):
        array = array.base
    assert type(getattr(array.base, "obj", array.base)).__name__ == "mmap"


def test_a_sharded_folder(tmp_path: Path) -> None:
    model = decoder(tie_word_embeddings=True)
    save(model, tmp_path, max_shard_size="100KB")
    assert len(list(tmp_path.glob("*.safetensors"))) > 1
    found = llm.load(tmp_path, precision="accuracy", **SETTINGS)
    texts = found.generate(PROMPTS, max_new_tokens=3, eos=None).tokens
    assert texts == continued(model, PROMPTS, 3)
    last = max(tmp_path.glob("*.safetensors"))
    last.unlink()
    with pytest.raises(ttmlir.FileError, match=f"{last.name}' cannot be read"):
        llm.load(tmp_path)


def test_bf16(tmp_path: Path) -> None:
    """Weights are taken as they are, or widened."""
    save(decoder().to(torch.bfloat16), tmp_path)
    wide = decoder().to(torch.bfloat16).to(torch.float32)
    found = llm.load(tmp_path, precision="accuracy", **SETTINGS)
    texts = found.generate(PROMPTS, max_new_tokens=4, eos=None).tokens
    assert texts == continued(wide, PROMPTS, 4)
    model = llm.load(tmp_path, precision=None, **SETTINGS)
    model.generate(PROMPTS, max_new_tokens=2)
    inputs = model.programs().step(1).executable.inputs
    assert {i.dtype for i in inputs if i.is_parameter} == {"bfloat16"}


# Damage ------------------------------------------------------------------------------------------


def _edited(folder: Path, edit: Any) -> None:
    tensors = load_file(folder / WEIGHTS)
    edit(tensors)
    save_file(tensors, folder / WEIGHTS)


NAME = "model.layers.1.mlp.up_proj.weight"


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda t: t.pop(NAME), f"no tensor '{NAME}' of the model"),
        (lambda t: t.update(other=torch.zeros(2)), "the model has no parameter 'other'"),
        (
            lambda t: t.update({NAME: torch.zeros(96, 63)}),
            f"tensor '{NAME}': expected the shape 96x64, found 96x63",
        ),
    ],
)
def test_wrong_tensors(changed: Path, edit: Any, message: str) -> None:
    _edited(changed, edit)
    with pytest.raises(ttmlir.FileError) as error:
        llm.load(changed, **SETTINGS)
    assert message in str(error.value)
    assert str(changed) in str(error.value)


def test_tensors_that_follow_from_the_configuration_are_ignored(changed: Path) -> None:
    name = "model.layers.0.self_attn.rotary_emb.inv_freq"
    _edited(changed, lambda t: t.update({name: torch.zeros(8)}))
    llm.load(changed, **SETTINGS)


def test_a_truncated_file(changed: Path) -> None:
    file = changed / WEIGHTS
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(ttmlir.FileError, match=f"{WEIGHTS}' is not a complete safetensors file"):
        llm.load(changed, **SETTINGS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "config.json' is not JSON"),
        ("[]", "config.json': expected a JSON object, found list"),
        ("{}", "transformers has no model of the type None"),
        ('{"model_type": "resnet"}', "config.json': expected a causal language model"),
    ],
)
def test_wrong_configurations(changed: Path, text: str, message: str) -> None:
    (changed / "config.json").write_text(text)
    with pytest.raises(ttmlir.Error) as error:
        llm.load(changed, **SETTINGS)
    assert message in str(error.value)
    assert len(str(error.value).splitlines()) == 1


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ttmlir.FileError, match="cannot be read"):
        llm.load(tmp_path / "absent")
    with pytest.raises(TypeError, match="expected a model or a configuration of transformers"):
        llm.load(5)


# Estimates ---------------------------------------------------------------------------------------


def configuration(layers: int = 6, **values: Any) -> LlamaConfig:
    return LlamaConfig(
        hidden_size=512,
        intermediate_size=1024,
        num_hidden_layers=layers,
        num_attention_heads=8,
        num_key_value_heads=4,
        vocab_size=2048,
        dtype="bfloat16",
        **values,
    )


def test_estimate_from_shapes() -> None:
    model = llm.load(configuration(), users=32, context=256, prefill_chunk=32)
    found = model.estimate()
    assert found.fits
    assert found.first_token > found.step > 0
    assert found.tokens_per_second == pytest.approx(32 / found.step)
    # Keys and values of eight bits, and an exponent for sixteen of them.
    assert found.cache_bytes == 6 * 2 * 32 * 4 * 256 * 64 * 17 // 16
    parameters = 6 * (512 * (512 + 256) * 2 + 3 * 512 * 1024) + 2 * 2048 * 512
    assert 0.5 * parameters < found.weight_bytes < 3 * parameters
    assert found.prefill_bytes > 0
    assert "t/s/u" in str(found)
    # Attention reads the rows up to the position.
    early = model.estimate(position=31)
    assert (early.position, found.position) == (31, 255)
    assert early.step < found.step
    with pytest.raises(
        ttmlir.Error, match="position: expected an integer from 0 to 255, found 256"
    ):
        model.estimate(position=256)
    with pytest.raises(ttmlir.InputError, match="the model has only shapes"):
        model.generate([[1]], max_new_tokens=1)


def test_layers_cost_what_they_cost_in_a_whole_program() -> None:
    keywords: dict[str, Any] = {"users": 8, "context": 128, "prefill_chunk": 1}
    model = llm.load(configuration(4), **keywords)
    found = model.estimate()
    module, _ = model.settings.exported(model.settings.shapes(model._source), 1)
    step = model.settings.compiled(module, 1)
    sampler = model.settings.sampler(step.outputs[-1], is_greedy=True)
    whole = 0.0
    for report in step.estimate(), sampler.estimate():
        whole += sum(op.cycles for op in report.ops if op.phase == "run") / report.clock_hz
    assert found.step == pytest.approx(whole, rel=1e-3)
    assert found.prefill_bytes == 0


def test_divided_over_chips() -> None:
    keywords: dict[str, Any] = {"users": 8, "context": 128, "prefill_chunk": 1}
    one = llm.load(configuration(), **keywords).estimate()
    two = llm.load(configuration(), target="n300", parallel="tensor", **keywords).estimate()
    assert (one.chips, two.chips) == (1, 2)
    assert two.cache_bytes == one.cache_bytes // 2
    assert two.weight_bytes < one.weight_bytes


def test_models_that_do_not_fit() -> None:
    config = configuration(40, head_dim=64)
    model = llm.load(config, users=32, context=32768, prefill_chunk=1, precision="balanced")
    found = model.estimate()
    assert not found.fits
    assert "does not fit" in str(found)


def test_kernels_are_timed_by_runs() -> None:
    with pytest.raises(ttmlir.Error, match="only a run times them"):
        llm.load(configuration(), backend="ttmetal").estimate()


# Accuracy and commands ---------------------------------------------------------------------------


def test_accuracy(checkpoint: Path) -> None:
    found = llm.accuracy(checkpoint, tokens=12, context=CONTEXT, users=2)
    assert [line.precision for line in found] == ["accuracy", "balanced", "performance"]
    assert {line.tokens for line in found} == {2 * 13}
    assert found[0].top1 == found[0].top5 == 1
    assert all(0.5 < line.top1 <= line.top5 <= 1 for line in found)


def test_commands(checkpoint: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["generate", str(checkpoint), "--prompt", "w7 w200 w31 w5 w90", "--context=64"]
    given += ["--prefill-chunk=16", "--precision=accuracy", "--max-new-tokens=3"]
    assert main(given) == 0
    out, err = capsys.readouterr()
    [wanted] = continued(decoder(), PROMPTS[:1], 3)
    assert out == " ".join(f"w{i}" for i in wanted) + "\n"
    assert "t/s/u" in err


def test_command_of_estimates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(configuration(1).to_dict(), default=str))
    assert main(["estimate", str(file), "--users=8", "--context=128"]) == 0
    assert "llama on n150, 8 users, context 128" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("estimate", "absent"), "'absent' cannot be read"),
        (("generate", "absent"), "Missing option '--prompt'"),
        (("estimate", "absent", "--users=0"), "users: expected an integer from 1, found 0"),
        (("unknown",), "No such command 'unknown'"),
    ],
)
def test_errors_of_commands(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(arguments)) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert message in err
    assert len(err.splitlines()) == 1


def test_the_module_is_a_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ttmlir.llm", "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "accuracy" in done.stdout


@pytest.mark.parametrize("package", ["torch", "transformers"])
def test_packages_are_needed_when_used(package: str) -> None:
    program = f"""
import sys
sys.modules[{package!r}] = None
from ttmlir import llm
try:
    llm.load
except ImportError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert "pip install ttmlir[llm]" in done.stdout, done.stderr
