/* SPDX-License-Identifier: MIT */
/* Converts a log to another format; the columns are kept. */
#include "cli/print/print.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/command.h"
#include "model/api.h"
#include "view/newfile.h"

enum { ENOUGH = 1 << 16 };

struct bytes {
	const void *data;
	size_t size;
};

static int map_file(const char *path, struct bytes *bytes)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	void *data = MAP_FAILED;

	*bytes = (struct bytes){.data = ""};
	if (file < 0)
		return -1;
	if (!fstat(file, &status) && S_ISREG(status.st_mode) && status.st_size) {
		data = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
		bytes->size = status.st_size;
	}
	close(file);
	if (data == MAP_FAILED)
		return bytes->size ? -1 : 0;
	bytes->data = data;
	return 0;
}

static void unmap_file(const struct bytes *bytes)
{
	union {
		const void *read;
		void *write;
	} data = {bytes->data};

	if (bytes->size)
		munmap(data.write, bytes->size);
}

static void put_line(struct strbuf *to, const char *key, const char *api, struct log_text text)
{
	strbuf_printf(to, "# %s_%s ", api, key);
	strbuf_append(to, text.text, text.length);
	strbuf_char(to, '\n');
}

static void put_csv_line(struct strbuf *to, const char *api, enum format format)
{
	if (format == FORMAT_CSV)
		strbuf_printf(to, "# %s_PROFILE_CSV 1\n", api);
}

/* Writes only header lines that the log has, except that the context line depends on the
 * dialect. */
static void put_header(struct strbuf *to, const struct print_style *style)
{
	const struct log_header *header = &style->reader->header;
	const struct api_row *row = &api_rows[header->api];
	const char *api = row->header;
	bool classic = style->dialect == DIALECT_CLASSIC;

	if (!header->api_known)
		return;
	if (header->version.length)
		put_line(to, "PROFILE_LOG_VERSION", api, header->version);
	if (classic)
		put_csv_line(to, api, style->format);
	if (header->device_known) {
		strbuf_printf(to, "# %s_DEVICE%s %u ", api,
			      classic && row->names_device ? "_NAME" : "", header->device);
		strbuf_append(to, header->device_name.text, header->device_name.length);
		strbuf_char(to, '\n');
	}
	if (!classic) {
		strbuf_printf(to, "# %s_CONTEXT %u\n", api, header->context ? header->context : 1);
		put_csv_line(to, api, style->format);
	}
	if (header->timestamp_factor_known)
		strbuf_printf(to, "# TIMESTAMPFACTOR %llx\n",
			      (unsigned long long)header->timestamp_factor);
}

/* Appends the warnings from number `from` on. Returns the number of all warnings. */
static size_t put_warnings(struct strbuf *to, const struct logreader *reader, size_t from)
{
	size_t count;
	const struct log_text *lines = logreader_warnings(reader, &count);

	for (size_t i = from; i < count; i++) {
		strbuf_append(to, lines[i].text, lines[i].length);
		strbuf_char(to, '\n');
	}
	return count;
}

/* Appends the profiler's messages at the end of the log, such as those about lost records. */
static void put_remarks(struct strbuf *to, const struct logreader *reader)
{
	size_t count;
	const struct log_text *line = logreader_remarks(reader, &count);

	for (; count; count--, line++) {
		strbuf_string(to, LOG_MESSAGE);
		strbuf_append(to, line->text, line->length);
		strbuf_char(to, '\n');
	}
}

static int write_text(const struct strbuf *text, FILE *file)
{
	return text->length && fwrite(text->data, 1, text->length, file) != text->length ? -1 : 0;
}

/* Writes the warnings from number `warnings` on, and the profiler's messages. */
static int write_end(const struct logreader *reader, size_t warnings, FILE *file)
{
	struct strbuf text = STRBUF_INIT;
	int result;

	put_warnings(&text, reader, warnings);
	put_remarks(&text, reader);
	result = text.failed ? -1 : write_text(&text, file);
	strbuf_free(&text);
	return result;
}

/* Returns -1 if the rows cannot be written, 1 if lines were damaged. */
static int put_rows(struct logreader *reader, const struct print_style *style,
		    const struct strbuf *slots, struct strbuf *to, const char *path, FILE *file)
{
	int row, damaged = 0;

	while ((row = logreader_next(reader))) {
		if (row > 0)
			print_row(to, slots, style);
		else
			say("%s: line %llu: %s", path, (unsigned long long)reader->line,
			    reader->error);
		damaged |= row < 0;
		if (to->failed)
			return -1;
		if (to->length < ENOUGH)
			continue;
		if (write_text(to, file))
			return -1;
		to->length = 0;
	}
	return write_text(to, file) ? -1 : damaged;
}

/* A log without a column line is valid if it has no rows: its program was killed early, or its
 * configuration file could not be used. */
static int put_without_columns(struct logreader *reader, const struct strbuf *text,
			       const char *path, FILE *file)
{
	int row = logreader_next(reader);

	if (write_text(text, file))
		return -1;
	say(row ? "%s has no column line" : "%s has no rows", path);
	return row ? 1 : 0;
}

