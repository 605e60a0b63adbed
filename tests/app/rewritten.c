/* SPDX-License-Identifier: MIT */
/*
 * rewritten ORIGINAL REWRITTEN KERNEL GLOBAL LOCAL ARGUMENT...: runs a kernel of both sources with
 * equal arguments, compares all memory byte for byte, and prints the counters of the rewritten one.
 * The sizes have one dimension. An argument is w:N, N words of small numbers; f:N, N floats;
 * z:N, N words of 0; l:N, N bytes of local memory; i:N, a number. $OPTIONS is for both builds.
 *
 * REWRITTEN may be "-": then only the original runs.
 *
 * Exit code: 0 the memory is equal, 1 it is not or a call failed, 77 there is no OpenCL device.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, NO_DEVICE = 77 };

struct table {
	unsigned sites, stripes, words, argument;
	unsigned local;	 /* bytes of a second argument more, or 0 */
	bool has_groups; /* their number is behind the counters */
};

struct host {
	cl_context context;
	cl_device_id device;
	cl_command_queue queue;
};

struct argument {
	char kind;
	size_t count;
	unsigned *start, *result[2];
};

static void check(cl_int status, const char *what)
{
	if (status == CL_SUCCESS)
		return;
	fprintf(stderr, "rewritten: %s failed with error %d\n", what, status);
	exit(EXIT_FAILURE);
}

static void *take(size_t size)
{
	void *result = calloc(1, size ? size : 1);

	if (!result)
		exit(EXIT_FAILURE);
	return result;
}

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	size_t size = 1 << 22, length;
	char *text = take(size);

	if (!file) {
		fprintf(stderr, "rewritten: %s: %m\n", path);
		exit(EXIT_FAILURE);
	}
	length = fread(text, 1, size - 1, file);
	text[length] = 0;
	fclose(file);
	return text;
}

static void open_host(struct host *host)
{
	cl_platform_id platforms[16];
	cl_uint count = 0;
	cl_int status;

	if (clGetPlatformIDs(16, platforms, &count))
		count = 0;
	for (cl_uint i = 0; i < count && i < 16 && !host->device; i++)
		if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &host->device, NULL))
			host->device = NULL;
	if (!host->device)
		exit(NO_DEVICE);
	host->context = clCreateContext(NULL, 1, &host->device, NULL, NULL, &status);
	check(status, "clCreateContext");
	host->queue = clCreateCommandQueue(host->context, host->device, 0, &status);
	check(status, "clCreateCommandQueue");
}

static cl_kernel build(const struct host *host, const char *path, const char *name)
{
	const char *source = read_file(path), *options = getenv("OPTIONS");
	static char log[65536];
	cl_int status;
	cl_program program = clCreateProgramWithSource(host->context, 1, &source, NULL, &status);
	cl_kernel kernel;

	check(status, "clCreateProgramWithSource");
	status = clBuildProgram(program, 1, &host->device, options ? options : "", NULL, NULL);
	if (status && !clGetProgramBuildInfo(program, host->device, CL_PROGRAM_BUILD_LOG,
					     sizeof(log) - 1, log, NULL))
		fprintf(stderr, "%s: %s\n", path, log);
	check(status, "clBuildProgram");
	kernel = clCreateKernel(program, name, &status);
	check(status, "clCreateKernel");
	return kernel;
}

static void fill(struct argument *argument)
{
	float number;

	argument->start = take(argument->count * sizeof(unsigned));
	for (size_t i = 0; i < argument->count && argument->kind != 'z'; i++) {
		number = (float)(i % 7) * 0.25f;
		if (argument->kind == 'f')
			memcpy(&argument->start[i], &number, sizeof(number));
		else
			argument->start[i] = (unsigned)(i * 5 % 11);
	}
}

static void read_argument(struct argument *argument, const char *word)
{
	argument->kind = *word;
	argument->count = strtoul(word + 2, NULL, 10);
	if (!strchr("wfzli", *word) || word[1] != ':') {
		fprintf(stderr, "rewritten: what is %s?\n", word);
		exit(EXIT_FAILURE);
	}
	if (strchr("wfz", *word))
		fill(argument);
}

static cl_mem make_buffer(const struct host *host, size_t size, void *start)
{
	cl_int status;
	cl_mem buffer = clCreateBuffer(host->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
				       size, start, &status);

	check(status, "clCreateBuffer");
	return buffer;
}

static void read_buffer(const struct host *host, cl_mem buffer, size_t size, void *to)
{
	check(clEnqueueReadBuffer(host->queue, buffer, CL_TRUE, 0, size, to, 0, NULL, NULL),
	      "clEnqueueReadBuffer");
	clReleaseMemObject(buffer);
}

static void set(const struct host *host, cl_kernel kernel, cl_uint index,
		const struct argument *argument, cl_mem *buffer)
{
	cl_int number = (cl_int)argument->count;

	if (argument->kind == 'l') {
		check(clSetKernelArg(kernel, index, argument->count, NULL), "clSetKernelArg");
	} else if (argument->kind == 'i') {
		check(clSetKernelArg(kernel, index, sizeof(number), &number), "clSetKernelArg");
	} else {
		*buffer = make_buffer(host, argument->count * sizeof(unsigned), argument->start);
		check(clSetKernelArg(kernel, index, sizeof(*buffer), buffer), "clSetKernelArg");
	}
}

