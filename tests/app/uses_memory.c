/* SPDX-License-Identifier: MIT */
/* Arguments of kernels, images and shared virtual memory. */
#include <stdio.h>
#include <stdlib.h>

#include "uses.h"

enum { MANY = 3000 /* kernels, of which most have the handle of an earlier one */ };

static void set(cl_kernel kernel, cl_uint index, cl_mem memory)
{
	opencl_check(clSetKernelArg(kernel, index, sizeof(memory), &memory), "clSetKernelArg");
}

static void set_count(cl_kernel kernel, int count)
{
	opencl_check(clSetKernelArg(kernel, 3, sizeof(count), &count), "clSetKernelArg");
}

static void launch(struct uses *uses, cl_kernel kernel)
{
	static const size_t one = 1;

	opencl_check(clEnqueueNDRangeKernel(uses->queue, kernel, 1, NULL, &one, NULL, 0, NULL,
					    NULL),
		     "clEnqueueNDRangeKernel");
}

bool uses_is_informed(cl_kernel kernel)
{
	cl_kernel_arg_type_qualifier type = 0;

	return !clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof(type), &type,
				   NULL) &&
	       type & CL_KERNEL_ARG_TYPE_CONST;
}

/* The declarations of add. */
static void expect_add(cl_kernel kernel, cl_mem from, cl_mem to, cl_mem table)
{
	bool known = uses_is_informed(kernel);

	uses_expect("kernel", known ? "read" : "read-write", from, 0, 0, 0,
		    PARTIAL | (known ? 0 : ASSUMED));
	uses_expect("kernel", "read-write", to, 0, 0, 1, PARTIAL | ASSUMED);
	uses_expect("kernel", known ? "read" : "read-write", table, 0, 0, 2,
		    PARTIAL | (known ? 0 : ASSUMED));
}

static void declared(struct uses *uses, cl_program program)
{
	cl_kernel kernel = opencl_kernel(program, "add", uses->buffer);
	cl_mem other = opencl_buffer(uses->opencl.context, USES_SIZE);

	set(kernel, 1, other);
	set(kernel, 2, uses->buffer);
	set_count(kernel, 0);
	launch(uses, kernel);
	expect_add(kernel, uses->buffer, other, uses->buffer);
	opencl_check(clEnqueueTask(uses->queue, kernel, 0, NULL, NULL), "clEnqueueTask");
	expect_add(kernel, uses->buffer, other, uses->buffer);
	opencl_check(clFinish(uses->queue), "clFinish");
	opencl_check(clReleaseMemObject(other), "clReleaseMemObject");
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
}

/* What the objects permit, parts of them, and arguments that are set again. */
static void permitted(struct uses *uses)
{
	cl_kernel kernel = opencl_kernel(uses->opencl.program, "add", uses->reads), clone;
	bool known = uses_is_informed(kernel);
	cl_int status;

	set(kernel, 1, uses->writes);
	set(kernel, 2, uses->reads);
	set_count(kernel, 0);
	launch(uses, kernel);
	uses_expect("kernel", "read", uses->reads, 0, 0, 0, PARTIAL);
	uses_expect("kernel", "write", uses->writes, 0, 0, 1, PARTIAL);
	uses_expect("kernel", "read", uses->reads, 0, 0, 2, PARTIAL);
	clone = clCloneKernel(kernel, &status);
	if (opencl_did(status, "clCloneKernel"))
		set(clone, 0, uses->buffer);
	set(kernel, 1, uses->part);
	launch(uses, kernel);
	uses_expect("kernel", "read", uses->reads, 0, 0, 0, PARTIAL);
	uses_expect("kernel", "read-write", uses->buffer, PART_OFFSET, PART_SIZE, 1,
		    PARTIAL | ASSUMED);
	uses_expect("kernel", "read", uses->reads, 0, 0, 2, PARTIAL);
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
	if (!clone)
		return;
	launch(uses, clone);
	uses_expect("kernel", known ? "read" : "read-write", uses->buffer, 0, 0, 0,
		    PARTIAL | (known ? 0 : ASSUMED));
	uses_expect("kernel", "write", uses->writes, 0, 0, 1, PARTIAL);
	uses_expect("kernel", "read", uses->reads, 0, 0, 2, PARTIAL);
	opencl_check(clReleaseKernel(clone), "clReleaseKernel");
}

