#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the call stack of each record and event of a trace, outermost frame first:

    stacks.py TRACE [FILE]...

One line each: kind, thread, then frames as MODULE+OFFSET in hexadecimal (@ before an exact one), or
- without a stack. Frames in the ELF files are printed as the function's name, by nm. Checks that
nodes and modules come before their first use."""

import os
import struct
import subprocess
import sys

from tracefile import CALL, COPY, EVENTS, FILL, FRAME, KERNEL, MODULE, NAME, STACK, frames

KINDS = {KERNEL: 'kernel', COPY: 'copy', FILL: 'fill', CALL: 'call'}


def read_names(path):
    lines = subprocess.run(['nm', '-S', '--defined-only', path], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    words = [line.split() for line in lines]
    return [(os.path.basename(path), int(word[0], 16), int(word[0], 16) + int(word[1], 16), word[3])
            for word in words if len(word) == 4 and word[2] in 'tT']


class Stacks:
    def __init__(self, names):
        self.names = names
        self.nodes = {0: None}
        self.modules = {0: '?'}
        self.build_ids = {}
        self.texts = {}

    def take(self, kind, flags, body):
        if kind == MODULE:
            number, length, build, _ = struct.unpack_from('<4I', body)
            assert number == len(self.modules), 'modules are numbered in order'
            self.build_ids[number] = body[16:16 + build].hex()
            self.modules[number] = body[48:48 + length].decode()
        elif kind == NAME:
            number, length = struct.unpack_from('<2I', body)
            self.texts[number] = body[8:8 + length].decode(errors='replace')
        elif kind == STACK:
            number, parent, module, name, offset = struct.unpack_from('<4IQ', body)
            assert number == len(self.nodes), 'nodes are numbered in order'
            assert parent in self.nodes and module in self.modules, 'references are known'
            self.nodes[number] = (parent, module, offset, flags & 1, self.texts.get(name))

    def frame(self, module, offset, exact, text):
        if text:
            return text
        path = self.modules[module]
        for name_module, begin, end, name in self.names:
            if os.path.basename(path) == name_module and begin < offset + exact <= end:
                return name
        return f"{'@' if exact else ''}{path.rsplit('/', 1)[-1]}+{offset:x}"

    def text(self, number):
        found = []
        while number:
            parent, *rest = self.nodes[number]
            found.append(self.frame(*rest))
            number = parent
        return ';'.join(reversed(found)) or '-'


def main():
    stacks = Stacks([name for path in sys.argv[2:] for name in read_names(path)])
    with open(sys.argv[1], 'rb') as trace:
        data = trace.read()
    for kind, frame in frames(data):
        _, _, flags, _, thread, stack = FRAME.unpack_from(frame)
        stacks.take(kind, flags, frame[FRAME.size:])
        if kind in KINDS or kind in EVENTS:
            print(KINDS.get(kind, kind), thread, stacks.text(stack))
    print('modules', len(stacks.modules) - 1, 'nodes', len(stacks.nodes) - 1, 'built',
          sum(bool(build) for build in stacks.build_ids.values()))


main()
