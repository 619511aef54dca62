"""`ttrt accuracy`: compares the results of a model with its source, op by op."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ttrt.common.command import Command
from ttrt.common.errors import GoldenMismatch, TTRTError
from ttrt.common.models import load_exported
from ttrt.common.util import BINARIES


class Accuracy(Command):
    """Compiles a model, runs it, and compares every op."""

    name = "accuracy"
    help = "compare the results of every op with those of the source"

    def execute(self) -> None:
        from ttmlir import Error

        path = self["model"]
        suffix = Path(path).suffix
        opened = _OPENERS.get(suffix, _of_binary if suffix in BINARIES else None)
        if opened is None:
            expected = ", ".join([*_OPENERS, *BINARIES])
            raise TTRTError(f"'{path}': expected one of {expected}, found {suffix or 'no suffix'}")
        try:
            comparison = opened(self)
            self.save(comparison)
        except Error as error:
            self.record(path, "error", TTRTError(f"{path}: {error}"))
            return
        self.logger.output(comparison.text(parts=self["parts"]))
        self.record(path, *self._judged(comparison))

    def compile(self, source: Any, **keywords: Any) -> Any:
        """Compiles a model with the options of the command."""
        import ttmlir

        target = self["target"] or "n150"
        system: Any = {"system_desc": target} if target.endswith(".ttsys") else {"target": target}
        return ttmlir.compile(source, backend=self["backend"], **system, **keywords)

    @property
    def comparison(self) -> dict[str, Any]:
        """The keywords of the comparison."""
        return {
            "min_pcc": self.args.given("min-pcc"),
            "max_relative": self.args.given("max-relative"),
            "numerics": self["numerics"],
        }

    def inputs(self, exe: Any) -> list[Any]:
        """Returns arrays for the unbound arguments of a program."""
        from ttrt.common.tensors import initialize

        rng = np.random.default_rng(self["seed"])
        bound = exe._bound.of(exe.programs[0])
        infos = [info for i, info in enumerate(exe.inputs) if i not in bound]
        return [initialize(self["init"], i.shape, np.dtype(i.dtype), rng) for i in infos]

    def _judged(self, comparison: Any) -> tuple[str, Exception | None]:
        """Checks that all outputs were compared, and the requested correlations."""
        if blind := comparison.not_compared:
            return "fail", GoldenMismatch(
                f"{self['model']}: expected all outputs to be compared, found {len(blind)} of "
                f"{len(comparison.outputs)} that are not; {blind[0].name}: {blind[0].reason}"
            )
        least = self.args.given("min-pcc")
        found = comparison.min_pcc
        if least is None or found is None or found >= least:
            return "pass", None
        return "fail", GoldenMismatch(
            f"{self['model']}: expected a PCC of at least {least:g}, found {found:.6f}"
        )


def _of_binary(command: Accuracy) -> Any:
    """Compares a compiled file with its goldens."""
    import ttmlir

    exe = ttmlir.load(command["model"])
    return exe.compare("goldens", **command.comparison)


def _of_mlir(command: Accuracy) -> Any:
    """Compares a program with itself in f32; ops without a unique name get one."""
    from ttmlir._lowering import ttir_of
    from ttmlir.explorer.evaluation import name_ops

    module = ttir_of(Path(command["model"]))
    name_ops(module)
    exe = command.compile(module)
    return exe.compare(module, *command.inputs(exe), **command.comparison)


def _of_torch(command: Accuracy) -> Any:
    """Compares a program saved by torch.export with PyTorch in float64."""
    exported = load_exported(command["model"])
    exe = command.compile(exported, dtype=command["dtype"] or None)
    args, kwargs = exported.example_inputs or (None, {})
    if args is None:
        raise TTRTError(f"'{command['model']}': expected a program with example inputs, found none")
    return exe.compare("f64", *args, **command.comparison, **kwargs)


def _of_onnx(command: Accuracy) -> Any:
    """Compares an ONNX model with onnxruntime or ONNX's reference."""
    exe = command.compile(command["model"], dtype=command["dtype"] or None)
    return exe.compare(command["model"], *command.inputs(exe), **command.comparison)


_OPENERS = {
    ".onnx": _of_onnx,
    ".pt2": _of_torch,
    ".mlir": _of_mlir,
    ".mlirbc": _of_mlir,
}
