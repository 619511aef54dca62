"""Prints what a flatbuffer file is and the texts in it, without a reader of its schema."""

import re
import struct
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
size = struct.unpack_from("<I", data)[0]
print("size prefix", "ok" if size == len(data) - 4 else f"{size} of {len(data) - 4}")
print("identifier", data[8:12].decode())
for text in re.findall(rb"[ -~\n]{3,}\0", data):
    print(text[:-1].decode())
