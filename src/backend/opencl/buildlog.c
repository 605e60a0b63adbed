/* SPDX-License-Identifier: MIT */
#include "backend/opencl/buildlog.h"

#include <stdlib.h>
#include <string.h>

#include "backend/opencl/device.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/lines.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/used.h"
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

static bool is_nvidia(const struct opencl_device *device)
{
	return device->compute;
}

/* clGetKernelArgInfo is of OpenCL 1.2. */
static bool has_arguments(const struct opencl_device *device)
{
	return device->version >= 120;
}

/* Returns true if the program is built for a device that `is` one. */
static bool is_for(cl_program program, cl_uint count, const cl_device_id *devices,
		   bool (*is)(const struct opencl_device *device))
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

		if (device && is(device))
			return true;
	}
	return false;
}

static void add(struct strbuf *to, const char *given, const char *option)
{
	if (given && strstr(given, option))
		return;
	strbuf_char(to, ' ');
	strbuf_string(to, option);
}

/* Appends the options that the settings request besides the given ones. A build that notifies the
 * program cannot be repeated if the driver refuses an option. */
static void add_options(struct strbuf *to, const char *given, cl_program program, cl_uint count,
			const cl_device_id *devices, bool notifies)
{
	const struct settings *settings = opencl_settings();

	if (settings->verbose_build && is_for(program, count, devices, is_nvidia))
		add(to, given, verbose);
	if (settings->values >= VALUES_FLOW && !notifies &&
	    is_for(program, count, devices, has_arguments))
		add(to, given, "-cl-kernel-arg-info");
}

/* Returns the program's options with those of the settings in `room`, or the program's alone. */
static const char *options_with(struct strbuf *room, const char *given, cl_program program,
				cl_uint count, const cl_device_id *devices, bool notifies)
{
	size_t length = given ? strlen(given) : 0;

	strbuf_append(room, given ? given : "", length);
	add_options(room, given, program, count, devices, notifies);
	return room->failed || room->length == length ? given : strbuf_text(room);
}

static bool is_pocl(const struct opencl_device *device)
{
	return device->is_pocl;
}

/* A driver may refuse the information about arguments in several ways. PoCL does not, and prints
 * the errors of a source itself. */
static bool may_repeat(bool has_more, bool notifies, cl_program program, cl_uint count,
		       const cl_device_id *devices)
{
	return has_more && !notifies && opencl_settings()->values >= VALUES_FLOW &&
	       !is_for(program, count, devices, is_pocl);
}

cl_int profiled_clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
			       const char *options, void(CL_CALLBACK *notify)(cl_program, void *),
			       void *data)
{
	struct strbuf room = STRBUF_INIT;
	const char *more = options_with(&room, options, program, count, devices, notify != NULL);
	cl_int status;

	lines_build(program);
	status = next.clBuildProgram(program, count, devices, more, notify, data);
	if (status != CL_SUCCESS &&
	    may_repeat(more != options, notify != NULL, program, count, devices))
		status = next.clBuildProgram(program, count, devices, options, notify, data);
	strbuf_free(&room);
	return status;
}

cl_int used_clCompileProgram(cl_program program, cl_uint count, const cl_device_id *devices,
			     const char *options, cl_uint header_count, const cl_program *headers,
			     const char **names, void(CL_CALLBACK *notify)(cl_program, void *),
			     void *data)
{
	struct strbuf room = STRBUF_INIT;
	const char *more = options_with(&room, options, program, count, devices, notify != NULL);
	cl_int status;

	lines_forget(program);
	status = next.clCompileProgram(program, count, devices, more, header_count, headers, names,
				       notify, data);
	if (status != CL_SUCCESS &&
	    may_repeat(more != options, notify != NULL, program, count, devices))
		status = next.clCompileProgram(program, count, devices, options, header_count,
					       headers, names, notify, data);
	strbuf_free(&room);
	return status;
}
