# SPDX-License-Identifier: MIT
"""What is in a trace of version 1 or 2, for tests in Python: an own reader, doc/FORMAT is all it
knows."""

import bisect
import collections
import struct

HEADER, FRAME = struct.Struct("<8s4I"), struct.Struct("<IHHQII")
BLOCK = struct.Struct("<IHH")
NAME, CONTEXT, KERNEL, COPY, FILL = 3, 5, 7, 8, 9
RECORDS = (KERNEL, COPY, FILL)
COUNTERS_BLOCK = 1
# The size of each kind's struct, before its texts or blocks, as known here and in version 1.
SIZES = {2: 72, 3: 32, 4: 52, 5: 40, 7: 168, 8: 168, 9: 168, 10: 56, 13: 48, 14: 64, 15: 72,
         16: 72, 17: 64, 18: 64, 19: 64, 20: 48, 21: 72, 22: 64, 23: 72, 24: 256, 25: 48, 26: 72,
         27: 72, 28: 72, 29: 72, 30: 64, 31: 64, 32: 72}
VERSION_1 = {**SIZES, 2: 64}
CALL, STACK, MODULE, TOTALS, END = 14, 20, 21, 24, 25
EVENT_KINDS = range(14, 20)
PLACE = 104  # of device, context and stream in a record, behind its frame
ANY = 2**32 - 1  # of devices, contexts and streams

# Each kind of event: its number, its layout after the frame, and the names of its fields.
KINDS = {
    "call": (14, "<QQQiIHHI", "enter leave made result name api records number"),
    "mark": (15, "<QQQIIHHIII", "time payload id name domain api form color category label"),
    "allocation": (16, "<QQQQHHIII", "enter leave address bytes api memory device context name"),
    "wait": (17, "<QQQIIHHI", "enter leave event device context api kind stream"),
    "queue": (18, "<QQQIIHhI", "enter leave properties device context api priority stream"),
    "sample": (22, "<QQ16xHHI", "enter weight api clock reserved"),
    "use": (26, "<QQQQHHIQ", "enter address offset bytes api access argument record"),
    "change": (23, "<QQQQHHIQ", "enter use same changed api reason same_words hash"),
    "pattern": (27, "<QQQIIHBBHH5B3x", "enter use elements distinct rounded_distinct api type "
                "width kinds rounded_kinds narrow_signed narrow_unsigned narrow_tail "
                "narrow_rounded level"),
    "pattern_value": (28, "<QQQQHHIQ", "enter use value count api kind reserved error"),
    "source_line": (29, "<QQQQHHIQ", "enter count zeros silent api kind text same"),
    "recorded": (30, "<QQQIIHHI", "enter leave event device context api reserved stream"),
    "attribute": (31, "<QQQQHHI", "enter value second reserved api number device"),
    "managed": (32, "<QQQQHBBIII", "enter leave value address api kind cause source target stream"),
    "overhead": (19, "<QQQQHHI", "enter leave count stopped api kind reserved"),
}
EVENTS = {
    number: (kind, struct.Struct(layout),
             collections.namedtuple(kind, "flags correlation thread stack " + fields))
    for kind, (number, layout, fields) in KINDS.items()
}
Record = collections.namedtuple("Record", "kind thread enter leave")
# A node of the call stacks.
Node = collections.namedtuple("Node", "flags parent module name offset")


def padded(data):
    """The same with zeros up to a multiple of 8."""
    return data + bytes(-len(data) % 8)


def with_size(frame):
    """The frame, whose size is that of its bytes."""
    return struct.pack("<I", len(frame)) + frame[4:]


def table(data):
    """The size of the header, and those of each kind's struct."""
    _, version, _, size, count = HEADER.unpack_from(data)
    if version == 1:
        return HEADER.size, VERSION_1
    entries = struct.iter_unpack("<HHI", data[HEADER.size : HEADER.size + 8 * count])
    return size, {kind: kind_size for kind, _, kind_size in entries}


def header(more=0, kinds=()):
    """The header of version 2; with `more`, each struct is longer by so many bytes. `kinds` are
    further entries: kind and size."""
    entries = [(kind, size + more) for kind, size in SIZES.items()] + list(kinds)
    rows = b"".join(struct.pack("<HHI", kind, 0, size) for kind, size in entries)
    return HEADER.pack(b"CPTRACE", 2, 0x01020304, HEADER.size + len(rows), len(entries)) + rows


def longer(frame, kind, more):
    """The frame with a longer struct, of a kind that is known."""
    return with_size(padded(frame[: SIZES[kind]] + b"\xee" * more + frame[SIZES[kind] :]))


