"""Command lines that print C++ compiler flags."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence


def print_flags(
    module: str,
    description: str | None,
    options: Mapping[tuple[str, ...], tuple[str, Callable[[], Sequence[str]]]],
) -> None:
    """Prints the flags that the command-line options select; passing none is an error.

    Args:
        module: the module with this command line.
        description: of the command.
        options: help and flags by option name; messages show the first name.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description=description)
    for names, (help_text, _) in options.items():
        parser.add_argument(*names, dest=names[0], action="store_true", help=help_text)
    chosen = vars(parser.parse_args())
    flags = [flag for names, (_, found) in options.items() if chosen[names[0]] for flag in found()]
    if not flags:
        *others, last = (names[0] for names in options)
        parser.error(f"expected {', '.join(others)} or {last}")
    print(" ".join(flags))