/* More arguments than a few, some of which are no memory; the last ones first. */
static void many(struct uses *uses)
{
	static const cl_uint pointers[] = {11, 10, 9, 8, 7, 6, 4, 2, 0};
	cl_kernel kernel = opencl_kernel(uses->opencl.program, "many", NULL);
	const cl_long number = 64;
	const int value = 0;

	for (size_t i = 0; i < sizeof(pointers) / sizeof(pointers[0]); i++)
		set(kernel, pointers[i], uses->buffer);
	opencl_check(clSetKernelArg(kernel, 1, sizeof(number), &number), "clSetKernelArg");
	opencl_check(clSetKernelArg(kernel, 3, 64, NULL), "clSetKernelArg");
	opencl_check(clSetKernelArg(kernel, 5, sizeof(value), &value), "clSetKernelArg");
	launch(uses, kernel);
	for (size_t i = sizeof(pointers) / sizeof(pointers[0]); i-- > 0;)
		uses_expect("kernel", "read-write", uses->buffer, 0, 0, (int)pointers[i],
			    PARTIAL | ASSUMED);
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
}

/* A new kernel has no argument of an earlier one with its handle. */
static void reused(struct uses *uses)
{
	for (int i = 0; i < MANY; i++) {
		cl_kernel kernel = opencl_kernel(uses->opencl.program, "add", uses->reads);

		opencl_check(clRetainKernel(kernel), "clRetainKernel");
		opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
		set(kernel, 1, uses->writes);
		set(kernel, 2, i % 2 ? uses->reads : NULL);
		set_count(kernel, 0);
		launch(uses, kernel);
		uses_expect("kernel", "read", uses->reads, 0, 0, 0, PARTIAL);
		uses_expect("kernel", "write", uses->writes, 0, 0, 1, PARTIAL);
		if (i % 2)
			uses_expect("kernel", "read", uses->reads, 0, 0, 2, PARTIAL);
		opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
	}
}

static cl_kernel make_plain(struct uses *uses)
{
	cl_kernel kernel = opencl_kernel(uses->plain, "plain", uses->buffer);

	for (cl_uint i = 1; i < 6; i++)
		set(kernel, i, i == 2 ? uses->reads : uses->buffer);
	return kernel;
}

/* Of the third one, which is in a macro, only the flags of the object are known. */
static void expect_plain(struct uses *uses)
{
	uses_expect("kernel", "read", uses->reads, 0, 0, 2, PARTIAL);
	uses_expect("kernel", "read", uses->buffer, 0, 0, 3, PARTIAL);
	uses_expect("kernel", "read", uses->buffer, 0, 0, 4, PARTIAL);
	uses_expect("kernel", "read-write", uses->buffer, 0, 0, 5, PARTIAL);
}

/* What the source shows; it does not mention the second argument. */
static void plain(struct uses *uses)
{
	cl_kernel kernel = make_plain(uses), clone;
	cl_int status;

	for (int i = 0; i < 2 && kernel; i++) {
		launch(uses, kernel);
		uses_expect("kernel", "write", uses->buffer, 0, 0, 0, PARTIAL);
		expect_plain(uses);
		clone = clCloneKernel(kernel, &status);
		opencl_did(status, "clCloneKernel");
		opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
		kernel = clone;
	}
	if (kernel)
		opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
}

/* A pointer may have no value, and memory of a work-group is in no object. */
static void no_memory(struct uses *uses)
{
	cl_kernel kernel = opencl_kernel(uses->opencl.program, "number", NULL);
	static const int value = 1;

	set(kernel, 0, NULL);
	opencl_check(clSetKernelArg(kernel, 1, sizeof(value), &value), "clSetKernelArg");
	opencl_check(clSetKernelArg(kernel, 2, sizeof(value), NULL), "clSetKernelArg");
	launch(uses, kernel);
	uses_expect_none("kernel");
	set(kernel, 0, uses->writes);
	launch(uses, kernel);
	uses_expect("kernel", "write", uses->writes, 0, 0, 0, PARTIAL);
	set(kernel, 0, NULL);
	launch(uses, kernel);
	uses_expect_none("kernel");
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
}

static void CL_CALLBACK do_nothing(void *argument)
{
	(void)argument;
}

