/* SPDX-License-Identifier: MIT */
/* A log in another format, with the columns that it has. */
#include "cli/print.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/command.h"

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

/* Only what the log itself said; a context line is what tells the dialects apart. */
static void put_header(struct strbuf *to, const struct log_header *header, enum format format)
{
	const char *api = header->api == API_CUDA ? "CUDA" : "OPENCL";
	bool classic = !header->context;

	if (!header->api_known)
		return;
	if (header->version.length)
		put_line(to, "PROFILE_LOG_VERSION", api, header->version);
	if (classic)
		put_csv_line(to, api, format);
	if (header->device_known) {
		strbuf_printf(to, "# %s_DEVICE%s %u ", api,
			      classic && header->api == API_CUDA ? "_NAME" : "", header->device);
		strbuf_append(to, header->device_name.text, header->device_name.length);
		strbuf_char(to, '\n');
	}
	if (!classic) {
		strbuf_printf(to, "# %s_CONTEXT %u\n", api, header->context);
		put_csv_line(to, api, format);
	}
	if (header->timestamp_factor_known)
		strbuf_printf(to, "# TIMESTAMPFACTOR %llx\n",
			      (unsigned long long)header->timestamp_factor);
}

static void put_warnings(struct strbuf *to, const struct logreader *reader)
{
	size_t count;
	const struct log_text *line = logreader_warnings(reader, &count);

	for (; count; count--, line++) {
		strbuf_append(to, line->text, line->length);
		strbuf_char(to, '\n');
	}
}

/* -1 when it cannot be written; 1 when lines were damaged. */
static int put_rows(struct logreader *reader, const struct strbuf *slots, struct strbuf *to,
		    enum format format, const char *path, FILE *file)
{
	int row, damaged = 0;

	while ((row = logreader_next(reader))) {
		if (row > 0)
			print_row(to, slots, reader, format);
		else
			say("%s: line %llu: %s", path, (unsigned long long)reader->line,
			    reader->error);
		damaged |= row < 0;
		if (to->failed)
			return -1;
		if (to->length < ENOUGH)
			continue;
		if (fwrite(to->data, 1, to->length, file) != to->length)
			return -1;
		to->length = 0;
	}
	if (to->length && fwrite(to->data, 1, to->length, file) != to->length)
		return -1;
	return damaged;
}

static int convert(struct logreader *reader, const struct flags *flags, FILE *file)
{
	enum format own = reader->header.csv ? FORMAT_CSV : FORMAT_KEYVAL;
	enum format format = print_format(flags, own);
	struct strbuf slots = STRBUF_INIT, text = STRBUF_INIT;
	const char *path = flags->arguments[0];
	int result = 1;

	print_slots(&slots, reader);
	put_warnings(&text, reader);
	put_header(&text, &reader->header, format);
	print_columns(&text, &slots);
	if (slots.length) {
		result = put_rows(reader, &slots, &text, format, path, file);
	} else {
		fwrite(strbuf_text(&text), 1, text.length, file);
		say("%s has no column line", path);
	}
	strbuf_free(&slots);
	strbuf_free(&text);
	return result;
}

/* The log stays mapped while it is read: it must not be truncated. */
static int open_output(const struct flags *flags, const char *path, FILE **file)
{
	const char *name = flags->value[FLAG_OUTPUT];
	struct stat from, to;

	*file = stdout;
	if (!name)
		return 0;
	if (!stat(path, &from) && !stat(name, &to) && from.st_ino == to.st_ino &&
	    from.st_dev == to.st_dev) {
		say("%s is the file that is read", name);
		return -1;
	}
	*file = fopen(name, "we");
	if (!*file)
		say("cannot write %s: %m", name);
	return *file ? 0 : -1;
}

static int print_reader(struct logreader *reader, const struct flags *flags, const char *path)
{
	FILE *file;
	int result;

	if (open_output(flags, path, &file))
		return EXIT_PROBLEM;
	result = convert(reader, flags, file);
	if (file != stdout && fclose(file))
		result = -1;
	if (result < 0)
		say("cannot write the log: %m");
	return result ? EXIT_PROBLEM : EXIT_DONE;
}

int print_log(const struct flags *flags, const char *path)
{
	struct logreader reader;
	struct bytes bytes;
	int result = EXIT_PROBLEM;

	if (map_file(path, &bytes)) {
		say("cannot read %s: %m", path);
		return EXIT_PROBLEM;
	}
	if (logreader_open(&reader, bytes.data, bytes.size))
		say("%s: %s", path, reader.error);
	else
		result = print_reader(&reader, flags, path);
	logreader_close(&reader);
	unmap_file(&bytes);
	return result;
}
