/* SPDX-License-Identifier: MIT */
/*
 * A small particle simulation on an OpenCL device: N bodies attract each other, their energy is
 * summed up on the device, and a picture of their density is drawn and blurred. One queue steps,
 * the other one draws. Everything is computed again on the CPU and compared.
 *
 * Exit code: 0 the results agree, 1 they do not or a call failed, 77 there is no OpenCL device.
 */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#include "demo.h"

enum { GROUP = 64, NO_DEVICE = 77 };

static const char *source =
	"__kernel void nbody_step(__global const float4 *from, __global float4 *to,\n"
	"			 __global float4 *velocity, int count, float dt, float soft,\n"
	"			 __local float4 *tile)\n"
	"{\n"
	"	int me = get_global_id(0), local_me = get_local_id(0), size = get_local_size(0);\n"
	"	float4 self = from[me];\n"
	"	float3 force = (float3)(0);\n"
	"	for (int start = 0; start < count; start += size) {\n"
	"		tile[local_me] = from[start + local_me];\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"		for (int i = 0; i < size; i++) {\n"
	"			float3 way = tile[i].xyz - self.xyz;\n"
	"			float square = dot(way, way) + soft;\n"
	"			force += way * (tile[i].w / (square * sqrt(square)));\n"
	"		}\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"	}\n"
	"	velocity[me].xyz += force * dt;\n"
	"	to[me] = (float4)(self.xyz + velocity[me].xyz * dt, self.w);\n"
	"}\n"
	"__kernel void energy_reduce(__global const float4 *position,\n"
	"			    __global const float4 *velocity, __global float *sums)\n"
	"{\n"
	"	__local float part[64];\n"
	"	int me = get_global_id(0), local_me = get_local_id(0);\n"
	"	float3 v = velocity[me].xyz;\n"
	"	part[local_me] = 0.5f * position[me].w * dot(v, v);\n"
	"	for (int width = get_local_size(0) / 2; width > 0; width /= 2) {\n"
	"		barrier(CLK_LOCAL_MEM_FENCE);\n"
	"		if (local_me < width)\n"
	"			part[local_me] += part[local_me + width];\n"
	"	}\n"
	"	if (local_me == 0)\n"
	"		sums[get_group_id(0)] = part[0];\n"
	"}\n"
	"__kernel void splat(__global const float4 *position, __global int *picture, int side)\n"
	"{\n"
	"	float4 self = position[get_global_id(0)];\n"
	"	int x = clamp((int)((self.x + 1) * 0.5f * side), 0, side - 1);\n"
	"	int y = clamp((int)((self.y + 1) * 0.5f * side), 0, side - 1);\n"
	"	atomic_add(&picture[y * side + x], 59049);\n"
	"}\n"
	"__kernel void blur(__global const int *from, __global int *to, int side)\n"
	"{\n"
	"	int x = get_global_id(0), y = get_global_id(1), sum = 0;\n"
	"	for (int dy = -1; dy <= 1; dy++)\n"
	"		for (int dx = -1; dx <= 1; dx++)\n"
	"			sum += from[clamp(y + dy, 0, side - 1) * side +\n"
	"				    clamp(x + dx, 0, side - 1)];\n"
	"	to[y * side + x] = sum / 9;\n"
	"}\n";

struct device {
	cl_context context;
	cl_command_queue compute;
	cl_command_queue draw;
	cl_program program;
};

static struct vector start_position[BODIES];
static struct result on_device;

static void check(cl_int status, const char *what)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "demo: %s failed with error %d\n", what, status);
	exit(EXIT_FAILURE);
}

static void build(cl_program program, cl_device_id id)
{
	static char log[4096];
	cl_int status = clBuildProgram(program, 1, &id, "", NULL, NULL);

	if (status &&
	    !clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, NULL))
		fprintf(stderr, "%s\n", log);
	check(status, "clBuildProgram");
}

static cl_device_id find_device(void)
{
	cl_platform_id platforms[16];
	cl_uint count = 0;
	cl_device_id id;

	if (clGetPlatformIDs(16, platforms, &count))
		count = 0;
	for (cl_uint i = 0; i < count && i < 16; i++)
		if (!clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &id, NULL))
			return id;
	fprintf(stderr, "demo: there is no OpenCL device here\n");
	exit(NO_DEVICE);
}

static void open_device(struct device *device)
{
	cl_device_id id = find_device();
	char name[256] = "?";
	cl_int status;

	clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof(name), name, NULL);
	printf("device: %s\n", name);
	device->context = clCreateContext(NULL, 1, &id, NULL, NULL, &status);
	check(status, "clCreateContext");
	device->compute = clCreateCommandQueue(device->context, id, 0, &status);
	check(status, "clCreateCommandQueue");
	device->draw = clCreateCommandQueue(device->context, id, 0, &status);
	check(status, "clCreateCommandQueue");
	device->program = clCreateProgramWithSource(device->context, 1, &source, NULL, &status);
	check(status, "clCreateProgramWithSource");
	build(device->program, id);
}

static void close_device(struct device *device)
{
	clReleaseProgram(device->program);
	clReleaseCommandQueue(device->draw);
	clReleaseCommandQueue(device->compute);
	clReleaseContext(device->context);
}

static cl_kernel make_kernel(const struct device *device, const char *name)
{
	cl_int status;
	cl_kernel kernel = clCreateKernel(device->program, name, &status);

	check(status, name);
	return kernel;
}

static cl_mem make_buffer(const struct device *device, size_t size)
{
	cl_int status;
	cl_mem buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE, size, NULL, &status);

	check(status, "clCreateBuffer");
	return buffer;
}

