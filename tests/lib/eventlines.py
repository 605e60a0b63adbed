# SPDX-License-Identifier: MIT
"""eventlines.py compare STREAM TRACE: compares the lines of an event stream with a trace of the
same run, field by field, and prints the differences, then the number of lines of each type.

eventlines.py check STREAM...: prints wrong lines, then "LINES of data, LOST": the sum of LOST
lines.

eventlines.py serve KIND SOCKET: accepts one connection (KIND stream, seqpacket or dgram) and
prints what comes. "ready" on stderr: it can come.

eventlines.py slow FIFO BYTES SECONDS [FILE]: prints what comes, after each BYTES it sleeps; with
FILE it reads nothing until that exists. "ready" on stderr: it has opened the FIFO.

eventlines.py some FIFO BYTES: reads so much, and ends without reading on."""

import collections
import json
import os
import re
import select
import socket
import struct
import sys
import time

sys.dont_write_bytecode = True  # the tests' folder may be somebody else's
import tracefile

MEMORY = ["UNKNOWN", "PAGEABLE", "PINNED", "DEVICE", "ARRAY", "MANAGED", "DEVICE_STATIC", "PIPE"]
DATA = ("CONCURRENT_KERNEL", "MEMCPY", "MEMCPY2", "MEMSET", "OPENCL", "RUNTIME", "DRIVER",
        "MEMORY2", "MARKER", "SAMPLE", "USE", "CHANGE")
mistakes = 0


def wrong(*words):
    """Prints the first mistakes."""
    global mistakes
    mistakes += 1
    if mistakes <= 10:
        print("wrong:", *words)


def read(path):
    """The lines, each a dictionary."""
    with open(path, "rb") as file:
        lines = file.read().split(b"\n")
    if lines.pop():
        wrong("the last line has no end")
    found = []
    for line in lines:
        try:
            found.append(json.loads(line))
        except ValueError:
            wrong("no JSON:", line[:300])
    return found


