"""The result of lowering a source, and the options for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ttmlir.frontends._signature import Signature

if TYPE_CHECKING:
    from ttmlir import ir, runtime


@dataclass(frozen=True)
class Options:
    """Options for a front end: the ``system`` to compile for (None if only the module is needed),
    and the chips selected by the user."""

    system: runtime.SystemDesc | None = None
    chip_ids: tuple[int, ...] = ()


@dataclass(frozen=True)
class Lowered:
    """A source lowered to a TTIR module.

    Args:
        module: a verified module owned by the caller.
        signature: defines how the executable is called.
        pipeline: passes that first lower the module to TTIR; empty if it is TTIR.
        mesh_shape: the mesh that the program was written for; empty if unspecified.
        chip_ids: the chips of the mesh in row-major order, if the program chooses them.
    """

    module: ir.Module
    signature: Signature = field(default_factory=Signature)
    pipeline: str = ""
    mesh_shape: tuple[int, ...] = ()
    chip_ids: tuple[int, ...] = ()
