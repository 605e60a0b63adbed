/* SPDX-License-Identifier: MIT */
#include "cli/tail/tail_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "base/text.h"
#include "cli/lines.h"
#include "output/logheader.h"
#include "output/trace.h"
#include "output/unescape.h"
#include "view/format/demangle.h"

enum { LINE_GUESS = 256 /* bytes of a row, about */ };

struct tail_log *tail_log_new(const char *path, bool whole)
{
	struct tail_log *log = calloc(1, sizeof(*log));

	if (log)
		log->path = strdup(path);
	if (log && log->path) {
		tail_file_init(&log->file, log->path);
		log->whole = whole;
		return log;
	}
	free(log);
	return NULL;
}

/* Resets the reader: the next line is the first one of a file. */
static void restart(struct tail_log *log)
{
	logreader_close(&log->reader);
	log->reader = (struct logreader){.line = 0};
	tail_table_free(&log->table);
	log->head.length = log->head_put = 0;
	log->begun = log->useless = log->before = false;
	log->skip = 0;
}

void tail_log_free(struct tail_log *log)
{
	restart(log);
	tail_file_close(&log->file);
	strbuf_free(&log->head);
	strbuf_free(&log->method);
	free(log->path);
	free(log);
}

bool tail_log_has_failed(const struct tail_log *log)
{
	return log->useless;
}

void tail_output_flush(struct tail_output *output)
{
	struct strbuf *text = &output->text;

	if (text->length && fwrite(text->data, 1, text->length, stdout) != text->length)
		output->failed = true;
	if (fflush(stdout))
		output->failed = true;
	text->length = 0;
}

/* Messages are printed below the lines that came before. Without a reason it is in errno. */
static void give_up(struct tail_log *log, struct tail_output *output, const char *reason)
{
	int error = errno;

	log->useless = true;
	if (log->refused)
		return;
	log->refused = true;
	tail_output_flush(output);
	if (reason)
		say("%s %s", log->path, reason);
	else
		say("cannot read %s: %s", log->path, strerror(error));
}

/* As tail(1). */
static void put_name(struct tail_log *log, struct tail_output *output)
{
	if (output->last == log)
		return;
	if (output->names) {
		strbuf_string(&output->text, output->last ? "\n==> " : "==> ");
		lines_put_in(&output->text, log->path, strlen(log->path));
		strbuf_string(&output->text, " <==\n");
		log->table.heading_due = true;
	}
	output->last = log;
}

/* A terminal must not be controlled by a file; another reader gets the bytes unchanged. */
static void put_raw(struct tail_output *output, struct log_text line)
{
	if (output->terminal)
		lines_put_in(&output->text, line.text, line.length);
	else
		strbuf_append(&output->text, line.text, line.length);
	strbuf_char(&output->text, '\n');
}

/* Puts the reader's method in `method`, unescaped. */
static void get_method(struct tail_log *log)
{
	struct log_text value;

	log->method.length = 0;
	if (logreader_value(&log->reader, "method", &value))
		unescape_name(value, &log->method);
}

static void demangle_method(struct tail_log *log)
{
	struct strbuf plain = STRBUF_INIT;

	if (demangle(&plain, strbuf_text(&log->method), log->method.length, true)) {
		log->method.length = 0;
		strbuf_append(&log->method, plain.data, plain.length);
	}
	strbuf_free(&plain);
}

static bool is_selected(struct tail_log *log, const struct tail_options *options)
{
	get_method(log);
	return name_filter_selects(&options->filter, strbuf_text(&log->method), log->method.length);
}

/* Takes a row that the reader has read from `line`. */
static void take_row(struct tail_log *log, const struct tail_options *options,
		     struct tail_output *output, struct log_text line)
{
	if (!is_selected(log, options))
		return;
	if (log->skip) {
		log->skip--;
		return;
	}
	log->before = false;
	put_name(log, output);
	if (options->raw) {
		put_raw(output, line);
		return;
	}
	if (options->demangle)
		demangle_method(log);
	tail_table_row(&log->table, &log->reader, &log->method);
}

