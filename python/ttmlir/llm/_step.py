"""The PyTorch module of one program: it processes some tokens of each user, with caches as
arguments.

Each user has its own rows of the caches, or blocks listed in a page table. A step writes a row or a
chunk of rows for each user, in place and with one op.
"""

from __future__ import annotations

import copy
import inspect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from ttmlir import ir
from ttmlir._lowering import mark_arguments
from ttmlir.builder import Builder
from ttmlir.builder._functions import ALIASED_OUTPUT
from ttmlir.frontends.torch import import_program

#: The number of a missing block.
NO_BLOCK = -1


@dataclass(frozen=True)
class Shape:
    """Extents of the programs of a model.

    Args:
        users: batch size.
        context: cache rows of a user.
        page_size: rows in a block of paged caches; None for contiguous caches.
        pages: number of blocks for all users.
    """

    users: int
    context: int
    page_size: int | None = None
    pages: int = 0

    @property
    def pages_per_user(self) -> int:
        return 0 if self.page_size is None else self.context // self.page_size

    @property
    def state(self) -> int:
        """Number of stateful arguments other than the caches."""
        return 2 if self.page_size is None else 3


class _Cache:
    """The cache interface of transformers, for one step."""

    is_compileable = True

    def __init__(self, rows: Sequence[torch.Tensor], place: torch.Tensor, context: int) -> None:
        self.rows, self._context = list(rows), context
        self._starts = place[:, None]

    def update(
        self, keys: torch.Tensor, values: torch.Tensor, layer_idx: int, *_: Any, **__: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        found = []
        for i, new in ((2 * layer_idx, keys), (2 * layer_idx + 1, values)):
            # Some models, such as Falcon, repeat the heads of keys before they write them: the
            # caches have each once.
            times = new.shape[1] // self.rows[i].shape[1]
            self.rows[i] = self._written(self.rows[i], _different(new, times))
            found.append(_repeated(self._read(self.rows[i]), times))
        return found[0], found[1]

    def _written(self, rows: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
        return torch.ops.ttmlir.update_slices(rows, new, self._starts, [2])

    def _read(self, rows: torch.Tensor) -> torch.Tensor:
        return rows

    def get_seq_length(self, layer_idx: int = 0) -> int:
        return 0

    def get_query_offset(self, layer_idx: int = 0) -> int:
        return 0

    def get_mask_sizes(self, query_length: int, layer_idx: int = 0) -> tuple[int, int]:
        return self._context, 0


def _different(rows: torch.Tensor, times: int) -> torch.Tensor:
    """Returns one of each ``times`` equal heads of (users, heads, tokens, width)."""
    if times == 1:
        return rows
    # Not by a step, for which chips that divide the heads would gather them.
    return rows.unflatten(1, (-1, times))[:, :, 0]


def _repeated(rows: torch.Tensor, times: int) -> torch.Tensor:
    """Repeats each head of (users, heads, context, width) for the queries that share it."""
    if times == 1:
        return rows
    users, heads, context, width = rows.shape
    repeated = rows[:, :, None].expand(users, heads, times, context, width)
    return repeated.reshape(users, heads * times, context, width)


class _PagedCache(_Cache):
    """Blocks (blocks, heads, size, width), with a table of the blocks of each user."""

    def __init__(
        self, rows: Sequence[torch.Tensor], place: torch.Tensor, count: int, table: torch.Tensor
    ) -> None:
        size = rows[0].shape[2]
        super().__init__(rows, place, table.shape[1] * size)
        self._table = table
        # A chunk consists of whole blocks, or is a part of one.
        self._piece = math.gcd(count, size)
        at = place[:, None] + torch.arange(0, count, self._piece, dtype=torch.int32)
        number = torch.div(at, size, rounding_mode="floor")
        blocks = table.gather(1, number.clamp(max=table.shape[1] - 1).long())
        blocks = torch.where(at < self._context, blocks, NO_BLOCK)
        self._starts = torch.stack([blocks, at - number * size], -1).reshape(-1, 2)

    def _written(self, rows: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
        users, heads, count, width = new.shape
        pieces = count // self._piece
        if pieces > 1:
            new = new.reshape(users, heads, pieces, self._piece, width).transpose(1, 2)
            new = new.reshape(users * pieces, heads, self._piece, width)
        return torch.ops.ttmlir.update_slices(rows, new, self._starts, [0, 2])

    def _read(self, rows: torch.Tensor) -> torch.Tensor:
        return torch.ops.ttmlir.read_pages(rows, self._table)


class _LastRows:
    """Restricts the output of a model to one token of each user, in any row.

    Args:
        row: in (users, tokens); None if there is one token.
    """

    def __init__(self) -> None:
        self.row: torch.Tensor | None = None

    def __call__(self, _: nn.Module, inputs: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        """Called before the output embeddings, with (users, tokens, width)."""
        hidden, *others = inputs
        if self.row is None:
            return inputs
        # Not by a gather, which chips that divide the users would compute for all users.
        is_row = torch.arange(hidden.shape[1], dtype=torch.int32) == self.row[:, None]
        hidden = torch.where(is_row[..., None], hidden, 0.0).sum(1, keepdim=True)
        return (hidden, *others)


class Step(nn.Module):  # type: ignore[misc]
    """Processes tokens, and returns the logits after the last one of each user.

    Args:
        model: a causal language model of transformers.
    """

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model
        self.last_rows = _LastRows()
        config: Any = model.config
        kinds = set(getattr(config, "layer_types", None) or ())
        window = getattr(config, "sliding_window", None)
        if not kinds:
            kinds = {"sliding_attention" if window else "full_attention"}
        self._windows = {kind: window if kind == "sliding_attention" else None for kind in kinds}

    def forward(
        self,
        rows: list[torch.Tensor],
        place: torch.Tensor,
        ends: torch.Tensor,
        ids: torch.Tensor,
        table: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, ...]:
        """Returns the new values of the stateful arguments, and the logits: (users, vocabulary).

        Args:
            rows: keys and values of each layer: (users, heads, context, width), or, with a table,
                (blocks, heads, rows of a block, width).
            place: the position of the first token: (users), int32. The place of a chunk is a
                multiple of its length.
            ends: the position of the last token of each prompt, (users), int32; the logits after it
                are returned if it is in the chunk.
            ids: tokens: (users, tokens), int32.
            table: the blocks of each user: (users, blocks of a user), int32. Rows of
                a missing block, a negative number, are not written.
        """
        count = ids.shape[1]
        if table is None:
            cache = _Cache(rows, place, rows[0].shape[2])
        else:
            cache = _PagedCache(rows, place, count, table)
        context, _ = cache.get_mask_sizes(count)
        at = place[:, None] + torch.arange(count, dtype=torch.int32)
        # Positions of users whose text has ended also advance.
        at = at.clamp(max=context - 1)
        keys = torch.arange(context, dtype=torch.int32)[None, None, None]
        masks = {
            kind: torch.where(_seen(keys, at, window), 0.0, -math.inf)
            for kind, window in self._windows.items()
        }
        if count > 1:
            self.last_rows.row = (ends - place).clamp(0, count - 1)
        found = self.model(
            input_ids=torch.ops.ttmlir.in_rows(ids),
            position_ids=at,
            # Models with one kind of layers take one mask, others one for each kind.
            attention_mask=masks if len(masks) > 1 else next(iter(masks.values())),
            use_cache=True,
            logits_to_keep=0,
            **{cache_keyword(self.model): cache},
        )
        tables = () if table is None else (table.clone(),)
        return (*cache.rows, place + count, ends.clone(), *tables, found.logits[:, -1])


def cache_keyword(model: nn.Module) -> str:
    """Returns the argument name of the caches, which differs between releases."""
    known = inspect.signature(type(model).forward).parameters
    return "cache" if "cache" in known else "past_key_values"


def _seen(keys: torch.Tensor, at: torch.Tensor, window: int | None) -> torch.Tensor:
    """Returns the mask of rows that each token can see: (users, 1, tokens, context)."""
    queries = at[:, None, :, None]
    seen = keys <= queries
    if window is not None:
        seen = seen & (keys > queries - window)
    return seen


def program_of(
    model: nn.Module, shape: Shape, tokens: int, dtype: Any
) -> tuple[ir.Module, dict[str, str | torch.Tensor]]:
    """Returns the TTIR program of a step, with the caches as donated arguments, and for each
    argument before them, by name, the model's parameter name or the value.

    Args:
        model: a causal language model of transformers, whose parameters are only shapes here.
        shape: of the program.
        tokens: number of tokens for each user in a call.
        dtype: the formats of weights and activations, as in ``ttmlir.compile``.

    Raises:
        CompileError: the model cannot be exported, or has ops that are not supported.
    """
    from ttmlir.frontends.torch._export import exported_module

    rows = caches(model.config, shape, next(model.parameters()).dtype)
    numbers = [(shape.users,), (shape.users,), (shape.users, tokens)]
    if shape.page_size is not None:
        numbers.append((shape.users, shape.pages_per_user))
    examples = (rows, *(torch.zeros(extents, dtype=torch.int32) for extents in numbers))
    step = Step(model).eval()
    hook = model.get_output_embeddings().register_forward_pre_hook(step.last_rows)
    try:
        with torch.no_grad():
            exported = exported_module(step, examples, None)
    finally:
        hook.remove()
    imported = import_program(exported, dtype=dtype, name="prefill" if tokens > 1 else "decode")
    module = imported.builder.module
    # User arguments follow the parameters, in order; tokens have no state.
    first = len(imported.parameters)
    ids = len(rows) + 2
    i64 = ir.IntegerType.get_signless(64, module.context)

    def donated(_: str, argument: ir.BlockArgument[Any]) -> dict[str, ir.Attribute]:
        i = argument.arg_number - first
        if i < 0 or i == ids:
            return {}
        return {ALIASED_OUTPUT: ir.IntegerAttr.get(i64, i - (i > ids))}

    _keep_on_host(module, imported.builder, first)
    mark_arguments(module, donated)
    return module, _origins(model, imported.parameters)


def _keep_on_host(module: ir.Module, builder: Builder, count: int) -> None:
    """Makes the program take its block-float weights, which are among the first arguments, as bf16
    from the host, and convert them.

    As block-float arguments, they would stay on the device in addition to the copy in the program's
    layout, and on a mesh unsharded on each chip.
    """
    function: Any = module.body.operations[0]
    block = function.regions[0].blocks[0]
    for argument in list(block.arguments)[:count]:
        stored = ir.RankedTensorType(argument.type)
        if stored.encoding is None:
            continue
        layout = builder._layout(tuple(stored.shape), "bf16", "system", tiled=False)
        with module.context, argument.location, ir.InsertionPoint.at_block_begin(block):
            given = ir.RankedTensorType.get(stored.shape, stored.element_type, layout)
            empty = ir.Operation.create("tensor.empty", results=[stored])
            made = ir.Operation.create(
                "ttir.to_layout", results=[stored], operands=[argument, empty.result]
            )
        argument.replace_all_uses_except(made.result, made)
        argument.set_type(given)
    kind = ir.FunctionType(ir.TypeAttr(function.attributes["function_type"]).value)
    with module.context:
        kind = ir.FunctionType.get([a.type for a in block.arguments], kind.results)
        function.attributes["function_type"] = ir.TypeAttr.get(kind)


def _origins(
    model: nn.Module, parameters: Mapping[str, torch.Tensor]
) -> dict[str, str | torch.Tensor]:
    # Tied parameters have several names; checkpoints have the first one.
    first = {id(value): name for name, value in model.named_parameters()}
    names = {
        f"model.{name}": first[id(value)]
        for name, value in model.named_parameters(remove_duplicate=False)
    }
    return {name: names.get(name, value) for name, value in parameters.items()}


def key_heads(config: Any) -> int:
    """Returns the number of key and value heads of a layer that differ."""
    text = config.get_text_config()
    if getattr(text, "multi_query", False) and not getattr(text, "new_decoder_architecture", False):
        return 1
    for name in ("num_kv_heads", "num_key_value_heads"):
        if found := getattr(text, name, None):
            return int(found)
    return int(text.num_attention_heads)


def caches(config: Any, shape: Shape, dtype: torch.dtype) -> list[torch.Tensor]:
    """Returns empty keys and values for each layer, which take no memory."""
    text, heads = config.get_text_config(), key_heads(config)
    width = getattr(text, "head_dim", None) or text.hidden_size // text.num_attention_heads
    extents = (shape.users, heads, shape.context, width)
    if shape.page_size is not None:
        extents = (shape.pages, heads, shape.page_size, width)
    return [torch.zeros((), dtype=dtype).expand(extents) for _ in range(2 * text.num_hidden_layers)]


def shapes_only(config: Any, dtype: torch.dtype) -> nn.Module:
    """Returns a causal language model of transformers whose parameters take no memory.

    Raises:
        ValueError: transformers has no causal language model for the configuration.
    """
    config = copy.deepcopy(config)
    try:
        model = _without_values(config, dtype, "sdpa")
    except ValueError:
        # Some models, such as those that cap scores, support only their own attention.
        model = _without_values(config, dtype, "eager")
    made: dict[int, nn.Parameter] = {}
    for module in model.modules():
        for name, old in module._parameters.items():
            if old is not None:
                if id(old) not in made:
                    # All elements of a parameter share one in memory. Tensors on PyTorch's meta
                    # device would not work, since they have no values for the constants next to
                    # them. Expert products check strides, so they get real memory, which is never
                    # touched and therefore never allocated.
                    if old.dim() > 2:
                        shape = torch.empty(old.shape, dtype=old.dtype)
                    else:
                        shape = torch.zeros((), dtype=old.dtype).expand(old.shape)
                    made[id(old)] = nn.Parameter(shape, requires_grad=False)
                module._parameters[name] = made[id(old)]
    return model.eval()


def _without_values(config: Any, dtype: torch.dtype, attention: str) -> nn.Module:
    """Creates a model with parameters on the meta device, but real buffers, such as those of rotary
    embeddings."""
    from transformers import AutoModelForCausalLM

    def on_meta(module: nn.Module, name: str, parameter: Any) -> Any:
        if parameter is None or parameter.is_meta:
            return parameter
        return nn.Parameter(parameter.detach().to("meta"), requires_grad=False)

    hook = nn.modules.module.register_module_parameter_registration_hook(on_meta)
    try:
        found: nn.Module = AutoModelForCausalLM.from_config(
            config, dtype=dtype, attn_implementation=attention
        )
        return found
    finally:
        hook.remove()
