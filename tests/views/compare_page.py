#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare_page.py PAGE.html TABLE.csv A.log ... -- B.log ...: whether the page of a comparison is
well-formed and harmless, has the rows of `computeprof diff --csv -u ns`, and draws each change and
each run where its value is. Prints what is wrong."""

import csv
import html.parser
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import page as pages  # noqa: E402

pages.TAGS |= {"svg", "line", "circle"}
pages.ATTRIBUTES |= {"width", "height", "role", "aria-label", "title", "x1", "y1", "x2", "y2", "cx",
                     "cy", "r"}
LEFT, RIGHT = 4, 116  # pixels between which values are drawn
problem = pages.problem


class Pictures(html.parser.HTMLParser):
    """Of each row of the table, the shapes of each picture: tag, attributes."""

    def __init__(self, text):
        super().__init__()
        self.rows = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        elif tag == "svg":
            self.rows[-1].append([])
        elif tag in ("line", "circle"):
            self.rows[-1][-1].append((tag, dict(attrs)))


def values_of(paths, statistic):
    """By name, and "" for all: a value in ns of each log that has it."""
    values = {}
    for path in paths:
        times = {}
        with open(path, encoding="utf-8") as log:
            for line in log:
                found = re.match(r"method=\[ (.*?) \] gputime=\[ ([0-9.]+) \]", line)
                if found:
                    times.setdefault(found[1], []).append(float(found[2]) * 1000)
        for name, list_of in times.items():
            values.setdefault(name, []).append(statistic(list_of))
        values.setdefault("", []).append(sum(map(sum, times.values())))
    return values


def near(shapes, wanted, name, what):
    if len(shapes) != len(wanted) or any(abs(a - b) > 0.11 for a, b in zip(shapes, wanted)):
        problem("%s: %s at %r, not %r" % (name, what, shapes, wanted))


def check_change(picture, row, scale, name):
    middle = (LEFT + RIGHT) / 2

    def at(percent):
        return middle + max(-1, min(1, percent / 100 / scale)) * (RIGHT - LEFT) / 2

    lines = [shape for tag, shape in picture if shape["class"] == "interval"]
    near([float(shape["cx"]) for tag, shape in picture if tag == "circle"],
         [at(float(row["Change"]))], name, "the change")
    near([float(line[end]) for line in lines for end in ("x1", "x2")],
         [at(float(row[end])) for end in ("Low", "High")], name, "the interval")


def check_runs(picture, both, name):
    least, most = min(both[0] + both[1]), max(both[0] + both[1])
    for side, values in zip("ab", both):
        near([float(shape["cx"]) for _, shape in picture if shape["class"] == side],
             [LEFT + (value - least) / (most - least) * (RIGHT - LEFT) for value in values],
             name, "runs of " + side.upper())


def check_row(cells, row, name):
    word = {text: number for number, text in
            enumerate(("same", "untested", "gone", "new", "faster", "slower"))}[row["Verdict"]]
    if cells[0] != (row["Verdict"], str(word)):
        problem("%s: the verdict is %r, not %r" % (name, cells[0], row["Verdict"]))
    change = "%+.1f%%" % float(row["Change"]) if row["Change"] else ""
    if cells[2][0] != change or bool(cells[1][1]) != bool(change):
        problem("%s: the change is %r, not %r" % (name, cells[1:3], change))
    for cell, column in ((cells[7], "Min A"), (cells[8], "Min B")):
        if name and float(cell[1] or 0) != float(row[column] or 0):
            problem("%s: %s is %r, not %r" % (name, column, cell, row[column]))
    if cells[-1][0] != row["Name"]:
        problem("%r is where %r should be" % (cells[-1][0], row["Name"]))


def main():
    sides = sys.argv[3:sys.argv.index("--")], sys.argv[sys.argv.index("--") + 1:]
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    page, pictures = pages.Page(data.decode()), Pictures(data.decode()).rows[1:]
    pages.check_file(data, page)
    with open(sys.argv[2], encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["Verdict"]]
    table = page.tables[0]["rows"]
    values = [values_of(paths, min) for paths in sides]
    scale = max([0.1] + [min(0.5, max(abs(float(row["Low"])), abs(float(row["High"]))) / 100)
                         for row in rows if row["Low"]])
    scale = int(100 * scale + 0.999) / 100
    if len(table) != len(rows) or len(rows) < 3:
        problem("%d rows, not %d" % (len(table), len(rows)))
    for number, (cells, row) in enumerate(zip(table, rows)):
        name = row["Name"] if number else ""
        check_row(cells, row, name)
        if row["Change"]:
            check_change(pictures[number].pop(0), row, scale, name)
        check_runs(pictures[number][0], [side.get(name, []) for side in values], name)
    for text in ("Runs B compared with runs A by computeprof ", "from -%.0f %%" % (100 * scale)):
        if not any(text in paragraph for paragraph in page.paragraphs):
            problem("it does not say %r" % text)


if __name__ == "__main__":
    main()
