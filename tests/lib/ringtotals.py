# SPDX-License-Identifier: MIT
"""ringtotals.py RING: the totals of calls in the ring file of a process that has ended, for tests:
one line "FUNCTION CALLS FAILED" for each function and one "FUNCTION error CODE CALLS" for each
error code, sorted. Before them are lines "event FUNCTION CALLS" for calls that were events, and
lines that begin with "wrong" for contradictions. An own reader, doc/FORMAT is all it knows. For a
trace it prints the same lines without these."""

import collections
import struct
import sys

sys.dont_write_bytecode = True  # the tests' folder may be somebody else's
import tracefile

PAGE, SEGMENT, FRAMES, TOTALS, NAME = 4096, 64, 3, 4, 3
JOURNAL, CHANGE, ROWS, ROW = 80, 272, 640, 256
FUNCTION, FAILURE, BUCKETS = 3, 4, 960
NOT_READY = 600


def segments(data):
    """The segments of a ring file: kind, used, stride and place."""
    at, end = PAGE, struct.unpack_from("<Q", data, 40)[0]
    while at < end:
        _, kind, size, used, stride = struct.unpack_from("<IIQQQ", data, at)
        yield kind, used, stride, at, size
        at += size


def names_of(data):
    """The names by their ids."""
    names = {0: ""}
    for kind, used, _, at, _ in segments(data):
        at, end = at + SEGMENT, at + SEGMENT + used
        while kind == FRAMES and at < end:
            size, frame = struct.unpack_from("<IH", data, at)
            if frame == NAME:
                number, length = struct.unpack_from("<II", data, at + 24)
                names[number] = data[at + 32 : at + 32 + length].decode()
            at += size
    return names


def rows_of(data):
    """The rows of calls: table, kind, name, code, count, failed and the sum of the buckets."""
    for kind, _, stride, at, size in segments(data):
        if kind != TOTALS or not stride:
            continue
        table, = struct.unpack_from("<I", data, at + SEGMENT)
        if struct.unpack_from("<I", data, at + JOURNAL + 4)[0]:
            print("wrong: table", table, "is changing")
        for row in range(at + ROWS, at + size - stride + 1, stride):
            length, _, flags = struct.unpack_from("<IHH", data, row)
            sequence, name, _, code = struct.unpack_from("<IIIi", data, row + 24)
            count, total, shortest, longest, first, last, failed = struct.unpack_from(
                "<7Q", data, row + 48)
            if not length or flags not in (FUNCTION, FAILURE) or not count:
                continue
            buckets = sum(struct.unpack_from("<%dI" % BUCKETS, data, row + ROW)
                          ) if length > ROW else count
            if sequence % 2 or buckets != count or flags == FUNCTION and not (
                shortest * count <= total <= longest * count and first + longest <= last
            ):
                print("wrong row of", name)
            yield table, flags, name, code, count, failed


def main():
    """Prints the lines."""
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    counts, failed, errors = (collections.Counter() for _ in range(3))
    if data.startswith(b"CPSPOOL"):
        names = names_of(data)
        for table, kind, name, code, count, failures in rows_of(data):
            if not table and kind == FUNCTION:
                print("event", names[name], count)
            if kind == FAILURE:
                errors[names[name], code] += count
            else:
                counts[names[name]] += count
                failed[names[name]] += failures
    else:
        trace = tracefile.Trace(sys.argv[1])
        for call in trace.events["call"]:
            name = trace.text(call.name)
            counts[name] += 1
            failed[name] += call.result != 0
            if call.result not in (0, NOT_READY):
                errors[name, call.result] += 1
    for name in sorted(counts):
        print(name, counts[name], failed[name])
    for name, code in sorted(errors):
        print(name, "error", code, errors[name, code])


main()
