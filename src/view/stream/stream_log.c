/* SPDX-License-Identifier: MIT */
/* Reads the rows of a log as records, in either dialect and format, also NVIDIA's own logs. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/api.h"
#include "output/unescape.h"
#include "view/stream/logrecord.h"
#include "view/stream/streamops.h"

enum {
	CHUNK = 1 << 20,      /* bytes read at once */
	LINE_LIMIT = 1 << 24, /* bytes of a line; longer ones are errors */
	REMARKS = 100,	      /* stored remarks, */
	REMARK = 1 << 10      /* and bytes of each */
};

/* Bytes of the file: whole lines, followed by the start of one. */
struct block {
	char *bytes;
	size_t whole, have, room;
};

/* The file is read, not mapped, since its owner may truncate it at any moment. */
struct log_stream {
	struct catalog catalog;
	struct logreader reader;
	struct logrecord state;
	struct record record;
	int fd;
	char *path;
	struct block head; /* the header, the column line and the first rows, kept until the end */
	struct block body; /* later rows */
	uint64_t damaged;  /* number of invalid lines */
	uint64_t line;	   /* number of the first one, */
	const char *wrong; /* its error, */
	bool told;	   /* and whether it was reported */
	int unread;	   /* errno of a read error in the rest */
	bool no_end;	   /* the last line has no newline */
	bool no_gputime;   /* the log has no such column */
	bool no_callers;   /* nor one of callers */
	bool waits;	   /* the last row that was read is returned next */
	struct strbuf said;
	uint64_t said_count;
};

static const char no_starts[] =
	"the log has no column gpustarttimestamp, so start times and the time in which "
	"nothing ran are unknown; computeprof -c timeline adds the column";
static const char no_directions[] =
	"the log has no column memtransferdir, so copies of all directions are counted together; "
	"computeprof -c memory adds the column";
static const char other_directions[] =
	"copies without a value in memtransferdir are counted together";
static const char no_gputime[] =
	"the log has no column gputime, which every complete log has";
static const char no_api[] = "the log does not name its API; CUDA is assumed";

static int make_room(struct block *block)
{
	size_t room = block->room ? 2 * block->room : CHUNK;
	char *bytes;

	if (block->have < block->room)
		return 0;
	if (block->room >= LINE_LIMIT)
		return -1;
	bytes = realloc(block->bytes, room);
	if (!bytes)
		return -1;
	block->bytes = bytes;
	block->room = room;
	return 0;
}

static ssize_t read_some(int fd, struct block *block)
{
	ssize_t got;

	do
		got = read(fd, block->bytes + block->have, block->room - block->have);
	while (got < 0 && errno == EINTR);
	return got;
}

/* Reads until a line or the file ends. Returns -1 with errno. */
static int read_lines(struct log_stream *log, struct block *block)
{
	size_t seen = block->have;

	for (;;) {
		const char *end;
		ssize_t got;

		errno = EFBIG;
		if (make_room(block))
			return -1;
		got = read_some(log->fd, block);
		if (got < 0)
			return -1;
		block->have += (size_t)got;
		block->whole = block->have;
		if (!got) {
			log->no_end = block->have && block->bytes[block->have - 1] != '\n';
			return 0;
		}
		end = memrchr(block->bytes + seen, '\n', block->have - seen);
		if (end) {
			block->whole = (size_t)(end - block->bytes) + 1;
			return 0;
		}
		seen = block->have;
	}
}

/* Stores messages of lines that are not rows. */
static void keep(struct log_stream *log, const struct log_text *line, size_t count)
{
	for (; count; count--, line++) {
		bool stop = line->length && line->text[line->length - 1] == '.';
		size_t length = line->length - stop;
		bool is_long = length > REMARK;

		if (log->said_count++ >= REMARKS)
			continue;
		strbuf_string(&log->said, "the log says: ");
		strbuf_append(&log->said, line->text, is_long ? REMARK : length);
		strbuf_string(&log->said, is_long ? "...\n" : "\n");
	}
}

static void keep_asides(struct log_stream *log)
{
	size_t count;
	const struct log_text *line = logreader_warnings(&log->reader, &count);

	keep(log, line, count);
	line = logreader_remarks(&log->reader, &count);
	keep(log, line, count);
}

/* Returns 1 if there are more lines, 0 at the end of the file, -1 with errno. */
static int go_on(struct log_stream *log)
{
	struct block *body = &log->body;
	const struct block *last = body->bytes ? body : &log->head;
	size_t left = last->have - last->whole;

	keep_asides(log);
	if (last == body) {
		memmove(body->bytes, body->bytes + body->whole, left);
	} else {
		*body = (struct block){.bytes = malloc(last->room), .room = last->room};
		if (!body->bytes)
			return -1;
		memcpy(body->bytes, last->bytes + last->whole, left);
	}
	body->have = left;
	if (read_lines(log, body))
		return -1;
	logreader_continue(&log->reader, body->bytes, body->whole);
	return body->whole > 0;
}

