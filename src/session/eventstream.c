/* SPDX-License-Identifier: MIT */
#include "session/eventstream.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/say.h"
#include "output/eventline.h"
#include "session/eventfile.h"
#include "session/manifest.h"
#include "session/tell.h"
#include "settings/filename.h"

enum {
	MOST = 1 << 22,	      /* bytes that wait for the reader */
	AT_ONCE = 1 << 16,    /* bytes that are written before the round ends */
	RETRY = 100000000,    /* ns until a reader that was not there is looked for again, */
	SLOW = 1000000,	      /* and until a slow one gets more in the same round */
	LAST_PAUSE = 1000000, /* ns between the last writes */
	LAST_IDLE = 200,      /* how many of them may write nothing, */
	LAST_WRITES = 1000,   /* and how many there are at most: */
	END_WRITES = 200,     /* of these, for LOST and END, if the rest does not fit */
};

struct eventstream {
	struct strbuf waiting; /* lines after those of the job */
	uint64_t lost;	       /* lines that did not fit, or that the reader did not get */
	uint64_t lost_written; /* of these, in LOST lines */
	uint64_t lost_reported; /* and in messages */
	uint64_t tried; /* CLOCK_MONOTONIC ns of the last write, if it has left something, or 0 */
	bool failed;	/* nothing can be written */
	bool listed;	/* for the tool */
	bool is_late;	/* the reader was too slow at the end */
	int printed_error;
	struct eventfile_job write;
};

static void prepare(struct eventstream *stream, const struct settings *settings)
{
	struct strbuf path = STRBUF_INIT;

	stream->write.pid = globals.catalog.process.pid;
	stream->write.file = LINEFILE_CLOSED;
	stream->write.tagged = globals.forked && !filename_has(settings->events, 'p');
	filename_expand(&path, settings->events, 0, stream->write.pid);
	eventline_process(&stream->write.hello, &globals.catalog);
	stream->failed = path.failed || stream->write.hello.failed || path.length >= EVENTFILE_PATH;
	if (path.failed || stream->write.hello.failed)
		say_no_memory();
	else if (stream->failed)
		say("the name of the event stream is too long: %.200s", strbuf_text(&path));
	else
		strcpy(stream->write.path, strbuf_text(&path));
	strbuf_free(&path);
}

/* Returns the stream, made at the first use; NULL if there can be none. */
static struct eventstream *stream_of(struct session *session, const struct settings *settings)
{
	if (!session->eventstream) {
		session->eventstream = memory_map(sizeof(*session->eventstream));
		if (!session->eventstream)
			return NULL;
		prepare(session->eventstream, settings);
	}
	return session->eventstream->failed ? NULL : session->eventstream;
}

/* Bytes that wait. */
static size_t left(const struct eventstream *stream)
{
	return stream->write.text.length - stream->write.done + stream->waiting.length;
}

/* Gives the lines that wait to the job, if it has none. */
static void refill(struct eventstream *stream)
{
	struct strbuf empty = stream->write.text;

	if (stream->write.done < empty.length)
		return;
	empty.length = 0;
	stream->write.text = stream->waiting;
	stream->write.done = 0;
	stream->waiting = empty;
}

/* For an error of a reader there is no message of its own: the missing lines are reported. */
static void take_error(struct eventstream *stream)
{
	const struct eventfile_job *write = &stream->write;
	int error = write->error;

	if (!write->opened && !eventfile_may_open_later(error)) {
		stream->failed = true;
		tell("cannot write the event stream %s: %s; the program runs without it",
		     write->path, file_reason(error));
	} else if (write->last == EVENTFILE_REGULAR && error != EAGAIN &&
		   stream->printed_error != error) {
		stream->printed_error = error;
		say("cannot write the event stream %s: %s; it is tried again", write->used,
		    file_reason(error));
	}
}

/* Takes the results of a write. */
static void take_results(struct eventstream *stream)
{
	struct eventfile_job *write = &stream->write;

	stream->lost += write->dropped;
	write->dropped = 0;
	if (write->renamed)
		say("%s is taken, writing %s", write->path, write->used);
	write->renamed = false;
	if (write->opened && !stream->listed)
		manifest_add("events", write->used);
	stream->listed = write->opened;
	stream->tried = write->error ? clock_monotonic() : 0;
	if (write->error)
		take_error(stream);
}

