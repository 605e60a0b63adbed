# SPDX-License-Identifier: MIT
"""database_calls.py DATABASE: of one that computeprof made, in either form, a line for each call,
like calls.py of the trace, in order of entering. A record that no row of RUNTIME or more than one
has, or a row without a thread, is a line that begins with "wrong"."""

import sqlite3
import sys

ALL = "CUPTI_ACTIVITY_KIND_"
base = sqlite3.connect(sys.argv[1])
nsys = base.execute("SELECT 1 FROM sqlite_master WHERE name = 'StringIds'").fetchone()
names = dict(base.execute("SELECT * FROM " + ("StringIds" if nsys else "StringTable")))
if nsys:
    sql = "SELECT correlationId, nameId, returnValue, globalTid FROM " + ALL + "RUNTIME"
else:
    sql = "SELECT r.correlationId, name, returnValue, threadId FROM " + ALL + "RUNTIME AS r"
    sql += " LEFT JOIN CP_API_NAME USING (correlationId)"

records = {}
tables = [(7, "KERNEL" if nsys else "CONCURRENT_KERNEL"), (8, "MEMCPY"), (9, "MEMSET")]
for kind, table in tables:
    for (number,) in base.execute(f"SELECT correlationId FROM {ALL}{table}"):
        records[number] = kind
records.update(base.execute("SELECT correlationId, kind FROM CP_UNTIMED"))

seen = {}
for number, name, result, thread in base.execute(sql + " ORDER BY start"):
    print(names.get(name), result, records.get(number, "-"))
    seen[number] = seen.get(number, 0) + 1
    if not thread:
        print("wrong thread", number)
for number in records.keys() | seen.keys():
    if seen.get(number) != 1:
        print("wrong record", number, seen.get(number))
print(*base.execute("PRAGMA integrity_check").fetchone(), file=sys.stderr)
