#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""For parquet.test, which prints what is wrong:
parquet.py trace FILE TRACE...: each value against a reader of traces of its own.
parquet.py sums FILE JSON...: the sums of kernels, copies and fills against those of -o FILE.json.
parquet.py times FILE CSV: starts and durations against the GPU trace, of report --csv -u ns.
parquet.py pyarrow FILE, parquet.py duckdb FILE: each value that they read against the reader here.
parquet.py show FILE: prints the rows of each row group, the codecs and the metadata.
parquet.py long TRACE: makes a trace with very long names. late TRACE: the same, and the last
record has a counter that is named as a column is. wide TRACE: with 512 counters.
rank TRACE NUMBER: of a rank.
parquet.py sql TEXT JSON MERGED, parquet.py python TEXT JSON: runs the queries of doc/SCALE in the
present directory, whose folder ranks has the tables; the sums of JSON are those of print, of MERGED
those of merge --json.
parquet.py shifts FILE: prints by how much the times of ranks differ from those in their own files.
parquet.py flip FILE: changes the last byte of each column chunk in its turn; prints how many
changes are not noticed."""

import collections
import csv
import datetime
import json
import os
import struct
import sys

sys.dont_write_bytecode = True  # the tests' folder may be somebody else's
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "property")]

import parquetfile

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def check_trace(path, trace):
    import parquets
    from reference import Trace

    with open(trace, "rb") as file:
        yield from parquets.compare(Trace(file.read()), path)


class Sum:
    """What the rows of one kind and name, or objects of the summary, add up to."""

    def __init__(self):
        self.count = self.untimed = self.total = self.bytes = 0
        self.least, self.most = 1 << 64, 0

    def add(self, count, untimed, total, least, most, size):
        self.count += count
        self.untimed += untimed
        if count:
            self.total += total
            self.least, self.most = min(self.least, least), max(self.most, most)
            self.bytes += size or 0

    def values(self):
        """The bytes of one kind of copies are at most 2^64 - 1 in the summary."""
        size = self.bytes if self.bytes < 1 << 63 else None
        return self.count, self.untimed, self.total, self.least, self.most, size


def sums_of(values):
    sums = collections.defaultdict(Sum)
    names = ("process", "api", "device", "kind", "name", "duration_ns", "bytes")
    for *key, time, size in zip(*(values[name] for name in names)):
        sums[tuple(key)].add(time is not None, time is None, time, time, time, size)
    return sums


def check_sums(path, summary):
    with open(summary, encoding="utf-8") as file:
        root = json.load(file)
    got, wanted = sums_of(parquetfile.File(path).values), collections.defaultdict(Sum)
    for process in root.get("processes", [root]):
        for each in process["activities"]:
            key = (process["process"], each["api"], each["device"], each["kind"],
                   each["name"] or None)
            times = [each.get(name) for name in ("total_ns", "min_ns", "max_ns")]
            wanted[key].add(each["count"], each["untimed"], *times, each.get("bytes"))
    for key in sorted(got.keys() | wanted.keys(), key=repr):
        one, other = got[key].values(), wanted[key].values()
        if key[3] == "kernel" or other[-1] is None:  # no size of kernels; too large for a number
            one, other = one[:-1], other[:-1]
        if one != other:
            yield "%r: %r, not %r" % (key, one, other)


def check_times(path, printed):
    with open(printed, encoding="utf-8", newline="") as file:
        lines = [line for line in file if not line.startswith("==")]
    rows = csv.DictReader(lines)
    wanted = sorted(
        (float(row["Start"]), float(row["Duration"]), int(row["Correlation_ID"]))
        for row in rows if row["Start"] != "ns")
    times = [row for row in parquetfile.File(path).rows() if row["start"] is not None]
    first = min((row["start"] for row in times), default=0)
    got = sorted((row["start"] - first, row["duration_ns"], row["correlation"]) for row in times)
    zero = wanted[0][0] if wanted else 0
    if [(start - zero, *rest) for start, *rest in wanted] != [tuple(map(float, row))
                                                               for row in got]:
        yield "the GPU trace has other starts or durations"


def check_read(path, columns):
    """`columns`: the values of each column, times as integers."""
    file = parquetfile.File(path)
    if list(columns) != list(file.columns):
        yield "columns: %r" % list(columns)
        return
    for name, values in columns.items():
        if values != file.values[name]:
            yield "column %s" % name


def check_pyarrow(path):
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    wanted = {"number": pyarrow.int64(), "time": pyarrow.timestamp("ns", tz="UTC"),
              "text": pyarrow.string(), "float": pyarrow.float32(), "double": pyarrow.float64()}
    for name, kind in parquetfile.File(path).columns.items():
        if table.schema.field(name).type != wanted[kind]:
            yield "type of %s: %s" % (name, table.schema.field(name).type)
    yield from check_read(path, {
        field.name: (table[field.name].cast(pyarrow.int64())
                     if pyarrow.types.is_timestamp(field.type) else table[field.name]).to_pylist()
        for field in table.schema})
    metadata = {key.decode(): value.decode()
                for key, value in pyarrow.parquet.read_metadata(path).metadata.items()}
    if metadata != parquetfile.File(path).metadata:
        yield "metadata: %r" % metadata


def check_duckdb(path):
    import duckdb

    file, columns = parquetfile.File(path), {}
    for name, kind in file.columns.items():
        value = '"%s"' % name.replace('"', '""')
        if kind == "time":
            value = "epoch_ns(%s)" % value
        found = duckdb.execute("SELECT %s FROM read_parquet(?)" % value, [path]).fetchall()
        columns[name] = [row[0] for row in found]
    yield from check_read(path, columns)
    moment = duckdb.execute("SELECT typeof(start), typeof(\"end\") FROM read_parquet(?)",
                            [path]).fetchone()
    if moment and any(not kind.startswith("TIMESTAMP") for kind in moment):
        yield "types of times: %r" % (moment,)


def show(path):
    file = parquetfile.File(path)
    print("groups", *file.groups)
    print("codecs", *sorted(file.codecs))
    print("made by", file.made_by)
    for key, value in file.metadata.items():
        print(key, value)
    for name, values in file.values.items():
        print("column %s:" % name, len(values) - values.count(None))
    for rank in sorted(set(file.values["rank"]), key=repr):
        print("rank %s:" % rank, file.values["rank"].count(rank))
    return ()


def make(path, names, counters, records, counted=0):
    """Records from number `counted` on have counters, if there are any."""
    from generate import write
    from known import add_record, begun

    maker = begun()
    for number, name in enumerate(names, 1):
        maker.put(3, struct.pack("<II", number, len(name)) + name)
    blocks = b""
    if counters:
        lines = b"".join(b"ncounter_%d\n" % i for i in range(counters))
        lines = b"nbytes\n" if counters == 1 else lines
        maker.put(13, struct.pack("<6I", 0, 0, counters, len(lines), 0, 0) + lines)
    for number in range(records):
        if counters and number >= counted:
            blocks = struct.pack("<IHHII", 16 + 8 * counters, 1, 0, 0, 0)
            blocks += struct.pack("<%dd" % counters, *([number] * counters))
        add_record(maker, number, name=number % len(names) + 1, blocks=blocks)
    with open(path, "wb") as file:
        file.write(write(maker.frames))
    return ()


def make_rank(path, rank):
    """Kernels and copies in the order of their starts; some run at the same time. The clocks of the
    ranks, which ran on one machine, differ by 1 ms each."""
    import random

    from generate import write
    from known import RECORD, STARTED, begun

    rank, maker = int(rank), begun()
    any_of = random.Random(rank)
    maker.frames[0] = maker.frames[0][:24] + struct.pack(
        "<IIQq16sII", 1000 + rank, 0, STARTED, 1700000000 * 10**9 + rank * 10**6 - STARTED,
        b"a machine's boot", rank + 1, 0)
    if rank == 2:
        maker.put(10, struct.pack("<4Q", 5, 0, 0, 0))
    for number in range(1, 5):
        maker.put(3, struct.pack("<II", number, 6) + b"kerne%d" % number)
    start = 1700000000 * 10**9
    for number in range(300):
        start += any_of.randrange(20000)
        end, enter = start + any_of.randrange(1000, 30000), STARTED + 1000 * number
        is_copy = any_of.random() < 0.2
        known = 1 | 1 << 9 if is_copy else 1 | 1 << 1  # bytes; grid, with a block that is not known
        body = RECORD.pack(
            enter, enter + 500, start, start, start, end, 0, any_of.randrange(1 << 20), *[0] * 6,
            0 if is_copy else any_of.randrange(1, 5 if rank else 4), 0, 0, 1, 0, 0, 0, 0.0, known,
            0, 0, 0, 1, 0, 0, 0, 0)
        maker.put(8 if is_copy else 7, body, 0, (1 << 40) + number, 70001)
    with open(path, "wb") as file:
        file.write(write(maker.frames))
    return ()


def blocks_of(text):
    """The indented parts of a text, without the indent."""
    block, skipped = [], 0
    with open(text, encoding="utf-8") as file:
        for line in [*file, "end"]:
            if line.startswith("    "):
                block += ["\n"] * (skipped if block else 0) + [line[4:]]
                skipped = 0
            elif not line.strip():
                skipped += 1
            else:
                if block:
                    yield "".join(block)
                block, skipped = [], 0


def activities_of(summary):
    """The rank, the process's object and each activity."""
    with open(summary, encoding="utf-8") as file:
        for process in json.load(file)["processes"]:
            for each in process["activities"]:
                yield process["process"] - 1000, process, each


