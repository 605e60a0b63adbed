/* SPDX-License-Identifier: MIT */
#include "cli/nvprof/nvprof.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/say.h"
#include "base/strbuf.h"
#include "cli/command.h"
#include "cli/flag.h"
#include "cli/lines.h"
#include "cli/nvprof/nvprof_table.h"
#include "cli/run/sensor_thread.h"
#include "cli/suggest.h"
#include "model/counter.h"
#include "view/view.h"

enum { OPTIONS = 96, CODE = 256, INDENT = 4, WIDTH = 80 };

/* The command line that is being made, and what the counters' options have set. Of an option that
 * is given twice the last one counts. */
struct job {
	char **argv; /* each word is allocated */
	int argc;
	const char *table;	/* of --trace, or NULL */
	struct strbuf counters; /* a line each */
	bool one_unit;		/* --aggregate-mode off */
	bool serial;		/* --concurrent-kernels off */
	bool no_replay;		/* --replay-mode disabled */
	bool managed;		/* --unified-memory-profiling per-process-device */
	bool has_output;	/* -o */
	bool of_counters;	/* an option that needs counters */
	bool sensors;		/* --system-profiling on */
	bool no_calls;		/* --profile-api-trace none */
	bool imports;		/* -i: runs no program */
	bool refused;		/* an option that runs no program */
	int code;		/* of the tool, or -1 */
};

bool nvprof_is_name(const char *name)
{
	const char *slash = name ? strrchr(name, '/') : NULL;

	name = slash ? slash + 1 : name;
	return name && (!strcmp(name, "nvprof") || !strcmp(name, "computeprof-nvprof"));
}

static void add(struct job *job, const char *start, const char *name, const char *value)
{
	struct strbuf word = STRBUF_INIT;

	strbuf_printf(&word, "%s%s%s%s", start, name, value ? "=" : "", value ? value : "");
	job->argv[job->argc++] = word.failed ? NULL : strdup(strbuf_text(&word));
	if (!job->argv[job->argc - 1])
		job->code = EXIT_TOOL_FAILED;
	strbuf_free(&word);
}

/* Returns true if the word is the option with a value or without one. */
static bool is_option(const char *word, const char *name)
{
	size_t length = strcspn(word, "=");

	return strlen(name) == length && !memcmp(name, word, length);
}

/* The word behind its dashes. */
static const char *word_at(const struct job *job, int i)
{
	return job->argv[i] ? job->argv[i] + strlen("--") : "";
}

/* Removes an option that was added. */
static void remove_option(struct job *job, const char *name)
{
	int kept = 1;

	for (int i = 1; i < job->argc; i++)
		if (is_option(word_at(job, i), name))
			free(job->argv[i]);
		else
			job->argv[kept++] = job->argv[i];
	job->argc = kept;
}

static int wrong(struct job *job, const struct nvprof_option *option, const char *value)
{
	say("--%s takes %s, not '%s'", option->name, option->argument, value);
	job->code = EXIT_TOOL_FAILED;
	return -1;
}

/* Returns 1 for `yes`, 0 for `no`, -1 after a message. */
static int choose(struct job *job, const struct nvprof_option *option, const char *value,
		  const char *yes, const char *no)
{
	if (strcmp(value, yes) && strcmp(value, no))
		return wrong(job, option, value);
	return !strcmp(value, yes);
}

