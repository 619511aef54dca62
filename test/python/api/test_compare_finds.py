"""Executable.compare finds programs that are wrong: an importer with one mistake makes them, which
the reference does not know of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

import ttmlir  # noqa: E402
from ttmlir.frontends.torch import _importer, _program  # noqa: E402

pytestmark = pytest.mark.torch
Patch = Callable[[pytest.MonkeyPatch], None]
TOTAL = torch.linspace(-1, 1, 8)


class Function(nn.Module):
    """A module that computes a function, with a buffer and a layer to use."""

    def __init__(self, function: Callable[..., Any], layer: nn.Module | None = None) -> None:
        super().__init__()
        self.function, self.layer = function, layer
        self.register_buffer("total", TOTAL.clone())

    def forward(self, x: Any) -> Any:
        return self.function(self, x)


def handled(name: str, change: Callable[..., Any]) -> Patch:
    """The importer expresses an op in another way: ``change`` gets its handler and arguments."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        find = _importer.handler_of

        def found(target: Any) -> Any:
            handler = find(target)
            if not str(target).startswith(f"aten.{name}."):
                return handler
            return lambda *args, **kwargs: change(handler, *args, **kwargs)

        monkeypatch.setattr(_importer, "handler_of", found)

    return patch


def constants(change: Callable[[Any], Any]) -> Patch:
    """The importer writes other constants."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        write = _importer.Importer._constant
        monkeypatch.setattr(
            _importer.Importer, "_constant", lambda self, x, dtype: write(self, change(x), dtype)
        )

    return patch


def nothing_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """The importer takes changes in place for changes of that tensor alone."""
    monkeypatch.setattr(_program, "is_functional", lambda graph: True)


def another_functional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_importer, "functional", lambda target: torch.ops.aten.sub.Tensor)


def through_a_view(self: Any, x: Any) -> Any:
    y = x * 2
    y[1].add_(3)
    return y.tanh()


def in_place(self: Any, x: Any) -> Any:
    return x.exp().add_(x)


def accumulated(self: Any, x: Any) -> Any:
    self.total.add_(x.sum(0))
    return x.sin()


def written(self: Any, x: Any) -> Any:
    x.mul_(2)
    return x.sum(-1)


def padded(self: Any, x: Any) -> Any:
    return nn.functional.pad(x, (1, 2), value=-1.5).cos()


def norm(self: Any, x: Any) -> Any:
    return nn.functional.layer_norm(x, (8,), eps=1e-5)


@dataclass(frozen=True)
class Case:
    """A program, and what makes it wrong."""

    function: Callable[..., Any]
    patch: Patch
    layer: Callable[[], nn.Module] | None = None
    #: The outputs that are off.
    off: tuple[str, ...] = ("output 0",)


CASES = {
    "a patched constant": Case(
        lambda self, x: (x * self.total).exp(), constants(lambda x: x + 0.1)
    ),
    "a lost update through a view": Case(through_a_view, nothing_is_shared),
    "another op in place": Case(in_place, another_functional),
    "a wrong sign": Case(lambda self, x: -x + x.exp(), handled("neg", lambda handler, op, x: x)),
    "a dropped bias": Case(
        lambda self, x: self.layer(x),
        handled("linear", lambda handler, op, x, w, b: handler(op, x, w)),
        lambda: nn.Linear(8, 8),
    ),
    "swapped operands": Case(
        lambda self, x: torch.sub(x, x.exp()),
        handled("sub", lambda handler, op, x, y: handler(op, y, x)),
    ),
    "a wrong axis": Case(
        lambda self, x: x.softmax(-1),
        handled("softmax", lambda handler, op, x, dim, *rest: handler(op, x, 0, *rest)),
    ),
    "a stale buffer": Case(accumulated, nothing_is_shared, off=("buffer total",)),
    "an argument that stays": Case(written, nothing_is_shared, off=("argument 0",)),
    "a wrong padding value": Case(
        padded, handled("constant_pad_nd", lambda handler, op, x, pad, value: handler(op, x, pad))
    ),
    "a wrong epsilon": Case(
        norm,
        handled(
            "layer_norm",
            lambda handler, op, x, shape, w, b, eps, *rest: handler(op, x, shape, w, b, 0.1),
        ),
    ),
}


def compiled(case: Case) -> tuple[nn.Module, Any, Any]:
    torch.manual_seed(0)
    module = Function(case.function, case.layer() if case.layer else None).eval()
    x = torch.randn(4, 8)
    return module, x, ttmlir.compile(module, x.clone())


def references(module: nn.Module, x: Any) -> Iterator[tuple[str, Any]]:
    yield "f64", "f64"
    yield "the module", module
    yield "an exported program", torch.export.export(module, (x.clone(),))


@pytest.mark.parametrize("name", list(CASES))
def test_a_wrong_program_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[name]
    with monkeypatch.context() as patched:
        case.patch(patched)
        module, x, exe = compiled(case)
    for title, reference in references(module, x):
        given = x.clone()
        found = exe.compare(reference, given)
        off = [row.name for row in found.outputs if row.is_off]
        assert off == list(case.off), f"{title}: {found}"
        # What is compared is not changed by it.
        torch.testing.assert_close(given, x, rtol=0, atol=0)
        torch.testing.assert_close(module.total, TOTAL, rtol=0, atol=0)


@pytest.mark.parametrize("name", list(CASES))
def test_the_right_program_is_right(name: str) -> None:
    module, x, exe = compiled(CASES[name])
    for title, reference in references(module, x):
        found = exe.compare(reference, x.clone())
        assert found.first_off is None, f"{title}: {found}"
        assert not found.not_compared, f"{title}: {found}"


def test_another_weight_is_found() -> None:
    torch.manual_seed(0)
    module, x = nn.Linear(64, 96).eval(), torch.randn(4, 64)
    exe = ttmlir.compile(module, x)
    assert exe.compare("f64", x).first_off is None
    weight, bias = module.weight.detach().clone(), module.bias.detach()
    weight[:, 3] += 1
    exe.unbind()
    exe.bind({"weight": weight.numpy(), "bias": bias.numpy()})
    for title, reference in references(module, x):
        assert exe.compare(reference, x).outputs[0].is_off, title


def test_an_op_that_is_taken_apart_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The ops agree with the parts; the outputs do not agree with the source."""
    whole = _program.decompositions
    wrong = {torch.ops.aten.softplus.default: lambda x, *rest: x.relu()}
    x = torch.randn(4, 8)
    module = Function(lambda self, x: nn.functional.softplus(self.total.add_(x[0]))).eval()
    with monkeypatch.context() as patched:
        patched.setattr(_program, "decompositions", lambda: whole() | wrong)
        exe = ttmlir.compile(module, x)
        for reference in (module, "f64"):
            found = exe.compare(reference, x)
            off = [row.name for row in (*found.ops, *found.outputs) if row.is_off]
            assert off == ["output 1"], str(found)


