/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/env.h"
#include "base/say.h"
#include "base/text.h"
#include "model/api.h"
#include "settings/environ.h"

/* clang-format off */
const struct environ_row environ_rows[ENVIRON_COUNT] = {
	[ENVIRON_PROFILE] = {
		.suffix = "", .family = true, .on_off = true, .fallback = "0",
		.help = "1 turns profiling on",
	},
	[ENVIRON_LOG] = {
		.suffix = "_LOG", .family = true, .fallback = "compute_profile.log",
		.help = "File name pattern of the log; %d is the device, %p the process, "
			"%h the host, %r the MPI rank (nothing without one), %q{NAME} a variable; "
			"in dialect cuda4 the default is opencl_profile_%d.log or "
			"cuda_profile_%d.log; in an MPI job the default has the rank, as "
			"compute_profile.rank3.log",
	},
	[ENVIRON_CSV] = {
		.suffix = "_CSV", .family = true, .on_off = true, .fallback = "0",
		.help = "1 writes the log as comma separated values",
	},
	[ENVIRON_CONFIG] = {
		.suffix = "_CONFIG", .family = true, .fallback = "none",
		.help = "Configuration file: a path, or the bare name of one that was installed",
	},
	[ENVIRON_DIALECT] = {
		.suffix = "_DIALECT", .fallback = "classic",
		.help = "Dialect of the log: classic, or cuda4 as later drivers wrote it",
	},
	[ENVIRON_TRACE] = {
		.suffix = "_TRACE", .fallback = "none",
		.help = "File name pattern of a binary trace, written in addition to the log",
	},
	[ENVIRON_API] = {
		.suffix = "_API", .on_off = true, .fallback = "0",
		.help = "1 adds events to the trace: the program's API calls, allocations, queues "
			"or streams, waits, NVTX ranges, and overheads of profiling",
	},
	[ENVIRON_API_LOG] = {
		.suffix = "_API_LOG", .fallback = "none",
		.help = "File name pattern of the API log: a row for each API call of the program; "
			"a name turns the recording of calls on, unless COMPUTE_PROFILE_API is 0",
	},
	[ENVIRON_EVENTS] = {
		.suffix = "_EVENTS", .fallback = "none",
		.help = "FIFO, UNIX socket or file that gets a line of JSON for each kernel, copy "
			"and fill while the program runs; with COMPUTE_PROFILE_API=1 also for "
			"calls, allocations and NVTX marks",
	},
	[ENVIRON_STACKS] = {
		.suffix = "_STACKS", .on_off = true, .fallback = "0",
		.help = "1 adds to the trace, for each command, the call stack of the thread that "
			"launched it; with events, for each of them, too",
	},
	[ENVIRON_VALUES] = {
		.suffix = "_VALUES", .fallback = "none",
		.help = "objects adds to the trace which allocations each command reads and "
			"writes, and turns COMPUTE_PROFILE_API on; flow also adds what each write "
			"has changed, for OpenCL's buffers; patterns also adds the patterns of the "
			"values that kernels read and write there; lines adds to objects what "
			"OpenCL kernels load and store, by source line",
	},
	[ENVIRON_MANAGED] = {
		.suffix = "_MANAGED", .on_off = true, .fallback = "0",
		.help = "1 adds to the trace what CUDA does with managed memory: migrations, page "
			"faults, thrashing, throttling and remote maps; it turns "
			"COMPUTE_PROFILE_API on, and CUPTI before 13.4 may hold the program up "
			"for about two seconds",
	},
	[ENVIRON_TOTALS] = {
		.suffix = "_TOTALS", .fallback = "0",
		.help = "1 keeps running totals in the ring file while the program runs, also "
			"without a trace; percentiles also keeps the percentiles of API calls; 0 "
			"makes the summary of a run from a trace in TMPDIR",
	},
	[ENVIRON_TRACE_FROM] = {
		.suffix = "_TRACE_FROM", .fallback = "start",
		.help = "ranges begins the trace at the program's first NVTX range; ranges:NAME "
			"does so if COMPUTE_PROFILE_TRACE is NAME; by default it begins at the "
			"start",
	},
	[ENVIRON_SAMPLE] = {
		.suffix = "_SAMPLE", .fallback = "0",
		.help = "Adds samples of the CPU to the trace: so many times per second of its CPU "
			"time, the call stack of each thread is recorded; 99 is a usual rate",
	},
	[ENVIRON_SAMPLES_ONLY] = {
		.suffix = "_SAMPLES_ONLY", .on_off = true, .fallback = "0",
		.help = "1 records samples of the CPU and nothing else: no function of OpenCL, "
			"CUDA or NVTX is intercepted",
	},
	[ENVIRON_WAIT] = {
		.suffix = "_WAIT", .on_off = true, .fallback = "0",
		.help = "1 records nothing until the program calls computeprof_start() or, for "
			"CUDA, cudaProfilerStart(); enableonstart in the configuration file wins",
	},
	[ENVIRON_RING] = {
		.suffix = "_RING", .fallback = "automatic",
		.help = "Place of the ring file, from which 'computeprof recover' finishes the log "
			"of a killed program. memory: /dev/shm; log: the directory of the log. By "
			"default it is /dev/shm if 256 MiB are free there, else the directory of "
			"the log, or of the trace if no log is written",
	},
	[ENVIRON_PFLOG] = {
		.suffix = "PFLOG", .whole = true, .fallback = "none",
		.help = "Directory of metrics.log and timeline.log, which count and list calls "
			"while the program runs; %p, %h, %r and %q{NAME} are expanded. Without "
			"COMPUTE_PROFILE=1 no log is written",
	},
	[ENVIRON_PFLOG_VERSION] = {
		.suffix = "PFLOG_VERSION", .whole = true, .fallback = "1",
		.help = "Form of the lines of timeline.log: 1, or 2 with the kind of copy",
	},
	[ENVIRON_PFLOG_FORMAT] = {
		.suffix = "PFLOG_FORMAT", .whole = true, .fallback = "log",
		.help = "Form of metrics.log: log, or exporter for the four lines that Alnair's "
			"exporter reads",
	},
	[ENVIRON_PFLOG_NAMES] = {
		.suffix = "PFLOG_NAMES", .whole = true, .fallback = "cuda",
		.help = "native keeps the names of OpenCL's functions; cuda writes them as those "
			"of the CUDA driver",
	},
	[ENVIRON_PFLOG_PERIOD] = {
		.suffix = "PFLOG_PERIOD", .whole = true, .fallback = "100",
		.help = "Milliseconds between two writes of these files, 20 to 3600000",
	},
	[ENVIRON_PFLOG_PROMETHEUS] = {
		.suffix = "PFLOG_PROMETHEUS", .whole = true, .on_off = true, .fallback = "0",
		.help = "1 also writes metrics.prom, for the textfile collector of Prometheus",
	},
};
/* clang-format on */

