"""The exception of this package."""

from __future__ import annotations

from ttmlir.errors import Error


class BuildError(Error):
    """A kernel program cannot be built: the message has the expected and the actual value."""
