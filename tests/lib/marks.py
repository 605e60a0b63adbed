# SPDX-License-Identifier: MIT
"""marks.py TRACE: one line for each mark of the trace, in order: M, S or E (a moment, a start, an
end), P if it is of a stack, the number of its thread and of its range, both from 1 in order of
appearance, its text, and what else it has. An end whose start is not there is "wrong"."""

import struct
import sys

sys.dont_write_bytecode = True  # the tests' folder may be somebody else's
import tracefile

START, END, OF_STACK, COLORED = 1, 2, 4, 8  # flags


def ordinal(seen, key):
    return seen.setdefault(key, len(seen) + 1)


trace = tracefile.Trace(sys.argv[1])
threads, ranges, open_ranges = {}, {}, set()
for mark in sorted(trace.events["mark"], key=lambda mark: (mark.time, mark.correlation)):
    words = ["MSEE"[mark.flags & (START | END)] + ("P" if mark.flags & OF_STACK else "")]
    words.append(str(ordinal(threads, mark.thread)))
    words.append(str(ordinal(ranges, mark.id) if mark.id else "-"))
    words.append(ascii(trace.names[mark.name].decode(errors="backslashreplace")))
    if mark.domain:
        words.append("domain " + trace.text(mark.domain))
    if mark.category:
        words.append(f"category {mark.category} {trace.text(mark.label)}")
    if mark.flags & COLORED:
        words.append(f"color {mark.color:08x}")
    if mark.form:
        payload = struct.unpack("<" + "Qqd"[mark.form - 1], struct.pack("<Q", mark.payload))
        words.append(f"payload {payload[0]}")
    if mark.flags & START and (mark.id != mark.correlation or mark.id in open_ranges):
        words.append("wrong")
    if mark.flags & START:
        open_ranges.add(mark.id)
    if mark.flags & END:
        if mark.id not in open_ranges:
            words.append("wrong")
        open_ranges.discard(mark.id)
    print(*words)
print("open", len(open_ranges))
