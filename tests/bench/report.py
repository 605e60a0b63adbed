# SPDX-License-Identifier: MIT
"""Tables of what was measured."""

# heading, width, key of the row, what of it is shown
COLUMNS = (
    ("wall", 7, "wall", lambda it: f"{it['median']:.3f}"),
    ("range", 15, "wall", lambda it: f"{it['least']:.3f}..{it['most']:.3f}"),
    ("ns/cmd", 8, "wall ns", lambda it: f"{it['median']:.0f}"),
    ("CPU ns/cmd", 11, "cpu ns", lambda it: f"{it['median']:.0f}"),
    ("added", 7, "added cpu ns", lambda it: f"{it['median']:+.0f}"),
    ("range", 13, "added cpu ns", lambda it: f"{it['least']:+.0f}..{it['most']:+.0f}"),
    ("KiB more", 9, "resident KiB", lambda it: f"{it['median']:+.0f}"),
    ("B/row", 6, "bytes a row", lambda it: f"{it['median']:.0f}"),
)
FIRST = 16


def table(result):
    """One load's, as text."""
    lines = [f"{result['load']}: {result['text']}"]
    if result["count"]:
        lines[0] += f" ({result['count']} commands)"
    lines.append(" " * FIRST + "".join(f"{heading:>{width}}" for heading, width, _, _ in COLUMNS))
    for row in result["rows"]:
        cells = (f"{shown(row[key]) if key in row else '':>{width}}"
                 for _, width, key, shown in COLUMNS)
        lines.append(f"{row['way']:{FIRST}}" + "".join(cells))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def head(result):
    """Of all tables: what was measured where and when."""
    where = result["machine"]
    place = "one core, one PoCL thread" if result["pinned"] else "all cores"
    return (f"{result['date']}, {where['processor']}, {where['cores']} cores, {where['driver']}\n"
            f"{result['pairs']} rounds in turns; medians; wall and CPU against native of the same "
            f"round; {place}\n")
