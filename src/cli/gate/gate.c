/* SPDX-License-Identifier: MIT */
/* computeprof gate: runs two programs and compares them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "cli/command.h"
#include "cli/diff/inputs.h"
#include "cli/diff/outcome.h"
#include "cli/gate/gate_progress.h"
#include "cli/gate/gate_run.h"
#include "cli/run/program.h"
#include "cli/wholefile.h"
#include "output/jsontext.h"
#include "view/format/system.h"

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#ifndef VERSION
#define VERSION "uninstalled"
#endif

enum { RUNS_MOST = RANKTEST_RUNS, WARMUP_MOST = 1000, WHICH = 40 };

struct gate {
	const struct flags *flags;
	struct outcome outcome;
	unsigned count, warmup;
	char **programs[RUNS_SIDES]; /* NULL: not run */
	struct runs runs;
	struct gate_run run;
	struct gate_progress progress;
	struct strbuf system;
	struct strbuf saved; /* the runs of B as JSON */
};

/* Returns -1 after a message. */
static int take_programs(struct gate *gate)
{
	const struct flags *flags = gate->flags;
	const char *base = flags->value[FLAG_BASE];
	bool one = base || (flags->value[FLAG_SAVE] && !flags->argument_count);

	if (flags->others && flags->other_count && (flags->argument_count || one)) {
		gate->programs[RUNS_A] = flags->argument_count ? flags->arguments : NULL;
		gate->programs[RUNS_B] = flags->others;
	} else if (!flags->others && flags->argument_count && base) {
		gate->programs[RUNS_B] = flags->arguments;
	} else {
		say("gate needs two programs separated by '--', or --base FILE and one program; "
		    "see 'computeprof gate --help'");
		return -1;
	}
	if (!base || !gate->programs[RUNS_A])
		return 0;
	say("--base is in place of the first program: leave out '%s', or write '--' before the "
	    "program",
	    flags->arguments[0]);
	return -1;
}

/* Returns -1 after a message if nothing is compared, and an option is for that. The file of --save
 * has all kernels, with the names that the driver tells. */
static int check_comparison(const struct gate *gate)
{
	static const enum flag_id of_comparison[] = {
		FLAG_CSV,	FLAG_JSON,	 FLAG_MARKDOWN,	 FLAG_UNIT,
		FLAG_KERNELS,	FLAG_DEMANGLING, FLAG_THRESHOLD, FLAG_FLOOR,
		FLAG_STATISTIC, FLAG_JUNIT,	 FLAG_HTML,
	};

	if (gate->flags->value[FLAG_BASE] || gate->programs[RUNS_A])
		return 0;
	for (size_t i = 0; i < sizeof(of_comparison) / sizeof(of_comparison[0]); i++) {
		if (!gate->flags->value[of_comparison[i]])
			continue;
		say("--%s is for comparisons, and --save without a first program compares nothing; "
		    "no program was run",
		    flag_rows[of_comparison[i]].name);
		return -1;
	}
	return 0;
}

/* Returns true after a message if an output would replace a program or the configuration file. */
static bool replaces_inputs(const struct gate *gate)
{
	bool replaces = false;

	for (int side = 0; side < RUNS_SIDES && !replaces; side++) {
		struct strbuf path = STRBUF_INIT;

		if (gate->programs[side] && !program_find(&path, gate->programs[side][0]))
			replaces = outcome_replaces(gate->flags, "program", strbuf_text(&path));
		strbuf_free(&path);
	}
	return replaces || outcome_replaces(gate->flags, "configuration file",
					    getenv("COMPUTE_PROFILE_CONFIG"));
}

static int begin(struct gate *gate)
{
	const char *base = gate->flags->value[FLAG_BASE];

	gate->count = 5;
	gate->warmup = 1;
	if (take_programs(gate) || check_comparison(gate) ||
	    outcome_number(gate->flags, FLAG_RUNS, 1, RUNS_MOST, &gate->count) ||
	    outcome_number(gate->flags, FLAG_WARMUP, 0, WARMUP_MOST, &gate->warmup) ||
	    outcome_begin(&gate->outcome, gate->flags) ||
	    (base && inputs_are_outputs(gate->flags, base)) || replaces_inputs(gate))
		return -1;
	return 0;
}

/* Host, kernel, driver and version of the tool. */
static void find_system(struct strbuf *to)
{
	size_t start = to->length;

	strbuf_string(to, "host ");
	if (system_put_host(to))
		to->length = start;
	else
		strbuf_string(to, ", ");
	if (!system_put_driver(to))
		strbuf_string(to, ", ");
	strbuf_string(to, "computeprof " VERSION);
}

