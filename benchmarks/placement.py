"""Draws where a compiled ResNet-50 has the results of its ops.

python benchmarks/placement.py resnet_placement.svg
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

from bench_speed import MODELS, OPTIONS, captured

#: Colours of layouts.
COLORS = {
    "height_sharded": "#3b6ea5",
    "block_sharded": "#588157",
    "width_sharded": "#c8553d",
    "interleaved": "#e9c46a",
    "dram": "#8d99ae",
}


def draw(path: Path, target: str = "n150", precision: str = "performance") -> None:
    """Each op is a bar, as wide as its time: the bytes of its result in a core, and the cores that
    have some."""
    import matplotlib

    matplotlib.use("svg")
    # Without these, each run would write another file.
    matplotlib.rcParams.update({"svg.hashsalt": "ttmlir", "svg.fonttype": "none"})
    from matplotlib import pyplot
    from matplotlib.patches import Patch

    model = MODELS[0]
    batch, _ = model.published[target]
    keywords = {"target": target, "precision": precision, **OPTIONS}
    report = captured(model.build(0).eval(), model.inputs(batch), **keywords)
    figure, (sizes, cores) = pyplot.subplots(
        2, 1, sharex=True, figsize=(10, 4), height_ratios=(3, 2), layout="constrained"
    )
    now = 0.0
    for op in report.run.ops:
        time = op.cycles / report.clock_hz * 1e3
        if not op.kernels or not op.results:
            now += time
            continue
        result = op.results[0]
        color = COLORS["dram" if result.memory == "dram" else result.sharding]
        count = math.prod(int(extent) for extent in result.grid.split("x"))
        if result.memory == "l1":
            sizes.broken_barh([(now, time)], (0, result.bytes / count / 1024), color=color)
            cores.broken_barh([(now, time)], (0, count), color=color)
        else:
            sizes.broken_barh([(now, time)], (0, 8), color=color)
        now += time
    sizes.set_ylabel("KiB of a core")
    cores.set_ylabel("cores")
    cores.set_xlabel("ms")
    sizes.set_title(f"Results of the ops of ResNet-50, batch {batch}, {target}, {precision}")
    handles = [Patch(color=color, label=name) for name, color in COLORS.items()]
    sizes.legend(handles=handles, ncols=len(handles), loc="upper right", frameon=False)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python benchmarks/placement.py PICTURE.svg")
    draw(Path(sys.argv[1]))
