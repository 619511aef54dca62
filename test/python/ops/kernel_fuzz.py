"""Random kernels of integers, loops and branches, as MLIR and as what Python makes of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

import ttmlir
from ttmlir import ir, passes, runtime
from ttmlir.dialects import tt

MASK = 0xFFFFFFFF
Values = dict[str, int]
Run = Callable[[Values], None]


def signed(value: int) -> int:
    return value - (1 << 32) if value >> 31 else value


#: The ops, and what they are modulo 2^32.
BINARY: dict[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "minui": min,
    "maxui": max,
    "minsi": lambda a, b: min(signed(a), signed(b)),
    "maxsi": lambda a, b: max(signed(a), signed(b)),
}
PREDICATES: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ult": lambda a, b: a < b,
    "slt": lambda a, b: signed(a) < signed(b),
    "sge": lambda a, b: signed(a) >= signed(b),
}


@dataclass
class Writer:
    """Writes a kernel: each method adds MLIR and returns what computes the same in Python."""

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    printed: list[list[int]] = field(default_factory=list)
    count: int = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def some(self, scope: list[str], count: int) -> list[str]:
        return [self.rng.choice(scope) for _ in range(count)]

    def block(self, scope: list[str], depth: int) -> tuple[list[str], Run]:
        """A few statements. Also gives the values that are known behind them."""
        scope = list(scope)
        steps: list[Run] = []
        kinds: list[Callable[[list[str], int], Run]] = [
            self.binary,
            self.binary,
            self.select,
            self.show,
        ]
        if depth:
            kinds += [self.loop, self.loop, self.branch, self.turns]
        for _ in range(self.rng.randint(2, 5)):
            steps.append(self.rng.choice(kinds)(scope, depth))

        def run(values: Values) -> None:
            for step in steps:
                step(values)

        return scope, run

    def binary(self, scope: list[str], _: int) -> Run:
        op, result = self.rng.choice(list(BINARY)), self.name()
        a, b = self.some(scope, 2)
        self.lines.append(f"{result} = arith.{op} {a}, {b} : i32")
        scope.append(result)

        def run(values: Values) -> None:
            values[result] = BINARY[op](values[a], values[b]) & MASK

        return run

    def compare(self, a: str, b: str) -> tuple[str, str]:
        predicate, result = self.rng.choice(list(PREDICATES)), self.name()
        self.lines.append(f"{result} = arith.cmpi {predicate}, {a}, {b} : i32")
        return predicate, result

    def select(self, scope: list[str], _: int) -> Run:
        a, b, c, d = self.some(scope, 4)
        predicate, test = self.compare(a, b)
        result = self.name()
        self.lines.append(f"{result} = arith.select {test}, {c}, {d} : i32")
        scope.append(result)

        def run(values: Values) -> None:
            chosen = PREDICATES[predicate](values[a], values[b])
            values[result] = values[c if chosen else d]

        return run

    def show(self, scope: list[str], _: int) -> Run:
        shown = self.some(scope, 3)
        types = ", ".join(["i32"] * 3)
        self.lines.append(
            f'"ttkernel.dprint"({", ".join(shown)}) <{{fmt = "{{}} {{}} {{}}"}}> : ({types}) -> ()'
        )

        def run(values: Values) -> None:
            self.printed.append([signed(values[value]) for value in shown])

        return run

    def loop(self, scope: list[str], depth: int) -> Run:
        """A loop that carries values, and may exchange them."""
        index, low, high, step = self.name(), *(self.name() for _ in range(3))
        bounds = [self.rng.randint(0, 2), self.rng.randint(0, 5), self.rng.randint(1, 2)]
        for value, number in zip((low, high, step), bounds, strict=True):
            self.lines.append(f"{value} = arith.constant {number} : i32")
        size = self.rng.randint(1, 3)
        carried, first = [self.name() for _ in range(size)], self.some(scope, size)
        pairs = ", ".join(f"{a} = {b}" for a, b in zip(carried, first, strict=True))
        types = ", ".join(["i32"] * size)
        result = self.name()
        self.lines.append(
            f"{result}:{size} = scf.for {index} = {low} to {high} step {step} "
            f"iter_args({pairs}) -> ({types}) : i32 {{"
        )
        inner, body = self.block([*scope, index, *carried], depth - 1)
        # Often those that are carried already, so that they change places.
        given = self.some(inner[-4:] + carried * 2, size)
        self.lines.append(f"scf.yield {', '.join(given)} : {types}")
        self.lines.append("}")
        results = [f"{result}#{i}" for i in range(size)]
        scope += results

        def run(values: Values) -> None:
            now = [values[value] for value in first]
            for i in range(*bounds):
                values[index] = i
                values.update(zip(carried, now, strict=True))
                body(values)
                now = [values[value] for value in given]
            values.update(zip(results, now, strict=True))

        return run

    def branch(self, scope: list[str], depth: int) -> Run:
        a, b = self.some(scope, 2)
        predicate, test = self.compare(a, b)
        result = self.name()
        self.lines.append(f"{result} = scf.if {test} -> i32 {{")
        sides = []
        for end in ("} else {", "}"):
            inner, body = self.block(scope, depth - 1)
            (given,) = self.some(inner, 1)
            self.lines += [f"scf.yield {given} : i32", end]
            sides.append((body, given))
        scope.append(result)

        def run(values: Values) -> None:
            body, given = sides[0 if PREDICATES[predicate](values[a], values[b]) else 1]
            body(values)
            values[result] = values[given]

        return run

    def turns(self, scope: list[str], depth: int) -> Run:
        """A loop that ends where a counter is at its limit, with a condition of its own."""
        counter, limit, next_, one, test = (self.name() for _ in range(5))
        result, carried = self.name(), self.name()
        most = self.rng.randint(0, 3)
        (first,) = self.some(scope, 1)
        self.lines += [
            f"{one} = arith.constant 1 : i32",
            f"{limit} = arith.constant {most} : i32",
            f"%z{self.count} = arith.constant 0 : i32",
            f"{result}:2 = scf.while ({counter} = %z{self.count}, {carried} = {first}) "
            ": (i32, i32) -> (i32, i32) {",
        ]
        _, before = self.block([*scope, counter, carried], depth - 1)
        self.lines += [
            f"{test} = arith.cmpi slt, {counter}, {limit} : i32",
            f"scf.condition({test}) {counter}, {carried} : i32, i32",
            "} do {",
            f"^bb0({counter}b: i32, {carried}b: i32):",
        ]
        inner, after = self.block([*scope, f"{counter}b", f"{carried}b"], depth - 1)
        (given,) = self.some(inner, 1)
        self.lines += [
            f"{next_} = arith.addi {counter}b, {one} : i32",
            f"scf.yield {next_}, {given} : i32, i32",
            "}",
        ]
        scope.append(f"{result}#1")

        def run(values: Values) -> None:
            values[counter], values[carried] = 0, values[first]
            while True:
                before(values)
                if values[counter] >= most:
                    break
                values[f"{counter}b"], values[f"{carried}b"] = values[counter], values[carried]
                after(values)
                values[counter], values[carried] = values[counter] + 1, values[given]
            values[f"{result}#1"] = values[carried]

        return run


def write(seed: int) -> tuple[list[str], list[list[int]]]:
    """The lines of a kernel, and the numbers that it prints."""
    writer = Writer(random.Random(seed))
    values: Values = {}
    for number in (0, 1, 7, -3, 1 << 20):
        name = writer.name()
        writer.lines.append(f"{name} = arith.constant {number} : i32")
        values[name] = number & MASK
    core = writer.name()
    writer.lines.append(f'{core} = "ttkernel.core_index"() : () -> i32')
    values[core] = 0
    scope, run = writer.block(list(values), 3)
    show = writer.show(scope, 0)
    run(values)
    show(values)
    return writer.lines, writer.printed


# Runs --------------------------------------------------------------------------------------------

LAYOUT = (
    "#tt.layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x32xf32, #tt.memory_space<dram>>, "
    "interleaved>"
)


def program(kernel: list[str]) -> ttmlir.Executable:
    """A program that runs a kernel on one core and gives its input back."""
    context = ir.Context()
    system = tt.ir.SystemDescAttr.get_default(context)
    device = tt.ir.DeviceAttr.from_system_desc(context, system, [])
    body = "\n".join(kernel)
    text = f"""#layout = {LAYOUT}
module attributes {{tt.device = {device}, tt.system_desc = {system}}} {{
func.func @main(%a: tensor<32x32xf32, #layout>) -> tensor<32x32xf32, #layout>
    attributes {{tt.arg_alloc = [#tt.arg_alloc<1024, 4096, dram>]}} {{
  "ttmetal.dispatch"() <{{core_ranges = [#ttmetal.core_range<0x0, 1x1>],
      kernelConfigs = [#ttkernel.noc_config<noc0>], operandSegmentSizes = array<i32: 0, 0>}}> ({{
    {body}
    "ttkernel.return"() : () -> ()
  }}) : () -> ()
  return %a : tensor<32x32xf32, #layout>
}}
}}
"""
    data = passes.ttmetal_to_flatbuffer_bytes(ir.Module.parse(text, context))
    return ttmlir.Executable(runtime.load_binary_from_bytes(data))


def prints(kernel: list[str]) -> list[str]:
    exe = program(kernel)
    exe(np.zeros((32, 32), np.float32))
    return [line.text for line in runtime.get_debug_prints(exe.device)]


def text_of(expected: list[list[int]]) -> list[str]:
    """What a kernel prints for numbers, line by line."""
    return [" ".join(map(str, numbers)) for numbers in expected]
