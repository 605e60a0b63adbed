/* SPDX-License-Identifier: MIT */
/* Reads the format and the output file from the options. */
#include "cli/print/print.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/file_kind.h"
#include "cli/print/export.h"
#include "cli/run/precheck.h"
#include "settings/config.h"
#include "settings/environ.h"
#include "view/newfile.h"
#include "view/temp_cleanup.h"

/* Only options of the command line count: the environment variables are for the programs to run. */
static void forget_environment(void)
{
	for (unsigned int i = 0; i < ENVIRON_COUNT * ENVIRON_FAMILIES; i++) {
		const struct environ_row *row = &environ_rows[i / ENVIRON_FAMILIES];
		char name[64];

		snprintf(name, sizeof(name), "%s%s", environ_prefix(row, i % ENVIRON_FAMILIES),
			 row->suffix);
		unsetenv(name);
	}
}

enum format print_format(const struct flags *flags, enum format otherwise)
{
	const char *file = flags->value[FLAG_OUTPUT];
	struct file_kind kind;

	if (flags->value[FLAG_CSV])
		return FORMAT_CSV;
	if (flags->value[FLAG_KEYVAL])
		return FORMAT_KEYVAL;
	if (file_kind_of(file, &kind) && kind.format != FORMAT_COUNT)
		return kind.format;
	return file && strchr(file, '.') ? FORMAT_KEYVAL : otherwise;
}

static void add_item(struct strbuf *to, bool given, const char *item)
{
	if (given)
		strbuf_printf(to, "%s%s", to->length ? ", " : "", item);
}

/* Reports settings of the configuration file that are for programs to run. The file is read alone:
 * -o sets the name of the log, too. */
static void say_unused(const char *config, enum api api)
{
	struct settings settings = {.layout.api = api, .only_looked_at = true};
	struct strbuf text = STRBUF_INIT;
	bool limits;

	say_mute(true);
	config_load(&settings, config);
	say_mute(false);
	limits = settings.record_limit || settings.byte_limit;
	add_item(&text, settings.log, "the name of the log");
	add_item(&text, settings.trace, "the name of the trace");
	add_item(&text, settings.api_log, "the name of the API log");
	add_item(&text, settings.events, "the name of the event stream");
	add_item(&text, limits, "the limits");
	if (text.length)
		say_new("%.300s: print does not apply %s%s", config, strbuf_text(&text),
			limits ? "; all records are printed" : "");
	strbuf_free(&text);
	settings_free(&settings);
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

		settings_look(settings, api);
		if (!settings->enabled)
			continue;
		settings->layout.format = print_format(job->flags, settings->layout.format);
		job->dialect = settings->layout.dialect;
		precheck_words(settings);
		if (settings->bad_config)
			return -1;
		if (settings->config)
			say_unused(settings->config, api);
	}
	return 0;
}

bool print_same_file(const char *from, const char *to)
{
	struct stat left, right;

	if (stat(from, &left) || stat(to, &right) || left.st_ino != right.st_ino ||
	    left.st_dev != right.st_dev)
		return false;
	say("%s is the input file", to);
	return true;
}

static bool may_write(const struct flags *flags, const char *path)
{
	struct stat status;

	return export_may_write(flags, NULL, path) ||
	       (!stat(path, &status) && !S_ISREG(status.st_mode));
}

/* Returns true if no other process writes to the file; the lock is kept until the file is
 * closed. */
static bool is_ours(int file)
{
	struct stat status;

	if (fstat(file, &status) || !S_ISREG(status.st_mode))
		return true;
	if (flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return false;
	return !fstat(file, &status) && !status.st_size;
}

/* Opens a file that is not regular, such as /dev/stdout. If it is a link, its target may be a
 * regular file. */
static int open_in_place(const char *path, bool force)
{
	int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (force ? O_TRUNC : 0), 0666);

	if (file < 0 || force || is_ours(file))
		return file;
	close(file);
	errno = EEXIST;
	return -1;
}

static int open_new(const char *path)
{
	int file = newfile_begin(path) ? -1 : open(newfile_name(), O_WRONLY | O_CLOEXEC), error;

	if (file >= 0)
		return file;
	error = errno;
	newfile_drop();
	errno = error;
	return -1;
}

static void say_unwritten(const char *path, int error)
{
	if (error == EEXIST)
		say("%s exists; use -f to overwrite it", path);
	else
		say("cannot write %s: %s", path, strerror(error));
}

int print_open(struct print_output *output, const struct flags *flags, const char *path)
{
	bool force = flags->value[FLAG_FORCE];
	struct stat status;
	int file = -1;

	*output = (struct print_output){.path = path, .force = force};
	output->renamed = lstat(path, &status) || S_ISREG(status.st_mode);
	temp_cleanup_begin();
	if (!may_write(flags, path))
		errno = EEXIST;
	else
		file = output->renamed ? open_new(path) : open_in_place(path, force);
	output->file = file < 0 ? NULL : fdopen(file, "w");
	if (output->file)
		return 0;
	say_unwritten(path, errno);
	temp_cleanup_end();
	return -1;
}

int print_close(struct print_output *output, bool failed)
{
	int error = errno;

	if (fclose(output->file) && !failed) {
		error = errno;
		failed = true;
	}
	if (!failed && output->renamed && newfile_put(output->path, output->force, 0)) {
		error = errno;
		failed = true;
	}
	if (failed && output->renamed)
		newfile_drop();
	temp_cleanup_end();
	if (failed)
		say_unwritten(output->path, error);
	return failed ? -1 : 0;
}
