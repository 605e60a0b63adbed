# SPDX-License-Identifier: MIT
"""Memory in use, for timeline.py: what a timeline has to show of a trace's allocations. As a
program, timeline_memory.py make FILE SEED NUMBER writes a trace of so many: out of order, without
their other ends, at places that are taken, of contexts that nobody knows."""

import random
import struct
import sys

ALLOCATION, FREED, UNKNOWN = 16, 1, 0xffffffff
FRAME = struct.Struct("<IHHQII")
BODY = struct.Struct("<QQQQHHIII")
KINDS = ("", "pageable ", "pinned ", "device ", "array ", "managed ", "static ", "pipe ")
GREATEST = (1 << 63) - 1


class Memory:
    def __init__(self):
        self.changes = []

    def frame(self, data):
        """Returns True for an allocation."""
        _, kind, flags, _, _, _ = FRAME.unpack_from(data)
        if kind != ALLOCATION:
            return False
        enter, leave, address, size, api, memory, _, context, _ = BODY.unpack_from(data, 24)
        if enter <= leave < 1 << 62:
            self.changes.append((enter if flags & FREED else leave, len(self.changes),
                                 bool(flags & FREED), address, size,
                                 memory if memory < len(KINDS) else 0, context, api))
        return True

    def expected(self, trace, group_of, process):
        """Returns group, track, time and bytes of each. In CUDA (1) an address is of one
        allocation in all contexts, whose memory is that of the context that allocated it."""
        there, totals = {}, {}
        for time, _, is_end, address, size, kind, context, api in sorted(self.changes):
            known = context < len(trace.contexts)
            place = context if known else None, kind
            key = address, kind, api if api else place
            gone, old = there.pop(key, (place, 0))
            changes = [(gone, -old)]
            if not is_end:
                there[key] = place, size
                changes = [(gone, -old), (place, size)] if gone != place else [(place, size - old)]
            for (context, kind), change in changes:
                known = context is not None
                total = totals[context, kind] = totals.get((context, kind), 0) + change
                yield (group_of(context) if known else process,
                       ("context %d " % (trace.contexts[context][1] + 1) if known else "") +
                       KINDS[kind] + "memory in use", time, min(total, GREATEST))


def put(to, kind, body, flags=0, correlation=0, thread=0):
    body += b"\0" * (-len(body) % 8)
    to.write(FRAME.pack(24 + len(body), kind, flags, correlation, thread, 0) + body)


def make(path, seed, number):
    any_of = random.Random(int(seed))
    with open(path, "wb") as to:
        to.write(struct.pack("<8sIIII", b"CPTRACE", 1, 0x01020304, 24, 168))
        put(to, 2, struct.pack("<IIQq", 4321, 0, 1000, 1700000000000000000))
        for device, name in enumerate((b"A \"device\"\n\xff", b"B")):
            put(to, 4, struct.pack("<7I", device, device, device, 8, 0, 0, len(name)) + name)
        for context in range(3):
            put(to, 5, struct.pack("<4I", context, context % 2, context // 2, context % 2))
        time, frames, there = 2000, [], []
        for i in range(int(number)):
            time += any_of.randrange(3) * any_of.randrange(1000)
            enter, leave, flags = time, time + any_of.randrange(400), 0
            if any_of.randrange(50) == 0:
                leave = any_of.choice((enter - 1, (1 << 64) - 1))
            if there and any_of.randrange(9) < 4:
                what, flags = there.pop(any_of.randrange(len(there))), FREED
            else:
                what = (any_of.randrange(1 << 12) << 8,
                        any_of.randrange(1 << 30) if any_of.randrange(50) else (1 << 64) - 1,
                        any_of.randrange(9), any_of.choice((0, 1, 2, 2, 3, UNKNOWN)))
                there.append(what)
                flags = any_of.randrange(40) == 0
            address, size, memory, context = what
            frames.append((i + any_of.randrange(60), flags, BODY.pack(
                enter, leave, address, size, 1, memory, UNKNOWN, context, 0)))
        for i, flags, body in sorted(frames, key=lambda frame: frame[0]):
            put(to, ALLOCATION, body, flags, (1 << 40) + i, 70000)


if __name__ == "__main__":
    make(*sys.argv[2:])
