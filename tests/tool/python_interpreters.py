# SPDX-License-Identifier: MIT
# Usage: python_interpreters.py: uses the CPU in a second interpreter, called by the first one. Ends
# with 77 if this Python cannot make one.
import sys

CODE = """import time

def long_one(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        sum(range(1000))

def within():
    long_one(0.4)

within()
"""


def run():
    try:
        import _interpreters as interpreters
        return interpreters.exec(interpreters.create(), CODE)
    except ImportError:
        pass
    try:
        import _xxsubinterpreters as interpreters
    except ImportError:
        sys.exit(77)
    return interpreters.run_string(interpreters.create(), CODE)


def outside():
    return run()


sys.exit(1 if outside() else 0)
