"""Modules whose parameters are ``DTensor``: their shardings, and their parameters as whole tensors,
since ``torch.export`` does not trace them."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch

from ttmlir.errors import Error
from ttmlir.frontends import ParameterSharding, ParameterShardings

if TYPE_CHECKING:
    from torch.distributed.device_mesh import DeviceMesh
    from torch.distributed.tensor import DTensor

#: The package whose functions convert tensors at the border of a module.
_PACKAGE = "torch.distributed.tensor"


def tensors(module: torch.nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
    """Yields all parameters and buffers, those that are tied with each of their names."""
    yield from module.named_parameters(remove_duplicate=False)
    yield from module.named_buffers(remove_duplicate=False)


def aliases(module: torch.nn.Module) -> list[list[str]]:
    """Returns the names of each parameter and buffer that has several."""
    names: dict[int, list[str]] = defaultdict(list)
    for name, tensor in tensors(module):
        names[id(tensor)].append(name)
    return [found for found in names.values() if len(found) > 1]


def dtensors(module: torch.nn.Module) -> dict[str, DTensor]:
    """Returns the parameters and buffers that are distributed, by name."""
    if _PACKAGE not in sys.modules:
        return {}
    from torch.distributed.tensor import DTensor

    return {name: tensor for name, tensor in tensors(module) if isinstance(tensor, DTensor)}


# Shardings ---------------------------------------------------------------------------------------


def dtensor_shardings(module: torch.nn.Module) -> ParameterShardings | None:
    """Returns the shardings of the distributed parameters and buffers; None if there are none.

    Raises:
        Error: a placement is not ``Shard`` or ``Replicate``, or there are several device meshes or
            more than two axes.
    """
    found = dtensors(module)
    if not found:
        return None
    first = next(iter(found))
    root = _root(found[first].device_mesh)
    if root.ndim > 2:
        raise Error(
            f"parallel: '{first}': expected a device mesh of one or two axes, found {root.ndim}"
        )
    kinds = ["none"] * root.ndim
    parameters = {}
    for name, tensor in found.items():
        if _root(tensor.device_mesh) != root:
            raise Error(
                f"parallel: expected one device mesh, found {root} for '{first}' and "
                f"{_root(tensor.device_mesh)} for '{name}'"
            )
        dims: list[int | None] = [None] * root.ndim
        for axis, dim in zip(_axes(name, tensor, root), _shards(name, tensor), strict=True):
            dims[axis] = dim
            if dim is not None and tensor.ndim > 1:
                kinds[axis] = "tensor"
        parameters[name] = ParameterSharding(
            tuple(tensor.shape), tuple(dims), f"the DTensor '{name}'"
        )
    return ParameterShardings(parameters, tuple(kinds), tuple(root.shape))


def _root(mesh: DeviceMesh) -> DeviceMesh:
    """Returns the mesh that a mesh of some of its axes is a part of."""
    found: DeviceMesh = mesh._get_root_mesh() if hasattr(mesh, "_get_root_mesh") else mesh
    return found


def _axes(name: str, tensor: DTensor, root: DeviceMesh) -> list[int]:
    """Returns the axes of the whole mesh that those of a tensor's mesh are."""
    mesh = tensor.device_mesh
    if mesh == root:
        return list(range(root.ndim))
    known = list(root.mesh_dim_names or ())
    for axis in mesh.mesh_dim_names or ():
        if axis not in known:
            raise Error(
                f"parallel: '{name}': expected axes of the device mesh {root}, found '{axis}'"
            )
    return [known.index(axis) for axis in mesh.mesh_dim_names or ()]


def _shards(name: str, tensor: DTensor) -> list[int | None]:
    """Returns the dimension that each axis of a tensor's mesh shards, or None."""
    from torch.distributed.tensor import Replicate, Shard

    dims: list[int | None] = []
    for placement in tensor.placements:
        if not isinstance(placement, Shard | Replicate):
            raise Error(
                f"parallel: the DTensor '{name}': expected the placements Shard and Replicate, "
                f"found {placement}"
            )
        dims.append(placement.dim % tensor.ndim if isinstance(placement, Shard) else None)
    return dims


# Whole tensors -----------------------------------------------------------------------------------


@contextmanager
def whole_tensors(module: torch.nn.Module) -> Iterator[None]:
    """Within the block, the module's parameters and buffers are whole tensors, and the hooks that
    convert its inputs and outputs to distributed tensors are removed.

    Raises:
        Error: a tensor has shards that this process cannot read, or an unsupported placement.
    """
    whole = {id(tensor): _whole(name, tensor) for name, tensor in dtensors(module).items()}
    undo: list[tuple[MutableMapping[Any, Any], dict[Any, Any]]] = []
    try:
        for part in module.modules():
            for values in (part._parameters, part._buffers):
                if any(id(value) in whole for value in values.values()):
                    undo.append((values, dict(values)))
                    values.update({k: whole[id(v)] for k, v in values.items() if id(v) in whole})
            for hooks in (part._forward_pre_hooks, part._forward_hooks):
                converting = [key for key, hook in hooks.items() if _converts(hook)]
                if converting:
                    undo.append((hooks, dict(hooks)))
                for key in converting:
                    del hooks[key]
        yield
    finally:
        for mapping, before in undo:
            mapping.clear()
            mapping.update(before)


def _converts(hook: Any) -> bool:
    return (getattr(hook, "__module__", None) or "").startswith(_PACKAGE)


def _whole(name: str, tensor: DTensor) -> torch.Tensor:
    from torch.distributed import get_backend

    mesh = tensor.device_mesh
    sharded = [
        axis
        for axis, dim in enumerate(_shards(name, tensor))
        if dim is not None and mesh.size(axis) > 1
    ]
    if tensor.is_meta:
        found = torch.empty(tensor.shape, dtype=tensor.dtype, device="meta")
    elif not sharded:
        found = tensor.to_local()
    else:
        for axis in sharded:
            if get_backend(mesh.get_group(axis)) == "fake":
                raise Error(
                    f"the DTensor '{name}' has only a shard {tuple(tensor.to_local().shape)} of "
                    f"{tuple(tensor.shape)}: the other ranks of a fake process group have no data; "
                    "pass the plan as parallel= with the original module, or distribute it on the "
                    "meta device and bind the parameters"
                )
        found = tensor.full_tensor()
    found = found.detach()
    if isinstance(tensor, torch.nn.Parameter):
        return torch.nn.Parameter(found, requires_grad=tensor.requires_grad)
    return found
