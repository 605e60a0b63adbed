# SPDX-License-Identifier: MIT
"""The stacks and times that a flame graph has to have of a trace, in each of its formats:
doc/FORMAT, section 17. No module of a random trace exists, so no function of it has a name."""

import collections
import gzip
import json
import re
import xml.etree.ElementTree

from pages import plain
from reference import FILL, KERNEL, MOST, STREAM, TIMES, direction, duration, escape
from timeline_perfetto import fields

FORMS = (".folded", ".pb.gz", ".speedscope.json", ".svg")
CLASSES = ("cpu", "gpu", "wait")
PROFILES = {"GPU": "gpu", "CPU": "cpu", "waits for the GPU": "wait"}
UNKNOWN = ("[unknown]",)
DRIVERS = (b"libcuda.so", b"libcudart.so", b"libcupti.so", b"libOpenCL.so")
SAMPLE_ON_DEVICE, WAIT_OF_DEVICE, ANY = 1, 2, (1 << 32) - 1
WAITS = {1: "event", 2: "event", 3: "stream", 4: "context"}
HIDDEN = 4000  # a box with a smaller part of the time is not drawn


def file_of(path):
    return path.split(b"\0")[0].rsplit(b"/", 1)[-1]


class Stacks:
    """Names of the functions of a stack, the outermost first."""

    def __init__(self, trace):
        self.trace = trace

    def module(self, node):
        module = self.trace.nodes[node - 1][1]
        return file_of(self.trace.modules[module - 1]) if module else b""

    def is_own(self, node):
        return self.module(node).startswith(b"libcomputeprof.so")

    def is_driver(self, node):
        return self.module(node).startswith(DRIVERS)

    def parent(self, node):
        return self.trace.nodes[node - 1][0]

    def name(self, node):
        """The name of a node's function, and whether it stands for several."""
        _, module, name, offset = self.trace.nodes[node - 1]
        text = self.trace.text(name).split(b"\0")[0]
        file = file_of(self.trace.text(offset >> 32))
        if name and (offset or not text.startswith(b"[")):
            line = offset & 0xFFFFFFFF
            return escape(b"%s (%s:%d)" % (text, file or b"?", line)), False
        text = text if name else self.module(node) if module else b"unknown"
        return escape(text if text.startswith(b"[") else b"[%s]" % text), True

    def path(self, node):
        if not node:
            return ()
        path = self.path(self.parent(node))
        if self.is_own(node):
            return path
        name, is_bracketed = self.name(node)
        return path if is_bracketed and path[-1:] == (name,) else path + (name,)

    def of_call(self, node):
        while node and self.is_own(node):
            node = self.parent(node)
        while node and self.is_driver(node) and self.parent(node):
            if not self.is_driver(self.parent(node)):
                break
            node = self.parent(node)
        return self.path(node) if node else UNKNOWN

    def of_sample(self, node):
        if not node:
            return UNKNOWN
        return self.path(node) + (("[computeprof]",) if self.is_own(node) else ())


def command(trace, kind, name, record):
    if kind == KERNEL:
        return plain(escape(trace.text(name)) or "unknown_kernel")
    return "memset" if kind == FILL else ("memcpy " + direction(record)).rstrip()


def wait_leaf(trace, wait):
    """The name below a wait. It can be that of any of several commands that end together."""
    ends = collections.defaultdict(set)
    for record in trace.records:
        time = record.ended - trace.shift & MOST
        if (
            record.known & TIMES
            and wait.enter <= time <= wait.leave
            and wait.context in (ANY, record.context)
            and (wait.stream in (ANY, record.stream) or not record.known & STREAM)
        ):
            ends[time].add(command(trace, record.kind, record.name, record))
    if not ends:
        return "[CPU_wait]" + WAITS.get(wait.kind, "")
    names = ends[max(ends)]
    return "[CPU_wait]" + names.pop() if len(names) == 1 else None


def expected(trace):
    """The time of each class, stack, thread and device, and whether all names are clear."""
    stacks, sums, is_clear = Stacks(trace), collections.Counter(), True
    for record in trace.records:
        name = command(trace, record.kind, record.name, record)
        leaf = "[GPU_Kernel]" + name if record.kind == KERNEL else "[GPU_%s]" % name
        device = trace.devices[record.device]
        time = duration(record.started, record.ended) if record.known & TIMES else 0
        sums[
            "gpu",
            stacks.of_call(record.stack) + (leaf,),
            record.thread,
            "%s (%d)" % (escape(device.name), device.number),
        ] += time
    for sample in trace.events["sample"]:
        if not sample.flags & SAMPLE_ON_DEVICE:
            sums["cpu", stacks.of_sample(sample.stack), sample.thread, None] += sample.weight
    for wait in trace.events["wait"]:
        if wait.kind != WAIT_OF_DEVICE:
            leaf = wait_leaf(trace, wait)
            is_clear &= leaf is not None
            path = stacks.of_call(wait.stack) + (leaf or "",)
            sums["wait", path, wait.thread, None] += duration(wait.enter, wait.leave)
    return sums, is_clear


def only(sums, *parts):
    """The sums by these parts of their keys."""
    left = collections.Counter()
    for key, time in sums.items():
        left[tuple(key[part] for part in parts)] += time
    return left


