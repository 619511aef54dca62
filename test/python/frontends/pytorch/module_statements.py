"""The statements of random modules: how each kind is drawn from the variables so far."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

#: Elements of a tensor, which extents and repetitions stay below.
MOST_ELEMENTS = 4096
INTEGERS = (torch.int64, torch.int32, torch.uint8, torch.int8, torch.int16)
SPECIAL = (float("nan"), float("inf"), float("-inf"), 0.0, -0.0)


@dataclass
class Value:
    """A variable. ``is_exact`` where its elements are those of PyTorch bit for bit, so that they
    may be compared, counted and converted to integers."""

    name: str
    tensor: torch.Tensor
    is_exact: bool
    #: Whether it is a tensor of its own, which may be changed in place.
    is_own: bool = False


@dataclass
class Drawing:
    rng: np.random.Generator
    values: list[Value] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    scope: dict[str, Any] = field(default_factory=dict)
    #: Of the dimensions of arguments and buffers; small ones of any size if empty.
    extents: Sequence[int] = ()

    # Choices -----------------------------------------------------------------------------------

    def one(self, items: Any) -> Any:
        return items[int(self.rng.integers(len(items)))]

    def integer(self, low: int, high: int) -> int:
        """Of [low, high)."""
        return int(self.rng.integers(low, max(high, low + 1)))

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def value(self, test: Callable[[Value], bool] = lambda value: True) -> Value | None:
        found = [value for value in self.values if test(value)]
        # The last ones more often.
        return (
            found[min(int(self.rng.exponential(2.0)), len(found) - 1) * -1 - 1] if found else None
        )

    def floating(self) -> Value | None:
        return self.value(lambda v: v.tensor.dtype == torch.float32)

    def integral(self) -> Value | None:
        return self.value(lambda v: v.tensor.dtype in INTEGERS)

    def exact(self) -> Value | None:
        return self.value(lambda v: v.is_exact)

    def dim(self, x: torch.Tensor) -> int:
        return self.integer(-x.dim(), x.dim()) if x.dim() else 0

    # Statements ----------------------------------------------------------------------------------

    def assign(self, text: str, *, is_exact: bool, is_own: bool = False) -> bool:
        """A new variable with what an expression gives; false where PyTorch refuses it."""
        name = f"x{len(self.lines)}"
        try:
            with warnings.catch_warnings(), torch.no_grad():
                warnings.simplefilter("ignore")
                found = eval(text, self.scope)
        except (RuntimeError, IndexError, TypeError, ValueError, NotImplementedError):
            return False
        if not isinstance(found, torch.Tensor) or found.numel() > MOST_ELEMENTS or found.dim() > 6:
            return False
        if found.is_complex() or found.dtype in (torch.float64, torch.float16):
            return False
        self.scope[name] = found
        self.values.append(Value(name, found, is_exact, is_own))
        self.lines.append(f"{name} = {text}")
        return True

    def run(self, text: str) -> bool:
        """A statement that changes a tensor in place."""
        try:
            with warnings.catch_warnings(), torch.no_grad():
                warnings.simplefilter("ignore")
                exec(text, self.scope)
        except (RuntimeError, IndexError, TypeError, ValueError, NotImplementedError):
            return False
        self.lines.append(text)
        return True


def _is_whole(value: Value) -> bool:
    return not value.tensor.is_floating_point()


# Kinds of statements -----------------------------------------------------------------------------


def _unary(d: Drawing) -> bool:
    if (x := d.floating()) is None:
        return False
    name = d.one(
        (
            "relu",
            "tanh",
            "sigmoid",
            "abs",
            "neg",
            "sin",
            "square",
            "erf",
            "softsign",
            "gelu",
            "silu",
        )
    )
    moves = name in ("relu", "abs", "neg")
    prefix = "F." if name in ("softsign", "gelu", "silu") else "torch."
    return d.assign(f"{prefix}{name}({x.name})", is_exact=x.is_exact and moves)


def _binary(d: Drawing) -> bool:
    x, y = d.value(), d.value()
    if x is None or y is None:
        return False
    op = d.one(("+", "-", "*", "maximum", "minimum", "+ 2 *", "number"))
    is_exact = _is_whole(x) and _is_whole(y)
    if op == "number":
        number = d.one(("2", "-3", "0.5", "True", "2**20", "1.5"))
        return d.assign(
            f"{x.name} {d.one('+-*')} {number}", is_exact=_is_whole(x) and "." not in number
        )
    if op in ("maximum", "minimum"):
        is_exact = x.is_exact and y.is_exact
        return d.assign(f"torch.{op}({x.name}, {y.name})", is_exact=is_exact)
    return d.assign(f"{x.name} {op} {y.name}", is_exact=is_exact)


def _integers(d: Drawing) -> bool:
    if (x := d.integral()) is None:
        return False
    y = d.integral()
    number = d.one(("1", "3", "7", "100", "255", "65537", "-5", "2**31", "10**9"))
    other = y.name if y is not None and d.chance(0.5) else number
    op = d.one(("+", "-", "*", "&", "|", "^", "<<", ">>", "//", "%", "~", "abs", "clamp", "bool"))
    if op == "~":
        text = f"~{x.name}"
    elif op == "abs":
        text = f"{x.name}.abs()"
    elif op == "clamp":
        text = f"{x.name}.clamp({d.integer(-9, 3)}, {d.integer(3, 99)})"
    elif op == "bool":
        text = f"{x.name} != 0"
    elif op in ("<<", ">>"):
        text = f"{x.name} {op} {d.integer(0, 9)}"
    elif op in ("//", "%"):
        text = f"{x.name} {op} {number}"
    else:
        text = f"{x.name} {op} {other}"
    return d.assign(text, is_exact=True)


def _logic(d: Drawing) -> bool:
    x = d.value(lambda v: v.tensor.dtype == torch.bool)
    y = d.value(lambda v: v.tensor.dtype == torch.bool)
    if x is None or y is None:
        return False
    dim = d.dim(x.tensor)
    text = d.one(
        (
            f"{x.name} & {y.name}",
            f"{x.name} | ~{y.name}",
            f"{x.name} ^ {y.name}",
            f"{x.name} * {y.name}",
            f"{x.name} + {y.name}",
            f"torch.logical_not({x.name})",
            f"{x.name}.cumsum({dim})",
            f"{x.name}.sum({dim}, dtype=torch.int32)",
            f"{x.name}.to(torch.uint8) << 7",
        )
    )
    return d.assign(text, is_exact=True)


def _search(d: Drawing) -> bool:
    """Places in a table, and places of what is true or largest."""
    if (x := d.exact()) is None or x.tensor.dtype == torch.bool:
        return False
    t = x.tensor
    dim, last = d.dim(t), t.shape[-1] if t.dim() else 1
    right = d.chance(0.5)
    text = d.one(
        (
            f"torch.bucketize({x.name}, torch.tensor([-2, 0, 0, 1, 50]), right={right})",
            f"torch.bucketize({x.name}, torch.tensor([-2.0, 0.0, 0.5, 1.5]), right={right})",
            f"torch.argsort({x.name}, stable=True, dim={dim}, descending={right})",
            f"{x.name}.gather({dim}, {x.name}.argmax({dim}, keepdim=True))",
            f"{x.name}.take(torch.tensor([0, -1, {d.integer(0, max(t.numel(), 1))}]))",
            f"torch.isin({x.name}, torch.tensor([0, 1, {d.integer(-9, 9)}]))",
            f"{x.name}.clamp(-{last}, {last - 1}).nan_to_num(0).long()",
            f"torch.isfinite({x.name})",
            f"{x.name}.nan_to_num({d.integer(-3, 3)})",
            f"torch.sign({x.name})",
            f"{x.name}.diff(dim={dim})",
            f"{x.name}.repeat(2, {', '.join('1' * t.dim())})",
            f"torch.triu({x.name}, {d.integer(-1, 2)})",
        )
    )
    return d.assign(text, is_exact="diff" not in text or _is_whole(x))


def _compare(d: Drawing) -> bool:
    x, y = d.exact(), d.exact()
    if x is None or y is None:
        return False
    op = d.one(("<", "<=", ">", ">=", "==", "!="))
    return d.assign(f"{x.name} {op} {y.name if d.chance(0.6) else d.integer(-2, 5)}", is_exact=True)


def _where(d: Drawing) -> bool:
    mask = d.value(lambda v: v.tensor.dtype == torch.bool)
    x, y = d.value(), d.value()
    if mask is None or x is None or y is None:
        return False
    return d.assign(
        f"torch.where({mask.name}, {x.name}, {y.name})", is_exact=x.is_exact and y.is_exact
    )


def _view_of(d: Drawing, x: Value) -> str:
    """A view of a tensor, as text behind its name."""
    t = x.tensor
    rank, dim = t.dim(), d.dim(t)
    extent = t.shape[dim] if rank else 1
    kind = d.one(
        ("view", "transpose", "permute", "slice", "select", "unsqueeze", "squeeze", "expand",
         "narrow", "split", "diagonal", "movedim", "flatten", "step", "none", "unfold")
    )  # fmt: skip
    if kind == "view":
        return (
            f".reshape({_factors(d, t.numel())})"
            if d.chance(0.3)
            else f".view({_factors(d, t.numel())})"
        )
    if kind == "transpose":
        return f".transpose({dim}, {d.dim(t)})"
    if kind == "permute":
        return f".permute({', '.join(map(str, d.rng.permutation(rank)))})" if rank else ".clone()"
    if kind == "slice":
        begin, end = d.integer(-extent, extent + 1), d.integer(-extent, extent + 2)
        return f"[{'..., ' * d.chance(0.4)}{begin}:{end}]"
    if kind == "step":
        return f"[{'..., ' * d.chance(0.4)}{d.integer(0, 3)}::{d.integer(1, 4)}]"
    if kind == "select":
        return f".select({dim}, {d.integer(-extent, extent)})"
    if kind == "unsqueeze":
        return f".unsqueeze({d.integer(-rank - 1, rank + 1)})"
    if kind == "squeeze":
        return f".squeeze({dim})" if rank else ".squeeze()"
    if kind == "expand":
        return f".unsqueeze(0).expand({d.integer(1, 4)}{', -1' * rank})"
    if kind == "narrow":
        begin = d.integer(0, extent)
        return f".narrow({dim}, {begin}, {d.integer(0, extent - begin + 1)})"
    if kind == "split":
        size = d.integer(1, extent + 1)
        return f".split({size}, {dim})[{d.integer(0, max(1, -(-extent // size)))}]"
    if kind == "diagonal":
        return f".diagonal({d.integer(-1, 2)}, {dim}, {d.dim(t)})"
    if kind == "movedim":
        return f".movedim({dim}, {d.dim(t)})"
    if kind == "unfold":
        size = d.integer(1, extent + 1)
        return f".unfold({dim}, {size}, {d.integer(1, 3)})"
    return ".flatten()" if kind == "flatten" else "[None]"


def _factors(d: Drawing, count: int) -> str:
    """Extents of so many elements."""
    extents: list[int] = []
    for factor in (2, 3, 5):
        while count and count % factor == 0 and len(extents) < 4 and d.chance(0.6):
            extents.append(factor)
            count //= factor
    extents.append(-1 if count and d.chance(0.4) else count)
    d.rng.shuffle(extents)
    return ", ".join(map(str, extents))


def _view(d: Drawing) -> bool:
    x = d.value()
    if x is None:
        return False
    text = x.name + _view_of(d, x)
    if not d.assign(text, is_exact=x.is_exact, is_own=x.is_own):
        return False
    # Elements that are repeated cannot be written.
    d.values[-1].is_own &= "expand" not in text and "unfold" not in text
    return True


def _move(d: Drawing) -> bool:
    if (x := d.value()) is None:
        return False
    dim = d.dim(x.tensor)
    other = d.value(lambda v: v.tensor.dtype == x.tensor.dtype)
    assert other is not None
    text = d.one(
        (
            f"torch.flip({x.name}, [{dim}])",
            f"torch.roll({x.name}, {d.integer(-3, 4)}, {dim})",
            f"torch.cat([{x.name}, {other.name}], {dim})",
            f"torch.stack([{x.name}, {other.name}], {dim})",
            f"{x.name}.repeat_interleave({d.integer(1, 4)}, {dim})",
            f"torch.tile({x.name}, ({d.integer(1, 3)}, {d.integer(1, 3)}))",
            f"torch.tril({x.name}, {d.integer(-1, 2)})",
            f"F.pad({x.name}, ({d.integer(-1, 3)}, {d.integer(0, 3)}))",
            f"{x.name}.contiguous()",
        )
    )
    return d.assign(text, is_exact=x.is_exact and other.is_exact)


def _reduce(d: Drawing) -> bool:
    if (x := d.value()) is None:
        return False
    dim, keep = d.dim(x.tensor), d.chance(0.4)
    whole = _is_whole(x)
    name = d.one(("sum", "mean", "amax", "amin", "prod", "cumsum", "any", "all", "softmax",
                  "logsumexp", "argmax", "argmin", "std", "sort", "topk", "cummax"))  # fmt: skip
    if name in ("argmax", "argmin", "sort", "topk", "any", "all", "cummax") and not x.is_exact:
        return False
    if name in ("any", "all") and x.tensor.is_floating_point():
        return False
    moves = name in ("amax", "amin", "sort", "topk", "argmax", "argmin", "any", "all", "cummax")
    is_exact = whole or (x.is_exact and moves)
    if name in ("softmax", "logsumexp", "cumsum"):
        return d.assign(f"torch.{name}({x.name}, {dim})", is_exact=whole and name == "cumsum")
    if name == "std":
        return d.assign(f"{x.name}.std({dim}, keepdim={keep}, correction=0)", is_exact=False)
    # Of equal elements PyTorch takes any.
    if name == "sort":
        text = f"torch.sort({x.name}, stable=True, dim={dim})[{d.integer(0, 2)}]"
        return d.assign(text, is_exact=is_exact)
    if name == "cummax":
        return d.assign(f"torch.cummax({x.name}, {dim})[0]", is_exact=is_exact)
    if name == "topk":
        return d.assign(f"torch.topk({x.name}, 1, {dim})[0]", is_exact=is_exact)
    if d.chance(0.2):
        return d.assign(f"{x.name}.{name}()", is_exact=is_exact)
    return d.assign(f"{x.name}.{name}({dim}, keepdim={keep})", is_exact=is_exact)


def _index(d: Drawing) -> bool:
    """Places at the borders, from behind as well."""
    if (x := d.value(lambda v: v.tensor.dim() > 0)) is None:
        return False
    dim = d.dim(x.tensor)
    extent = x.tensor.shape[dim]
    if not extent:
        return False
    places = [d.one((0, extent - 1, d.integer(0, extent))) for _ in range(d.integer(1, 5))]
    from_behind = [p - extent if d.chance(0.3) else p for p in places]
    tensor = f"torch.tensor({places})"
    shape = ", ".join("1" if i != dim % x.tensor.dim() else "-1" for i in range(x.tensor.dim()))
    own = [1] * x.tensor.dim()
    own[dim] = -1
    chosen = f"torch.index_select({x.name}, {dim}, {tensor})"
    text = d.one(
        (
            chosen,
            f"{x.name}[{from_behind}]"
            if dim in (0, -x.tensor.dim())
            else f"{x.name}[..., {from_behind}]",
            f"torch.take_along_dim({x.name}, {tensor}.view({shape}), {dim})",
            f"F.one_hot({tensor}, {extent})",
            f"F.embedding({tensor}, {x.name})",
            f"torch.zeros_like({x.name}).index_add({dim}, {tensor}, {chosen})",
            f"{x.name}.scatter({dim}, {tensor}.view({shape}), 3)",
        )
    )
    return d.assign(text, is_exact=x.is_exact and ("index_add" not in text or _is_whole(x)))


def _product(d: Drawing) -> bool:
    x, y = d.floating(), d.floating()
    if x is None or y is None:
        return False
    text = d.one(
        (
            f"torch.matmul({x.name}, {y.name})",
            f"torch.matmul({x.name}, {x.name}.transpose(-1, -2))",
            f"F.linear({x.name}, {y.name})",
            f"torch.outer({x.name}.flatten()[:7], {y.name}.flatten()[:5])",
        )
    )
    return d.assign(text, is_exact=False)


def _layer(d: Drawing) -> bool:
    """What level 1 fuses and keeps in L1: norms, attention, convolutions and pools."""
    if (x := d.floating()) is None:
        return False
    t = x.tensor
    last = t.shape[-1] if t.dim() else 1
    channels = t.shape[1] if t.dim() > 1 else 1
    image = f"{x.name}.reshape(-1, 1, {t.shape[-2] if t.dim() > 1 else 1}, {last})"
    heads = f"{x.name}.reshape(1, -1, {t.shape[-2] if t.dim() > 1 else 1}, {last})"
    other = d.floating()
    assert other is not None
    text = d.one(
        (
            f"F.layer_norm({x.name}, ({last},), eps=0.1)",
            f"F.rms_norm({x.name}, ({last},), eps=0.1)",
            f"F.group_norm({x.name}, {channels}, eps=0.1)",
            f"F.scaled_dot_product_attention({heads}, {heads}, {heads})",
            f"F.scaled_dot_product_attention({heads}, {heads}, {heads} * 2, is_causal=True)",
            f"F.conv2d({image}, {other.name}.reshape(-1)[:4].reshape(1, 1, 2, 2), padding=1)",
            f"F.max_pool2d({image}, 2, 1, 1)",
            f"F.avg_pool2d({image}, 3, 2, 1)",
            f"F.relu(F.linear({x.name}, {other.name}))",
            f"F.gelu(F.linear({x.name}, {x.name})) + {other.name}",
        )
    )
    # The deviations of values near 2^20 from their mean are rounding errors.
    if "_norm" in text and t.float().nan_to_num(0, 0, 0).abs().max() > 4096:
        return False
    return d.assign(text, is_exact=x.is_exact and "max_pool" in text)


def _convert(d: Drawing) -> bool:
    if (x := d.exact()) is None:
        return False
    names = ["float32", "bool"]
    # What is beyond the integers is another number on every host.
    if bool((x.tensor.abs() < 1e9).all()) if x.tensor.is_floating_point() else True:
        names += ["int64", "int32"]
    if not x.tensor.is_floating_point():
        names += ["int8", "uint8", "int16"]
    return d.assign(f"{x.name}.to(torch.{d.one(names)})", is_exact=True)


def _change(d: Drawing) -> bool:
    """A change in place of a tensor of its own, of a buffer, or of a view of one."""
    own = d.value(lambda v: v.is_own)
    if own is None or d.chance(0.3):
        if (x := d.value()) is None:
            return False
        return d.assign(f"{x.name}.clone()", is_exact=x.is_exact, is_own=True)
    target = own.name + (_view_of(d, own) if d.chance(0.6) else "")
    if any(word in target for word in ("expand", "unfold", "reshape", "clone")):
        return False
    other = d.value()
    assert other is not None
    number = d.integer(-3, 4)
    text = d.one(
        (
            f"{target}.add_({number})",
            f"{target}.mul_({number})",
            f"{target}.fill_({number})",
            f"{target}.copy_({other.name})",
            f"{target}.add_({other.name})",
            f"{target}.masked_fill_({other.name} > {number}, {number})",
            f"{target}.zero_()",
            f"{target}.clamp_({number}, {number + 3})",
            f"{target}.index_fill_(0, torch.tensor([0]), {number})",
            f"{target}[{other.name} > {number}] = {number}",
            f"{target}.index_put_((torch.tensor([0, -1]),), torch.tensor({number}), True)",
            f"{target}.scatter_add_(0, {target}.long() * 0, {target} * 1)",
            f"{target}[..., -1:] += {number}",
            # The shapes of buffers stay.
            f"{target}.t_()" if target == own.name and "self" not in target else f"{target}.neg_()",
        )
    )
    if not other.is_exact and other.name in text:
        if "masked_fill" in text or f"[{other.name} >" in text:
            return False
        own.is_exact = False
    if own.tensor.is_floating_point() and any(
        word in text for word in ("add_", "mul_", "+=", "True)")
    ):
        own.is_exact = False
    if not d.run(text):
        return False
    # Views share the memory, and what is known of the elements.
    for value in d.values:
        if value.tensor.untyped_storage().data_ptr() == own.tensor.untyped_storage().data_ptr():
            value.is_exact &= own.is_exact
    return True


def _branch(d: Drawing) -> bool:
    test, x, y = d.exact(), d.floating(), d.floating()
    if test is None or x is None or y is None or not test.tensor.numel():
        return False
    text = (
        f"torch.cond({test.name}.flatten()[0] > 0, lambda p, q: p + q, lambda p, q: p * 2 - q, "
        f"({x.name}, {y.name}))"
    )
    if d.chance(0.4):
        text = (
            f"torch.while_loop(lambda i, c: i < {d.integer(0, 4)}, "
            f"lambda i, c: (i + 1, c * 0.5 - i), (torch.tensor(0), {x.name}))[1]"
        )
    return d.assign(text, is_exact=False)


KINDS: tuple[tuple[Callable[[Drawing], bool], int], ...] = (
    (_unary, 2),
    (_binary, 3),
    (_integers, 3),
    (_logic, 1),
    (_search, 1),
    (_compare, 1),
    (_where, 1),
    (_view, 4),
    (_move, 2),
    (_reduce, 3),
    (_index, 2),
    (_product, 1),
    (_layer, 1),
    (_convert, 1),
    (_change, 4),
    (_branch, 1),
)


def random_tensor(d: Drawing) -> torch.Tensor:
    if d.extents:
        shape = [d.one(d.extents) for _ in range(d.integer(1, 4))]
        while math.prod(shape) > MOST_ELEMENTS:
            shape.pop()
    else:
        shape = [
            d.one((0, 1, 1, 2, 3, 4, 6)) if d.chance(0.3) else d.integer(1, 7)
            for _ in range(d.integer(0, 5))
        ]
    dtype = d.one((torch.float32, torch.float32, torch.float32, *INTEGERS[:3], torch.bool))
    if dtype == torch.float32:
        x = torch.from_numpy(d.rng.standard_normal(shape).astype(np.float32).reshape(shape))
        if d.chance(0.15) and x.numel():
            x.view(-1)[d.integer(0, x.numel())] = d.one(SPECIAL)
        return x
    if dtype == torch.bool:
        return torch.from_numpy(d.rng.integers(0, 2, shape).astype(bool).reshape(shape))
    least = 0 if dtype == torch.uint8 else -100
    numbers = torch.from_numpy(np.asarray(d.rng.integers(least, 100, shape)).reshape(shape)).to(
        dtype
    )
    if dtype == torch.int64 and d.chance(0.4):
        numbers = numbers * 20_000_000
    return numbers
