# SPDX-License-Identifier: MIT
"""apilog.py API_LOG TRACE [API_TRACE]: compares an API log in KVP or CSV with a trace of the same
run, field by field, and prints the differences; then with API_TRACE, the CSV of --print-api-trace
in ns. At the end the number of rows is printed.

apilog.py API_LOG: prints the rows as "thread method result correlation made", after a check of
their form."""

import csv
import re
import sys

sys.dont_write_bytecode = True  # the tests' folder may be somebody else's
import tracefile

COLUMNS = ["timestamp", "method", "cputime", "thread", "result", "correlation", "made"]
FORM = {"method": r"\S+", "result": r"-?\d+|failed", "timestamp": r"\d+\.\d{3}",
        "cputime": r"\d+\.\d{3}"}
mistakes = 0


def wrong(*words):
    """Prints the first mistakes."""
    global mistakes
    mistakes += 1
    if mistakes <= 10:
        print("wrong:", *words)


def values_of(line, is_csv):
    """The values by their columns."""
    if is_csv:
        return dict(zip(COLUMNS, line.split(",")))
    found = re.findall(r"(\w+)=\[ (\S+) \] ", line)
    if "".join("%s=[ %s ] " % pair for pair in found) != line:
        wrong("form of", repr(line))
    return dict(found)


def read(path):
    """The difference of the clocks, and the rows."""
    with open(path) as file:
        lines = file.read().split("\n")
    if lines.pop():
        wrong("the last line has no end")
    if not re.fullmatch(r"# (OPENCL|CUDA)_PROFILE_API_LOG_VERSION 1\.0", lines.pop(0)):
        wrong("the first line")
    is_csv = bool(re.fullmatch(r"# (OPENCL|CUDA)_PROFILE_CSV 1", lines[0]))
    del lines[: is_csv]
    factor = int(re.fullmatch(r"# TIMESTAMPFACTOR ([0-9a-f]+)", lines.pop(0))[1], 16)
    if lines.pop(0) != ",".join(COLUMNS):
        wrong("the column line")
    rows = [values_of(line, is_csv) for line in lines if not line.startswith("# computeprof: ")]
    for row in rows:
        if [key for key in COLUMNS if key in row] != list(row) or not set(COLUMNS[:6]) <= set(row):
            wrong("the columns", list(row))
        for key, value in row.items():
            if not re.fullmatch(FORM.get(key, r"\d+"), value):
                wrong(key, value)
    return factor, rows


def nanoseconds(text):
    """Of microseconds with three decimals."""
    return int(text.replace(".", ""))


def expected(trace, started, call):
    """The row that the call should have."""
    row = {
        "timestamp": call.enter - started,
        "method": trace.text(call.name),
        "cputime": call.leave - call.enter,
        "thread": call.thread,
        "result": "failed" if call.result == -(2**31) else str(call.result),
        "correlation": call.correlation,
        "made": call.made or None,
    }
    return row


def found(row):
    """The row with numbers."""
    made = row.get("made")
    return {
        "timestamp": nanoseconds(row["timestamp"]),
        "method": row["method"].replace("\\x20", " "),
        "cputime": nanoseconds(row["cputime"]),
        "thread": int(row["thread"]),
        "result": row["result"],
        "correlation": int(row["correlation"]),
        "made": int(made) if made else None,
    }


def process(path):
    """When the process's profiler started, and the difference of the clocks."""
    with open(path, "rb") as file:
        for kind, frame in tracefile.frames(file.read()):
            if kind == 2:
                started, factor = tracefile.struct.unpack_from("<Qq", frame, 32)
                return started, factor
    return 0, 0


def compare_rows(rows, path):
    """With the calls of the trace."""
    trace = tracefile.Trace(path)
    started, factor = process(path)
    calls = {call.correlation: expected(trace, started, call) for call in trace.events["call"]}
    for row in map(found, rows):
        call = calls.pop(row["correlation"], None)
        if row != call:
            wrong(row, "is", call)
    for call in calls.values():
        wrong("no row:", call)
    return factor


def compare_table(rows, path):
    """With the tool's table of calls: starts, durations and names, in the order of starts."""
    with open(path) as file:
        lines = [line for line in file if line.startswith('"') or line[0].isdigit()]
    table = list(csv.reader(line for line in lines if not line.startswith('"Start"')))
    table = [(float(start), float(duration), name.split(" (")[0])
             for start, duration, name, _ in table]
    ours = sorted((nanoseconds(row["timestamp"]), -nanoseconds(row["cputime"]), row["method"])
                  for row in rows)
    if [start for start, _, _ in table] != sorted(start for start, _, _ in table):
        wrong("the order of the table")
    # Calls of two threads may have both times in common.
    table.sort(key=lambda line: (line[0], -line[1], line[2]))
    if len(table) != len(ours):
        wrong(len(table), "calls in the table,", len(ours), "rows")
    if not table or not ours:
        return
    for theirs, row in zip(table, ours):
        if (theirs[0] - table[0][0], theirs[1]) != (row[0] - ours[0][0], -row[1]):
            wrong(row, "is", theirs)
        if theirs[2] != row[2] and not row[2].startswith(theirs[2] + "_"):
            wrong(row[2], "is", theirs[2])


def main():
    """As the arguments say."""
    factor, rows = read(sys.argv[1])
    if len(sys.argv) == 2:
        for row in map(found, rows):
            print(row["thread"], row["method"], row["result"], row["correlation"], row["made"])
        return
    if compare_rows(rows, sys.argv[2]) != factor:
        wrong("the factor")
    if len(sys.argv) > 3:
        compare_table(rows, sys.argv[3])
    if mistakes > 10:
        print(mistakes, "mistakes")
    print(len(rows), "rows")


main()
