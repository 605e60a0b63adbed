/* SPDX-License-Identifier: MIT */
#include <regex.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "model/element.h"
#include "settings/options.h"
#include "settings/pattern.h"

#define ELEMENT_NAMES "char, uchar, short, ushort, int, uint, long, ulong, half, float, double"

/* clang-format off */
#define FIELD(member) .offset = offsetof(struct settings, member)

const struct option_row option_rows[] = {
	{.name = "profilelogformat", .type = OPTION_FORMAT, FIELD(layout.format),
	 .help = "Format of the log: CSV or KVP (key and value pairs)"},
	{.name = "enableonstart", .type = OPTION_SWITCH, FIELD(start_enabled),
	 .help = "0 records nothing until the program starts the profiler with computeprof_start() "
		 "or, for CUDA, cudaProfilerStart()"},
	{.name = "conckerneltrace", .type = OPTION_TRISTATE, FIELD(concurrent_kernels),
	 .help = "1 lets kernels run at the same time, as without this word, but disables "
		 "counters; with 0 kernels run one after the other (CUDA only)"},
	{.name = "countermodeaggregate", .type = OPTION_SWITCH, FIELD(aggregate_counters),
	 .help = "Counters are summed over all multiprocessors instead of read from one"},
	{.section = "output", .name = "format", .type = OPTION_FORMAT, FIELD(layout.format),
	 .help = "Format of the log: " FORMAT_NAMES},
	{.section = "output", .name = "dialect", .type = OPTION_DIALECT, FIELD(layout.dialect),
	 .help = "Dialect of the log: classic, or cuda4 as later drivers wrote it"},
	{.section = "output", .name = "log", .type = OPTION_TEXT, FIELD(log),
	 .help = "File name pattern of the log"},
	{.section = "output", .name = "trace", .type = OPTION_TEXT, FIELD(trace),
	 .help = "File name pattern of a binary trace, written in addition to the log"},
	{.section = "output", .name = "api", .type = OPTION_TEXT, FIELD(api_log),
	 .help = "File name pattern of the API log, a log with a row for each API call of the "
		 "program"},
	{.section = "output", .name = "events", .type = OPTION_TEXT, FIELD(events),
	 .help = "FIFO, UNIX socket or file that gets a line of JSON for each kernel, copy and "
		 "fill while the program runs; with calls, for these, too"},
	{.section = "trace", .name = "api", .type = OPTION_YES, FIELD(api_calls),
	 .help = "yes adds events to the trace: the program's API calls with their results, "
		 "allocations, queues or streams, waits, NVTX ranges, and overheads of profiling"},
	{.section = "trace", .name = "managed", .type = OPTION_YES, FIELD(managed),
	 .help = "yes adds what CUDA does with managed memory: migrations, page faults, thrashing, "
		 "throttling and remote maps; it turns api on, and CUPTI before 13.4 may hold the "
		 "program up for about two seconds"},
	{.section = "stacks", .name = "launches", .type = OPTION_YES, FIELD(stacks),
	 .help = "yes adds to the trace, for each command, the call stack of the thread that "
		 "launched it; with events, for each of them, too"},
	{.section = "stacks", .name = "sample", .type = OPTION_RATE, FIELD(sample_rate),
	 .help = "Samples of the CPU in the trace: number of call stacks that are recorded per "
		 "second of CPU time of each thread, at most 10000; 0 records none"},
	{.section = "values", .name = "mode", .type = OPTION_VALUES, FIELD(values),
	 .help = "objects adds to the trace which allocations each command reads and writes, and "
		 "turns the events of [trace] api on; flow also adds what each write has changed, "
		 "for OpenCL's buffers; patterns also adds the patterns of the values that kernels "
		 "read and write there; lines adds to objects what OpenCL kernels load and store, "
		 "by source line; none, the default, adds nothing"},
	{.section = "values", .name = "limit", .type = OPTION_BYTES, FIELD(value_limit),
	 .help = "flow and patterns: the largest object whose contents are compared, in bytes; 64M "
		 "by default"},
	{.section = "values", .name = "memory", .type = OPTION_BYTES, FIELD(value_memory),
	 .help = "flow and patterns: memory of the host for the contents of all objects together, "
		 "in bytes; 1G by default"},
	{.section = "values", .name = "time", .type = OPTION_COUNT, FIELD(value_percent),
	 .help = "flow, patterns and lines: how long reading, comparing and examining, or counted "
		 "launches, may take, in percent of the program's own time, and at least 0.2 s "
		 "unless it is 0; 100 by default"},
	{.section = "values", .name = "type", .type = OPTION_ELEMENT, FIELD(value_type),
	 .help = "patterns: the type of the elements, if the kernel's argument does not tell it: "
		 ELEMENT_NAMES "; float by default"},
	{.section = "values", .name = "approximate", .type = OPTION_LEVEL, FIELD(value_level),
	 .help = "patterns: how many bits of mantissas are left for approximate patterns: levels 1 "
		 "to 5, of float 20, 15, 11, 7 and 3, of double 46, 36, 28, 20 and 12; 0 looks for "
		 "none; 3 by default"},
	{.section = "values", .name = "sample", .type = OPTION_EACH, FIELD(value_sample),
	 .help = "patterns and lines: of each kernel, the first of so many launches is examined; "
		 "1, the default, is all"},
	{.section = "values", .name = "kernel", .type = OPTION_REGEX, FIELD(value_kernels),
	 .help = "patterns and lines: only launches of kernels whose names match this expression, "
		 "as that of [filter] kernel, are examined"},
	{.section = "opencl", .name = "verbosebuild", .type = OPTION_SWITCH, FIELD(verbose_build),
	 .help = "1 builds OpenCL programs for NVIDIA with -cl-nv-verbose, which reports their "
		 "registers; the program can see this build option"},
	{.section = "counters", .name = "replay", .type = OPTION_REPLAY, FIELD(replay_kernels),
	 .help = "kernel repeats each kernel until all events of the file are counted, on devices "
		 "up to compute capability 7.2; none refuses events that do not fit into one run"},
	{.section = "filter", .name = "kernel", .type = OPTION_REGEX, FIELD(kernel_filter),
	 .help = "Only kernels whose names match this POSIX extended regular expression are "
		 "logged. Not allowed are back references, a + or * after an expression that can "
		 "match the empty string, and more than 1000 characters with repetitions written "
		 "out"},
	{.section = "limit", .name = "records", .type = OPTION_COUNT, FIELD(record_limit),
	 .help = "Maximum number of rows of a log (k, M, G: powers of 1000); 0 is no limit"},
	{.section = "limit", .name = "bytes", .type = OPTION_BYTES, FIELD(byte_limit),
	 .help = "Maximum size of a log in bytes, with its header, which is written in any case "
		 "(k, M, G: powers of 1024); 0 is no limit"},
	{.section = "metrics", .name = "directory", .type = OPTION_TEXT, FIELD(metrics.directory),
	 .help = "Directory of metrics.log and timeline.log, which count and list calls while the "
		 "program runs"},
	{.section = "metrics", .name = "version", .type = OPTION_METRICS_VERSION,
	 FIELD(metrics.version),
	 .help = "Form of the lines of timeline.log: 1, or 2 with the kind of copy"},
	{.section = "metrics", .name = "format", .type = OPTION_METRICS_FORMAT,
	 FIELD(metrics.format),
	 .help = "Form of metrics.log: log, or exporter for the four lines that Alnair's exporter "
		 "reads"},
	{.section = "metrics", .name = "names", .type = OPTION_METRICS_NAMES,
	 FIELD(metrics.native_names),
	 .help = "native keeps the names of OpenCL's functions; cuda writes them as those of the "
		 "CUDA driver"},
	{.section = "metrics", .name = "period", .type = OPTION_PERIOD, FIELD(metrics.period),
	 .help = "Milliseconds between two writes of these files, 20 to 3600000"},
	{.section = "metrics", .name = "prometheus", .type = OPTION_YES, FIELD(metrics.prometheus),
	 .help = "yes also writes metrics.prom, for the textfile collector of Prometheus"},
	{.name = ""},
};
/* clang-format on */