def plainly(path):
    """The last name may be demangled."""
    found = re.fullmatch(r"(\[CPU_wait\]|\[GPU_Kernel\])(.*)", path[-1])
    return path[:-1] + (found[1] + plain(found[2]),) if found else path


def unnamed(sums):
    """The sums without the names of waits: these are the second part of a key, or its end."""
    left = collections.Counter()
    for (kind, path, *rest), time in sums.items():
        left[(kind, path[:-1] if kind == "wait" else path, *rest)] += time
    return left


def packed(message):
    found = collections.defaultdict(list)
    for number, value in fields(message):
        found[number].append(value)
    return found


def pprof(path):
    """The time of each class, stack, thread and device."""
    with gzip.open(path) as file:
        profile = packed(file.read())
    strings = [text.decode() for text in profile[6]]
    functions = {at[1][0]: strings[at[2][0]] for at in map(packed, profile[5])}
    locations = {at[1][0]: functions[packed(at[4][0])[1][0]] for at in map(packed, profile[4])}
    types = [strings[packed(each)[1][0]] for each in profile[1]]
    sums = collections.Counter()
    for sample in map(packed, profile[2]):
        labels = {strings[label[1][0]]: label for label in map(packed, sample[3])}
        thread = labels["thread"][3][0] if "thread" in labels else 0
        device = strings[labels["device"][2][0]] if "device" in labels else None
        stack = plainly(tuple(locations[at] for at in reversed(sample[1])))
        for kind, time in zip(types, sample[2]):
            sums[kind, stack, thread, device] += time
    return +sums


def speedscope(path):
    """The time of each class and stack."""
    with open(path, encoding="utf-8") as file:
        root = json.load(file)
    frames, sums = root["shared"]["frames"], collections.Counter()
    for profile in root["profiles"]:
        if len(profile["samples"]) != len(profile["weights"]):
            raise ValueError("samples without weights")
        if profile["endValue"] != sum(profile["weights"]):
            raise ValueError("the end is not the sum")
        for sample, weight in zip(profile["samples"], profile["weights"]):
            stack = plainly(tuple(frames[at]["name"] for at in sample))
            sums[PROFILES[profile["name"]], stack] += weight
    return +sums


def compare_exact(form, got, wanted, is_clear):
    if not is_clear:
        got, wanted = unnamed(got), unnamed(wanted)
    got, wanted = +got, +wanted
    if got != wanted:
        yield "flame graph, %s: %r, not %r" % (
            form,
            list((got - wanted).items())[:2],
            list((wanted - got).items())[:2],
        )


def compare_folded(path, sums, is_clear):
    """Each stack is less than a unit from its time, and all of them have the whole time."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rsplit(" ", 1) for line in file.read().split("\n")[:-1]]
    whole = only(sums, 0)
    got, wanted = collections.Counter(), collections.Counter()
    for stack, units in lines:
        got[plainly(tuple(stack.split(";")))] += int(units)
    for (_, stack), time in only(sums, 0, 1).items():
        wanted[tuple(name.replace(";", ":") for name in stack)] += time
    total = sum((time + 500) // 1000 for time in whole.values())
    if sum(got.values()) != total:
        yield "flame graph, folded: %d us, not %d" % (sum(got.values()), total)
    if not is_clear:
        return
    for stack in sorted(set(got) | set(wanted)):
        if abs(1000 * got[stack] - wanted[stack]) >= 1000 * len(whole):
            yield "flame graph, folded: %r: %d us of %d ns" % (stack, got[stack], wanted[stack])


def compare_svg(path, sums, is_clear):
    """The depths, names and times of the boxes."""
    root = xml.etree.ElementTree.parse(path).getroot()
    got, wanted = collections.Counter(), collections.Counter()
    for box in root.iter("{http://www.w3.org/2000/svg}g"):
        y = int(box.find("{http://www.w3.org/2000/svg}rect").get("y"))
        stack = plainly((box.get("data-n"),))
        got[(y - 50) // 17, stack[0], int(box.get("data-w"))] += 1
    functions = collections.Counter()
    for (stack,), time in only(sums, 1).items():
        for depth in range(len(stack)):
            functions[stack[: depth + 1]] += time
    whole = sum(sums.values())
    for stack, time in functions.items():
        if time and time >= whole // HIDDEN:
            wanted[len(stack) - 1, stack[-1], time] += 1
    if int(root.get("data-total")) != whole:
        yield "flame graph, svg: %s ns, not %d" % (root.get("data-total"), whole)
    if is_clear and got != wanted:
        yield "flame graph, svg: %r, not %r" % (list(got - wanted)[:2], list(wanted - got)[:2])


def compare(trace, path):
    """Yields each difference between the flame graph and the trace."""
    sums, is_clear = expected(trace)
    if path.endswith(".pb.gz"):
        yield from compare_exact("pprof", pprof(path), sums, is_clear)
    elif path.endswith(".speedscope.json"):
        yield from compare_exact("speedscope", speedscope(path), only(sums, 0, 1), is_clear)
    elif path.endswith(".svg"):
        yield from compare_svg(path, sums, is_clear)
    else:
        yield from compare_folded(path, sums, is_clear)
