"""Checks a wheel: size, contents, licences, and that no binary depends on libLLVM.

Usage: check_wheel.py WHEEL...
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import licenses

MAX_BYTES = 25_000_000
NEEDED = (
    "jax_plugins/ttmlir/__init__.py",
    "jax_plugins/ttmlir/py.typed",
    "ttmlir/__init__.py",
    "ttmlir/_mlir_libs/_mlir/ir.pyi",
    "ttmlir/_mlir_libs/_ttmlir/__init__.pyi",
    "ttmlir/_mlir_libs/_ttmlir/passes.pyi",
    "ttmlir/_mlir_libs/_ttmlir/tt_ir.pyi",
    "ttmlir/_mlir_libs/_ttmlir/ttir_ir.pyi",
    "ttmlir/_mlir_libs/_ttmlir/ttkernel_ir.pyi",
    "ttmlir/_mlir_libs/_ttmlir/ttmetal_ir.pyi",
    "ttmlir/_mlir_libs/_ttmlir/ttnn_ir.pyi",
    "ttmlir/_pjrt.pyi",
    "ttmlir/_runtime.pyi",
    "ttmlir/_version.py",
    "ttmlir/_formats.py",
    "ttmlir/bin/ttmlir-tools",
    "ttmlir/cmake/ttmlir-config.cmake",
    "ttmlir/config.py",
    "ttmlir/emitc.py",
    "ttmlir/include/host_api/tt-metalium/distributed.hpp",
    "ttmlir/include/host_api/tt-metalium/host_api.hpp",
    "ttmlir/include/host_api/ttm/device.h",
    "ttmlir/include/kernel_api/api/dataflow/dataflow_api.h",
    "ttmlir/include/kernel_api/compute_kernel_api.h",
    "ttmlir/include/kernel_api/ttk/instructions.h",
    "ttmlir/include/kernel_api/ttk/kernel.h",
    "ttmlir/include/ttkernel-declarations.h",
    "ttmlir/include/ttkernel-functions.h",
    "ttmlir/include/ttnn-operations.hpp",
    "ttmlir/include/ttnn-precompiled.hpp",
    "ttmlir/ir.py",
    "ttmlir/jax.py",
    "ttmlir/kernel/_functions.py",
    "ttmlir/lib/libtt_metal.so",
    "ttmlir/lib/libttnn.so",
    "ttmlir/llm/_model.py",
    "ttmlir/onnx/backend.py",
    "ttmlir/py.typed",
    "ttmlir/torch/_backend.py",
    "ttmlir/schema/Common/formats.fbs",
    "ttmlir/schema/TTMetal/binary.fbs",
    "ttmlir/schema/TTMetal/opcode.fbs",
    "ttmlir/schema/TTNN/eltwise.fbs",
    "ttmlir/schema/TTNN/program.fbs",
    "ttrt/__init__.py",
    "ttrt/py.typed",
)
UNWANTED_SUFFIXES = (".a", ".o", ".h", ".hpp", ".inc", ".td", ".cmake")
# The headers of the C++ library, required by programs from --convert-ttnn-to-emitc, the one for the
# C++ text of kernels, those that kernels in C++ and host programs include, and what CMake needs to
# find them.
HEADERS = (
    "ttmlir/include/ttnn-",
    "ttmlir/include/ttkernel-",
    "ttmlir/include/kernel_api/",
    "ttmlir/include/host_api/",
    "ttmlir/cmake/",
)


def problems(wheel: Path) -> list[str]:
    """Returns one sentence for each problem of the wheel."""
    found = []
    size = wheel.stat().st_size
    if size > MAX_BYTES:
        found.append(f"{wheel.name} has {size:,} bytes, expected at most {MAX_BYTES:,}")
    with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory() as folder:
        names = archive.namelist()
        found += [f"{name} is missing" for name in NEEDED if name not in names]
        found += [
            f"{module}*.so is missing"
            for module in ("ttmlir/_runtime", "ttmlir/_pjrt")
            if not any(n.startswith(module) and n.endswith(".so") for n in names)
        ]
        found += [
            f"{n} does not belong there"
            for n in names
            if n.endswith(UNWANTED_SUFFIXES) and not n.startswith(HEADERS)
        ]
        found += [
            f"{n} was taken from the system, and cmake/licenses.py has no licence of it"
            for n in names
            if n.partition("/")[0].endswith(".libs")
        ]
        found += license_problems(archive)
        archive.extractall(folder)
        for path in sorted(Path(folder).rglob("*")):
            if path.is_file() and path.read_bytes()[:4] == b"\x7fELF":
                found += elf_problems(path, path.relative_to(folder))
    return found


def license_problems(archive: zipfile.ZipFile) -> list[str]:
    """Checks that our licence and all third-party ones are in the metadata and not empty."""
    sizes = {info.filename: info.file_size for info in archive.infolist()}
    (metadata,) = (name for name in sizes if name.endswith(".dist-info/METADATA"))
    folder = metadata.removesuffix("METADATA") + "licenses/"
    return [
        f"the licence {folder}{name} is missing or empty"
        for name in licenses.files()
        if not sizes.get(folder + name)
    ]


def elf_problems(path: Path, name: Path) -> list[str]:
    path.chmod(0o755)
    ldd = subprocess.run(["ldd", str(path)], capture_output=True, text=True, check=False)
    lines = [line.strip() for line in ldd.stdout.splitlines()]
    bad = [line for line in lines if "LLVM" in line or "not found" in line]
    return [f"{name} needs {line}" for line in bad]


def main() -> None:
    wheels = [Path(name) for name in sys.argv[1:]]
    if not wheels:
        sys.exit("error: expected at least one wheel")
    count = 0
    for wheel in wheels:
        errors = problems(wheel)
        for error in errors:
            print(f"error: {error}", file=sys.stderr)
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, {len(errors)} problems")
        count += len(errors)
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()
