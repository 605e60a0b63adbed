# SPDX-License-Identifier: MIT
"""What `print -o FILE.html` has to write of a trace: doc/FORMAT, section 22. The events of its
timeline are those of tests/views/timeline_trace.py."""

import collections
import re

import page
import timeline_trace
from reference import MOST, TIMES, sums_of, sums_of_calls
from summary import ranges_of
from tables import function, named_calls, named_sums, near

LETTERS = {"kernel": "k", "copy": "c", "fill": "f", "call": "a", "range": "r", "mark": "r"}
OF_TABLES, OF_TIMELINE = 1000, 300  # characters of a name


def shortened(name, room):
    """A longer name loses its middle."""
    if len(name) <= room:
        return name
    kept = room - 3
    return name[: kept - kept // 2] + "..." + name[len(name) - kept // 2 :]


def plain(name):
    """Names that may be demangled, with or without parameters, are one."""
    return "foo" if name.startswith(("_Z3foo", "foo")) else name


def cell(value):
    return None if value is None else int(value)


def compare_table(title, table, sums):
    """Yields the differences between a table and (name, Sum)."""
    sums = [(plain(shortened(name, OF_TABLES)), entry) for name, entry in sums if entry.count]
    wanted = collections.Counter(
        (
            name,
            entry.total,
            entry.count,
            entry.average,
            entry.shortest,
            entry.longest,
            entry.bytes if entry.sized else None,
        )
        for name, entry in sums
    )
    rows = [[cell(value) for _, value in row[:-1]] + [row[-1][0]] for row in table["rows"]]
    got = collections.Counter(
        (plain(name), time, count, average, least, most, size)
        for share, time, count, average, least, _, _, _, most, size, name in rows
    )
    if got != wanted:
        yield "page, %s: %r, not %r" % (title, list(got - wanted)[:2], list(wanted - got)[:2])
        return
    for row in rows:
        if row[0] != row[1]:
            yield "page, %s: a share is not that of the time: %r" % (title, row)
        alike = [entry for _, entry in sums if (entry.total, entry.longest) == (row[1], row[8])]
        if not any(
            all(near(row[at], entry, share) for at, share in ((5, 50), (6, 95), (7, 99)))
            for entry in alike
        ):
            yield "page, %s: percentiles of %r" % (title, row)
    if [row[1] for row in rows] != sorted((row[1] for row in rows), reverse=True):
        yield "page, %s: order of the rows" % title
    whole = [cell(value) for _, value in table["total"]]
    if whole[1:3] != [
        min(sum(entry.total for _, entry in sums), MOST),
        sum(entry.count for _, entry in sums),
    ]:
        yield "page, %s: the total is %r" % (title, whole)


def compare_tables(trace, tables):
    ranges, _, is_clear = ranges_of(trace)
    wanted = {
        "GPU activities": list(named_sums(trace, sums_of(trace, False))),
        "API calls": named_calls(trace, sums_of_calls(trace)),
        "Ranges": [(members["name"] or function(trace, 0), entry) for members, entry in ranges],
    }
    wanted = {title: sums for title, sums in wanted.items() if any(each.count for _, each in sums)}
    if not is_clear:
        wanted.pop("Ranges", None)
        tables.pop("Ranges", None)
    if list(tables) != list(wanted):
        yield "page: tables %r, not %r" % (list(tables), list(wanted))
        return
    for title, sums in wanted.items():
        yield from compare_table(title, tables[title], sums)


def named(event):
    """The letter and the name that an event has on the page."""
    letter, name = LETTERS.get(event.category, "s"), event.name
    if letter in "cf":
        api = event.group.split(" ")[0]
        name = re.sub("async$", "", name)
        name = re.sub("^(memcpy)(?=.)|^memcopy", lambda found: found[1] or "memcpy", name)
        name = "[%s %s]" % (api, re.sub("^memcpy(?=.)", "memcpy ", name))
    return letter + plain(shortened(name, OF_TIMELINE))


def counters_of(trace):
    return [event for event, _ in timeline_trace.expected_memory(trace)]


def compare_memory(path, whole):
    """Yields the differences of the values of memory in use, by track, in the order of time."""
    trace = timeline_trace.Trace(path)
    trace.callers = collections.defaultdict(list)
    pairs = list(timeline_trace.expected(trace))
    first = min((event.start for event, _ in pairs), default=0)
    wanted, got = collections.defaultdict(list), collections.defaultdict(list)
    for event, values in pairs:
        if event.phase == "counter":
            wanted[event.group, event.track].append((event.start - first, values["bytes"]))
    for heading, title, text in whole.memory:
        got[heading, title] += page.points_of(text)
    if got != wanted:
        yield "page, memory: %.300r, not %.300r" % (dict(got), dict(wanted))


def expected(path):
    """The track, name, start and end of each event, the first of which starts at 0."""
    trace = timeline_trace.Trace(path)
    trace.callers = collections.defaultdict(list)
    events = [event for event, _ in timeline_trace.expected(trace) if event.phase != "counter"]
    first = min((event.start for event in [*events, *counters_of(trace)]), default=0)
    return collections.Counter(
        (
            event.group,
            timeline_trace.base(event.track),
            named(event),
            event.start - first,
            event.end - first,
        )
        for event in events
    )


def shown(whole):
    for heading, title, text in whole.tracks:
        for name, start, end, count in page.events_of(text):
            word = whole.names[name - 1].replace("PtoP", "DtoD")
            yield heading, timeline_trace.base(title), word[0] + plain(word[1:]), start, end
            if count != 1:
                raise ValueError("a block of %d events" % count)


def compare_timeline(path, whole):
    got, wanted = collections.Counter(shown(whole)), expected(path)
    if got != wanted:
        yield "page, timeline: %r, not %r" % (
            list((got - wanted).elements())[:2],
            list((wanted - got).elements())[:2],
        )


def compare(trace, trace_path, path, has_timeline):
    """Yields each difference between the page and the trace."""
    with open(path, "rb") as file:
        data = file.read()
    found = []
    page.problem = found.append
    whole = page.Page(data.decode())
    page.check_file(data, whole)
    yield from ("page: " + problem for problem in found)
    has_span = any(record.known & TIMES for record in trace.records)
    for name, known in ("Device span", has_span), (
        "Device idle time",
        has_span and not trace.gaps,
    ):
        if (b"<dt>%s</dt>" % name.encode() in data) != known:
            yield "page: it has %s %r" % ("no" if known else "a", name)
    yield from compare_tables(trace, {table["title"]: table for table in whole.tables})
    if has_timeline:
        yield from compare_timeline(trace_path, whole)
        yield from compare_memory(trace_path, whole)
