# SPDX-License-Identifier: MIT
"""What is run, and how: the loads and the ways to run them."""

import os
import shutil
import subprocess

# Programs that do not report their own times: whole processes are measured.
PROGRAMS = {
    "clFFT": ("a compute-heavy program", ["clFFT-client", "-x", "256", "-y", "256", "-p", "20"]),
    "clpeak": ("clpeak, its kernel latency",
               ["clpeak", "--kernel-latency"]),
    # It ends with 1 if no word is found.
    "hashcat": ("hashcat, MD5 of all words of five letters",
                ["hashcat", "-m", "0", "-a", "3", "--force", "-O", "--quiet", "--potfile-disable",
                 "--restore-disable", "--logfile-disable", "0" * 32, "?l?l?l?l?l"], 1),
}


class Load:
    """A load. Its `count` commands are counted; a program's are not."""

    def __init__(self, name, text, arguments, count=None, status=0):
        self.name, self.text, self.arguments, self.count = name, text, arguments, count
        self.status = status # its exit code


class Way:
    """A way to run it: words before it, and environment variables."""

    def __init__(self, name, text, words=(), flags=(), **variables):
        self.name, self.text, self.words, self.flags = name, text, list(words), list(flags)
        self.variables = variables

    def command(self, load):
        """Returns the words; flags are the load program's own."""
        return self.words + load.arguments[:1] + self.flags + load.arguments[1:]


def loads(program, count):
    """Returns all loads: those of `program`, and the installed real programs."""
    lines = subprocess.run([program, "-l"], check=True, capture_output=True, text=True).stdout
    found = []
    for line in lines.splitlines():
        name, text = line.split("\t")
        found.append(Load(name, text, [program, name, str(count)], count))
    programs = dict(PROGRAMS)
    programs["demo"] = ("the program of ./bootstrap demo",
                        [os.path.join(os.path.dirname(program), "../app/demo")])
    for name, (text, words, *status) in programs.items():
        if shutil.which(words[0]):
            found.append(Load(name, text, words, None, *status))
    return found


def ways(library, configs, cliloader):
    """The others are compared with the first one; the second shows the noise."""
    preload = {"LD_PRELOAD": library}
    profiled = dict(preload, COMPUTE_PROFILE="1")
    here = os.path.dirname(os.path.abspath(__file__))
    found = [
        Way("native", "without any tool"),
        Way("native again", "the same once more: how much noise there is"),
        Way("profiling bit", "the program asks for profiling, and never looks", flags=["-p"]),
        Way("by itself", "the program asks when each command began and ended", flags=["-e"]),
        Way("off", "preloaded, and not asked for anything", **preload),
        Way("log", "the log as it comes", **profiled),
        Way("CSV", "CSV with all columns", COMPUTE_PROFILE_CSV="1",
            COMPUTE_PROFILE_CONFIG=os.path.join(configs, "all.conf"), **profiled),
        Way("trace", "a trace; the log goes to /dev/null", COMPUTE_PROFILE_LOG="/dev/null",
            COMPUTE_PROFILE_TRACE="run.cptrace", **profiled),
        Way("calls", "a trace with all calls; the log goes to /dev/null", COMPUTE_PROFILE_API="1",
            COMPUTE_PROFILE_LOG="/dev/null", COMPUTE_PROFILE_TRACE="run.cptrace", **profiled),
    ]
    stacks = dict(profiled, COMPUTE_PROFILE_LOG="/dev/null", COMPUTE_PROFILE_TRACE="run.cptrace",
                  COMPUTE_PROFILE_STACKS="1")
    found += [
        Way("stacks", "a trace with the call stack of each launch", **stacks),
        Way("samples", "the same, and 99 samples of the CPU per second: a flame graph's trace",
            COMPUTE_PROFILE_SAMPLE="99", **stacks),
    ]
    for mode, text in (("objects", "each command's uses of memory"),
                       ("flow", "the same, and what writes change"),
                       ("patterns", "the same, and the patterns of values")):
        found.append(Way(mode, "a trace with " + text, COMPUTE_PROFILE_VALUES=mode,
                         COMPUTE_PROFILE_LOG="/dev/null", COMPUTE_PROFILE_TRACE="run.cptrace",
                         **profiled))
    rewrite = os.path.join(os.environ.get("builddir", "."), "computeprof-rewrite")
    lines = dict(profiled, COMPUTE_PROFILE_LOG="/dev/null", COMPUTE_PROFILE_TRACE="run.cptrace",
                 COMPUTEPROF_REWRITE=os.path.abspath(rewrite), COMPUTEPROF_CACHE="off")
    if os.path.exists(rewrite):
        found += [
            Way("lines", "a trace with loads and stores by source line, without a cache",
                COMPUTE_PROFILE_VALUES="lines", **lines),
            Way("all lines", "the same of each launch: no limit of the time",
                COMPUTE_PROFILE_CONFIG=os.path.join(here, "lines.conf"), **lines),
        ]
    tool = os.environ.get("COMPUTEPROF")
    if tool:
        quiet = ["--log-file", os.devnull]
        found += [
            Way("GPU summary", "computeprof's summary of commands, without calls, with the log",
                [tool, "--print-gpu-summary", *quiet], COMPUTE_PROFILE_API="0"),
            Way("summary", "the same, and of all calls", [tool, "-s", *quiet]),
        ]
    if cliloader:
        found += [
            Way("cliloader -d", "the Intercept Layer's totals", [cliloader, "-d"]),
            Way("cliloader -cdt", "the Intercept Layer's trace", [cliloader, "-cdt"]),
        ]
    return found
