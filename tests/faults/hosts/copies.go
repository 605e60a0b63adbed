// SPDX-License-Identifier: MIT
// A Go program: four goroutines make 250 copies each; it leaves by a system call of its own.
package main

/*
#cgo LDFLAGS: -lOpenCL
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"os"
	"sync"
	"unsafe"
)

func main() {
	var platform C.cl_platform_id
	var device C.cl_device_id
	var status C.cl_int
	var group sync.WaitGroup

	C.clGetPlatformIDs(1, &platform, nil)
	C.clGetDeviceIDs(platform, C.CL_DEVICE_TYPE_ALL, 1, &device, nil)
	context := C.clCreateContext(nil, 1, &device, nil, nil, &status)
	for thread := 0; thread < 4; thread++ {
		group.Add(1)
		go func() {
			defer group.Done()
			var status C.cl_int
			data := C.malloc(16)
			queue := C.clCreateCommandQueue(context, device, 0, &status)
			buffer := C.clCreateBuffer(context, 0, 16, nil, &status)
			for i := 0; i < 250; i++ {
				if C.clEnqueueWriteBuffer(queue, buffer, C.CL_TRUE, 0, 16,
					unsafe.Pointer(data), 0, nil, nil) != 0 {
					os.Exit(1)
				}
			}
		}()
	}
	group.Wait()
	fmt.Println("1000 copies")
	os.Exit(3)
}
