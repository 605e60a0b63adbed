# SPDX-License-Identifier: MIT
"""events.py TRACE: one line for each wait, queue, allocation and overhead of the trace, in order of
beginning: what it is, and its fields, but for times and addresses. One that ends before it begins,
that has no call of its thread around it, or memory that is freed and was not allocated, is a line
that begins with "wrong". The profiler's own overheads, which are in no call, have no line. An own
reader: doc/FORMAT is all it knows."""

import struct
import sys

PROCESS_HEADER, FRAME, TIMES = 24, struct.Struct("<IHHQII"), struct.Struct("<QQ")
CALL, ALLOCATION, WAIT, QUEUE, OVERHEAD = 14, 16, 17, 18, 19
LAYOUTS = {
    ALLOCATION: struct.Struct("<QQQQHHIII"),
    WAIT: struct.Struct("<QQQIIHHI"),
    QUEUE: struct.Struct("<QQQIIHhI"),
    OVERHEAD: struct.Struct("<QQQQHHI"),
}
ANY = 2**32 - 1
OWN = (2, 3, 4)  # flush, instrumentation, resource

calls, events = {}, []
data = open(sys.argv[1], "rb").read()
at = PROCESS_HEADER
while at < len(data):
    size, kind, flags, correlation, thread, _ = FRAME.unpack_from(data, at)
    body = at + FRAME.size
    if kind == CALL:
        calls.setdefault(thread, []).append(TIMES.unpack_from(data, body))
    elif kind in LAYOUTS:
        events.append((*LAYOUTS[kind].unpack_from(data, body), kind, flags, thread))
    at += size


def text(number):
    return "any" if number == ANY else number


there = {}
for enter, leave, *fields, kind, flags, thread in sorted(events, key=lambda event: event[:2]):
    if kind == OVERHEAD and fields[3] in OWN:
        if leave < enter:
            print("wrong time", kind, thread)
        continue
    around = [call for call in calls.get(thread, []) if call[0] <= enter and leave <= call[1]]
    if leave < enter or not around:
        print("wrong time", kind, thread)
    if kind == WAIT:
        event, device, context, api, what, stream = fields
        print("wait", what, "event", int(event > 0), "device", text(device), "stream", text(stream))
    elif kind == QUEUE:
        properties, device, context, api, priority, stream = fields
        print("queue", flags, "priority", priority, "device", text(device), "stream", stream)
    elif kind == ALLOCATION:
        address, size, api, memory, device, context, name = fields
        print("freed" if flags & 1 else "allocated", memory, size, "device", text(device))
        if flags & 1 and there.pop(address, None) != size:
            print("wrong release of", size)
        if not flags & 1:
            there[address] = size
    else:
        count, thread_stopped, api, what, reserved = fields
        print("overhead", what, "of its thread", int(thread_stopped == thread))
