"""What text generation costs on several targets: tables, changes, prices, and the command line."""

from __future__ import annotations

import json
import signal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import transformers

import ttmlir
from ttmlir import llm
from ttmlir.llm.__main__ import main
from ttrt.common.api import API

pytestmark = pytest.mark.torch
KEYWORDS: dict[str, Any] = {"users": 8, "context": 128, "prompt": 64, "prefill_chunk": 32}


def configuration(**values: Any) -> Any:
    chosen = {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 2}
    heads = {"num_attention_heads": 8, "num_key_value_heads": 4, "vocab_size": 2048}
    return transformers.LlamaConfig(**(chosen | heads | values), dtype="bfloat16")


@cache
def planned() -> Any:
    return llm.plan(
        configuration(),
        targets=["n150", "n300"],
        precisions=["performance"],
        prices={"n150": 500, "n300": 2000},
        watts={"n300": 150.0},
        **KEYWORDS,
    )


def test_choices() -> None:
    plan = planned()
    # One chip of each, and two kinds on two chips.
    assert len(plan) == plan.total == 1 + 3
    assert all(choice.fits for choice in plan)
    times = [choice.seconds for choice in plan]
    assert times == sorted(times)
    assert plan.best is plan[0]
    divided = next(c for c in plan if c.parallel == {"tensor": 2}).estimate
    whole = plan.best_of("n150").estimate
    assert (whole.chips, divided.chips) == (1, 2)
    assert whole.link_bytes == 0 < divided.link_bytes
    assert divided.cache_bytes == whole.cache_bytes // 2
    assert divided.weight_bytes < whole.weight_bytes
    assert min(whole.rest_bytes, whole.prefill_bytes) > 0


def test_a_choice_is_what_its_keywords_load() -> None:
    choice = planned().best
    found = llm.load(configuration(), **choice.keywords).estimate(prompt=KEYWORDS["prompt"])
    assert found == choice.estimate
    # Two chunks, of which the second one reads more rows.
    one = llm.load(configuration(), **choice.keywords).estimate(prompt=32)
    assert one.first_token < found.first_token < 2.5 * one.first_token


def test_prices_and_watts() -> None:
    for choice in planned():
        rate = choice.estimate.tokens_per_second
        cells = choice.cells()
        price = {"n150": 500, "n300": 2000}[choice.target]
        assert float(cells["t/s/$"].replace(",", "")) == pytest.approx(rate / price, rel=0.01)
        if choice.target == "n300":
            assert float(cells["J a token"]) == pytest.approx(150 / rate, rel=0.01)
        else:
            assert cells["J a token"] == ""
    assert "t/s/$" in str(planned())
    plan = llm.plan(
        configuration(), targets=["n150"], precisions=["balanced"], changes=0, **KEYWORDS
    )
    assert "$" not in str(plan)
    assert "J a token" not in str(plan)
    assert plan.changes == ()


def test_changes_are_faster_when_compiled() -> None:
    plan = planned()
    assert plan.changed == plan.best_of("n150")
    assert 1 <= len(plan.changes) <= 3
    assert [c.after for c in plan.changes] == sorted(c.after for c in plan.changes)
    for change in plan.changes:
        keywords = plan.changed.keywords | change.keywords
        found = llm.load(configuration(), **keywords).estimate()
        assert found.step == pytest.approx(change.after)
        assert found.step < change.before == plan.changed.seconds
    assert f"changes that gain most, for {plan.changed.name}:\n- " in str(plan)


def test_pages(tmp_path: Path) -> None:
    planned().save(tmp_path / "plan.html")
    page = (tmp_path / "plan.html").read_text()
    assert "tensor 2" in page
    assert "changes that gain most" in page
    planned().save(tmp_path / "plan.json")
    saved = json.loads((tmp_path / "plan.json").read_text())
    assert [entry["seconds"] for entry in saved["choices"]] == [c.seconds for c in planned()]
    assert len(saved["changes"]) == len(planned().changes)


