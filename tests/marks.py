# SPDX-License-Identifier: MIT
"""marks.py TRACE: one line for each mark of the trace, in order: M, S or E (a moment, a start, an
end), P if it is of a stack, the number of its thread and of its range, both from 1 in order of
appearance, its text, and what else it has. An end whose start is not there is "wrong". An own
reader: doc/FORMAT is all it knows."""

import struct
import sys

HEADER, FRAME, MARK = 24, struct.Struct("<IHHQII"), struct.Struct("<QQQIIHHIII")
NAME, MARKED = 3, 15
names, marks = {0: b""}, []
data = open(sys.argv[1], "rb").read()
at = HEADER
while at < len(data):
    size, kind, flags, correlation, thread, _ = FRAME.unpack_from(data, at)
    body = at + FRAME.size
    if kind == NAME:
        number, length = struct.unpack_from("<II", data, body)
        names[number] = data[body + 8 : body + 8 + length]
    elif kind == MARKED:
        marks.append((flags, correlation, thread, *MARK.unpack_from(data, body)))
    at += size


def ordinal(seen, key):
    return seen.setdefault(key, len(seen) + 1)


threads, ranges, open_ranges = {}, {}, set()
marks.sort(key=lambda mark: (mark[3], mark[1]))
for mark in marks:
    flags, correlation, thread, _, payload, number, name, domain = mark[:8]
    _, kind, color, category, category_name = mark[8:]
    words = ["MSEE"[flags & 3] + ("P" if flags & 4 else "")]
    words += [str(ordinal(threads, thread)), str(ordinal(ranges, number) if number else "-")]
    words.append(ascii(names[name].decode(errors="backslashreplace")))
    if domain:
        words.append("domain " + names[domain].decode())
    if category:
        words.append(f"category {category} {names[category_name].decode()}")
    if flags & 8:
        words.append(f"color {color:08x}")
    if kind:
        form = "Qqd"[kind - 1]
        words.append("payload " + str(struct.unpack("<" + form, struct.pack("<Q", payload))[0]))
    if flags & 1 and (number != correlation or number in open_ranges):
        words.append("wrong")
    if flags & 1:
        open_ranges.add(number)
    if flags & 2:
        if number not in open_ranges:
            words.append("wrong")
        open_ranges.discard(number)
    print(*words)
print("open", len(open_ranges))
