# SPDX-License-Identifier: MIT
"""A copy of the sources, with a build folder of its own, in which tests run one by one. The copy
may be changed: nothing else sees it."""

import fcntl
import filecmp
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

# Of each process of a test. Mutants may loop, allocate and write without end.
LIMITS = "ulimit -c 0 -f 4000000 -t 600 -v 16000000; exec \"$@\""
MAKES = r"M(AKE.*|FLAGS)" # variables of the make that has started this


def copy_changed(of, to):
    """Makes a folder equal to another one. Returns whether it was not."""
    changed = False
    for folder, _, names in os.walk(to):
        for name in names:
            path = os.path.join(folder, name)
            if not os.path.exists(os.path.join(of, os.path.relpath(path, to))):
                os.unlink(path)
                changed = True
    for folder, _, names in os.walk(of):
        there = os.path.join(to, os.path.relpath(folder, of))
        os.makedirs(there, exist_ok=True)
        for name in names:
            new, old = os.path.join(folder, name), os.path.join(there, name)
            replaces = os.path.exists(old)
            if not replaces or not filecmp.cmp(new, old, shallow=False):
                shutil.copy2(new, old)
                if replaces: # objects of the old one, or of a mutant, are older
                    os.utime(old)
                changed = True
    return changed


def wrong_in(lines, through):
    """Reads a test's output, to its end or up to the first failure. Returns the last one read, or
    "" if all passes."""
    results, plan, wrong = 0, None, ""
    for line in lines:
        skipped = re.search(r"# *(SKIP|TODO)", line, re.I)
        if line.startswith("Bail out!") or line.startswith("not ok") and not skipped:
            wrong = line.strip()
            if not through:
                return wrong
        results += re.match(r"(not )?ok\b", line) is not None
        match = re.match(r"1\.\.(\d+)", line)
        plan = int(match.group(1)) if match else plan
    return wrong or ("" if results == plan else f"{results} results of {plan}")


def lock(folder):
    """Makes a folder and keeps other calls out of it. Ends the program if there is one."""
    os.makedirs(folder, exist_ok=True)
    file = os.open(folder + "/lock", os.O_CREAT | os.O_RDWR, 0o666)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"{folder} is in use by another call")


def without_make():
    """Returns the environment for another make."""
    return {name: value for name, value in os.environ.items()
            if not re.fullmatch(MAKES, name)}


class Tree:
    """The copy is in the folder `source`, the build in the folder `build`."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        self.source, self.build = self.folder + "/source", self.folder + "/build"
        self.environment, self.programs = {}, []
        # A process namespace ends with its first process, and others cannot be hit.
        alone = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
        works = shutil.which("unshare") and subprocess.run(
            alone + ["true"], stderr=subprocess.DEVNULL, check=False).returncode == 0
        self.alone = alone if works else []

    def update(self, distributed, options, flags):
        """Copies the sources, and configures if necessary. Returns whether any have changed."""
        changed = copy_changed(distributed, self.source)
        os.makedirs(self.build, exist_ok=True)
        if not os.path.exists(self.build + "/config.status"):
            with open(self.folder + "/configure.log", "w", encoding="utf-8") as log:
                subprocess.run([self.source + "/configure", "-q"] + shlex.split(options) +
                               ["CFLAGS=" + self.flags(flags)],
                               cwd=self.build, stdout=log, stderr=log, check=True)
        return changed

    def flags(self, flags):
        """Returns the compiler's flags, with the source folder in place of SOURCE."""
        return flags.replace("SOURCE", self.source)

    def make(self, *targets):
        """Returns whether they can be built."""
        with open(self.folder + "/make.log", "w", encoding="utf-8") as log:
            return subprocess.run(["make", "-s", *targets], cwd=self.build, check=False,
                                  stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                  env=without_make(), start_new_session=True).returncode == 0

    def objects(self, source):
        """Returns make's targets that compile a source, the library's first."""
        folder, name = os.path.split(source)
        pattern = re.compile(rf"(.*-)?{re.escape(name[:-2])}\.l?o")
        there = os.path.join(self.build, folder)
        found = filter(pattern.fullmatch, os.listdir(there) if os.path.isdir(there) else [])
        found = sorted(found, key=lambda name: (name[-2:] != "lo", name))
        return [f"{folder}/{name}" for name in found]

    def find_tests(self):
        """Finds the environment, the tests and their programs. Returns the tests."""
        text = subprocess.run(["make", "-s", "print-tests"], cwd=self.build, check=True,
                              env=without_make(), capture_output=True).stdout.decode()
        pairs = [line.split("=", 1) for line in text.split("\0") if line]
        self.environment = {name: value for name, value in pairs
                            if not re.fullmatch(MAKES, name)}
        self.environment["COMPUTEPROF_TEST_LEVEL"] = "quick"
        self.programs = self.environment.pop("print_programs").split()
        return [test for name in ("print_tests", "print_unit_tests")
                for test in self.environment.pop(name).split()]

    def run(self, test, seconds, through=False, **variables):
        """Runs a test for so many seconds at most, to its end or up to the first failure. Returns
        what is wrong, or "", and its time."""
        unit = not test.endswith(".test")
        command = ["bash", self.source + "/tests/unit.sh", test] if unit else [
            os.path.join(self.source, test)]
        room = tempfile.mkdtemp()
        begin = time.monotonic()
        with subprocess.Popen(
                [*self.alone, "bash", "-c", LIMITS, "limits", "tests/limited", str(int(seconds)),
                 *command],
                cwd=self.build, env={**self.environment, "TMPDIR": room, **variables},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                encoding="utf-8", errors="replace", start_new_session=True) as process:
            wrong = wrong_in(process.stdout, through)
            if wrong and not through:
                (process.kill if self.alone else process.terminate)()
            status = process.wait()
        shutil.rmtree(room, ignore_errors=True)
        if not wrong and status:
            wrong = f"exit status {status}"
        return wrong, time.monotonic() - begin