/* Bytes of the counters, and of the word behind them. */
static size_t size_of(const struct table *table)
{
	return ((size_t)table->sites * table->stripes + 1) * table->words * sizeof(unsigned);
}

/* Runs the kernel with a further argument if there are counters. */
static void run(const struct host *host, cl_kernel kernel, const size_t *sizes,
		struct argument *arguments, unsigned count, unsigned which,
		const struct table *table, unsigned *counters)
{
	cl_mem buffers[MOST] = {0}, values = NULL;
	size_t size = size_of(table);

	for (unsigned i = 0; i < count; i++)
		set(host, kernel, i, &arguments[i], &buffers[i]);
	if (counters) {
		values = make_buffer(host, size, counters);
		check(clSetKernelArg(kernel, table->argument, sizeof(values), &values),
		      "clSetKernelArg");
		if (table->local)
			check(clSetKernelArg(kernel, table->argument + 1, table->local, NULL),
			      "clSetKernelArg");
	}
	check(clEnqueueNDRangeKernel(host->queue, kernel, 1, NULL, &sizes[0], &sizes[1], 0, NULL,
				     NULL),
	      "clEnqueueNDRangeKernel");
	for (unsigned i = 0; i < count; i++) {
		if (!buffers[i])
			continue;
		arguments[i].result[which] = take(arguments[i].count * sizeof(unsigned));
		read_buffer(host, buffers[i], arguments[i].count * sizeof(unsigned),
			    arguments[i].result[which]);
	}
	if (values)
		read_buffer(host, values, size, counters);
}

static struct table read_table(const char *path, const char *kernel)
{
	char *text = read_file(path), *at, line[256];
	struct table table = {0};

	snprintf(line, sizeof(line), "\n// kernel %s argument ", kernel);
	at = strstr(text, line);
	if (!at || sscanf(text, "// computeprof-rewrite 2 sites %u stripes %u words %u",
			  &table.sites, &table.stripes, &table.words) != 3) {
		fprintf(stderr, "rewritten: no kernel %s in the table of %s\n", kernel, path);
		exit(EXIT_FAILURE);
	}
	sscanf(at + strlen(line), "%u local %u", &table.argument, &table.local);
	table.has_groups = strstr(text, " sums work-group\n");
	free(text);
	return table;
}

static unsigned long long sum(const struct table *table, const unsigned *counters, unsigned site,
			      unsigned word)
{
	unsigned long long result = 0;
	const unsigned *at;

	for (unsigned i = 0; i < table->stripes; i++) {
		at = counters + ((size_t)i * table->sites + site) * table->words + word;
		result += at[0] + ((unsigned long long)at[1] << 32);
	}
	return result;
}

/* The bits that all values of a site have in common: 64 if there was one value only. */
static unsigned common_bits(const struct table *table, const unsigned *counters, unsigned site)
{
	unsigned long long ones = 0, zeros = 0, both;
	const unsigned *at;

	for (unsigned i = 0; i < table->stripes; i++) {
		at = counters + ((size_t)i * table->sites + site) * table->words;
		ones |= at[12] | (unsigned long long)at[13] << 32;
		zeros |= at[14] | (unsigned long long)at[15] << 32;
	}
	both = ones & zeros;
	return 64 - (unsigned)__builtin_popcountll(both);
}

static void print_counters(const struct table *table, const unsigned *counters)
{
	for (unsigned site = 0; site < table->sites; site++)
		if (sum(table, counters, site, 0))
			printf("%u: %llu zeros %llu silent %llu same %llu common %u\n", site,
			       sum(table, counters, site, 0), sum(table, counters, site, 2),
			       sum(table, counters, site, 4), sum(table, counters, site, 6),
			       common_bits(table, counters, site));
}

static int compare(const struct argument *arguments, unsigned count)
{
	int result = EXIT_SUCCESS;

	for (unsigned i = 0; i < count; i++)
		if (arguments[i].start && memcmp(arguments[i].result[0], arguments[i].result[1],
						 arguments[i].count * sizeof(unsigned))) {
			printf("argument %u differs\n", i);
			result = EXIT_FAILURE;
		}
	return result;
}

static void run_both(const struct host *host, char **argv, struct argument *arguments,
		     unsigned count)
{
	bool both = strcmp(argv[2], "-") != 0;
	struct table table = {0};
	size_t sizes[2] = {strtoul(argv[4], NULL, 10), strtoul(argv[5], NULL, 10)};
	unsigned *counters;

	run(host, build(host, argv[1], argv[3]), sizes, arguments, count, 0, &table, NULL);
	if (!both)
		exit(EXIT_SUCCESS);
	table = read_table(argv[2], argv[3]);
	counters = take(size_of(&table));
	run(host, build(host, argv[2], argv[3]), sizes, arguments, count, 1, &table, counters);
	if (table.has_groups &&
	    counters[table.sites * table.stripes * table.words] != sizes[0] / sizes[1])
		printf("%u groups\n", counters[table.sites * table.stripes * table.words]);
	print_counters(&table, counters);
}

int main(int argc, char **argv)
{
	struct argument arguments[MOST] = {0};
	struct host host = {0};
	unsigned count = (unsigned)argc - 6;

	if (argc < 6 || count > MOST)
		return EXIT_FAILURE;
	open_host(&host);
	for (unsigned i = 0; i < count; i++)
		read_argument(&arguments[i], argv[6 + i]);
	run_both(&host, argv, arguments, count);
	return compare(arguments, count);
}
