# SPDX-License-Identifier: MIT
"""The small mistakes that can be made in a source, and those known to have no effect."""

import random
import re
import sys

SWAPS = {" < ": [" <= "], " <= ": [" < "], " > ": [" >= "], " >= ": [" > "],
         " == ": [" != "], " != ": [" == "], " && ": [" || "], " || ": [" && "],
         " + ": [" - "], " - ": [" + "], " * ": [" / "], " / ": [" * "], " % ": [" * "],
         " += ": [" -= "], " -= ": [" += "], " << ": [" >> "], " >> ": [" << "],
         " & ": [" | "], " | ": [" & "], "++": ["--"], "--": ["++"]}
DECLARATION = re.compile(r"\t+(const|struct|static|enum|unsigned|char|int|long|size_t|ssize_t|bool|"
                         r"double|float|void|u?int\d+_t|pid_t|va_list|FILE|_Atomic)\b")
STATEMENT = re.compile(r"^\t+(?!return|goto|case|default|else|do\b)[^\s{}#][^{}\n]*;$", re.M)


def masked(text):
    """Returns the text with comments, strings, preprocessor lines and types replaced by blanks."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    text = re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)
    text = re.sub(r"'(?:\\.|[^'\\])+'", blank, text)
    return re.sub(r"^[ \t]*#(?:\\\n|.)*", blank, text, flags=re.M)


def conditions(code):
    """Finds the start and end of the conditions of if and while."""
    for match in re.finditer(r"\b(?:if|while) \(", code):
        depth, at = 1, match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(code[at], 0)
            at += 1
        yield match.end(), at - 1


def mutants(text):
    """Returns all mutants: start, end, and the replacement."""
    code = masked(text)
    body = re.search(r"^\{", code, re.M)
    for old, news in SWAPS.items():
        for match in re.finditer("(?=" + re.escape(old) + ")", code):
            for new in news:
                yield match.start(), match.start() + len(old), new
    for match in re.finditer(r"(?<![\w.\[])(\d+)(?![\w.])", code):
        number = int(match.group())
        yield match.start(), match.end(), str(number + 1)
        if number:
            yield match.start(), match.end(), str(number - 1)
    for start, end in conditions(code):
        yield start, end, "!(" + text[start:end] + ")"
    for match in STATEMENT.finditer(code):
        if not DECLARATION.match(match.group()) and body and match.start() > body.start():
            start = match.start() + len(match.group()) - len(match.group().lstrip("\t"))
            if match.group().count("(") == match.group().count(")"):
                yield start, match.end(), ";"


def line_of(text, at):
    """Returns the line at this place and its number."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return text.count("\n", 0, at) + 1, text[start:end]


def chosen(source, text, seed):
    """Returns all mutants of a source in random order, the same one for each seed."""
    found = sorted(set(mutants(text)))
    random.Random(f"{seed} {source}").shuffle(found)
    return found


def changed(text, mutant):
    """Returns the text with a mutant, the number of its line, the line, and what replaces it."""
    start, end, new = mutant
    after = text[:start] + new + text[end:]
    number, line = line_of(text, start)
    instead = line_of(after, start)[1].strip()
    if "\n" in text[start:end]:
        instead = new.split("\n", maxsplit=1)[0].strip()
    return after, number, line.strip(), instead


def equivalents(top):
    """Returns the entries of tests/mutation/equivalent: (source, line, replacement)."""
    known = set()
    with open(f"{top}/tests/mutation/equivalent", encoding="utf-8") as stream:
        for block in re.split(r"\n\s*\n", re.sub(r"^#.*\n", "", stream.read(), flags=re.M)):
            lines = [line.strip() for line in block.strip().split("\n")]
            if len(lines) >= 4:
                known.add((lines[0], lines[1], lines[2]))
    return known


def check_known(top):
    """An entry is invalid if its line has changed."""
    for source, line, _ in sorted(equivalents(top)):
        with open(f"{top}/{source}", encoding="utf-8") as stream:
            if line not in map(str.strip, stream):
                sys.exit(f"mutate: tests/mutation/equivalent: {source} has no line {line}")
