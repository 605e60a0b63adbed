# SPDX-License-Identifier: MIT
"""For timeline.py: a timeline of Perfetto's. Field numbers are those of protos/perfetto/trace of
github.com/google/perfetto."""

import collections
import re
import struct

from timeline_trace import Event, MASK, arrows, base, check, in_lines, in_order, signed, \
    wrong


def fields(data):
    """Returns (number, value) of each field: an int, or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 1:
            yield key >> 3, data[at:at + 8]
            at += 8
        elif key & 7 == 2:
            size = varint()
            check(size <= len(data) - at, "a field is longer than its message")
            yield key >> 3, data[at:at + size]
            at += size
        else:
            raise ValueError("wire type %d" % (key & 7))


def message(data):
    found = collections.defaultdict(list)
    for number, value in fields(data):
        found[number].append(value)
    return found


def text_of(data):
    text = data.decode()
    check(not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029]", text), "control in %r" % text)
    return text


def perfetto_value(value):
    if isinstance(value, tuple):
        return value[1]
    if isinstance(value, dict):
        return {name: int(count) if kind == "n" and count == int(count) < 1 << 63 else count
                for name, (kind, count) in value.items()}
    return value


class Perfetto:
    def __init__(self, path):
        self.tracks, self.interned = {}, {1: {}, 2: {}, 3: {}, 29: {}}
        self.of_stacks = {kind: {} for kind in (5, 6, 7, 16, 17, 18, 19)}  # messages by number
        self.samples = []  # time and message
        self.ranks, self.words, self.lost = {}, None, (0, None)
        self.lines, self.clocks, self.defaults = collections.defaultdict(list), {}, None
        self.marks, self.slices, self.values, self.counters = [], [], [], set()
        for number, packet in fields(open(path, "rb").read()):
            check(number == 1, "field %d of Trace" % number)
            self.packet(message(packet))
        for track, events in self.lines.items():
            self.line(track, events)

    def packet(self, p):
        unknown = set(p) - {6, 8, 10, 11, 12, 13, 59, 60, 66}
        check(not unknown, "fields %r of TracePacket" % unknown)
        check(p[10] == [1] and p[13] in ([1], [2]), "sequence of a packet")
        for snapshot in p[6]:
            snapshot = message(snapshot)
            self.clocks = {message(clock)[1][0]: message(clock)[2][0] for clock in snapshot[1]}
            check(snapshot[2] == [3], "primary clock")
        for defaults in p[59]:
            self.defaults = message(defaults)[58]
        for data in p[12]:
            self.intern(message(data))
        for descriptor in p[60]:
            self.descriptor(message(descriptor))
        for sample in p[66]:
            check(self.defaults == [3], "no clock")
            self.samples.append((p[8][0], message(sample)))
        for event in p[11]:
            check(self.defaults == [3], "no clock")
            self.event(p[8][0], message(event))

    def intern(self, data):
        for kind, entries in data.items():
            for entry in map(message, entries):
                if kind in self.of_stacks:
                    check(entry[1][0] not in self.of_stacks[kind], "interned twice: %r" % entry)
                    self.of_stacks[kind][entry[1][0]] = entry
                    continue
                check(entry[1][0] not in self.interned[kind], "interned twice: %r" % entry)
                self.interned[kind][entry[1][0]] = text_of(entry[2][0])

    def descriptor(self, d):
        uuid, parent = d[1][0], d[5][0] if d[5] else None
        check(uuid not in self.tracks, "track %d is described twice" % uuid)
        check(parent is None or parent in self.tracks, "track %d has no parent" % uuid)
        if d[3]:
            process = message(d[3][0])
            self.pid = process[1][0]
            self.words = list(map(text_of, process[2]))
            name = text_of(process[6][0])
        elif d[4]:
            thread = message(d[4][0])
            check(thread[1] == [self.pid], "pid of a thread")
            name = text_of(thread[5][0])
            check(name == "thread %d" % thread[2][0], "tid of %s" % name)
            parent = [key for key, track in self.tracks.items() if track[1] is None][0]
        else:
            name = text_of(d[2][0])
        if d[8]:
            check(dict(message(d[8][0])) == {3: [3]}, "the unit of %s" % name)
            self.counters.add(uuid)
        if d[12]:
            self.ranks[uuid] = d[12][0]
        self.tracks[uuid] = name, parent

    def event(self, time, e):
        check(e[11][0] in self.tracks, "an event has no track")
        check((e[9] == [4]) == (e[11][0] in self.counters), "an event on a counter's track")
        if e[9] == [4]:
            check(set(e) == {9, 11, 30}, "fields of a value: %r" % (e,))
            self.values.append((e[11][0], time, e[30][0]))
        elif e[9] == [3]:
            self.marks.append((time, e))
        else:
            self.lines[e[11][0]].append((time, e))

    def line(self, track, events):
        """Orders as the trace processor does: by time, equal times in the order of the file."""
        stack = []
        for time, e in sorted(events, key=lambda event: event[0]):
            if e[9] == [1]:
                stack.append((time, e))
            elif stack:
                start, begun = stack.pop()
                self.slices.append((start, time, begun))
            else:
                wrong("an end without a beginning on %r" % (self.tracks[track],))
        check(not stack, "a beginning without an end on %r" % (self.tracks[track],))

    def annotation(self, a):
        a = message(a)
        name = self.interned[3][a[1][0]] if a[1] else text_of(a[10][0])
        if a[11]:
            return name, dict(map(self.annotation, a[11]))
        if a[12]:
            return name, [message(each)[3][0] for each in a[12]]
        if a[17]:
            return name, self.interned[29][a[17][0]]
        if a[5]:
            return name, struct.unpack("<d", a[5][0])[0]
        if a[6]:
            return name, text_of(a[6][0])
        return name, a[3][0] if a[3] else signed(a[4][0])

    def show(self, phase, start, end, e, trace):
        name, parent = self.tracks[e[11][0]]
        arguments = dict(map(self.annotation, e[4]))
        for key in "queued", "submitted":
            if key in arguments:
                arguments[key] = signed(arguments[key] - trace.started)
        category = self.interned[1][e[3][0]]
        here, there = (47, 48) if category == "call" else (48, 47)
        check(not e[there], "the wrong end of a flow")
        check(len(set(e[here])) == len(e[here]), "an arrow is there twice")
        flow = tuple(sorted(self.flow(each, trace) for each in e[here]
                            if each in self.ends[there]))
        check(set(flow) <= set(arrows(trace, category, arguments)), "an arrow to something else")
        return Event(phase, self.tracks[parent][0], base(name), category,
                     self.interned[2][e[10][0]], start - trace.started, end - trace.started,
                     flow), arguments

    @staticmethod
    def flow(data, trace):
        return struct.unpack("<Q", data)[0] ^ (trace.pid * 0x9e3779b97f4a7c15 & MASK)

    def events(self, trace):
        # A flow with one end only is not an arrow: its other end had not come when the first was
        # written.
        self.ends = {end: {flow for _, _, e in self.slices for flow in e[end]} for end in (47, 48)}
        for start, end, e in self.slices:
            yield self.show("slice", start, end, e, trace)
        in_order((track, time) for track, time, _ in self.values)
        for track, time, size in self.values:
            name, parent = self.tracks[track]
            yield Event("counter", self.tracks[parent][0], name, "", "", time - trace.started,
                        time - trace.started, ()), {"bytes": size}
        for time, e in self.marks:
            if e[23]:
                self.lost = dict(map(self.annotation, e[4]))["lost"], time
            else:
                yield self.show("mark", time, time, e, trace)

    @staticmethod
    def callers(trace):
        """Returns the calls of which the arrow to each record comes: all that claim it."""
        return trace.claims()

    def order(self):
        """That of the tracks of each device."""
        for group, (_, process) in self.tracks.items():
            if process is not None and not group in self.counters:
                in_lines({uuid: name for uuid, (name, parent) in self.tracks.items()
                          if parent == group}, self.ranks)

    def whole(self, trace):
        self.order()
        check(self.words in (None, trace.words), "the arguments: %r" % (self.words,))
        check(self.clocks == {3: trace.started, 1: trace.zero()}, "clocks: %r" % self.clocks)
        lost, time = self.lost
        ends = [end for _, end, _ in self.slices] + [at for at, e in self.marks if not e[23]]
        check(lost == trace.lost + trace.lost_events, "lost records")
        check(time in (None, max(ends, default=trace.started)), "when records were lost")
        names = [track for track in self.tracks.values()]
        check(len(names) == len(set(names)), "two tracks of one name")

    value = staticmethod(perfetto_value)
