# SPDX-License-Identifier: MIT
"""Traces that showed a difference once, or that random ones rarely are like, for property.py."""

import struct

from generate import write
from maker import BLOCK, RECORD, Maker

STARTED = 1 << 40


def begun(devices=1, contexts=1):
    """A trace of OpenCL with so many devices, and contexts of the first one."""
    maker = Maker(0)
    maker.any.random = lambda: 0.99  # nothing by chance
    maker.put(2, struct.pack("<IIQq24x", 4711, 0, STARTED, 0))
    for number in range(devices):
        maker.put(4, struct.pack("<7I", number, 0, number, 0, 0, 0, 3) + b"GPU")
    for number in range(contexts):
        maker.put(5, struct.pack("<4I", number, 0, number, 0))
    return maker


def add_record(
    maker,
    number,
    kind=7,
    flags=0,
    known=1,
    name=0,
    device=0,
    stream=1,
    memories=(0, 1),
    blocks=b"",
):
    start = STARTED + 100 * number
    body = RECORD.pack(
        start,
        start + 9,
        *[start + 20] * 3,
        start + 50,
        0,
        0,
        *[0] * 6,
        name,
        device,
        0,
        stream,
        0,
        0,
        0,
        0.0,
        known,
        0,
        1,
        *memories,
        0,
        0,
        0,
        0
    )
    maker.put(kind, body + blocks, flags, (1 << 40) + number, 70001)


def add_call(maker, records):
    """A call that made so many records, the first of which is number 1."""
    body = (STARTED + 90, STARTED + 99, (1 << 40) + 1, 0, 0, 0, records, 0)
    maker.event("call", body, 0, None, 0, 70001)


def names_after_devices():
    """The name of a device took the id of the next name."""
    maker = begun(2)
    maker.put(3, struct.pack("<II", 1, 5) + b"first")
    maker.put(3, struct.pack("<II", 2, 6) + b"second")
    add_record(maker, 1, name=2)
    return write(maker.frames)


def several_devices():
    """Records of a context's second device were in the log of the first one."""
    maker = begun(2)
    add_record(maker, 1)
    add_record(maker, 2, device=1)
    return write(maker.frames)


def host_to_host():
    """The memory of a copy from host to host was not read from a database."""
    maker = begun()
    add_record(maker, 1, kind=8, known=1 | 2048, memories=(0, 0))
    return write(maker.frames)


def record_before_call():
    """A record without a time of a call had no arrow from a call later in the file."""
    maker = begun()
    add_record(maker, 1)
    add_record(maker, 2, flags=16)
    add_call(maker, 2)
    return write(maker.frames)


def kernel_without_name():
    """The API trace named it only if it was made from a database."""
    maker = begun()
    add_record(maker, 1, flags=16)
    add_call(maker, 1)
    return write(maker.frames)


def grid_alone():
    """A log had the size of a grid by a bit that no trace has."""
    maker = begun()
    add_record(maker, 1, kind=9, known=1 | 1 << 14)
    return write(maker.frames)


def no_values():
    """A timeline had an empty list of counters."""
    maker = begun()
    maker.put(13, struct.pack("<6I", 0, 0, 1, 3, 0, 0) + b"nA\n")
    add_record(maker, 1, blocks=BLOCK.pack(24, 1, 0) + struct.pack("<IId", 0, 0, float("nan")))
    return write(maker.frames)


def range_without_end():
    """A range without an end was as long as a number of another event, which is no time."""
    maker = begun()
    maker.put(3, struct.pack("<II", 1, 5) + b"range")
    add_record(maker, 1)
    maker.mark(STARTED + 100, 1, 1, 1 | 4, thread=70001)
    maker.event("use", (STARTED + 110, 1 << 60, 0, 0, 0, 0, 0, 0), 0, None, 0, 70001)
    return write(maker.frames)


def rows_of_processes():
    """Of several rows of processes, which have no common peak, it is the largest one."""
    maker = begun()
    for number in 100, 300, 200:
        maker.put(24, struct.pack("<8x13Q120x", *range(number, number + 13)), 6)
    return write(maker.frames)


def many_names(count):
    """So many kernels with a name and a stream each."""
    maker = begun()
    for number in range(1, count + 1):
        name = maker.add_name(b"kernel_%d" % number)
        add_record(maker, number, known=1 | 128, name=name, stream=number)
    return write(maker.frames)


CASES = (
    names_after_devices,
    several_devices,
    host_to_host,
    record_before_call,
    kernel_without_name,
    grid_alone,
    no_values,
    range_without_end,
    rows_of_processes,
)
