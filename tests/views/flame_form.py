#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""flame_form.py SVG OTHER: two flame graphs of one version of the tool: their script, style and
elements are the same, and each label fits into its box. Prints what is wrong."""

import re
import sys
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"
LETTER = 7.2  # the width of one, in pixels: 12px monospace


def check(condition, message):
    if not condition:
        print(message)


def labels(path, root):
    for box in root.iter(SVG + "g"):
        rect, text = box.find(SVG + "rect"), box.find(SVG + "text").text or ""
        x, width = float(rect.get("x")), float(rect.get("width"))
        end = float(box.find(SVG + "text").get("x")) + LETTER * len(text)
        check(not text or end <= x + width + 0.01, "%s: no room for %s" % (path, text))
        check(text == box.get("data-n") or text.endswith("..") or not text,
              "%s: another label than %s" % (path, box.get("data-n")))


def form(path):
    """The parts of a file that do not depend on what is in it."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    root = xml.etree.ElementTree.fromstring(text)
    labels(path, root)
    check("function zoom(" in text and "function search(" in text, path + ": no script")
    elements = {(each.tag, tuple(each.keys())) for each in root.iter()}
    check(len(list(root.iter(SVG + "g"))) > 1, path + ": no boxes")
    return {"elements": elements, "style": root.find(SVG + "style").text,
            "script": root.find(SVG + "script").text,
            "head": re.sub("[0-9]+", "N", text[:text.index("<style>")])}


def main(path, other):
    one, two = form(path), form(other)
    for part in one:
        check(one[part] == two[part], "%s: another %s than that of %s: %r" % (
            path, part, other, one[part] if part in ("elements", "head") else ""))


main(*sys.argv[1:])
