# SPDX-License-Identifier: MIT
"""What `report --csv -u ns` has to print of a trace: doc/FORMAT, section 15."""

import collections
import csv
import re

from reference import (
    APIS,
    BLOCK_SIZE,
    BYTES,
    COPY,
    DYNAMIC,
    FILL,
    GRID,
    HOST_MEMORY,
    KERNEL,
    MOST,
    NO_CALL,
    REGISTERS,
    STATIC,
    STREAM,
    TIMES,
    Sum,
    activity,
    direction,
    duration,
    escape,
    method,
    missing,
    sums_of,
    sums_of_calls,
)

OPTIONS = (
    "--csv",
    "-s",
    "--print-gpu-trace",
    "--print-api-trace",
    "--percentiles",
    "-u",
    "ns",
    "--demangling",
    "off",
)
SIZES = (("B", 1), ("KB", 1 << 10), ("MB", 1 << 20), ("GB", 1 << 30))
CUT = {
    "end": "the end is missing",
    "middle": "a part in the middle is missing",
    "frame": "the program ended in the middle of its last record",
}
REASONS = (
    "unfinished, or with times not read yet, when the program ended",
    "failed",
    "with invalid times",
    "without times from the driver",
)


def number(value):
    return "%.6f" % value


def quoted(text):
    """A first character that would make the field a formula is escaped."""
    return (
        "\\x%02x%s" % (ord(text[0]), text[1:])
        if text[:1] in ("=", "+", "-", "@") and text
        else text
    )


def label(trace, api, record):
    """The name of a record's activity."""
    if record.kind == KERNEL:
        return escape(method(trace, record, "classic"))
    if record.kind == FILL:
        return "[%s memset]" % APIS[api]
    return "[%s memcpy%s]" % (APIS[api], " " + direction(record) if direction(record) else "")


def function(trace, name):
    return escape(trace.text(name)) or "unknown"


class Printed:
    """The parts of the output for one file."""

    def __init__(self, lines):
        self.warnings, self.tables, self.ranges = [], [], []
        table = None
        for line in lines:
            if "NVTX result:" in line and line.startswith("===="):
                table = self.ranges
            elif line.startswith("======== Warning: "):
                self.warnings.append(line[18:])
            elif line == "======== Profiling result:":
                self.tables.append([])
                table = self.tables[-1]
            elif table is self.ranges or (line and table is not None):
                table.append(line)

    @staticmethod
    def rows(lines):
        """The names of the columns, the units and the rows."""
        read = list(csv.reader(lines))
        if len(read) < 2:
            return [], {}, []
        names = [name for name in read[0]]
        units = dict(zip(names, read[1]))
        return names, units, [dict(zip(names, row)) for row in read[2:]]


def warnings(trace):
    """The warnings that must be there."""
    lost, events = trace.lost - trace.lost_events, trace.lost_events
    if lost:
        yield "%d record%s lost." % (lost, " is" if lost == 1 else "s are")
    if events:
        yield "%d %s lost." % (
            events,
            "call or other event is" if events == 1 else "calls and other events are",
        )
    if trace.unknown:
        yield "%d frames of kinds that this version" % trace.unknown
    if trace.cut and trace.damaged is None:
        yield CUT[trace.cut]
    counts = missing(trace)
    if sum(counts):
        many = "records have no times and are" if sum(counts) > 1 else "record has no times and is"
        yield "%d %s left out: %s." % (
            sum(counts),
            many,
            ", ".join("%d %s" % pair for pair in zip(counts, REASONS) if pair[0]),
        )


def compare_warnings(trace, printed):
    wanted, got = list(warnings(trace)), printed.warnings
    for text in wanted:
        if not any(line.startswith(text) for line in got):
            yield "no warning %r in %r" % (text, got)
    counted = [
        line for line in got if re.match(r"\d+ |the end is|a part in|the program ended", line)
    ]
    if len(counted) != len(wanted):
        yield "warnings: %r, not %r" % (counted, wanted)


def unit_of(values):
    """The unit of a column: that of its largest value."""
    largest = max(values, default=0)
    return [(name, size) for name, size in SIZES if largest >= size or size == 1][-1]


def memory(record, kind):
    if kind in (1, 3):
        return "Device"
    if kind == 2:
        return "Array"
    if kind == 0 and record.known & HOST_MEMORY:
        return "Pinned" if record.host_memory else "Pageable"
    return ""