static void set_buffer(cl_kernel kernel, cl_uint index, cl_mem buffer)
{
	check(clSetKernelArg(kernel, index, sizeof(buffer), &buffer), "clSetKernelArg");
}

static void launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, size_t size,
		   size_t group)
{
	size_t global[2] = {size, size}, local[2] = {group, group};

	check(clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, global, local, 0, NULL, NULL),
	      "clEnqueueNDRangeKernel");
}

/* Leaves the positions of the last step in position[0]: STEPS is even. */
static void step_bodies(const struct device *device, cl_mem position[2], cl_mem velocity)
{
	cl_kernel kernel = make_kernel(device, "nbody_step");
	cl_int count = BODIES;
	cl_float step = TIME_STEP, softening = SOFTENING;

	set_buffer(kernel, 2, velocity);
	check(clSetKernelArg(kernel, 3, sizeof(count), &count), "clSetKernelArg");
	check(clSetKernelArg(kernel, 4, sizeof(step), &step), "clSetKernelArg");
	check(clSetKernelArg(kernel, 5, sizeof(softening), &softening), "clSetKernelArg");
	check(clSetKernelArg(kernel, 6, GROUP * sizeof(struct vector), NULL), "clSetKernelArg");
	for (int i = 0; i < STEPS; i++) {
		set_buffer(kernel, 0, position[i % 2]);
		set_buffer(kernel, 1, position[(i + 1) % 2]);
		launch(device->compute, kernel, 1, BODIES, GROUP);
	}
	clReleaseKernel(kernel);
}

static void sum_energy(const struct device *device, cl_mem position, cl_mem velocity)
{
	cl_kernel kernel = make_kernel(device, "energy_reduce");
	cl_mem sums = make_buffer(device, BODIES / GROUP * sizeof(float));
	float parts[BODIES / GROUP];

	set_buffer(kernel, 0, position);
	set_buffer(kernel, 1, velocity);
	set_buffer(kernel, 2, sums);
	launch(device->compute, kernel, 1, BODIES, GROUP);
	check(clEnqueueReadBuffer(device->compute, sums, CL_TRUE, 0, sizeof(parts), parts, 0, NULL,
				  NULL),
	      "clEnqueueReadBuffer");
	for (int i = 0; i < BODIES / GROUP; i++)
		on_device.energy += parts[i];
	clReleaseMemObject(sums);
	clReleaseKernel(kernel);
}

static void draw_picture(const struct device *device, cl_mem position)
{
	static const int black[SIDE * SIDE];
	cl_kernel splat = make_kernel(device, "splat"), blur = make_kernel(device, "blur");
	cl_mem picture[2] = {make_buffer(device, sizeof(black)),
			     make_buffer(device, sizeof(black))};
	cl_int side = SIDE;

	check(clEnqueueWriteBuffer(device->draw, picture[0], CL_FALSE, 0, sizeof(black), black, 0,
				   NULL, NULL),
	      "clEnqueueWriteBuffer");
	set_buffer(splat, 0, position);
	set_buffer(splat, 1, picture[0]);
	check(clSetKernelArg(splat, 2, sizeof(side), &side), "clSetKernelArg");
	launch(device->draw, splat, 1, BODIES, GROUP);
	check(clSetKernelArg(blur, 2, sizeof(side), &side), "clSetKernelArg");
	for (int i = 0; i < BLURS; i++) {
		set_buffer(blur, 0, picture[i % 2]);
		set_buffer(blur, 1, picture[(i + 1) % 2]);
		launch(device->draw, blur, 2, SIDE, 8);
	}
	check(clEnqueueReadBuffer(device->draw, picture[0], CL_TRUE, 0, sizeof(on_device.picture),
				  on_device.picture, 0, NULL, NULL),
	      "clEnqueueReadBuffer");
	clReleaseMemObject(picture[0]);
	clReleaseMemObject(picture[1]);
	clReleaseKernel(blur);
	clReleaseKernel(splat);
}

static void run_on_device(void)
{
	static const struct vector still[BODIES];
	size_t size = sizeof(start_position);
	struct device device;
	cl_mem position[2], velocity;

	open_device(&device);
	position[0] = make_buffer(&device, size);
	position[1] = make_buffer(&device, size);
	velocity = make_buffer(&device, size);
	check(clEnqueueWriteBuffer(device.compute, position[0], CL_TRUE, 0, size, start_position, 0,
				   NULL, NULL),
	      "clEnqueueWriteBuffer");
	check(clEnqueueWriteBuffer(device.compute, velocity, CL_FALSE, 0, size, still, 0, NULL,
				   NULL),
	      "clEnqueueWriteBuffer");
	step_bodies(&device, position, velocity);
	check(clEnqueueCopyBuffer(device.compute, position[0], position[1], 0, 0, size, 0, NULL,
				  NULL),
	      "clEnqueueCopyBuffer");
	sum_energy(&device, position[0], velocity);
	/* sum_energy has waited for its queue, so the other queue finds the copy made. */
	draw_picture(&device, position[1]);
	check(clEnqueueReadBuffer(device.compute, position[0], CL_TRUE, 0, size, on_device.position,
				  0, NULL, NULL),
	      "clEnqueueReadBuffer");
	clReleaseMemObject(velocity);
	clReleaseMemObject(position[1]);
	clReleaseMemObject(position[0]);
	close_device(&device);
}

int main(void)
{
	demo_bodies(start_position);
	run_on_device();
	return demo_check(start_position, &on_device) ? EXIT_FAILURE : EXIT_SUCCESS;
}
