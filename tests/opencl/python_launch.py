# SPDX-License-Identifier: MIT
# Usage: python_launch.py [pyopencl] [thread]: launches kernels from functions of all kinds, by
# pyopencl or ctypes. Prints the Python frames of each launch as in folded stacks, and the number of
# its launches.
import ctypes
import functools
import os
import sys
import threading

SOURCE = b"""__kernel void work(__global int *a)
{
	for (int i = 0; i < 20000; i++)
		a[get_global_id(0)] += i ^ a[i % 16];
}"""
launched = {}
kept = []


def note():
    names = []
    frame = sys._getframe(1)
    while frame:
        code = frame.f_code
        names.append("%s (%s:%d)" % (getattr(code, "co_qualname", code.co_name),
                                     os.path.basename(code.co_filename), frame.f_lineno))
        frame = frame.f_back
    stack = ";".join(reversed(names))
    launched[stack] = launched.get(stack, 0) + 1


def with_pyopencl():
    import pyopencl
    context = pyopencl.create_some_context(interactive=False)
    queue = pyopencl.CommandQueue(context)
    kernel = pyopencl.Program(context, SOURCE.decode()).build().work
    buffer = pyopencl.Buffer(context, pyopencl.mem_flags.READ_WRITE, 4096)
    kernel.set_args(buffer)
    kept.append(buffer)
    enqueue = pyopencl._cl.enqueue_nd_range_kernel
    return functools.partial(enqueue, queue, kernel, (16,), None), queue.finish


def with_ctypes():
    cl = ctypes.CDLL("libOpenCL.so.1")
    pointer = ctypes.c_void_p

    def make(name, *arguments):
        function = getattr(cl, name)
        function.restype = pointer
        return pointer(function(*arguments))

    platform, device = pointer(), pointer()
    cl.clGetPlatformIDs(1, ctypes.byref(platform), None)
    cl.clGetDeviceIDs(platform, ctypes.c_ulong(0xffffffff), 1, ctypes.byref(device), None)
    context = make("clCreateContext", None, 1, ctypes.byref(device), None, None, None)
    queue = make("clCreateCommandQueue", context, device, ctypes.c_ulong(0), None)
    text = ctypes.c_char_p(SOURCE)
    program = make("clCreateProgramWithSource", context, 1, ctypes.byref(text), None, None)
    cl.clBuildProgram(program, 1, ctypes.byref(device), b"", None, None)
    kernel = make("clCreateKernel", program, b"work", None)
    buffer = make("clCreateBuffer", context, ctypes.c_ulong(1), ctypes.c_size_t(4096), None, None)
    cl.clSetKernelArg(kernel, 0, ctypes.c_size_t(8), ctypes.byref(buffer))
    sizes = ctypes.byref(ctypes.c_size_t(16))
    launch = functools.partial(cl.clEnqueueNDRangeKernel, queue, kernel, 1, None, sizes, None, 0,
                               None, None)
    return launch, functools.partial(cl.clFinish, queue)


# Neither is a Python function, so the innermost one is that which calls it.
launch, finish = (with_pyopencl if "pyopencl" in sys.argv else with_ctypes)()


class Model:
    def forward(self):
        """The lines of the table of lines are far apart."""



        self.layer(
            3)

    def layer(self, depth):
        if depth:
            self.layer(depth - 1)
        else:
            launch(), note()

    @classmethod
    def made(cls):
        return [(launch(), note()) for _ in range(2)]

    @property
    def value(self):
        launch(), note()

    def __len__(self):
        launch(), note()
        return 1

    def __init__(self, *arguments, **named):
        launch(), note()

    def __del__(self):
        launch(), note()


def generator(inner=None):
    for i in range(2):
        launch(), note()
        yield i
    if inner:
        yield from inner


def by_map():
    list(map(lambda i: (launch(), note()), range(2)))


def by_exception():
    try:
        raise ValueError
    except ValueError:
        launch(), note()
    finally:
        launch(), note()


async def coroutine(depth):
    if depth:
        await coroutine(depth - 1)
    launch(), note()


def größe():
    launch(), note()


def 深さ():
    größe()


def everything():
    model = Model(1, *[2], three=3)
    model.forward()
    Model.made()
    model.value
    len(model)
    sum(generator(generator()))
    by_map()
    by_exception()
    try:
        coroutine(2).send(None)
    except StopIteration:
        pass
    深さ()
    sorted([2, 1], key=lambda x: (launch(), note(), x)[2])
    source = "\n\ndef made_up():\n    launch(), note()\nmade_up()"
    exec(compile(source, "made up", "exec"), globals())
    del model


if "thread" in sys.argv:
    thread = threading.Thread(target=everything)
    thread.start()
    thread.join()
everything()
finish()
for stack, count in launched.items():
    print(count, stack)
