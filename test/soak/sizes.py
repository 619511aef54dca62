"""Every op at the sizes of real models, as library calls and as kernels, against JAX in float64."""

from __future__ import annotations

import hypothesis
import op_sizes
from engine import Failure, Note
from hypothesis import HealthCheck, Phase, given, settings
from op_cases import CASES
from op_formats import check
from op_program import Case

import ttmlir

OPS = sorted(CASES)
#: Draws of one seed. Hypothesis begins with the smallest case there is.
DRAWS = 4
OPTIONS = (
    {"backend": "ttnn"},
    {"backend": "ttmetal"},
    {"backend": "ttmetal", "default_memory_space": "l1"},
)


def problem(case: Case) -> Failure | None:
    """What goes wrong with a case in one of the backends."""
    expected = case.expected()
    for options in OPTIONS:
        where = ", ".join(options.values())
        try:
            exe = ttmlir.compile(case.text(), **options)
            actual = exe(*(array for array, _ in case.inputs))
            check(actual, expected, case.format, case.ulps, case.slack)
        except AssertionError as error:
            return Failure(f"{where}: wrong numbers", f"{case}: {error}", case.text(), ".mlir")
        except ttmlir.Error as error:
            kind = f"{where}: {type(error).__name__}"
            return Failure(kind, f"{case}: {error}", case.text(), ".mlir")
    return None


class Sizes:
    name = "sizes"
    seconds = 300.0
    # Tensors of many megabytes: what they touched of the chip's memory stays.
    batch = 10

    def run(self, seed: int, note: Note) -> str:
        op, found = OPS[seed % len(OPS)], []

        @hypothesis.seed(seed)
        @settings(
            max_examples=DRAWS,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(CASES[op])
        def draw(case: Case) -> None:
            note(f"// {case}\n{case.text()}", ".mlir")
            failure = problem(case)
            if failure is not None:
                found.append(failure)

        with op_sizes.use(op_sizes.REAL):
            draw()
        if found:
            raise found[0]
        return op