/* Adds the names of a list with commas. */
static void add_counters(struct job *job, const struct nvprof_option *option, char *list)
{
	char *rest = list;

	for (char *name = strtok_r(list, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
		if (counter_find(name) >= 0 || counter_is_raw(name)) {
			strbuf_printf(&job->counters, "%s\n", name);
			continue;
		}
		if (!strcmp(name, "all"))
			say("--%s all: name those that you need; --query-%s lists them",
			    option->name, option->name);
		else
			say("unknown name '%s' of --%s; --query-%s lists them", name, option->name,
			    option->name);
		job->code = EXIT_TOOL_FAILED;
	}
}

static void choose_tables(struct job *job, const struct nvprof_option *option, const char *value)
{
	job->table = NULL;
	if (!strcmp(value, "gpu"))
		job->table = "gpu-summary";
	else if (!strcmp(value, "api"))
		job->table = "api-summary";
	else if (strcmp(value, "gpu,api") && strcmp(value, "api,gpu"))
		wrong(job, option, value);
}

static void choose_replay(struct job *job, const struct nvprof_option *option, const char *value)
{
	job->of_counters = true;
	job->no_replay = !strcmp(value, "disabled");
	if (!job->no_replay && strcmp(value, "kernel") && strcmp(value, "application"))
		wrong(job, option, value);
}

/* Of the values of --profile-api-trace only `none` changes what is recorded. */
static void choose_calls(struct job *job, const struct nvprof_option *option, const char *value)
{
	job->no_calls = !strcmp(value, "none");
	if (!job->no_calls && strcmp(value, "runtime") && strcmp(value, "driver") &&
	    strcmp(value, "all"))
		wrong(job, option, value);
}

static void help(void)
{
	printf("Usage: nvprof [OPTION ...] PROGRAM [ARGUMENT ...]\n\n"
	       "computeprof with the options of nvprof, and what they do here:\n");
	for (const struct nvprof_option *option = nvprof_options; option->name; option++) {
		printf("\n");
		if (option->letter)
			printf("-%c, ", option->letter);
		printf("--%s%s%s\n", option->name, option->argument ? " " : "",
		       option->argument ? option->argument : "");
		lines_paragraph(option->does, INDENT, WIDTH);
	}
}

static void take_setting(struct job *job, const struct nvprof_option *option, char *value)
{
	switch (option->action) {
	case NVPROF_COUNTERS:
		add_counters(job, option, value);
		break;
	case NVPROF_AGGREGATE:
		job->of_counters = true;
		job->one_unit = choose(job, option, value, "off", "on") == 1;
		break;
	case NVPROF_CONCURRENT:
		job->serial = choose(job, option, value, "off", "on") == 1;
		break;
	case NVPROF_REPLAY:
		choose_replay(job, option, value);
		break;
	case NVPROF_API:
		choose_calls(job, option, value);
		break;
	case NVPROF_TRACED:
		choose_tables(job, option, value);
		break;
	case NVPROF_MANAGED:
		job->managed = choose(job, option, value, "per-process-device", "off") == 1;
		break;
	case NVPROF_SYSTEM:
		job->sensors = choose(job, option, value, "on", "off") == 1;
		break;
	case NVPROF_SAME:
	case NVPROF_FORM:
	case NVPROF_NONE:
	case NVPROF_TELL:
	case NVPROF_REFUSE:
	case NVPROF_OUTPUT:
	case NVPROF_HELP:
	default:
		break;
	}
}

static void name_output(struct job *job, const char *value)
{
	if (!*value) {
		say("-o has an empty name; no program was run");
		job->code = EXIT_TOOL_FAILED;
		return;
	}
	job->has_output = true;
	view_set_only(&view_sqlite);
	add(job, "--", "output", value);
}

static void take(struct job *job, const struct nvprof_option *option, char *value)
{
	bool usual = value && option->usual && !strcmp(value, option->usual);

	switch (option->action) {
	case NVPROF_SAME:
	case NVPROF_FORM:
		job->imports |= option->letter == 'i';
		if (usual)
			remove_option(job, option->name);
		else
			add(job, "--", option->to ? option->to : option->name, value);
		break;
	case NVPROF_TELL:
	case NVPROF_REFUSE:
		if (!usual)
			say("--%s: %s", option->name, option->does);
		job->refused |= option->action == NVPROF_REFUSE;
		break;
	case NVPROF_OUTPUT:
		name_output(job, value);
		break;
	case NVPROF_HELP:
		help();
		job->code = EXIT_DONE;
		break;
	case NVPROF_NONE:
	case NVPROF_COUNTERS:
	case NVPROF_AGGREGATE:
	case NVPROF_CONCURRENT:
	case NVPROF_REPLAY:
	case NVPROF_API:
	case NVPROF_MANAGED:
	case NVPROF_SYSTEM:
	case NVPROF_TRACED:
	default:
		take_setting(job, option, value);
	}
}

/* The library reads the configuration from this process's memory while the program runs. */
static int set_config(const struct strbuf *text)
{
	int fd = (int)syscall(SYS_memfd_create, "nvprof", 1 /* MFD_CLOEXEC */);
	char path[64];

	if (fd < 0 || write(fd, text->data, text->length) != (ssize_t)text->length) {
		say("cannot make a configuration file for the counters: %m");
		return EXIT_TOOL_FAILED;
	}
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(), fd);
	setenv("COMPUTE_PROFILE_CONFIG", path, 1);
	return -1;
}

