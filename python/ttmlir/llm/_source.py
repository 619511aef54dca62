"""Sources of models: a module of transformers, a configuration, or a folder with weights."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ttmlir import runtime
from ttmlir._files import file_error, shown
from ttmlir._safetensors import SafeTensors
from ttmlir.errors import Error, FileError
from ttmlir.llm._step import shapes_only

Array = np.ndarray[Any, np.dtype[Any]]
_INDEX = "model.safetensors.index.json"
_TOKENIZERS = ("tokenizer.json", "tokenizer.model", "tokenizer_config.json", "vocab.json")
#: Tensors in older checkpoints that follow from the configuration.
_FOLLOWS = re.compile(r"(^|\.)rotary_emb\.inv_freq$")
_SHOWN = 3  # names in an error


@dataclass(frozen=True)
class Source:
    """A model: its configuration and, if available, weights, buffers and tokenizer.

    Args:
        config: of transformers.
        dtype: of the parameters.
        weights: tensors by parameter name; None if there are only shapes.
        buffers: values that do not follow from the configuration, by name.
        tokenizer: of transformers; None if there is none.
    """

    config: Any
    dtype: torch.dtype
    weights: Mapping[str, Any] | None = None
    buffers: Mapping[str, torch.Tensor] = field(default_factory=dict)
    tokenizer: Any = None

    def shapes(self, dtype: torch.dtype, layers: int | None = None) -> torch.nn.Module:
        """Returns the module with parameters that have only shapes.

        Args:
            dtype: of its parameters.
            layers: number of layers; all by default.
        """
        config = self.config if layers is None else shortened(self.config, layers)
        model = shapes_only(config, dtype)
        for name, value in self.buffers.items():
            parent, _, own = name.rpartition(".")
            module = model.get_submodule(parent)
            if own in module._buffers:
                module._buffers[own] = value.detach().cpu()
        return model


def shortened(config: Any, layers: int) -> Any:
    """Returns the configuration with the first layers only."""
    found = config.to_dict() | {"num_hidden_layers": layers}
    if found.get("layer_types"):
        found["layer_types"] = found["layer_types"][:layers]
    return type(config).from_dict(found)


def source_of(source: Any) -> Source:
    """Determines the kind of a source, and loads it.

    Raises:
        FileError: a file of the folder does not exist or is damaged, or its tensors are not those
            of the model.
        Error: transformers has no causal language model for the configuration.
        TypeError: the source is something else.
    """
    from transformers import PreTrainedConfig, PreTrainedModel

    if isinstance(source, PreTrainedConfig):
        return Source(source, _dtype(source))
    if isinstance(source, PreTrainedModel):
        return _of_module(source)
    if isinstance(source, (str, os.PathLike)):
        return _of_path(Path(source))
    raise TypeError(
        "source: expected a model or a configuration of transformers, or the path of a folder with "
        f"config.json, found {type(source).__name__}"
    )


def _dtype(config: Any) -> torch.dtype:
    found = getattr(config, "dtype", None)
    if isinstance(found, str):
        found = getattr(torch, found, None)
    return found if isinstance(found, torch.dtype) else torch.bfloat16


def _of_module(model: Any) -> Source:
    weights = {name: value.detach() for name, value in model.named_parameters()}
    if any(value.is_meta for value in weights.values()):
        return Source(model.config, _first(weights), None)
    buffers = dict(model.named_buffers())
    return Source(model.config, _first(weights), weights, buffers)


def _first(weights: Mapping[str, torch.Tensor]) -> torch.dtype:
    return next(iter(weights.values())).dtype


# Folders -----------------------------------------------------------------------------------------


def _of_path(path: Path) -> Source:
    file = path / "config.json" if path.is_dir() else path
    config = _config(file)
    if file == path:
        return Source(config, _dtype(config))
    checkpoint = _Checkpoint(path)
    if not checkpoint.files:
        return Source(config, _dtype(config), tokenizer=_tokenizer(path))
    dtype = checkpoint.dtype() or _dtype(config)
    checkpoint.check(_shapes(config, dtype, file))
    return Source(config, dtype, checkpoint, tokenizer=_tokenizer(path))


def _shapes(config: Any, dtype: torch.dtype, file: Path) -> torch.nn.Module:
    try:
        return shapes_only(config, dtype)
    except ValueError as error:
        reason = str(error).partition("\n")[0]
        raise Error(f"{shown(file)}: expected a causal language model: {reason}") from None


def _json(file: Path) -> Any:
    try:
        found = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise file_error(file, "read", error) from None
    except ValueError as error:
        raise FileError(f"{shown(file)} is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise FileError(f"{shown(file)}: expected a JSON object, found {type(found).__name__}")
    return found


def _config(file: Path) -> Any:
    from transformers import CONFIG_MAPPING, AutoConfig

    found = _json(file)
    kind = found.pop("model_type", None)
    if kind not in CONFIG_MAPPING:
        raise FileError(f"{shown(file)}: transformers has no model of the type {kind!r}")
    try:
        return AutoConfig.for_model(kind, **found)
    except Exception as error:  # The checks of transformers raise errors of several packages.
        reason = " ".join(str(error).split())
        raise FileError(f"{shown(file)} is not a configuration: {reason}") from None


def _tokenizer(folder: Path) -> Any:
    if not any((folder / name).exists() for name in _TOKENIZERS):
        return None
    from transformers import AutoTokenizer

    try:
        return AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except Exception as error:  # Its packages raise their own errors.
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise FileError(f"{shown(folder)}: the tokenizer cannot be read: {reason}") from None


class _Checkpoint(Mapping[str, Array]):
    """The tensors in a folder by name, mapped into memory."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._home: dict[str, Path] = {}
        self.files: dict[Path, SafeTensors] = {}
        index = folder / _INDEX
        if index.exists():
            self._read_index(index)
            return
        for file in sorted(folder.glob("*.safetensors")):
            self._add(file)

    def _add(self, file: Path) -> SafeTensors:
        found = self.files[file] = SafeTensors(file)
        for name in found:
            if name in self._home:
                raise FileError(
                    f"{shown(file)}: tensor '{name}' is in {shown(self._home[name])} as well"
                )
            self._home[name] = file
        return found

    def _read_index(self, index: Path) -> None:
        places = _json(index).get("weight_map")
        if not isinstance(places, dict) or not all(isinstance(v, str) for v in places.values()):
            raise FileError(f"{shown(index)}: expected files by tensor in 'weight_map'")
        for name in sorted(set(places.values())):
            self._add(self._folder / name)
        for name, file in places.items():
            if self._home.get(name) != self._folder / file:
                raise FileError(f"{shown(self._folder / file)}: no tensor '{name}' of the index")

    def dtype(self) -> torch.dtype | None:
        """The first float type of a tensor."""
        for name in self:
            found = getattr(torch, self[name].dtype.name, None)
            if found is not None and found.is_floating_point:
                return found  # type: ignore[no-any-return]
        return None

    def check(self, model: Any) -> None:
        """Raises FileError unless the tensors are those of a model."""
        wanted = dict(model.named_parameters())
        tied = set(getattr(model, "all_tied_weights_keys", None) or {})
        for name, parameter in wanted.items():
            if name in self and self[name].shape != tuple(parameter.shape):
                raise FileError(
                    f"{shown(self._home[name])}: tensor '{name}': expected the shape "
                    f"{_extents(parameter.shape)}, found {_extents(self[name].shape)}"
                )
        if missing := [name for name in wanted if name not in self]:
            raise FileError(f"{shown(self._folder)}: no tensor {_names(missing)} of the model")
        ignored = list(getattr(model, "_keys_to_ignore_on_load_unexpected", None) or ())
        extra = [
            name
            for name in self
            if name not in wanted
            and name not in tied
            and not _FOLLOWS.search(name)
            and not any(re.search(pattern, name) for pattern in ignored)
        ]
        if extra:
            where = shown(self._home[extra[0]])
            raise FileError(f"{where}: the model has no parameter {_names(extra)}")

    def __getitem__(self, name: str) -> Array:
        return self.files[self._home[name]][name]

    def __contains__(self, name: object) -> bool:
        return name in self._home

    def __iter__(self) -> Any:
        return iter(self._home)

    def __len__(self) -> int:
        return len(self._home)


def _names(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(f"'{name}'" for name in names[:_SHOWN]) + more


def _extents(shape: Any) -> str:
    return "x".join(map(str, shape)) or "scalar"


def array_in(value: Any, dtype: Any) -> Array:
    """Returns a tensor as a read-only array, copied only if its dtype differs."""
    array = runtime.to_host_array(value)
    if array.dtype != dtype:
        array = array.astype(dtype)
    array = array[...]
    array.flags.writeable = False
    return array
