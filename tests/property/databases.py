# SPDX-License-Identifier: MIT
"""The rows that a database in nvprof's form has to have of a trace: doc/FORMAT, section 13."""

import collections
import math
import sqlite3

from reference import (
    BLOCK_SIZE,
    BYTES,
    COPY,
    DYNAMIC,
    GRID,
    HOST_MEMORY,
    KERNEL,
    MOST,
    PEERS,
    REGISTERS,
    STATIC,
    STREAM,
    TIMES,
    direction,
    escape,
)
from tables import claims_of, first_record

CALLS = (1 << 30) + 1  # the first number of a call without a record
COPIES = ((9, 1, 3), (2, 8, 7), (4, 6, 5))
LEFT_OUT = ("Correlation_ID", "Caller")
STRING = "JOIN StringTable s ON s._id_ ="
READ = {
    "kernels": """SELECT correlationId, start, end, deviceId, contextId, streamId, gridX, gridY,
        gridZ, blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory, registersPerThread,
        value FROM CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL k %s k.name ORDER BY k._id_""",
    "copies": """SELECT correlationId, start, end, deviceId, contextId, streamId, bytes, copyKind,
        srcKind, dstKind, flags FROM CUPTI_ACTIVITY_KIND_MEMCPY ORDER BY _id_""",
    "peer copies": """SELECT correlationId, start, end, deviceId, contextId, streamId, bytes,
        copyKind, srcKind, dstKind, flags, srcDeviceId, srcContextId, dstDeviceId, dstContextId
        FROM CUPTI_ACTIVITY_KIND_MEMCPY2 ORDER BY _id_""",
    "fills": """SELECT correlationId, start, end, deviceId, contextId, streamId, bytes, flags
        FROM CUPTI_ACTIVITY_KIND_MEMSET ORDER BY _id_""",
    "untimed": """SELECT correlationId, kind, flags, deviceId, contextId, streamId, bytes
        FROM CP_UNTIMED ORDER BY _id_""",
    "counters": """SELECT correlationId, s.value, c.value, isReal
        FROM CP_COUNTER c %s c.name ORDER BY c._id_""",
    "cut": "SELECT cutOff FROM CP_PROCESS",
    "waits": """SELECT type, start, end, contextId, streamId, cudaEventId
        FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION ORDER BY _id_""",
    "overheads": "SELECT overheadKind, start, end FROM CUPTI_ACTIVITY_KIND_OVERHEAD ORDER BY _id_",
    "marks": """SELECT m.flags, timestamp, s.value
        FROM CUPTI_ACTIVITY_KIND_MARKER m %s m.name ORDER BY m._id_""",
    "allocations": "SELECT memoryKind, address, bytes, start FROM CUPTI_ACTIVITY_KIND_MEMORY",
    "calls": """SELECT r.correlationId, start, end, threadId, returnValue, s.value FROM (SELECT *
        FROM CUPTI_ACTIVITY_KIND_RUNTIME UNION ALL SELECT * FROM CUPTI_ACTIVITY_KIND_DRIVER) r
        JOIN CP_API_NAME n ON n.correlationId = r.correlationId %s n.name""",
    "process": "SELECT processId, start, lost, lostEvents FROM CP_PROCESS",
}


def known(value):
    """The lowest number stands for an unknown one, as 0 does."""
    return 0 if value == -1 << 63 else value


def rows_of(path):
    """The rows of each query, and what is wrong with the file."""
    base = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    try:
        return {
            name: [tuple(map(known, row)) for row in base.execute(query.replace("%s", STRING))]
            for name, query in READ.items()
        }
    finally:
        base.close()


def signed(value):
    """As SQLite holds it."""
    value &= MOST
    return known(value - (value >> 63 << 64))


def ids_of(places):
    """The number of each device or context: the highest one + 1 for a later one whose number is
    taken."""
    numbers, used = [], set()
    for number in places:
        if number in used:
            number = max(used) + 1
        used.add(number)
        numbers.append(number)
    return numbers


def name_of(text):
    """As in the table: row 0 has this text."""
    escaped = escape(text)
    return "\\x2d" + escaped[1:] if escaped == "-- null --" else escaped


