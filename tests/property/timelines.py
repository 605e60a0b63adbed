# SPDX-License-Identifier: MIT
"""The events that a timeline has to have of a trace: those of tests/views/timeline.py."""

import timeline
from reference import MOST


def compare(trace, path, view):
    """Yields each difference between the timeline and the trace."""
    if trace.damaged is not None or trace.cut or not trace.has_process:
        return
    records = [record.correlation for record in trace.records]
    if len(set(records)) < len(records) or trace.lost == MOST:
        return
    yield from ("timeline: " + problem for problem in timeline.differences(path, view)[0])
