# SPDX-License-Identifier: MIT
"""For generate.py: makes random frames of all kinds of doc/FORMAT, with odd values."""

import random
import struct

from tracefile import ANY, BLOCK, FRAME, KINDS, Totals, padded, with_size

RECORD = struct.Struct("<8Q3Q10IfI8B")
MONOTONIC, EPOCH = 1 << 40, 1700000000 * 10**9
TEXTS = (
    b"vecadd", b"_Z3fooPfi", b"memcopy", b"memset", b"memcpyHtoDasync", b'a,b;c "d" ]', b"] x]",
    b"=1+2", b"-x", b"@y", b"#z", b"NV_Warning: x", b"NV_Error", b"\\x41", b"a\\", b"\xff\xfe",
    b"\xc3", b"\xed\xa0\x80", b"line\nfeed\ttab\r", b"\x7f\x1b[0m", "\u2028\u2029\x85".encode(),
    "\xe4\u20ac\U0001f600".encode(), b"with\0nul", b" ", b"x" * 300, b"command_buffer(sum)",
    b"native_kernel", b"a]", b"b ]c", b'"quoted"', b"\xf4\x90\x80\x80", "\U00010000".encode(),
    b"-- null --", b"</script>", b"%s%n", b"void f<int>(float)", b"cuLaunch", b"cudaLaunchKernel",
    b"clFinish", b"cuInit", b"'; DROP", b"(other)", b"x=[ 1 ] y=[ 2 ] ",
)
MODULES = (  # none of them exists
    b"/no/such/app", b"/lib/no_such.so.6", b"/\xff", b"", b"/no/libcuda.so.1",
    b"/no/libcupti.so.12", b"/no/libOpenCL.so.1", b"/no/libcomputeprof.so.0",
)


