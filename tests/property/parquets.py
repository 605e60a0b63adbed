# SPDX-License-Identifier: MIT
"""What `print -o FILE.parquet` has to write of a trace: doc/FORMAT, section 23."""

import json
import math
import struct

from parquetfile import File
from reference import (
    APIS,
    BLOCK_GIVEN,
    BLOCK_SIZE,
    BYTES,
    CACHE,
    COPY,
    DIRECTION,
    DYNAMIC,
    FILL,
    GRID,
    HOST_MEMORY,
    KERNEL,
    MOST,
    NO_CALL,
    OCCUPANCY,
    REGISTERS,
    STATIC,
    STREAM,
    TIMES,
    direction,
    duration,
    escape,
    method,
)
from summary import command_of, counts_of

LARGEST = (1 << 63) - 1
NUMBERS, TEXT = "number", "text"
COLUMNS = (
    [(name, NUMBERS) for name in ("rank", "process", "thread")]
    + [("api", TEXT), ("device", NUMBERS), ("device_name", TEXT)]
    + [("context", NUMBERS), ("stream", NUMBERS), ("kind", TEXT), ("name", TEXT)]
    + [("correlation", NUMBERS), ("start", "time"), ("end", "time"), ("duration_ns", NUMBERS)]
    + [(name, "time") for name in ("queued", "submitted", "call_start", "call_end")]
    + [("bytes", NUMBERS), ("direction", TEXT), ("host_memory", TEXT)]
    + [(part + axis, NUMBERS) for part in ("grid_", "block_") for axis in "xyz"]
    + [("block_chosen_by", TEXT), ("static_shared_bytes", NUMBERS)]
    + [("dynamic_shared_bytes", NUMBERS), ("registers", NUMBERS), ("occupancy", "float")]
    + [("cache_requested", TEXT), ("cache_executed", TEXT)]
)
CACHES = ("none", "shared", "L1", "equal")


def word(words, number):
    return words[number] if number < len(words) else None


def name_of(trace, record):
    if record.kind == KERNEL:
        return escape(method(trace, record, "classic"))
    return direction(record) or None if record.kind == COPY else None


def times_of(trace, record):
    """Times on the device, then those of the call; numbers that wrap around are not signed yet."""
    if record.known & TIMES:
        yield "start", record.started
        yield "end", record.ended
        yield "duration_ns", duration(record.started, record.ended)
        if (record.queued, record.submitted) != (record.started,) * 2:
            yield "queued", record.queued
            yield "submitted", record.submitted
    if not record.flags & NO_CALL:
        yield "call_start", record.enter + trace.shift & MOST
        yield "call_end", record.leave + trace.shift & MOST


def sizes_of(record):
    known = record.known
    if known & GRID:
        yield from zip(("grid_x", "grid_y", "grid_z"), (record.grid0, record.grid1, record.grid2))
    if known & (GRID | BLOCK_SIZE) and record.block0:
        yield from zip(
            ("block_x", "block_y", "block_z"), (record.block0, record.block1, record.block2)
        )
    for bit, name, value in (
        (STREAM, "stream", record.stream),
        (BYTES, "bytes", record.bytes),
        (STATIC, "static_shared_bytes", record.static),
        (DYNAMIC, "dynamic_shared_bytes", record.dynamic),
        (REGISTERS, "registers", record.registers),
    ):
        if known & bit:
            yield name, value


def words_of(record):
    for bit, name, words, value in (
        (
            DIRECTION,
            "direction",
            ("host to device", "device to host", "device"),
            record.direction,
        ),
        (HOST_MEMORY, "host_memory", ("pageable", "page-locked"), record.host_memory),
        (BLOCK_GIVEN, "block_chosen_by", ("driver", "program"), record.block_given),
        (CACHE, "cache_requested", CACHES, record.cache_requested),
        (CACHE, "cache_executed", CACHES, record.cache_executed),
    ):
        if record.known & bit:
            yield name, word(words, value)


def counters_of(trace, record):
    if not record.counters:
        return
    chosen, values = record.counters
    for column, value in zip(trace.sets[chosen].columns, values):
        if math.isfinite(value):
            yield column[1:], value


def row_of(trace, record, number):
    """The values by column, without those that are unknown."""
    device, context = trace.devices[record.device], trace.contexts[record.context]
    row = {
        "rank": trace.rank,
        "process": trace.pid or None,
        "thread": record.thread or None,
        "api": APIS[device.api],
        "device": device.number,
        "device_name": escape(device.name) or None,
        "context": context.index + 1,
        "kind": {KERNEL: "kernel", COPY: "copy", FILL: "fill"}[record.kind],
        "name": name_of(trace, record),
        "correlation": number,
    }
    row.update(times_of(trace, record))
    row.update(sizes_of(record))
    row.update(words_of(record))
    if record.known & OCCUPANCY and math.isfinite(record.occupancy):
        row["occupancy"] = record.occupancy
    return {
        name: value
        for name, value in row.items()
        if value is not None and not (isinstance(value, int) and value > LARGEST)
    }


def wanted_columns(trace):
    """Counters are in the order in which records have a value of them; their names by column."""
    columns, counters = dict(COLUMNS), {}
    for record in trace.records:
        for counter, _ in counters_of(trace, record):
            if counter in counters:
                continue
            name = counter
            while name.lower() in (column.lower() for column in columns):
                name += "_"
            counters[counter], columns[name] = name, "double"
    return columns, counters


def same(value, wanted):
    """Bits count: -0.0 is not 0.0."""
    if isinstance(value, float) and isinstance(wanted, float):
        return struct.pack("<d", value) == struct.pack("<d", wanted)
    return type(value) is type(wanted) and value == wanted


def compare_rows(trace, file, counters):
    if sum(file.groups) != len(trace.records):
        yield "%d rows, not %d" % (sum(file.groups), len(trace.records))
        return
    for number, (got, record) in enumerate(zip(file.rows(), trace.records)):
        wanted = row_of(trace, record, number + 1)
        # Rows are written before later frames are read.
        if record.kind == KERNEL and number in trace.unnamed:
            wanted["name"] = "unknown_kernel"
        for counter, value in counters_of(trace, record):
            wanted.setdefault(counters[counter], value)
        for name, value in got.items():
            if not same(value, wanted.get(name)):
                yield "row %d: %s is %r, not %r" % (number, name, value, wanted.get(name))
                return


def compare_metadata(trace, metadata):
    (part,) = json.loads(metadata["processes"])
    counts = counts_of(trace)
    wanted = {"process": trace.pid or None, "rank": trace.rank}
    wanted.update(command=command_of(trace), **counts)
    part.pop("host", None)
    if part != wanted:
        yield "processes: %r, not %r" % (part, wanted)
    for key, value in (
        ("lost_records", str(counts["lost"])),
        ("lost_events", str(counts["lost_events"])),
        ("cut_off", "true" if counts["cut_off"] else "false"),
    ):
        if metadata.get(key) != value:
            yield "%s is %r, not %r" % (key, metadata.get(key), value)


def compare(trace, path):
    """Yields each difference between a file and its trace."""
    file = File(path)
    columns, counters = wanted_columns(trace)
    if list(file.columns.items()) != list(columns.items()):
        yield "columns: %r, not %r" % (list(file.columns.items()), list(columns.items()))
    else:
        for difference in compare_rows(trace, file, counters):
            yield "parquet: " + difference
    for difference in compare_metadata(trace, file.metadata):
        yield "parquet: " + difference