static struct print_style choose_style(const struct logreader *reader, const struct flags *flags)
{
	enum format format = reader->header.csv ? FORMAT_CSV : FORMAT_KEYVAL;
	struct print_style style = {.reader = reader, .format = print_format(flags, format)};
	const char *dialect = flags->value[FLAG_DIALECT];

	style.own = reader->header.context ? DIALECT_CUDA4 : DIALECT_CLASSIC;
	style.dialect = style.own;
	if (dialect)
		style.dialect = strcmp(dialect, "cuda4") ? DIALECT_CLASSIC : DIALECT_CUDA4;
	return style;
}

static void say_sentence(const struct logreader *reader,
			 void (*put)(const struct logreader *reader, struct strbuf *to),
			 const char *path)
{
	struct strbuf text = STRBUF_INIT;

	put(reader, &text);
	if (text.length)
		say("%s: %s", path, strbuf_text(&text));
	strbuf_free(&text);
}

static int convert(struct logreader *reader, const struct flags *flags, FILE *file)
{
	struct print_style style = choose_style(reader, flags);
	struct strbuf slots = STRBUF_INIT, text = STRBUF_INIT;
	const char *path = flags->arguments[0];
	size_t at = 0, warnings;
	int result = 1;

	style.at = &at;
	print_slots(&slots, &style);
	warnings = put_warnings(&text, reader, 0);
	put_header(&text, &style);
	print_columns(&text, &slots);
	if (slots.failed || text.failed) {
		say("%s: out of memory", path);
	} else if (slots.length) {
		result = put_rows(reader, &style, &slots, &text, path, file);
	} else {
		result = put_without_columns(reader, &text, path, file);
	}
	if (result >= 0 && write_end(reader, warnings, file))
		result = -1;
	say_sentence(reader, logreader_put_repeated, path);
	say_sentence(reader, logreader_put_joined, path);
	if (reader->left_out)
		say("%s: %llu %s left out", path, (unsigned long long)reader->left_out,
		    reader->left_out == 1 ? "line of warnings is" : "lines of warnings are");
	strbuf_free(&slots);
	strbuf_free(&text);
	return result;
}

/* The log stays mapped while it is read: it must not be truncated. */
static int print_to_file(struct logreader *reader, const struct flags *flags, const char *path)
{
	const char *name = flags->value[FLAG_OUTPUT];
	struct print_output output;
	int result;

	if (print_same_file(path, name) || print_open(&output, flags, name))
		return -1;
	result = convert(reader, flags, output.file);
	return print_close(&output, result < 0) ? -1 : result;
}

static int print_reader(struct logreader *reader, const struct flags *flags, const char *path)
{
	int result;

	if (flags->value[FLAG_OUTPUT])
		return print_to_file(reader, flags, path) ? EXIT_PROBLEM : EXIT_DONE;
	result = convert(reader, flags, stdout);
	if (result < 0 && !ferror(stdout)) /* main reports an error of stdout */
		say("cannot write the log: %m");
	return result ? EXIT_PROBLEM : EXIT_DONE;
}

/* Options that select columns, devices or contexts are refused: a log has its own. */
static int check_flags(const struct flags *flags, const char *path)
{
	static const enum flag_id for_traces[] = {FLAG_CONFIG,
#define API(id, ...) FLAG_##id,
#include "model/api.def"
#undef API
						  FLAG_DEVICE, FLAG_CONTEXT};

	for (size_t i = 0; i < sizeof(for_traces) / sizeof(for_traces[0]); i++) {
		if (!flags->value[for_traces[i]])
			continue;
		say("--%s is for traces, and %s is not a "
		    "trace", flag_rows[for_traces[i]].name, path);
		return -1;
	}
	return 0;
}

static int print_bytes(const struct bytes *bytes, const struct flags *flags, const char *path)
{
	struct logreader reader;
	int result = EXIT_PROBLEM;

	if (logreader_open(&reader, bytes->data, bytes->size))
		say("%s: %s", path, reader.error);
	else if (reader.header.of_calls)
		say("%s is an API log, with a row for each call; 'computeprof tail' shows it, and "
		    "print makes tables and other files of traces",
		    path);
	else
		result = print_reader(&reader, flags, path);
	logreader_close(&reader);
	return result;
}

static sigjmp_buf shortened;

static void leave_reading(int number)
{
	siglongjmp(shortened, number);
}

/* Access beyond the end of a truncated mapped file raises SIGBUS. */
static int print_mapped(const struct bytes *bytes, const struct flags *flags, const char *path)
{
	const struct sigaction leave = {.sa_handler = leave_reading};
	struct sigaction before;
	volatile int result = EXIT_PROBLEM;

	sigaction(SIGBUS, &leave, &before);
	if (sigsetjmp(shortened, 1)) {
		say("%s was truncated while it was read", path);
		newfile_drop();
	} else {
		result = print_bytes(bytes, flags, path);
	}
	sigaction(SIGBUS, &before, NULL);
	return result;
}

int print_log(const struct flags *flags, const char *path)
{
	struct bytes bytes;
	int result;

	if (check_flags(flags, path))
		return EXIT_TOOL_FAILED;
	if (map_file(path, &bytes)) {
		say("cannot read %s: %m", path);
		return EXIT_PROBLEM;
	}
	result = print_mapped(&bytes, flags, path);
	unmap_file(&bytes);
	return result;
}
