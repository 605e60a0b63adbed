/* SPDX-License-Identifier: MIT */
/* One file made of one trace. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/command.h"
#include "cli/export.h"
#include "cli/lines.h"
#include "cli/print.h"
#include "settings/filename.h"

void export_files(struct strbuf *to,
		  void (*add)(struct strbuf *to, const char *extension, const char *help))
{
	for (const struct file_row *row = file_rows; row->extension; row++)
		add(to, row->extension, row->help);
	for (int i = 0; views[i]; i++)
		add(to, views[i]->extension, views[i]->help);
}

bool export_may_write(const struct flags *flags, const char *path)
{
	struct stat status;

	return flags->value[FLAG_FORCE] || lstat(path, &status) ||
	       (S_ISREG(status.st_mode) && !status.st_size);
}

bool export_is_empty(const char *trace)
{
	struct stat status;

	return !lstat(trace, &status) && S_ISREG(status.st_mode) && !status.st_size;
}

void export_say_none(const struct exports *run, const char *why)
{
	say("there is no %s: %s; TMPDIR=DIRECTORY names another place for it",
	    run->view ? "output" : "table", why);
}

bool export_is_growing(const char *trace)
{
	int fd = open(trace, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool written = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;

	if (fd >= 0)
		close(fd);
	return written;
}

static void say_remarks(const struct stream *stream, const char *path)
{
	struct strbuf remarks = STRBUF_INIT;
	const char *at, *line;
	size_t length;

	stream_remarks(stream, &remarks);
	at = strbuf_text(&remarks);
	while ((line = lines_next(&at, &length)))
		say("%s: %.*s", path, (int)length, line);
	strbuf_free(&remarks);
}

static void say_losses(const struct stream *stream, const char *path)
{
	say_remarks(stream, path);
	if (stream_is_cut_off(stream))
		say("%s: the program ended in the middle of its last record", path);
	if (stream_lost(stream))
		say("%s: %llu records, calls or other events are missing", path,
		    (unsigned long long)stream_lost(stream));
}

/* The catalog has its process only once the first record came, or the end. */
uint32_t export_pid(const char *path)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(path, &error);
	const struct record *record;
	uint32_t pid = 0;

	if (stream && stream_next(stream, &record, &error) >= 0)
		pid = stream_catalog(stream)->process.pid;
	stream_close(stream);
	strbuf_free(&error);
	return pid;
}

int export_write(const struct view *view, const char *from, const char *to)
{
	struct strbuf error = STRBUF_INIT;
	struct stream *stream = stream_open(from, &error);
	int result = stream ? view_write(view, to, stream, &error) : -1;

	if (result)
		say("%s", strbuf_text(&error));
	else
		say_losses(stream, from);
	if (result >= 0 && stream_left_out(stream))
		say("%s: not in %s: %s", from, to, stream_left_out(stream));
	stream_close(stream);
	strbuf_free(&error);
	return result;
}

int export_print(const struct view *view, const struct flags *flags, const char *path)
{
	static const enum flag_id of_logs[] = {FLAG_CSV,    FLAG_KEYVAL, FLAG_CONFIG, FLAG_DIALECT,
					       FLAG_OPENCL, FLAG_CUDA,	 FLAG_DEVICE, FLAG_CONTEXT};
	struct strbuf target = STRBUF_INIT;
	int result = EXIT_PROBLEM;

	for (size_t i = 0; i < sizeof(of_logs) / sizeof(of_logs[0]); i++) {
		if (!flags->value[of_logs[i]])
			continue;
		say("--%s is for logs, not for a file that ends in %s",
		    flag_rows[of_logs[i]].name, view->extension);
		return EXIT_TOOL_FAILED;
	}
	filename_expand(&target, flags->value[FLAG_OUTPUT], 0, export_pid(path));
	if (print_same_file(path, strbuf_text(&target)))
		goto out;
	if (!export_may_write(flags, strbuf_text(&target))) {
		say("%s is there already; -f overwrites it", strbuf_text(&target));
		goto out;
	}
	if (export_write(view, path, strbuf_text(&target)))
		goto out;
	say("output: %s", strbuf_text(&target));
	result = EXIT_DONE;
out:
	strbuf_free(&target);
	return result;
}
