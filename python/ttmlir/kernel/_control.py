"""Loops and conditionals in kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ttmlir import ir
from ttmlir.dialects import arith, scf
from ttmlir.kernel import _values
from ttmlir.kernel._errors import BuildError
from ttmlir.kernel._tracing import at, block
from ttmlir.kernel._values import Int, Value


class _Loop:
    """A loop with loop-carried numbers."""

    _name: str

    def __init__(self, carried: tuple[Int, ...]) -> None:
        self._carried = carried
        self._next: tuple[Int, ...] | None = None
        self._results: tuple[Value, ...] | None = None

    @property
    def results(self) -> tuple[Value, ...]:
        """The carried numbers after the loop."""
        if self._results is None:
            raise BuildError(f"{self._name}: expected the results to be used after the loop")
        return self._results

    def next(self, *carried: Int) -> None:
        """Sets the carried numbers for the next iteration."""
        if len(carried) != len(self._carried):
            raise BuildError(
                f"{self._name}: expected {len(self._carried)} numbers to carry, "
                f"found {len(carried)}"
            )
        self._next = carried

    def _initial(self) -> list[ir.Value[Any]]:
        return [_values.number(value) for value in self._carried]

    def _end_body(self) -> None:
        """Ends the body with the numbers for the next iteration."""
        if self._carried and self._next is None:
            raise BuildError(f"{self._name}: expected a call of next() in the body")
        end = [_values.number(value) for value in self._next or ()]
        scf.YieldOp(end, **at(self._name))


class range(_Loop):
    """A loop of the kernel, with the arguments of Python's ``range``.

    The body is built once, with a value for the number. Python variables assigned in it do not
    change between iterations; pass numbers that should change as ``carried``::

        loop = kernel.range(n, carried=(first, 0))
        for i, address, count in loop:
            ...
            loop.next(address + 64, count + 1)
        address, count = loop.results

    Python's ``break`` and ``return`` in the body are errors.
    """

    _name = "kernel.range"

    def __init__(
        self,
        start: Int,
        stop: Int | None = None,
        step: Int = 1,
        *,
        carried: tuple[Int, ...] = (),
    ) -> None:
        super().__init__(carried)
        self._start, self._stop = (0, start) if stop is None else (start, stop)
        self._step = step

    def __iter__(self) -> Iterator[Any]:
        where = at(self._name)
        bounds = {"start": self._start, "stop": self._stop, "step": self._step}
        lower, upper, step = (_bound(name, value) for name, value in bounds.items())
        initial = self._initial()
        loop = scf.ForOp(lower, upper, step, initial, **where)
        values = tuple(Value(v) for v in (loop.induction_variable, *loop.inner_iter_args))
        with block(self._name, ir.InsertionPoint(loop.body)):
            yield values if initial else values[0]
            self._end_body()
        self._results = tuple(Value(v) for v in loop.results)


class while_(_Loop):
    """A while loop of the kernel::

        loop = kernel.while_(lambda address, left: left > 0, carried=(first, n))
        for address, left in loop:
            ...
            loop.next(address + 64, left - 1)
        address, left = loop.results

    The condition and the body are built once. The condition is a function of the carried numbers,
    and may have side effects, such as loads from L1. Without carried numbers, the body gets none:
    ``for _ in kernel.while_(lambda: kernel.load_from_l1(flag, 4) != 1):``. Python's ``break`` and
    ``return`` in the body are errors.
    """

    _name = "kernel.while_"

    def __init__(self, condition: Callable[..., Int], *, carried: tuple[Int, ...] = ()) -> None:
        super().__init__(carried)
        self._condition = condition

    def __iter__(self) -> Iterator[Any]:
        where = at(self._name)
        initial = self._initial()
        types = [value.type for value in initial]
        places = [where["loc"]] * len(types)
        loop = scf.WhileOp(types, initial, **where)
        before = loop.before.blocks.append(*types, arg_locs=places)
        with block(self._name, ir.InsertionPoint(before)):
            holds = self._condition(*map(Value, before.arguments))
            scf.ConditionOp(_values.condition(holds), before.arguments, **at(self._name))
        after = loop.after.blocks.append(*types, arg_locs=places)
        values = tuple(Value(v) for v in after.arguments)
        with block(self._name, ir.InsertionPoint(after)):
            yield values[0] if len(values) == 1 else values
            self._end_body()
        self._results = tuple(Value(v) for v in loop.results)


def _bound(name: str, value: Int) -> Any:
    """Converts a bound of a loop. Loops count upwards, with signed numbers."""
    if isinstance(value, int):
        least = 1 if name == "step" else -(1 << 31)
        if not least <= value < 1 << 31:
            raise BuildError(
                f"kernel.range: {name}: expected a number from {least} to {(1 << 31) - 1}, "
                f"found {value}"
            )
    return _values.integer(value, name)


@contextmanager
def if_(condition: Int) -> Iterator[None]:
    """``with kernel.if_(condition):`` runs its body if the condition is true."""
    where = at("kernel.if_")
    branch = scf.IfOp(_values.condition(condition), **where)
    with block("kernel.if_", ir.InsertionPoint(branch.then_block)):
        yield
        scf.YieldOp([], **at("kernel.if_"))


@contextmanager
def else_() -> Iterator[None]:
    """``with kernel.else_():`` directly after a ``with kernel.if_(condition):``."""
    operations = at("kernel.else_")["ip"].block.operations
    branch = operations[len(operations) - 1] if len(operations) else None
    if not isinstance(branch, scf.IfOp) or branch.else_block is not None:
        raise BuildError("kernel.else_: expected a kernel.if_ right before it")
    with block("kernel.else_", ir.InsertionPoint(branch.regions[1].blocks.append())):
        yield
        scf.YieldOp([], **at("kernel.else_"))


def select(condition: Int, a: Int, b: Int) -> Value:
    """``a`` if the condition is true, else ``b``; both are computed."""
    where = at("kernel.select")
    operands = _values.condition(condition), _values.number(a), _values.number(b)
    return Value(arith.select(*operands, **where))


def minimum(a: Int, b: Int) -> Value:
    """The lesser of two signed numbers."""
    return _values.arith("minsi", a, b)


def maximum(a: Int, b: Int) -> Value:
    """The greater of two signed numbers."""
    return _values.arith("maxsi", a, b)
