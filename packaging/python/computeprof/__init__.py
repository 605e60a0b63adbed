# SPDX-License-Identifier: MIT
"""Controls computeprof, a profiler of CUDA and OpenCL programs, from the program that it profiles:

    import computeprof

    with computeprof.range("step"):     # a row of the summary, with the kernels in it
        ...

    computeprof.start()                 # with --profile-from-start off: what is enqueued from here
    ...
    computeprof.stop()                  # to here is recorded

Without the profiler all of this does nothing. The ranges are those of NVTX 3: the summary, API
traces and timelines have them.
"""

import builtins
import contextlib
import ctypes
import os
import pathlib
import threading

__all__ = ["library", "range", "start", "stop", "tool"]

_NAME = "libcomputeprof.so"
_FILES = pathlib.Path(__file__).resolve().parent / "files"

# NVTX's variable with the library that receives the ranges, which the profiler sets for itself; the
# numbers of its modules, of functions in the first one, and of the table of callbacks.
_VARIABLE = b"NVTX_INJECTION%d_PATH" % (8 * ctypes.sizeof(ctypes.c_void_p))
_MODULES = 1, 5
_START, _END = 5, 7
_CALLBACKS = 1
_SLOTS = 16

_process = ctypes.CDLL(None)
# os.environ does not have what a library has set since Python began.
_process.getenv.argtypes = [ctypes.c_char_p]
_process.getenv.restype = ctypes.c_char_p


def tool():
    """Returns the path of the command line tool that came with this module."""
    return str(_FILES / "bin" / "computeprof")


def library():
    """Returns the path of the library that came with this module, for LD_PRELOAD."""
    return str(_FILES / "lib" / _NAME)


def _open(name):
    """Opens a library that this process has loaded. Returns None for another one."""
    try:
        return ctypes.CDLL(name, mode=os.RTLD_NOLOAD)
    except OSError:
        return None


def _call(name):
    if not _process.getenv(_VARIABLE):
        return
    # It is preloaded, or else a loader has opened it without making its functions global.
    for place in _process, _open(_NAME):
        try:
            function = getattr(place, name)
        except AttributeError:
            continue
        function()
        return


def start():
    """Switches recording on, in all threads."""
    _call("computeprof_start")


def stop():
    """Switches recording off, in all threads."""
    _call("computeprof_stop")


_Get = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_uint)
)
_Give = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)


class _Callbacks(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("get", _Get)]


class _Nvtx:
    """A copy of NVTX, of which a process may have several: slots for the receiver's functions."""

    start = end = None

    def __init__(self, path):
        self.slots = {module: (ctypes.c_void_p * _SLOTS)() for module in _MODULES}
        # A table has the addresses of the slots. Number 0 is not used.
        self.tables = {module: (ctypes.c_void_p * _SLOTS)() for module in _MODULES}
        for module, slots in self.slots.items():
            for number in builtins.range(1, _SLOTS):
                address = ctypes.addressof(slots) + number * ctypes.sizeof(ctypes.c_void_p)
                self.tables[module][number] = address
        self.callbacks = _Callbacks(ctypes.sizeof(_Callbacks), _Get(self._get))
        self.give = _Give(self._give)
        try:
            initialize = ctypes.CDLL(os.fsdecode(path)).InitializeInjectionNvtx2
        except (AttributeError, OSError):
            return
        initialize.argtypes = [_Give]
        if initialize(self.give):
            self._take(self.slots[_MODULES[0]])

    def _take(self, slots):
        if slots[_START] and slots[_END]:
            self.start = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_char_p)(slots[_START])
            self.end = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(slots[_END])

    def _get(self, module, table, count):
        if module not in self.tables:
            return 0
        table[0] = ctypes.addressof(self.tables[module])
        count[0] = _SLOTS
        return 1

    def _give(self, number):
        return ctypes.addressof(self.callbacks) if number == _CALLBACKS else None


_lock = threading.Lock()
_nvtx = None


def _receiver():
    """Returns the functions of the profiler, None without one. As in NVTX, the first range decides
    which one it is; until then each range looks."""
    global _nvtx
    if not _nvtx:
        path = _process.getenv(_VARIABLE)
        if not path:
            return None
        with _lock:
            _nvtx = _nvtx or _Nvtx(path)
    return _nvtx if _nvtx.start else None


class range(contextlib.ContextDecorator):
    """A context manager and decorator: a range with a text. It may begin in one thread and end in
    another, and coroutines may interleave theirs, if each has its own object. As a decorator of an
    async function or a generator it measures only the call that makes it: use `with` inside."""

    def __init__(self, text):
        self._text = str(text)
        self._open = []

    def _recreate_cm(self):
        # For a decorated function, which may call itself and run in several threads.
        return type(self)(self._text)

    def _bytes(self):
        try:
            return self._text.encode(errors="surrogateescape")
        except UnicodeEncodeError:
            return self._text.encode(errors="backslashreplace")

    def __enter__(self):
        receiver = _receiver()
        self._open.append(receiver.start(self._bytes()) if receiver else 0)
        return self

    def __exit__(self, *_):
        identity = self._open.pop()
        if identity:
            _receiver().end(identity)
        return False
