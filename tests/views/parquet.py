#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""For parquet.test, which prints what is wrong:
parquet.py trace FILE TRACE: each value against a reader of traces of its own.
parquet.py sums FILE JSON: the sums of kernels, copies and fills against those of -o FILE.json.
parquet.py times FILE CSV: starts and durations against the GPU trace, of report --csv -u ns.
parquet.py pyarrow FILE, parquet.py duckdb FILE: each value that they read against the reader here.
parquet.py show FILE: prints the rows of each row group, the codecs and the metadata.
parquet.py long TRACE: makes a trace with very long names. wide TRACE: with 512 counters.
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


def sums_of(rows):
    sums = collections.defaultdict(Sum)
    for row in rows:
        key = tuple(row[name] for name in ("process", "api", "device", "kind", "name"))
        time = row["duration_ns"]
        sums[key].add(time is not None, time is None, time, time, time, row["bytes"])
    return sums


def check_sums(path, summary):
    with open(summary, encoding="utf-8") as file:
        root = json.load(file)
    got, wanted = sums_of(parquetfile.File(path).rows()), collections.defaultdict(Sum)
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


def make(path, names, counters, records):
    from generate import write
    from known import add_record, begun

    maker = begun()
    for number, name in enumerate(names, 1):
        maker.put(3, struct.pack("<II", number, len(name)) + name)
    blocks = b""
    if counters:
        lines = b"".join(b"ncounter_%d\n" % i for i in range(counters))
        maker.put(13, struct.pack("<6I", 0, 0, counters, len(lines), 0, 0) + lines)
    for number in range(records):
        if counters:
            blocks = struct.pack("<IHHII", 16 + 8 * counters, 1, 0, 0, 0)
            blocks += struct.pack("<%dd" % counters, *([number] * counters))
        add_record(maker, number, name=number % len(names) + 1, blocks=blocks)
    with open(path, "wb") as file:
        file.write(write(maker.frames))
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
    "duckdb": check_duckdb, "show": show, "flip": flip,
    "long": lambda path: make(path, [b"%d" % i * 200000 for i in range(100, 140)], 0, 80),
    "wide": lambda path: make(path, [b"kernel"], 512, 20000),
}

if __name__ == "__main__":
    for difference in MODES[sys.argv[1]](*sys.argv[2:]):
        print(difference)
