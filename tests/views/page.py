#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""page.py FILE.html SUMMARY.csv: whether a page is well-formed and harmless, needs nothing from
elsewhere, and has the sums of `computeprof report --csv -u ns`, in its tables and, unless blocks
are drawn, in its timeline. If there is a FILE.folded of `computeprof flame`, the flame graph has
its stacks. Prints what is wrong, and on stderr the number of events and of blocks.
page.py FILE.html SUMMARY.csv DOM.html: also compares the self-check of the page's script, in the
document that a browser has made of it."""

import base64
import collections
import csv
import hashlib
import html.parser
import json
import os
import re
import sys

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
VOID = {"meta"}
TAGS = set("html head meta title style body header h1 h2 h3 p noscript section ol li script dl dt "
           "dd div table thead tbody tfoot tr th td".split())
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "id", "hidden", "type",
              "scope", "aria-sort", "data-v", "data-title", "data-heading"}
MOST_SCRIPT = 40 << 10
EXACT = 1 << 53  # larger numbers are not compared: report and the script have floating-point ones


def problem(text):
    print(text)


class Page(html.parser.HTMLParser):
    """Its parts; also whether tags are balanced, and known."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.policy, self.title = [], "", ""
        self.scripts, self.styles, self.tracks, self.names = [], [], [], []
        self.functions, self.memory = None, []
        self.tables, self.paragraphs, self.headings, self.facts = [], [], [], []
        self.text = ""
        self.feed(text)
        self.close()
        if self.open:
            problem("not closed: %r" % self.open)

    def handle_comment(self, data):
        problem("a comment: %.60r" % data)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if tag not in TAGS:
            problem("unexpected element %r" % tag)
        for name in values:
            if name not in ATTRIBUTES:
                problem("unexpected attribute %r of %r" % (name, tag))
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"]
        if tag not in VOID:
            self.open.append((tag, values))
        if tag == "table":
            self.tables.append({"title": values["data-title"], "rows": [], "total": None})
        if tag == "tr":
            self.row = []
        self.text = ""

    def handle_data(self, data):
        self.text += data

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            problem("</%s> closes %r" % (tag, self.open[-1:]))
            return
        values = self.open.pop()[1]
        text, self.text = self.text, ""
        if tag == "script" and "type" not in values:
            self.scripts.append(text)
        elif tag == "script" and values["class"] == "functions":
            self.functions = text
        elif tag == "script" and values["class"] == "memory":
            self.memory.append((values["data-heading"], values["data-title"], text))
        elif tag == "script":
            self.tracks.append((values["data-heading"], values["data-title"], text))
        elif tag in ("th", "td"):
            self.row.append((text, values.get("data-v")))
        elif tag == "tr" and any(name == "tbody" for name, _ in self.open):
            self.tables[-1]["rows"].append(self.row)
        elif tag == "tr" and any(name == "tfoot" for name, _ in self.open):
            self.tables[-1]["total"] = self.row
        else:
            lists = {"style": self.styles, "li": self.names, "p": self.paragraphs,
                     "h1": self.headings, "h2": self.headings, "dd": self.facts}
            lists.get(tag, []).append(text)
            self.title = text if tag == "title" else self.title


def numbers(text):
    value, shift = 0, 0
    for digit in text:
        digit = DIGITS.index(digit)
        value |= (digit & 31) << shift
        shift += 5
        if digit < 32:
            yield value
            value, shift = 0, 0


def events_of(text):
    """Kind and name, start, end, and number of events in one."""
    at, before = numbers(text), 0
    for word in at:
        before += next(at)
        end = before + next(at)
        yield word >> 1, before, end, next(at) if word & 1 else 1


def points_of(text):
    """Times and bytes in use."""
    at, before = numbers(text), 0
    for by in at:
        before += by
        yield before, next(at)


def peaks_of(page):
    """What the script has to read of memory in use."""
    points = [(heading, title, list(points_of(text))) for heading, title, text in page.memory]
    return [{"heading": heading, "title": title, "number": len(found),
             "peak": min(max(size for _, size in found), EXACT)}
            for heading, title, found in points if found]


