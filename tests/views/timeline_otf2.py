# SPDX-License-Identifier: MIT
"""For timeline.py: an archive of OTF2, by what otf2-print shows of it. As a program,
timeline_otf2.py sums ARCHIVE JSON says which sums of kernels, copies, fills and calls are not those
of a summary; timeline_otf2.py show ARCHIVE prints definitions."""

import collections
import json
import os
import re
import subprocess
import sys

STRING = re.compile(r'STRING +(\d+)  "(.*)"$')
ATTRIBUTE = re.compile(r'\("[^;]*" <(\d+)>; (\w+); ("?.*?"?)\)(?:, (?=\(")|$)')
REALS = {"occupancy", "gigabytes_per_second", "payload"}
COMMANDS = "kernel", "copy", "fill"


def printed(path, *options):
    """Returns the lines of otf2-print. With warnings it fails."""
    command = ["otf2-print", "-Werror", *options, os.path.join(path, "traces.otf2")]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode or done.stderr:
        raise ValueError("otf2-print: %d %r" % (done.returncode, done.stderr))
    return done.stdout.decode().split("\n")


def number(pattern, line):
    """Returns the number in the last place of the pattern."""
    return int(re.findall(pattern, line)[-1])


class Archive:
    """Spans are (location, region, start, end, attributes), values (location, time, bytes)."""

    def __init__(self, path):
        self.texts, self.groups, self.regions, self.attributes = {}, {}, {}, {}
        self.locations, self.parents, self.creators, self.nodes = {}, {}, {}, {}
        self.spans, self.values, self.wrong = [], [], []
        self.counts, self.open = collections.Counter(), collections.defaultdict(list)
        self.times, self.last, self.events = [], {}, {}
        for line in printed(path, "-G"):
            self.define(line)
        names = [line.split(None, 2)[2] for line in printed(path, "-I") if
                 line.startswith("Property name ")]
        values = [line.split(None, 2)[2] for line in printed(path, "-I") if
                  line.startswith("Property value ")]
        self.properties = dict(zip(names, values))
        for line in printed(path):
            self.event(line)
        self.check(not any(self.open.values()), "an event has no end")
        self.check(self.counts == +collections.Counter(self.events), "numbers of events")
        self.check(self.clock == ((min(self.times), max(self.times) - min(self.times))
                                  if self.times else (0, 0)), "clock: %r" % (self.clock,))

    def check(self, fine, text):
        if not fine:
            self.wrong.append(text)

    def text(self, name, line):
        return self.texts[number(name + r': ".*?" <(\d+)>', line)]

    def define(self, line):
        kind = line.split(" ", 1)[0]
        if kind == "STRING":
            ident, text = STRING.match(line).groups()
            self.texts[int(ident)] = text
            self.check(len(self.texts) == int(ident) + 1, "numbers of texts")
        elif kind == "CLOCK_PROPERTIES":
            self.check("Ticks per Seconds: 1000000000," in line, "resolution")
            self.clock = number(r"Offset: (\d+)", line), number(r"Length: (\d+)", line)
        elif kind in ("SYSTEM_TREE_NODE", "LOCATION_GROUP", "LOCATION", "REGION", "ATTRIBUTE"):
            getattr(self, kind.lower())(int(line.split()[1]), line)

    def system_tree_node(self, ident, line):
        self.nodes[ident] = self.text("Name", line)

    def location_group(self, ident, line):
        device = ", Type: ACCELERATOR, " in line
        self.check(device or line.endswith("Type: PROCESS, Parent: %s, Creator: UNDEFINED" %
                                           re.findall(r'Parent: ("node::.*" <\d+>),', line)[-1]),
                   "a group is no process: " + line)
        self.groups[ident] = self.text("Name", line)
        self.creators[ident] = number(r'Creator: .* <(\d+)>', line) if device else None

    def location(self, ident, line):
        self.check(ident == len(self.locations), "numbers of locations")
        self.locations[ident] = self.text("Name", line), re.findall(r"Type: (\w+),", line)[-1]
        self.events[ident] = number(r"# Events: (\d+)", line)
        self.parents[ident] = number(r"Group: .* <(\d+)>", line)

    def region(self, ident, line):
        name, also, kind = re.findall(r'<(\d+)> \(Aka. .* <(\d+)>\), Descr.: .* <(\d+)>, Role',
                                      line)[-1]
        self.regions[ident] = tuple(self.texts[int(each)] for each in (name, also, kind))

    def attribute(self, ident, line):
        self.attributes[ident] = self.text("Name", line)

    def event(self, line):
        kind, *words = line.split(None, 3)[:3] or [""]
        if kind in ("ENTER", "LEAVE", "METRIC"):
            location, time = map(int, words)
            self.times.append(time)
            self.counts[location] += 1
            self.check(self.last.get(location, 0) <= time, "order in location %d" % location)
            self.last[location] = time
        if kind == "METRIC":
            self.values.append((location, time, number(r"; UINT64; (\d+)\)$", line)))
        elif kind == "ENTER":
            span = [location, number(r" <(\d+)>$", line), time, None, {}]
            self.spans.append(span)
            self.open[location].append(span)
        elif kind == "LEAVE":
            span = self.open[location].pop()
            self.check(span[1] == number(r" <(\d+)>$", line), "another region is left")
            span[3] = time
        elif kind == "ADDITIONAL":
            self.spans[-1][4] = self.values_of(line.split(": ", 1)[1])

    def values_of(self, line):
        """Returns the attributes by name."""
        values, end = {}, 0
        for found in ATTRIBUTE.finditer(line):
            ident, kind, value = found.groups()
            self.check(found.start() == end, "attributes: " + line)
            end = found.end()
            if kind == "STRING":
                value = self.texts[int(value.rsplit("<", 1)[1].rstrip(">"))]
            elif kind != "DOUBLE":
                value = int(value)
            values[self.attributes[int(ident)]] = value
        self.check(end == len(line), "attributes: " + line)
        return values


