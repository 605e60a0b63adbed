# SPDX-License-Identifier: MIT
"""Marks, waits and overheads of a trace, for timeline.py: what a timeline has to show of them. As a
program, timeline_others.py make FILE SEED writes a trace of such events: nested, across threads,
without their ends, ends before their starts, with names that nobody should have."""

import math
import random
import struct
import sys

MARK, WAIT, OVERHEAD = 15, 17, 19
START, END, PUSHED, COLORED = 1, 2, 4, 8
FRAME = struct.Struct("<IHHQII")
BODIES = {MARK: struct.Struct("<QQQIIHHIII"), WAIT: struct.Struct("<QQQIIHHI"),
          OVERHEAD: struct.Struct("<QQQQHHI")}
WAITS = ("wait", "wait for event", "queue waits for event", "wait for queue", "wait for context")
OVERHEADS = ("overhead", "compiler", "flush", "instrumentation", "resource", "module loading",
             "function loading", "command buffer full", "buffer request", "managed memory")


def of_thread(thread, role):
    return ("thread %d " % thread if thread else "") + role


def word(words, number):
    return words[number if number < len(words) else 0]


class Others:
    def __init__(self):
        self.frames = []

    def frame(self, data):
        """Returns True for one of these events."""
        kind = struct.unpack_from("<H", data, 4)[0]
        if kind not in BODIES:
            return False
        _, _, flags, correlation, thread, _ = FRAME.unpack_from(data)
        self.frames.append((kind, flags, correlation, thread, BODIES[kind].unpack_from(data, 24)))
        return True

    def mark(self, trace, escape, flags, thread, body):
        """Returns its name, its track and its arguments."""
        _, payload, _, name, domain, _, payload_kind, color, category, category_name = body
        texts = {number: escape(trace.names.get(number, b"")) if number else ""
                 for number in (name, domain, category_name)}
        arguments = {}
        if texts[domain]:
            arguments["domain"] = texts[domain]
        if category:
            arguments["category"] = category
        if texts[category_name]:
            arguments["category_name"] = texts[category_name]
        if flags & COLORED:
            arguments["color_argb"] = color
        if payload_kind in (1, 2):
            arguments["payload"] = struct.unpack(
                "<" + " Qq"[payload_kind], struct.pack("<Q", payload))[0]
        real = struct.unpack("<d", struct.pack("<Q", payload))[0]
        if payload_kind == 3 and math.isfinite(real):
            arguments["payload"] = real
        if flags & START and not flags & PUSHED:
            arguments["thread"] = thread
            thread = 0
        track = of_thread(thread, "ranges") + (" of " + texts[domain] if texts[domain] else "")
        return texts[name] or "unnamed", track, arguments

    def marks(self, trace, escape, last):
        marks = [frame for frame in self.frames if frame[0] == MARK]
        ends = {body[2]: body[0] for _, flags, _, _, body in marks if flags & 3 == END}
        for _, flags, _, thread, body in marks:
            if flags & 3 == END:
                continue
            name, track, arguments = self.mark(trace, escape, flags, thread, body)
            end = body[0]
            if flags & START:
                end = ends.get(body[2], last)
                if body[2] not in ends:
                    arguments["end"] = "not known"
            yield ("slice" if flags & START else "mark", track,
                   "range" if flags & START else "mark", name, body[0], end, arguments)

    def expected(self, trace, escape, last):
        """Returns phase, track, category, name, start, end and arguments of each."""
        yield from self.marks(trace, escape, last)
        for kind, _, _, thread, body in self.frames:
            enter, leave = body[:2]
            if kind == WAIT and enter <= leave < 1 << 62:
                arguments = {} if body[7] == 0xffffffff else {"stream": body[7]}
                if body[2]:
                    arguments["event"] = body[2]
                yield ("slice", of_thread(thread, "waits"), "wait", word(WAITS, body[6]),
                       enter, leave, arguments)
            elif kind == OVERHEAD and enter <= leave < 1 << 62:
                yield ("slice", of_thread(body[3] & 0xffffffff, "overhead of profiling"),
                       "overhead", word(OVERHEADS, body[5]), enter, leave,
                       {"count": body[2]} if body[2] else {})


