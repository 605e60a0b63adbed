# SPDX-License-Identifier: MIT
"""Tables of what was measured."""


def middle(digits=0, sign=""):
    """Formats the median."""
    return lambda spread: f"{spread['median']:{sign}.{digits}f}"


def between(digits=0, sign=""):
    """Formats the least and the most."""
    return lambda spread: (f"{spread['least']:{sign}.{digits}f}.."
                           f"{spread['most']:{sign}.{digits}f}")


# heading, width, key of the row, format
COLUMNS = (
    ("wall", 7, "wall", middle(3)),
    ("range", 15, "wall", between(3)),
    ("ns/cmd", 8, "wall ns", middle()),
    ("CPU ns/cmd", 11, "cpu ns", middle()),
    ("added", 7, "added cpu ns", middle(sign="+")),
    ("range", 13, "added cpu ns", between(sign="+")),
    ("KiB more", 9, "resident KiB", middle(sign="+")),
    ("B/row", 6, "bytes a row", middle()),
)


def grid(title, first, columns, rows):
    """Formats a title, the headings, and lines; `first` is the start of a row's line. A cell
    without a value is empty."""
    starts = [first(row) for row in rows]
    width = max(map(len, starts), default=0)
    lines = [title, " " * width + "".join(f"{heading:>{wide}}" for heading, wide, _, _ in columns)]
    for start, row in zip(starts, rows):
        cells = (f"{shown(row[key]) if key in row else '':>{wide}}"
                 for _, wide, key, shown in columns)
        lines.append(f"{start:{width}}" + "".join(cells))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def table(result):
    """Formats the table of one load."""
    title = f"{result['load']}: {result['text']}"
    if result["count"]:
        title += f" ({result['count']} commands)"
    return grid(title, lambda row: f"{row['way']:16}", COLUMNS, result["rows"])


def differences(result):
    """Formats the differences of one load, a line each."""
    lines = []
    for one in result["differences"]:
        first, median, third = one["quartiles ns"]
        lines.append(f"{one['more']} - {one['less']}: {median:+.0f} ns CPU a command "
                     f"({first:+.0f}..{third:+.0f}), ratio {one['ratio']:.3f}\n")
    return "".join(lines) + "\n" * bool(lines)


def head(result):
    """Formats the head of all tables: what was measured, where and when."""
    where = result["machine"]
    place = "one core, one PoCL thread" if result["pinned"] else "all cores"
    return (f"{result['date']}, {where['processor']}, {where['cores']} cores, {where['driver']}\n"
            f"{result['pairs']} rounds in turns; medians; wall and CPU against native of the same "
            f"round; {place}\n")
