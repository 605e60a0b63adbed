# SPDX-License-Identifier: MIT
"""sums.py LOG DATABASE: what each method of a log (with gpustarttimestamp and gpuendtimestamp) and
each name of the database made of its trace add up to, in ns, must be the same. Says what is not."""

import re
import sqlite3
import sys
from collections import Counter


def of_log(path):
    sums = Counter()
    for line in open(path, encoding="utf-8", errors="surrogateescape"):
        row = dict(re.findall(r"(\S+)=\[ (.*?) \]", line))
        if "gpuendtimestamp" not in row:
            continue
        time = int(row["gpuendtimestamp"], 16) - int(row["gpustarttimestamp"], 16)
        sums[row["method"]] += time
    return sums


def of_database(path):
    base, sums = sqlite3.connect(path), Counter()
    kernels = """SELECT value, sum(end - start) FROM CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL AS kernel
        JOIN StringTable ON kernel.name = StringTable._id_ GROUP BY value"""
    sums.update(dict(base.execute(kernels)))
    for method, table in (("memcopy", "MEMCPY"), ("memset", "MEMSET")):
        query = f"SELECT sum(end - start), count(*) FROM CUPTI_ACTIVITY_KIND_{table}"
        time, count = base.execute(query).fetchone()
        if count:
            sums[method] += time
    if base.execute("PRAGMA integrity_check").fetchone() != ("ok",):
        print("the database is damaged")
    return sums


log, database = of_log(sys.argv[1]), of_database(sys.argv[2])
if not log:
    print("the log has no rows")
for method in sorted(set(log) | set(database)):
    if method not in log or method not in database or log[method] != database[method]:
        print(f"{method}: {log.get(method)} ns in the log, {database.get(method)} in the database")
