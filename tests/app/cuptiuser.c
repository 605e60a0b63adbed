/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cuptiuser.h"

/*
 * cuptiuser STEP...: performs the steps, NAME or NAME=VALUE, one after the other, and prints
 * CUPTI's records. The steps are in the files cuptiuser_*.c. COMPUTEPROF_CUPTI names libcupti.
 */

static void *find(void *library, const char *name)
{
	void *function = dlsym(library, name);

	if (!function) {
		printf("there is no %s\n", name);
		exit(1);
	}
	return function;
}

static void *open_library(const char *name)
{
	void *library = dlopen(name, RTLD_NOW);

	if (!library) {
		printf("%s\n", dlerror());
		exit(1);
	}
	return library;
}

void *driver_function(const char *name)
{
	static void *library;

	if (!library)
		library = open_library("libcuda.so.1");
	return find(library, name);
}

void *cupti_function(const char *name)
{
	static void *library;

	if (!library)
		library = open_library(getenv("COMPUTEPROF_CUPTI"));
	return find(library, name);
}

void check(const char *what, int result)
{
	if (result)
		printf("%s: error %d\n", what, result);
}

/* Before its first call. */
static void load_driver(const char *value)
{
	(void)value;
	driver_function("cuInit");
}

static void set_injection(const char *value)
{
	setenv("CUDA_INJECTION64_PATH", value, 1);
}

static void pause_for(const char *value)
{
	long milliseconds = atol(value);

	nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000}, NULL);
}

static void kill_self(const char *value)
{
	(void)value;
	kill(getpid(), SIGKILL);
}

static const struct step own_steps[] = {
	{"kill", kill_self},
	{"loaddriver", load_driver},
	{"injection", set_injection},
	{"pause", pause_for},
	{NULL, NULL},
};

static int run(const struct step *steps, const char *text)
{
	size_t length = strcspn(text, "=");

	for (; steps->name; steps++) {
		if (strlen(steps->name) != length || strncmp(steps->name, text, length) != 0)
			continue;
		steps->run(text[length] ? text + length + 1 : "");
		return 1;
	}
	return 0;
}

static int run_any(const char *text)
{
	return run(own_steps, text) || run(client_steps, text) || run(event_steps, text) ||
	       run(metric_steps, text) || run(range_steps, text) || run(work_steps, text);
}

int main(int count, char **arguments)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < count; i++)
		if (!run_any(arguments[i])) {
			printf("there is no step '%s'\n", arguments[i]);
			return 1;
		}
	return 0;
}
