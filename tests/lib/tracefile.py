# SPDX-License-Identifier: MIT
"""What is in a trace, for calls.py, events.py, marks.py and opencl_events.py: an own reader,
doc/FORMAT is all it knows."""

import bisect
import collections
import struct

HEADER, FRAME = 24, struct.Struct("<IHHQII")
NAME, CONTEXT, KERNEL, COPY, FILL = 3, 5, 7, 8, 9
PLACE = 104  # of device, context and stream in a record, behind its frame
ANY = 2**32 - 1  # of devices, contexts and streams

# Each kind of event: its number, its layout after the frame, and the names of its fields.
KINDS = {
    "call": (14, "<QQQiIHHI", "enter leave made result name api records number"),
    "mark": (15, "<QQQIIHHIII", "time payload id name domain api form color category label"),
    "allocation": (16, "<QQQQHHIII", "enter leave address bytes api memory device context name"),
    "wait": (17, "<QQQIIHHI", "enter leave event device context api kind stream"),
    "queue": (18, "<QQQIIHhI", "enter leave properties device context api priority stream"),
    "overhead": (19, "<QQQQHHI", "enter leave count stopped api kind reserved"),
}
EVENTS = {
    number: (kind, struct.Struct(layout),
             collections.namedtuple(kind, "flags correlation thread " + fields))
    for kind, (number, layout, fields) in KINDS.items()
}
Record = collections.namedtuple("Record", "kind thread enter leave")


class Trace:
    """The contents of a file in its order; names are bytes."""

    def __init__(self, path):
        self.names, self.contexts, self.places, self.records = {0: b""}, set(), set(), {}
        self.events = {kind: [] for kind in KINDS}
        self.spans = {}
        with open(path, "rb") as file:
            data = file.read()
        at = HEADER
        while at < len(data):
            size, kind, *head = FRAME.unpack_from(data, at)
            self.take(data, at + FRAME.size, kind, *head)
            at += size

    def take(self, data, body, kind, flags, correlation, thread, _):
        """Reads the frame with this `body`."""
        if kind in EVENTS:
            name, layout, event = EVENTS[kind]
            self.events[name].append(event(flags, correlation, thread,
                                           *layout.unpack_from(data, body)))
        elif kind in (KERNEL, COPY, FILL):
            self.records[correlation] = Record(kind, thread,
                                               *struct.unpack_from("<QQ", data, body))
            self.places.add(struct.unpack_from("<III", data, body + PLACE))
        elif kind == NAME:
            number, length = struct.unpack_from("<II", data, body)
            self.names[number] = data[body + 8 : body + 8 + length]
        elif kind == CONTEXT:
            number, _, _, device = struct.unpack_from("<IIII", data, body)
            self.contexts.add((number, device))

    def text(self, name):
        """Returns the name with this id."""
        return self.names[name].decode()

    def around(self, event):
        """Returns the calls of the event's thread around it."""
        begins, ends, calls = self.calls_of(event.thread)
        at, found = bisect.bisect_right(begins, event.enter), []
        while at and ends[at - 1] >= event.leave:
            at -= 1
            if calls[at].leave >= event.leave:
                found.append(calls[at])
        return found

    def calls_of(self, thread):
        """Returns their starts, the latest end up to each, and the calls, in order."""
        if not self.spans:
            for call in sorted(self.events["call"], key=lambda call: call.enter):
                begins, ends, calls = self.spans.setdefault(call.thread, ([], [], []))
                begins.append(call.enter)
                ends.append(max(call.leave, ends[-1] if ends else 0))
                calls.append(call)
        return self.spans.get(thread, ([], [], []))