def test_a_result_that_was_known_when_it_was_imported() -> None:
    module = Function(lambda self, x: (x.sin(), self.total * 2)).eval()
    x = torch.randn(4, 8)
    exe = ttmlir.compile(module, x)
    for title, reference in references(module, x):
        found = exe.compare(reference, x)
        assert [row.name for row in found.outputs] == ["output 0", "result 1"], title
        assert found.first_off is None, f"{title}: {found}"
    sine, twice = exe.signature.outputs
    exe.signature.outputs = sine, twice + 1
    for title, reference in references(module, x):
        off = exe.compare(reference, x).first_off
        assert off is not None, title
        assert off.name == "result 1"


def test_an_output_of_another_shape_is_off() -> None:
    class Wide(nn.Module):
        def forward(self, x: Any) -> Any:
            return torch.cat([x, x], 1)

    x = torch.randn(4, 8)
    exe = ttmlir.compile(Function(lambda self, x: x.sin()), x)
    found = exe.compare(Wide(), x)
    assert found.first_off is not None
    assert found.first_off.reason == "has the shape 4x8, the source's 4x16"
    assert "1 off; the first one is output 0" in str(found)


def test_random_numbers_go_through_memory() -> None:
    """What is compared with a draw of PyTorch would be off."""

    def noisy(self: Any, x: Any) -> Any:
        y, z = x * 2, x * 3
        y[1].bernoulli_(0.5)
        self.total.add_(torch.rand_like(x).sum(0))
        return y.sum(-1), z.sum(-1), self.total + 1

    module, x = Function(noisy).train(), torch.randn(4, 8)
    exe = ttmlir.compile(module, x)
    for title, reference in references(module, x):
        found = exe.compare(reference, x)
        assert found.first_off is None, f"{title}: {found}"
        assert [row.is_compared for row in found.outputs] == [False, False, True, False], title


def test_memory_that_is_shared_stays_shared() -> None:
    """In float64 too, where a cast that copies is left out."""

    def cast(self: Any, x: Any) -> Any:
        low = x.to(torch.bfloat16)
        low.add_(1)
        same = x.to(torch.float32)
        same.mul_(2)
        return x + 1, low.float()

    module, x = Function(cast).eval(), torch.randn(4, 8)
    exe = ttmlir.compile(module, x.clone())
    for title, reference in references(module, x):
        found = exe.compare(reference, x.clone())
        assert found.first_off is None, f"{title}: {found}"
        assert not found.not_compared, f"{title}: {found}"