def missing_wanted(summary, merged):
    return [("ranks/app.2.parquet", "lost_records", "5")]


def top_wanted(summary, merged):
    sums = collections.defaultdict(lambda: [0, 0])
    for _, _, each in activities_of(summary):
        if each["kind"] == "kernel":
            sums[each["name"]][0] += each["count"]
            sums[each["name"]][1] += each["total_ns"]
    total = sum(time for _, time in sums.values())
    rows = [(name, count, time, 100 * time / total) for name, (count, time) in sums.items()]
    return sorted(rows, key=lambda row: -row[2])


def percentiles_wanted(summary, merged):
    """Those of merge have an error of 0.8 %."""
    with open(merged, encoding="utf-8") as file:
        for each in json.load(file)["activities"]:
            yield (each["kind"], each["name"] or None,
                   *(each[name] for name in ("min_ns", "p50_ns", "p95_ns", "p99_ns", "max_ns")))


def imbalance_wanted(summary, merged):
    with open(merged, encoding="utf-8") as file:
        rows = [(each["kind"], each["name"] or None, each["total_ns"], each["most_ns"],
                 each["slowest"], each["imbalance"]) for each in json.load(file)["activities"]]
    return sorted(rows, key=lambda row: -row[3])


def gaps_wanted(summary, merged):
    idle = {(rank, process["process"]): process["idle_ns"]
            for rank, process, _ in activities_of(summary)}
    return sorted(((*key, time) for key, time in idle.items()), key=lambda row: -row[2])


