/* SPDX-License-Identifier: MIT */
/* computeprof advise: what programs waste of the GPU's memory. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/say.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/distinct.h"
#include "cli/lines.h"
#include "cli/print/print.h"
#include "cli/report/report.h"
#include "cli/table.h"
#include "cli/wholefile.h"
#include "view/advise/advice_json.h"
#include "view/advise/advice_svg.h"
#include "view/advise/advice_tables.h"
#include "view/advise/flow_dot.h"
#include "view/advise/flow_patterns.h"
#include "view/advise/flow_tables.h"

#define HOW	     "record with computeprof --values objects -o t.cptrace ./app"
#define HOW_FLOW     "record with computeprof --values flow -o t.cptrace ./app"
#define HOW_PATTERNS "record with computeprof --values patterns -o t.cptrace ./app"

enum form { FORM_TEXT, FORM_CSV, FORM_JSON, FORM_SVG, FORM_DOT, FORM_PATTERNS };

enum { IDLE_DIGITS = 9 };

/* The output of all traces. */
struct job {
	enum form form;
	struct advice_options options;
	struct strbuf text;
	unsigned width;
	unsigned height; /* of the picture so far */
	int processes;
};

/* Returns FORM_TEXT for an unknown extension. */
static enum form form_of(const char *output)
{
	return text_ends(output, ".json")  ? FORM_JSON
	       : text_ends(output, ".svg") ? FORM_SVG
	       : text_ends(output, ".dot") ? FORM_DOT
	       : text_ends(output, ".txt") ? FORM_PATTERNS
					   : FORM_TEXT;
}

static int take_form(struct job *job, const struct flags *flags)
{
	const char *output = flags->value[FLAG_OUTPUT];

	job->form = flags->value[FLAG_JSON]  ? FORM_JSON
		    : flags->value[FLAG_CSV] ? FORM_CSV
					     : FORM_TEXT;
	if (flags->value[FLAG_JSON] && flags->value[FLAG_CSV])
		say("--csv and --json exclude each other");
	else if (output && job->form != FORM_TEXT)
		say("--%s prints to the standard output: leave out -o %s",
		    job->form == FORM_JSON ? "json" : "csv", output);
	else if (output && form_of(output) == FORM_TEXT)
		say("unknown format of '%s': the name must end in one of .json .svg .dot .txt",
		    output);
	else if (flags->value[FLAG_FORCE] && !output)
		say("-f is for files: it needs -o FILE");
	else
		return 0;
	return -1;
}

static int take_idle(struct job *job, const struct flags *flags)
{
	const char *value = flags->value[FLAG_IDLE], *output = flags->value[FLAG_OUTPUT];
	const char *end = value;

	job->options.idle = 1;
	if (value)
		job->options.idle = number_read(value, &end);
	if (value && (!job->options.idle || *end || strlen(value) > IDLE_DIGITS))
		say("--idle needs a number of kernels from 1 on, not '%s'", value);
	else if (value && output && form_of(output) != FORM_JSON)
		say("--idle is for findings, and -o %s has none: leave it out", output);
	else
		return 0;
	return -1;
}

static int begin(struct job *job, const struct flags *flags)
{
	const char *output = flags->value[FLAG_OUTPUT];

	if (take_form(job, flags) || take_idle(job, flags) ||
	    report_demangling(flags, &job->options.demangle))
		return -1;
	if (output)
		job->form = form_of(output);
	else if (isatty(STDOUT_FILENO))
		job->width = table_width(STDOUT_FILENO);
	return output ? wholefile_check(flags, NULL, output) : 0;
}

/* Returns -1 without memory. */
static int put(struct job *job, struct advice *advice)
{
	const struct advice_page page = {.csv = job->form == FORM_CSV, .width = job->width};

	if (job->form == FORM_SVG)
		return advice_put_pictures(&job->text, advice, &job->height);
	if (job->form == FORM_DOT)
		return flow_put_dot(&job->text, advice);
	if (job->form == FORM_PATTERNS) {
		flow_put_patterns_text(&job->text, advice);
		return 0;
	}
	if (job->form != FORM_JSON)
		return advice_put_tables(&job->text, advice, &page);
	strbuf_string(&job->text, job->processes ? ",\n" : "{\"processes\": [\n");
	advice_put_json(&job->text, advice);
	return 0;
}

