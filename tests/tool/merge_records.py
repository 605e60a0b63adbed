# SPDX-License-Identifier: MIT
"""For merge_records.test: changes the clocks of a trace, and checks merged traces.

move FROM TO SHIFT START END
    writes the trace as of another host: its CLOCK_MONOTONIC is SHIFT ns ahead, and its wall clock
    is off by START ns at the first reading of the clocks and by END ns at the last one
check FILE
    prints what contradicts itself or the order of times
compare ONE OTHER
    prints the smallest and the largest difference between the times of each record, in ns
"""

import struct
import sys

from tracefile import CALL, END, EVENT_KINDS, FRAME, RECORDS, frames, header

PROCESS, DEVICE = 2, 4
TIMED = (14, 16, 17, 18, 19)  # events with an end
EVENTS = (*EVENT_KINDS, 22, 23, 26, 27, 28)


def add(frame, at, count, number):
    """Adds to 64-bit numbers of the frame."""
    values = struct.unpack_from(f"<{count}q", frame, at)
    struct.pack_into(f"<{count}q", frame, at, *(value + number for value in values))


def moved(kind, frame, shift, start, end):
    """The frame as of another host."""
    frame = bytearray(frame)
    if kind == PROCESS:
        add(frame, 32, 1, shift)
        add(frame, 40, 1, start - shift)
        frame[48:64] = bytes(byte ^ 255 for byte in frame[48:64])
    elif kind == END:
        add(frame, 32, 1, shift)
        add(frame, 40, 1, end - shift)
    elif kind in RECORDS:
        add(frame, 24, 2, shift)
        if struct.unpack_from("<I", frame, 156)[0] & 1:
            add(frame, 40, 4, start)
    elif kind in EVENTS:
        add(frame, 24, 2 if kind in TIMED else 1, shift)
    return bytes(frame)


def move(source, target, *numbers):
    """Writes the trace of another host."""
    numbers = [int(number) for number in numbers]
    with open(source, "rb") as file:
        data = file.read()
    with open(target, "wb") as file:
        file.write(header())
        for kind, frame in frames(data):
            file.write(moved(kind, frame, *numbers))


def read(path):
    """The kinds and frames of a trace."""
    with open(path, "rb") as file:
        return list(frames(file.read()))


def check(path):
    """Prints what contradicts itself."""
    slots = [(kind, frame) for kind, frame in read(path) if kind in RECORDS or kind in EVENTS]
    enters = [struct.unpack_from("<Q", frame, 24)[0] for _, frame in slots]
    numbers = [FRAME.unpack_from(frame)[3] for _, frame in slots]
    records = {FRAME.unpack_from(frame)[3] for kind, frame in slots if kind in RECORDS}
    made = [struct.unpack_from("<Q", frame, 40)[0] for kind, frame in slots if kind == CALL]
    if enters != sorted(enters):
        print("not in the order of times")
    if len(numbers) != len(set(numbers)):
        print("correlations are not unique")
    devices = [frame[52 : 52 + struct.unpack_from("<I", frame, 48)[0]].decode(errors="replace")
               for kind, frame in read(path) if kind == DEVICE]
    threads = {FRAME.unpack_from(frame)[4] for kind, frame in slots if kind in RECORDS}
    calls = sum(number in records for number in made)
    print(len(records), f"{calls} calls", f"{len(threads)} threads", *devices, sep="; ")


def times(path):
    """By device, in order: the start of the call and of the command, on one clock."""
    found, offset = {}, 0
    for kind, frame in read(path):
        if kind == PROCESS:
            offset = struct.unpack_from("<q", frame, 40)[0]
        if kind in RECORDS:
            found.setdefault(struct.unpack_from("<I", frame, 128)[0], []).append(
                (struct.unpack_from("<Q", frame, 24)[0],
                 struct.unpack_from("<q", frame, 56)[0] - offset))
    return found


def compare(one, other):
    """Prints the differences between two merged traces."""
    before, after = times(one), times(other)
    assert {device: len(rows) for device, rows in before.items()} == {
        device: len(rows) for device, rows in after.items()}
    different = [b - a for device, rows in before.items()
                 for left, right in zip(rows, after[device]) for a, b in zip(left, right)]
    print(min(different), max(different))


if __name__ == "__main__":
    {"move": move, "check": check, "compare": compare}[sys.argv[1]](*sys.argv[2:])