def signed(time):
    time &= (1 << 64) - 1
    return time - (time >> 63 << 64)


def real(value):
    """As otf2-print shows it."""
    return "%g" % value


def otf2_value(value):
    if isinstance(value, float):
        return real(value)
    if isinstance(value, tuple):
        return value[1] if value[0] == "time" else real(value[1])
    if isinstance(value, dict):
        return {name: otf2_value(each) for name, each in value.items()}
    return value


class Otf2:
    def __init__(self, path, event, base, check):
        self.archive, self.make, self.base, self.check = Archive(path), event, base, check
        archive = self.archive
        self.tracks = {(archive.parents[ident], ident): name
                       for ident, (name, _) in archive.locations.items()}

    def place(self, location):
        name, _ = self.archive.locations[location]
        return self.archive.groups[self.archive.parents[location]], self.base(name)

    def arguments(self, trace, attributes):
        """Vectors and counters are what they are in other timelines."""
        result, counters = {}, {}
        first = attributes.pop("first_command", None)
        if "result" in attributes:
            self.check(first in trace.firsts[attributes["correlation"]], "first_command")
        for name, value in attributes.items():
            if name in ("queued", "submitted"):
                result[name] = signed(value - trace.zero())
            elif re.match(r"(grid|block)_[xyz]$", name):
                result.setdefault(name[:-2], []).append(value)
            elif isinstance(value, str) and name not in REALS and \
                    re.match(r"-?[\d.]+(e[-+]\d+)?$", value) and name in trace.counter_names:
                counters[name] = value
            else:
                result[name] = value
        return dict(result, counters=counters) if counters else result

    def events(self, trace):
        trace.firsts = collections.defaultdict(set)
        for call in trace.calls:
            trace.firsts[call["correlation"]].add(
                call["made"] if call["made"] and call["records"] else None)
        trace.counter_names = {column[1:] for columns in trace.counters for column in columns}
        for location, region, start, end, attributes in self.archive.spans:
            _, name, category = self.archive.regions[region]
            track = self.place(location)
            stream = self.archive.locations[location][1] == "ACCELERATOR_STREAM"
            self.check(stream == (category in COMMANDS), "type of %r" % (track,))
            yield self.make("mark" if category == "mark" else "slice", *track, category, name,
                            signed(start - trace.zero()), signed(end - trace.zero()),
                            ()), self.arguments(trace, attributes)
        for location, time, value in self.archive.values:
            time = signed(time - trace.zero())
            self.check(self.archive.locations[location][1] == "METRIC", "type of a metric")
            yield self.make("counter", *self.place(location), "", "", time, time,
                            ()), {"bytes": value}

    def callers(self, trace):
        return collections.defaultdict(list)

    def whole(self, trace):
        for text in self.archive.wrong:
            self.check(False, text)
        names = [(self.archive.parents[ident], name)
                 for ident, (name, _) in self.archive.locations.items()]
        self.check(len(set(names)) == len(names), "two locations of one name")
        for name, number_ in ("LOST_RECORDS", trace.lost), ("LOST_EVENTS", trace.lost_events):
            self.check(self.archive.properties["COMPUTEPROF::" + name] == str(number_), name)

    value = staticmethod(otf2_value)


def sums(archive):
    """Returns the number and the sum of times of calls and of commands, by category and name;
    copies and fills are one name."""
    found = collections.defaultdict(lambda: (0, 0))
    for _, region, start, end, _ in archive.spans:
        _, name, category = archive.regions[region]
        if category == "call" or category in COMMANDS:
            key = category, name if category in ("call", "kernel") else ""
            found[key] = found[key][0] + 1, found[key][1] + end - start
    return dict(found)


def summed(path):
    """Returns the same of the JSON of a summary."""
    with open(path, encoding="utf-8") as file:
        root = json.load(file)
    found = collections.defaultdict(lambda: (0, 0))
    for process in root.get("processes", [root]):
        for row in process["activities"] + process["calls"]:
            kind = row.get("kind", "call")
            key = kind, row["name"] if kind in ("call", "kernel") else ""
            if row["count"]:
                found[key] = found[key][0] + row["count"], found[key][1] + row["total_ns"]
    return dict(found)


def differences(path, summary):
    """Yields what the archive does not have as the JSON of a summary has it."""
    archive = Archive(path)
    yield from archive.wrong
    got, wanted = sums(archive), summed(summary)
    for key in sorted(got.keys() | wanted.keys()):
        if got.get(key) != wanted.get(key):
            yield "%r: %r, not %r" % (key, got.get(key), wanted.get(key))
    if not wanted:
        yield "the summary is empty"


def show(path):
    """Yields the definitions and the properties that tests look for, a line each."""
    archive = Archive(path)
    for ident, name in archive.nodes.items():
        yield "node %d %s" % (ident, name)
    for ident, name in archive.groups.items():
        yield "group %d of %r: %s" % (ident, archive.creators[ident], name)
    for ident, (name, kind) in archive.locations.items():
        yield "location %d of %d: %s %s" % (ident, archive.parents[ident], kind, name)
    for name, also, category in archive.regions.values():
        yield "region %s %s: %s" % (category, also, name)
    for name, value in archive.properties.items():
        yield "property %s %s" % (name, value)


if __name__ == "__main__":
    for line in {"sums": differences, "show": show}[sys.argv[1]](*sys.argv[2:]):
        print(line)
