/* SPDX-License-Identifier: MIT */
/* computeprof print: a binary trace as a log, or a log in another format. */
#include "cli/print/print.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/command.h"
#include "cli/print/export.h"
#include "cli/run/precheck.h"
#include "output/trace.h"
#include "settings/environ.h"

static const char *const families[] = {"COMPUTE_PROFILE", "CUDA_PROFILE", "OPENCL_PROFILE"};

/* Only what is typed counts here: the environment speaks of the programs to run. */
static void forget_environment(void)
{
	for (int i = 0; i < ENVIRON_COUNT * 3; i++) {
		char name[64];

		snprintf(name, sizeof(name), "%s%s", families[i % 3], environ_rows[i / 3].suffix);
		unsetenv(name);
	}
}

enum format print_format(const struct flags *flags, enum format otherwise)
{
	const char *file = flags->value[FLAG_OUTPUT];
	const char *extension = file ? strrchr(file, '.') : NULL;

	if (flags->value[FLAG_CSV])
		return FORMAT_CSV;
	if (flags->value[FLAG_KEYVAL])
		return FORMAT_KEYVAL;
	if (extension)
		return strcmp(extension, ".csv") ? FORMAT_KEYVAL : FORMAT_CSV;
	return otherwise;
}

int print_settings(struct print_job *job)
{
	forget_environment();
	flag_enable();
	if (flag_apply(job->flags))
		return -1;
	if (job->flags->value[FLAG_CONFIG] && precheck_config(job->flags->value[FLAG_CONFIG]))
		return -1;
	for (int api = 0; api < API_COUNT; api++) {
		struct settings *settings = &job->settings[api];

		settings_load(settings, api);
		if (!settings->enabled)
			continue;
		settings->layout.format = print_format(job->flags, settings->layout.format);
		job->dialect = settings->layout.dialect;
		precheck_words(settings);
		if (settings->bad_config)
			return -1;
	}
	return 0;
}

/* -1 if it cannot be read, 1 for a trace. */
static int is_trace(const char *path)
{
	char magic[sizeof(TRACE_MAGIC)] = "";
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got;

	if (file < 0)
		return -1;
	got = read(file, magic, sizeof(magic));
	close(file);
	if (got < 0)
		return -1;
	return got == sizeof(magic) && !memcmp(magic, TRACE_MAGIC, sizeof(magic));
}

bool print_same_file(const char *from, const char *to)
{
	struct stat left, right;

	if (stat(from, &left) || stat(to, &right) || left.st_ino != right.st_ino ||
	    left.st_dev != right.st_dev)
		return false;
	say("%s is the file that is read", to);
	return true;
}

static bool may_write(const struct flags *flags, const char *path)
{
	struct stat status;

	return export_may_write(flags, path) || (!stat(path, &status) && !S_ISREG(status.st_mode));
}

/* Whether this process is the only one that writes there: the lock stays with the file. */
static bool is_ours(int file)
{
	struct stat status;

	if (fstat(file, &status) || !S_ISREG(status.st_mode))
		return true;
	if (flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return false;
	return !fstat(file, &status) && !status.st_size;
}

FILE *print_open(const struct flags *flags, const char *path)
{
	bool force = flags->value[FLAG_FORCE], taken = !may_write(flags, path);
	FILE *stream;
	int file = -1;

	if (!taken)
		file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (force ? O_TRUNC : 0), 0666);
	if (taken || (file >= 0 && !force && !is_ours(file))) {
		say("%s is there already; -f overwrites it", path);
		if (file >= 0)
			close(file);
		return NULL;
	}
	stream = file < 0 ? NULL : fdopen(file, "w");
	if (!stream)
		say("cannot write %s: %m", path);
	return stream;
}

static bool check_number(const struct flags *flags, enum flag_id id)
{
	const char *value = flags->value[id];

	if (!value || (*value && strlen(value) < 10 && !value[strspn(value, "0123456789")]))
		return true;
	say("--%s needs a number, not '%s'", flag_rows[id].name, value);
	return false;
}

static bool check_output(const struct flags *flags)
{
	const char *file = flags->value[FLAG_OUTPUT];
	const char *extension = file ? strrchr(file, '.') : NULL;

	if (!extension || strcmp(extension, ".cptrace"))
		return true;
	say("print does not copy traces: the name must not end in .cptrace");
	return false;
}

int print_command(const struct flags *flags)
{
	const char *path = flags->arguments[0], *output = flags->value[FLAG_OUTPUT];
	const struct view *view = output ? view_find(output) : NULL;
	int trace;

	if (flags->argument_count != 1 && !(flags->argument_count && view)) {
		say("print takes one file, or with -o several traces for a file that is no log; "
		    "see 'computeprof print --help'");
		return EXIT_TOOL_FAILED;
	}
	if (!check_number(flags, FLAG_DEVICE) || !check_number(flags, FLAG_CONTEXT) ||
	    !check_output(flags))
		return EXIT_TOOL_FAILED;
	if (view)
		return export_print(view, flags);
	trace = is_trace(path);
	if (trace < 0) {
		say("cannot read %s: %m", path);
		return EXIT_PROBLEM;
	}
	if (!trace && stream_is_database(path)) {
		say("%s is a database, not a log: 'computeprof report' prints its tables, and "
		    "'print -o' with .json or another such name makes files of it",
		    path);
		return EXIT_PROBLEM;
	}
	return trace ? print_trace(flags, path) : print_log(flags, path);
}