def of_version_1(frame):
    """The frame as version 2 has it: values of counters are a block."""
    size, kind, *_, counters = FRAME.unpack_from(frame)
    head = frame[:20] + bytes(4) + frame[24 : VERSION_1[kind]]
    rest = frame[VERSION_1[kind] : size]
    if kind in RECORDS or kind in EVENT_KINDS:
        rest = counters and BLOCK.pack(16 + len(rest), COUNTERS_BLOCK, 0) + struct.pack(
            "<II", counters - 1, 0) + rest or b""
    return with_size(padded(head + bytes(SIZES[kind] - len(head)) + rest))


def frames(data):
    """The frames of all kinds that are known, laid out as version 2 has them."""
    version = HEADER.unpack_from(data)[1]
    at, sizes = table(data)
    while at + FRAME.size <= len(data):
        size, kind = struct.unpack_from("<IH", data, at)
        if size > len(data) - at:
            break
        frame = data[at : at + size]
        at += size
        if kind not in SIZES:
            continue
        if version == 1:
            yield kind, of_version_1(frame)
        elif sizes[kind] == SIZES[kind]:
            yield kind, frame
        else:
            fixed = frame[: min(sizes[kind], SIZES[kind])]
            fixed += bytes(SIZES[kind] - len(fixed))
            yield kind, with_size(padded(fixed + frame[sizes[kind] :]))


def counters(frame):
    """The id of the set and the values of a record's counters, or None."""
    at = SIZES[KERNEL]
    while at < len(frame):
        size, tag, _ = BLOCK.unpack_from(frame, at)
        if tag == COUNTERS_BLOCK:
            return (struct.unpack_from("<I", frame, at + 8)[0],
                    struct.unpack("<%dd" % ((size - 16) // 8), frame[at + 16 : at + size]))
        at += size
    return None


class Trace:
    """The contents of a file in its order; names are bytes."""

    def __init__(self, path):
        self.names, self.contexts, self.places, self.records = {0: b""}, set(), set(), {}
        self.events = {kind: [] for kind in KINDS}
        self.spans, self.stacks, self.modules = {}, {}, {}
        with open(path, "rb") as file:
            data = file.read()
        for kind, frame in frames(data):
            self.take(frame, FRAME.size, kind, *FRAME.unpack_from(frame)[2:])

    def take(self, data, body, kind, flags, correlation, thread, stack):
        """Reads the frame with this `body`."""
        if kind in EVENTS:
            name, layout, event = EVENTS[kind]
            self.events[name].append(event(flags, correlation, thread, stack,
                                           *layout.unpack_from(data, body)))
        elif kind in RECORDS:
            self.records[correlation] = Record(kind, thread,
                                               *struct.unpack_from("<QQ", data, body))
            self.places.add(struct.unpack_from("<III", data, body + PLACE))
        elif kind == NAME:
            number, length = struct.unpack_from("<II", data, body)
            self.names[number] = data[body + 8 : body + 8 + length]
        elif kind == STACK:
            number, parent, module, name, offset = struct.unpack_from("<IIIIQ", data, body)
            self.stacks[number] = Node(flags, parent, module, name, offset)
        elif kind == MODULE:
            number, length = struct.unpack_from("<II", data, body)
            self.modules[number] = data[body + 48 : body + 48 + length]
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


class Totals:
    """The rows of running totals: their layouts after the frame."""

    KEY = ("kind", "name", "device", "code", "record_kind", "api", "source", "target")
    ROW = struct.Struct("<4xIIiHHBB2x7Q4Q2QdQ4Q")
    PROCESS = struct.Struct("<8x13Q")
    Row = collections.namedtuple("Row", (
        "kind name device code record_kind api source target count total shortest longest first"
        " last failed missing bytes sized occupancy occupancies pageable_time pageable_count"
        " waited_time waited_count"))
    Process = collections.namedtuple("Process", (
        "kind name marks ranges allocations allocated in_use peak left waits waiting overheads"
        " overhead records other"))

    @classmethod
    def read(cls, frame):
        """Returns the row of a frame, and its buckets."""
        size, _, flags = FRAME.unpack_from(frame)[:3]
        if flags & 255 == 6:
            return cls.Process(6, 0, *cls.PROCESS.unpack_from(frame, FRAME.size)), ()
        values = cls.ROW.unpack_from(frame, FRAME.size)
        row = cls.Row(flags & 255, *values[:14], values[14:18], *values[18:])
        return row, struct.unpack_from(f"<{(size - 256) // 4}I", frame, 256)


def read_totals(path):
    """Returns the names of a trace of running totals, and its rows with their buckets."""
    names, rows = {0: b""}, []
    with open(path, "rb") as file:
        for kind, frame in frames(file.read()):
            if kind == NAME:
                number, length = struct.unpack_from("<II", frame, FRAME.size)
                names[number] = frame[FRAME.size + 8 : FRAME.size + 8 + length]
            elif kind == TOTALS:
                rows.append(Totals.read(frame))
    return names, rows
