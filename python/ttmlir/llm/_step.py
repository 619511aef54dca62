"""The module that one program runs: some tokens of each user, with caches as arguments.

All users write the same rows of the caches, whose number is no position in a text: prompts end in
the same row, and those that are shorter begin later. One more array has the position in the text
that each row holds, for each user. So a step writes one row of each cache in place, whatever the
positions of the users are. Rows of each user's own would be scattered, which copies the caches and
needs them in bf16: a layer of 1024 channels with 256 rows for 32 users takes 646 us on an n150
instead of 362 us.
"""

from __future__ import annotations

import copy
import inspect
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

#: The position of a row without a token: behind all others, so that no token sees it.
NOWHERE = 2**30
#: Added to the scores of what a token does not see, where models compute the softmax themselves.
#: Finite, so that tokens before the beginning of a text, which see nothing, get numbers: NaN in the
#: caches would spread to all that reads them.
_UNSEEN = -1e9
#: Of the arguments: before them are the keys and values of each layer.
_STATE = 3


@dataclass(frozen=True)
class Shape:
    """Extents of the programs of a model.

    Args:
        users: rows of a batch.
        context: rows of the caches.
    """

    users: int
    context: int


class _Cache:
    """The caches as the layers of transformers see them, for one step."""

    is_compileable = True

    def __init__(self, rows: Sequence[torch.Tensor], slot: torch.Tensor) -> None:
        self.rows, self._slot = list(rows), slot
        self._context = rows[0].shape[2]

    def update(
        self, keys: torch.Tensor, values: torch.Tensor, layer_idx: int, *_: Any, **__: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        for i, new in ((2 * layer_idx, keys), (2 * layer_idx + 1, values)):
            self.rows[i] = torch.ops.ttmlir.update_slice(self.rows[i], new, self._slot, 2)
        return self.rows[2 * layer_idx], self.rows[2 * layer_idx + 1]

    def get_seq_length(self, layer_idx: int = 0) -> int:
        return 0

    def get_query_offset(self, layer_idx: int = 0) -> int:
        return 0

    def get_mask_sizes(self, query_length: int, layer_idx: int = 0) -> tuple[int, int]:
        return self._context, 0


class Step(nn.Module):  # type: ignore[misc]
    """Reads tokens, and returns the logits behind the last one of each user.

    Args:
        model: a causal language model of transformers.
    """

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model
        # PyTorch's own attention gives 0 to what sees nothing, and reads no row that none sees.
        uses_sdpa = model.config._attn_implementation == "sdpa"
        self._unseen = float("-inf") if uses_sdpa else _UNSEEN
        config: Any = model.config
        kinds = set(getattr(config, "layer_types", None) or ())
        window = getattr(config, "sliding_window", None)
        if not kinds:
            kinds = {"sliding_attention" if window else "full_attention"}
        self._windows = {kind: window if kind == "sliding_attention" else None for kind in kinds}

    def forward(
        self,
        rows: list[torch.Tensor],
        positions: torch.Tensor,
        place: torch.Tensor,
        written: torch.Tensor,
        ids: torch.Tensor,
    ) -> tuple[torch.Tensor, ...]:
        """Returns the new values of the first arguments, and the logits: (users, vocabulary).

        Args:
            rows: keys and values of each layer: (users, heads, context, width).
            positions: of what is in the rows: (users, context), int32.
            place: the position of the first token, negative before the text: (users), int32.
            written: how many rows have been written: (1), int32, below twice the context. Behind
                the last row, the first ones are written again.
            ids: tokens, from the same row on for all users: (users, tokens), int32.
        """
        context, count = positions.shape[1], ids.shape[1]
        slot = torch.where(written >= context, written - context, written)
        is_filled = (torch.arange(context, dtype=torch.int32) < written + count)[None, None, None]
        at = place[:, None] + torch.arange(count, dtype=torch.int32)
        known = torch.where(at < 0, NOWHERE, at)
        positions = torch.ops.ttmlir.update_slice(positions, known, slot, 1)
        at = at.clamp(min=0)
        masks = {
            kind: torch.where(_seen(positions, at, window) & is_filled, 0.0, self._unseen)
            for kind, window in self._windows.items()
        }
        cache = _Cache(rows, slot)
        found = self.model(
            input_ids=torch.ops.ttmlir.in_rows(ids),
            # Users whose text has ended count on.
            position_ids=at.clamp(max=context - 1),
            # Models with one kind of layers take a mask, the others one for each kind.
            attention_mask=masks if len(masks) > 1 else next(iter(masks.values())),
            use_cache=True,
            logits_to_keep=1,
            **{cache_keyword(self.model): cache},
        )
        return (*cache.rows, positions, place + count, written + count, found.logits[:, -1])


def cache_keyword(model: nn.Module) -> str:
    """Returns the name of the argument with the caches, which differs between releases."""
    known = inspect.signature(type(model).forward).parameters
    return "cache" if "cache" in known else "past_key_values"


def _seen(positions: torch.Tensor, at: torch.Tensor, window: int | None) -> torch.Tensor:
    """Returns which rows each token sees: (users, 1, tokens, context)."""
    keys, queries = positions[:, None, None, :], at[:, None, :, None]
    seen = keys <= queries
    if window is not None:
        seen = seen & (keys > queries - window)
    return seen


def program_of(
    model: nn.Module, shape: Shape, tokens: int, dtype: Any
) -> tuple[ir.Module, dict[str, str | torch.Tensor]]:
    """Returns the program of a step in TTIR, with the caches as donated arguments; and for each
    argument before them, by name, the model's parameter of that name, or its value.

    Args:
        model: a causal language model of transformers, whose parameters are only shapes here.
        shape: of the program.
        tokens: of each user in a call.
        dtype: the formats of weights and activations, as of ``ttmlir.compile``.

    Raises:
        CompileError: the model cannot be exported, or has ops that are not supported.
    """
    from ttmlir.frontends.torch._export import exported_module

    rows = caches(model.config, shape, next(model.parameters()).dtype)
    examples = (
        rows,
        torch.zeros(shape.users, shape.context, dtype=torch.int32),
        torch.zeros(shape.users, dtype=torch.int32),
        torch.zeros(1, dtype=torch.int32),
        torch.zeros(shape.users, tokens, dtype=torch.int32),
    )
    with torch.no_grad():
        exported = exported_module(Step(model).eval(), examples, None)
    imported = import_program(exported, dtype=dtype, name="prefill" if tokens > 1 else "decode")
    module = imported.builder.module
    # Arguments of the user come behind the parameters, in their order.
    first = len(imported.parameters)
    count = len(rows) + _STATE
    i64 = ir.IntegerType.get_signless(64, module.context)

    def donated(_: str, number: int) -> dict[str, ir.Attribute]:
        i = number - first
        return {ALIASED_OUTPUT: ir.IntegerAttr.get(i64, i)} if 0 <= i < count else {}

    _keep_on_host(module, imported.builder, first)
    mark_arguments(module, donated)
    return module, _origins(model, imported.parameters)


def _keep_on_host(module: ir.Module, builder: Builder, count: int) -> None:
    """Lets the program take weights in block floats, which are among its first arguments, as bf16
    from the host, and convert them.

    As arguments in block floats they would be on the device beside what is made of them, which is
    another layout, and on a mesh whole on each chip.
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
    # Tied parameters have several names: the first one is in checkpoints.
    first = {id(value): name for name, value in model.named_parameters()}
    names = {
        f"model.{name}": first[id(value)]
        for name, value in model.named_parameters(remove_duplicate=False)
    }
    return {name: names.get(name, value) for name, value in parameters.items()}


def key_heads(config: Any) -> int:
    """Returns how many heads of keys and values a layer has."""
    text = config.get_text_config()
    return int(getattr(text, "num_key_value_heads", None) or text.num_attention_heads)


def caches(config: Any, shape: Shape, dtype: torch.dtype) -> list[torch.Tensor]:
    """Returns empty keys and values for each layer that take no memory."""
    text, heads = config.get_text_config(), key_heads(config)
    width = getattr(text, "head_dim", None) or text.hidden_size // text.num_attention_heads
    extents = (shape.users, heads, shape.context, width)
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
        # Some, such as those that cap scores, have their own attention only.
        model = _without_values(config, dtype, "eager")
    made: dict[int, nn.Parameter] = {}
    for module in model.modules():
        for name, old in module._parameters.items():
            if old is not None:
                if id(old) not in made:
                    # One element in memory for all: tensors of PyTorch's device meta have no values
                    # for the constants beside them. Products of experts check strides: memory that
                    # nobody touches is not there either.
                    if old.dim() > 2:
                        shape = torch.empty(old.shape, dtype=old.dtype)
                    else:
                        shape = torch.zeros((), dtype=old.dtype).expand(old.shape)
                    made[id(old)] = nn.Parameter(shape, requires_grad=False)
                module._parameters[name] = made[id(old)]
    return model.eval()


def _without_values(config: Any, dtype: torch.dtype, attention: str) -> nn.Module:
    """Makes a model with parameters on the device meta, and with buffers that have values, such as
    those of rotary embeddings."""
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