/* Starts a write or continues one. Returns true if more can be written at once. */
static bool send(struct eventstream *stream)
{
	struct eventfile_job *write = &stream->write;

	if (!filethread_is_sent(&write->job)) {
		refill(stream);
		if (!write->text.length)
			return false;
	}
	if (!eventfile_write(write))
		return false;
	take_results(stream);
	return !write->error && !stream->failed && left(stream);
}

static void send_all(struct eventstream *stream)
{
	while (send(stream))
		;
}

static bool is_slow(const struct eventstream *stream)
{
	return stream->write.error == EAGAIN;
}

/* Returns true if the last write has left something a short time ago. */
static bool must_wait(const struct eventstream *stream)
{
	uint64_t time = is_slow(stream) ? SLOW : RETRY;

	return stream->tried && clock_monotonic() - stream->tried < time;
}

static bool has_room(struct eventstream *stream)
{
	if (left(stream) < MOST)
		return true;
	stream->lost++;
	return false;
}

static void tell_lost(struct eventstream *stream)
{
	struct strbuf *to = &stream->waiting;
	size_t before = to->length;

	if (stream->lost == stream->lost_written)
		return;
	eventline_lost(to, stream->write.pid, stream->lost - stream->lost_written);
	if (!to->failed)
		stream->lost_written = stream->lost;
	else
		to->length = before;
	to->failed = false;
}

/* After a line was appended at `before`. */
static void end_line(struct eventstream *stream, size_t before)
{
	struct strbuf *to = &stream->waiting;

	if (to->failed) {
		to->length = before;
		to->failed = false;
		stream->lost++;
	}
	if (to->length >= AT_ONCE && !must_wait(stream))
		send_all(stream);
}

void eventstream_take_record(struct session *session, const struct settings *settings,
			     const struct record *record)
{
	struct eventstream *stream = stream_of(session, settings);
	size_t before;

	if (!stream || !has_room(stream))
		return;
	tell_lost(stream);
	before = stream->waiting.length;
	eventline_record(&stream->waiting, &globals.catalog, record);
	end_line(stream, before);
}

/* Returns true if the event is requested for the stream: with metrics logs, calls are events even
 * if only these request them. */
static bool is_asked(const struct settings *settings, const struct frame *event)
{
	return eventline_has(event) && (settings->api_calls || event->kind == FRAME_SAMPLE);
}

void eventstream_take_event(struct session *session, const struct settings *settings,
			    const struct frame *event)
{
	struct eventstream *stream =
		is_asked(settings, event) ? stream_of(session, settings) : NULL;
	size_t before;

	if (!stream || !has_room(stream))
		return;
	tell_lost(stream);
	before = stream->waiting.length;
	eventline_event(&stream->waiting, &globals.catalog, event);
	end_line(stream, before);
}

void eventstream_write(struct session *session)
{
	struct eventstream *stream = session->eventstream;

	if (stream && !stream->failed && (is_slow(stream) || !must_wait(stream)))
		send_all(stream);
}

bool eventstream_is_waiting(const struct session *session)
{
	const struct eventstream *stream = session->eventstream;

	return stream && !stream->failed && (!stream->tried || is_slow(stream)) && left(stream);
}

/* A reader that reads gets what waits, in `most` writes. Returns true if it still reads, and is too
 * slow for that. */
static bool send_last(struct eventstream *stream, int most)
{
	static const struct timespec pause = {.tv_nsec = LAST_PAUSE};
	size_t before = left(stream);
	int idle = 0;

	send_all(stream);
	for (int writes = 0; left(stream) && is_slow(stream) && idle < LAST_IDLE && writes < most;
	     writes++) {
		nanosleep(&pause, NULL);
		send_all(stream);
		idle = left(stream) < before ? 0 : idle + 1;
		before = left(stream);
	}
	return left(stream) && is_slow(stream) && idle < LAST_IDLE;
}

static bool begins_with(const char *at, size_t size, const char *word)
{
	return size >= strlen(word) && !memcmp(at, word, strlen(word));
}

