/* SPDX-License-Identifier: MIT */
#include "backend/opencl/kernel.h"

#include <string.h>

#include "backend/opencl/buildlog.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/lines.h"
#include "backend/opencl/object.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/program.h"
#include "base/say.h"
#include "base/strbuf.h"
#include "session/session.h"

/* Kernels: their properties are read when they are made, not when they are launched. */

/* Returns the NUL-terminated name of any length; "" on failure. */
static const char *ask_name(cl_kernel handle, struct strbuf *to)
{
	size_t size = 0;
	char *room;

	if (next.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, 0, NULL, &size) != CL_SUCCESS)
		return "";
	room = strbuf_reserve(to, size + 1);
	if (!room)
		say_no_memory(); /* a filter may need the name */
	if (!room || next.clGetKernelInfo(handle, CL_KERNEL_FUNCTION_NAME, size, room, NULL) !=
			     CL_SUCCESS)
		return "";
	to->length = strnlen(room, size);
	return strbuf_text(to);
}

/* The properties for the first device of the kernel are used for all. */
static cl_device_id device_for(cl_program program)
{
	cl_device_id devices[64] = {NULL};
	size_t size = 0;

	if (next.clGetProgramInfo(program, CL_PROGRAM_DEVICES, 0, NULL, &size) != CL_SUCCESS)
		return NULL;
	size = size < sizeof(devices) ? size : sizeof(devices);
	next.clGetProgramInfo(program, CL_PROGRAM_DEVICES, size, devices, NULL);
	return devices[0];
}

static cl_program program_of(cl_kernel handle)
{
	cl_program program = NULL;

	next.clGetKernelInfo(handle, CL_KERNEL_PROGRAM, sizeof(program), &program, NULL);
	return program;
}

const struct opencl_device *kernel_device(cl_kernel handle)
{
	cl_program program = program_of(handle);
	cl_device_id device = program ? device_for(program) : NULL;

	return device ? device_of(device) : NULL;
}

/* Some drivers write into the array although they fail. */
static void ask_required_size(struct opencl_kernel *kernel, cl_kernel handle, cl_device_id device)
{
	size_t size[3] = {0};

	if (next.clGetKernelWorkGroupInfo(handle, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
					  sizeof(size), size, NULL) == CL_SUCCESS &&
	    size[0] && size[1] && size[2])
		memcpy(kernel->required, size, sizeof(size));
}

static void ask_resources(struct opencl_kernel *kernel, cl_kernel handle, cl_program program,
			  const char *name)
{
	cl_device_id device = program ? device_for(program) : NULL;
	cl_ulong local = 0;

	if (!device)
		return;
	/* Queried now, since some drivers later include the sizes of arguments. */
	if (next.clGetKernelWorkGroupInfo(handle, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof(local),
					  &local, NULL) == CL_SUCCESS) {
		kernel->static_local = (uint32_t)local;
		kernel->has_static_local = true;
	}
	ask_required_size(kernel, handle, device);
	kernel->has_registers = buildlog_registers(program, device, name, &kernel->registers);
}

/* `created`: its arguments are not set yet. */
static struct opencl_kernel *kernel_made(cl_kernel handle, cl_uint references, bool created)
{
	struct opencl_kernel kernel = {.references = references,
				       .lacks_dynamic_local = !created,
				       .lacks_values = !created};
	struct strbuf buffer = STRBUF_INIT;
	const char *name = ask_name(handle, &buffer);
	cl_program program = program_of(handle);

	kernel.name = session_name(name, strlen(name));
	kernel.wanted = settings_logs_kernel(opencl_settings(), name);
	kernel.examined = settings_examines_kernel(opencl_settings(), name);
	ask_resources(&kernel, handle, program, name);
	if (created && kernel.wanted && kernel.examined)
		kernel.lines = lines_made(handle, name, program, program_is_held(program));
	strbuf_free(&buffer);
	return object_put(OBJECT_KERNEL, handle, &kernel, sizeof(kernel));
}

