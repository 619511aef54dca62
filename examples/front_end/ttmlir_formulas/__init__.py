"""A front end of ttmlir for formulas on tensors, in a language of a few lines:

    formulas
    x: 64x128
    w: 128x96
    h = relu(x @ w) / 2
    return h, sum(h)

The executable takes arrays in the order of the inputs, or by name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import ttmlir
from ttmlir.errors import CompileError, Diagnostic, InputError
from ttmlir.frontends import (
    Arguments,
    Call,
    ExecutableLike,
    FrontEnd,
    Lowered,
    Options,
    Signature,
    Source,
)
from ttmlir.frontends.reference import Values

if TYPE_CHECKING:
    from ttmlir import Program


def _relu(x: Any) -> Any:
    return np.maximum(x, 0)


def _sum(x: Any) -> Any:
    return np.sum(x).reshape(1)


#: By the name in a formula: the method of ``ttmlir.Builder``, and its equivalent in NumPy.
FUNCTIONS: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "exp": ("exp", np.exp),
    "relu": ("relu", _relu),
    "sum": ("sum", _sum),
    "tanh": ("tanh", np.tanh),
    "transpose": ("transpose", np.transpose),
}
OPERATORS: Mapping[type[ast.operator], tuple[str, Callable[..., Any]]] = {
    ast.Add: ("add", np.add),
    ast.Sub: ("subtract", np.subtract),
    ast.Mult: ("multiply", np.multiply),
    ast.Div: ("div", np.divide),
    ast.MatMult: ("matmul", np.matmul),
}


class Formulas:
    """A program: shapes of inputs by name, and parsed formulas with their lines."""

    def __init__(self, text: str, file: str) -> None:
        self.inputs: dict[str, tuple[int, ...]] = {}
        self.formulas: list[tuple[str, ast.expr, str]] = []
        self.results: list[tuple[ast.expr, str]] = []
        for number, line in enumerate(text.splitlines()[1:], 2):
            place = f"{file}:{number}:1"
            try:
                self._read(line.strip(), place)
            except (SyntaxError, ValueError):
                raise refusal(f"expected a shape or a formula, found '{line}'", place) from None
        if not self.results:
            raise refusal("expected a line that begins with return", f"{file}:1:1")

    def _read(self, line: str, place: str) -> None:
        if line.startswith("return "):
            tree = ast.parse(line.removeprefix("return "), mode="eval").body
            found = tree.elts if isinstance(tree, ast.Tuple) else [tree]
            self.results += [(result, place) for result in found]
        elif "=" in line:
            name, _, formula = line.partition("=")
            tree = ast.parse(formula.strip(), mode="eval").body
            self.formulas.append((name.strip(), tree, place))
        elif line:
            name, _, shape = line.partition(":")
            self.inputs[name.strip()] = tuple(int(n) for n in shape.split("x"))

    def run(self, values: dict[str, Any], call: Callable[..., Any]) -> list[Any]:
        """Returns the results for named inputs. ``call`` computes one step: it takes an entry of
        one of the tables, a location, and operands."""
        for name, tree, place in self.formulas:
            values[name] = self._value(tree, values, call, place)
        return [self._value(tree, values, call, place) for tree, place in self.results]

    def _value(self, tree: ast.expr, values: Mapping[str, Any], call: Any, place: str) -> Any:
        def value(inner: ast.expr) -> Any:
            return self._value(inner, values, call, place)

        match tree:
            case ast.Constant(float() | int() as number):
                return float(number)
            case ast.Name(name) if name in values:
                return values[name]
            case ast.BinOp(left, operator, right) if type(operator) in OPERATORS:
                return call(OPERATORS[type(operator)], place, value(left), value(right))
            case ast.Call(ast.Name(name), operands) if name in FUNCTIONS:
                return call(FUNCTIONS[name], place, *map(value, operands))
            case _:
                raise refusal(f"'{ast.unparse(tree)}' is not supported", place)


def refusal(message: str, place: str) -> CompileError:
    return CompileError("the formulas cannot be compiled", [Diagnostic("error", message, place)])


class FormulasFrontEnd(FrontEnd):
    name, noun = "formulas", "formulas"

    def recognizes(self, source: Source) -> bool:
        return isinstance(source.content, str) and source.content.startswith("formulas\n")

    def lower(self, source: Source, arguments: Arguments, options: Options) -> Lowered:
        program, builder = self._program(source), ttmlir.Builder()

        def call(step: tuple[str, Any], place: str, *operands: Any) -> Any:
            tensors = [builder.full((), x) if isinstance(x, float) else x for x in operands]
            try:
                return getattr(builder, step[0])(*tensors)
            except ValueError as error:
                raise refusal(str(error), place) from None

        inputs = {name: builder.input(name, shape) for name, shape in program.inputs.items()}
        builder.output(*program.run(dict(inputs), call))
        return Lowered(builder.module, FormulasSignature())

    def reference(self, source: Source, args: Sequence[Any], kwargs: Any) -> Values:
        """NumPy in float64, for ``Executable.compare``."""
        program = self._program(source)
        given = {**dict(zip(program.inputs, args, strict=False)), **kwargs}
        wide = {name: np.asarray(x, np.float64) for name, x in given.items()}

        def call(step: tuple[str, Any], place: str, *operands: Any) -> Any:
            return step[1](*operands)

        results = program.run(wide, call)
        return Values("NumPy in float64", {}, [np.asarray(x) for x in results])

    def _program(self, source: Source) -> Formulas:
        assert isinstance(source.content, str)
        return Formulas(source.content, source.label)


class FormulasSignature(Signature):
    """Takes arrays by name, too."""

    def call(
        self, exe: ExecutableLike, program: Program, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Call:
        names = self.input_names(exe)
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        if set(given) != set(names) or len(args) > len(names):
            raise InputError(f"expected {', '.join(names)}, found {', '.join(given)}")
        return Call(exe, program, [given[name] for name in names])


FRONT_END = FormulasFrontEnd()
