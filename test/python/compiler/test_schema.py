"""The schemas keep the fields and enumerators that readers of the reference's files, and of earlier
files, know: the same names and types in the same order; what is new comes after them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ttmlir

SCHEMA = Path(ttmlir.__file__).parent / "schema"

# By file: tables, structs, enumerations and unions with their members in order.
KNOWN = {
    part.partition("\n")[0]: part.partition("\n")[2].strip()
    for part in (Path(__file__).parent / "schema.txt").read_text().split("file ")[1:]
}
IDENTITIES = {
    "Common/system_desc.fbs": ("SystemDescRoot", "TTSY", "ttsys"),
    "TTNN/binary.fbs": ("TTNNBinary", "TTNN", "ttnn"),
    "TTMetal/binary.fbs": ("TTMetalBinary", "TTM0", "ttm"),
}


def declarations(text: str) -> dict[str, list[str]]:
    """The members of each declaration of a schema, as written in schema.txt."""
    text = re.sub(r"//.*", "", text)
    found = {}
    for kind, name, body in re.findall(r"\b(table|struct|enum|union) (\w+)[^{]*\{([^}]*)\}", text):
        items = [item.strip() for item in re.split("[;,]", body) if item.strip()]
        if kind in ("table", "struct"):
            # Types without their name space, fields without attributes and defaults.
            items = [
                re.sub(r"(\w+)\s*:\s*(\[?)[\w.]*?(\w+)(\]?)\s*(\(.*\)|=.*)?$", r"\1:\2\3\4", item)
                for item in items
            ]
        found[f"{kind} {name}"] = [item.replace(" ", "") for item in items]
    return found


@pytest.mark.parametrize("file", KNOWN)
def test_what_is_known_stays(file: str) -> None:
    found = declarations((SCHEMA / file).read_text())
    for line in KNOWN[file].splitlines():
        name, _, members = line.partition(":")
        expected = members.split()
        assert found[name][: len(expected)] == expected
        if name.startswith("struct"):  # A struct has a fixed size.
            assert len(found[name]) == len(expected)


@pytest.mark.parametrize("file", IDENTITIES)
def test_identities(file: str) -> None:
    root, identifier, extension = IDENTITIES[file]
    text = (SCHEMA / file).read_text()
    assert f"root_type {root};" in text
    assert f'file_identifier "{identifier}";' in text
    assert f'file_extension "{extension}";' in text
