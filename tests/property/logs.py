# SPDX-License-Identifier: MIT
"""The logs that `print` has to write of a trace, byte for byte: doc/FORMAT, sections 2 to 5; and
what `report` has to say of such a log."""

import collections
import math
import re
import struct

import tables
from reference import (
    BLOCK_GIVEN,
    BLOCK_SIZE,
    BYTES,
    CACHE,
    DIRECTION,
    DYNAMIC,
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
    duration,
    escape,
    in_csv,
    in_row,
    method,
)

WORDS = (
    "timestamp gpustarttimestamp gpuendtimestamp gridsize3d threadblocksize localblocksize "
    "dynsmemperblock stasmemperblock regperthread streamid cacheconfigexecuted "
    "cacheconfigrequested memtransfersize memtransferdir memtransferhostmemtype"
).split()
WARNING = (
    "NV_Warning: Counter '%s' is not compatible with other selected counters and it cannot be "
    "profiled in this run.\n"
)
Column = collections.namedtuple("Column", "names keys known values")


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def three(value):
    sign = "-" if math.copysign(1, value) < 0 else ""
    return sign + "%.3f" % abs(value)


def microseconds(time):
    return "%.3f" % single(time / 1000)


def counter(column, value):
    """A counter's value, which is a whole number or has three decimals."""
    size = abs(value)
    if column[0] == "n" or size >= 1 << 43:
        whole = min(round(size), 1 << 63) if math.isfinite(size) else 1 << 63
        return (
            ("-" if value < 0 and whole else "") + str(whole) + (".000" if column[0] == "r" else "")
        )
    text = "%.3f" % size
    return ("-" if value < 0 and text != "0.000" else "") + text


def columns_of(trace, api, device, dialect):
    """The columns of a log in their order: names, key, whether it is known, and its values."""
    opencl, classic = api == 0, dialect == "classic"
    grid = (
        ("NDRangesize" if opencl else "gridSize")
        if classic
        else "ndrangesize" if opencl else "gridsize"
    )
    names = "ndrangesize" if opencl else "gridsize"
    block = "workgroupsize" if opencl else "threadblocksize"

    def axes(name):
        return ",".join(name + axis for axis in "XYZ")

    def has(*bits):
        return lambda record: record.known & sum(bits)

    def always(_):
        return True

    columns = [
        ("timestamp", "", always, lambda r: [microseconds(duration(trace.started, r.enter))]),
        ("gpustarttimestamp", "", has(TIMES), lambda r: ["%x" % r.started]),
        ("gpuendtimestamp", "", has(TIMES), lambda r: ["%x" % r.ended]),
        ("method", "", always, None),
        ("gputime", "", has(TIMES), lambda r: [microseconds(duration(r.started, r.ended))]),
        (
            "cputime",
            "",
            lambda r: not r.flags & NO_CALL,
            lambda r: [microseconds(duration(r.enter, r.leave))],
        ),
        (axes(names), grid, has(GRID), lambda r: [r.grid0, r.grid1, r.grid2]),
        (axes(block), block, has(GRID, BLOCK_SIZE), lambda r: [r.block0, r.block1, r.block2]),
    ]
    columns += (
        [("localblocksize", "", has(BLOCK_GIVEN), lambda r: [r.block_given])]
        if opencl
        else [("dynsmemperblock", "", has(DYNAMIC), lambda r: [r.dynamic])]
    )
    columns += [
        (
            "stapmemperworkgroup" if opencl else "stasmemperblock",
            "",
            has(STATIC),
            lambda r: [r.static],
        ),
        (
            "regperworkitem" if opencl else "regperthread",
            "",
            has(REGISTERS),
            lambda r: [r.registers],
        ),
        ("occupancy", "", has(OCCUPANCY), lambda r: [three(r.occupancy)]),
        ("streamid", "", has(STREAM), lambda r: [r.stream]),
    ]
    if not opencl:
        columns += [
            ("cacheconfigexecuted", "", has(CACHE), lambda r: [r.cache_executed]),
            ("cacheconfigrequested", "", has(CACHE), lambda r: [r.cache_requested]),
        ]
    columns += counters_of(trace, device)
    columns += [
        ("memtransfersize", "", has(BYTES), lambda r: [r.bytes]),
        ("memtransferdir", "", has(DIRECTION), lambda r: [r.direction]),
        ("memtransferhostmemtype", "", has(HOST_MEMORY), lambda r: [r.host_memory]),
    ]
    return [Column(names, key or names, known, values) for names, key, known, values in columns]


def set_of(trace, device):
    """The number of the newest counter set of a device, or None."""
    return max((i for i, each in enumerate(trace.sets) if each.device == device), default=None)


def counters_of(trace, device):
    chosen = set_of(trace, device)
    if chosen is None:
        return
    for i, column in enumerate(trace.sets[chosen].columns):
        yield (
            column[1:],
            "",
            lambda r, i=i: r.counters
            and r.counters[0] == chosen
            and not math.isnan(r.counters[1][i]),
            lambda r, i=i, column=column: [counter(column, r.counters[1][i])],
        )


