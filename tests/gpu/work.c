/* SPDX-License-Identifier: MIT */
#include "work.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kernels.h"

struct cuda_module *work_module;
cuda_context work_context;
cuda_device work_device;
uint64_t work_memory;

void expect(const char *format, ...)
{
	char line[1024], path[32];
	va_list arguments;
	int length, file;

	va_start(arguments, format);
	length = vsnprintf(line, sizeof(line) - 1, format, arguments);
	va_end(arguments);
	line[length++] = '\n';
	snprintf(path, sizeof(path), "expected.%d", getpid());
	file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (file < 0 || write(file, line, (size_t)length) != length) {
		perror(path);
		_exit(1);
	}
	close(file);
}

void work_skip(const char *reason)
{
	expect("skip %s", reason);
	exit(WORK_SKIPPED);
}

void work_fail(const char *what, int code)
{
	fprintf(stderr, "%s: %d\n", what, code);
	exit(1);
}

void work_done(int result, const char *what)
{
	if (result)
		work_fail(what, result);
}

void work_open(void)
{
	const char *missing = driver_open();

	if (missing)
		work_skip(missing);
}

void work_begin(void)
{
	work_open();
	DO(Init, 0);
	DO(DeviceGet, &work_device, 0);
	DO(CtxCreate, &work_context, 0, work_device);
	work_module = work_load();
	DO(MemAlloc, &work_memory, WORK_BYTES);
}

void work_wait(void)
{
	DO(CtxSynchronize);
}

struct cuda_module *work_load(void)
{
	struct cuda_module *module;

	DO(ModuleLoadData, &module, kernels_ptx);
	return module;
}

int work_attribute(int attribute)
{
	int value = 0;

	DO(DeviceGetAttribute, &value, attribute, work_device);
	return value;
}

uint64_t work_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void work_sleep(double seconds)
{
	struct timespec time = {.tv_sec = (time_t)seconds};

	time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
	nanosleep(&time, NULL);
}

static unsigned at_least_one(unsigned value)
{
	return value ? value : 1;
}

static int launch_function(const struct launch *launch, struct cuda_function *function)
{
	uint64_t memory = work_memory;
	void *parameters[] = {&memory, NULL};
	__typeof__(cu.LaunchKernel) call =
		launch->per_thread ? cu.LaunchKernelPerThread : cu.LaunchKernel;

	return call(function, at_least_one(launch->grid[0]), at_least_one(launch->grid[1]),
		    at_least_one(launch->grid[2]), at_least_one(launch->block[0]),
		    at_least_one(launch->block[1]), at_least_one(launch->block[2]), launch->shared,
		    launch->stream, launch->parameters ? launch->parameters : parameters, NULL);
}

int work_launch_only(const struct launch *launch)
{
	struct cuda_function *function;

	DO(ModuleGetFunction, &function, work_module, launch->kernel);
	return launch_function(launch, function);
}

void work_launch(const struct launch *launch)
{
	const unsigned *grid = launch->grid, *block = launch->block;
	struct cuda_function *function;
	int fixed, registers;
	uint64_t before, after;

	DO(ModuleGetFunction, &function, work_module, launch->kernel);
	DO(FuncGetAttribute, &fixed, CUDA_FUNCTION_SHARED, function);
	DO(FuncGetAttribute, &registers, CUDA_FUNCTION_REGISTERS, function);
	before = work_now();
	work_done(launch_function(launch, function), launch->kernel);
	after = work_now();
	expect("%s 1 method=%s gridsizeX=%u gridsizeY=%u gridsizeZ=%u threadblocksizeX=%u "
	       "threadblocksizeY=%u threadblocksizeZ=%u dynsmemperblock=%u stasmemperblock=%d "
	       "regperthread=%d streamid=%s call=%llu:%llu %s",
	       launch->keyword ? launch->keyword : "row", launch->kernel, at_least_one(grid[0]),
	       at_least_one(grid[1]), at_least_one(grid[2]), at_least_one(block[0]),
	       at_least_one(block[1]), at_least_one(block[2]), launch->shared, fixed, registers,
	       launch->stream_name ? launch->stream_name : "1", (unsigned long long)before,
	       (unsigned long long)after, launch->more ? launch->more : "");
}

void work_launches(const char *keyword, int count, unsigned width)
{
	const struct launch launch = {.kernel = "empty", .grid = {width}};
	struct cuda_function *function;

	DO(ModuleGetFunction, &function, work_module, launch.kernel);
	for (int i = 0; i < count; i++)
		work_done(launch_function(&launch, function), launch.kernel);
	expect("%s %d method=empty gridsizeX=%u", keyword, count, width);
}

int work_again(const char *part, const char *step)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		execl("/proc/self/exe", "conformance", "work", part, step, (char *)NULL);
		_exit(127);
	}
	while (child > 0 && waitpid(child, &status, 0) != child)
		;
	return status;
}
