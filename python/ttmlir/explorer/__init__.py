"""Programs as graphs: in Model Explorer, and on a page that changes layouts and runs the program.

``model-explorer --extensions=ttmlir.explorer model.mlir`` opens the first; ``ttrt explore
model.mlir`` or ``serve`` opens the second.
"""

from __future__ import annotations

from ttmlir.explorer.overlays import save_overlays as save_overlays
from ttmlir.explorer.page import serve as serve
from ttmlir.explorer.server import Server as Server

__all__ = ["Server", "save_overlays", "serve"]
