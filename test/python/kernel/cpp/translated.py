"""Programs of kernels in Python, with the kernels translated to C++."""

from __future__ import annotations

import re

from ttmlir import kernel
from ttmlir.kernel._declarations import Use
from ttmlir.kernel._kernels import CppSource
from ttmlir.kernel._resources import Argument


def in_cpp(program: kernel.Program) -> kernel.Program:
    """Replaces the kernels of a program by the C++ that the compiler writes for them."""
    texts = iter(re.split(r"^// ttmlir_\S+\.cpp$", program.cpp, flags=re.MULTILINE)[1:])
    for dispatch in program.dispatches:
        dispatch.uses = [_in_cpp(program, use, next(texts)) for use in dispatch.uses]
    assert next(texts, None) is None
    program._declared()
    return program


def _in_cpp(program: kernel.Program, use: Use, text: str) -> Use:
    given = [a for a in (*use.arguments, *use.keywords.values()) if isinstance(a, Argument)]
    compile_args = [a.value for a in given if a.kind == "compile-time"]
    run_time = tuple(
        a.value if isinstance(a.value, kernel.Tensor) else a
        for a in given
        if a.kind != "compile-time"
    )
    made = kernel.from_cpp(
        _accessors(program, text, len(compile_args)),
        use.kernel.config,
        compile_args=[*compile_args, *program.tensors],
        name=use.kernel.name,
    )
    assert isinstance(made.body, CppSource)
    return Use(made, use.cores, run_time, {})


def _accessors(program: kernel.Program, text: str, first: int) -> str:
    """Writes accessors with the arguments that kernels are given for the program's tensors, which
    are the compile-time arguments from ``first`` on; the translation knows only their layouts."""

    def accessor(match: re.Match[str]) -> str:
        name, address = match[1], match[2]
        constant = re.search(rf"\b{address} = (\d+);", text)
        candidates = [
            index
            for index, tensor in enumerate(program.tensors)
            if constant is None or tensor.address == int(constant[1])
        ]
        args = f"TensorAccessorArgs<{first + candidates[0]}>()"
        return f"const auto {name} = TensorAccessor({args}, {address});"

    return re.sub(
        r"TensorAccessor (\w+) = TensorAccessor\(TensorAccessorArgs\([^;]*\), (\w+), [^;]*\);",
        accessor,
        text,
    )
