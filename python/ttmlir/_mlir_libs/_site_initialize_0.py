"""Runs when ``ttmlir.ir`` is imported: every new context knows the project's dialects."""

from ._ttmlir import register_dialects as register_dialects