class Maker:
    """The contents of one trace. `frames` are its frames, without the last one (END)."""

    def __init__(self, seed):
        self.any = random.Random(seed)
        self.frames, self.names, self.devices, self.contexts = [], [], [], []
        self.sets, self.nodes, self.modules, self.count, self.apis = [], 0, 0, 0, []
        self.owners = []  # the devices of the counter sets
        self.on = 70001  # the thread of ranges
        self.texts, self.missing = {}, self.any.choice((0, 1000, ANY))
        self.time, self.wild = MONOTONIC, self.any.random() < 0.15
        self.pid = 1000 + self.any.randrange(30000)
        self.shift = EPOCH - MONOTONIC
        if self.wild and self.any.random() < 0.3:
            self.shift = self.any.choice((0, -5, 1 << 62, -1 << 63))

    def put(self, kind, body, flags=0, correlation=0, thread=0, stack=0):
        frame = FRAME.pack(0, kind, flags, correlation, thread, stack) + body
        self.frames.append(with_size(padded(frame)))

    def chance(self, share):
        return self.any.random() < share

    def number(self, bits=32):
        """Mostly small; sometimes 0, the largest one, or any."""
        pick = self.any.randrange(12)
        if pick < 8:
            return self.any.randrange(1, 2000)
        if pick == 8:
            return 0
        return (
            (1 << bits) - 1 if pick == 9 else self.any.getrandbits(self.any.randrange(1, bits + 1))
        )

    def extent(self, bits):
        """A size of a grid or block, which is 0 in wild traces only."""
        return self.number(bits) or (0 if self.wild else 1)

    def process(self):
        command = self.any.choice(
            (b"", b"./a.out", b"./a.out\0-n\0", b"\xffx\0two words\0\x1b\0", b"\0")
        )
        boot = self.any.choice((bytes(16), bytes(range(16))))
        started = self.any.choice((MONOTONIC, MONOTONIC - 12345, 0, MONOTONIC + 10**6))
        self.put(
            2,
            struct.pack("<IIQq", self.pid, len(command), started, self.shift)
            + boot
            + bytes(8)  # no rank
            + command,
        )
        self.put(10, bytes(32))

    def name(self):
        """A new name, or sometimes an old one or one that does not exist; returns its id."""
        if self.names and self.chance(0.6):
            return self.any.choice(self.names)
        if self.chance(0.05):
            return self.missing
        text = self.any.choice(TEXTS)
        if self.chance(0.2):
            text += b"_%d" % self.any.randrange(50)
        return self.add_name(text)

    def add_name(self, text):
        """The id of a text; each text has one only."""
        if text not in self.texts:
            self.names.append(len(self.names) + 1)
            self.texts[text] = len(self.names)
            self.put(3, struct.pack("<II", len(self.names), len(text)) + text)
        return self.texts[text]

    def device(self):
        text = self.any.choice(TEXTS + (b"Tesla T4", b"Fake GPU 0", b"")).replace(b"\0", b"")
        if text and self.chance(0.5):  # as the library does
            self.add_name(text)
        api = self.any.randrange(2)
        number = self.devices.count(api)  # counted for each API by itself
        self.put(
            4,
            struct.pack(
                "<7I",
                len(self.devices),
                api,
                number,
                self.any.randrange(100),
                self.any.randrange(10),
                self.any.randrange(10),
                len(text),
            )
            + text,
        )
        self.devices.append(api)

    def context(self):
        device = self.any.randrange(len(self.devices))
        api = self.devices[device]
        index = self.apis.count(api)
        self.apis.append(api)
        self.put(5, struct.pack("<4I", len(self.contexts), api, index, device))
        self.contexts.append(device)

    def counters(self):
        count, owner = self.any.randrange(4), self.any.randrange(len(self.devices))
        names = b"".join(self.any.choice((b"n", b"r")) + b"counter_%d\n" % i for i in range(count))
        refused = self.any.choice((b"", b"refused_one\n", b"one\ntwo\n"))
        self.put(
            13,
            struct.pack("<6I", len(self.sets), owner, count, len(names), len(refused), 0)
            + names
            + refused,
        )
        self.sets.append(count)
        self.owners.append(owner)

    def module(self):
        path = self.any.choice(MODULES)
        build = self.any.choice((0, 20, 32))
        self.modules += 1
        self.put(21, struct.pack("<4I32s", self.modules, len(path), build, 0, bytes(32)) + path)

    def node(self):
        module = self.any.randint(0, self.modules)
        name = self.any.choice(self.names) if self.names and self.chance(0.3) and not module else 0
        offset = self.any.randrange(1 << 20) | (
            self.any.randint(0, len(self.names)) << 32 if name else 0
        )
        parent = self.any.randint(0, self.nodes)
        self.nodes += 1
        self.put(
            20, struct.pack("<4IQ", self.nodes, parent, module, name, offset), self.any.randrange(2)
        )

    def correlation(self, event=False):
        self.count += 1
        return (1 << 40) + self.count + (1 << 39 if event else 0)

    def moment(self):
        """The next time: often equal to the last one, rarely earlier."""
        self.time += self.any.choice((0, 0, 1, 7, 1000, self.any.randrange(10**6)))
        early = self.any.randrange(10**5) if self.chance(0.1) else 0
        return self.time - early

    def length(self):
        return self.any.choice(
            (0, 0, 1, 999, 1000, self.any.randrange(10**5), self.any.randrange(10**9))
        )

    def odd(self, value):
        if self.wild and self.chance(0.1):
            return self.any.choice(
                (0, 1, (1 << 64) - 1, 1 << 63, 1 << 62, self.any.getrandbits(64))
            )
        return value % (1 << 64)

    def stack(self):
        return self.any.randint(0, self.nodes)

    def thread(self):
        return (
            self.any.choice((0, 70001, 70002, 70003, ANY))
            if self.wild
            else 70001 + self.any.randrange(3)
        )

    def record(self):
        kind = self.any.choice((7, 7, 7, 8, 8, 9))
        enter = self.moment()
        leave = enter + self.length()
        start = enter + self.shift + self.length()
        times = [start, start, start, start + self.length()]
        if self.chance(0.3):
            times[0], times[1] = start - 9, start - 3
        known = self.any.getrandbits(13) | (1 if self.chance(0.8) else 0)
        if kind != 7:
            known &= 1 | 128 | 512 | 1024 | 2048
        context = self.any.randrange(len(self.contexts))
        device = self.contexts[context]
        if self.chance(0.1):  # a context of several devices
            device = self.any.choice(
                [i for i, api in enumerate(self.devices) if api == self.devices[device]]
            )
        memories = self.any.choice(((3, 3), (self.any.randrange(3), self.any.randrange(3))))
        small = [
            self.any.randrange(3),
            self.any.randrange(2),
            *memories,
            self.any.randrange(2),
            self.any.randrange(4),
            self.any.randrange(4),
            0,
        ]
        if self.wild and self.chance(0.2):
            small[:7] = [self.any.randrange(256) for _ in range(7)]
        most = 64 if self.wild else 63
        extents = [self.extent(self.any.choice((16, most))) for _ in range(3)]
        if kind == 8 and memories == (3, 3) and self.chance(0.7):
            known |= 1 << 13
            extents[:2] = [self.any.randrange(len(self.devices)) | context << 32, device]
        flags = self.any.choice((0, 0, 0, 1, 2, 4, 8, 16, 32, 17, self.any.randrange(64)))
        occupancy = self.any.choice((0.0, 0.25, 1.0, 0.123456, self.any.random()))
        streams = self.any.choice((2, 4, 4000))
        body = RECORD.pack(
            *map(self.odd, (enter, leave)),
            *map(self.odd, times),
            0,
            self.number(most),
            *extents,
            *(self.extent(32) for _ in range(3)),
            self.name() if kind == 7 else 0,
            device,
            context,
            self.any.randrange(1, 1 + streams),
            self.number(32),
            self.number(32),
            self.any.randrange(256),
            occupancy,
            known,
            *small
        )
        if self.sets and kind == 7 and self.chance(0.5):
            newest = [i for i, owner in enumerate(self.owners) if owner == device][-1:]
            if not newest or self.chance(0.3):
                newest = range(len(self.sets))
            chosen = self.any.choice(newest)
            values = [
                self.any.choice(
                    (
                        0.0,
                        1.0,
                        0.5,
                        1.5,
                        2.5,
                        float("nan"),
                        float("inf"),
                        -3.25,
                        1e15,
                        1e300,
                        self.any.random() * 1e6,
                    )
                )
                for _ in range(self.sets[chosen])
            ]
            body += BLOCK.pack(16 + 8 * len(values), 1, 0) + struct.pack("<II", chosen, 0)
            body += struct.pack("<%dd" % len(values), *values)
        elif self.chance(0.03):
            body += BLOCK.pack(16, self.any.randrange(2, 9), 0) + bytes(8)
        self.put(kind, body, flags, self.correlation(), self.thread(), self.stack())

    def event(self, kind, body, flags=0, correlation=None, stack=None, thread=None):
        number, layout, _ = KINDS[kind]
        self.put(
            number,
            struct.pack(layout, *body),
            flags,
            self.correlation(True) if correlation is None else correlation,
            self.thread() if thread is None else thread,
            self.stack() if stack is None else stack,
        )

    def span(self):
        enter = self.moment()
        return self.odd(enter), self.odd(enter + self.length())

    def call(self):
        made = self.any.randrange(1, self.count + 3) + (1 << 40) if self.chance(0.6) else 0
        records = self.any.choice((0, 1, 1, 1, 2, 3, 20)) if made else self.any.choice((0, 0, 2))
        result = self.any.choice((0, 0, 0, 0, 1, 600, -5, -(1 << 31)))
        number = self.any.choice((0, 0, 0, 211, 307, 5000))
        name = self.name()  # a function is of one API
        self.event("call", (*self.span(), made, result, name, name % 2, records, number))

    def mark(self, moment, ident, name, flags, correlation=None, thread=None):
        payload = self.any.choice(
            (0, 1, 1 << 63, struct.unpack("<Q", struct.pack("<d", 2.5))[0], 0x7FF0000000000000)
        )
        self.event(
            "mark",
            (
                moment,
                payload,
                ident,
                name,
                self.named(0.3),
                self.any.randrange(2),
                self.any.randrange(5),
                self.any.getrandbits(32),
                self.any.randrange(3),
                self.named(0.3),
            ),
            flags | self.any.choice((0, 8)),
            correlation,
            None,
            thread,
        )

    def named(self, share):
        """A name that exists, or 0."""
        return self.any.choice(self.names) if self.names and self.chance(share) else 0

    def marks(self):
        """A moment, or both ends of a range in any order, sometimes one of them only. Pushed ranges
        are nested."""
        if self.chance(0.3):
            self.mark(self.moment(), 0, self.name(), 0)
            return
        ident, pushed = self.correlation(True), self.any.choice((0, 4))
        self.time += 1 + self.length()
        start, before = self.time, len(self.frames)
        self.mark(start, ident, self.name(), 1 | pushed, ident, self.on)
        while self.chance(0.5):
            self.any.choice((self.call, self.record, self.marks))()
        self.time += 1 + self.length()
        if self.chance(0.85):
            self.mark(self.time, ident, 0, 2 | pushed, None, self.on)
            if self.chance(0.2):  # the end comes first
                self.frames.insert(before + 1, self.frames.pop())
        if self.chance(0.1):
            self.on = self.thread()

    def allocation(self):
        address = self.any.randrange(6) << 12
        self.event(
            "allocation",
            (
                *self.span(),
                address,
                self.number(64),
                self.any.randrange(2),
                self.any.randrange(10),
                self.place(self.devices),
                self.place(self.contexts),
                self.name() if self.chance(0.1) else 0,
            ),
            self.any.choice((0, 0, 1)),
        )

    def place(self, things):
        return self.any.randrange(len(things)) if self.chance(0.8) else ANY

    def others(self):
        kind = self.any.choice(
            (
                "wait", "queue", "overhead", "sample", "use", "change", "pattern",
                "pattern_value", "source_line",
            )
        )
        if kind == "wait":
            self.event(
                kind,
                (
                    *self.span(),
                    self.number(64),
                    self.place(self.devices),
                    self.place(self.contexts),
                    self.any.randrange(2),
                    self.any.randrange(6),
                    self.any.choice((1, 2, 3, ANY)),
                ),
            )
        elif kind == "queue":
            self.event(
                kind,
                (
                    *self.span(),
                    self.any.randrange(4),
                    self.place(self.devices),
                    self.place(self.contexts),
                    self.any.randrange(2),
                    self.any.randrange(-5, 5),
                    self.any.choice((1, 2, 3, ANY)),
                ),
                self.any.randrange(4),
            )
        elif kind == "overhead":
            self.event(
                kind,
                (
                    *self.span(),
                    self.number(64),
                    self.any.choice((0, 70001, 1 << 33)),
                    self.any.randrange(2),
                    self.any.randrange(11),
                    0,
                ),
            )
        elif kind == "sample":
            self.event(
                kind,
                (self.moment(), self.number(40), 0, self.any.randrange(3), 0),
                self.any.randrange(2),
            )
        elif kind == "use":
            self.event(
                kind,
                (
                    self.moment(),
                    0x1000,
                    0,
                    self.number(32),
                    0,
                    self.any.randrange(4),
                    ANY,
                    (1 << 40) + self.any.randrange(1, self.count + 2),
                ),
                self.any.randrange(4),
                None,
                0,
            )
        elif kind == "change":
            self.event(kind, (self.moment(), 1, 0, 0, 0, self.any.randrange(10), 0, 7))
        elif kind == "pattern":
            self.event(kind, (self.moment(), 1, 10, 2, 0, 0, 10, 1, 4, 0, 8, 8, 8, 0, 0))
        elif kind == "source_line":
            self.event(kind, (self.moment(), 5, 2, 0, 0, 1, 0, 3))
        else:
            self.event(kind, (self.moment(), 1, 5, 2, 0, 1, 0, 0))

    def lost(self):
        self.put(
            10,
            struct.pack(
                "<4Q",
                *(self.number(self.any.choice((8, 64))) for _ in range(2)),
                self.number(8),
                self.any.randrange(2)
            ),
        )

    def unknown(self):
        self.put(self.any.choice((1, 6, 11, 12, 30, 999, 65535)), bytes(8 * self.any.randrange(4)))

    def totals(self):
        """A row of running totals, which only traces of totals have."""
        flags = self.any.randrange(1, 7)
        if flags & 255 == 6:
            self.put(24, struct.pack("<8x13Q120x", *(self.number(64) for _ in range(13))), flags)
            return
        buckets = flags & 255 in (1, 2) or self.chance(0.5)
        count = self.any.randrange(5)
        total = self.number(self.any.choice((40, 63)))
        name = self.any.choice(self.names) if self.names else 0
        body = Totals.ROW.pack(
            name,
            ANY if flags == 5 and self.chance(0.7) else self.any.randrange(len(self.devices)),
            self.any.randrange(5),
            self.any.choice((7, 8, 9)),
            name % 2,  # a function is of one API
            self.any.randrange(5),
            self.any.randrange(5),
            count,
            total,
            total // 3 if count else (1 << 64) - 1,
            total,
            EPOCH,
            EPOCH + total,
            self.any.randrange(count + 1),
            *(self.any.randrange(3) for _ in range(4)),
            self.number(64),
            count,
            0.5,
            1,
            3,
            1,
            4,
            1,
        )
        body += bytes(232 - len(body))
        if buckets:
            values = [0] * 960
            for _ in range(count):
                values[self.any.randrange(960)] += 1
            body += struct.pack("<960I", *values)
        self.put(24, body, flags)