static void say_messages(struct stream *stream)
{
	const char *at = stream_messages(stream), *line;
	size_t length;

	while (at && (line = lines_next(&at, &length)))
		say("%.*s", (int)length, line);
}

/* Returns -1 after a message; other traces are read nevertheless. */
static int advise_stream(struct job *job, const char *path, struct stream *stream)
{
	struct strbuf error = STRBUF_INIT;
	struct advice advice;
	int result = advice_read(&advice, stream, &job->options, &error);

	if (result) {
		say("%s", strbuf_text(&error));
	} else if (!advice.objects.apis) {
		say("%s has no uses of memory: " HOW, path);
		result = -1;
	} else if (job->form == FORM_DOT && !advice.flow.changes) {
		say("%s has no data flow: " HOW_FLOW, path);
		result = -1;
	} else if (job->form == FORM_PATTERNS && !advice.flow.examined) {
		say("%s has no patterns of values: " HOW_PATTERNS, path);
		result = -1;
	} else if ((job->form == FORM_DOT || job->form == FORM_PATTERNS) && job->processes) {
		say("%s is left out: a %s file has one process", path,
		    job->form == FORM_DOT ? ".dot" : ".txt");
		result = -1;
	} else if (put(job, &advice)) {
		say("out of memory for the advice");
		result = -1;
	} else {
		job->processes++;
		if (job->form == FORM_DOT && flow_is_incomplete(&advice))
			say(FLOW_INCOMPLETE);
	}
	say_messages(stream);
	if (!result && stream_damage(stream)) {
		say("%s", stream_damage(stream));
		result = -1;
	}
	advice_free(&advice);
	strbuf_free(&error);
	return result;
}

static int advise_file(struct job *job, const char *path)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(path, &error);
	int result = -1;

	if (stream)
		result = advise_stream(job, path, stream);
	else
		say("%s", strbuf_text(&error));
	stream_close(stream);
	strbuf_free(&error);
	return result;
}

static int end(struct job *job, const struct flags *flags)
{
	const char *path = flags->value[FLAG_OUTPUT];
	struct strbuf texts[2] = {STRBUF_INIT, STRBUF_INIT};
	int result;

	if (job->form == FORM_JSON)
		strbuf_string(&job->text, "\n]}\n");
	if (job->form == FORM_SVG) {
		advice_begin_svg(&texts[0], job->height);
		advice_end_svg(&job->text);
	}
	texts[1] = job->text;
	if (texts[0].failed || job->text.failed) {
		say("out of memory for the advice");
		result = -1;
	} else if (path) {
		result = wholefile_write(path, texts, 2, flags->value[FLAG_FORCE]);
	} else {
		result = fwrite(job->text.data, 1, job->text.length, stdout) == job->text.length
				 ? 0
				 : -1;
	}
	strbuf_free(&texts[0]);
	return result;
}

/* An input must not be overwritten. */
static bool is_read(const struct flags *flags, int count)
{
	const char *output = flags->value[FLAG_OUTPUT];

	for (int i = 0; output && i < count; i++)
		if (print_same_file(flags->arguments[i], output))
			return true;
	return false;
}

int advise_command(const struct flags *flags)
{
	struct job job = {.options.demangle = true};
	int count, result = 0;

	if (!flags->argument_count) {
		say("advise needs a trace; see 'computeprof advise --help'");
		return EXIT_TOOL_FAILED;
	}
	if (begin(&job, flags))
		return EXIT_TOOL_FAILED;
	count = distinct_files(flags->arguments, flags->argument_count);
	if (count < 0 || is_read(flags, count))
		return EXIT_PROBLEM;
	for (int i = 0; i < count; i++)
		result |= advise_file(&job, flags->arguments[i]);
	if (job.processes)
		result |= end(&job, flags);
	strbuf_free(&job.text);
	return result ? EXIT_PROBLEM : EXIT_DONE;
}
