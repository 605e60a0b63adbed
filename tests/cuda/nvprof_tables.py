# SPDX-License-Identifier: MIT
"""nvprof_tables.py FILE: a line for each row of nvprof's tables in the database, in their order:
"TABLE: COLUMN VALUE ...", without columns that are 0 or not known. Names are texts, and
correlations the functions of their calls. Times are only checked: "wrong" stands before a row whose
times are not. Then the answers to the questions that readers of such files ask."""

import os
import sqlite3
import struct
import sys

PREFIX = "CUPTI_ACTIVITY_KIND_"
base = sqlite3.connect(sys.argv[1])
strings = dict(base.execute("SELECT _id_, value FROM StringTable"))
functions = dict(base.execute("SELECT correlationId, name FROM CP_API_NAME"))
pid, began, ended = base.execute("SELECT processId, start, end FROM CP_PROCESS").fetchone()
TIMES = ("start", "end", "completed", "timestamp")
# Addresses, threads and the like, which differ from run to run, and numbers of rows.
LEFT_OUT = ("_id_", "address", "processId", "threadId", "gridId")


def text(table, column, value):
    if column == "correlationId":
        return strings.get(functions.get(value), "of no call")
    if column in ("name", "domain") or (column == "id" and table in ("EVENT", "METRIC")):
        return repr(os.path.basename(strings[value]))
    if column == "objectId":
        process, thread = struct.unpack("<IQ", value)
        return ("wrong" if process != pid else "a thread" if thread else "the process")
    if column == "value" and table == "METRIC":
        return struct.unpack("<d", value)[0]
    if column == "data":
        return ", ".join(map(str, struct.unpack("<5I", value)))
    if isinstance(value, bytes):
        return int.from_bytes(value, "little") if len(value) < 16 else value
    return value


def is_known(table, column, value):
    if column in TIMES or column in LEFT_OUT or (column == "id" and table.startswith("MARKER")):
        return False
    return value not in (0, 2**32 - 1) and not (isinstance(value, bytes) and not any(value))


def is_right(row):
    if "environmentKind" in row:
        return abs(row["timestamp"] - began) < 10**10
    times = [row[column] for column in TIMES if row.get(column)]
    return times == sorted(times) and all(began <= time <= ended for time in times)


def show(table):
    rows = base.execute(f"SELECT * FROM {PREFIX}{table} ORDER BY _id_")
    columns = [column[0] for column in rows.description]
    lines = []
    for values in rows:
        row = dict(zip(columns, values))
        # How often records are flushed depends on the machine.
        if table == "OVERHEAD" and row["overheadKind"] != 1:
            continue
        words = [f"{column} {text(table, column, value)}" for column, value in row.items()
                 if is_known(table, column, value)]
        lines.append(" ".join([f"{table}:", *([] if is_right(row) else ["wrong"]), *words]))
    # Devices are in the order in which the profiler learns of them. Sensors are read each second.
    if table in ("CONTEXT", "DEVICE", "DEVICE_ATTRIBUTE", "ENVIRONMENT"):
        lines = sorted(set(lines))
    for line in lines:
        print(line)


for (name,) in base.execute(
    f"SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '{PREFIX}%' ORDER BY 1"
).fetchall():
    show(name[len(PREFIX):])


def ask(question, sql):
    print(f"{question}:", *("|".join(map(str, row)) for row in base.execute(sql)), sep=" ; ")


CALLS = " UNION ALL ".join(
    f"SELECT correlationId, start, end, threadId FROM {PREFIX}{table}"
    for table in ("RUNTIME", "DRIVER"))
ask("version", "SELECT version FROM Version")
# Readers that join kernels to their calls want one call each, and before the kernel.
ask("kernels and calls", f"""
    SELECT s.value, count(c.start), min(c.start <= k.start) FROM {PREFIX}CONCURRENT_KERNEL k
    JOIN StringTable s ON s._id_ = k.name LEFT JOIN ({CALLS}) c USING (correlationId)
    GROUP BY k._id_""")
# Which range of its thread was around the call of a kernel.
ask("ranges and kernels", f"""
    SELECT s.value, count(DISTINCT k._id_) FROM {PREFIX}MARKER a JOIN {PREFIX}MARKER b USING (id)
    JOIN StringTable s ON s._id_ = a.name JOIN ({CALLS}) c ON c.start BETWEEN a.timestamp
    AND b.timestamp JOIN {PREFIX}CONCURRENT_KERNEL k USING (correlationId)
    WHERE a.flags = 2 AND b.flags = 4 GROUP BY a.id""")
(thread,) = base.execute(f"SELECT threadId FROM ({CALLS}) LIMIT 1").fetchone()
ask("marks of the thread", f"""SELECT count(*) FROM {PREFIX}MARKER
    WHERE hex(objectId) = '{struct.pack("<iq", pid, thread & 0xffffffff).hex().upper()}'""")
# The stream that waits for an event, after the one in which it was recorded.
ask("events", f"""
    SELECT e.streamId, w.streamId, count(*) FROM {PREFIX}CUDA_EVENT e
    JOIN {PREFIX}SYNCHRONIZATION w ON w.cudaEventId = e.eventId AND w.contextId = e.contextId
    JOIN ({CALLS}) c ON c.correlationId = e.correlationId AND c.end <= w.start
    WHERE w.type = 2 GROUP BY 1, 2""")
# Columns by their number.
ask("columns", " UNION ALL ".join(
    f"SELECT group_concat(name, ' ') FROM (SELECT name FROM pragma_table_info('{PREFIX}{table}') "
    f"WHERE cid IN ({places}) ORDER BY cid)" for table, places in (
        ("CONCURRENT_KERNEL", "6, 7, 8, 9, 24"), ("RUNTIME", "1, 2, 3, 6"), ("DEVICE", "26"))))
