"""Modelled decode steps of Llama 3.1 8B on one chip, beside published figures; for bench_speed.py.

The module is transformers' own, with a static cache, and takes the token with the largest logit on
the chip. Its parameters are meta tensors: costs are estimates of the compiler, which need no
values.

    python benchmarks/decoders.py decode_layer.svg

draws the ops of a layer over time.
"""

from __future__ import annotations

import functools
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import ttmlir

LAYERS = 32
#: Layers that are compiled; the others cost as much as one of their difference.
FEW, MORE = 1, 2
#: Of a weight's name to its format, as behind the published figures.
FORMATS = {"*": "bf16", "*gate_proj*": "bfp4_b", "*up_proj*": "bfp4_b"}
PRECISIONS: dict[str, dict[str, Any]] = {
    "balanced": {"precision": "balanced"},
    "performance": {"precision": "performance", "dtype": FORMATS},
}

#: Published tokens a second and user, by target and number of users. The positions at which they
#: were measured are not published: CASES has an early and the last one of a cache.
PUBLISHED = {("n150", 32): 26.0, ("n150", 1): 28.3, ("p150", 32): 33.1}
CONTEXT = 1024
#: Targets, users and position of the token in a cache of CONTEXT positions.
CASES = (("n150", 32, 255), ("n150", 32, 1023), ("n150", 1, 255), ("p150", 32, 255))

#: Published seconds to the first token behind a prompt, by target; one user.
FIRST_TOKEN = {"n150": 104e-3}
PROMPT = 128

COLUMNS = (
    "model",
    "users",
    "position",
    "target",
    "precision",
    "published",
    "modelled",
    "ratio",
    "ms a step",
    "us a layer",
    "most expensive in a layer",
)


@dataclass(frozen=True)
class Row:
    """Seconds of a decode step and, by kind of op, of a layer."""

    users: int
    position: int
    target: str
    precision: str
    step: float
    layer: dict[str, float]

    @property
    def ratio(self) -> float:
        """Of the published figure."""
        return 1 / self.step / PUBLISHED[self.target, self.users]

    def cells(self) -> tuple[str, ...]:
        layer = sum(self.layer.values())
        found = sorted(self.layer.items(), key=lambda item: -item[1])[:3]
        return (
            "Llama 3.1 8B",
            str(self.users),
            str(self.position),
            self.target,
            self.precision,
            f"{PUBLISHED[self.target, self.users]:.1f}",
            f"{1 / self.step:.1f}",
            f"{self.ratio:.3f}",
            f"{self.step * 1e3:.2f}",
            f"{layer * 1e6:,.0f}",
            ", ".join(f"{kind} {seconds / layer:.0%}" for kind, seconds in found),
        )


