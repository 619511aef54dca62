"""Flags for host programs: C++ that uses tt-metal's host API on the emulator.

The package contains the headers and the library. From a shell:

    g++ -std=c++20 program.cpp $(python -m ttmlir.config --cxxflags --ldflags) -o program

With CMake:

    cmake -S . -B build -Dttmlir_DIR=$(python -m ttmlir.config --cmakedir)
"""

from __future__ import annotations

import argparse
from pathlib import Path

_PACKAGE = Path(__file__).absolute().parent


def include_dir() -> Path:
    """Returns the folder of the headers, such as ``tt-metalium/host_api.hpp``."""
    return _PACKAGE / "include" / "host_api"


def library_dir() -> Path:
    """Returns the folder of ``libtt_metal.so``."""
    return _PACKAGE / "lib"


def cmake_dir() -> Path:
    """Returns the folder of ``ttmlir-config.cmake``, for ``find_package(ttmlir)``."""
    return _PACKAGE / "cmake"


def compile_flags() -> list[str]:
    """Returns the compiler flags."""
    return ["-std=c++20", f"-I{include_dir()}"]


def link_flags() -> list[str]:
    """Returns the linker flags, to be given after the source files."""
    return [f"-L{library_dir()}", f"-Wl,-rpath,{library_dir()}", "-ltt_metal"]


def main() -> None:
    """Prints flags for the command line."""
    parser = argparse.ArgumentParser(prog="python -m ttmlir.config", description=main.__doc__)
    parser.add_argument("--cxxflags", "--cflags", action="store_true", help="print compiler flags")
    parser.add_argument("--ldflags", "--libs", action="store_true", help="print linker flags")
    parser.add_argument("--includedir", action="store_true", help="print the folder of the headers")
    parser.add_argument("--libdir", action="store_true", help="print the folder of the library")
    parser.add_argument("--cmakedir", action="store_true", help="print the folder of the package")
    chosen = parser.parse_args()
    flags: list[str] = []
    if chosen.cxxflags:
        flags += compile_flags()
    if chosen.ldflags:
        flags += link_flags()
    if chosen.includedir:
        flags.append(str(include_dir()))
    if chosen.libdir:
        flags.append(str(library_dir()))
    if chosen.cmakedir:
        flags.append(str(cmake_dir()))
    if not flags:
        parser.error("expected --cxxflags, --ldflags, --includedir, --libdir or --cmakedir")
    print(" ".join(flags))


if __name__ == "__main__":
    main()
