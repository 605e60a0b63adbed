# SPDX-License-Identifier: MIT
"""advise.py findings|callers|checks JSON [SVG]: what computeprof advise has found.

findings: a line each, in the order of kinds and sizes. callers: those of objects and of the data
flow, without offsets. checks: prints what is wrong with the numbers, and with the picture.
"""
import json
import sys
import xml.etree.ElementTree

with open(sys.argv[2], encoding="utf-8") as file:
    processes = json.load(file)["processes"]


def wrong(condition, text):
    if condition:
        print("wrong:", text)


def check_objects(process):
    objects = {one["object"]: one for one in process["objects"]}
    wrong(sorted(objects) != list(range(1, len(objects) + 1)), "numbers of objects")
    live = sum(one["bytes"] for one in objects.values() if one["at_peak"])
    wrong(live != sum(peak["peak_bytes"] for peak in process["peaks"]), "objects at the peak")
    for peak in process["peaks"]:
        at = peak["peak_ns"]
        there = [one for one in objects.values() if one["allocated_ns"] <= at
                 and (one["released_ns"] is None or one["released_ns"] > at)
                 and one["context"] == peak["context"]
                 and (one["memory"] in ("pageable", "pinned")) == (peak["memory"] == "host")]
        wrong(len(there) != peak["peak_objects"], "number of objects at the peak")
        wrong(not peak["in_use_bytes"] <= peak["needed_bytes"] <= peak["peak_bytes"], "peaks")
    for one in objects.values():
        if one["uses"]:
            wrong(not one["allocated_ns"] <= one["first_use"]["ns"] < one["last_use"]["ns"],
                  f"times of {one}")
    for finding in process["findings"]:
        wrong(finding["bytes"] != objects[finding["object"]]["bytes"], f"size of {finding}")
        wrong(not 0 <= finding["waste_percent"] <= 100, f"waste of {finding}")
    waste = [finding["waste_percent"] for finding in process["findings"]]
    wrong(waste != sorted(waste, reverse=True), "order of findings")


if sys.argv[1] == "findings":
    for process in processes:
        for finding in sorted(process["findings"], key=lambda one: (one["kind"], one["bytes"])):
            print(finding["kind"], finding["bytes"] // 1024, finding["commands"],
                  "assumed" if finding["assumed"] else "certain")
elif sys.argv[1] == "callers":
    for part in "objects", "flow":
        callers = {node["caller"].rsplit("+0x")[0] for process in processes
                   for node in (process["flow"]["nodes"] if part == "flow" else process[part])
                   if node["caller"]}
        print(part, *sorted(callers))
else:
    for process in processes:
        check_objects(process)
    root = xml.etree.ElementTree.parse(sys.argv[3]).getroot()
    bands = root.findall(".//{http://www.w3.org/2000/svg}g")
    peak = sum(one["at_peak"] for process in processes for one in process["objects"])
    wrong(len(bands) != peak, f"{len(bands)} bands, {peak} objects")
    height = float(root.get("height"))
    for rectangle in root.iter("{http://www.w3.org/2000/svg}rect"):
        if rectangle.get("y"):
            wrong(float(rectangle.get("y")) < 0 or float(rectangle.get("y")) > height, "place")
    wrong(any("href" in name for each in root.iter() for name in each.keys()), "a reference")
    wrong(root.findall(".//{http://www.w3.org/2000/svg}script"), "a script")
