/* SPDX-License-Identifier: MIT */
#include "backend/opencl/layer.h"

#include <stdlib.h>
#include <string.h>

#include "backend/opencl/flow_pending.h"
#include "backend/opencl/functions.h"
#include "backend/opencl/opencl.h"
#include "backend/opencl/query.h"
#include "backend/opencl/symbol_hook.h"
#include "base/env.h"
#include "base/say.h"
#include "base/strbuf.h"
#include "session/session.h"

/*
 * The layer interface of the OpenCL loaders. Its functions are named by assembler labels, since
 * headers of different years declare some of them differently.
 *
 * Source: the loader layers chapter of the OpenCL extension specification. The last two functions
 * are newer; a Khronos loader of 2026 requires them.
 */
#define ENTRY_POINT(name) __asm__(name) __attribute__((visibility("default")))
enum { LAYER_API_VERSION = 0x4240, LAYER_NAME = 0x4241, LAYER_API_VERSION_100 = 100 };

cl_int layer_info(cl_uint what, size_t size, void *value, size_t *size_ret)
	ENTRY_POINT("clGetLayerInfo");
cl_int layer_init(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
		  const cl_icd_dispatch **layer) ENTRY_POINT("clInitLayer");
cl_int layer_init_with_properties(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
				  const cl_icd_dispatch **layer, const void *properties)
	ENTRY_POINT("clInitLayerWithProperties");
cl_int layer_deinit(void) ENTRY_POINT("clDeinitLayer");

static struct strbuf layers; /* OPENCL_LAYERS before the loader modified it */

/* Returns true if `all`, a list separated by colons, contains `one`. */
static bool contains(const char *all, const char *one)
{
	size_t length = strlen(one);

	for (const char *at = all; at; at = strchr(at, ':')) {
		at += *at == ':';
		if (!strncmp(at, one, length) && (at[length] == ':' || !at[length]))
			return true;
	}
	return false;
}

void layer_arm(const char *library)
{
	const char *before = env_get("OPENCL_LAYERS"), *text;

	if (strchr(library, ':'))
		return; /* the variable cannot express such a path */
	if (before && *before) {
		strbuf_string(&layers, before);
		if (!contains(before, library)) {
			strbuf_char(&layers, ':');
			strbuf_string(&layers, library);
		}
	} else {
		strbuf_string(&layers, library);
	}
	text = strbuf_text(&layers);
	if (layers.failed || setenv("OPENCL_LAYERS", text, 1))
		say_no_memory();
}

cl_int layer_info(cl_uint what, size_t size, void *value, size_t *size_ret)
{
	static const char name[] = "computeprof";
	cl_uint version = LAYER_API_VERSION_100;

	if (what == LAYER_API_VERSION)
		return query_answer(&version, sizeof(version), size, value, size_ret);
	if (what == LAYER_NAME)
		return query_answer(name, sizeof(name), size, value, size_ret);
	return CL_INVALID_VALUE;
}

/* Some loaders replace the colons in the environment's string by NULs. */
static void mend_environment(void)
{
	if (layers.length && !layers.failed)
		setenv("OPENCL_LAYERS", strbuf_text(&layers), 1);
}

static cl_int init(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
		   const cl_icd_dispatch **layer)
{
	static cl_icd_dispatch dispatch;
	size_t size = count * sizeof(void *);

	if (!target || !count_ret || !layer)
		return CL_INVALID_VALUE;
	mend_environment();
	if (!opencl_attach())
		return CL_INVALID_OPERATION; /* the loader continues without this layer */
	if (!symbol_hook_yield()) {
		say("the program uses a second OpenCL library; calls to that library are not "
		    "logged");
		return CL_INVALID_OPERATION;
	}
	size = size < sizeof(dispatch) ? size : sizeof(dispatch);
	for (const struct opencl_function *row = opencl_functions; *row->name; row++) {
		void (*entry)(void) = functions_entry(row);
		void *address = NULL;

		if (row->dispatch_offset + sizeof(address) <= size)
			memcpy(&address, (const char *)target + row->dispatch_offset,
			       sizeof(address));
		functions_set_next(row, address);
		if (address && entry)
			memcpy((char *)&dispatch + row->dispatch_offset, &entry, sizeof(entry));
	}
	opencl_pin(__extension__(void *) target->clGetPlatformIDs);
	*count_ret = (cl_uint)(size / sizeof(void *));
	*layer = &dispatch;
	return CL_SUCCESS;
}

cl_int layer_init(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
		  const cl_icd_dispatch **layer)
{
	return init(count, target, count_ret, layer);
}

cl_int layer_init_with_properties(cl_uint count, const cl_icd_dispatch *target, cl_uint *count_ret,
				  const cl_icd_dispatch **layer, const void *properties)
{
	(void)properties;
	return init(count, target, count_ret, layer);
}

cl_int layer_deinit(void)
{
	session_flush();
	opencl_set_gone(true);
	flow_pending_forget();
	return CL_SUCCESS;
}