def origin_of(trace):
    starts = [record.started for record in trace.records if record.known & TIMES]
    starts += [(call.enter + trace.shift) & MOST for call in trace.calls]
    return min(starts, default=0)


def gpu_row(trace, index, record, sizes):
    """The values of a row by column, without those whose unit is that of the column."""
    known, device = record.known, trace.devices[record.device]
    kernel, time = record.kind == KERNEL, duration(record.started, record.ended)
    row = {
        "Start": number(float(record.started - origin_of(trace))),
        "Duration": number(float(time)),
    }
    grid = known & GRID if kernel else 0
    block = known & (GRID | BLOCK_SIZE) if kernel and record.block0 else 0
    for axis, each in enumerate("XYZ"):
        row["Grid " + each] = str(record[record._fields.index("grid0") + axis]) if grid else ""
        row["Block " + each] = str(record[record._fields.index("block0") + axis]) if block else ""
    row["Registers Per Thread"] = str(record.registers) if kernel and known & REGISTERS else ""
    row["SrcMemType"] = (
        "Device"
        if record.kind == FILL
        else memory(record, record.source) if record.kind == COPY else ""
    )
    row["DstMemType"] = memory(record, record.target) if record.kind == COPY else ""
    row["Device"] = quoted("%s (%d)" % (escape(device.name), device.number))
    row["Context"] = str((trace.contexts[record.context].index + 1) % (1 << 32))
    row["Stream"] = str(record.stream) if known & STREAM else ""
    row["Name"] = quoted(label(trace, device.api, record) + (" [%d]" % index if kernel else ""))
    row["Correlation_ID"] = str(index)
    for column, fits, value in (
        ("Static SMem", kernel and known & STATIC, record.static),
        ("Dynamic SMem", kernel and known & DYNAMIC, record.dynamic),
        ("Size", not kernel and known & BYTES, record.bytes),
        (
            "Throughput",
            not kernel and known & BYTES and time,
            float(record.bytes) * (1e9 / float(time)) if time else 0,
        ),
    ):
        if fits:
            sizes[column].append(float(value))
        row[column] = float(value) if fits else ""
    return (record.started, min(record.started + time, MOST), index), row


def compare_gpu_trace(trace, printed):
    if not any(record.known & TIMES for record in trace.records):
        if printed != ["No kernels were profiled."]:
            yield "GPU trace without rows: %r" % printed[:3]
        return
    _, units, got = Printed.rows(printed)
    sizes = collections.defaultdict(list)
    wanted = sorted(
        (
            gpu_row(trace, index, record, sizes)
            for index, record in enumerate(trace.records, 1)
            if record.known & TIMES
        ),
        key=lambda pair: pair[0],
    )
    if len(got) != len(wanted):
        yield "GPU trace: %d rows, not %d" % (len(got), len(wanted))
    for (_, row), other in zip(wanted, got):
        for column, value in row.items():
            if isinstance(value, float):
                name, size = unit_of(sizes[column])
                if units.get(column, "")[: len(name)] != name:
                    yield "unit of %s: %r, not %r" % (column, units.get(column), name)
                value = number(value / size)
            if other.get(column, "") != value:
                yield "GPU trace, record %s: %s %r, not %r" % (
                    row["Correlation_ID"],
                    column,
                    other.get(column),
                    value,
                )


def claims_of(trace):
    """The number of calls that claim each correlation, and the numbers of the records with it."""
    claimed, numbers = collections.Counter(), collections.defaultdict(list)
    for call in trace.calls:
        for i in range(call.records if call.made else 0):
            claimed[(call.made + i) & MOST] += 1
    for index, record in enumerate(trace.records, 1):
        numbers[record.correlation].append(index)
    return claimed, numbers


def first_record(trace, call, claimed, numbers):
    """The number of a call's first record, or None; -1 if that is not clear."""
    for i in range(call.records if call.made else 0):
        key = (call.made + i) & MOST
        if key in numbers:
            return numbers[key][0] if claimed[key] == 1 and len(numbers[key]) == 1 else -1
    return None


def call_name(trace, call, index):
    """The name of a call whose first record has this number, or None."""
    name, record = function(trace, call.name), trace.records[index - 1] if index else None
    if record and record.kind == KERNEL:
        name += " (%s [%d])" % (label(trace, call.api, record), index)
    return quoted(name)


