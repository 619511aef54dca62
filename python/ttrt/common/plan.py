"""`ttrt plan`: what a model costs on each target."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ttmlir._report import tables
from ttrt.common.command import Command
from ttrt.common.errors import TTRTError
from ttrt.common.models import load_exported, shapes_of


class Plan(Command):
    """Models the cost of a program; runs nothing."""

    name = "plan"
    help = "model what a model costs on each target, divided over its chips"

    def execute(self) -> None:
        import ttmlir
        from ttmlir.planning import amounts_of

        try:
            keywords = {
                "targets": self._list("targets"),
                "precisions": self._list("precisions"),
                "prices": amounts_of(self["prices"], "--prices"),
                "watts": amounts_of(self["watts"], "--watts"),
                "changes": self["changes"],
                "progress": None if sys.stderr.isatty() else self._report,
            }
            if self._is_decoder():
                plan = self._decoder(**keywords)
            else:
                plan = ttmlir.plan(self._source(), **keywords, **self._keywords())
            self.save(plan)
        except ttmlir.Error as error:
            self.record(self["model"], "error", TTRTError(f"{self['model']}: {error}"))
            return
        self.logger.output(plan.text(self["top"] or None))
        self.record(self["model"], "pass")

    def _list(self, name: str) -> list[Any]:
        return [part.strip() for part in self[name].split(",") if part.strip()]

    def _report(self, choice: Any) -> None:
        self.logger.info(f"{choice.name}: {choice.error or tables.time(choice.seconds)}")

    def _is_decoder(self) -> bool:
        """Whether the model is a transformers decoder, given as a folder or a ``config.json``."""
        path = Path(self["model"])
        return path.is_dir() or path.suffix == ".json"

    def _decoder(self, **keywords: Any) -> Any:
        try:
            from ttmlir.llm import plan
        except ImportError as error:
            raise TTRTError(str(error)) from None
        names = ("users", "context", "prompt")
        return plan(self["model"], **{name: self[name] for name in names}, **keywords)

    def _source(self) -> Any:
        """The model: an exported program, or its path."""
        suffix = Path(self["model"]).suffix
        if suffix == ".pt2":
            exported = load_exported(self["model"])
            args, _kwargs = exported.example_inputs or (None, {})
            if args is None:
                raise TTRTError(
                    f"'{self['model']}': expected a program with example inputs, found none"
                )
            return exported
        if suffix not in (".onnx", ".mlir", ".mlirbc"):
            raise TTRTError(
                f"'{self['model']}': expected one of .onnx, .pt2, .mlir, .mlirbc, .json, "
                f"found {suffix or 'no suffix'}"
            )
        return self["model"]

    def _keywords(self) -> dict[str, Any]:
        keywords: dict[str, Any] = {}
        if self["shapes"]:
            keywords["shapes"] = shapes_of(self["shapes"])
        if self["parameters"]:
            keywords["parameters"] = self._list("parameters")
        return keywords
