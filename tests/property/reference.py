# SPDX-License-Identifier: MIT
"""A slow and plain reader of traces of version 2 for property.py. doc/FORMAT is all it knows: what
it reads is what every view has to show."""

import collections
import re
import struct

from tracefile import BLOCK, EVENTS, FRAME, HEADER, RECORDS, SIZES, padded, with_size

MOST = (1 << 64) - 1
(
    TIMES,
    GRID,
    BLOCK_GIVEN,
    STATIC,
    DYNAMIC,
    REGISTERS,
    OCCUPANCY,
    STREAM,
    CACHE,
    BYTES,
    DIRECTION,
    HOST_MEMORY,
    BLOCK_SIZE,
    PEERS,
) = (1 << bit for bit in range(14))
ASYNCHRONOUS, FAILED, BAD_TIMES, UNFINISHED, NO_CALL = 1, 2, 4, 8, 16
KERNEL, COPY, FILL = RECORDS
APIS = ("OpenCL", "CUDA")
BODY = struct.Struct("<8Q3Q10IfI8B")
Record = collections.namedtuple(
    "Record",
    (
        "kind flags correlation thread stack enter leave queued submitted started ended handle "
        "bytes grid0 grid1 grid2 block0 block1 block2 name device context stream static dynamic "
        "registers "
        "occupancy known direction host_memory source target block_given cache_requested "
        "cache_executed batch counters"
    ),
)
Device = collections.namedtuple("Device", "api number multiprocessors major minor name")
Context = collections.namedtuple("Context", "api index device")
Counters = collections.namedtuple("Counters", "device columns refused")


class Refused(Exception):
    """The file is not a trace of version 2."""


class Damage(Exception):
    """A frame is not valid: everything before it counts."""


def require(fine):
    if not fine:
        raise Damage


def add(*numbers):
    """A sum that stops at the largest number."""
    return min(sum(numbers), MOST)


def duration(start, end):
    """The time between two moments; 0 if they are in the wrong order."""
    return max(end - start, 0)


def table(data):
    """The size of the header, and the size of each kind's struct in this file."""
    if len(data) < HEADER.size:
        raise Refused
    magic, version, order, size, count = HEADER.unpack_from(data)
    if (
        magic != b"CPTRACE\0"
        or version != 2
        or order != 0x01020304
        or size > 65536
        or size % 8
        or size < HEADER.size + 8 * count
        or size > len(data)
    ):
        raise Refused
    sizes = {}
    for i in range(count):
        kind, _, least = struct.unpack_from("<HHI", data, HEADER.size + 8 * i)
        has_blocks = kind in RECORDS or kind in EVENTS
        if kind in sizes or not 24 <= least <= 65536 or least % (8 if has_blocks else 4):
            raise Refused
        sizes[kind] = least
    return size, sizes


