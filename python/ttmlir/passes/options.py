"""The options of each pipeline as a dataclass.

A field is the option of the same name on the command line, with dashes for underscores; what has
its default is left out of the text. ``str()`` of the object is that text.

>>> str(TTIRToTTNNBackendPipelineOptions(enable_optimizer=False, mesh_shape=(2, 1, 1)))
'enable-optimizer=false mesh-shape=2,1,1'
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar


@dataclass(frozen=True, kw_only=True)
class PipelineOptions:
    """Options of the pipeline named ``pipeline``, or by one of its ``aliases``."""

    pipeline: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()

    def __str__(self) -> str:
        defaults = type(self)()
        return " ".join(
            f"{f.name.replace('_', '-')}="
            f"{_text(f.name, getattr(self, f.name), getattr(defaults, f.name))}"
            for f in fields(self)
            if getattr(self, f.name) != getattr(defaults, f.name)
        )


@dataclass(frozen=True, kw_only=True)
class TTIRToTTNNBackendPipelineOptions(PipelineOptions):
    """Options of ``ttir-to-ttnn-backend-pipeline``.

    Args:
        enable_optimizer: let the optimizer choose grids and layouts.
        override_grid_sizes: grid (rows, columns) by the name of an op's location.
        override_output_layout: layout of the result by the name of an op's location, such as
            ``"4x4:l1:block_sharded"``: any of grid, memory space, memory layout, ``tile`` or
            ``row_major`` and data type, joined by colons.
        sharding_pass_enabled: keep chains of ops in shards in the cores' L1.
        resharding_enabled: also bring the first input of each chain into shards.
        enable_deallocate: free tensors of the device after their last use. By default in functions
            that have tensors in L1.
        enable_activation_dtype_lowering: send activations between chips as ``bfp_bf8``; a bool, or
            one of the words true, 1, yes, on, false, 0, no, off.
        activation_dtype_lowering_f32: with it, lower activations of f32 too, not only of bf16.
        system_desc_path: a ``.ttsys`` file to compile against.
        mesh_shape: shape of the device mesh.
        chip_ids: chips of the mesh, row-major; chosen by their links if empty.
    """

    pipeline: ClassVar[str] = "ttir-to-ttnn-backend-pipeline"

    enable_optimizer: bool = True
    override_grid_sizes: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    override_output_layout: Mapping[str, str] = field(default_factory=dict)
    sharding_pass_enabled: bool = False
    resharding_enabled: bool = False
    enable_deallocate: bool | None = None
    enable_activation_dtype_lowering: bool | str = False
    activation_dtype_lowering_f32: bool | str = False
    system_desc_path: str | os.PathLike[str] = ""
    mesh_shape: Sequence[int] = ()
    chip_ids: Sequence[int] = ()

    def __post_init__(self) -> None:
        for name in ("enable_activation_dtype_lowering", "activation_dtype_lowering_f32"):
            object.__setattr__(self, name, to_bool(name, getattr(self, name)))


@dataclass(frozen=True, kw_only=True)
class TTIRToTTMetalBackendPipelineOptions(PipelineOptions):
    """Options of ``ttir-to-ttmetal-backend-pipeline``.

    Args:
        mesh_shape: shape of the device mesh.
        chip_ids: chips of the mesh, row-major; chosen by their links if empty.
        system_desc_path: a ``.ttsys`` file to compile against.
        override_device_shape: rows and columns of cores to use of each chip; all by default.
        default_memory_space: where tensors lie: ``dram``, interleaved over the banks, from which
            kernels stream them; or ``l1``, where kernels and room allow it.
        use_all_gather_kernel: turn all_gather, reduce_scatter and all_reduce into kernels.
        all_gather_swizzle: rows of tiles that an all_gather goes through column by column before
            the next ones; 0 for all tiles row by row.
    """

    pipeline: ClassVar[str] = "ttir-to-ttmetal-backend-pipeline"

    mesh_shape: Sequence[int] = ()
    chip_ids: Sequence[int] = ()
    system_desc_path: str | os.PathLike[str] = ""
    override_device_shape: Sequence[int] = ()
    default_memory_space: str = "dram"
    use_all_gather_kernel: bool = False
    all_gather_swizzle: int = 0

    def __post_init__(self) -> None:
        if self.default_memory_space not in ("dram", "l1"):
            raise ValueError(
                f"default_memory_space: expected dram or l1, found {self.default_memory_space!r}"
            )
        if not isinstance(self.use_all_gather_kernel, bool):
            raise ValueError(
                f"use_all_gather_kernel: expected a bool, found {self.use_all_gather_kernel!r}"
            )
        swizzle = self.all_gather_swizzle
        is_count = isinstance(swizzle, int) and not isinstance(swizzle, bool)
        if not is_count or not 0 <= swizzle < 2**63:
            raise ValueError(
                "all_gather_swizzle: expected a number of rows of tiles, or 0 for none, found "
                f"{swizzle!r}"
            )


@dataclass(frozen=True, kw_only=True)
class TosaToTTIRPipelineOptions(PipelineOptions):
    """Options of ``tosa-to-ttir-pipeline``.

    Args:
        enable_remove_dead_values: run ``remove-dead-values`` in the end.
    """

    pipeline: ClassVar[str] = "tosa-to-ttir-pipeline"
    aliases: ClassVar[tuple[str, ...]] = ("tosa-to-ttir",)

    enable_remove_dead_values: bool = False


@dataclass(frozen=True, kw_only=True)
class LinalgToTTIRPipelineOptions(PipelineOptions):
    """Options of ``linalg-to-ttir-pipeline``.

    Args:
        enable_remove_dead_values: run ``remove-dead-values`` in the end.
    """

    pipeline: ClassVar[str] = "linalg-to-ttir-pipeline"
    aliases: ClassVar[tuple[str, ...]] = ("linalg-to-ttir",)

    enable_remove_dead_values: bool = False


def to_bool(name: str, value: object) -> bool:
    """A bool, or what one of the words says that options of a program's launcher are given in.

    Raises:
        ValueError: anything else.
    """
    if isinstance(value, bool):
        return value
    found = _WORDS.get(value.lower()) if isinstance(value, str) else None
    if found is None:
        raise ValueError(f"{name}: expected a bool or one of {', '.join(_WORDS)}, found {value!r}")
    return found


_WORDS = {
    **dict.fromkeys(("true", "1", "yes", "on"), True),
    **dict.fromkeys(("false", "0", "no", "off"), False),
}


def _text(name: str, value: Any, default: Any) -> str:
    """A value as the parser of options reads it."""
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    if (isinstance(value, str) and not isinstance(default, str)) or (
        isinstance(default, tuple) and not is_list
    ):
        raise TypeError(f"{name}: expected a value such as {default!r}, found {value!r}")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        part = _layout if name == "override_output_layout" else _grid
        text = ",".join(f"{key}={part(name, key, found)}" for key, found in value.items())
    elif isinstance(value, str | os.PathLike):
        text = os.fspath(value)
    elif isinstance(value, Sequence):
        entry = _chip if name == "chip_ids" else _extent
        text = ",".join(entry(name, number) for number in value)
    else:
        text = str(value)
    return f'"{text}"' if any(c.isspace() for c in text) else text


def _grid(name: str, key: str, grid: Any) -> str:
    """``4x8``."""
    if isinstance(grid, str) or not isinstance(grid, Sequence) or len(grid) != 2:
        raise ValueError(f"{name}: expected (rows, columns) for '{key}', found {grid!r}")
    return "x".join(_extent(name, extent) for extent in grid)


def _layout(name: str, key: str, layout: Any) -> str:
    """``4x4:l1:block_sharded``."""
    if not isinstance(layout, str) or not layout or any(c.isspace() or c in ",=" for c in layout):
        raise ValueError(
            f"{name}: expected parts joined by colons, such as '4x4:l1:block_sharded', for "
            f"'{key}', found {layout!r}"
        )
    from ttmlir._mlir_libs._ttmlir import overrides

    if problem := overrides.check_layout(key, layout):
        raise ValueError(f"{name}: {problem}")
    return layout


def _extent(name: str, value: Any) -> str:
    """A positive number."""
    if isinstance(value, str) or int(value) != value or value < 1:
        raise ValueError(f"{name}: expected positive extents, found {value!r}")
    return str(int(value))


def _chip(name: str, value: Any) -> str:
    """A number of a chip."""
    if isinstance(value, str) or int(value) != value or value < 0:
        raise ValueError(f"{name}: expected chips from 0, found {value!r}")
    return str(int(value))
