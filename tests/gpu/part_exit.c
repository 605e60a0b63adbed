/* SPDX-License-Identifier: MIT */
#include "part_exit.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner.h"
#include "work.h"

/* CODE is not the code of a failure. PERIOD is longer than the profiler lets CUPTI hold records. */
enum { ROWS = 50, LAST_ROWS = 20, CODE = 7 };
static const double period = 2.5;

static void work(void)
{
	work_begin();
	work_launches("row", ROWS, 1);
	work_wait();
}

static int leave_return(void)
{
	return CODE;
}

static int leave_exit(void)
{
	exit(CODE);
}

static int leave__exit(void)
{
	_exit(CODE);
}

static int leave_quick_exit(void)
{
	quick_exit(CODE);
}

/* Launches of the last period may be lost. */
static void last_rows(void)
{
	work_sleep(period);
	work_launches("may", LAST_ROWS, 2);
	work_wait();
}

static int leave_abort(void)
{
	last_rows();
	abort();
}

static int leave_terminate(void)
{
	last_rows();
	raise(SIGTERM);
	return CODE;
}

static int leave_kill(void)
{
	last_rows();
	raise(SIGKILL);
	return CODE;
}

static int leave_exec(void)
{
	execl("/proc/self/exe", "conformance", "work", "T13.exec", "after", (char *)NULL);
	return 1;
}

static void *wait_forever(void *nothing)
{
	for (;;)
		pause();
	return nothing;
}

static int leave_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, wait_forever, NULL))
		return 1;
	return CODE;
}

static int leave_destroy(void)
{
	work_launches("row", ROWS, 3);
	DO(CtxDestroy, work_context);
	return CODE;
}

static int leave_reset(void)
{
	cuda_context context;

	if (!cu.DevicePrimaryCtxReset)
		work_skip("the driver has no cuDevicePrimaryCtxReset");
	DO(DevicePrimaryCtxRetain, &context, work_device);
	DO(CtxSetCurrent, context);
	work_module = work_load();
	work_launches("row", ROWS, 4);
	DO(DevicePrimaryCtxReset, work_device);
	return CODE;
}

static int leave_unload(void)
{
	work_launches("row", ROWS, 5);
	work_wait();
	DO(ModuleUnload, work_module);
	work_module = work_load();
	work_launches("row", ROWS, 6);
	work_wait();
	DO(ModuleUnload, work_module);
	return CODE;
}

static int leave_plugin(void)
{
	char *path = runner_beside("plugin.so");
	void *plugin = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*run)(int count);

	if (!plugin)
		work_fail(path ? dlerror() : "no plugin.so", 1);
	*(void **)&run = dlsym(plugin, "plugin_run");
	if (!run || run(ROWS))
		work_fail("the plugin", 1);
	expect("row %d method=empty gridsizeX=9", ROWS);
	dlclose(plugin);
	free(path);
	return CODE;
}

/* clang-format off */
static const struct door {
	const char *name;
	int (*leave)(void);
} doors[] = {
	{"return", leave_return},
	{"exit", leave_exit},
	{"_exit", leave__exit},
	{"quick_exit", leave_quick_exit},
	{"abort", leave_abort},
	{"terminate", leave_terminate},
	{"kill", leave_kill},
	{"exec", leave_exec},
	{"thread", leave_thread},
	{"destroy", leave_destroy},
	{"reset", leave_reset},
	{"unload", leave_unload},
	{"plugin", leave_plugin},
	{NULL, NULL},
};
/* clang-format on */

int exit_door(const struct part *part, const char *step)
{
	const char *name = strchr(part->name, '.') + 1;

	if (step)
		return CODE;
	for (const struct door *door = doors; door->name; door++) {
		if (!strcmp(door->name, name)) {
			work();
			return door->leave();
		}
	}
	return 1;
}

int exit_fork(const struct part *part, const char *step)
{
	int status = 0;
	pid_t child;

	(void)part;
	(void)step;
	work();
	child = fork();
	if (child == 0)
		exit(CODE + 1); /* through all exit handlers */
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
	    WEXITSTATUS(status) != CODE + 1)
		work_fail("the child ended with status", status);
	work_launches("row", ROWS, 2);
	work_wait();
	return CODE;
}

int exit_exec(const struct part *part, const char *step)
{
	work();
	if (step)
		return CODE + 1;
	if (work_again(part->name, "child") != (CODE + 1) << 8)
		work_fail("the child did not end as it should", 1);
	work_launches("row", ROWS, 2);
	work_wait();
	return CODE;
}
