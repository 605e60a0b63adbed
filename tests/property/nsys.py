# SPDX-License-Identifier: MIT
"""The rows that a database in the form of Nsight Systems has to have of a trace: doc/FORMAT,
section 13."""

import collections
import sqlite3

from databases import Expected, signed

STRING = "JOIN StringIds s ON s.id ="
READ = {
    "kernels": """SELECT correlationId, start, end, deviceId, contextId, streamId, gridX, gridY,
        gridZ, blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory, registersPerThread,
        value FROM CUPTI_ACTIVITY_KIND_KERNEL k %s k.demangledName ORDER BY k.rowid""",
    "copies": """SELECT correlationId, start, end, deviceId, contextId, streamId, bytes, copyKind,
        srcKind, dstKind FROM CUPTI_ACTIVITY_KIND_MEMCPY ORDER BY rowid""",
    "fills": """SELECT correlationId, start, end, deviceId, contextId, streamId, bytes
        FROM CUPTI_ACTIVITY_KIND_MEMSET ORDER BY rowid""",
    "waits": """SELECT syncType, start, end, contextId, streamId, eventId
        FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION ORDER BY rowid""",
    "allocations": """SELECT memKind, address, bytes, start, memoryOperationType
        FROM CUDA_GPU_MEMORY_USAGE_EVENTS ORDER BY rowid""",
    "marks": """SELECT eventType, start, end FROM NVTX_EVENTS WHERE eventType < 75
        ORDER BY rowid""",
    "origin": "SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME",
}
KINDS = {0: 7, 1: 0, 2: 1, 3: 2, 4: 3}  # ENUM_CUDA_MEM_KIND, by CUPTI's numbers


def moved(row, origin):
    """The row with times that count from the start of the process."""
    return (row[0], signed(row[1] - origin), signed(row[2] - origin), *row[3:])


def events_of(trace, origin):
    """The allocations and marks; marks are None if an id is there several times."""
    allocations, marks = [], []
    for event in trace.events["allocation"]:
        freed = event.flags & 1
        kind = {0: 7, 7: 2}.get(event.memory, event.memory - 1)
        moment = (event.enter if freed else event.leave) + trace.shift - origin
        allocations.append(
            (kind, signed(event.address), signed(event.bytes), signed(moment), freed)
        )
    ends = collections.defaultdict(list)
    for mark in trace.events["mark"]:
        if mark.flags & 2:
            ends[mark.id].append(signed(mark.time + trace.shift - origin))
    for mark in trace.events["mark"]:
        if not mark.flags & 2:
            kind = {5: 59, 1: 60}.get(mark.flags & 5, 34)
            end = ends[mark.id][:1] if mark.flags & 1 else []
            marks.append((kind, signed(mark.time + trace.shift - origin), *(end or [None])))
    return {"allocations": allocations, "marks": marks}


def compare(trace, path):
    """Yields each difference between the database and the trace."""
    base = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    try:
        got = {
            name: base.execute(query.replace("%s", STRING)).fetchall()
            for name, query in READ.items()
        }
    finally:
        base.close()
    origin = signed(trace.started + trace.shift)
    rows = Expected(trace).rows
    wanted = events_of(trace, origin)
    wanted["origin"] = [(origin,)]
    wanted["kernels"] = [
        (*moved(row[:-1], origin), row[-1].replace("\\x2d- null", "-- null"))
        for row in rows["kernels"]
    ]
    wanted["fills"] = [moved(row[:7], origin) for row in rows["fills"]]
    wanted["waits"] = [moved(row, origin) for row in rows["waits"]]
    wanted["copies"] = [
        (*moved(row[:8], origin), KINDS[row[8]], KINDS[row[9]]) for row in rows["all copies"]
    ]
    for name, table in wanted.items():
        if got[name] != table:
            different = [pair for pair in zip(got[name], table) if pair[0] != pair[1]]
            yield "Nsight's database, %s: %r of %d rows, not of %d" % (
                name,
                different[:1],
                len(got[name]),
                len(table),
            )