static void native(struct uses *uses)
{
	struct {
		void *memory[2];
	} arguments;
	const cl_mem objects[2] = {uses->buffer, uses->reads};
	const void *places[2] = {&arguments.memory[0], &arguments.memory[1]};

	if (!opencl_did(clEnqueueNativeKernel(uses->queue, do_nothing, &arguments,
					      sizeof(arguments), 2, objects, places, 0, NULL, NULL),
			"clEnqueueNativeKernel"))
		return;
	uses_expect("kernel", "read-write", uses->buffer, 0, 0, NO_ARGUMENT, PARTIAL | ASSUMED);
	uses_expect("kernel", "read", uses->reads, 0, 0, NO_ARGUMENT, PARTIAL);
	opencl_check(clEnqueueNativeKernel(uses->queue, do_nothing, &arguments, sizeof(arguments),
					   0, NULL, NULL, 0, NULL, NULL),
		     "clEnqueueNativeKernel");
	uses_expect_none("kernel");
	opencl_check(clFinish(uses->queue), "clFinish");
}

void uses_arguments(struct uses *uses)
{
	declared(uses, uses->opencl.program);
	declared(uses, uses->informed);
	permitted(uses);
	many(uses);
	plain(uses);
	no_memory(uses);
	native(uses);
	reused(uses);
}

enum { WIDTH = 32, HEIGHT = 16, PIXEL = 4 };

static cl_mem make_image(struct uses *uses)
{
	static const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
	const cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D,
					   .image_width = WIDTH,
					   .image_height = HEIGHT};
	cl_int status;
	cl_mem image = clCreateImage(uses->opencl.context, CL_MEM_READ_WRITE, &format,
				     &description, NULL, &status);

	return opencl_did(status, "clCreateImage") ? image : NULL;
}

static size_t size_of(cl_mem image)
{
	size_t size = 0;

	opencl_check(clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof(size), &size, NULL),
		     "clGetMemObjectInfo");
	return size;
}

static size_t row_of(cl_mem image)
{
	size_t size = 0;

	opencl_check(clGetImageInfo(image, CL_IMAGE_ROW_PITCH, sizeof(size), &size, NULL),
		     "clGetImageInfo");
	return size;
}

static void copy_images(struct uses *uses, cl_mem from, cl_mem to)
{
	static const size_t zero[3] = {0, 0, 0}, all[3] = {WIDTH, HEIGHT, 1};
	static const size_t origin[3] = {3, 2, 0}, region[3] = {5, 4, 1};
	static const cl_uint colour[4] = {1, 2, 3, 4};
	const size_t offset = 3 * PIXEL + 2 * row_of(from);
	const size_t bytes = 5 * PIXEL + 3 * row_of(from);

	opencl_check(clEnqueueFillImage(uses->queue, from, colour, zero, all, 0, NULL, NULL),
		     "clEnqueueFillImage");
	uses_expect("fill", "write", from, 0, size_of(from), NO_ARGUMENT, 0);
	opencl_check(clEnqueueWriteImage(uses->queue, from, CL_TRUE, origin, region, 0, 0,
					 uses->host, 0, NULL, NULL),
		     "clEnqueueWriteImage");
	uses_expect("copy", "write", from, offset, bytes, NO_ARGUMENT, PARTIAL);
	opencl_check(clEnqueueReadImage(uses->queue, from, CL_TRUE, zero, all, 0, 0, uses->host, 0,
					NULL, NULL),
		     "clEnqueueReadImage");
	uses_expect("copy", "read", from, 0, size_of(from), NO_ARGUMENT, 0);
	opencl_check(clEnqueueCopyImage(uses->queue, from, to, origin, zero, region, 0, NULL, NULL),
		     "clEnqueueCopyImage");
	uses_expect("copy", "read", from, offset, bytes, NO_ARGUMENT, PARTIAL);
	uses_expect("copy", "write", to, 0, bytes, NO_ARGUMENT, PARTIAL);
	opencl_check(clEnqueueCopyImageToBuffer(uses->queue, from, uses->buffer, origin, region, 64,
						0, NULL, NULL),
		     "clEnqueueCopyImageToBuffer");
	uses_expect("copy", "read", from, offset, bytes, NO_ARGUMENT, PARTIAL);
	uses_expect("copy", "write", uses->buffer, 64, 5 * 4 * PIXEL, NO_ARGUMENT, 0);
	opencl_check(clEnqueueCopyBufferToImage(uses->queue, uses->buffer, to, 64, zero, all, 0,
						NULL, NULL),
		     "clEnqueueCopyBufferToImage");
	uses_expect("copy", "read", uses->buffer, 64, WIDTH * HEIGHT * PIXEL, NO_ARGUMENT, 0);
	uses_expect("copy", "write", to, 0, size_of(to), NO_ARGUMENT, 0);
}