def compare_api_trace(trace, printed):
    if not trace.calls:
        if printed != ["No API activities were profiled."]:
            yield "API trace without rows: %r" % printed[:3]
        return
    claimed, numbers = claims_of(trace)
    is_clear = all(first_record(trace, call, claimed, numbers) != -1 for call in trace.calls)
    origin, wanted = origin_of(trace), []
    for call in trace.calls:
        start = (call.enter + trace.shift) & MOST
        index = first_record(trace, call, claimed, numbers)
        name = call_name(trace, call, index if index and index > 0 else None)
        wanted.append((start, -duration(call.enter, call.leave), name, index))
    _, _, rows = Printed.rows(printed)
    got, unmade = [], len(trace.records)
    for row in rows:
        index = int(row["Correlation_ID"])
        if index > len(trace.records):
            unmade += 1
            if is_clear and index != unmade:
                yield "API trace: a call without records is number %d, not %d" % (index, unmade)
            index = None
        got.append((row["Start"], row["Duration"], row["Name"], index))
    wanted.sort(key=lambda row: row[:2])
    shown = [
        (number(float(start - origin)), number(float(-time)), name, index)
        for start, time, name, index in wanted
    ]
    if [row[:2] for row in shown] != [row[:2] for row in got]:
        yield "API trace: times or order: %r, not %r" % (
            [row[:2] for row in got][:3],
            [row[:2] for row in shown][:3],
        )
    if is_clear and collections.Counter(shown) != collections.Counter(got):
        yield "API trace: %r, not %r" % (
            list((collections.Counter(got) - collections.Counter(shown)))[:2],
            list((collections.Counter(shown) - collections.Counter(got)))[:2],
        )


def near(value, entry, percent):
    """Whether a printed percentile is right: its error is at most 0.8 %."""
    exact = entry.percentile(percent)
    if exact is None:
        return value is None or entry.shortest <= value <= entry.longest
    return abs(value - exact) <= exact * 0.008 + 1e-6 and float(entry.shortest) <= float(
        value
    ) <= float(entry.longest)


def compare_sums(what, rows, sums, kind="GPU activities"):
    """Compares rows of a summary with (name, Sum): those of one total are in any order."""
    wanted = collections.defaultdict(list)
    sums = [(name, entry) for name, entry in sums if entry.count]
    whole = float(sum(entry.total for _, entry in sums))
    for name, entry in sums:
        values = (entry.total, entry.average, entry.shortest, entry.longest)
        wanted[
            (quoted(name), str(entry.count), *(number(float(value)) for value in values))
        ].append(entry)
    got = [row for row in rows if row["Type"].rstrip(":") == kind]
    order = [(-entry.total, -entry.count) for _, entry in sums]
    if [(-float(row["Time"]), -int(row["Calls"])) for row in got] != [
        (float(total), count) for total, count in sorted(order)
    ]:
        yield "%s: order of the rows: %r" % (what, [row["Name"] for row in got][:5])
    for row in got:
        key = (row["Name"], row["Calls"], row["Time"], row["Avg"], row["Min"], row["Max"])
        entries = wanted.get(key)
        if not entries:
            yield "%s: %r is not expected" % (what, key)
            continue
        percentiles = [
            (float(row[name]), share) for name, share in (("p50", 50), ("p95", 95), ("p99", 99))
        ]
        fits = [
            entry
            for entry in entries
            if all(near(value, entry, share) for value, share in percentiles)
        ]
        if not fits:
            yield "%s: percentiles of %r: %r" % (what, row["Name"], percentiles)
        entry = (fits or entries)[0]
        entries.remove(entry)
        share = 100 * float(entry.total) / whole if whole else 0
        if abs(float(row["Time(%)"]) - share) > 2e-6:
            yield "%s: %s %% of %r, not %f" % (what, row["Time(%)"], row["Name"], share)
    left = [key for key, entries in wanted.items() if entries]
    if left:
        yield "%s: no row %r" % (what, left[0])


Like = collections.namedtuple("Like", "kind name source target flags")


def named_sums(trace, sums):
    """Each activity's name and sum."""
    for (api, kind, name, memories, _), entry in sums.items():
        yield label(trace, api, Like(kind, name, *memories, 0)), entry


def named_calls(trace, sums):
    return [(function(trace, name), entry) for (_, name), entry in sums.items()]


def compare_summary(trace, printed):
    sums, calls = sums_of(trace, False), sums_of_calls(trace)
    lines = list(printed)
    if not any(entry.count for entry in sums.values()):
        if lines[:1] != ["No kernels were profiled."]:
            yield "summary without rows: %r" % lines[:3]
        lines = lines[1:]
    _, _, rows = Printed.rows(lines)
    yield from compare_sums("summary", rows, list(named_sums(trace, sums)))
    yield from compare_sums("summary of calls", rows, named_calls(trace, calls), "API calls")


