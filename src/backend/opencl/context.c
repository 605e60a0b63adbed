/* SPDX-License-Identifier: MIT */
#include "backend/opencl/context.h"

#include <stdatomic.h>

#include "backend/opencl/device.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/object.h"
#include "backend/opencl/opencl.h"
#include "base/say.h"
#include "session/session.h"

static const struct opencl_context *announce(cl_context handle, cl_device_id first, bool only)
{
	static atomic_uint made;
	static int said;
	const struct opencl_device *device = device_of(first);
	struct opencl_context context;

	if (!device)
		return NULL;
	context.id = session_context(&(struct context){
		.api = API_OPENCL,
		.index = atomic_fetch_add(&made, 1),
		.device = device->id,
	});
	if (context.id == UINT32_MAX) {
		say_once(&said,
			 "the program has created more than %d contexts: commands in further "
			 "contexts are not logged",
			 CATALOG_CONTEXTS);
		return NULL;
	}
	context.only_device = only ? device->id : UINT32_MAX;
	return object_put(OBJECT_CONTEXT, handle, &context, sizeof(context));
}

/* Records a new context; data of an earlier context with the same handle is dropped. */
static void context_made(cl_context handle)
{
	cl_device_id devices[64] = {NULL};
	size_t size = 0;

	if (opencl_is_refused()) {
		session_refuse(opencl_settings());
		return;
	}
	if (next.clGetContextInfo(handle, CL_CONTEXT_DEVICES, 0, NULL, &size) != CL_SUCCESS ||
	    size > sizeof(devices))
		size = sizeof(devices);
	next.clGetContextInfo(handle, CL_CONTEXT_DEVICES, size, devices, NULL);
	announce(handle, devices[0], !devices[1]);
}

const struct opencl_context *context_of(cl_context handle)
{
	const struct opencl_context *known = object_find(OBJECT_CONTEXT, handle);

	if (!known && handle) {
		context_made(handle);
		known = object_find(OBJECT_CONTEXT, handle);
	}
	return known;
}

cl_context profiled_clCreateContext(const cl_context_properties *properties, cl_uint device_count,
				    const cl_device_id *devices,
				    void(CL_CALLBACK *notify)(const char *, const void *, size_t,
							      void *),
				    void *data, cl_int *error)
{
	cl_context context =
		next.clCreateContext(properties, device_count, devices, notify, data, error);

	if (context)
		context_made(context);
	return context;
}

cl_context profiled_clCreateContextFromType(const cl_context_properties *properties,
					    cl_device_type type,
					    void(CL_CALLBACK *notify)(const char *, const void *,
								      size_t, void *),
					    void *data, cl_int *error)
{
	cl_context context = next.clCreateContextFromType(properties, type, notify, data, error);

	if (context)
		context_made(context);
	return context;
}