/* Takes the JSON of a run. Returns 0, or -1 after a message. */
static int take_run(struct gate *gate, enum runs_side side, const struct strbuf *summary,
		    const char *which)
{
	struct strbuf error = STRBUF_INIT;
	struct json_value *value = json_read(summary->data, summary->length, &error);
	int result = -1;

	if (value && !runs_begin(&gate->runs, side, &error) &&
	    !runs_add_json(&gate->runs, side, value, which, &error)) {
		runs_finish(&gate->runs, side, which);
		if (!gate->runs.sides[side].left_out.length)
			result = 0;
		else
			strbuf_string(&error, "it ends before its program did or has no records, "
					      "so nothing is compared");
	}
	if (side == RUNS_B) {
		strbuf_string(&gate->saved, gate->saved.length ? ",\n" : "");
		strbuf_append(&gate->saved, summary->data, summary->length);
	}
	if (result)
		say("%s: %s", which, strbuf_text(&error));
	json_free(value);
	strbuf_free(&error);
	return result;
}

/* Returns 0, or the exit code of the tool. */
static int run_side(struct gate *gate, enum runs_side side, unsigned number)
{
	bool counts = number >= gate->warmup;
	struct strbuf summary = STRBUF_INIT;
	char which[WHICH];
	int result;

	snprintf(which, sizeof(which), "%s %u of %c", counts ? "run" : "warm-up",
		 counts ? number - gate->warmup + 1 : number + 1, 'A' + (int)side);
	gate_progress_show(&gate->progress, which);
	result = gate_run(&gate->run, gate->programs[side], which, &summary);
	if (result || number + 1 == gate->warmup + gate->count)
		gate_progress_end(&gate->progress);
	if (!result && counts && take_run(gate, side, &summary, which))
		result = EXIT_TOOL_FAILED;
	strbuf_free(&summary);
	return result;
}

/* A and B in turn: what changes slowly, such as the load of the machine, meets both. */
static int run_all(struct gate *gate)
{
	unsigned each = gate->warmup + gate->count;
	int result = 0;

	for (int side = 0; side < RUNS_SIDES; side++)
		gate->progress.total += gate->programs[side] ? each : 0;
	for (unsigned i = 0; !result && i < 2 * each; i++)
		if (gate->programs[i % 2])
			result = run_side(gate, (enum runs_side)(i % 2), i / 2);
	return result;
}

static int save(struct gate *gate)
{
	const char *path = gate->flags->value[FLAG_SAVE];
	struct strbuf text = STRBUF_INIT;
	int result = -1;

	if (!path)
		return 0;
	strbuf_string(&text, "{\"version\": 1, \"system\": ");
	json_name(&text, gate->system.data, gate->system.length);
	strbuf_string(&text, ", \"runs\": [\n");
	strbuf_append(&text, gate->saved.data, gate->saved.length);
	strbuf_string(&text, "]}\n");
	if (text.failed || gate->saved.failed)
		say("out of memory for %s", path);
	else
		result = wholefile_write(path, &text, 1, gate->flags->value[FLAG_FORCE]);
	strbuf_free(&text);
	return result;
}

static int read_base(struct gate *gate)
{
	const char *base = gate->flags->value[FLAG_BASE];

	if (!base)
		return 0;
	if (inputs_add(&gate->runs, RUNS_A, base))
		return -1;
	return inputs_have_runs(&gate->runs, RUNS_A, base) ? 0 : -1;
}

static int run_and_compare(struct gate *gate)
{
	int result;

	if (read_base(gate) || gate_run_begin(&gate->run, gate->flags))
		return EXIT_TOOL_FAILED;
	find_system(&gate->system);
	for (int side = 0; side < RUNS_SIDES; side++)
		if (gate->programs[side])
			runs_add_line(&gate->runs.sides[side].systems, gate->system.data,
				      gate->system.length);
	result = run_all(gate);
	gate_run_end(&gate->run);
	if (!result && save(gate))
		result = EXIT_TOOL_FAILED;
	if (!result && gate->runs.sides[RUNS_A].count)
		result = outcome_print(&gate->outcome, &gate->runs);
	return result;
}

int gate_command(const struct flags *flags)
{
	struct gate gate = {.flags = flags};
	struct strbuf error = STRBUF_INIT;
	int result = EXIT_TOOL_FAILED;

	if (begin(&gate))
		return result;
	if (runs_open(&gate.runs, flags->value[FLAG_KERNELS], gate.outcome.demangle, &error))
		say("%s", strbuf_text(&error));
	else
		result = run_and_compare(&gate);
	runs_close(&gate.runs);
	strbuf_free(&gate.system);
	strbuf_free(&gate.saved);
	strbuf_free(&error);
	return result;
}
