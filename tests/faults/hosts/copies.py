# SPDX-License-Identifier: MIT
# A Python program that finds OpenCL with dlopen and dlsym, and makes 200 copies.
import ctypes

opencl = ctypes.CDLL("libOpenCL.so.1")
pointer, status, data = ctypes.c_void_p, ctypes.c_int(), ctypes.create_string_buffer(16)
platform, device = pointer(), pointer()
for name in ("Context", "CommandQueue", "Buffer"):
    getattr(opencl, "clCreate" + name).restype = pointer
opencl.clGetPlatformIDs(1, ctypes.byref(platform), None)
opencl.clGetDeviceIDs(platform, ctypes.c_ulong(0xFFFFFFFF), 1, ctypes.byref(device), None)
context = pointer(opencl.clCreateContext(None, 1, ctypes.byref(device), None, None,
                                         ctypes.byref(status)))
queue = pointer(opencl.clCreateCommandQueue(context, device, ctypes.c_ulong(0),
                                            ctypes.byref(status)))
buffer = pointer(opencl.clCreateBuffer(context, ctypes.c_ulong(0), ctypes.c_size_t(16), None,
                                       ctypes.byref(status)))
for copy in range(200):
    error = opencl.clEnqueueWriteBuffer(queue, buffer, 1, ctypes.c_size_t(0), ctypes.c_size_t(16),
                                        data, 0, None, None)
    assert error == 0, error
print("200 copies")