def decoder(users: int, context: int, layers: int, tokens: int = 1) -> tuple[Any, tuple[Any, ...]]:
    """A module that reads some tokens of each user and finds the next one, and its arguments, as
    meta tensors."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM, StaticCache

    config = LlamaConfig(
        hidden_size=4096,
        intermediate_size=14336,
        num_hidden_layers=layers,
        num_attention_heads=32,
        num_key_value_heads=8,
        vocab_size=128256,
        max_position_embeddings=131072,
        rms_norm_eps=1e-5,
        attn_implementation="sdpa",
    )

    class Decoder(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = LlamaForCausalLM(config).to(torch.bfloat16)
            self.cache = StaticCache(config=config, max_cache_len=context)
            self.cache.early_initialization(
                users, config.num_key_value_heads, 128, torch.bfloat16, torch.device("meta")
            )
            for i, layer in enumerate(self.cache.layers):
                self.register_buffer(f"keys_{i}", layer.keys)
                self.register_buffer(f"values_{i}", layer.values)
                self.register_buffer(f"length_{i}", layer.cumulative_length)

        def forward(self, ids: torch.Tensor, position: torch.Tensor) -> torch.Tensor:
            for layer in self.cache.layers:
                layer.cumulative_length.copy_(position[0])
            found = self.model(
                input_ids=ids,
                position_ids=position[None],
                past_key_values=self.cache,
                logits_to_keep=1,
            )
            return found.logits.argmax(-1)

    with torch.device("meta"):
        module = Decoder().eval()
        return module, (
            torch.zeros(users, tokens, dtype=torch.long),
            torch.zeros(tokens, dtype=torch.long),
        )


def seconds(exe: Any, position: int) -> dict[str, float]:
    """Seconds on the chip by kind of op, without transfers of the host."""
    report = exe.estimate(position=position)
    kinds: dict[str, float] = defaultdict(float)
    for op in report.ops:
        if op.phase == "run":
            kinds[op.name.removeprefix("eltwise.")] += op.cycles / report.clock_hz
    return kinds


@functools.cache
def compiled(
    target: str, precision: str, users: int, context: int, layers: int, tokens: int
) -> Any:
    module, inputs = decoder(users, context, layers, tokens)
    return ttmlir.compile(module, example_inputs=inputs, target=target, **PRECISIONS[precision])


def runs(
    target: str, users: int, position: int, context: int = CONTEXT, tokens: int = 1
) -> Iterator[tuple[str, float, dict[str, float]]]:
    """Precision, seconds of the whole model and, by kind of op, of a layer; the last of the tokens
    is at the position."""
    for precision in PRECISIONS:
        few, more = (
            seconds(compiled(target, precision, users, context, layers, tokens), position)
            for layers in (FEW, MORE)
        )
        layer = {kind: more[kind] - few.get(kind, 0) for kind in more}
        yield precision, sum(few.values()) + (LAYERS - FEW) * sum(layer.values()), layer


PRODUCT_COLUMNS = ("product", "target", "weights", "MB", "us", "GB/s", "of peak")


def products(position: int = 255) -> Iterator[tuple[str, ...]]:
    """Cells of the products of a step for 32 users in performance precision: which share of the
    DRAM bandwidth of the chip their reads have."""
    for target in ("n150", "p150"):
        exe = compiled(target, "performance", 32, CONTEXT, FEW, 1)
        report = exe.estimate(position=position)
        peak = ttmlir.runtime.get_machine(report.arch).dram_bytes_per_second
        for op in report.ops:
            if op.phase != "run" or op.name != "matmul":
                continue
            time = op.cycles / report.clock_hz
            rate = op.dram_read_bytes / time
            weights = op.operands[1]
            yield (
                name_of(op),
                target,
                f"{weights.dtype}, {weights.sharding}",
                f"{op.dram_read_bytes / 1e6:.1f}",
                f"{time * 1e6:,.1f}",
                f"{rate / 1e9:.0f}",
                f"{rate / peak:.0%}",
            )


def name_of(op: Any) -> str:
    """The parts of the module that the op comes from: ``self_attn.q_proj + k_proj + v_proj``."""
    first, *others = (module_of(label) for label in op.label.split(" + "))
    return " + ".join([first, *(name.split(".")[-1] for name in others)])


def module_of(label: str) -> str:
    parts = label.split("/")[0].split(".")
    names = [part for part in parts if part != "model"]
    if names[:1] == ["layers"]:
        names = names[2:]
    # The activation is in the product with the gate.
    return ".".join(names).replace("act_fn", "gate_proj")


#: Kinds of the ops of a picture, from the top, and their colours.
LANES = {"products": "#3b6ea5", "attention": "#c8553d", "norms": "#588157", "others": "#8d99ae"}


def lane_of(name: str) -> str:
    kinds = {"matmul": "products", "scaled_dot_product_attention": "attention", "rms_norm": "norms"}
    return kinds.get(name, "others")


def draw_layer(path: str, target: str = "n150", position: int = 255) -> None:
    """Writes a picture of the ops of a layer over time, and of the DRAM bandwidth that each has."""
    import matplotlib

    matplotlib.use("svg")
    # Without these, each run would write another file.
    matplotlib.rcParams.update({"svg.hashsalt": "ttmlir", "svg.fonttype": "none"})
    from matplotlib import pyplot

    exe = compiled(target, "performance", 32, CONTEXT, MORE, 1)
    report = exe.estimate(position=position)
    peak = ttmlir.runtime.get_machine(report.arch).dram_bytes_per_second
    figure, (lanes, dram) = pyplot.subplots(
        2, 1, sharex=True, figsize=(10, 4), height_ratios=(3, 2), layout="constrained"
    )
    now = 0.0
    for op in report.ops:
        if op.phase != "run" or f".layers.{MORE - 1}." not in op.label:
            continue
        time = op.cycles / report.clock_hz * 1e6
        lane = lane_of(op.name)
        row = list(LANES).index(lane)
        lanes.broken_barh([(now, time)], (row - 0.4, 0.8), color=LANES[lane], edgecolor="white")
        if lane == "products":
            text = name_of(op).split(".")[-1].replace("_proj", "")
            lanes.text(now + time / 2, row, text, ha="center", va="center", color="white", size=8)
        rate = op.dram_read_bytes / max(time * 1e-6, 1e-12)
        dram.broken_barh([(now, time)], (0, rate / peak * 100), color=LANES[lane])
        now += time
    lanes.set_yticks(range(len(LANES)), list(LANES))
    lanes.invert_yaxis()
    lanes.set_title(
        f"A decode layer of Llama 3.1 8B, 32 users, position {position}, {target}, performance"
    )
    dram.set_ylim(0, 100)
    dram.set_ylabel("DRAM reads, % of peak")
    dram.set_xlabel("us")
    figure.savefig(path, metadata={"Date": None})


def rows() -> Iterator[Row]:
    for target, users, position in CASES:
        for precision, step, layer in runs(target, users, position):
            yield Row(users, position, target, precision, step, layer)


def first_tokens() -> Iterator[str]:
    """A line for each target and precision."""
    for target, published in FIRST_TOKEN.items():
        for precision, found, _ in runs(target, 1, PROMPT - 1, 2 * PROMPT, PROMPT):
            yield (
                f"first token behind a prompt of {PROMPT}, one user, {target}, {precision}: "
                f"{found * 1e3:.1f} ms on the chip, published {published * 1e3:.0f} ms"
            )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python benchmarks/decoders.py PICTURE.svg")
    draw_layer(sys.argv[1])
