"""Flags for host programs: C++ that uses tt-metal's host API on the emulator.

The package contains the headers and the library. From a shell:

    g++ -std=c++20 program.cpp $(python -m ttmlir.config --cxxflags --ldflags) -o program

With CMake:

    cmake -S . -B build -Dttmlir_DIR=$(python -m ttmlir.config --cmakedir)
"""

from __future__ import annotations

from pathlib import Path

from ttmlir import _compiler_flags

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
    _compiler_flags.print_flags(
        "ttmlir.config",
        main.__doc__,
        {
            ("--cxxflags", "--cflags"): ("print compiler flags", compile_flags),
            ("--ldflags", "--libs"): ("print linker flags", link_flags),
            ("--includedir",): (
                "print the folder of the headers",
                lambda: [str(include_dir())],
            ),
            ("--libdir",): ("print the folder of the library", lambda: [str(library_dir())]),
            ("--cmakedir",): ("print the folder of the package", lambda: [str(cmake_dir())]),
        },
    )


if __name__ == "__main__":
    main()