def put(to, kind, body, flags=0, correlation=0, thread=0):
    body += b"\0" * (-len(body) % 8)
    to.write(FRAME.pack(24 + len(body), kind, flags, correlation, thread, 0) + body)


def make(path, seed):
    any_of = random.Random(int(seed))
    names = [b"plain", b"a \"name\"\n\\x41", b"\xff\xfe\x00\x01", "\u2028\U0001f600".encode(), b"5"]
    with open(path, "wb") as to:
        to.write(struct.pack("<8sIIII", b"CPTRACE", 1, 0x01020304, 24, 168))
        put(to, 2, struct.pack("<IIQq", 4321, 0, 1000, 1700000000000000000))
        for number, text in enumerate(names, 1):
            put(to, 3, struct.pack("<II", number, len(text)) + text)
        time, number, open_ranges, stacks, late = 2000, 1 << 40, [], {}, []

        def put_mark(flags, thread, ident, correlation, domain, moment):
            put(to, MARK, BODIES[MARK].pack(
                moment, any_of.choice((0, 1, 1 << 63, 0x4000000000000000)), ident,
                0 if flags & END else any_of.randrange(6), domain, 1, any_of.randrange(5),
                any_of.randrange(1 << 32), any_of.randrange(3), any_of.randrange(6)),
                flags | (COLORED if any_of.randrange(3) == 0 else 0), correlation, thread)

        for _ in range(3000):
            time, number = time + any_of.choice((0, 1, any_of.randrange(1000))), number + 1
            thread, domain = 70000 + any_of.randrange(4), any_of.randrange(3)
            stack = stacks.setdefault((thread, domain), [])
            what = any_of.randrange(9)
            if what < 2:
                put_mark(START | PUSHED, thread, number, number, domain, time)
                stack.append(number)
            elif what < 4 and stack and any_of.randrange(30) == 0:
                stack.pop()  # its end was lost
            elif what < 4 and stack:
                put_mark(END | PUSHED, thread, stack.pop(), number, domain, time)
            elif what == 4:
                put_mark(START, thread, number, number, domain, time)
                open_ranges.append(number)
            elif what == 5 and open_ranges:
                ident = open_ranges.pop(any_of.randrange(len(open_ranges)))
                put_mark(END, thread, ident, number, domain, time)
            elif what == 6:
                put_mark(0, thread, 0, number, domain, time)
            elif what == 7:
                put(to, WAIT, BODIES[WAIT].pack(
                    time, time + any_of.randrange(500), any_of.choice((0, 1 << 40)), 0, 0, 1,
                    any_of.randrange(7), any_of.choice((3, 0xffffffff))), 0, number, thread)
            elif any_of.randrange(2):
                put(to, OVERHEAD, BODIES[OVERHEAD].pack(
                    time, time + any_of.randrange(9000), any_of.randrange(3),
                    any_of.choice((0, thread)), 1, any_of.randrange(12), 0), 0, number, thread)
            else:
                late.append((number, thread, domain, time))
                put_mark(END, thread, number, number + (1 << 50), domain, time + 5)
        for number, thread, domain, moment in late:
            put_mark(START, thread, number, number, domain, moment)
        if int(seed) % 2 == 0:
            put_kernel(to, time)


def put_kernel(to, time):
    """Its device is busy for longer than all other events."""
    start = time + 1700000000000000000
    put(to, 4, struct.pack("<7I", 0, 0, 0, 8, 0, 0, 3) + b"GPU")
    put(to, 5, struct.pack("<4I", 0, 0, 0, 0))
    times = time, time + 50, start, start, start, start + 90000
    put(to, 7, struct.pack("<8Q3Q10IfI8B", *times, 0, 0, *[1] * 7, *[0] * 7, 1, *[0] * 8),
        0, 1 << 51, 70000)


if __name__ == "__main__":
    make(*sys.argv[2:])
