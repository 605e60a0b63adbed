# SPDX-License-Identifier: MIT
"""Random traces of version 2 for property.py: all kinds of frames of doc/FORMAT, with odd values,
and damaged ones. The same seed makes the same trace."""

import struct

import tracefile
from maker import Maker
from tracefile import END, FRAME, SIZES, with_size

CATALOG = (2, 3, 4, 5, 13, 20, 21)  # kinds that stand before the frames that refer to them


def size_of(maker):
    """The number of actions: small, and rarely one with thousands of streams."""
    if maker.chance(0.001):
        return 3000
    if maker.chance(0.005):
        return 400
    return maker.any.choice((0, 1, 3, 5, 10, 10, 30, 30, 60))


def contents(maker):
    maker.process()
    profile = maker.any.randrange(10)
    totals = profile == 9
    for _ in range(maker.any.randint(1, 3)):
        maker.device()
    for _ in range(maker.any.randint(1, 4)):
        maker.context()
    actions = (
        [maker.record] * 8
        + [maker.call] * 4
        + [maker.marks] * 3
        + [maker.allocation] * 3
        + [maker.others] * 3
        + [maker.lost, maker.unknown, maker.device, maker.context]
    )
    if profile < 2:
        actions = [maker.record]
    if profile in (3, 4):
        actions += [maker.counters] * 3 + [maker.node, maker.node, maker.module]
    if totals:
        actions = [maker.totals] * 6 + [maker.name]
    for _ in range(size_of(maker)):
        maker.any.choice(actions)()


def write(frames, more=0, whole=True):
    """The bytes of a trace: with `more`, each struct is longer than this version knows."""
    known = set(SIZES)
    parts = [tracefile.header(more)]
    for frame in frames:
        kind = struct.unpack_from("<H", frame, 4)[0]
        parts.append(tracefile.longer(frame, kind, more) if kind in known else frame)
    if whole:
        end = FRAME.pack(SIZES[END], END, 0, 0, 0, 0) + struct.pack("<QQq", len(frames), 0, 0)
        parts.append(tracefile.longer(end, END, more))
    return b"".join(parts)


def end_of(number):
    """The frame END behind so many frames."""
    return with_size(FRAME.pack(SIZES[END], END, 0, 0, 0, 0) + struct.pack("<QQq", number, 0, 0))


def damage(any_of, frames, data):
    """The frames or bytes with one damage of any kind."""
    kind = any_of.randrange(6)
    if kind == 0:  # frames are lost
        kept = [frame for frame in frames if any_of.random() < 0.9]
        return write(kept, 0, False) + end_of(len(frames))
    if kind == 1:
        return data[: any_of.randrange(len(data))]
    if kind == 2:  # out of order
        first = [frame for frame in frames if frame[4] in CATALOG]
        others = [frame for frame in frames if frame[4] not in CATALOG]
        return write(first + any_of.sample(others, len(others)))
    if kind == 3 and len(frames) > 1:  # a frame is there twice
        again = frames + [any_of.choice(frames)]
        number = any_of.choice((len(frames), len(again)))
        return write(again, 0, False) + end_of(number)
    data = bytearray(data)
    for _ in range(any_of.choice((1, 1, 2, 10))):
        data[any_of.randrange(len(data))] ^= 1 << any_of.randrange(8)
    return bytes(data)


def make(seed):
    """The bytes of the trace of this seed, and whether some of them are not those of frames."""
    maker = Maker(seed)
    contents(maker)
    any_of, more = maker.any, maker.any.choice((0, 0, 0, 8, 16))
    data = write(maker.frames, more, any_of.random() < 0.9)
    is_damaged = any_of.random() < 0.25
    return damage(any_of, maker.frames, data) if is_damaged else data, is_damaged or maker.wild
