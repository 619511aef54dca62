"""The campaigns by name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

# The ops, their cases and their references.
sys.path.insert(0, str(Path(__file__).parents[1] / "python"))
sys.path.insert(0, str(Path(__file__).parents[1] / "python" / "ops"))
sys.path.insert(0, str(Path(__file__).parents[1] / "python" / "frontends" / "stablehlo"))
sys.path.insert(0, str(Path(__file__).parents[1] / "python" / "frontends" / "pytorch"))
sys.path.insert(0, str(Path(__file__).parents[1] / "python" / "frontends" / "onnx_models"))

from divisions import Divisions
from engine import Campaign
from files import Files
from jax_functions import JaxFunctions
from kernels import Kernels
from matrix import Matrix
from meshes import Meshes
from networks import Networks
from onnx_graphs import OnnxGraphs
from programs import Programs
from sizes import Sizes
from texts import Texts
from torch_programs import TorchModules

CAMPAIGNS: dict[str, Callable[[], Campaign]] = {
    campaign.name: campaign
    for campaign in (
        *(Networks, Matrix, Kernels, Sizes, Programs, Meshes),
        *(TorchModules, JaxFunctions, OnnxGraphs, Divisions, Texts, Files),
    )
}
