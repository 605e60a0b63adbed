/* SPDX-License-Identifier: MIT */
/* The settings and the state of the back end. */
#include "backend/opencl/opencl.h"

static struct settings settings;
static atomic_bool direct, gone;
atomic_bool opencl_records;

const struct settings *opencl_load_settings(void)
{
	settings_load(&settings, API_OPENCL);
	return &settings;
}

const struct settings *opencl_settings(void)
{
	return &settings;
}

bool opencl_is_refused(void)
{
	return settings.bad_config;
}

bool opencl_is_hooked(void)
{
	return direct;
}

void opencl_set_hooked(bool is_direct)
{
	direct = is_direct;
}

bool opencl_is_gone(void)
{
	return gone;
}

void opencl_set_gone(bool is_gone)
{
	gone = is_gone;
}

/* Before the back end attaches, session/control.h keeps the control state. */
void opencl_control(bool on)
{
	opencl_records = on;
}
