/* SPDX-License-Identifier: MIT */
#include "backend/opencl/opencl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

#include "backend/opencl/commandbuffer.h"
#include "backend/opencl/flow.h"
#include "backend/opencl/lines.h"
#include "backend/opencl/object.h"
#include "backend/opencl/source.h"
#include "base/clock.h"
#include "session/control.h"
#include "session/session.h"

static atomic_bool attached;

/* Repeated if another thread has requested something else meanwhile. */
static void begin(const struct settings *settings)
{
	bool begins;

	do {
		begins = control_starts_recording(settings);
		opencl_records = begins;
	} while (control_starts_recording(settings) != begins);
}

static void attach(void)
{
	uint64_t begun = clock_monotonic();
	const struct settings *settings = opencl_load_settings();

	if (!settings->enabled)
		return;
	object_prepare();
	begin(settings);
	attached = settings->bad_config || !session_attach(API_OPENCL, settings, &opencl_source);
	if (attached && !settings->bad_config && settings->values >= VALUES_FLOW)
		flow_begin(settings);
	if (attached && !settings->bad_config && settings->values == VALUES_LINES)
		lines_begin(settings);
	/* After the session's fork handlers, so that its lock is taken before theirs. */
	commandbuffer_prepare();
	session_overhead(OVERHEAD_INSTRUMENTATION, begun, 0);
}

bool opencl_attach(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, attach);
	opencl_set_gone(false);
	return attached;
}

void opencl_pin(const void *address)
{
	Dl_info info;

	if (dladdr(address, &info) && info.dli_fname)
		dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}