def check_file(data, page):
    text = data.decode()
    if re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]", text):
        problem("a control character")
    if len(page.scripts) != 1 or len(page.scripts[0].encode()) > MOST_SCRIPT:
        problem("scripts: %r" % [len(script.encode()) for script in page.scripts])
    for directive, found in (("script-src", page.scripts), ("style-src", page.styles)):
        digest = hashlib.sha256("".join(found).encode()).digest()
        if "%s 'sha256-%s'" % (directive, base64.b64encode(digest).decode()) not in page.policy:
            problem("the policy has another hash for %s" % directive)
    if not page.policy.startswith("default-src 'none';") or "unsafe" in page.policy:
        problem("policy: %s" % page.policy)
    own = "".join(page.scripts + page.styles)
    if re.search(r"https?:|\burl\(|@import|innerHTML|\beval\b|fetch\(|XMLHttp|WebSocket|\bimport\b",
                 own):
        problem("the script or the style has something that loads or evaluates")


def exact(values):
    return tuple(min(int(value), EXACT) for value in values)


def rows_of(path):
    """(type, name): (time, calls, average, least, most), of all tables of a summary as CSV."""
    sums, heads = collections.defaultdict(list), None
    with open(path, encoding="utf-8", errors="replace") as file:
        for row in csv.reader(line for line in file if not line.startswith("=")):
            if row[:2] == ["Type", "Time(%)"]:
                heads = row
            elif heads and row and row[0] in ("GPU activities", "API calls"):
                value = dict(zip(heads, row))
                sums[row[0]].append(exact(float(value[name])
                                          for name in ("Time", "Calls", "Avg", "Min", "Max"))
                                    + (value["Name"],))
    return sums


def check_tables(page, path):
    wanted, found = rows_of(path), collections.defaultdict(list)
    for table in page.tables:
        if table["title"] == "Ranges":
            continue
        for row in table["rows"]:
            found[table["title"]].append(
                exact(row[i][1] for i in (1, 2, 3, 4, 8)) + (row[-1][0],))
        total = exact(sum(int(row[i][1]) for row in table["rows"]) for i in (1, 2))
        if total != exact(table["total"][i][1] for i in (1, 2)):
            problem("%s: the total is not %r" % (table["title"], total))
    for title in ("GPU activities", "API calls"):
        # CSV writes a first byte that would begin a formula in another way.
        if sorted(row[:5] for row in wanted[title]) != sorted(row[:5] for row in found[title]):
            problem("%s: other sums than report's" % title)
        names = {row[5] for row in wanted[title] if not re.match(r"\\x[0-9a-f]{2}", row[5])}
        missing = names - {row[5] for row in found[title]}
        if missing:
            problem("%s: missing names: %.200r" % (title, sorted(missing)))
    return found


def check_timeline(page, found):
    """The sums by name of commands; with blocks, the number of events only."""
    sums, count, blocks, kinds = collections.Counter(), 0, 0, collections.Counter()
    for _, title, text in page.tracks:
        last = -1
        for name, start, end, events in events_of(text):
            count += events
            blocks += events > 1
            kind = page.names[name - 1][0] if name else "b"
            kinds[kind] += end - start
            if kind in "kcf":
                sums[page.names[name - 1][1:]] += end - start
            if start < last or end < start:
                problem("%s: not in the order of starts" % title)
            last = start
    misplaced = any("because the machine did not run" in text for text in page.paragraphs)
    if not blocks and not misplaced and page.tracks:
        wanted = collections.Counter()
        for time, *_, name in found["GPU activities"]:
            wanted[name] += time
        if any(wanted[name] != sums[name] for name in set(wanted) | set(sums)
               if wanted[name] < EXACT):
            problem("the timeline has other sums than the table")
    print("%d events, %d blocks" % (count, blocks), file=sys.stderr)
    return count, kinds


def functions_of(page):
    """The names of a stack, from the outermost one on, and its own time; each before what it
    calls."""
    at, path = numbers(page.functions or ""), []
    for depth in at:
        if depth > len(path):
            problem("flame graph: a function of depth %d below %r" % (depth, path))
        path = path[:depth] + [page.names[next(at) - 1]]
        yield tuple(path), next(at)


