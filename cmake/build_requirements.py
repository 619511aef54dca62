"""Prints requirements of pyproject.toml, one for each line, for `pip install -r`.

Usage: build_requirements.py NAME...   where NAME is `build`, `project`, an optional extra, or a
dependency group.

An extra that refers to others, such as `dev`, is expanded.

`make` installs them into its virtual environment and builds without isolation: the wheel and the
tests then share one build tree, and the versions are only in pyproject.toml.
"""

from __future__ import annotations

import pathlib
import re
import sys

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10: pip carries a copy.
    from pip._vendor import tomli as tomllib  # type: ignore[no-redef]


def main() -> None:
    root = pathlib.Path(__file__).resolve().parent.parent
    table = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    groups = {
        "build": table["build-system"]["requires"],
        "project": table["project"]["dependencies"],
        **table["project"]["optional-dependencies"],
        **table["dependency-groups"],
    }

    def show(name: str) -> None:
        if name not in groups:
            sys.exit(f"error: no group '{name}', expected one of {sorted(groups)}")
        for requirement in groups[name]:
            extras = re.fullmatch(rf"{table['project']['name']}\[(.*)\]", requirement)
            if extras:
                for extra in extras[1].split(","):
                    show(extra.strip())
            else:
                print(requirement)

    for name in sys.argv[1:]:
        show(name)


if __name__ == "__main__":
    main()
