#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""plot.py JSON >SVG: what a record costs, as tests/bench/series has measured it, in small pictures.
The colours stand out from white and from black."""

import json
import math
import sys
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 300, 170 # of a picture
LEFT, TOP, GAP = 56, 84, 62
TEXT, FAINT = "#7d8590", "#7d859055"
LINES = (
    ("cpu", "#2f81f7", "CPU time of the process"),
    ("writer", "#c2410c", "of it, the writer's"),
    ("launch", "#2e9f4d", "of it, the launching threads'"),
)


def short(number):
    """Formats 1000 as 1k."""
    for size, letter in ((10 ** 6, "M"), (10 ** 3, "k")):
        if number >= size:
            return f"{number / size:g}{letter}"
    return f"{number:g}"


def step_of(most):
    """Returns the distance of the lines of a scale up to `most`: four or a few more."""
    power = 10 ** math.floor(math.log10(most / 4))
    return next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= most / 5)


def text(across, down, words, anchor="middle", more=""):
    """Draws text."""
    return (f'<text x="{across:.1f}" y="{down:.1f}" text-anchor="{anchor}"{more}>'
            f'{escape(words)}</text>')


class Picture:
    """The figure of one series, with the places of its points."""

    def __init__(self, series, number, most):
        self.series, self.most = series, most
        self.left = LEFT + (number % 2) * (WIDTH + GAP)
        self.top = TOP + (number // 2) * (HEIGHT + GAP)
        self.ats = [point["at"] for point in series["points"]]

    def across(self, at):
        """Returns the logarithmic x coordinate."""
        whole = math.log(self.ats[-1] / self.ats[0]) or 1
        return self.left + WIDTH * math.log(at / self.ats[0]) / whole

    def down(self, value):
        """Returns the linear y coordinate."""
        return self.top + HEIGHT * (1 - min(value, self.most) / self.most)

    def frame(self):
        """Draws the scales and the title."""
        step = step_of(self.most)
        parts = [text(self.left, self.top - 10, self.series["text"], "start", ' class="head"')]
        for number in range(int(self.most / step) + 1):
            down = self.down(number * step)
            parts.append(f'<path stroke="{FAINT}" d="M{self.left} {down:.1f}h{WIDTH}"/>')
            parts.append(text(self.left - 6, down + 4, f"{number * step:g}", "end"))
        for at in self.ats:
            parts.append(text(self.across(at), self.top + HEIGHT + 16, short(at)))
        return parts

    def line(self, key, colour):
        """Draws the medians, with a bar from the least to the most at each."""
        points = [(self.across(point["at"]), point[key]) for point in self.series["points"]]
        way = " ".join(f"{across:.1f},{self.down(spread['median']):.1f}"
                       for across, spread in points)
        ranges = "".join(f"M{across:.1f} {self.down(spread['least']):.1f}"
                         f"V{self.down(spread['most']):.1f}" for across, spread in points)
        return [f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{way}"/>',
                f'<path stroke="{colour}" stroke-opacity=".5" d="{ranges}"/>']


def drawn(result):
    """Returns the whole SVG."""
    series = [one for one in result["series"] if len(one["points"]) > 1 and "cpu" in
              one["points"][0] and "writer" in one["points"][0]]
    medians = [point["cpu"]["median"] for one in series for point in one["points"]]
    most = max(medians, default=1) * 1.1
    width = LEFT + 2 * WIDTH + GAP + 20
    height = TOP + (len(series) + 1) // 2 * (HEIGHT + GAP) - 20
    machine = result["machine"]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="11" '
        f'fill="{TEXT}">',
        "<style>.head{font-size:12px;font-weight:bold}</style>",
        text(LEFT, 20, "Nanoseconds of a record, from the call to the log, without the driver's",
             "start", ' font-size="15"'),
        text(LEFT, 36, f"{machine['processor']}, {machine['cores']} cores; {result['date']}; "
             f"medians of {result['rounds']} rounds, and their ranges", "start"),
    ]
    at = LEFT
    for _, colour, words in LINES:
        parts.append(f'<path stroke="{colour}" stroke-width="3" d="M{at} 50h18"/>')
        parts.append(text(at + 24, 54, words, "start"))
        at += 200
    for number, one in enumerate(series):
        picture = Picture(one, number, most)
        parts += picture.frame()
        for key, colour, _ in LINES:
            parts += picture.line(key, colour)
    return "\n".join(parts + ["</svg>"]) + "\n"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as measured:
        sys.stdout.write(drawn(json.load(measured)))