static void set_managed(const struct job *job)
{
	if (!job->managed)
		return;
	if (job->has_output || getenv("COMPUTE_PROFILE_TRACE"))
		setenv("COMPUTE_PROFILE_MANAGED", "1", 1);
	else
		say("tables have no migrations of managed memory, so none are recorded; -o FILE "
		    "writes a database with them");
}

/* Returns true if the word is an option for the form of tables. */
static bool is_of_form(const char *word)
{
	for (const struct nvprof_option *option = nvprof_options; option->name; option++)
		if (option->action == NVPROF_FORM && is_option(word, option->name))
			return true;
	return false;
}

/* Without tables these options have no effect; nvprof accepted them. */
static void drop_form(struct job *job)
{
	int kept = 1;

	for (int i = 1; i < job->argc; i++) {
		const char *word = word_at(job, i);

		if (!is_of_form(word)) {
			job->argv[kept++] = job->argv[i];
			continue;
		}
		say("--%.*s is for tables and has no effect: -o makes only a database",
		    (int)strcspn(word, "="), word);
		free(job->argv[i]);
	}
	job->argc = kept;
}

static bool has_tables(const struct job *job)
{
	bool has = false;

	for (int i = 1; i < job->argc; i++)
		has |= job->argv[i] && !strncmp(job->argv[i], "--print-", strlen("--print-"));
	return has;
}

/* Prints a sentence about each option that has no effect. */
static void tell_unused(struct job *job)
{
	if (job->sensors && job->has_output)
		sensor_thread_want();
	else if (job->sensors)
		say("tables have no values of sensors, so no sensor is read; -o FILE writes a "
		    "database with them");
	if (job->of_counters && !job->counters.length)
		say("--aggregate-mode and --replay-mode have no effect: neither --events nor "
		    "--metrics names a counter");
	if (job->has_output && !has_tables(job))
		drop_form(job);
}

static void tell_config(const struct job *job)
{
	const char *given = getenv("COMPUTE_PROFILE_CONFIG");

	if (given && *given)
		say("COMPUTE_PROFILE_CONFIG=%.200s is not used: %s", given,
		    job->counters.length ? "the options set the counters"
					 : "--concurrent-kernels off replaces it");
}

static int configure(struct job *job)
{
	struct strbuf text = STRBUF_INIT;
	int code;

	if (job->table)
		add(job, "--print-", job->table, NULL);
	if (job->imports) {
		if (job->counters.length || job->of_counters || job->serial || job->managed ||
		    job->sensors || job->no_calls)
			say("-i shows a file and runs no program: options for measuring have no "
			    "effect");
		return -1;
	}
	if (job->no_calls)
		setenv("COMPUTE_PROFILE_API", "0", 1);
	set_managed(job);
	tell_unused(job);
	if (job->counters.length && !job->has_output && !getenv("COMPUTE_PROFILE_LOG")) {
		say("tables have no counters, so none is measured; -o FILE writes a database with "
		    "them");
		job->counters.length = 0;
	}
	if (!job->counters.length && !job->serial)
		return -1;
	tell_config(job);
	strbuf_string(&text, strbuf_text(&job->counters));
	strbuf_string(&text, job->one_unit ? "" : "countermodeaggregate\n");
	strbuf_string(&text, job->serial ? "conckerneltrace 0\n" : "");
	strbuf_string(&text, job->no_replay || !job->counters.length
				     ? ""
				     : "[counters]\nreplay = kernel\n");
	code = text.failed ? EXIT_TOOL_FAILED : set_config(&text);
	strbuf_free(&text);
	return code;
}

