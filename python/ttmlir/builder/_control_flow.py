"""Loops and conditionals in a program under construction."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ttmlir import ir
from ttmlir.builder._dtypes import canonical
from ttmlir.builder._functions import Functions
from ttmlir.builder._tensor import Tensor

#: Builds ops from tensors, and returns tensors: one, or several in a sequence.
Body = Callable[..., Any]
#: A constant number, or a tensor of one integer.
Count = int | Tensor

# Predicates of arith.cmpi and arith.cmpf.
_NOT_EQUAL, _UNORDERED_OR_NOT_EQUAL = 1, 13


class ControlFlow(Functions):
    """Data-dependent control flow."""

    def for_loop(
        self, count: Count, body: Body, carried: Sequence[Tensor], *, name: str | None = None
    ) -> tuple[Tensor, ...]:
        """Applies ``body`` to ``carried`` ``count`` times and returns the result.

        Args:
            count: number of iterations; a tensor of one integer if known only at run time. Values
                below 1 mean none.
            body: takes the iteration number, a tensor of shape (1,) that starts at 0, and the
                carried tensors; returns their new values, of the same shapes and dtypes. It may use
                tensors from outside of the loop.
            carried: at least one tensor.
            name: of the loop, in reports.

        Raises:
            ValueError: the body's results do not match the carried tensors.
        """
        self._check_region("for_loop", carried)
        with self.context, self._location(name), ir.InsertionPoint(self._block):
            low, step = self._index(0), self._index(1)
            high = self._count(count) if isinstance(count, Tensor) else self._index(count)
            types = [t.value.type for t in carried]
            loop = ir.Operation.create(
                "scf.for",
                results=types,
                operands=[low, high, step, *(t.value for t in carried)],
                regions=1,
            )
            with self._erased_on_error(loop):
                block = loop.regions[0].blocks.append(ir.IndexType.get(), *types)
                with self._inside(block):
                    number = self._iteration_number(block.arguments[0])
                    given = self._same(block.arguments[1:], carried)
                    self._yield("for_loop", "scf.yield", body(number, *given), carried)
        return self._same(loop.results, carried)

    def while_loop(
        self, condition: Body, body: Body, carried: Sequence[Tensor], *, name: str | None = None
    ) -> tuple[Tensor, ...]:
        """Applies ``body`` to ``carried`` while ``condition`` holds and returns the result.

        Args:
            condition: takes the carried tensors and returns a tensor of one element; the loop
                continues while it is nonzero. The host reads it in each iteration; on a mesh all
                chips must agree on it.
            body: takes the carried tensors and returns their new values, of the same shapes and
                dtypes.
            carried: at least one tensor.
            name: of the loop, in reports.

        Raises:
            ValueError: the body's results do not match the carried tensors, or the condition has
                more than one element.
        """
        self._check_region("while_loop", carried)
        with self.context, self._location(name), ir.InsertionPoint(self._block):
            types = [t.value.type for t in carried]
            loop = ir.Operation.create(
                "scf.while", results=types, operands=[t.value for t in carried], regions=2
            )
            with self._erased_on_error(loop):
                before = loop.regions[0].blocks.append(*types)
                with self._inside(before):
                    given = self._same(before.arguments, carried)
                    holds = self._truth("while_loop", condition(*given))
                    ir.Operation.create(
                        "scf.condition", operands=[holds, *(t.value for t in given)]
                    )
                after = loop.regions[1].blocks.append(*types)
                with self._inside(after):
                    given = self._same(after.arguments, carried)
                    self._yield("while_loop", "scf.yield", body(*given), carried)
        return self._same(loop.results, carried)

    def cond(
        self, condition: Tensor, then: Body, otherwise: Body, *, name: str | None = None
    ) -> tuple[Tensor, ...]:
        """Returns the results of ``then`` if ``condition`` is nonzero, otherwise those of
        ``otherwise``.

        Args:
            condition: a tensor of one element. The host reads it; on a mesh all chips must agree on
                it.
            then: takes no arguments and returns tensors.
            otherwise: like ``then``, with results of the same shapes and dtypes.
            name: of the conditional, in reports.

        Raises:
            ValueError: the branches return different shapes or dtypes, or nothing, or the condition
                has more than one element.
        """
        self._check_region("cond", [condition])
        with self.context, self._location(name), ir.InsertionPoint(self._block):
            holds = self._truth("cond", condition)
            # The result types follow from the branches, so these are built in another op first.
            draft = ir.Operation.create("scf.if", operands=[holds], regions=2)
            with self._erased_on_error(draft):
                blocks = [region.blocks.append() for region in draft.regions]
                with self._inside(blocks[0]):
                    yes = self._tensors("cond", then())
                    self._yield("cond", "scf.yield", yes, yes)
                with self._inside(blocks[1]):
                    self._yield("cond", "scf.yield", otherwise(), yes)
            branch = ir.Operation.create(
                "scf.if", results=[t.value.type for t in yes], operands=[holds], regions=2
            )
            for region, block in zip(branch.regions, blocks, strict=True):
                block.append_to(region)
            draft.erase()
        return self._same(branch.results, yes)

    # ---------------------------------------------------------------------------------------------

    def _check_region(self, op: str, tensors: Sequence[Tensor]) -> None:
        self._check_open()
        self._check_inputs(op, tensors)
        if not tensors:
            raise ValueError(f"{op}: expected at least one tensor that is carried")
        for dialect in ("arith", "scf", "tensor"):
            self.context.get_dialect_descriptor(dialect)

    @contextmanager
    def _inside(self, block: ir.Block) -> Iterator[None]:
        """Inserts ops into ``block`` inside the context."""
        outer, self._block = self._block, block
        try:
            with ir.InsertionPoint(block):
                yield
        finally:
            self._block = outer

    @contextmanager
    def _erased_on_error(self, op: ir.Operation) -> Iterator[None]:
        try:
            yield
        except BaseException:
            op.erase()
            raise

    def _same(self, values: Sequence[Any], like: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """Checks that tensors have the shapes and dtypes of others."""
        return tuple(self._tensor(v, t.shape, t.dtype) for v, t in zip(values, like, strict=True))

    def _tensors(self, op: str, found: Any) -> list[Tensor]:
        tensors = [found] if isinstance(found, Tensor) else list(found or ())
        self._check_inputs(op, tensors)
        if not tensors:
            raise ValueError(f"{op}: expected a function that returns tensors, found none")
        return tensors

    def _yield(self, op: str, terminator: str, found: Any, expected: Sequence[Tensor]) -> None:
        tensors = self._tensors(op, found)
        types = [str(t.value.type) for t in tensors]
        wanted = [str(t.value.type) for t in expected]
        if types != wanted:
            raise ValueError(
                f"{op}: expected a function that returns {', '.join(wanted)}, "
                f"found {', '.join(types)}"
            )
        ir.Operation.create(terminator, operands=[t.value for t in tensors])

    # Numbers -------------------------------------------------------------------------------------

    @staticmethod
    def _constant(value: ir.Attribute, kind: ir.Type) -> Any:
        return ir.Operation.create(
            "arith.constant", results=[kind], attributes={"value": value}
        ).result

    def _index(self, number: int) -> Any:
        kind = ir.IndexType.get()
        return self._constant(ir.IntegerAttr.get(kind, number), kind)

    def _element(self, op: str, tensor: Tensor) -> Any:
        """Returns the single element as a signless integer."""
        if any(extent != 1 for extent in tensor.shape):
            raise ValueError(f"{op}: expected a tensor of one element, found shape {tensor.shape}")
        kind: Any = ir.RankedTensorType(tensor.value.type).element_type
        places = [self._index(0) for _ in tensor.shape]
        found = ir.Operation.create(
            "tensor.extract", results=[kind], operands=[tensor.value, *places]
        ).result
        if not isinstance(kind, ir.IntegerType) or kind.is_signless:
            return found
        plain = ir.IntegerType.get_signless(kind.width)
        return self._reinterpreted(found, plain)

    @staticmethod
    def _reinterpreted(number: Any, kind: ir.Type) -> Any:
        return ir.Operation.create(
            "builtin.unrealized_conversion_cast", results=[kind], operands=[number]
        ).result

    def _count(self, count: Tensor) -> Any:
        self._check_inputs("for_loop", [count])
        element = self._element("for_loop", count)
        if not isinstance(element.type, ir.IntegerType):
            raise ValueError(f"for_loop: expected an integer as the count, found {count.dtype}")
        return ir.Operation.create(
            "arith.index_cast", results=[ir.IndexType.get()], operands=[element]
        ).result

    def _iteration_number(self, index: Any) -> Tensor:
        dtype = canonical("si32")
        kind = self._element_type(dtype)
        plain = ir.IntegerType.get_signless(32)
        number = ir.Operation.create("arith.index_cast", results=[plain], operands=[index]).result
        number = self._reinterpreted(number, kind) if kind != plain else number
        made = ir.Operation.create(
            "tensor.from_elements",
            results=[ir.RankedTensorType.get([1], kind)],
            operands=[number],
        )
        return self._tensor(made.result, (1,), dtype)

    def _truth(self, op: str, condition: Any) -> Any:
        """Returns an i1: whether the single element of a tensor is nonzero."""
        (tensor,) = self._tensors(op, condition)
        element = self._element(op, tensor)
        kind, flag = element.type, ir.IntegerType.get_signless(1)
        if kind == flag:
            return element
        is_integer = isinstance(kind, ir.IntegerType)
        zero = ir.IntegerAttr.get(kind, 0) if is_integer else ir.FloatAttr.get(kind, 0.0)
        predicate = _NOT_EQUAL if is_integer else _UNORDERED_OR_NOT_EQUAL
        attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate)
        return ir.Operation.create(
            "arith.cmpi" if is_integer else "arith.cmpf",
            results=[flag],
            operands=[element, self._constant(zero, kind)],
            attributes={"predicate": attribute},
        ).result