static bool same_section(const char *left, const char *right)
{
	return text_same(left, right ? right : "");
}

const struct option_row *option_find(const char *section, const char *name)
{
	for (const struct option_row *row = option_rows; *row->name; row++) {
		if (same_section(row->section, section) && text_same(row->name, name))
			return row;
	}
	return NULL;
}

const char *option_section(const char *section)
{
	for (const struct option_row *row = option_rows; *row->name; row++) {
		if (*row->section && text_same(row->section, section))
			return row->section;
	}
	return NULL;
}

static const char *set_switch(bool *to, const char *value)
{
	if (strcmp(value, "0") && strcmp(value, "1") && *value)
		return "must be 0 or 1";
	*to = *value != '0';
	return NULL;
}

static const char *set_yes(bool *to, const char *value)
{
	bool yes = !*value || text_same(value, "yes");

	if (!yes && !text_same(value, "no"))
		return "must be yes or no";
	*to = yes;
	return NULL;
}

static const char *set_tristate(enum tristate *to, const char *value)
{
	bool on;
	const char *wrong = set_switch(&on, value);

	if (!wrong)
		*to = on ? TRISTATE_ON : TRISTATE_OFF;
	return wrong;
}

static const char *set_format(enum format *to, const char *value)
{
	static const char *const names[] = {
#define FORMAT(id, output, name, ...) [FORMAT_##id] = (name),
#include "model/formats.def"
#undef FORMAT
	};

	for (int i = 0; i < FORMAT_COUNT; i++) {
		if (text_same(value, names[i])) {
			*to = (enum format)i;
			return NULL;
		}
	}
	return "must be " FORMAT_NAMES;
}