/* Appends which option is meant by an unknown name, or where the options are listed. */
static void put_hint(struct strbuf *to, const char *word)
{
	struct suggestion nearest;

	suggest_begin(&nearest, word);
	for (int i = 0; *word && nvprof_options[i].name; i++) {
		struct strbuf option = STRBUF_INIT;

		strbuf_printf(&option, "--%s", nvprof_options[i].name);
		suggest_offer(&nearest, strbuf_text(&option));
		strbuf_free(&option);
	}
	suggest_put(to, &nearest);
	if (!to->length)
		strbuf_string(to, "; see 'nvprof --help'");
}

/* getopt_long stores a letter, which may be one of several in a word, in optopt; it leaves an
 * unknown name in argv. */
static int say_unknown(int code, char **argv)
{
	const char letter[] = {'-', (char)optopt, '\0'};
	bool is_letter = optopt > 0 && optopt < CODE;
	const char *name = is_letter ? letter : argv[optind - 1];
	struct strbuf hint = STRBUF_INIT;

	put_hint(&hint, is_letter ? "" : name);
	if (code == ':')
		say("option '%s' needs an argument; see 'nvprof --help'", name);
	else
		say("unknown option '%s'%s", name, strbuf_text(&hint));
	strbuf_free(&hint);
	return EXIT_TOOL_FAILED;
}

static int read_options(struct job *job, int argc, char **argv)
{
	struct option names[OPTIONS] = {{0}};
	char letters[2 * OPTIONS] = "+:", *letter = letters + 2;
	int code;

	for (int i = 0; nvprof_options[i].name; i++) {
		const struct nvprof_option *option = &nvprof_options[i];

		names[i] = (struct option){option->name, option->argument != NULL, NULL, CODE + i};
		if (option->letter)
			*letter++ = option->letter;
		if (option->letter && option->argument)
			*letter++ = ':';
	}
	opterr = 0;
	while (job->code < 0 && (code = getopt_long(argc, argv, letters, names, NULL)) != -1) {
		const struct nvprof_option *option = nvprof_options;

		while (code < CODE && option->name && option->letter != code)
			option++;
		if (code == '?' || code == ':' || !option->name)
			return say_unknown(code, argv);
		take(job, code < CODE ? option : &nvprof_options[code - CODE], optarg);
	}
	return job->code;
}

/* Adds all words but the program's. Returns as nvprof_translate. */
static int translate(struct job *job, int argc, char **argv)
{
	int code = read_options(job, argc, argv);

	if (code < 0 && job->refused)
		code = optind < argc ? EXIT_TOOL_FAILED : EXIT_DONE;
	if (code < 0)
		code = configure(job);
	if (code < 0 && flag_write_no_log())
		code = EXIT_TOOL_FAILED;
	if (code < 0)
		add(job, "--", "", NULL);
	return code < 0 ? job->code : code;
}

int nvprof_translate(struct nvprof_line *line, int argc, char **argv)
{
	struct job job = {.code = -1};
	size_t most = (size_t)argc + 3;
	int code;

	*line = (struct nvprof_line){.argc = 0};
	for (int i = 1; i < argc; i++)
		most += strlen(argv[i]); /* a word may have an option for each letter */
	job.argv = calloc(most, sizeof(*job.argv));
	if (!job.argv)
		return EXIT_TOOL_FAILED;
	job.argv[job.argc++] = argv[0];
	code = translate(&job, argc, argv);
	strbuf_free(&job.counters);
	*line = (struct nvprof_line){.argv = job.argv, .made = job.argc};
	for (int i = optind; i < argc && code < 0; i++)
		job.argv[job.argc++] = argv[i];
	line->argc = job.argc;
	return code;
}

void nvprof_free(struct nvprof_line *line)
{
	for (int i = 1; i < line->made; i++)
		free(line->argv[i]);
	free(line->argv);
}