static void take_aside(struct tail_log *log, const struct tail_options *options,
		       struct tail_output *output, struct log_text line)
{
	if (log->before)
		return;
	put_name(log, output);
	if (options->raw)
		put_raw(output, line);
	else
		tail_table_aside(&log->table, line.text, line.length);
}

static struct log_text next_line(struct log_text *rest)
{
	struct log_text line = text_cut(rest, '\n');

	if (line.length && line.text[line.length - 1] == '\r')
		line.length--;
	return line;
}

/* Takes whole lines behind the header. */
static void take_lines(struct tail_log *log, const struct tail_options *options,
		       struct tail_output *output, struct log_text lines)
{
	while (lines.length) {
		struct log_text line = next_line(&lines);

		logreader_continue(&log->reader, line.text, line.length);
		if (logreader_next(&log->reader) > 0)
			take_row(log, options, output, line);
		else
			take_aside(log, options, output, line);
	}
	tail_table_put(&log->table, &output->text, &output->form);
}

/* The heading of the table replaces the column line. */
static bool is_column_line(const struct logreader *reader, struct log_text line)
{
	size_t count;
	const struct log_text *name = logreader_columns(reader, &count);

	for (; count; count--, name++)
		if (name->text >= line.text && name->text < line.text + line.length)
			return true;
	return false;
}

/* Takes the lines of the header, up to `end`, that were not printed yet. */
static void take_head(struct tail_log *log, const struct tail_options *options,
		      struct tail_output *output, size_t end)
{
	struct log_text rest = {log->head.data + log->head_put, end - log->head_put};

	log->head_put = end;
	while (rest.length) {
		struct log_text line = next_line(&rest);

		if (options->raw || !is_column_line(&log->reader, line))
			take_aside(log, options, output, line);
	}
	tail_table_put(&log->table, &output->text, &output->form);
}

static bool is_trace(const struct tail_log *log)
{
	char start[sizeof(TRACE_MAGIC) - 1];

	return pread(log->file.fd, start, sizeof(start), 0) == (ssize_t)sizeof(start) &&
	       !memcmp(start, TRACE_MAGIC, sizeof(start));
}

/*
 * Reads on until the first row is in `head`. Returns 1 if it is, 0 if it has not come yet, -1 if
 * the file is not a log. The header is parsed again with each block, since the reader needs its
 * bytes in one place.
 */
static int read_head(struct tail_log *log)
{
	const char *lines;
	ssize_t size;

	if (!log->head.length && is_trace(log))
		return -1;
	while ((size = tail_file_lines(&log->file, &lines)) > 0) {
		strbuf_append(&log->head, lines, (size_t)size);
		logreader_close(&log->reader);
		if (logreader_open(&log->reader, log->head.data, log->head.length) &&
		    log->reader.rest.length)
			return -1;
		log->begun = log->reader.rest.length != 0;
		if (log->begun)
			return 1;
		if (log->head.failed || log->head.length > TAIL_FILE_LINE)
			return -1;
	}
	return size < 0 ? -1 : 0;
}

/* Returns the number of selected rows between the two offsets, of which `from` is a line's start
 * or, if `cut`, anywhere; then sets it to the next line's start, and `cut` to false. */
static uint64_t count_rows(struct tail_log *log, const struct tail_options *options, bool *cut,
			   uint64_t *from, uint64_t to)
{
	uint64_t rows = 0;
	const char *bytes;
	ssize_t size;

	log->file.at = *from;
	while (log->file.at < to && (size = tail_file_lines(&log->file, &bytes)) > 0) {
		struct log_text lines = {bytes, (size_t)size};

		if (*cut)
			*from += text_cut(&lines, '\n').length + 1;
		*cut = false;
		while (lines.length) {
			struct log_text line = next_line(&lines);

			logreader_continue(&log->reader, line.text, line.length);
			rows += logreader_next(&log->reader) > 0 && is_selected(log, options);
		}
	}
	return rows;
}

/*
 * Moves to the last rows of a log whose first row begins at `first`: counts those of a part at the
 * end, which grows until it has enough. Returns true if these are all rows.
 */