static void map_image(struct uses *uses, cl_mem image)
{
	static const size_t origin[3] = {3, 2, 0}, region[3] = {5, 4, 1};
	const size_t offset = 3 * PIXEL + 2 * row_of(image);
	const size_t bytes = 5 * PIXEL + 3 * row_of(image);
	size_t row = 0;
	cl_int status;
	void *memory = clEnqueueMapImage(uses->queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
					 origin, region, &row, NULL, 0, NULL, NULL, &status);

	opencl_check(status, "clEnqueueMapImage");
	uses_expect("copy", "read", image, offset, bytes, NO_ARGUMENT, PARTIAL);
	opencl_check(clEnqueueUnmapMemObject(uses->queue, image, memory, 0, NULL, NULL),
		     "clEnqueueUnmapMemObject");
	uses_expect("copy", "write", image, offset, bytes, NO_ARGUMENT, PARTIAL);
	memory = clEnqueueMapImage(uses->queue, image, CL_TRUE, CL_MAP_READ, origin, region, &row,
				   NULL, 0, NULL, NULL, &status);
	opencl_check(status, "clEnqueueMapImage");
	uses_expect("copy", "read", image, offset, bytes, NO_ARGUMENT, PARTIAL);
	opencl_check(clEnqueueUnmapMemObject(uses->queue, image, memory, 0, NULL, NULL),
		     "clEnqueueUnmapMemObject");
	uses_expect_none("copy");
}

static void launch_pixels(struct uses *uses, cl_program program, cl_mem from, cl_mem to)
{
	cl_kernel kernel = opencl_kernel(program, "pixels", from);
	cl_kernel_arg_access_qualifier access = CL_KERNEL_ARG_ACCESS_NONE;
	bool known;

	clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof(access), &access,
			   NULL);
	known = access == CL_KERNEL_ARG_ACCESS_READ_ONLY;
	set(kernel, 1, to);
	launch(uses, kernel);
	uses_expect("kernel", known ? "read" : "read-write", from, 0, 0, 0,
		    PARTIAL | (known ? 0 : ASSUMED));
	uses_expect("kernel", known ? "write" : "read-write", to, 0, 0, 1,
		    PARTIAL | (known ? 0 : ASSUMED));
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
}

void uses_images(struct uses *uses)
{
	cl_mem from = make_image(uses), to = from ? make_image(uses) : NULL;

	if (!to)
		return;
	copy_images(uses, from, to);
	map_image(uses, from);
	launch_pixels(uses, uses->opencl.program, from, to);
	launch_pixels(uses, uses->informed, from, to);
	opencl_check(clFinish(uses->queue), "clFinish");
	opencl_check(clReleaseMemObject(from), "clReleaseMemObject");
	opencl_check(clReleaseMemObject(to), "clReleaseMemObject");
}

enum { SHARED = 4096 };

/* Copies between memory of the host, and a mapping that is only read. */
static void use_none(struct uses *uses, char *memory)
{
	opencl_check(clEnqueueSVMMemcpy(uses->queue, CL_TRUE, uses->host, uses->host + 512, 100, 0,
					NULL, NULL),
		     "clEnqueueSVMMemcpy");
	uses_expect_none("copy");
	opencl_check(clEnqueueSVMMap(uses->queue, CL_TRUE, CL_MAP_READ, memory, 64, 0, NULL, NULL),
		     "clEnqueueSVMMap");
	uses_expect("copy", "read", memory, 0, 64, NO_ARGUMENT, 0);
	opencl_check(clEnqueueSVMUnmap(uses->queue, memory, 0, NULL, NULL), "clEnqueueSVMUnmap");
	uses_expect_none("copy");
}

