# SPDX-License-Identifier: MIT
"""Kernels that PyOpenCL generates for arrays: elementwise ones, reductions and scans."""
import numpy
import pyopencl
import pyopencl.algorithm
import pyopencl.array
import pyopencl.clmath

context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
up = pyopencl.array.to_device(queue, numpy.arange(64, dtype=numpy.float32))
down = pyopencl.array.to_device(queue, numpy.arange(64, dtype=numpy.float32)[::-1].copy())
numbers = pyopencl.array.arange(queue, 100, dtype=numpy.int32)
places = pyopencl.array.to_device(queue, numpy.array([3, 1, 2], dtype=numpy.int32))
mixed = up * down - (up + 2 * down)
mixed /= 3
twos = pyopencl.array.zeros(queue, 32, numpy.float64)
twos.fill(2)
greater, count, _ = pyopencl.algorithm.copy_if(numbers, "ary[i] > 50")
print(mixed.get().sum(), pyopencl.array.sum(up).get(), pyopencl.array.dot(up, down).get(),
      pyopencl.array.max(up).get(), pyopencl.array.cumsum(numbers).get()[-1], int(count.get()),
      pyopencl.clmath.sin(up).get()[1], pyopencl.array.take(up, places).get(), twos.get().sum(),
      pyopencl.array.if_positive(up - 5, up, down).get().sum())
