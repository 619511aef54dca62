"""``python -m ttmlir``: which ttmlir this is, and what it can compile for."""

from __future__ import annotations

import argparse
from pathlib import Path

import ttmlir


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m ttmlir",
        description=ttmlir.__doc__,
        epilog="Commands: ttmlir-opt, ttmlir-translate, ttmlir-lsp-server, ttrt.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    version = f"ttmlir {ttmlir.__version__} ({ttmlir.__git_hash__})"
    parser.add_argument("--version", action="version", version=version)
    parser.parse_args()
    print(version)
    print(f"installed in {Path(ttmlir.__file__).parent}")
    print(f"targets: {', '.join(ttmlir.targets())}")


if __name__ == "__main__":
    main()
