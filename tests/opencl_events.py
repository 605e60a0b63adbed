# SPDX-License-Identifier: MIT
"""opencl_events.py TRACE: one line for each allocation, queue and wait of the trace, in order of
their ends: the function that was called, and what tests/app/events.c says; then how many overheads
there are. A line that begins with "wrong" is an event that is not within a call of its thread, the
end of no memory or other than its beginning, a queue twice, or a record of no queue. An own reader:
doc/FORMAT is all it knows."""

import collections
import struct
import sys

PROCESS_HEADER, FRAME, PLACE = 24, struct.Struct("<IHHQII"), 128
EVENTS = {
    14: ("call", "<QQQiIHHI"),
    16: ("allocation", "<QQQQHHIII"),
    17: ("wait", "<QQQIIHHI"),
    18: ("queue", "<QQQIIHhI"),
    19: ("overhead", "<QQQQHHI"),
}
NAME, CONTEXT, RECORDS = 3, 5, (7, 8, 9)

names, contexts, streams, events = {}, set(), set(), collections.defaultdict(list)
data = open(sys.argv[1], "rb").read()
at = PROCESS_HEADER
while at < len(data):
    size, kind, flags, correlation, thread, _ = FRAME.unpack_from(data, at)
    body = at + FRAME.size
    if kind == NAME:
        number, length = struct.unpack_from("<II", data, body)
        names[number] = data[body + 8 : body + 8 + length].decode()
    elif kind == CONTEXT:
        number, _, _, device = struct.unpack_from("<IIII", data, body)
        contexts.add((number, device))
    elif kind in RECORDS:
        streams.add(struct.unpack_from("<III", data, at + PLACE))
    elif kind in EVENTS:
        what, layout = EVENTS[kind]
        events[what].append((thread, flags, *struct.unpack_from(layout, data, body)))
    at += size

calls = [(call[0], call[2], call[3], names[call[6]]) for call in events["call"]]


def caller(thread, enter, leave):
    found = [c for c in calls if c[0] == thread and c[1] <= enter and leave <= c[2]]
    if len(found) != 1 or leave < enter:
        print("wrong time", thread, enter, leave, found)
    return found[0][3] if found else "nobody"


lines, there, queues = [], {}, set()
for thread, flags, enter, leave, address, *rest in sorted(
    events["allocation"], key=lambda event: event[2] if event[1] else event[3]
):
    size, api, kind, device, context, name = rest
    if not flags:
        if address in there:
            print("wrong beginning: it is there already", rest)
        there[address] = rest
    elif there.pop(address, None) != rest:
        print("wrong end", rest)
    lines.append((leave, caller(thread, enter, leave), "gone" if flags else "made", kind, size))
    if (context, device) not in contexts or api or name:
        print("wrong place", rest)
for thread, flags, enter, leave, properties, device, context, api, _, stream in events["queue"]:
    if (device, context, stream) in queues or api:
        print("wrong queue", stream)
    queues.add((device, context, stream))
    lines.append((leave, caller(thread, enter, leave), "queue", stream, flags, properties))
for thread, flags, enter, leave, event, device, context, api, kind, stream in events["wait"]:
    if stream == 2**32 - 1:
        stream = -1
    elif (device, context, stream) not in queues:
        print("wrong wait for a queue", stream)
    if (kind == 3) != (not event) or api:
        print("wrong wait", kind, event)
    lines.append((leave, caller(thread, enter, leave), "wait", kind, stream))
if calls and not streams <= queues:
    print("wrong streams", streams - queues)
for line in sorted(lines):
    print(*line[1:])
for thread, flags, enter, leave, count, stopped, api, kind, _ in events["overhead"]:
    if leave < enter or not 1 <= kind <= 4 or stopped != thread:
        print("wrong overhead", enter, leave, kind, stopped, thread)
print("left", len(there), "overheads", len(events["overhead"]))