/* Returns the number in the LOST line, 0 for another line. */
static uint64_t lost_in(const char *line, size_t size)
{
	static const char head[] = "{\"type\":\"LOST\",\"count\":";
	uint64_t count = 0;

	if (!begins_with(line, size, head))
		return 0;
	for (size_t i = strlen(head); i < size && line[i] >= '0' && line[i] <= '9'; i++)
		count = 10 * count + (uint64_t)(line[i] - '0');
	return count;
}

/* The lines from `keep` on, with a part of the first one, are lost. What LOST lines among them
 * count is not written then. */
static void drop(struct eventstream *stream, struct strbuf *text, size_t keep)
{
	for (size_t from = keep; from < text->length;) {
		const char *at = text->data + from;
		size_t size = text->length - from;
		const char *newline = memchr(at, '\n', size);
		uint64_t lost = lost_in(at, size);

		stream->lost_written -= lost;
		stream->lost += !lost && !begins_with(at, size, "{\"type\":\"END\"");
		if (!newline)
			break;
		from += (size_t)(newline + 1 - at);
	}
	text->length = keep;
}

/* Returns the end of the line of which the reader has a part; `done` without one. */
static size_t end_of_part(const struct eventfile_job *write)
{
	size_t end = write->done;

	while (end && end < write->text.length && write->text.data[end - 1] != '\n')
		end++;
	return end;
}

static void say_lost(struct eventstream *stream)
{
	const struct eventfile_job *write = &stream->write;
	uint64_t lost = stream->lost - stream->lost_reported;
	int error = stream->is_late ? EAGAIN : write->error;

	if (!lost)
		return;
	stream->lost_reported = stream->lost;
	tell("%llu %s missing in the event stream %s%s%s", (unsigned long long)lost,
	     lost == 1 ? "line is" : "lines are", write->path, error ? ": " : "",
	     !error	       ? ""
	     : error == EAGAIN ? "its reader was too slow"
	     : error == EPIPE  ? "its reader has ended"
			       : file_reason(error));
}

/* What is left is lost. If the process may go on, a line that was begun is ended then. */
static void give_up(struct eventstream *stream, bool may_go_on)
{
	struct eventfile_job *write = &stream->write;
	size_t keep = may_go_on ? end_of_part(write) : write->done;

	if (filethread_is_sent(&write->job)) {
		say("a file system does not answer: the event stream %s is incomplete",
		    write->path);
		return;
	}
	drop(stream, &write->text, keep);
	drop(stream, &stream->waiting, 0);
	say_lost(stream);
}

void eventstream_write_rest(struct session *session)
{
	struct eventstream *stream = session->eventstream;

	if (!stream || stream->failed)
		return;
	tell_lost(stream);
	send_last(stream, LAST_WRITES);
	if (!stream->failed)
		give_up(stream, true);
}

static void put_end(struct eventstream *stream)
{
	size_t before = stream->waiting.length;

	tell_lost(stream);
	eventline_end(&stream->waiting, stream->write.pid, stream->lost);
	if (stream->waiting.failed)
		stream->waiting.length = before;
	stream->waiting.failed = false;
}

/* The reader is too slow for what waits: it gets the number of these lines in their place. */
static void send_end_only(struct eventstream *stream)
{
	size_t all = left(stream);

	if (filethread_is_sent(&stream->write.job))
		return;
	drop(stream, &stream->write.text, end_of_part(&stream->write));
	drop(stream, &stream->waiting, 0);
	if (left(stream) < all) {
		stream->is_late = true;
		put_end(stream);
	}
	send_last(stream, END_WRITES);
}

void eventstream_close(struct session *session)
{
	struct eventstream *stream = session->eventstream;

	if (!stream || stream->failed)
		return;
	put_end(stream);
	if (send_last(stream, LAST_WRITES - END_WRITES) && !stream->failed)
		send_end_only(stream);
	if (!stream->failed)
		give_up(stream, false);
	file_send_close(&stream->write.file.file);
}

void eventstream_forked(struct session *session, bool none)
{
	if (session->eventstream && !none)
		file_close(&session->eventstream->write.file.file);
}
