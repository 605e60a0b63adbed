/* SPDX-License-Identifier: MIT */
#include "backend/opencl/program.h"

#include <stdatomic.h>

#include "backend/opencl/lines.h"
#include "backend/opencl/next.h"
#include "backend/opencl/object.h"
#include "backend/opencl/used.h"

/* OBJECT_PROGRAM */
struct program {
	atomic_uint references; /* held by the application */
};

bool program_is_held(cl_program handle)
{
	const struct program *program = object_find(OBJECT_PROGRAM, handle);

	return program && atomic_load(&program->references);
}

cl_program used_clCreateProgramWithSource(cl_context context, cl_uint count, const char **texts,
					  const size_t *lengths, cl_int *error)
{
	cl_program handle = next.clCreateProgramWithSource(context, count, texts, lengths, error);
	const struct program program = {.references = 1};

	if (handle) {
		lines_forget(handle);
		object_put(OBJECT_PROGRAM, handle, &program, sizeof(program));
	}
	return handle;
}

cl_int used_clRetainProgram(cl_program handle)
{
	struct program *program = object_find(OBJECT_PROGRAM, handle);
	cl_int status = next.clRetainProgram(handle);

	if (program && status == CL_SUCCESS && atomic_load(&program->references))
		atomic_fetch_add(&program->references, 1);
	return status;
}

/* What belongs to the handle ends before the driver can give it to another program. */
cl_int used_clReleaseProgram(cl_program handle)
{
	struct program *program = object_find(OBJECT_PROGRAM, handle);
	unsigned count = program ? object_release(OBJECT_PROGRAM, handle, &program->references) : 0;
	cl_int status;

	if (count == 1)
		lines_forget(handle);
	status = next.clReleaseProgram(handle);
	if (status != CL_SUCCESS && program)
		object_undo_release(OBJECT_PROGRAM, handle, &program->references, count);
	return status;
}