class Expected:
    """The lines that a trace should have."""

    def __init__(self, path):
        self.trace = tracefile.Trace(path)
        self.devices, self.contexts, self.records = {}, {}, []
        with open(path, "rb") as file:
            for kind, frame in tracefile.frames(file.read()):
                self.take(kind, frame)

    def take(self, kind, frame):
        """Reads a frame."""
        body = tracefile.FRAME.size
        if kind == 2:
            self.pid, self.shift = struct.unpack_from("<I4x8xq", frame, body)
        elif kind == 4:
            number, _, shown = struct.unpack_from("<III", frame, body)
            self.devices[number] = shown
        elif kind == 5:
            number, _, index = struct.unpack_from("<III", frame, body)
            self.contexts[number] = index
        elif kind in tracefile.RECORDS:
            self.records.append((kind, frame))

    def text(self, name):
        """The name with this id, as lines have it."""
        text = self.trace.names[name].replace(b"\\x", b"\\x5cx")
        text = text.decode("utf-8", "backslashreplace")
        return re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029]", lambda found: "".join(
            "\\x%02x" % byte for byte in found[0].encode()), text)

    def end(self, line, thread, stack):
        """The members at the end of each line."""
        line["processId"] = self.pid
        if thread:
            line["threadId"] = thread
        frames = []
        while stack:
            node = self.trace.stacks[stack]
            if node.module:
                frames.append("%s+0x%x" % (self.trace.modules[node.module].decode(), node.offset))
            else:
                frames.append(self.text(node.name) if node.name else "0x%x" % node.offset)
            stack = node.parent
        if frames:
            line["stack"] = frames[::-1]
        return line

    def place(self, line, device, context):
        """The members of a device and context."""
        if device in self.devices:
            line["deviceId"] = self.devices[device]
        if context in self.contexts:
            line["contextId"] = self.contexts[context]

    def record(self, kind, frame):
        """The line of a record."""
        _, _, flags, correlation, thread, stack = tracefile.FRAME.unpack_from(frame)
        one = struct.unpack_from("<8Q3Q3I", frame, 24)
        enter, leave, _, _, started, ended, _, size = one[:8]
        name, device, context, stream, static, dynamic, _ = struct.unpack_from("<7I", frame, 124)
        known, _, host, source, target = struct.unpack_from("<I4B", frame, 156)
        line = {"type": {7: "CONCURRENT_KERNEL", 9: "MEMSET"}.get(kind, "MEMCPY")}
        if kind == 8 and source == 3:
            line["type"] = "MEMCPY2"
        if known & 1:
            line.update(start=started, end=ended, duration=ended - started)
        if kind == 7:
            line["name"] = self.text(name)
            if known & 2:
                line["grid"] = list(one[8:11])
            if known & (2 | 1 << 12):
                line["block"] = list(one[11:14])
            shared = {}
            if known & 8:
                shared["static"] = static
            if known & 16:
                shared["dynamic"] = dynamic
            if shared:
                line["sharedMemory"] = shared
        if kind == 8:
            words = [("PINNED" if host else "PAGEABLE") if known & 1 << 11 else "UNKNOWN",
                     "DEVICE", "ARRAY", "DEVICE"]
            line.update(copyKind="HDAP"[source] + "to" + "HDAP"[target], srcKind=words[source],
                        dstKind=words[target])
        if known & 1 << 9:
            line["size"] = size
        line["correlationId"] = correlation
        self.place(line, device, context)
        if known & 1 << 7:
            line["streamId"] = stream
        if not flags & 16:
            line.update(callStart=enter + self.shift, callEnd=leave + self.shift)
        return self.end(line, thread, stack)

    def call(self, call):
        """The line of a call."""
        name = self.text(call.name)
        line = {"type": "OPENCL" if name.startswith("cl") else
                "RUNTIME" if name.startswith("cuda") else "DRIVER",
                "start": call.enter + self.shift, "end": call.leave + self.shift,
                "duration": call.leave - call.enter, "name": name,
                "result": "failed" if call.result == -(2**31) else call.result}
        if call.made:
            line["correlationId"] = call.made
        if call.records > 1:
            line["records"] = call.records
        return self.end(line, call.thread, call.stack)

    def allocation(self, one):
        """The line of an allocation."""
        line = {"type": "MEMORY2", "timestamp": one.enter + self.shift,
                "memoryOperation": "RELEASE" if one.flags & 1 else "ALLOCATE",
                "memoryKind": MEMORY[one.memory], "size": one.bytes, "address": one.address}
        self.place(line, one.device, one.context)
        if one.name:
            line["name"] = self.text(one.name)
        return self.end(line, one.thread, one.stack)

    def mark(self, mark):
        """The line of a mark."""
        line = {"type": "MARKER", "timestamp": mark.time + self.shift,
                "flag": "START" if mark.flags & 1 else "END" if mark.flags & 2 else "INSTANT"}
        if mark.name:
            line["name"] = self.text(mark.name)
        if mark.domain:
            line["domain"] = self.text(mark.domain)
        if mark.id:
            line["id"] = mark.id
        return self.end(line, mark.thread, mark.stack)

    def sample(self, sample):
        """The line of a sample."""
        line = {"type": "SAMPLE", "timestamp": sample.enter + self.shift, "weight": sample.weight}
        if sample.flags & 1:
            line["device"] = 1
        return self.end(line, sample.thread, sample.stack)

    def use(self, use):
        """The line of a use of memory."""
        line = {"type": "USE", "timestamp": use.enter + self.shift,
                "access": ("NONE", "READ", "WRITE", "READ_WRITE")[use.access & 3],
                "address": use.address, "offset": use.offset, "size": use.bytes}
        for flag, word in ((1, "assumed"), (2, "partial")):
            if use.flags & flag:
                line[word] = 1
        if use.argument != tracefile.ANY:
            line["argument"] = use.argument
        if use.record:
            line["correlationId"] = use.record
        return self.end(line, use.thread, use.stack)

    def change(self, change):
        """The line of what a write has changed."""
        line = {"type": "CHANGE", "timestamp": change.enter + self.shift, "use": change.use,
                "result": ("COMPARED", "LARGE", "MEMORY", "TIME", "PENDING", "KIND",
                           "UNREADABLE", "FAILED", "LOST", "SKIPPED")[change.reason]}
        if not change.reason:
            line.update(same=change.same, sameWords=change.same_words, changed=change.changed,
                        hash=change.hash)
        return self.end(line, change.thread, change.stack)

    def lines(self):
        """All of them."""
        events = self.trace.events
        return ([self.record(kind, frame) for kind, frame in self.records]
                + [make(event) for kind, make in (("call", self.call), ("mark", self.mark),
                                                  ("allocation", self.allocation),
                                                  ("sample", self.sample), ("use", self.use),
                                                  ("change", self.change))
                   for event in events[kind]])


