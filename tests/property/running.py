# SPDX-License-Identifier: MIT
"""What `print -o FILE.json` has to write of a trace of running totals: doc/FORMAT, section 8."""

import collections

from reference import APIS, COPY, FILL, KERNEL, Sum, add, direction, escape, method
from summary import compare_list
from tables import Like
from tracefile import ANY, Totals

ACTIVITY, FUNCTION, DEVICE, PROCESS = 1, 3, 5, 6


class Row(Sum):
    """A sum of rows. The values themselves are not known, only their number in each bucket."""

    def add_row(self, row):
        self.untimed = add(self.untimed, *row.missing)
        self.failed = add(self.failed, row.failed)
        self.bytes, self.sized = add(self.bytes, row.bytes), self.sized + row.sized
        if row.count:
            self.count += row.count
            self.total = add(self.total, row.total)
            self.shortest = min(self.shortest, row.shortest)
            self.longest = max(self.longest, row.longest)

    def percentile(self, _):
        return None


def rows_of(trace):
    """The rows by kind."""
    rows = collections.defaultdict(list)
    for flags, frame in trace.totals:
        rows[flags & 255].append(Totals.read(frame)[0])
    return rows


def is_plain(trace):
    """Whether it has rows of totals only, none of them for everything without a row."""
    has_others = trace.damaged is not None or trace.records or any(trace.events.values())
    return not has_others and not any(flags & 256 for flags, _ in trace.totals)


def activities_of(trace, rows):
    sums = collections.defaultdict(Row)
    for row in rows:
        if not row.count and not any(row.missing):
            continue
        kind = row.record_kind
        memories = (row.source, row.target) if kind == COPY else (0, 0)
        sums[kind, row.name if kind == KERNEL else 0, memories, row.device].add_row(row)
    for (kind, name, memories, number), entry in sums.items():
        device, like = trace.devices[number], Like(kind, name, *memories, 0)
        text = direction(like) if kind == COPY else ""
        yield {
            "api": APIS[device.api],
            "device": device.number,
            "device_name": escape(device.name),
            "kind": {KERNEL: "kernel", COPY: "copy", FILL: "fill"}[kind],
            "name": escape(method(trace, like, "classic")) if kind == KERNEL else text,
        }, entry


def calls_of(trace, rows):
    sums = collections.defaultdict(Row)
    for row in rows:
        if row.count:
            sums[row.api, row.name].add_row(row)
    for (api, name), entry in sums.items():
        yield {"api": APIS[api], "name": escape(trace.text(name))}, entry


def counts_of(rows):
    activities, processes = rows[ACTIVITY], rows[PROCESS]
    untimed = add(*(number for row in activities for number in row.missing))
    records = add(untimed, *(row.count for row in activities))
    counts = {"records": records, "untimed": untimed}
    in_process = add(*(row.records for row in processes))
    if in_process > records:
        counts["in_no_row"] = in_process - records
    if add(*(row.other for row in processes)):
        counts["names_in_other"] = add(*(row.other for row in processes))
    return counts


def events_of(processes):
    names = {
        "marks": "marks",
        "allocations": "allocations",
        "allocated_bytes": "allocated",
        "left_allocations": "left",
        "left_bytes": "in_use",
        "waits": "waits",
        "waiting_ns": "waiting",
        "overheads": "overheads",
        "overhead_ns": "overhead",
    }
    events = {
        name: add(*(getattr(row, field) for row in processes)) for name, field in names.items()
    }
    events["peak_bytes"] = max((row.peak for row in processes), default=0)
    return events


def compare(trace, got):
    """Yields each difference between the object of a process and its rows."""
    rows = rows_of(trace)
    wanted = counts_of(rows)
    for name in ("records", "untimed", "in_no_row", "names_in_other"):
        if got.get(name) != wanted.get(name):
            yield "totals: %s is %r, not %r" % (name, got.get(name), wanted.get(name))
    yield from compare_list("totals", got["activities"], list(activities_of(trace, rows[ACTIVITY])))
    yield from compare_list("calls of totals", got["calls"], list(calls_of(trace, rows[FUNCTION])))
    spans = [row for row in rows[DEVICE] if row.device == ANY and row.last]
    span = max(row.last for row in spans) - min(row.first for row in spans) if spans else None
    if got["span_ns"] != span:
        yield "totals: span_ns is %r, not %r" % (got["span_ns"], span)
    ran = add(*(row.total for row in spans))
    idle = span - min(ran, span) if span is not None and not trace.gaps else None
    if got["idle_ns"] != idle:
        yield "totals: idle_ns is %r, not %r" % (got["idle_ns"], idle)
    has_ranges = any(row.ranges for row in rows[PROCESS])
    if got["ranges"] != (None if has_ranges else []):
        yield "totals: ranges is %r" % got["ranges"]
    events = dict(got["events"])
    if events.pop("unfinished_ranges") != (None if has_ranges else 0):
        yield "totals: unfinished_ranges"
    if events != events_of(rows[PROCESS]):
        yield "totals: events %r, not %r" % (events, events_of(rows[PROCESS]))