def memory_kind(record, memory):
    """CUPTI's number of a kind of memory."""
    if memory == 0 and record.known & HOST_MEMORY:
        return 2 if record.host_memory == 1 else 1
    return {1: 3, 3: 3, 2: 4}.get(memory, 0)


class Expected:
    def __init__(self, trace):
        self.trace = trace
        self.devices = ids_of(device.number for device in trace.devices)
        self.contexts = ids_of(context.index + 1 for context in trace.contexts)
        self.rows = collections.defaultdict(list)
        for number, record in enumerate(trace.records, 1):
            self.record(number, record)
        self.events()

    def record(self, number, r):
        known, asynchronous = r.known, r.flags & 1
        size = r.bytes if known & BYTES else 0
        place = self.devices[r.device], self.contexts[r.context], r.stream if known & STREAM else 0
        start = number, signed(r.started), signed(r.ended), *place
        if r.counters:
            columns = self.trace.sets[r.counters[0]].columns
            self.rows["counters"] += [
                (number, column[1:], value, int(column[0] == "r"))
                for column, value in zip(columns, r.counters[1])
                if not math.isnan(value)
            ]
        if not known & TIMES:
            self.rows["untimed"].append((number, r.kind, r.flags, *place, signed(size)))
        elif r.kind == KERNEL:
            grid = [r.grid0, r.grid1, r.grid2] if known & GRID else [0] * 3
            block = [r.block0, r.block1, r.block2] if known & (GRID | BLOCK_SIZE) else [0] * 3
            self.rows["kernels"].append(
                (
                    *start,
                    *map(signed, grid),
                    *block,
                    r.static if known & STATIC else 0,
                    r.dynamic if known & DYNAMIC else 0,
                    r.registers if known & REGISTERS else 0,
                    name_of(self.trace.text(r.name) or b"unknown_kernel"),
                )
            )
        elif r.kind == COPY:
            kind = (
                10
                if r.source == r.target == 3
                else COPIES[r.source][r.target] if max(r.source, r.target) < 3 else 0
            )
            row = (
                *start,
                signed(size),
                kind,
                memory_kind(r, r.source),
                memory_kind(r, r.target),
                asynchronous,
            )
            self.rows["all copies"].append(row)
            if known & PEERS:
                self.rows["peer copies"].append((*row, *self.peers(r)))
            else:
                self.rows["copies"].append(row)
        else:
            self.rows["fills"].append((*start, signed(size), asynchronous))

    def peers(self, r):
        """The device and the context of each side."""
        for pair in (r.grid0, r.grid1):
            for ids, number in ((self.devices, pair & 0xFFFFFFFF), (self.contexts, pair >> 32)):
                yield ids[number] if number < len(ids) else 0xFFFFFFFF

    def name(self, number):
        text = self.trace.text(number)
        return name_of(text) if text else "-- null --"

    def events(self):
        trace, rows = self.trace, self.rows

        def epoch(moment):
            return signed(moment + trace.shift)

        def context(number):
            return self.contexts[number] if number < len(self.contexts) else 0xFFFFFFFF

        rows["waits"] = [
            (e.kind, epoch(e.enter), epoch(e.leave), context(e.context), e.stream, signed(e.event))
            for e in trace.events["wait"]
        ]
        rows["overheads"] = [
            ((e.kind - 1) << 16 if e.kind > 1 else e.kind, epoch(e.enter), epoch(e.leave))
            for e in trace.events["overhead"]
        ]
        rows["marks"] = [
            (
                (1, 2, 4, 4)[e.flags & 3],
                epoch(e.time),
                "-- null --" if e.flags & 2 else self.name(e.name),
            )
            for e in trace.events["mark"]
        ]
        rows["allocations"] = [
            (3 if e.memory == 7 else e.memory, signed(e.address), signed(e.bytes), epoch(e.leave))
            for e in trace.events["allocation"]
            if not e.flags & 1
        ]
        claimed, numbers = claims_of(trace)
        self.is_clear = True
        for call in trace.calls:
            number = first_record(trace, call, claimed, numbers)
            # A call whose first record is missing may have a number of its own.
            self.is_clear &= number != -1 and (number is None or call.made in numbers)
            rows["calls"].append(
                (
                    number,
                    epoch(call.enter),
                    epoch(call.leave),
                    call.thread,
                    call.result,
                    self.name(call.name),
                )
            )
        rows["process"] = [
            (
                trace.pid,
                epoch(trace.started),
                signed(trace.lost - trace.lost_events),
                signed(trace.lost_events),
            )
        ]