def canonical(line):
    """A text that is equal for equal lines."""
    return json.dumps(line, sort_keys=True)


def compare(stream, path):
    """The lines with those that the trace should have."""
    lines, expected = read(stream), Expected(path)
    if not lines or lines[0]["type"] != "PROCESS" or lines[0]["processId"] != expected.pid:
        wrong("the first line", lines[:1])
    if not lines or lines[-1] != {"type": "END", "lost": 0, "processId": expected.pid}:
        wrong("the last line", lines[-1:])
    lines = collections.Counter(canonical(line) for line in lines[1:-1])
    ours = collections.Counter(canonical(line) for line in expected.lines())
    for line in lines - ours:
        wrong("not in the trace:", line)
    for line in ours - lines:
        wrong("missing:", line)
    types = collections.Counter()
    for line, count in lines.items():
        types[json.loads(line)["type"]] += count
    print(" ".join("%d %s" % (types[name], name) for name in DATA if types[name]))


def check(paths):
    """The form of all lines, and their number."""
    data = lost = 0
    for path in paths:
        for line in read(path):
            kind = line.get("type")
            if kind == "LOST":
                lost += line["count"]
            elif kind in DATA:
                data += 1
            elif kind not in ("PROCESS", "END"):
                wrong("the type", kind)
            if not isinstance(line.get("processId"), int):
                wrong("no process in", line)
    print("%d of data, %d" % (data, lost))


def serve(kind, path):
    """Receives until the end; a packet is one line."""
    server = socket.socket(socket.AF_UNIX, getattr(socket, "SOCK_" + kind.upper()))
    server.bind(path)
    if kind != "dgram":
        server.listen(1)
    print("ready", file=sys.stderr, flush=True)
    reader = server if kind == "dgram" else server.accept()[0]
    while True:
        packet = reader.recv(1 << 20)
        if not packet:
            break
        if kind != "stream" and (packet.count(b"\n") != 1 or packet[-1:] != b"\n"):
            packet = b"no line: " + packet + b"\n"
        sys.stdout.buffer.write(packet)
        sys.stdout.buffer.flush()
        if kind == "dgram" and packet.startswith(b'{"type":"END"'):
            break


def open_fifo(path):
    """Opens it at once, and waits for the first bytes."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    print("ready", file=sys.stderr, flush=True)
    waiting = select.poll()
    waiting.register(fd, select.POLLIN)
    waiting.poll()
    os.set_blocking(fd, True)
    return fd


def slow(path, size, seconds, over=None):
    """Reads slowly."""
    fd = open_fifo(path)
    while over and not os.path.exists(over):
        time.sleep(0.01)
    while True:
        packet = os.read(fd, size)
        if not packet:
            break
        sys.stdout.buffer.write(packet)
        sys.stdout.buffer.flush()
        time.sleep(seconds)


def some(path, left):
    """Reads no more."""
    fd = open_fifo(path)
    while left:
        left -= len(os.read(fd, left)) or left


def main():
    """As the arguments say."""
    what, words = sys.argv[1], sys.argv[2:]
    if what == "compare":
        compare(*words)
    elif what == "check":
        check(words)
    elif what == "serve":
        serve(*words)
    elif what == "slow":
        slow(words[0], int(words[1]), float(words[2]), *words[3:])
    elif what == "some":
        some(words[0], int(words[1]))
    if mistakes > 10:
        print(mistakes, "mistakes")


main()
