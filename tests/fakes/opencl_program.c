/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl.h"

/* Programs, their build logs, and kernels. */

static void *fail(cl_int status, cl_int *error)
{
	if (error)
		*error = status;
	return NULL;
}

cl_program fake_clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings,
					  const size_t *lengths, cl_int *error)
{
	cl_program program;
	LOCKED();

	if (!object_is(context, KIND_CONTEXT))
		return fail(CL_INVALID_CONTEXT, error);
	program = object_make(KIND_PROGRAM, sizeof(*program));
	program->context = context;
	object_retain(context);
	program->options = strdup("");
	program->log = strdup("");
	fail(CL_SUCCESS, error);
	return program;
}

cl_int fake_clRetainProgram(cl_program program)
{
	return object_count(program, KIND_PROGRAM, 1, CL_INVALID_PROGRAM);
}

cl_int fake_clReleaseProgram(cl_program program)
{
	return object_count(program, KIND_PROGRAM, -1, CL_INVALID_PROGRAM);
}

/* Returns the bytes of the file that the script names, or `name`. */
static char *kernel_name(const char *name)
{
	FILE *file = script.kernel ? fopen(script.kernel, "r") : NULL;
	char *text = NULL;
	size_t size = 0;
	ssize_t length;

	if (!script.kernel)
		return strdup(name);
	length = file ? getdelim(&text, &size, '\0', file) : -1;
	if (file)
		fclose(file);
	if (length < 0) {
		free(text);
		return strdup("");
	}
	return text;
}

/* The build log of NVIDIA's compiler for two kernels, the first one with a longer name. */
static void put_entry(FILE *log, const char *name, const char *more, int64_t registers)
{
	fprintf(log, "ptxas info    : Compiling entry function '%s%s' for 'sm_%d'\n", name, more,
		(int)script.cc);
	fprintf(log, "ptxas info    : Function properties for %s%s\n", name, more);
	fprintf(log, "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n");
	fprintf(log, "ptxas info    : Used %d registers, %d bytes smem, 64 bytes cmem[0]\n",
		(int)registers, (int)script.shared);
}

cl_int fake_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
			   const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
			   void *data)
{
	FILE *log;
	char *name;
	size_t size;
	LOCKED();

	if (!object_is(program, KIND_PROGRAM))
		return CL_INVALID_PROGRAM;
	free(program->options);
	free(program->log);
	program->options = strdup(options ? options : "");
	log = open_memstream(&program->log, &size);
	if (!log)
		abort();
	name = kernel_name("hello");
	if (!strcmp(script.vendor, "nvidia") && strstr(program->options, "-cl-nv-verbose")) {
		put_entry(log, name, "_again", script.registers + 1);
		put_entry(log, name, "", script.registers);
	}
	fclose(log);
	free(name);
	return CL_SUCCESS;
}

cl_int fake_clGetProgramInfo(cl_program program, cl_program_info what, size_t size, void *value,
			     size_t *size_ret)
{
	LOCKED();

	if (!object_is(program, KIND_PROGRAM))
		return CL_INVALID_PROGRAM;
	if (what == CL_PROGRAM_DEVICES)
		return answer(&program->context->device, sizeof(cl_device_id), size, value,
			      size_ret);
	if (what == CL_PROGRAM_REFERENCE_COUNT)
		return answer(&program->object.references, sizeof(cl_uint), size, value, size_ret);
	return CL_INVALID_VALUE;
}

cl_int fake_clGetProgramBuildInfo(cl_program program, cl_device_id device,
				  cl_program_build_info what, size_t size, void *value,
				  size_t *size_ret)
{
	LOCKED();

	if (!object_is(program, KIND_PROGRAM))
		return CL_INVALID_PROGRAM;
	if (what == CL_PROGRAM_BUILD_LOG)
		return answer_text(program->log, size, value, size_ret);
	if (what == CL_PROGRAM_BUILD_OPTIONS)
		return answer_text(program->options, size, value, size_ret);
	return CL_INVALID_VALUE;
}

cl_kernel fake_clCreateKernel(cl_program program, const char *name, cl_int *error)
{
	cl_kernel kernel;
	LOCKED();

	if (!object_is(program, KIND_PROGRAM))
		return fail(CL_INVALID_PROGRAM, error);
	if (!strcmp(name, "missing"))
		return fail(CL_INVALID_KERNEL_NAME, error);
	kernel = object_make(KIND_KERNEL, sizeof(*kernel));
	kernel->program = program;
	object_retain(program);
	kernel->name = kernel_name(name);
	fail(CL_SUCCESS, error);
	return kernel;
}

cl_int fake_clCreateKernelsInProgram(cl_program program, cl_uint count, cl_kernel *kernels,
				     cl_uint *count_ret)
{
	if (!object_is(program, KIND_PROGRAM))
		return CL_INVALID_PROGRAM;
	if (kernels && !count)
		return CL_INVALID_VALUE;
	if (kernels)
		kernels[0] = fake_clCreateKernel(program, "hello", NULL);
	if (count_ret)
		*count_ret = 1;
	return CL_SUCCESS;
}

cl_int fake_clRetainKernel(cl_kernel kernel)
{
	return object_count(kernel, KIND_KERNEL, 1, CL_INVALID_KERNEL);
}

cl_int fake_clReleaseKernel(cl_kernel kernel)
{
	return object_count(kernel, KIND_KERNEL, -1, CL_INVALID_KERNEL);
}

cl_int fake_clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	return object_is(kernel, KIND_KERNEL) ? CL_SUCCESS : CL_INVALID_KERNEL;
}

cl_int fake_clGetKernelInfo(cl_kernel kernel, cl_kernel_info what, size_t size, void *value,
			    size_t *size_ret)
{
	LOCKED();

	if (!object_is(kernel, KIND_KERNEL))
		return CL_INVALID_KERNEL;
	if (what == CL_KERNEL_FUNCTION_NAME)
		return answer_text(kernel->name, size, value, size_ret);
	if (what == CL_KERNEL_PROGRAM)
		return answer(&kernel->program, sizeof(kernel->program), size, value, size_ret);
	object_update_queues(false);
	if (what == CL_KERNEL_REFERENCE_COUNT)
		return answer(&kernel->object.references, sizeof(cl_uint), size, value, size_ret);
	return CL_INVALID_VALUE;
}

/* The program is built without this information. */
cl_int fake_clGetKernelArgInfo(cl_kernel kernel, cl_uint index, cl_kernel_arg_info what,
			       size_t size, void *value, size_t *size_ret)
{
	return object_is(kernel, KIND_KERNEL) ? CL_KERNEL_ARG_INFO_NOT_AVAILABLE
					      : CL_INVALID_KERNEL;
}

cl_int fake_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
				     cl_kernel_work_group_info what, size_t size, void *value,
				     size_t *size_ret)
{
	static const size_t sizes[2][3] = {{0}, {16, 8, 1}};
	cl_ulong local = (cl_ulong)script.shared;

	if (!object_is(kernel, KIND_KERNEL))
		return CL_INVALID_KERNEL;
	if (what == CL_KERNEL_LOCAL_MEM_SIZE && script.shared >= 0)
		return answer(&local, sizeof(local), size, value, size_ret);
	if (what == CL_KERNEL_COMPILE_WORK_GROUP_SIZE)
		return answer(sizes[script.required], sizeof(sizes[0]), size, value, size_ret);
	return CL_INVALID_VALUE;
}