def blocks(frame, at):
    """The counters' block among the blocks from there on: its set and values, or None."""
    found = None
    while at < len(frame):
        require(len(frame) - at >= BLOCK.size)
        size, tag, _ = BLOCK.unpack_from(frame, at)
        require(size <= len(frame) - at and size % 8 == 0 and size >= (16 if tag == 1 else 8))
        if tag == 1:
            require(found is None)
            found = struct.unpack_from("<I", frame, at + 8)[0], struct.unpack_from(
                "<%dd" % ((size - 16) // 8), frame, at + 16
            )
        at += size
    return found


class Trace:
    """The contents of a file, in its order. `cut` is None, "end", "frame" or "middle"; `damaged` is
    the place of the damage, or None."""

    def __init__(self, data):
        self.names, self.devices, self.contexts, self.sets = {}, [], [], []
        self.records, self.totals, self.modules, self.nodes = [], [], [], []
        self.unnamed = set()  # indices of the records whose name comes later, or not at all
        self.events = {kind: [] for kind, _, _ in EVENTS.values()}
        self.pid, self.started, self.shift, self.command = 0, 0, 0, b""
        self.rank = None
        self.lost = self.lost_events = self.gaps = self.unknown = 0
        self.cut = self.damaged = None
        self.end_here = self.miscounted = self.has_process = False
        self.at, self.sizes = table(data)
        self.frames = 0
        try:
            while self.frame(data):
                pass
        except Damage:
            self.damaged = self.at
            return
        if self.miscounted:
            self.cut = "middle"
        elif self.at < len(data):
            self.cut = "frame"
        elif 25 in self.sizes and not self.end_here:
            self.cut = "end"

    def frame(self, data):
        """Reads the frame at self.at; False if the file ends before the frame does."""
        left = len(data) - self.at
        if left < FRAME.size:
            return False
        size, kind = struct.unpack_from("<IH", data, self.at)
        require(size >= FRAME.size and size % 8 == 0)
        if size > left:
            require(not self.ends_with_end(data))
            return False
        require(size <= 1 << 24)
        frame = data[self.at : self.at + size]
        if kind not in SIZES:
            self.unknown += 1
        else:
            least = self.sizes.get(kind)
            require(least and size >= least)
            own = SIZES[kind]
            head = frame[: min(least, own)]
            self.take(kind, with_size(padded(head + bytes(own - len(head)) + frame[least:])))
        self.end_here = kind == 25 and 25 in self.sizes
        if self.end_here:
            self.miscounted |= self.last_end != self.frames
        self.frames += 1
        self.at += size
        return True

    def ends_with_end(self, data):
        """If its last bytes are an END frame, no frame is cut off."""
        end = self.sizes.get(25)
        if not end or len(data) - self.at <= end:
            return False
        return struct.unpack_from("<IH", data, len(data) - end) == (end, 25)

    def take(self, kind, frame):
        _, _, flags, correlation, thread, stack = FRAME.unpack_from(frame)
        if kind in RECORDS or kind in EVENTS:
            require(stack <= len(self.nodes))
        if kind in RECORDS:
            body = BODY.unpack_from(frame, 24)
            record = Record(
                kind, flags, correlation, thread, stack, *body, blocks(frame, SIZES[kind])
            )
            require(record.device < len(self.devices) and record.context < len(self.contexts))
            if record.counters:
                chosen, values = record.counters
                require(chosen < len(self.sets) and len(self.sets[chosen].columns) == len(values))
            if record.name not in self.names:
                self.unnamed.add(len(self.records))
            self.records.append(record)
        elif kind in EVENTS:
            blocks(frame, SIZES[kind])
            name, layout, event = EVENTS[kind]
            event = event(flags, correlation, thread, stack, *layout.unpack_from(frame, 24))
            require(event.api < 2)
            self.events[name].append(event)
        elif kind == 24:
            self.totals.append((flags, frame))
        elif kind == 10:
            count, missing, events, gaps = struct.unpack_from("<4Q", frame, 24)
            self.lost = add(self.lost, count, missing)
            self.lost_events = add(self.lost_events, min(events, missing))
            self.gaps = add(self.gaps, gaps)
        elif kind == 25:
            self.last_end = struct.unpack_from("<Q", frame, 24)[0]
        else:
            {
                2: self.process,
                3: self.name,
                4: self.device,
                5: self.context,
                13: self.counters,
                20: self.node,
                21: self.module,
            }[kind](frame)

    def process(self, frame):
        (length,) = struct.unpack_from("<I", frame, 28)
        require(length <= 4096 and length <= len(frame) - 72)
        self.has_process = True
        self.pid, _, self.started, self.shift = struct.unpack_from("<IIQq", frame, 24)
        (rank,) = struct.unpack_from("<I", frame, 64)
        self.rank = rank - 1 if rank else None
        self.command = frame[72 : 72 + length]

    def name(self, frame):
        number, length = struct.unpack_from("<II", frame, 24)
        require(length <= len(frame) - 32 and 0 < number < 1 << 20 and number not in self.names)
        self.names[number] = frame[32 : 32 + length]

    def device(self, frame):
        number, api, *values, length = struct.unpack_from("<7I", frame, 24)
        require(length <= len(frame) - 52 and api < 2 and number == len(self.devices))
        # A name ends at a zero byte: the driver's have none.
        self.devices.append(Device(api, *values, frame[52 : 52 + length].split(b"\0")[0]))

    def context(self, frame):
        number, api, index, device = struct.unpack_from("<4I", frame, 24)
        require(api < 2 and device < len(self.devices) and number == len(self.contexts))
        self.contexts.append(Context(api, index, device))

    def counters(self, frame):
        number, device, count, columns, refused, _ = struct.unpack_from("<6I", frame, 24)
        require(columns + refused <= len(frame) - 48 and number == len(self.sets))
        text = frame[48 : 48 + columns + refused]
        lines, rest = text[:columns].split(b"\n"), text[columns:]
        require(b"\0" not in text and not lines.pop() and len(lines) == count <= 512)
        require(device < len(self.devices))
        require(all(re.fullmatch(rb"[nr][!-+\--<>-Z\\^-~]+", line) for line in lines))
        require(not rest or rest.endswith(b"\n"))
        names = rest.split(b"\n")[:-1]
        require(all(name and escape(name) == name.decode(errors="replace") for name in names))
        self.sets.append(Counters(device, [line.decode() for line in lines], names))

    def module(self, frame):
        number, length, build_id = struct.unpack_from("<III", frame, 24)
        require(
            length <= len(frame) - 72
            and length <= 4096
            and build_id <= 32
            and number == len(self.modules) + 1
        )
        self.modules.append(frame[72 : 72 + length])

    def node(self, frame):
        number, parent, module, name, offset = struct.unpack_from("<4IQ", frame, 24)
        require(number == len(self.nodes) + 1 and parent < number and module <= len(self.modules))
        self.nodes.append((parent, module, name, offset))

    @property
    def calls(self):
        return self.events["call"]

    def text(self, name):
        return self.names.get(name, b"")

    def api_of(self, record):
        return self.devices[record.device].api


def sequence(name, at):
    """The number of bytes of the character there; 0: no character of UTF-8."""
    for size in range(1, 5):
        try:
            name[at : at + size].decode()
            return size if at + size <= len(name) else 0
        except UnicodeDecodeError:
            pass
    return 0


def escape(name, also=lambda name, at: False):
    """Bytes as text with \\xNN for the ambiguous ones: doc/FORMAT, section 5, `always`."""
    text, at = "", 0
    while at < len(name):
        size = sequence(name, at)
        character = name[at : at + size].decode() if size else ""
        code = ord(character) if size else 0
        if (
            code < 32
            or 127 <= code < 160
            or code in (0x2028, 0x2029)
            or name[at : at + 2] == b"\\x"
            or also(name, at)
        ):
            character, size = "\\x%02x" % name[at], 1
        text += character
        at += size
    return text


def restored(text):
    """The bytes of an escaped name."""
    return re.sub(rb"\\x([0-9a-f]{2})", lambda found: bytes([int(found[1], 16)]), text.encode())


def in_row(name, at):
    """Further bytes that are escaped in rows."""
    return name[at : at + 1] == b" " or (
        name[at : at + 1] == b"]" and name[at + 1 : at + 2] in (b"", b" ")
    )


def in_csv(name, at):
    """Further bytes that are escaped in rows of CSV."""
    opens = at == 0 and name.startswith(
        (b'"', b"#", b"=", b"+", b"-", b"@", b"NV_Warning", b"NV_Error")
    )
    return in_row(name, at) or name[at : at + 1] == b"," or opens


def direction(record):
    """The two letters of a copy: HtoD, or empty."""
    if record.source == record.target == 3:
        return "PtoP"
    if max(record.source, record.target) > 2:
        return ""
    return "HDA"[record.source] + "to" + "HDA"[record.target]


def method(trace, record, dialect):
    """The bytes of the method of a row."""
    after = b"async" if record.flags & ASYNCHRONOUS and dialect == "cuda4" else b""
    if record.kind == KERNEL:
        return trace.text(record.name) or b"unknown_kernel"
    if record.kind == FILL:
        return b"memset" + after
    words = direction(record).replace("PtoP", "DtoD").encode()
    if dialect == "classic" or not words:
        return b"memcopy"
    return b"memcpy" + words + after


class Sum:
    """What records of a name, or calls of a function, add up to."""

    def __init__(self):
        self.count = self.total = self.longest = self.untimed = self.failed = self.bytes = 0
        self.sized = 0
        self.shortest, self.times = MOST, []

    def add(self, time):
        self.count += 1
        self.total = add(self.total, time)
        self.shortest, self.longest = min(self.shortest, time), max(self.longest, time)
        self.times.append(time)

    @property
    def average(self):
        return self.total // self.count

    def percentile(self, percent):
        """The exact one, by rank."""
        rank = max(-(-self.count * percent // 100), 1)
        return sorted(self.times)[rank - 1]


def activity(trace, record, by_device=False):
    """What a record is added to: api, kind, name (of kernels), memories (of copies) and device."""
    memories = tuple(min(memory, 4) for memory in (record.source, record.target))
    return (
        trace.api_of(record),
        record.kind,
        record.name if record.kind == KERNEL else 0,
        memories if record.kind == COPY else (0, 0),
        record.device if by_device else 0,
    )


def sums_of(trace, by_device):
    """The sum of each activity."""
    sums = collections.defaultdict(Sum)
    for record in trace.records:
        entry = sums[activity(trace, record, by_device)]
        if not record.known & TIMES:
            entry.untimed += 1
            continue
        entry.add(duration(record.started, record.ended))
        if record.known & BYTES:
            entry.bytes = add(entry.bytes, record.bytes)
            entry.sized += 1
    return sums


def sums_of_calls(trace):
    sums = collections.defaultdict(Sum)
    for call in trace.calls:
        entry = sums[call.api, call.name]
        entry.add(duration(call.enter, call.leave))
        entry.failed += call.result != 0
    return sums


def missing(trace):
    """The number of records without times by reason: unfinished, failed, invalid, other."""
    counts = [0] * 4
    for record in trace.records:
        if not record.known & TIMES:
            flags = record.flags
            counts[
                0 if flags & UNFINISHED else 1 if flags & FAILED else 2 if flags & BAD_TIMES else 3
            ] += 1
    return counts


def union(spans):
    """The time that at least one of the spans covers."""
    covered, reach = 0, None
    for start, end in sorted(spans):
        if reach is None or start > reach:
            reach = start
        if end > reach:
            covered += end - reach
            reach = end
    return covered
