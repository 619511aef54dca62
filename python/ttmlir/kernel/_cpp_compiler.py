"""Compiles kernels in C++ to shared objects, and keeps them in a cache."""

from __future__ import annotations

import hashlib
import json
import os
import re
import struct
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ttmlir._version import __version__
from ttmlir.kernel._errors import BuildError

_HEADERS = Path(__file__).absolute().parent.parent / "include" / "kernel_api"

# Loops keep their iterations: each counts instructions. Calls keep their return addresses, which
# name lines.
_FLAGS = (
    *("-std=c++20", "-O1", "-g1", "-fPIC", "-shared", "-nostartfiles", "-fvisibility=hidden"),
    *("-fno-exceptions", "-fno-rtti", "-fno-optimize-sibling-calls", "-fno-strict-aliasing"),
    *("-fwrapv", "-fsanitize-coverage=trace-pc", "-fno-threadsafe-statics"),
    *("--param=max-completely-peeled-insns=0", "--param=max-completely-peel-times=0"),
    # Each access to memory calls a function of ttk/kernel.h, which refuses addresses of the chip.
    *("-fsanitize=kernel-address", "--param=asan-stack=0", "--param=asan-globals=0"),
    "--param=asan-instrumentation-with-call-threshold=0",
    *("-fno-builtin-memset", "-fno-builtin-memcpy", "-fno-builtin-memmove"),
    *("-fno-tree-loop-distribute-patterns", "-Wno-int-to-pointer-cast", "-Wno-attributes"),
)
_OLDEST = 12  # -fsanitize-coverage can be left out for functions

_LINE = re.compile(r"^(?P<file>\S.*?)\s+(?P<line>\d+)\s+(?P<address>0x[0-9a-f]+|0)\b")


@dataclass(frozen=True)
class Unit:
    """What the compiler is given: the file or the text of a kernel, and options."""

    name: str
    text: str
    path: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class Object:
    """A compiled kernel: ``lines`` has the line and file of the code from each offset on."""

    path: str
    has_variables: bool
    lines: list[tuple[int, int, str]] = field(repr=False)


def cache_folder() -> Path:
    """Returns the folder of the compiled kernels of this version."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "ttmlir" / "kernels" / __version__


def compile_all(units: Iterable[Unit]) -> dict[Unit, Object]:
    """Compiles kernels side by side, except for those in the cache.

    Raises:
        BuildError: there is no compiler, or it rejects a kernel; the message is the compiler's.
    """
    unique = list(dict.fromkeys(units))
    if not unique:
        return {}
    compiler = os.environ.get("CXX", "g++")
    identity = _identity(compiler)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        found = list(pool.map(lambda unit: _compile(compiler, identity, unit), unique))
    return dict(zip(unique, found, strict=True))


@cache
def _identity(compiler: str) -> str:
    """Returns the version of the compiler."""
    try:
        done = subprocess.run(
            [compiler, "-dumpfullversion", "-dumpmachine", "--version"],
            capture_output=True,
            text=True,
            check=False,
        )
        macros = subprocess.run(
            [compiler, "-dM", "-E", "-x", "c++", os.devnull],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise BuildError(
            f"a kernel in C++ needs g++ {_OLDEST} or later, and '{compiler}' cannot be run: "
            f"{error.strerror}; install it, or name another one in the variable CXX"
        ) from None
    version = re.search(r"#define __GNUC__ (\d+)", macros.stdout)
    clang = "__clang__" in macros.stdout
    if macros.returncode or version is None or clang or int(version[1]) < _OLDEST:
        first = (done.stdout or done.stderr).strip().partition("\n")[0]
        raise BuildError(
            f"a kernel in C++ needs g++ {_OLDEST} or later, found '{compiler}' ({first})"
        )
    return f"{compiler} {done.stdout}"


def _compile(compiler: str, identity: str, unit: Unit) -> Object:
    key = _digest(
        [identity, *_FLAGS, *unit.options, unit.name, unit.path, unit.text, str(_HEADERS)]
    )
    folder = cache_folder()
    known = _known(folder / f"{key}.json")
    if known is not None:
        return known
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Beside the others, so that it can be renamed.
        with tempfile.TemporaryDirectory(dir=folder) as temporary:
            return _build(compiler, unit, Path(temporary), folder, key)
    except OSError as error:
        raise BuildError(
            f"the kernel '{unit.name}' cannot be compiled in '{folder}': {error.strerror}; "
            "XDG_CACHE_HOME names another folder"
        ) from None


def _build(compiler: str, unit: Unit, temporary: Path, folder: Path, key: str) -> Object:
    shown = unit.path or unit.name
    if unit.path:
        body = f'#include "{os.path.abspath(unit.path)}"\n'
    else:
        body = f'#line 1 "{unit.name}"\n{unit.text}\n'
    source = temporary / "kernel.cpp"
    source.write_text(
        f'#include "ttk/kernel.h"\n{body}#line 1 "the end of {shown}"\nTTK_KERNEL_END\n',
        encoding="utf-8",
    )
    output, depends = temporary / "kernel.so", temporary / "kernel.d"
    command = [compiler, *_FLAGS, f"-I{_HEADERS}", *unit.options, "-MMD", "-MF", str(depends)]
    command += [str(source), "-o", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"the kernel '{shown}' does not compile:\n{_messages(done.stderr, unit)}")
    files = [path for path in _dependencies(depends.read_text()) if path != str(source)]
    lines = _lines(output, unit, files)
    _refuse_empty_loops(output, lines, shown)
    found = Object(str(folder / f"{key}.so"), _has_variables(output.read_bytes()), lines)
    manifest = {
        "files": {path: _file_digest(path) for path in files},
        "object": _file_digest(str(output)),
        "has_variables": found.has_variables,
        "lines": lines,
    }
    description = temporary / "kernel.json"
    description.write_text(json.dumps(manifest), encoding="utf-8")
    os.replace(output, found.path)
    os.replace(description, folder / f"{key}.json")
    return found


def _messages(text: str, unit: Unit) -> str:
    """Returns the compiler's messages, with the path of the kernel as the caller wrote it."""
    if unit.path:
        text = text.replace(os.path.abspath(unit.path), unit.path)
    lines = text.strip().splitlines()
    kept = [
        line
        for line in lines
        if not re.match(r"(In file included from|\s+from) .*kernel\.cpp:\d+[:,]$", line)
    ]
    return "\n".join(kept)