def folded_of(path):
    """Stacks with their microseconds."""
    sums = collections.Counter()
    with open(path, encoding="utf-8") as file:
        for line in file:
            stack, time = line.rstrip("\n").rsplit(" ", 1)
            sums[stack] += int(time)
    return sums


def check_flame(page, path):
    """Returns the number of functions, and their times by kind."""
    sums, kinds, left_out, count = collections.Counter(), collections.Counter(), 0, 0
    for stack, time in functions_of(page):
        kinds[stack[-1][0]] += time
        left_out += stack[-1] == "o(other)"
        count += 1
        if stack[-1] != "o(other)":
            sums[";".join(name[1:].replace(";", ":") for name in stack)] += time
    if not os.path.exists(path):
        return count, kinds
    wanted = folded_of(path)
    if page.functions is None:
        if any(not stack.startswith("[unknown];") for stack in wanted):
            problem("no flame graph, and flame has call stacks")
        return count, kinds
    # Each time of `wanted` is less than a microsecond off, but the sum of each class is rounded.
    off = [stack for stack in set(sums) | set(wanted)
           if abs(sums[stack] - 1000 * wanted[stack]) >= 1000
           and (not left_out or sums[stack])]
    if off:
        problem("flame graph: other times than flame's: %.300r" % [
            (stack, sums[stack], wanted[stack]) for stack in off])
    if abs(sum(kinds.values()) - 1000 * sum(wanted.values())) > 1500:
        problem("flame graph: another total than flame's: %d" % sum(kinds.values()))
    return count, kinds


def check_dom(path, page, count, kinds, flame):
    with open(path, encoding="utf-8") as file:
        tag = re.search("<html[^>]*>", file.read()).group()
    made = html.parser.HTMLParser()
    values = {}
    made.handle_starttag = lambda tag, attrs: values.update(attrs)
    made.feed(tag)
    if not set(values) <= {"lang", "data-selfcheck", "data-view", "data-flame"}:
        problem("the document has the attributes %r" % sorted(values))
    check = json.loads(values.get("data-selfcheck") or "{}")
    tables = [{"title": table["title"], "rows": len(table["rows"]),
               "ns": min(sum(int(row[1][1]) for row in table["rows"]), EXACT),
               "calls": sum(int(row[2][1]) for row in table["rows"])} for table in page.tables]
    for table in check.get("tables", []):
        table["ns"] = min(table["ns"], EXACT)
    if check.get("tables") != tables or check.get("names") != len(page.names):
        problem("the script's tables: %r, not %r" % (check.get("tables"), tables))
    if check.get("events") != count or check.get("drawn") != count or check["kinds"] != kinds:
        problem("the script's events: %r, not %d" % (check, count))
    memory, count = check.get("memory", []), sum(len(list(points_of(text)))
                                                 for *_, text in page.memory)
    for track in memory:
        track["peak"] = min(track["peak"], EXACT)
    if memory != peaks_of(page) or check.get("points", 0) != count:
        problem("the script's memory in use: %d points, %.200r" % (check.get("points"), memory))
    total = sum(flame[1].values())
    drawn = check.get("flame", {"ms": 0})
    if flame[0] and dict(drawn, ms=0) != {"functions": flame[0], "total": total, "drawn": total,
                                          "kinds": flame[1], "ms": 0}:
        problem("the script's flame graph: %r, not %r" % (drawn, flame))
    print("%d ms for the flame graph" % drawn["ms"], file=sys.stderr)
    print("%d ms" % check.get("ms", -1), file=sys.stderr)


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    page = Page(data.decode())
    check_file(data, page)
    found = check_tables(page, sys.argv[2])
    count, kinds = check_timeline(page, found)
    flame = check_flame(page, sys.argv[1].replace(".html", ".folded"))
    if len(sys.argv) > 3:
        check_dom(sys.argv[3], page, count, kinds, flame)


if __name__ == "__main__":
    main()
