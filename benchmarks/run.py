"""Measures the numbers in the documentation, as ratios to a peer on the same machine.

    python benchmarks/run.py [kernels] [ttmetal] [convolutions] [clock] [startup] [compile] [mesh]
                             [calls] [jax] [models] [shapes] [speed] [hand-tuned] [chips] [auto]
                             [cpp]

Without arguments everything runs. torch is measured if it is installed. ``speed``, ``hand-tuned``
and ``chips`` compare modelled times of whole models with published figures instead, and ``auto``
divisions over chips with those made by hand.
"""

from __future__ import annotations

import argparse
import os
import platform

import bench_auto
import bench_calls
import bench_chips
import bench_clock
import bench_compile
import bench_convolutions
import bench_cpp
import bench_hand_tuned
import bench_jax
import bench_kernels
import bench_mesh
import bench_models
import bench_shapes
import bench_speed
import bench_startup
import bench_ttmetal
from rich.console import Console

import ttmlir

SECTIONS = {
    "kernels": bench_kernels.run,
    "ttmetal": bench_ttmetal.run,
    "convolutions": bench_convolutions.run,
    "clock": bench_clock.run,
    "startup": bench_startup.run,
    "compile": bench_compile.run,
    "mesh": bench_mesh.run,
    "calls": bench_calls.run,
    "jax": bench_jax.run,
    "models": bench_models.run,
    "shapes": bench_shapes.run,
    "speed": bench_speed.run,
    "hand-tuned": bench_hand_tuned.run,
    "chips": bench_chips.run,
    "auto": bench_auto.run,
    "cpp": bench_cpp.run,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sections", nargs="*", metavar="section", help=", ".join(SECTIONS))
    chosen = parser.parse_args().sections
    unknown = [name for name in chosen if name not in SECTIONS]
    if unknown:
        parser.error(f"no section '{unknown[0]}', expected one of {', '.join(SECTIONS)}")
    console = Console()
    console.print(
        f"ttmlir {ttmlir.__version__}, Python {platform.python_version()}, "
        f"{os.cpu_count()} CPUs, {ttmlir.runtime.get_num_threads()} threads"
    )
    for name in chosen or SECTIONS:
        SECTIONS[name](console)


if __name__ == "__main__":
    main()