static const char *set_dialect(enum dialect *to, const char *value)
{
	if (text_same(value, "classic"))
		*to = DIALECT_CLASSIC;
	else if (text_same(value, "cuda4"))
		*to = DIALECT_CUDA4;
	else
		return "must be classic or cuda4";
	return NULL;
}

static const char *set_replay(bool *to, const char *value)
{
	bool kernel = text_same(value, "kernel");

	if (!kernel && !text_same(value, "none"))
		return "must be none or kernel";
	*to = kernel;
	return NULL;
}

static const char *set_values(enum values_mode *to, const char *value)
{
	if (text_same(value, "objects"))
		*to = VALUES_OBJECTS;
	else if (text_same(value, "lines"))
		*to = VALUES_LINES;
	else if (text_same(value, "flow"))
		*to = VALUES_FLOW;
	else if (text_same(value, "patterns"))
		*to = VALUES_PATTERNS;
	else if (text_same(value, "none"))
		*to = VALUES_NONE;
	else
		return "must be none, objects, flow, patterns or lines";
	return NULL;
}

static const char *set_element(uint8_t *to, const char *value)
{
	for (uint8_t type = ELEMENT_INT8; type < ELEMENT_TYPES; type++) {
		if (text_same(value, element_name(type))) {
			*to = type;
			return NULL;
		}
	}
	return "must be one of " ELEMENT_NAMES;
}

static const char *set_level(uint8_t *to, const char *value)
{
	if (value[0] < '0' || value[0] > '5' || value[1])
		return "must be a level from 0 to 5";
	*to = (uint8_t)(value[0] - '0');
	return NULL;
}

static const char *set_version(unsigned *to, const char *value)
{
	if (strcmp(value, "1") && strcmp(value, "2"))
		return "must be 1 or 2";
	*to = (unsigned)(*value - '0');
	return NULL;
}

static const char *set_metrics_format(enum metrics_format *to, const char *value)
{
	bool exporter = text_same(value, "exporter");

	if (!exporter && !text_same(value, "log"))
		return "must be log or exporter";
	*to = exporter ? METRICS_EXPORTER : METRICS_LOG;
	return NULL;
}

static const char *set_names(bool *to, const char *value)
{
	bool native = text_same(value, "native");

	if (!native && !text_same(value, "cuda"))
		return "must be cuda or native";
	*to = native;
	return NULL;
}

static const char *set_period(uint64_t *to, const char *value)
{
	size_t digits = strspn(value, "0123456789");
	uint64_t number = number_read(value, NULL);

	if (!digits || value[digits] || number < 20 || number > 3600000)
		return "must be a whole number from 20 to 3600000";
	*to = number;
	return NULL;
}

static const char *set_text(char **to, const char *value)
{
	char *copy;

	if (*value == '\0')
		return "must not be empty";
	copy = strdup(value);
	if (!copy)
		return "must fit into the available memory";
	free(*to);
	*to = copy;
	return NULL;
}