/* For a kernel whose creation was not seen. The count may be too large if the driver includes its
 * own references, but not too small. */
static cl_uint count_references(cl_kernel handle)
{
	cl_uint count = 0;

	next.clGetKernelInfo(handle, CL_KERNEL_REFERENCE_COUNT, sizeof(count), &count, NULL);
	return count ? count : 1;
}

struct opencl_kernel *kernel_of(cl_kernel handle)
{
	struct opencl_kernel *known = object_find(OBJECT_KERNEL, handle);

	return known || !handle ? known : kernel_made(handle, count_references(handle), false);
}

cl_kernel profiled_clCreateKernel(cl_program program, const char *name, cl_int *error)
{
	cl_kernel kernel = next.clCreateKernel(program, name, error);

	if (kernel)
		kernel_made(kernel, 1, true);
	return kernel;
}

cl_int profiled_clCreateKernelsInProgram(cl_program program, cl_uint count, cl_kernel *kernels,
					 cl_uint *count_ret)
{
	cl_uint made = 0;
	cl_int status = next.clCreateKernelsInProgram(program, count, kernels, &made);

	if (count_ret && status == CL_SUCCESS)
		*count_ret = made;
	for (cl_uint i = 0; status == CL_SUCCESS && kernels && i < made && i < count; i++)
		kernel_made(kernels[i], 1, true);
	return status;
}

cl_kernel profiled_clCloneKernel(cl_kernel source, cl_int *error)
{
	const struct opencl_kernel *from = kernel_of(source);
	cl_kernel kernel = next.clCloneKernel(source, error);

	if (kernel && from) {
		struct opencl_kernel clone = *from;

		clone.references = 1;
		clone.lines = lines_copied(from->lines);
		object_put(OBJECT_KERNEL, kernel, &clone, sizeof(clone));
	}
	return kernel;
}

cl_int profiled_clRetainKernel(cl_kernel handle)
{
	struct opencl_kernel *kernel = object_find(OBJECT_KERNEL, handle);
	cl_int status = next.clRetainKernel(handle);

	if (kernel && status == CL_SUCCESS)
		atomic_fetch_add(&kernel->references, 1);
	return status;
}

cl_int kernel_release(cl_kernel handle, unsigned *count)
{
	struct opencl_kernel *kernel = object_find(OBJECT_KERNEL, handle);
	struct lines_kernel *lines = kernel ? kernel->lines : NULL;
	cl_int status;

	*count = kernel ? object_release(OBJECT_KERNEL, handle, &kernel->references) : 0;
	status = next.clReleaseKernel(handle);
	if (status == CL_SUCCESS && *count == 1)
		lines_ended(lines);
	if (status == CL_SUCCESS || !kernel)
		return status;
	object_undo_release(OBJECT_KERNEL, handle, &kernel->references, *count);
	*count = 0;
	return status;
}

cl_int profiled_clReleaseKernel(cl_kernel handle)
{
	unsigned count;

	return kernel_release(handle, &count);
}

/* An argument with a size and without a value is local memory of that size. */
cl_int profiled_clSetKernelArg(cl_kernel handle, cl_uint index, size_t size, const void *value)
{
	struct opencl_kernel *kernel = object_find(OBJECT_KERNEL, handle);
	cl_int status = next.clSetKernelArg(handle, index, size, value);
	uint32_t local = value ? 0 : (uint32_t)size;

	if (!kernel || status != CL_SUCCESS)
		return status;
	if (kernel->lines)
		lines_set(kernel->lines, index, size, value);
	if (index >= KERNEL_ARGUMENTS) {
		kernel->lacks_dynamic_local |= local;
		return status;
	}
	kernel->dynamic_local += local - kernel->arguments[index];
	kernel->arguments[index] = local;
	return status;
}