def without_names(rows):
    """The names are the last values of these rows."""
    for name in ("kernels", "marks", "calls"):
        rows[name] = [row[:-1] for row in rows[name]]


def compare(trace, path, is_odd):
    """Yields each difference between the database and the trace. An odd trace may have a name
    behind the frames that refer to it."""
    got, expected = rows_of(path), Expected(trace)
    wanted = expected.rows
    if is_odd:
        without_names(got)
        without_names(wanted)
    for name in (
        "kernels",
        "copies",
        "peer copies",
        "fills",
        "untimed",
        "waits",
        "overheads",
        "marks",
        "process",
        "counters",
    ):
        if got[name] != wanted[name]:
            for one, other in zip(got[name], wanted[name]):
                if one != other:
                    yield "database, %s: %r, not %r" % (name, one, other)
                    break
            else:
                yield "database, %s: %d rows, not %d" % (name, len(got[name]), len(wanted[name]))
    if collections.Counter(got["allocations"]) != collections.Counter(wanted["allocations"]):
        yield "database, allocations: %r, not %r" % (
            got["allocations"][:3],
            wanted["allocations"][:3],
        )
    calls = [(number if number < CALLS else None, *rest) for number, *rest in got["calls"]]
    if not expected.is_clear:
        calls = [(None, *rest) for _, *rest in calls]
        wanted["calls"] = [(None, *rest) for _, *rest in wanted["calls"]]
    if collections.Counter(calls) != collections.Counter(wanted["calls"]):
        yield "database, calls: %r, not %r" % (
            list(collections.Counter(calls) - collections.Counter(wanted["calls"]))[:2],
            list(collections.Counter(wanted["calls"]) - collections.Counter(calls))[:2],
        )
    cut = {"frame": 1, "end": 2, "middle": 3, None: 0}[trace.cut]
    if got["cut"] != [(1 if trace.damaged is not None else cut,)]:
        yield "database: cutOff is %r" % got["cut"]


def extents(record):
    """The known sizes of the grid and of a block."""
    grid = [record.grid0, record.grid1, record.grid2] if record.known & GRID else []
    block = (
        [record.block0, record.block1, record.block2] if record.known & (GRID | BLOCK_SIZE) else []
    )
    return grid + block if record.kind == KERNEL else []


def compare_report(trace, of_trace, of_database):
    """Yields each difference between the report of a database and that of its trace. Frames of the
    caller and what a database does not have are left out."""
    left_out = LEFT_OUT
    if any(record.kind == COPY and not direction(record) for record in trace.records):
        left_out += ("SrcMemType", "DstMemType")  # a pair without a number in CUPTI
    if any(max(record[12:16]) > MOST >> 1 or not all(extents(record)) for record in trace.records):
        return  # SQLite's numbers have 63 bits, and a size of 0 is not known
    several = any(
        call.records > 1 for call in trace.calls
    )  # a database has their first records only
    for number, name in enumerate(("GPU trace", "API trace", "summary")):
        tables = [
            report.rows([line for line in report.tables[number] if not line.startswith("No ")])[2]
            for report in (of_trace, of_database)
        ]
        rows = [
            [
                tuple(
                    (key, value)
                    for key, value in row.items()
                    if key not in left_out
                    and not (key == "Registers Per Thread" and value in ("", "0"))
                )
                for row in table
            ]
            for table in tables
        ]
        if sorted(rows[0]) != sorted(rows[1]) and not (number == 1 and several):
            one, other = (collections.Counter(each) for each in rows)
            yield "report of the database, %s: %r, not %r" % (
                name,
                list(other - one)[:1],
                list(one - other)[:1],
            )
