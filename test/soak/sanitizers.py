"""The build with AddressSanitizer and UndefinedBehaviorSanitizer, and what it says."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build-asan-ubsan"

OPTIONS = {
    # Bad input may ask for more memory than there is: what asked for it hears so. The MLIR of the
    # wheels is not sanitized, and does not know what the headers of LLVM have poisoned.
    "ASAN_OPTIONS": "allocator_may_return_null=1:detect_leaks=0:allow_user_poisoning=0",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}


def environment(python: bool = False) -> dict[str, str]:
    """The environment of a program with sanitizers; of an interpreter that is to load the packages
    of the build with sanitizers, if they are built."""
    result = {**os.environ, **OPTIONS}
    packages = BUILD / "python_packages"
    if python and (packages / "ttmlir" / "_mlir_libs" / "libTTMLIRAggregateCAPI.so").exists():
        # The interpreter itself has no sanitizer: their libraries come first.
        names = ("libasan.so", "libubsan.so", "libstdc++.so")
        libraries = [
            subprocess.check_output(["g++", f"-print-file-name={name}"], text=True).strip()
            for name in names
        ]
        result["LD_PRELOAD"] = " ".join(libraries)
        result["PYTHONPATH"] = str(packages)
    return result


def loaded() -> bool:
    """Whether this interpreter runs with sanitizers, which make it some three times as slow."""
    return "libasan" in os.environ.get("LD_PRELOAD", "")


def finding(said: str) -> str:
    """What a sanitizer found, by the words that it wrote; nothing if it is silent."""
    found = re.search(r"AddressSanitizer: ([\w-]+)|(runtime error)", said)
    return (found[1] or found[2]) if found else ""