def ranges_of(trace):
    """Each range: thread, domain, name, start and end."""
    marks, ends = trace.events["mark"], collections.defaultdict(list)
    last = max(
        [mark.time for mark in marks]
        + [
            event.leave
            for events in trace.events.values()
            for event in events
            if hasattr(event, "leave")
        ]
        + [record.leave for record in trace.records if not record.flags & NO_CALL]
        + [0]
    )
    starts = [mark for mark in marks if mark.flags & 1]
    for mark in marks:
        if mark.flags & 3 == 2:
            ends[mark.id].append(mark.time)
    for moments in ends.values():
        moments.sort()
    for mark in sorted(starts, key=lambda mark: (mark.id, mark.time)):
        end = ends[mark.id].pop(0) if ends[mark.id] else last
        yield mark.thread, mark.domain, mark.name, mark.time, max(end, mark.time)


def range_blocks(trace):
    """The sums of each label of ranges: of the ranges, and of the records and calls in them."""
    labels = collections.defaultdict(list)
    for thread, domain, name, start, end in ranges_of(trace):
        labels[thread, domain, name].append((start, end))
    for (thread, domain, name), spans in labels.items():

        def inside(item, spans=spans, thread=thread):
            return item.thread == thread and any(
                start <= item.enter and item.leave <= end for start, end in spans
            )

        own = Sum()
        for start, end in spans:
            own.add(end - start)
        work, calls = collections.defaultdict(Sum), collections.defaultdict(Sum)
        for record in trace.records:
            if record.known & TIMES and not record.flags & NO_CALL and inside(record):
                work[activity(trace, record)].add(duration(record.started, record.ended))
        for call in trace.calls:
            if inside(call):
                calls[call.api, call.name].add(duration(call.enter, call.leave))
        yield (thread, domain, name), own, work, calls


def compare_ranges(trace, printed):
    """The blocks, with the lines above them, by their label."""
    got, where, lines = collections.defaultdict(list), [None, None, None], []
    for line in printed:
        heading = re.match(
            r'========   (Thread "<unnamed>" \(id = (\d+)\)|  Domain "(.*)"|    Range "(.*)")$',
            line,
        )
        if heading:
            level = 0 if heading[2] else 1 if heading[1].startswith("  D") else 2
            where[level:] = [heading[2] or heading[3] or heading[4]] + [None] * (2 - level)
            lines = []
            if level == 2:
                got[tuple(where)].append(lines)
        elif line:
            lines.append(line)
    wanted = collections.defaultdict(list)
    for (thread, domain, name), own, work, calls in range_blocks(trace):
        key = (
            str(thread),
            function(trace, domain) if domain else "<unnamed>",
            function(trace, name),
        )
        wanted[key].append((own, work, calls))
    if {key: len(blocks) for key, blocks in got.items()} != {
        key: len(blocks) for key, blocks in wanted.items()
    }:
        yield "ranges: %r, not %r" % (sorted(got)[:5], sorted(wanted)[:5])
        return
    if any(item.enter > item.leave for item in trace.records + trace.calls):
        return  # whether an impossible call lies in a range is not defined
    for key, blocks in wanted.items():
        if len(blocks) > 1:  # two names of one text: which block is which is not clear
            continue
        own, work, calls = blocks[0]
        lines = [line for line in got[key][0] if not line.startswith("No ")]
        _, _, rows = Printed.rows(lines)
        yield from compare_sums("range %s" % key[2], rows, [(key[2], own)], "Range")
        yield from compare_sums("work in range %s" % key[2], rows, list(named_sums(trace, work)))
        yield from compare_sums(
            "calls in range %s" % key[2], rows, named_calls(trace, calls), "API calls"
        )


def compare(trace, lines):
    """Yields each difference between the output for a file and its trace."""
    printed = Printed(lines)
    if len(printed.tables) != 3:
        yield "report: %d tables, not 3" % len(printed.tables)
        return
    yield from compare_warnings(trace, printed)
    yield from compare_gpu_trace(trace, printed.tables[0])
    yield from compare_api_trace(trace, printed.tables[1])
    yield from compare_summary(trace, printed.tables[2])
    yield from compare_ranges(trace, printed.ranges)