def _known(path: Path) -> Object | None:
    """Returns an object of the cache, unless a file that it was made from has changed."""
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        files: dict[str, str] = manifest["files"]
        if any(_file_digest(name) != digest for name, digest in files.items()):
            return None
        found = str(path.with_suffix(".so"))
        if _file_digest(found) != manifest["object"]:
            return None
        lines = [(int(a), int(b), str(c)) for a, b, c in manifest["lines"]]
        return Object(found, bool(manifest["has_variables"]), lines)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _digest(parts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _file_digest(path: str) -> str:
    """Returns the digest of a file; a file that has not changed is read once."""
    found = os.stat(path)
    return _digest_of(path, found.st_mtime_ns, found.st_size, found.st_ino)


@cache
def _digest_of(path: str, *_: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _dependencies(text: str) -> list[str]:
    """Returns the prerequisites of the rule that -MMD writes."""
    rule = text.partition(":")[2].replace("\\\n", " ")
    return [part.replace("\\ ", " ") for part in re.split(r"(?<!\\)\s+", rule.strip()) if part]


def _objdump(*arguments: str) -> str:
    """Returns what ``objdump``, which belongs to the compiler's tools, prints; nothing without."""
    try:
        done = subprocess.run(
            ["objdump", "--wide", *arguments], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return done.stdout


def _refuse_empty_loops(path: Path, lines: list[tuple[int, int, str]], shown: str) -> None:
    """Raises BuildError for a jump to itself. It is all that the compiler makes of a loop without
    statements that never ends: nothing in it could count it, or end it."""
    text = _objdump("-d", "--no-show-raw-insn", str(path))
    for match in re.finditer(r"^ +([0-9a-f]+):\s+(?:jmp|b)\s+([0-9a-f]+) <", text, re.MULTILINE):
        if match[1] == match[2]:
            before = [line for line in lines if line[0] <= int(match[1], 16)]
            place = f"{before[-1][2]}:{before[-1][1]}" if before else shown
            raise BuildError(
                f"at or after {place}, a loop has no statement and no end, so that nothing can "
                "stop it: expected one with a call or a volatile access"
            )


def _lines(path: Path, unit: Unit, files: Sequence[str]) -> list[tuple[int, int, str]]:
    """Returns the line table of an object, made from these files. Code of the package's headers,
    which is a part of its callers, belongs to the next line of them."""
    # The table has the names of files without their folders.
    own = [name for name in files if not Path(name).is_relative_to(_HEADERS)]
    names = {os.path.basename(name): name for name in own}
    names[os.path.basename(unit.path or unit.name)] = unit.path or unit.name
    found: dict[int, tuple[int, str] | None] = {}
    for text in _objdump("--dwarf=decodedline", str(path)).splitlines():
        match = _LINE.match(text)
        if match is None:
            continue
        address = int(match["address"], 16)
        name = os.path.basename(match["file"])
        found[address] = (int(match["line"]), names[name]) if name in names else None
    lines: list[tuple[int, int, str]] = []
    place: tuple[int, str] | None = None
    for address in sorted(found, reverse=True):
        place = found[address] or place
        if place is not None:
            lines.append((address, *place))
    return lines[::-1]


def _has_variables(data: bytes) -> bool:
    """Whether an ELF object has variables that its code may change."""
    if data[:5] != b"\x7fELF\x02":
        return True
    order = "<" if data[5] == 1 else ">"
    (offset,) = struct.unpack_from(f"{order}Q", data, 0x28)
    size, count, names = struct.unpack_from(f"{order}HHH", data, 0x3A)
    sections = [struct.unpack_from(f"{order}IIQQQQ", data, offset + i * size) for i in range(count)]
    strings = sections[names][4]
    for name, _, flags, _, _, length in sections:
        end = data.index(b"\0", strings + name)
        text = data[strings + name : end].decode("latin-1")
        writable, allocated = flags & 1, flags & 2
        if (
            writable
            and allocated
            and length
            and text.startswith((".data", ".bss", ".tdata", ".tbss"))
            and not text.startswith(".data.rel.ro")
        ):
            return True
    return False
