"""The systems that a program can be compiled for and run on."""

from __future__ import annotations

import os

from ttmlir import runtime
from ttmlir._files import check_exists
from ttmlir.errors import Error

SystemDescLike = runtime.SystemDesc | str | os.PathLike[str]


def targets() -> list[str]:
    """Names of the built-in systems: ``n150``, ``n300`` and so on."""
    return list(runtime.get_default_targets())


def resolve(target: str, system_desc: SystemDescLike | None) -> runtime.SystemDesc:
    """Returns the system descriptor to compile for: the given one (an object or a .ttsys file), or
    that of the named target. Raises Error for an unknown target or an unreadable file.
    """
    if system_desc is None:
        names = targets()
        if target not in names:
            raise Error(f"no target '{target}', expected one of {', '.join(names)}")
        return runtime.get_default_system_desc(target)
    if isinstance(system_desc, (str, os.PathLike)):
        check_exists(system_desc)
        return runtime.load_system_desc_from_path(os.fspath(system_desc))
    if not isinstance(system_desc, runtime.SystemDesc):
        raise Error(
            f"system_desc: expected a descriptor or the path of one, found "
            f"{type(system_desc).__name__}"
        )
    return system_desc