static void note_damage(struct log_stream *log, const char *wrong)
{
	if (log->damaged++)
		return;
	log->line = log->reader.line;
	log->wrong = wrong;
}

/* Returns true if the row, in CSV, is a last line without a newline: it may be incomplete. */
static bool is_cut(const struct log_stream *log)
{
	const struct block *block = log->body.bytes ? &log->body : &log->head;
	const struct log_field *field;
	const char *at;
	size_t count;

	if (!log->no_end || !log->reader.header.csv)
		return false;
	field = logreader_fields(&log->reader, &count);
	if (!count)
		return true;
	at = field[count - 1].value.text;
	return !memchr(at, '\n', (size_t)(block->bytes + block->have - at));
}

/* As logreader_next, over the whole file; invalid lines are counted. Returns -1 with errno. */
static int next_row(struct log_stream *log)
{
	int result;

	for (;;) {
		result = logreader_next(&log->reader);
		if (result > 0 && !is_cut(log))
			return 1;
		if (result) {
			note_damage(log, result > 0 ? "it is incomplete" : log->reader.error);
			continue;
		}
		result = go_on(log);
		if (result <= 0)
			return result;
	}
}

/* Appends a message for errno. */
static void tell_unread(const struct log_stream *log, struct strbuf *error)
{
	if (errno == EFBIG)
		strbuf_printf(error, "%s has a line of more than %d bytes and is not a log",
			      log->path, LINE_LIMIT);
	else
		strbuf_printf(error, "cannot read %s: %s", log->path, strerror(errno));
}

static int tell_end(struct log_stream *log, int result, struct strbuf *error)
{
	if (result < 0) {
		log->unread = errno;
		tell_unread(log, error);
		return -1;
	}
	if (!log->damaged || log->told)
		return 0;
	log->told = true;
	strbuf_printf(error, "%s: line %llu is left out: %s", log->path,
		      (unsigned long long)log->line, log->wrong);
	if (log->damaged > 1)
		strbuf_printf(error, "; %llu more line%s left out",
			      (unsigned long long)(log->damaged - 1),
			      log->damaged > 2 ? "s are" : " is");
	return -1;
}

static int next_record(void *reader, const struct record **record, struct strbuf *error)
{
	struct log_stream *log = reader;
	const char *wrong;

	for (;;) {
		int result = log->waits ? 1 : next_row(log);

		log->waits = false;
		if (result <= 0)
			return tell_end(log, result, error);
		if (!logrecord_read(&log->state, &log->reader, log->catalog.names, &log->record,
				    &wrong))
			break;
		note_damage(log, wrong);
	}
	*record = &log->record;
	return 1;
}

static int next_frame(void *reader, const struct frame **frame, struct strbuf *error)
{
	const struct record *record;
	int result = next_record(reader, &record, error);

	if (result > 0)
		*frame = &record->frame;
	return result;
}

/* A classic log has the records of one device and does not identify contexts. */
static int fill_catalog(struct log_stream *log)
{
	const struct log_header *header = &log->reader.header;
	struct device device = {.api = header->api_known ? header->api : API_ASSUMED,
				.number = header->device};
	struct context context = {.api = device.api, .index = header->context - 1};
	struct strbuf name = STRBUF_INIT;
	int result;

	if (header->device_name.length)
		unescape_name(header->device_name, &name);
	else
		strbuf_string(&name, "unknown device");
	device.name = strbuf_text(&name);
	result = catalog_add_device(&log->catalog, &device);
	strbuf_free(&name);
	if (result < 0 || !header->context)
		return result;
	return catalog_add_context(&log->catalog, &context);
}

static void close_log(void *reader)
{
	struct log_stream *log = reader;

	if (log->fd >= 0)
		close(log->fd);
	logreader_close(&log->reader);
	logrecord_free(&log->state);
	catalog_free(&log->catalog);
	strbuf_free(&log->said);
	free(log->head.bytes);
	free(log->body.bytes);
	free(log->path);
	free(log);
}

/* The clock offset is in the header. The log does not have the start of the program: it is assumed
 * to be the first row's start minus its timestamp. */
static void set_clock(struct log_stream *log)
{
	const struct log_header *header = &log->reader.header;
	struct process *process = &log->catalog.process;
	uint64_t moment;

	if (!log->waits || !logrecord_start(&log->reader, &moment))
		return;
	if (header->timestamp_factor_known && header->timestamp_factor <= moment)
		process->monotonic_to_epoch = (int64_t)header->timestamp_factor;
	process->started = moment - (uint64_t)process->monotonic_to_epoch;
}

