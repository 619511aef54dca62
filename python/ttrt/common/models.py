"""Models that commands compile: ONNX models and exported PyTorch programs."""

from __future__ import annotations

from typing import Any

from ttmlir._files import check_exists
from ttrt.common.errors import TTRTError
from ttrt.common.util import Binary, FileManager, Logger

MODELS = (".onnx",)


def shapes_of(text: str) -> dict[str, int | tuple[int, ...]]:
    """Parses `--shapes`: named extents, and shapes by input name, as in
    ``batch=1,x=1x3x224x224``."""
    found: dict[str, int | tuple[int, ...]] = {}
    for part in filter(None, text.split(",")):
        name, equals, numbers = part.partition("=")
        # A single number is an extent; a one-dimensional shape ends with an x.
        extents = numbers.removesuffix("x").split("x")
        if not equals or not all(n.isascii() and n.isdigit() for n in extents):
            raise TTRTError(
                f"argument 'shapes': expected a list such as batch=1,x=1x3x224x224, found {part!r}"
            )
        found[name] = tuple(map(int, extents)) if "x" in numbers else int(numbers)
    return found


def load_exported(path: str) -> Any:
    """Loads a program saved by torch.export.

    Raises:
        TTRTError: PyTorch is not installed, or it cannot read the file.
        FileError: there is no such file.
    """
    try:
        import torch
    except ImportError as error:
        raise TTRTError(f"a .pt2 file needs PyTorch: pip install ttmlir[torch] ({error})") from None
    check_exists(path)
    try:
        return torch.export.load(path)
    except Exception as error:
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise TTRTError(f"'{path}' cannot be read: {reason[0]}") from None


class Model(Binary):
    """An ``.onnx`` file compiled for a system; ``weights`` has the parameters of the program by
    input index, and ``names`` the names of the model's inputs."""

    def __init__(
        self,
        logger: Logger,
        file_manager: FileManager,
        file_path: Any,
        *,
        system_desc: Any,
        shapes: str,
        examples: dict[str, Any],
    ) -> None:
        self._system_desc, self._shapes, self._examples = system_desc, shapes, examples
        self.weights: dict[int, Any] = {}
        self.names: tuple[str, ...] = ()
        super().__init__(logger, file_manager, file_path)

    def _load(self, capsule: Any) -> Any:
        import ttmlir

        executable: Any = ttmlir.compile(
            self.file_path,
            system_desc=self._system_desc,
            shapes=shapes_of(self._shapes),
            example_inputs=self._examples,
        )
        if isinstance(executable, ttmlir.DynamicExecutable):
            names = ", ".join(f"'{name}'" for name in executable.extents)
            raise ttmlir.Error(
                f"the model has extents that vary: give {names} in shapes=, such as "
                f"--shapes {executable.extents[0]}=1"
            )
        if executable.signature.count_parts() > 1:
            nodes = ", ".join(f"'{name}'" for name in executable.signature.host_nodes())
            raise ttmlir.Error(
                f"the host computes between programs of the model: {nodes}; call the executable of "
                "ttmlir.compile"
            )
        program = executable.programs[0]
        weights = executable.signature.parameters(program)
        self.weights = {
            i: weights[info.name]() for i, info in enumerate(program.inputs) if info.name in weights
        }
        self.names = executable.input_names
        return executable.binary