def copies_wanted(summary, merged):
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for _, _, each in activities_of(summary):
        if each["kind"] == "copy":
            for place, value in enumerate(("count", "bytes", "total_ns")):
                sums[each["name"]][place] += each[value]
    return [(name, None, count, size, size / time)
            for name, (count, size, time) in sums.items()]


# Each query's result, and the columns of it that are compared.
QUERIES = (
    (missing_wanted, None), (top_wanted, None), (percentiles_wanted, None),
    (imbalance_wanted, None), (gaps_wanted, (0, 1, 3)), (copies_wanted, None),
)


def alike(one, other):
    if isinstance(one, str) or one is None or other is None:
        return one == other
    return abs(one - other) <= 0.02 * abs(other) + 1e-6


def run_sql(text, summary, merged):
    """Sums are exact; only percentiles and quotients may differ a little."""
    import duckdb

    queries = [block for block in blocks_of(text) if block.startswith(("SELECT", "WITH"))]
    if len(queries) != len(QUERIES):
        yield "%d queries, not %d" % (len(queries), len(QUERIES))
    for query, (wanted, columns) in zip(queries, QUERIES):
        got = [tuple(row) if columns is None else tuple(row[column] for column in columns)
               for row in duckdb.execute(query).fetchall()]
        rows = list(wanted(summary, merged))
        if wanted is percentiles_wanted:
            got, rows = sorted(got, key=repr), sorted(rows, key=repr)
            fine = len(got) == len(rows) and all(
                alike(*pair) for row in zip(got, rows) for pair in zip(*row))
        else:
            fine = len(got) == len(rows) and all(
                alike(*pair) if isinstance(pair[1], float) else pair[0] == pair[1]
                for row in zip(got, rows) for pair in zip(*row))
        if not fine or not rows:
            yield "%s: %r, not %r" % (wanted.__name__, got, rows)


def run_python(text, summary):
    names = {}
    (block,) = [block for block in blocks_of(text) if block.startswith("import")]
    exec(block, names)  # pylint: disable=exec-used
    got = {(row["rank"], row["kind"], row["name"]):
           (row["duration_ns_sum_sum"], row["duration_ns_count_sum"])
           for row in names["sums"].to_pylist()}
    wanted = {(rank, each["kind"], each["name"] or None): (each["total_ns"], each["count"])
              for rank, _, each in activities_of(summary)}
    if got != wanted or not wanted:
        yield "%r, not %r" % (got, wanted)


def shifts(path):
    """Prints by how much times are later than in the tables of the ranks: starts, then calls."""
    file = parquetfile.File(path)
    for name in "start", "call_start":
        for rank in range(3):
            own = parquetfile.File("ranks/app.%d.parquet" % rank).values[name]
            print(min(time for time, of in zip(file.values[name], file.values["rank"])
                      if of == rank) - min(own), end=" ")
    print()
    return ()


def flip(path):
    file = parquetfile.File(path)
    unnoticed = 0
    for _, end in file.spans:
        data = bytearray(file.data)
        data[end - 1] ^= 1
        with open(path + ".flipped", "wb") as other:
            other.write(data)
        try:
            again = parquetfile.File(path + ".flipped")
            unnoticed += again.values == file.values
        except Exception:  # pylint: disable=broad-exception-caught
            pass
    print(unnoticed)
    return ()


MODES = {
    "trace": check_trace, "sums": check_sums, "times": check_times, "pyarrow": check_pyarrow,
    "duckdb": check_duckdb, "show": show, "flip": flip, "sql": run_sql, "python": run_python,
    "rank": make_rank, "shifts": shifts,
    "long": lambda path: make(path, [b"%d" % i * 200000 for i in range(100, 140)], 0, 80),
    "late": lambda path: make(path, [b"%d" % i * 200000 for i in range(100, 140)], 1, 80, 79),
    "wide": lambda path: make(path, [b"kernel"], 512, 20000),
}

if __name__ == "__main__":
    mode, *files = sys.argv[1:]
    for together in (files[at : at + 2] for at in range(0, len(files), 2)) if mode in (
            "trace", "sums") else [files]:
        for difference in MODES[mode](*together):
            print(difference)
