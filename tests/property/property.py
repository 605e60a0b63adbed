#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""property.py TOOL FIRST COUNT [JOBS]: makes COUNT random traces from seed FIRST on, and
compares all views that the tool makes of them with a reference reader. Prints each difference with
its seed and the smallest trace that shows it.
property.py TOOL known: the same for the traces of known.py."""

import os
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the tests' folder may be somebody else's
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "views")]

import databases
import flames
import generate
import known
import logs
import nsys
import pages
import parquets
import running
import summary
import tables
import timelines
import tracefile
from reference import Refused, Trace

BATCH = 20
TOGETHER = 3  # traces in one timeline
MOST_BAD = 5  # traces with differences, before it ends
FORMS = ((("classic", "kvp"), ("cuda4", "csv")), (("classic", "csv"), ("cuda4", "kvp")))
TIMELINES = (".pftrace", ".trace.json", *[".otf2"] * bool(shutil.which("otf2-print")))
SUMMARY = "summary.json"


class Case:
    """A trace with its files. `trace` is None if it is not one."""

    def __init__(self, folder, seed, data, is_odd, is_known=False):
        self.seed, self.data, self.is_odd, self.is_known = seed, data, is_odd, is_known
        self.path = os.path.join(folder, "t%d.cptrace" % seed)
        with open(self.path, "wb") as file:
            file.write(data)
        self.found = []
        try:
            self.trace = Trace(data)
        except Refused:
            self.trace = None

    def name(self, extension):
        return "t%d%s" % (self.seed, extension)


def guarded(case, check, *arguments):
    """Runs a check. An output that cannot be read at all is a difference, too."""
    try:
        check(*arguments)
    except Exception as error:  # pylint: disable=broad-exception-caught
        case.found.append("%s: unreadable: %r" % (check.__name__, error))


class Checker:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        for name, words in ("columns", logs.WORDS), ("untimed", logs.WORDS[3:]):
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write("\n".join(words) + "\n")

    def run(self, *words):
        """The exit status, the lines of stdout and those of stderr."""
        done = subprocess.run(
            [self.tool, *words], cwd=self.folder, capture_output=True, timeout=120, check=False
        )
        return (
            done.returncode,
            done.stdout.decode(),
            done.stderr.decode(errors="replace").splitlines(),
        )

    def reports(self, paths):
        """The lines of the report on each file."""
        _, text, said = self.run("report", *tables.OPTIONS, *paths)
        if len(paths) == 1:
            return {paths[0]: text.split("\n")}, said
        parts, lines = {}, []
        for line in text.split("\n"):
            if line.startswith("======== File: "):
                lines = parts.setdefault(line[15:], [])
            else:
                lines.append(line)
        return parts, said

    def check(self, cases):
        """Adds each difference to `found` of its case."""
        rows = [
            case
            for case in cases
            if case.trace and case.trace.totals and not case.is_odd and running.is_plain(case.trace)
        ]
        if rows:
            guarded(rows[0], self.summaries, rows, running.compare)
        cases = [case for case in cases if not case.trace or not case.trace.totals]
        whole = [case for case in cases if case.trace]
        if whole:
            guarded(whole[0], self.summaries, whole, summary.compare)
            guarded(whole[0], self.together, whole)
        paths = [case.name(".cptrace") for case in cases]
        for case in whole:
            for view in self.VIEWS:
                guarded(case, view, self, case)
            paths += case.again
        printed, said = self.reports(paths)
        for case in whole:
            guarded(case, self.report, case, printed)
        for case in cases:
            if (
                not case.trace
                and case.name(".cptrace") in printed
                and printed[case.name(".cptrace")] != [""]
            ):
                case.found.append("a file that is no trace has a report")
        damages = [
            "the trace is damaged at byte %d" % case.trace.damaged
            for case in whole
            if case.trace.damaged is not None
        ]
        heard = [line.split(": ", 1)[1] for line in said if "the trace is damaged at byte" in line]
        if heard != damages:
            for case in whole[:1]:
                case.found.append("damages of the batch: %r, not %r" % (heard, damages))

    def summaries(self, cases, compare):
        """All of them in one file: a file of several processes is the sum of its parts."""
        unique = {}
        for case in cases:
            if case.trace.pid not in unique and case.trace.pid:
                unique[case.trace.pid] = case
        chosen = list(unique.values())
        if not chosen:
            return
        self.run("print", "-f", "-o", SUMMARY, *(case.name(".cptrace") for case in chosen))
        root = summary.read(os.path.join(self.folder, SUMMARY))
        parts = root.get("processes", [root])
        if len(parts) > 1 and compare == summary.compare:
            for difference in summary.compare_whole([case.trace for case in chosen], root):
                chosen[0].found.append(difference)
        by_pid = {part["process"]: part for part in parts}
        for pid, case in unique.items():
            if pid not in by_pid:
                case.found.append("JSON: process %d is missing" % pid)
            else:
                case.found += compare(case.trace, by_pid[pid])

    def print_all(self, name, cases):
        """The bytes of the file that is made of all of them."""
        self.run("print", "-f", "-o", name, *(case.name(".cptrace") for case in cases))
        with open(os.path.join(self.folder, name), "rb") as file:
            return file.read()

    def together(self, cases):
        """A timeline of Perfetto's form of several processes is that of each behind the others."""
        unique = {case.trace.pid: case for case in cases if not case.is_odd and case.trace.pid}
        chosen = list(unique.values())[:TOGETHER]
        if len(chosen) < 2:
            return
        parts = [self.print_all("one.pftrace", [case]) for case in chosen]
        whole = self.print_all("all.pftrace", chosen)
        for case, part in zip(chosen, parts):
            if part not in whole:
                case.found.append("timeline of several processes: it has other contents")
        if len(whole) != sum(map(len, parts)):
            chosen[0].found.append("timeline of several processes: %d bytes" % len(whole))

    def print_logs(self, case, dialect, form, timed):
        """The paths of the logs, in the order of their groups."""
        extension = ".csv" if form == "csv" else ".log"
        name = case.name("-%s%s" % (dialect, extension))
        _, _, said = self.run(
            "print",
            "-f",
            "-c",
            "./columns" if timed else "./untimed",
            "-d",
            dialect,
            "-o",
            name,
            case.name(".cptrace"),
        )
        return [line.split("log: ", 1)[1] for line in said if line.startswith("computeprof: log: ")]

    def logs(self, case):
        case.again, case.groups = [], []
        trace = case.trace
        numbers = [(device.api, device.number) for device in trace.devices]
        indices = [(context.api, context.index) for context in trace.contexts]
        mixed = any(
            trace.contexts[record.context].api != trace.devices[record.device].api
            for record in trace.records
        )
        if len(set(numbers)) < len(numbers) or len(set(indices)) < len(indices) or mixed:
            return  # names of logs are not clear
        for dialect, form in FORMS[case.seed % 2]:
            # Without the time stamps a row of cuda4 begins with the method.
            timed = dialect == "classic" or case.seed % 3 > 0
            paths = self.print_logs(case, dialect, form, timed)
            texts = []
            for path in paths:
                with open(os.path.join(self.folder, path), encoding="utf-8", newline="\n") as file:
                    texts.append(file.read())
            case.found += logs.compare(trace, texts, dialect, form, timed)
            groups = logs.groups_of(trace, dialect)
            if len(groups) == len(paths) and paths:
                if timed:
                    case.again += paths
                    case.groups += groups
                one = case.seed % len(paths)
                self.convert(case, paths[one], groups[one], dialect, form, timed)

    def convert(self, case, path, group, dialect, form, timed):
        """A log in the other format is the one that the trace makes."""
        other = "kvp" if form == "csv" else "csv"
        _, text, _ = self.run("print", "--" + other, path)
        wanted = logs.text_of(case.trace, group, dialect, other, timed)
        if logs.comparable(text, other) != logs.comparable(wanted, other):
            pairs = [
                pair
                for pair in zip(text.split("\n"), wanted.split("\n"))
                if logs.comparable(pair[0], other) != logs.comparable(pair[1], other)
            ]
            case.found.append(
                "%s of a %s log, %s: %r" % (other, form, dialect, pairs[:1] or "lines")
            )

    def database(self, case):
        name = case.name(".sqlite")
        status, _, said = self.run("print", "-f", "-o", name, case.name(".cptrace"))
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            case.found.append("no database: %d %r" % (status, said))
            return
        case.found += databases.compare(case.trace, path, case.is_odd)
        if case.trace.damaged is None:
            case.again.append(name)
            case.groups.append(None)

    def nsys(self, case):
        name = case.name(".nsys.sqlite")
        if case.seed % 4 and not case.is_known:
            return  # the same rows as in the other form, mostly
        status, _, said = self.run("print", "-f", "-o", name, case.name(".cptrace"))
        path = os.path.join(self.folder, name)
        if os.path.exists(path):
            case.found += [] if case.is_odd else nsys.compare(case.trace, path)
        else:
            case.found.append("no database of Nsight's form: %d %r" % (status, said))

    def parquet(self, case):
        if case.seed % 2 and not case.is_known:
            return
        name = case.name(".parquet")
        status, _, said = self.run("print", "-f", "-o", name, case.name(".cptrace"))
        path = os.path.join(self.folder, name)
        if os.path.exists(path):
            case.found += parquets.compare(case.trace, path)
        else:
            case.found.append("no Parquet file: %d %r" % (status, said))

    def flame(self, case):
        stacks = case.trace.nodes
        if case.is_odd or (case.seed % 4 and not stacks):
            return  # without stacks a flame graph has little
        name = case.name(flames.FORMS[(case.seed // 4 + case.seed) % len(flames.FORMS)])
        status, _, said = self.run("print", "-f", "-o", name, case.name(".cptrace"))
        path = os.path.join(self.folder, name)
        if os.path.exists(path):
            case.found += flames.compare(case.trace, path)
        else:
            case.found.append("no flame graph: %d %r" % (status, said))

    def page(self, case):
        if case.is_odd or case.seed % 3 != 1:
            return
        name = case.name(".html")
        status, _, said = self.run("print", "-f", "-o", name, case.name(".cptrace"))
        path = os.path.join(self.folder, name)
        if os.path.exists(path):
            case.found += pages.compare(case.trace, case.path, path, timelines.is_clear(case.trace))
        else:
            case.found.append("no page: %d %r" % (status, said))

    def timeline(self, case):
        one = TIMELINES[case.seed // 2 % len(TIMELINES)]
        for extension in TIMELINES if case.is_known else [one]:
            self.timeline_of(case, case.name(extension))

    def timeline_of(self, case, name):
        status, _, said = self.run("print", "-f", "-o", name, case.name(".cptrace"))
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            case.found.append("no timeline: %d %r" % (status, said))
            return
        if not case.is_odd:
            case.found += timelines.compare(case.trace, case.path, path)

    VIEWS = logs, database, nsys, parquet, flame, page, timeline

    @staticmethod
    def report(case, printed):
        lines = printed.get(case.name(".cptrace"), [])
        case.found += tables.compare(case.trace, lines)
        for path, group in zip(case.again, case.groups):
            again = tables.Printed(printed.get(path, []))
            if not again.tables:
                case.found.append("no report of %s" % path)
            elif group:
                case.found += logs.compare_report(
                    case.trace, group, again.tables[0], tables.Printed.rows
                )
            else:
                case.found += (
                    []
                    if case.is_odd
                    else databases.compare_report(case.trace, tables.Printed(lines), again)
                )


def chunks(data):
    """The header, and the frames as far as they can be told."""
    try:
        trace = Trace(data)
        size = tracefile.table(data)[0]
    except (Refused, struct.error):
        return None
    at, frames = size, []
    while at + 24 <= len(data):
        length = int.from_bytes(data[at : at + 4], "little")
        if length < 24 or length > len(data) - at:
            break
        frames.append(data[at : at + length])
        at += length
    return data[:size], frames, data[at:], trace.cut


def joined(head, frames, rest, cut):
    """A trace of these frames; if it was whole, its END has their number."""
    frames = list(frames)
    if cut is None and frames and int.from_bytes(frames[-1][4:6], "little") == 25:
        frames[-1] = frames[-1][:24] + (len(frames) - 1).to_bytes(8, "little") + frames[-1][32:]
    return head + b"".join(frames) + rest


def shrink(checker, whole):
    """The smallest trace of the same kind of difference that leaving out frames finds, and its
    differences."""

    def differences(candidate):
        case = Case(checker.folder, whole.seed, candidate, whole.is_odd, whole.is_known)
        checker.check([case])
        return case.found

    found, parts, tries = differences(whole.data), chunks(whole.data), 0
    if not found or not parts:
        return whole.data, found
    head, frames, rest, cut = parts
    first = found[0].split(":")[0].split(",")[0]
    step = max(len(frames) // 2, 1)
    while step and tries < 300:
        at = 0
        while at < len(frames) and tries < 300:
            kept = frames[:at] + frames[at + step :]
            tries += 1
            now = differences(joined(head, kept, rest, cut))
            if any(line.startswith(first) for line in now):
                frames, found = kept, now
            else:
                at += step
        step //= 2
    return joined(head, frames, rest, cut), found


def tell(checker, case):
    """Prints the smallest trace of a case; its bytes are in a file if PROPERTY_KEEP is set."""
    small, found = shrink(checker, case)
    kept = os.environ.get("PROPERTY_KEEP")
    print("  smallest: %s" % (found[0] if found else "only together with other traces"))
    parts = chunks(small)
    for frame in parts[1] if parts else ():
        print("  kind %d: %s" % (int.from_bytes(frame[4:6], "little"), frame.hex()))
    if kept:
        path = os.path.join(kept, "%d.cptrace" % case.seed)
        with open(path, "wb") as file:
            file.write(small)
        print("  in " + path)


def batches(first, count):
    """The seeds, traces and oddness of all cases, some at a time."""
    for start in range(first, first + count, BATCH):
        yield [
            (seed, *generate.make(seed)) for seed in range(start, min(start + BATCH, first + count))
        ]


def known_cases():
    """The traces of known.py; one that shows a difference has the number of its line there."""
    return [[(make.__code__.co_firstlineno, make(), False, True)] for make in known.CASES]


def check_all(tool, many):
    """Returns the numbers of traces, and of those with a difference; these are printed."""
    done = bad = 0
    for batch in many:
        if bad >= MOST_BAD:
            break
        with tempfile.TemporaryDirectory(prefix="property.") as folder:
            checker = Checker(os.path.abspath(tool), folder)
            cases = [Case(folder, *each) for each in batch]
            checker.check(cases)
            done += len(cases)
            if done % 5000 == 0:
                print("%d traces so far" % done, file=sys.stderr, flush=True)
            for case in cases:
                if case.found:
                    bad += 1
                    print("seed %d: %s" % (case.seed, case.found[0]))
                    tell(checker, case)
                    sys.stdout.flush()
    return done, bad


def run(tool, many):
    """Prints the numbers of traces; returns whether one had a difference."""
    done, bad = check_all(tool, many)
    print("%d traces, %d with differences" % (done, bad), file=sys.stderr, flush=True)
    return bad > 0


def main(tool, first, count=0, jobs=1):
    if first == "known":
        sys.exit(run(tool, known_cases()))
    first, count, jobs = int(first), int(count), int(jobs)
    share, children = -(-count // jobs), []
    for start in range(first, first + count, share):
        children.append(os.fork())
        if not children[-1]:
            os._exit(run(tool, batches(start, min(share, first + count - start))))
    sys.exit(any([os.waitpid(child, 0)[1] for child in children]))


if __name__ == "__main__":
    main(*sys.argv[1:])
