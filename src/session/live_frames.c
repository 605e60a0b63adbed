/* SPDX-License-Identifier: MIT */
#include "session/live_frames.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "model/frames.h"
#include "session/ringfile.h"

enum { CHUNK = 4 << 20 /* bytes of frames at a time, and of the largest one */ };

bool live_frames_pread(int fd, void *to, uint64_t size, uint64_t at)
{
	char *place = to;

	while (size) {
		ssize_t got = pread(fd, place, size, (off_t)at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		place += got;
		at += (uint64_t)got;
		size -= (uint64_t)got;
	}
	return true;
}

static void keep_log(struct strbuf *logs, const struct frame *frame)
{
	const struct rules_frame *rules = (const void *)frame;

	if (rules->log_length > frame->size - sizeof(*rules))
		return;
	strbuf_append(logs, rules->text, strnlen(rules->text, rules->log_length));
	strbuf_char(logs, '\0');
}

/* Applies the whole frames at `at`. Returns their bytes; `damaged` is set at an invalid one. */
static uint64_t apply(const struct live_frames *frames, const char *at, uint64_t size,
		      bool *damaged)
{
	uint64_t left = size;
	const struct frame *frame;

	for (; left >= sizeof(*frame); left -= frame->size, at += frame->size) {
		frame = (const void *)at;
		if (frame->size > left && frame->size <= CHUNK)
			break;
		if (!frames_valid(frames->catalog, frame, left)) {
			*damaged = true;
			break;
		}
		if (frame->kind == FRAME_RULES)
			keep_log(frames->logs, frame);
		frames_apply(frames->catalog, frame);
	}
	return size - left;
}

int live_frames_read(const struct live_frames *frames, uint64_t *applied)
{
	uint64_t room = frames->size - sizeof(struct segment), done = 1;
	struct segment header;
	bool damaged = false;

	if (*applied == UINT64_MAX ||
	    !live_frames_pread(frames->fd, &header, sizeof(header), frames->at))
		return 0;
	if (header.used > room)
		header.used = room;
	while (done && !damaged && *applied < header.used) {
		uint64_t size = header.used - *applied;
		char *bytes;

		if (size > CHUNK)
			size = CHUNK;
		frames->buffer->length = 0;
		bytes = strbuf_reserve(frames->buffer, size);
		if (!bytes)
			return -1;
		if (!live_frames_pread(frames->fd, bytes, size,
				       frames->at + sizeof(header) + *applied))
			return 0;
		done = apply(frames, bytes, size, &damaged);
		*applied += done;
	}
	if (damaged || !done)
		*applied = UINT64_MAX;
	return 0;
}
