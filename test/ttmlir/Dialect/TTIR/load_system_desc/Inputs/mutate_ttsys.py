"""Writes broken copies of a .ttsys file beside it: short, cut, foreign, broken, version."""

import struct
import sys
from pathlib import Path

source = Path(sys.argv[1])
data = source.read_bytes()

# The version is the first field of the root table, a struct inside the table.
root = 4 + struct.unpack_from("<I", data, 4)[0]
vtable = root - struct.unpack_from("<i", data, root)[0]
version = root + struct.unpack_from("<H", data, vtable + 4)[0]
other_version = bytearray(data)
struct.pack_into("<HH", other_version, version, 9, 8)

copies = {
    "short": data[:7],
    "cut": data[:-4],
    "foreign": data[:8] + b"TTNN" + data[12:],
    "broken": data[:4] + b"\xff\xff\xff\x7f" + data[8:],
    "version": bytes(other_version),
}
for suffix, content in copies.items():
    source.with_name(f"{source.name}.{suffix}").write_bytes(content)