static const char *metrics; /* see environ_set_metrics */

void environ_set_metrics(const char *directory)
{
	metrics = directory;
}

const char *environ_family(unsigned int number)
{
	return number ? api_rows[API_COUNT - number].variable : "COMPUTE_PROFILE";
}

const char *environ_prefix(const struct environ_row *row, unsigned int family)
{
	return row->whole ? "" : environ_family(family);
}

static const char *look_up(const char *family, const char *suffix)
{
	char name[64];
	const char *value;

	snprintf(name, sizeof(name), "%s%.19s", family, suffix);
	value = env_get(name);
	return value && *value ? value : NULL;
}

void environ_read(struct environ_values *values, enum api api)
{
	for (int id = 0; id < ENVIRON_COUNT; id++) {
		const struct environ_row *row = &environ_rows[id];
		const char *value = look_up(environ_prefix(row, 0), row->suffix);

		if (!value && row->family)
			value = look_up(api_rows[api].variable, row->suffix);
		values->value[id] = value;
	}
	if (!values->value[ENVIRON_PFLOG])
		values->value[ENVIRON_PFLOG] = metrics;
}

/* Another program may use a variable named like COMPUTE_PROFILE. Returns true if the value seems to
 * be meant for the profiler. */
static bool looks_intended(const struct environ_values *values, enum environ_id id)
{
	static const char *const words[] = {"on", "yes", "true", "off", "no", "false", "enable"};

	if (id != ENVIRON_PROFILE || environ_any_enabled())
		return true;
	for (int other = ENVIRON_LOG; other < ENVIRON_PFLOG; other++) {
		if (values->value[other])
			return true;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (text_same(values->value[id], words[i]))
			return true;
	}
	return strspn(values->value[id], " \t0123456789") > 0;
}

/* Returns the start of the variable's name from the value, which points into the environment. */
static const char *family_of(const char *value, const struct environ_row *row)
{
	const char *suffix = row->suffix;

	if (row->whole)
		return "";
	for (unsigned int i = 0; i < ENVIRON_FAMILIES; i++)
		if (look_up(environ_family(i), suffix) == value)
			return environ_family(i);
	return "*_PROFILE";
}

bool environ_on(const struct environ_values *values, enum environ_id id)
{
	static int said[ENVIRON_COUNT];
	const char *value = values->value[id];

	if (!value || strcmp(value, "0") == 0)
		return false;
	if (strcmp(value, "1") == 0)
		return true;
	if (looks_intended(values, id)) {
		const char *suffix = environ_rows[id].suffix;

		say_once(&said[id], "%s%s is '%.100s', which is neither 1 nor 0: it counts as 0",
			 family_of(value, &environ_rows[id]), suffix, value);
	}
	return false;
}

/* Returns true if a *_PROFILE variable equals `value` or, for NULL, is neither 0 nor empty. */
static bool is_any(const char *value)
{
	for (unsigned int i = 0; i < ENVIRON_FAMILIES; i++) {
		const char *found = env_get(environ_family(i));

		if (found && *found && (value ? !strcmp(found, value) : strcmp(found, "0")))
			return true;
	}
	return false;
}

bool environ_samples_only(void)
{
	struct environ_values values;

	environ_read(&values, 0); /* the variable is the same for all APIs */
	return environ_on(&values, ENVIRON_SAMPLES_ONLY);
}

bool environ_any_enabled(void)
{
	return is_any("1");
}

bool environ_any_set(void)
{
	const char *directory;

	if (is_any(NULL) || metrics)
		return true;
	directory = env_get("PFLOG");
	return directory && *directory;
}
