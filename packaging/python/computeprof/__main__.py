# SPDX-License-Identifier: MIT
"""Runs the command line tool in place of this process."""

import os
import signal
import sys

import computeprof


def main():
    # Python ignores these, and ignored signals stay ignored in the tool and in the program.
    for name in "SIGPIPE", "SIGXFSZ":
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execv(computeprof.tool(), ["computeprof"] + sys.argv[1:])
    except OSError as error:
        sys.exit(f"computeprof: cannot run {computeprof.tool()}: {error.strerror}")


if __name__ == "__main__":
    main()