static void move_shared(struct uses *uses, char *memory)
{
	static const int pattern = 5;
	const void *all[2] = {memory, memory + 1024};
	const size_t sizes[2] = {0, 100};

	opencl_check(clEnqueueSVMMemcpy(uses->queue, CL_TRUE, memory + 64, uses->host, 100, 0, NULL,
					NULL),
		     "clEnqueueSVMMemcpy");
	uses_expect("copy", "write", memory, 64, 100, NO_ARGUMENT, 0);
	opencl_check(clEnqueueSVMMemcpy(uses->queue, CL_TRUE, memory + 2048, memory + 8, 50, 0,
					NULL, NULL),
		     "clEnqueueSVMMemcpy");
	uses_expect("copy", "read", memory, 8, 50, NO_ARGUMENT, 0);
	uses_expect("copy", "write", memory, 2048, 50, NO_ARGUMENT, 0);
	opencl_check(clEnqueueSVMMemFill(uses->queue, memory + 256, &pattern, sizeof(pattern), 128,
					 0, NULL, NULL),
		     "clEnqueueSVMMemFill");
	uses_expect("fill", "write", memory, 256, 128, NO_ARGUMENT, 0);
	opencl_check(clEnqueueSVMMap(uses->queue, CL_TRUE, CL_MAP_WRITE, memory + 32, 64, 0, NULL,
				     NULL),
		     "clEnqueueSVMMap");
	uses_expect("copy", "read", memory, 32, 64, NO_ARGUMENT, 0);
	opencl_check(clEnqueueSVMUnmap(uses->queue, memory + 32, 0, NULL, NULL),
		     "clEnqueueSVMUnmap");
	uses_expect("copy", "write", memory, 32, 64, NO_ARGUMENT, PARTIAL);
	if (!opencl_did(clEnqueueSVMMigrateMem(uses->queue, 2, all, sizes, 0, 0, NULL, NULL),
			"clEnqueueSVMMigrateMem"))
		return;
	uses_expect("copy", "read", memory, 0, SHARED, NO_ARGUMENT, 0);
	uses_expect("copy", "read", memory, 1024, 100, NO_ARGUMENT, 0);
}

static void launch_shared(struct uses *uses, char *memory, char *other)
{
	cl_kernel kernel = opencl_kernel(uses->opencl.program, "add", NULL);
	const void *pointers[1] = {other + 16};

	opencl_check(clSetKernelArgSVMPointer(kernel, 0, memory), "clSetKernelArgSVMPointer");
	opencl_check(clSetKernelArgSVMPointer(kernel, 1, memory + 512), "clSetKernelArgSVMPointer");
	set(kernel, 2, uses->reads);
	set_count(kernel, 0);
	opencl_check(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(pointers),
					 pointers),
		     "clSetKernelExecInfo");
	launch(uses, kernel);
	uses_expect("kernel", uses_is_informed(kernel) ? "read" : "read-write", memory, 0, 0, 0,
		    PARTIAL | (uses_is_informed(kernel) ? 0 : ASSUMED));
	uses_expect("kernel", "read-write", memory, 512, 0, 1, PARTIAL | ASSUMED);
	uses_expect("kernel", "read", uses->reads, 0, 0, 2, PARTIAL);
	uses_expect("kernel", "read-write", other, 16, 0, NO_ARGUMENT, PARTIAL | ASSUMED);
	opencl_check(clFinish(uses->queue), "clFinish");
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
}

/* Kernels reach it by pointers in other memory, too. */
static void pass_shared(struct uses *uses, char *memory)
{
	cl_kernel kernel = make_plain(uses);

	opencl_check(clSetKernelArgSVMPointer(kernel, 1, memory), "clSetKernelArgSVMPointer");
	launch(uses, kernel);
	uses_expect("kernel", "write", uses->buffer, 0, 0, 0, PARTIAL);
	uses_expect("kernel", "read-write", memory, 0, 0, 1, PARTIAL | ASSUMED);
	expect_plain(uses);
	opencl_check(clReleaseKernel(kernel), "clReleaseKernel");
}

/* A buffer over shared virtual memory allocates nothing. */
static void buffer_over(struct uses *uses, char *memory)
{
	cl_int status;
	cl_mem buffer = clCreateBuffer(uses->opencl.context, CL_MEM_USE_HOST_PTR, 1024,
				       memory + 1024, &status);

	opencl_check(status, "clCreateBuffer");
	opencl_check(clEnqueueReadBuffer(uses->queue, buffer, CL_TRUE, 4, 40, uses->host, 0, NULL,
					 NULL),
		     "clEnqueueReadBuffer");
	uses_expect("copy", "read", memory, 1028, 40, NO_ARGUMENT, 0);
	opencl_check(clReleaseMemObject(buffer), "clReleaseMemObject");
}

void uses_shared(struct uses *uses)
{
	char *memory = clSVMAlloc(uses->opencl.context, CL_MEM_READ_WRITE, SHARED, 0);
	char *other = clSVMAlloc(uses->opencl.context, CL_MEM_READ_WRITE, SHARED, 0);

	if (!opencl_did(memory && other ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE,
			"clSVMAlloc"))
		return;
	move_shared(uses, memory);
	use_none(uses, memory);
	launch_shared(uses, memory, other);
	pass_shared(uses, memory);
	buffer_over(uses, memory);
	opencl_check(clFinish(uses->queue), "clFinish");
	clSVMFree(uses->opencl.context, memory);
	clSVMFree(uses->opencl.context, other);
}
