"""ttrt: inspects, checks and runs compiled flatbuffers.

The command line is ``ttrt`` (or ``python -m ttrt``); ``ttrt.common.api.API`` offers the same
commands to Python.
"""

from __future__ import annotations

__all__ = ["main"]


def __getattr__(name: str) -> str:
    if name == "__version__":
        from ttmlir import __version__

        return __version__
    raise AttributeError(f"module 'ttrt' has no attribute '{name}'")


def main() -> None:
    """Entry point of the console command; exits with its status."""
    import sys

    from ttrt.cli import run

    sys.exit(run(sys.argv[1:]))