static bool find_last(struct tail_log *log, const struct tail_options *options, uint64_t first)
{
	struct stat status;
	uint64_t end = log->file.at, span = TAIL_FILE_BLOCK, from, rows;
	bool cut;

	if (!fstat(log->file.fd, &status) && (uint64_t)status.st_size > end)
		end = (uint64_t)status.st_size;
	if (options->last < UINT64_MAX / LINE_GUESS && options->last * LINE_GUESS > span)
		span = options->last * LINE_GUESS;
	do {
		from = end - first > span ? end - span : first;
		cut = from > first;
		rows = count_rows(log, options, &cut, &from, end);
		span = span < UINT64_MAX / 4 ? span * 4 : UINT64_MAX;
	} while ((rows < options->last || cut) && from > first);
	log->file.at = from;
	log->skip = rows > options->last ? rows - options->last : 0;
	return from == first && !log->skip;
}

/* Decides where printing begins. Returns true if it is the start of the log. */
static bool find_start(struct tail_log *log, const struct tail_options *options, uint64_t first)
{
	log->file.at = first;
	if (log->whole)
		return true;
	if (options->from) {
		log->skip = options->from - 1;
		return !log->skip;
	}
	return options->last == UINT64_MAX || find_last(log, options, first);
}

/* Takes what has come of the header. Returns true if rows follow. */
static bool begin(struct tail_log *log, const struct tail_options *options,
		  struct tail_output *output)
{
	int result = read_head(log);
	size_t end;

	if (result < 0) {
		give_up(log, output, log->head.failed ? "needs too much memory" : "is not a log");
		return false;
	}
	end = log->head.length - log->reader.rest.length;
	if (!result) {
		take_head(log, options, output, end);
		log->whole |= !options->from; /* rows that come later are new */
		return false;
	}
	tail_table_begin(&log->table, &log->reader);
	log->before = !find_start(log, options, end);
	take_head(log, options, output, end);
	return true;
}

/* Prints all lines that the open file has. */
static void take_file(struct tail_log *log, const struct tail_options *options,
		      struct tail_output *output)
{
	const char *lines;
	ssize_t size = 0;

	if (log->useless || log->file.fd < 0 || (!log->begun && !begin(log, options, output)))
		return;
	while (!output->failed && (size = tail_file_lines(&log->file, &lines)) > 0) {
		take_lines(log, options, output, (struct log_text){lines, (size_t)size});
		if (log->table.failed || output->text.failed) {
			give_up(log, output, "needs too much memory");
			return;
		}
		tail_output_flush(output);
	}
	log->before &= log->skip != 0; /* later lines are new and are printed */
	if (size < 0)
		give_up(log, output, errno == EFBIG ? "has a line that is too long" : NULL);
}

static bool is_absent(int error)
{
	return error == ENOENT || error == ENOTDIR;
}

/* errno has the reason. */
static void tell_absent(struct tail_log *log, const struct tail_options *options,
			struct tail_output *output)
{
	if (log->reported_missing)
		return;
	log->reported_missing = true;
	log->whole = true;
	if (!is_absent(errno)) {
		give_up(log, output, NULL);
	} else if (!options->follow) {
		give_up(log, output, "does not exist");
	} else {
		tail_output_flush(output);
		say("%s does not exist yet; waiting for it", log->path);
	}
}

static void tell_replaced(struct tail_log *log, struct tail_output *output)
{
	tail_output_flush(output);
	say("%s was replaced; following the new file", log->path);
	log->whole = true;
}

int tail_log_follow(struct tail_log *log, const struct tail_options *options,
		    struct tail_output *output)
{
	enum tail_change change = tail_file_check(&log->file);
	const char *reason = NULL;
	int opened = 0;

	if (change == TAIL_ABSENT)
		tell_absent(log, options, output);
	if (change != TAIL_REWRITTEN)
		take_file(log, options, output); /* of another file: the rest of the old one */
	if (change == TAIL_OTHER || change == TAIL_REWRITTEN) {
		if (log->file.fd >= 0)
			tell_replaced(log, output);
		restart(log);
		opened = !tail_file_open(&log->file, &reason);
		if (opened)
			log->refused = false;
		else if (!reason && is_absent(errno)) /* it was just removed */
			tell_absent(log, options, output);
		else
			give_up(log, output, reason);
		take_file(log, options, output);
	}
	tail_output_flush(output);
	return opened;
}