def header(trace, api, device, context, dialect, form):
    word, on = ("OPENCL", "CUDA")[api], trace.devices[device]
    chosen = set_of(trace, device)
    yield "".join(
        WARNING % name.decode()
        for name in (trace.sets[chosen].refused if chosen is not None else ())
    )
    yield "# %s_PROFILE_LOG_VERSION 2.0\n" % word
    csv = "# %s_PROFILE_CSV 1\n" % word if form == "csv" else ""
    named = "# %s_DEVICE%s %d %s\n" % (
        word,
        "_NAME" if api and dialect == "classic" else "",
        on.number,
        escape(on.name),
    )
    factor = "# TIMESTAMPFACTOR %x\n" % (trace.shift & MOST)
    if dialect == "classic":
        yield csv + named + ("" if api else factor)
    else:
        index = (trace.contexts[context].index + 1) % (1 << 32)
        yield named + "# %s_CONTEXT %d\n" % (word, index) + csv + factor


def row(trace, record, columns, dialect, form):
    fields, commas = "", 0
    for column in columns:
        if not column.known(record):
            commas += column.names.count(",") + 1
            continue
        if column.values:
            values = list(map(str, column.values(record)))
        else:
            values = [escape(method(trace, record, dialect), in_csv if form == "csv" else in_row)]
        if form == "csv":
            fields += "," * commas + ",".join(values)
            commas = 1
        else:
            fields += "%s=[ %s ] " % (column.keys, ", ".join(values))
    return fields + "\n"


def groups_of(trace, dialect):
    """The device, the context and the records of each log."""
    groups = {}
    for record in trace.records:
        key = record.device if dialect == "classic" else (record.context, record.device)
        groups.setdefault(key, (record.device, record.context, []))[2].append(record)
    with_records = {context for _, context, _ in groups.values()}
    for number, context in enumerate(trace.contexts):
        key = context.device if dialect == "classic" else (number, context.device)
        if dialect == "classic" or number not in with_records:
            groups.setdefault(key, (context.device, number, []))
    order = sorted(groups) if dialect == "classic" else sorted(groups, key=lambda key: key[0])
    return [groups[key] for key in order]


def text_of(trace, group, dialect, form, timed=True):
    """The log of a group; without `timed`, it has no time stamps."""
    device, context, records = group
    api = trace.devices[device].api
    columns = columns_of(trace, api, device, dialect)[0 if timed else 3 :]
    parts = list(header(trace, api, device, context, dialect, form))
    parts.append(",".join(column.names for column in columns) + "\n")
    parts += [row(trace, record, columns, dialect, form) for record in records]
    return "".join(parts)


def compare(trace, texts, dialect, form, timed=True):
    """Yields each difference between logs, in the order of their groups, and the trace."""
    groups = groups_of(trace, dialect)
    if len(texts) != len(groups):
        yield "%s %s: %d logs, not %d" % (dialect, form, len(texts), len(groups))
    for text, group in zip(texts, groups):
        wanted = text_of(trace, group, dialect, form, timed)
        if text == wanted:
            continue
        got, lines = text.split("\n"), wanted.split("\n")
        for i, line in enumerate(lines):
            if i >= len(got) or got[i] != line:
                yield "%s %s, line %d: %r, not %r" % (dialect, form, i + 1, got[i : i + 1], line)
                break
        else:
            yield "%s %s: further lines %r" % (dialect, form, got[len(lines) :][:2])


def compare_report(trace, group, printed, rows_of):
    """Yields the differences between the GPU trace of a log that was read again and the trace."""
    if any(
        max(duration(record.started, record.ended), record.started) >= 1 << 62
        for record in group[2]
        if record.known & TIMES
    ):
        return  # a log has microseconds
    timed = [(index, record) for index, record in enumerate(group[2], 1) if record.known & TIMES]
    _, units, got = rows_of(printed)
    wanted = sorted(timed, key=lambda pair: pair[1].started)
    if len(got) != len(wanted):
        yield "log read again: %d rows, not %d" % (len(got), len(wanted))
        return
    by_index = dict(wanted)
    if [float(r["Start"]) for r in got] != sorted(float(r["Start"]) for r in got):
        yield "log read again: order of the starts"
    first = wanted[0][1].started if wanted else 0
    for r in got:
        index = int(r["Correlation_ID"])
        record = by_index.get(index)
        if record is None:
            yield "log read again: no record %d" % index
            continue
        time = duration(record.started, record.ended)
        if float(r["Start"]) != float(record.started - first):
            yield "log read again: record %d starts at %s" % (index, r["Start"])
        if abs(float(r["Duration"]) - time) > time * 1.3e-7 + 1:
            yield "log read again: record %d lasts %s, not %d" % (index, r["Duration"], time)
        name = tables.quoted("%s [%d]" % (escape(method(trace, record, "classic")), index))
        is_clear = not trace.text(record.name).startswith(b"mem")
        if record.kind == KERNEL and is_clear and r["Name"] != name:
            yield "log read again: record %d is %r, not %r" % (index, r["Name"], name)


def comparable(text, form):
    """A log, converted to this format, without the bytes that only one of the formats escapes. In
    CSV those that would make a row something else must be escaped. Blanks at the end of the name of
    the device do not stay."""
    text = re.sub(r" +\n", "\n", text)
    if form == "csv":
        only = r"\\x(3d|2b|2d|40)|(?<=.)\\x(22|23|4e)"
    else:
        only = r"\\x(2c|22|23|3d|2b|2d|40|4e)"
    return re.sub(only, lambda found: chr(int(found[0][2:], 16)), text)