def test_models_that_do_not_fit() -> None:
    large = configuration(num_hidden_layers=600, head_dim=64)
    [choice] = llm.plan(
        large, targets=["n150"], precisions=["balanced"], users=32, context=16384, prompt=32
    )
    assert not choice.fits
    assert choice.cells()["fits"].startswith("no: ")
    assert choice.cells()["fits"].endswith("GiB missing")


def test_where_both_programs_have_no_room_one_reads_prompts() -> None:
    wide = configuration(hidden_size=4096, intermediate_size=14336, num_hidden_layers=48)
    # The activations of so many rows have no room beside the weights.
    chunks = {"users": 32, "context": 512, "prompt": 128, "prefill_chunk": 512}
    both = {name: value for name, value in chunks.items() if name != "prompt"}
    assert not llm.load(wide, target="n150", **both).estimate().fits
    [choice] = llm.plan(wide, targets=["n150"], precisions=["performance"], changes=0, **chunks)
    assert choice.fits
    assert choice.keywords["prefill_chunk"] == 1
    assert choice.estimate.prefill_bytes == 0


def test_users_that_chips_do_not_divide() -> None:
    plan = llm.plan(
        configuration(),
        targets=["n300"],
        precisions=["performance"],
        changes=0,
        **(KEYWORDS | {"users": 3}),
    )
    [failed] = [choice for choice in plan if choice.error]
    assert failed.parallel == {"data": 2}
    assert "2 chips do not divide dimension 0" in failed.cells()["fits"]
    assert plan[-1] is failed


def test_an_interrupt_returns_what_was_found() -> None:
    seen = []

    def stop(choice: Any) -> None:
        seen.append(choice)
        if len(seen) == 2:
            signal.raise_signal(signal.SIGINT)

    plan = llm.plan(
        configuration(), targets=["n300"], precisions=["performance"], progress=stop, **KEYWORDS
    )
    assert (len(plan), plan.total, plan.changes) == (2, 3, ())
    assert "of the 2 of 3 choices before the interrupt" in str(plan)


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"targets": ["n151"]}, ttmlir.Error, "no target 'n151'"),
        ({"targets": "n150"}, TypeError, "expected a list of names, found 'n150'"),
        ({"targets": []}, ttmlir.Error, "expected at least one"),
        ({"parallel": "data"}, TypeError, r"plan\(\) chooses parallel itself: remove it"),
        ({"prices": {"n300": 1}, "targets": ["n150"]}, ttmlir.Error, "prices: 'n300' is not one"),
        ({"watts": {"n150": 0}, "targets": ["n150"]}, ttmlir.Error, "a positive number, found 0"),
        ({"prompt": 1025, "targets": ["n150"]}, ttmlir.Error, "integer from 1 to 1024, found 1025"),
    ],
)
def test_wrong_arguments(keywords: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        llm.plan(configuration(), **keywords)


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(configuration().to_dict(), default=str))
    common = ["--targets=n150", "--precisions=performance", "--users=8", "--context=128"]
    common += ["--prices=n150=500", "--changes=0"]
    assert main(["plan", str(file), *common, f"--page={tmp_path / 'plan.html'}"]) == 0
    assert "best: llm.load(..., target='n150'" in capsys.readouterr().out
    assert "t/s/$" in (tmp_path / "plan.html").read_text()
    assert main(["plan", str(file), "--prices=500"]) == 1
    assert "--prices: expected amounts by target" in capsys.readouterr().err
    API.initialize_apis()
    plan = API.Plan(
        args={
            "model": str(file),
            "targets": "n150",
            "precisions": "performance",
            "users": 8,
            "context": 128,
            "changes": 0,
            "json": str(tmp_path / "plan.json"),
        }
    )
    plan()
    [entry] = json.loads((tmp_path / "plan.json").read_text())["choices"]
    assert entry["estimate"]["users"] == 8
