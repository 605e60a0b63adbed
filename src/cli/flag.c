/* SPDX-License-Identifier: MIT */
#include "cli/flag.h"

#include <stddef.h>

enum {
	RUN = 1 << COMMAND_RUN,
	RECOVER = 1 << COMMAND_RECOVER,
	LIST = 1 << COMMAND_LIST,
	DOCTOR = 1 << COMMAND_DOCTOR,
	PRINT = 1 << COMMAND_PRINT,
	HELP = 1 << COMMAND_HELP,
	REPORT = 1 << COMMAND_REPORT,
	TAIL = 1 << COMMAND_TAIL,
	TOP = 1 << COMMAND_TOP,
	FLAME = 1 << COMMAND_FLAME,
	ADVISE = 1 << COMMAND_ADVISE,
	DIFF = 1 << COMMAND_DIFF,
	GATE = 1 << COMMAND_GATE,
	MERGE = 1 << COMMAND_MERGE,
	COMPARE = DIFF | GATE,
	EVERY = (1 << COMMAND_COUNT) - 1
};

/* clang-format off */
const struct flag_row flag_rows[FLAG_COUNT] = {
	[FLAG_OUTPUT] = {
		.name = "output", .alias = "export-profile", .letter = 'o', .argument = "FILE",
		.help = "write FILE; print --help lists the extensions",
		.commands = RUN | PRINT | FLAME | ADVISE | MERGE, .apply = flag_apply_output,
	},
	[FLAG_FORCE] = {
		.name = "force-overwrite", .letter = 'f',
		.help = "overwrite existing files",
		.commands = RUN | PRINT | REPORT | FLAME | ADVISE | COMPARE | MERGE,
		.variable = "COMPUTEPROF_OVERWRITE", .setting = "1",
	},
	[FLAG_LOG] = {
		.name = "log", .letter = 'l', .argument = "PATTERN",
		.help = "name of the log; %d %p %h %r %q{VAR} %% are expanded",
		.commands = RUN, .variable = "COMPUTE_PROFILE_LOG",
	},
	[FLAG_CSV] = {
		.name = "csv", .help = "comma separated values",
		.commands = RUN | PRINT | REPORT | ADVISE | COMPARE | MERGE, .packed = true,
		.variable = "COMPUTE_PROFILE_CSV", .setting = "1",
	},
	[FLAG_KEYVAL] = {
		.name = "kvp", .help = "key=[ value ] pairs",
		.commands = PRINT, .variable = "COMPUTE_PROFILE_CSV", .setting = "0",
	},
	[FLAG_JSON] = {
		.name = "json", .help = "JSON with all details",
		.commands = ADVISE | COMPARE | MERGE,
	},
	[FLAG_CONFIG] = {
		.name = "config", .letter = 'c', .argument = "NAME",
		.help = "columns and settings: a file, or see 'list configs'",
		.commands = RUN | PRINT | LIST, .apply = flag_apply_config,
	},
	[FLAG_DIALECT] = {
		.name = "dialect", .letter = 'd', .argument = "NAME", .choices = "classic|cuda4",
		.help = "classic (the default) or cuda4",
		.commands = RUN | PRINT, .packed = true, .apply = flag_apply_dialect,
	},
	[FLAG_TRACE] = {
		.name = "trace", .letter = 't', .argument = "PATTERN",
		.help = "also write a binary trace",
		.commands = RUN, .variable = "COMPUTE_PROFILE_TRACE",
	},
	[FLAG_EVENTS] = {
		.name = "events", .argument = "PATTERN",
		.help = "write each kernel, copy and fill as a line of JSON to a FIFO, UNIX socket "
			"or file while the program runs",
		.commands = RUN, .packed = true, .apply = flag_apply_events,
	},
	[FLAG_METRICS] = {
		.name = "metrics", .argument = "DIR", .otherwise = "./test",
		.help = "count and list calls in DIR/metrics.log and DIR/timeline.log while the "
			"program runs; default ./test",
		.commands = RUN, .packed = true, .apply = flag_apply_metrics,
	},
	[FLAG_STACKS] = {
		.name = "stacks", .help = "with a trace: the call stack of each launch",
		.commands = RUN, .packed = true,
		.variable = "COMPUTE_PROFILE_STACKS", .setting = "1",
	},
	[FLAG_VALUES] = {
		.name = "values", .argument = "MODE", .choices = "objects|flow|patterns|lines",
		.help = "with a trace: objects, the allocations that each command uses; flow, what "
			"each write changes, too; patterns, and the patterns of the values; lines, "
			"the objects and the values of kernels by source line",
		.commands = RUN, .packed = true, .variable = "COMPUTE_PROFILE_VALUES",
	},
#define API(id, in_messages, in_names, ...) \
	[FLAG_##id] = { \
		.name = in_names, .help = "record or print " in_messages " only", \
		.commands = RUN | PRINT, .packed = true, .apply = flag_apply_api, \
	},
#include "model/api.def"
#undef API
	[FLAG_DEVICE] = {
		.name = "device", .argument = "NUMBER",
		.help = "only records, or the counters, of this device",
		.commands = PRINT | LIST | HELP,
	},
	[FLAG_CONTEXT] = {
		.name = "context", .argument = "NUMBER",
		.help = "only the records of this context, counted from 0",
		.commands = PRINT,
	},
	[FLAG_CHIP] = {
		.name = "chip", .argument = "NAME",
		.help = "counters of this chip: GH100, H100, 9.0 or sm_90",
		.commands = RUN | LIST | HELP | DOCTOR, .packed = true,
	},
	[FLAG_MAN] = {
		.name = "man", .help = "options as source of the manual page; counters as the text "
				"of doc/COUNTERS",
		.commands = LIST,
	},
	[FLAG_PRINT_SUMMARY] = {
		.name = "print-summary", .letter = 's',
		.help = "print totals per kernel, copy and call",
		.commands = RUN | REPORT, .packed = true,
	},
	[FLAG_PRINT_GPU_SUMMARY] = {
		.name = "print-gpu-summary", .help = "print totals per kernel and copy",
		.commands = RUN | REPORT, .packed = true,
	},
	[FLAG_PRINT_GPU_TRACE] = {
		.name = "print-gpu-trace", .help = "print each kernel and copy by itself",
		.commands = RUN | REPORT, .packed = true,
	},
	[FLAG_PRINT_API_SUMMARY] = {
		.name = "print-api-summary",
		.help = "print totals per API function",
		.commands = RUN | REPORT, .packed = true, .apply = flag_apply_calls,
	},
	[FLAG_PRINT_API_TRACE] = {
		.name = "print-api-trace", .help = "print each API call by itself",
		.commands = RUN | REPORT, .packed = true, .apply = flag_apply_calls,
	},
	[FLAG_PERCENTILES] = {
		.name = "percentiles", .help = "add p50, p95, p99 and bars to the summary",
		.commands = RUN | REPORT, .packed = true,
	},
	[FLAG_NOTES] = {
		.name = "notes",
		.help = "print notes below the summary, as on a terminal",
		.commands = RUN | REPORT, .packed = true,
	},
	[FLAG_UNIT] = {
		.name = "normalized-time-unit", .letter = 'u', .argument = "UNIT",
		.choices = "auto|s|ms|us|ns",
		.help = "unit of times in tables: auto, s, ms, us or ns",
		.commands = RUN | REPORT | COMPARE | MERGE, .packed = true,
	},
	[FLAG_KERNELS] = {
		.name = "kernels", .letter = 'k', .argument = "REGEX",
		.help = "only kernels (tail: rows) with matching names",
		.commands = RUN | REPORT | TAIL | COMPARE | MERGE, .packed = true,
	},
	[FLAG_DEVICES] = {
		.name = "devices", .argument = "LIST", .help = "only these devices in tables, such "
							       "as 0,2",
		.commands = RUN | REPORT, .packed = true,
	},
	[FLAG_DEMANGLING] = {
		.name = "demangling", .argument = "on|off", .help = "demangle C++ names in tables; "
								    "default on",
		.commands = RUN | REPORT | TAIL | FLAME | ADVISE | COMPARE | MERGE, .packed = true,
	},
	[FLAG_MODE] = {
		.name = "mode", .argument = "MODE", .choices = "merge|gpu-only|cpu-only",
		.help = "flame graphs: merge, gpu-only or cpu-only",
		.commands = RUN | PRINT | FLAME, .packed = true,
	},
	[FLAG_GPU_ONLY] = {
		.name = "gpu-only", .help = "as --mode gpu-only",
		.commands = RUN | PRINT | FLAME, .packed = true,
	},
	[FLAG_CPU_ONLY] = {
		.name = "cpu-only", .help = "as --mode cpu-only",
		.commands = RUN | PRINT | FLAME, .packed = true,
	},
	[FLAG_STACK_UNIT] = {
		.name = "unit", .argument = "UNIT", .choices = "us",
		.help = "of folded stacks: us, or samples@HZ",
		.commands = RUN | PRINT | FLAME, .packed = true,
	},
	[FLAG_BY_CALLER] = {
		.name = "by-caller",
		.help = "print the GPU's time by the functions that launch",
		.commands = REPORT,
	},
	[FLAG_IDLE] = {
		.name = "idle", .argument = "KERNELS",
		.help = "kernels between two uses that make a gap; default 1",
		.commands = ADVISE,
	},
	[FLAG_LOG_FILE] = {
		.name = "log-file", .argument = "FILE", .help = "write tables to FILE instead of "
								"stderr",
		.commands = RUN | REPORT, .packed = true,
	},
	[FLAG_IMPORT] = {
		.name = "import-profile", .letter = 'i', .argument = "FILE",
		.help = "print the tables of FILE; run no program",
		.commands = RUN, .packed = true,
	},
	[FLAG_START] = {
		.name = "profile-from-start", .argument = "on|off",
		.help = "off: record nothing until the program calls computeprof_start() or, for "
			"CUDA, cudaProfilerStart()",
		.commands = RUN, .packed = true, .apply = flag_apply_start,
	},
	[FLAG_TIMEOUT] = {
		.name = "timeout", .argument = "SECONDS",
		.help = "end the program after this time, such as 90 or 0.5",
		.commands = RUN | GATE, .packed = true,
	},
	[FLAG_SAMPLE] = {
		.name = "sample", .argument = "HZ",
		.help = "also sample the CPU, HZ times per second of CPU time; needs a trace or -o",
		.commands = RUN, .packed = true, .variable = "COMPUTE_PROFILE_SAMPLE",
	},
	[FLAG_QUERY_EVENTS] = {
		.name = "query-events",
		.help = "list the events of the devices or of --chip; run no program",
		.commands = RUN, .packed = true,
	},
	[FLAG_QUERY_METRICS] = {
		.name = "query-metrics",
		.help = "list nvprof's metrics of the devices or of --chip; run no program",
		.commands = RUN, .packed = true,
	},
	[FLAG_QUIET] = {
		.name = "quiet", .letter = 'q', .help = "do not print the names of logs",
		.commands = RUN, .packed = true,
	},
	[FLAG_INTO] = {
		.name = "into", .argument = "DIRECTORY",
		.help = "write only new files, into DIRECTORY",
		.commands = RECOVER,
	},
	[FLAG_ROWS] = {
		.name = "rows", .letter = 'n', .argument = "NUMBER",
		.help = "last rows to print first; +N: all from row N on; all",
		.commands = TAIL,
	},
	[FLAG_NO_FOLLOW] = {
		.name = "no-follow", .letter = 'b',
		.help = "print what is there, and end",
		.commands = TAIL,
	},
	[FLAG_RAW] = {
		.name = "raw", .alias = "kvp",
		.help = "print the lines of the log unchanged",
		.commands = TAIL,
	},
	[FLAG_DELAY] = {
		.name = "delay", .letter = 'd', .argument = "SECONDS",
		.help = "time between two readings, 0.1 to 3600; default 1",
		.commands = TOP,
	},
	[FLAG_ITERATIONS] = {
		.name = "iterations", .letter = 'n', .argument = "COUNT",
		.help = "end after COUNT readings",
		.commands = TOP,
	},
	[FLAG_BATCH] = {
		.name = "batch", .letter = 'b',
		.help = "print plain lines, as without a terminal",
		.commands = TOP,
	},
	[FLAG_RUNS] = {
		.name = "runs", .letter = 'n', .argument = "COUNT",
		.help = "runs of each program; default 5",
		.commands = GATE,
	},
	[FLAG_WARMUP] = {
		.name = "warmup", .letter = 'w', .argument = "COUNT",
		.help = "runs before these that do not count; default 1",
		.commands = GATE,
	},
	[FLAG_BASE] = {
		.name = "base", .argument = "FILE",
		.help = "A are the runs that --save FILE has written",
		.commands = GATE,
	},
	[FLAG_SAVE] = {
		.name = "save", .argument = "FILE",
		.help = "write the runs of B to FILE, for --base and diff",
		.commands = GATE,
	},
	[FLAG_THRESHOLD] = {
		.name = "threshold", .argument = "PERCENT",
		.help = "the least change that counts; default 5",
		.commands = COMPARE,
	},
	[FLAG_FLOOR] = {
		.name = "floor", .argument = "MICROSECONDS",
		.help = "and the least one of a launch; default 0.1",
		.commands = COMPARE,
	},
	[FLAG_STATISTIC] = {
		.name = "statistic", .argument = "WHICH", .choices = "minimum|median|both",
		.help = "tested value of a run: minimum, median or both",
		.commands = COMPARE,
	},
	[FLAG_MARKDOWN] = {
		.name = "markdown", .help = "a Markdown table, for pull requests",
		.commands = COMPARE,
	},
	[FLAG_JUNIT] = {
		.name = "junit", .argument = "FILE",
		.help = "also write the results to FILE, as JUnit's XML",
		.commands = COMPARE,
	},
	[FLAG_HTML] = {
		.name = "html", .argument = "FILE",
		.help = "also write a page for a browser to FILE",
		.commands = COMPARE,
	},
	[FLAG_FOLDED] = {
		.name = "folded", .argument = "FILE",
		.help = "also write times by call stack, for flamegraph.pl",
		.commands = DIFF,
	},
	[FLAG_BY] = {
		.name = "by", .argument = "UNIT", .choices = "rank|process",
		.help = "what the columns are over: rank or process",
		.commands = MERGE,
	},
	[FLAG_LONGEST] = {
		.name = "longest",
		.help = "print the 20 longest launches instead of sums",
		.commands = MERGE,
	},
	[FLAG_RECORDS] = {
		.name = "records",
		.help = "write the records of all traces to the FILE of -o, on one clock",
		.commands = MERGE,
	},
	[FLAG_HELP] = {
		.name = "help", .letter = 'h', .help = "show this help",
		.commands = EVERY,
	},
	[FLAG_VERSION] = {
		.name = "version", .letter = 'V',
		.help = "show the versions of the tool and its formats",
		.commands = RUN, .packed = true,
	},
};
/* clang-format on */

bool flag_belongs(enum flag_id option, enum command_id command)
{
	return flag_rows[option].commands >> command & 1;
}

int flag_find_letter(enum command_id command, int letter)
{
	for (int i = 0; i < FLAG_COUNT; i++)
		if (flag_rows[i].letter == letter && flag_belongs(i, command))
			return i;
	return -1;
}