_Static_assert(offsetof(struct settings, kernel_regex) ==
		       offsetof(struct settings, kernel_filter) + sizeof(char *),
	       "set_regex needs it");
_Static_assert(offsetof(struct settings, value_regex) ==
		       offsetof(struct settings, value_kernels) + sizeof(char *),
	       "set_regex needs it");

/* The member that follows the text is the compiled expression. */
static const char *set_regex(char **to, const char *value)
{
	regex_t *compiled = malloc(sizeof(*compiled)), **old = (void *)(to + 1);
	const char *wrong;

	if (!compiled)
		return "must fit into the available memory";
	if (!pattern_is_cheap(value)) {
		free(compiled);
		return "must have no back references, no + or * after an expression that can match "
		       "the empty string, and at most 1000 characters with repetitions written out";
	}
	if (regcomp(compiled, value, REG_EXTENDED | REG_NOSUB)) {
		free(compiled);
		return "must be an extended regular expression";
	}
	wrong = set_text(to, value);
	if (wrong) {
		regfree(compiled);
		free(compiled);
		return wrong;
	}
	if (*old)
		regfree(*old);
	free(*old);
	*old = compiled;
	return NULL;
}

/* Parses a number with an optional k, M or G for powers of `unit`. */
static const char *set_number(uint64_t *to, const char *value, uint64_t unit)
{
	static const char suffixes[] = "kmg";
	static const char wrong[] = "must be a whole number, optionally followed by k, M or G";
	const char *suffix;
	uint64_t number = 0;
	size_t digits = strspn(value, "0123456789");

	if (digits == 0)
		return wrong;
	for (size_t i = 0; i < digits; i++) {
		if (__builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, (uint64_t)(value[i] - '0'), &number))
			return "must be less than 2 to the power of 64";
	}
	if (value[digits] == '\0') {
		*to = number;
		return NULL;
	}
	suffix = strchr(suffixes, value[digits] | 0x20);
	if (!suffix || value[digits + 1])
		return wrong;
	for (const char *at = suffixes; at <= suffix; at++) {
		if (__builtin_mul_overflow(number, unit, &number))
			return "must be less than 2 to the power of 64";
	}
	*to = number;
	return NULL;
}

static const char *set_each(uint64_t *to, const char *value)
{
	uint64_t number = 0;
	const char *wrong = set_number(&number, value, 1000);

	if (wrong || !number)
		return wrong ? wrong : "must be 1 or more";
	*to = number;
	return NULL;
}

static const char *set_rate(uint32_t *to, const char *value)
{
	uint64_t number;

	if (set_number(&number, value, 1000) || number > SAMPLE_RATE_MOST)
		return "must be a whole number of samples per second, at most 10000";
	*to = (uint32_t)number;
	return NULL;
}

const char *option_set(const struct option_row *row, struct settings *settings, const char *value)
{
	void *to = (char *)settings + row->offset;

	switch (row->type) {
	case OPTION_SWITCH:
		return set_switch(to, value);
	case OPTION_TRISTATE:
		return set_tristate(to, value);
	case OPTION_YES:
		return set_yes(to, value);
	case OPTION_FORMAT:
		return set_format(to, value);
	case OPTION_DIALECT:
		return set_dialect(to, value);
	case OPTION_REPLAY:
		return set_replay(to, value);
	case OPTION_TEXT:
		return set_text(to, value);
	case OPTION_REGEX:
		return set_regex(to, value);
	case OPTION_RATE:
		return set_rate(to, value);
	case OPTION_COUNT:
		return set_number(to, value, 1000);
	case OPTION_METRICS_VERSION:
		return set_version(to, value);
	case OPTION_METRICS_FORMAT:
		return set_metrics_format(to, value);
	case OPTION_METRICS_NAMES:
		return set_names(to, value);
	case OPTION_PERIOD:
		return set_period(to, value);
	case OPTION_VALUES:
		return set_values(to, value);
	case OPTION_ELEMENT:
		return set_element(to, value);
	case OPTION_LEVEL:
		return set_level(to, value);
	case OPTION_EACH:
		return set_each(to, value);
	case OPTION_BYTES:
	default: /* OPTION_BYTES; -Wswitch-enum reports other missing cases */
		return set_number(to, value, 1024);
	}
}
