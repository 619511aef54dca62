"""Writes the exception classes of faults in Python, from the enumeration in C++.

faults.py fault.h _faults.py
"""

import re
import sys
from pathlib import Path

HEAD = '''"""What a kernel can do wrong, a class for each kind; made from the enumeration in C++."""

from ttmlir._base_errors import Fault
'''
CLASS = '''

class {name}Fault(Fault):
    """{meaning}."""

    kind = "{name}"
'''


def main(header: str, target: str) -> None:
    """Raises ValueError if the header has no kinds."""
    found = re.findall(r'^  X\((\w+), +"([^"]+)"\)', Path(header).read_text(), re.MULTILINE)
    if not found:
        raise ValueError(f'{header}: expected kinds as X(Name, "meaning"), found none')
    # A deadlock says more than the others and is written by hand.
    kinds = [(name, meaning) for name, meaning in found if name != "Deadlock"]
    names = "".join(f'    "{name}Fault",\n' for name, _ in kinds)
    classes = "".join(
        CLASS.format(name=name, meaning=meaning[0].upper() + meaning[1:]) for name, meaning in kinds
    )
    Path(target).write_text(f"{HEAD}\n__all__ = [\n{names}]\n{classes}")


if __name__ == "__main__":
    main(*sys.argv[1:])
