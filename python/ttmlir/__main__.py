"""``python -m ttmlir``: prints version and targets, and shows memory layouts in the browser."""

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
        help="show the memory layout of a tensor, on a page at a local address or in a file",
    )
    layout.add_argument("shape", nargs="?", default="64x128", help="tensor shape (default: 64x128)")
    for name, text in (
        ("dtype", "number format (default: f32)"),
        ("grid", "cores (default: 1x1)"),
        ("collapse-intervals", "dimensions to collapse, such as --collapse-intervals=0,-1"),
        ("tile", "tile shape, empty for row-major (default: 32x32)"),
        ("memory-space", "l1 or dram (default: l1)"),
        ("memory-layout", "interleaved, height_sharded ..."),
        ("target", "target (default: n150)"),
        ("address", "address of the tensor in each bank"),
    ):
        layout.add_argument(f"--{name}", help=text)
    layout.add_argument("-o", "--output", help="write an .html file and exit")
    layout.add_argument("--port", type=int, default=0, help="port (default: a free one)")
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
        layout.data()  # Report errors here rather than with a page that never loads.
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
