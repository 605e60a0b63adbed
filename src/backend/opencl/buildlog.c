/* SPDX-License-Identifier: MIT */
#include "backend/opencl/buildlog.h"

#include <stdlib.h>
#include <string.h>

#include "backend/opencl/functions.h"
#include "backend/opencl/object.h"
#include "backend/opencl/opencl.h"
#include "base/number.h"
#include "base/strbuf.h"

static const char verbose[] = "-cl-nv-verbose";

bool buildlog_parse(const char *log, const char *kernel, uint32_t *registers)
{
	static const char entry[] = "Compiling entry function '", used[] = "Used ";
	size_t length = strlen(kernel);

	for (const char *at = log; (at = strstr(at, entry));) {
		const char *end, *number_end;
		uint64_t number;

		at += sizeof(entry) - 1;
		if (strncmp(at, kernel, length) || at[length] != '\'')
			continue;
		/* The figures of an entry precede the next entry. */
		end = strstr(at, entry);
		at = strstr(at, used);
		if (!at || (end && at > end))
			return false;
		number = number_read(at + sizeof(used) - 1, &number_end);
		if (strncmp(number_end, " register", 9) || number > UINT16_MAX)
			return false;
		*registers = (uint32_t)number;
		return true;
	}
	return false;
}

bool buildlog_registers(cl_program program, cl_device_id device, const char *kernel,
			uint32_t *registers)
{
	const struct opencl_device *known = device_of(device);
	struct strbuf log = STRBUF_INIT;
	size_t size = 0;
	char *room;
	bool found = false;

	if (!known || !known->compute ||
	    next.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) !=
		    CL_SUCCESS)
		return false;
	room = strbuf_reserve(&log, size + 1);
	if (room && next.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, room,
					       NULL) == CL_SUCCESS) {
		room[size] = '\0';
		found = buildlog_parse(room, kernel, registers);
	}
	strbuf_free(&log);
	return found;
}

/* Returns true if the program is built for a device of NVIDIA. */
static bool is_nvidia(cl_program program, cl_uint count, const cl_device_id *devices)
{
	cl_device_id own[64];
	size_t size = 0;

	if (!devices) {
		if (next.clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof(own), own, &size) !=
		    CL_SUCCESS)
			return false;
		devices = own;
		count = (cl_uint)(size / sizeof(*own));
	}
	for (cl_uint i = 0; i < count; i++) {
		const struct opencl_device *device = device_of(devices[i]);

		if (device && device->compute)
			return true;
	}
	return false;
}

cl_int profiled_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
			       const char *options,
			       void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
	struct strbuf more = STRBUF_INIT;
	cl_int status;

	if (!opencl_settings()->verbose_build || (options && strstr(options, verbose)) ||
	    !is_nvidia(program, count, devices))
		return next.clBuildProgram(program, count, devices, options, notify, data);
	strbuf_string(&more, options ? options : "");
	strbuf_char(&more, ' ');
	strbuf_string(&more, verbose);
	status = next.clBuildProgram(program, count, devices,
				     more.failed ? options : strbuf_text(&more), notify, data);
	strbuf_free(&more);
	return status;
}
