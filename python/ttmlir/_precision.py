"""Ready-made choices between accuracy and speed: ``ttmlir.compile(..., precision=...)``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from ttmlir.errors import Error

Precision = Literal["accuracy", "balanced", "performance"]


@dataclass(frozen=True)
class _Policy:
    """Keywords of ``ttmlir.compile``: ``dtype`` for front ends that take one, and the options of
    each backend's pipeline."""

    dtype: dict[str, str]
    options: dict[str, dict[str, Any]]


_WIDE = {"math_fidelity": "hifi4", "fp32_dest_acc_en": True}
_POLICIES: dict[str, _Policy] = {
    "accuracy": _Policy({"ttnn": "f32", "ttmetal": "f32"}, {"ttnn": _WIDE, "ttmetal": _WIDE}),
    "balanced": _Policy({"ttnn": "bf16", "ttmetal": "bf16"}, {"ttnn": {}, "ttmetal": {}}),
    "performance": _Policy(
        {"ttnn": "bf16", "ttmetal": "bfp8_b"},
        {
            "ttnn": {
                "weight_dtype": "bfp_bf8",
                "activation_dtype": "bfp_bf8",
                "enable_activation_dtype_lowering": True,
                "math_approx_mode": True,
            },
            "ttmetal": {"math_fidelity": "hifi2", "math_approx_mode": True},
        },
    ),
}


def _policy(precision: str) -> _Policy:
    names = get_args(Precision)
    if precision not in names:
        raise Error(f"precision: expected one of {', '.join(names)}, found {precision!r}")
    return _POLICIES[precision]


def dtype_of(precision: str | None, backend: str) -> str | None:
    """Returns the ``dtype`` of a precision for front ends that take one.

    Raises:
        Error: the precision is unknown.
    """
    return None if precision is None else _policy(precision).dtype.get(backend)


def apply(
    precision: str | None, backend: str, takes_dtype: bool, keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Returns the keywords of ``ttmlir.compile`` with those of a precision in front: a keyword that
    is given has priority.

    Raises:
        Error: the precision is unknown.
    """
    if precision is None:
        return dict(keywords)
    policy = _policy(precision)
    chosen = dict(policy.options.get(backend, {}))
    if takes_dtype and backend in policy.dtype:
        chosen["dtype"] = policy.dtype[backend]
    return chosen | {name: value for name, value in keywords.items() if value is not None}