/* Reads to the first row, which defines the columns if there is no column line. */
static int begin(struct log_stream *log, struct strbuf *error)
{
	if (log->fd < 0 || read_lines(log, &log->head)) {
		tell_unread(log, error);
		return -1;
	}
	if (logreader_open(&log->reader, log->head.bytes, log->head.whole)) {
		strbuf_printf(error, "%s is not a trace, database or log", log->path);
		return -1;
	}
	if (log->reader.header.of_calls) {
		strbuf_printf(error, "%s is an API log, which has no kernels, copies or fills; "
				     "'computeprof tail' shows it", log->path);
		return -1;
	}
	log->waits = next_row(log) > 0;
	set_clock(log);
	log->state.no_starts = !logrecord_has(&log->reader, COLUMN_ID_GPU_START);
	log->no_gputime = !logrecord_has(&log->reader, COLUMN_ID_GPU);
	log->no_callers = !logrecord_has(&log->reader, COLUMN_ID_CALLER);
	return fill_catalog(log) < 0 ? -1 : 0;
}

static void *open_log(const char *path, struct strbuf *error)
{
	struct log_stream *log = calloc(1, sizeof(*log));

	if (!log || catalog_init(&log->catalog)) {
		strbuf_string(error, "out of memory");
		free(log);
		return NULL;
	}
	log->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	log->path = strdup(path);
	if (log->path && !begin(log, error))
		return log;
	if (!error->length)
		strbuf_string(error, "out of memory");
	close_log(log);
	return NULL;
}

static const struct catalog *catalog_of(const void *reader)
{
	return &((const struct log_stream *)reader)->catalog;
}

static uint64_t lost_of(const void *reader)
{
	return ((const struct log_stream *)reader)->damaged;
}

/* The reason is that of stream_error. */
static enum trace_cut cut_of(const void *reader)
{
	return ((const struct log_stream *)reader)->unread ? TRACE_CUT_IN_FRAME : TRACE_WHOLE;
}

static int error_of(const void *reader)
{
	return ((const struct log_stream *)reader)->unread;
}

static bool has_uncounted_losses(const void *reader)
{
	return ((const struct log_stream *)reader)->reader.tells_no_number;
}

static bool has_gaps(const void *reader)
{
	return ((const struct log_stream *)reader)->reader.limited;
}

static uint64_t remarked_lost_of(const void *reader)
{
	const struct logreader *log = &((const struct log_stream *)reader)->reader;

	return log->tells_no_number ? 0 : log->remarked_lost;
}

static const char *no_starts_of(const void *reader)
{
	return ((const struct log_stream *)reader)->state.no_starts ? no_starts : NULL;
}

static void put_sentence(const struct logreader *reader,
			 void (*put)(const struct logreader *reader, struct strbuf *to),
			 struct strbuf *to)
{
	size_t before = to->length;

	put(reader, to);
	if (to->length > before)
		strbuf_char(to, '\n');
}

static void put_remarks(const void *reader, struct strbuf *to)
{
	const struct log_stream *log = reader;
	uint64_t left_out = log->reader.left_out +
			    (log->said_count > REMARKS ? log->said_count - REMARKS : 0);

	strbuf_append(to, log->said.data, log->said.length);
	if (left_out)
		strbuf_printf(to, "%llu more line%s of messages in the log %s left out here\n",
			      (unsigned long long)left_out, left_out == 1 ? "" : "s",
			      left_out == 1 ? "is" : "are");
	put_sentence(&log->reader, logreader_put_repeated, to);
	put_sentence(&log->reader, logreader_put_joined, to);
	if (!log->reader.header.api_known && log->state.rows)
		strbuf_printf(to, "%s\n", no_api);
	if (log->state.copies_without_direction)
		strbuf_printf(to, "%s\n",
			      logrecord_has(&log->reader, COLUMN_ID_DIRECTION) ? other_directions
									     : no_directions);
	if (log->state.rows && log->no_gputime)
		strbuf_printf(to, "%s\n", no_gputime);
}

static bool lacks_events(const void *reader)
{
	(void)reader;
	return true;
}

static bool lacks_counters(const void *reader)
{
	return ((const struct log_stream *)reader)->state.has_others;
}

static void caller_of(const void *reader, struct log_text *caller)
{
	const struct log_stream *log = reader;
	const char *name = columns[COLUMN_ID_CALLER].header[TERMS_BLOCKS];

	*caller = (struct log_text){log->no_callers ? NULL : "", 0};
	if (!log->no_callers)
		logreader_value(&log->reader, name, caller);
}

const struct stream_ops stream_log = {
	.open = open_log,
	.close = close_log,
	.next = next_record,
	.next_frame = next_frame,
	.catalog = catalog_of,
	.lost = lost_of,
	.cut = cut_of,
	.error = error_of,
	.has_gaps = has_gaps,
	.has_uncounted_losses = has_uncounted_losses,
	.remarked_lost = remarked_lost_of,
	.lacks_events = lacks_events,
	.lacks_counters = lacks_counters,
	.caller = caller_of,
	.skips_damage = true,
	.no_starts = no_starts_of,
	.remarks = put_remarks,
};
