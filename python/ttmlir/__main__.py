"""``python -m ttmlir``: which ttmlir this is, what it can compile for, and the page of a layout."""

from __future__ import annotations

import argparse
import sys
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
    commands = parser.add_subparsers(dest="command", title="pages")
    layout = commands.add_parser(
        "layout",
        help="show how a tensor lies in memory: a page at a local address, or a file",
    )
    layout.add_argument("shape", nargs="?", default="64x128", help="64x128 without it")
    for name, text in (
        ("dtype", "number format, f32 without it"),
        ("grid", "cores, 1x1 without it"),
        ("collapse-intervals", "dimensions that become one, such as --collapse-intervals=0,-1"),
        ("tile", "32x32 without it; empty for rows"),
        ("memory-space", "l1 (without it) or dram"),
        ("memory-layout", "interleaved, height_sharded ..."),
        ("target", "n150 without it"),
        ("address", "where the tensor begins in each bank"),
    ):
        layout.add_argument(f"--{name}", help=text)
    layout.add_argument("-o", "--output", help="write a .html file, and end")
    layout.add_argument("--port", type=int, default=0, help="a free one without it")
    arguments = vars(parser.parse_args())
    if arguments.pop("command"):
        sys.exit(_layout(arguments))
    print(version)
    print(f"installed in {Path(ttmlir.__file__).parent}")
    print(f"targets: {', '.join(ttmlir.targets())}")


def _layout(arguments: dict[str, str | None]) -> int:
    from ttmlir.pages import save_layout_page
    from ttmlir.pages._serve import layout_server, parse

    output, port = arguments.pop("output"), arguments.pop("port")
    try:
        layout = parse({name: text for name, text in arguments.items() if text is not None})
        if output is not None:
            save_layout_page(layout, output)
            return 0
        layout.data()  # An error here is better than a page that does not come.
        server = layout_server(layout, int(port or 0))
    except ttmlir.Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{server.url} (Ctrl-C ends it)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()
    return 0


if __name__ == "__main__":
    main()
