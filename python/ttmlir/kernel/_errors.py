"""What the parts of this package raise."""

from __future__ import annotations

from ttmlir.errors import Error


class BuildError(Error):
    """A kernel program that cannot be built: what was expected, and what was found."""
