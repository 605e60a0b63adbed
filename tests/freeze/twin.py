# SPDX-License-Identifier: MIT
"""twin.py FROM TO [later]: the twin of a trace of version 1: the same frames in version 2, and END
unless the trace is cut off or damaged. With `later` it is one that a later version may write: each
struct has more fields, records and events have one more block, and there are frames of kinds that
nobody knows."""

import os
import struct
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
sys.dont_write_bytecode = True

import tracefile
from tracefile import END, EVENT_KINDS, FRAME, RECORDS, SIZES, longer, with_size

MORE, BLOCK_TAG, KIND = 16, 4711, 999


def later(frame, kind):
    frame = longer(frame, kind, MORE)
    if kind in RECORDS or kind in EVENT_KINDS:
        frame += struct.pack("<IHH", 24, BLOCK_TAG, 0) + b"\xdd" * 16
    unknown = FRAME.pack(40, KIND, 0, 0, 0, 0) + b"\xcc" * 16
    return with_size(tracefile.padded(frame)) + unknown


def twin(data, more):
    """All frames up to the end or the damage; the bytes from there on are as they were."""
    parts = [tracefile.header(more, ((KIND, 24),) if more else ())]
    at, count = tracefile.HEADER.size, 0
    while at + FRAME.size <= len(data):
        size, kind = struct.unpack_from("<IH", data, at)
        if size > len(data) - at or size < FRAME.size or size % 8:
            break
        frame = data[at : at + size]
        at += size
        if kind in SIZES:
            frame = tracefile.of_version_1(frame)
            frame = later(frame, kind) if more else frame
        parts.append(frame)
        count += 2 if more and kind in SIZES else 1
    if at == len(data):
        frame = FRAME.pack(SIZES[END], END, 0, 0, 0, 0) + struct.pack("<QQq", count, 0, 0)
        parts.append(longer(frame, END, MORE) if more else frame)
    return b"".join(parts) + data[at:]


def main(source, target, *words):
    with open(source, "rb") as file:
        data = file.read()
    if tracefile.HEADER.unpack_from(data)[1] != 1:
        sys.exit(source + " is not of version 1")
    with open(target, "wb") as file:
        file.write(twin(data, MORE if words else 0))


main(*sys.argv[1:])
