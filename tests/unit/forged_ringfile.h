/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FORGED_RINGFILE_H
#define TESTS_FORGED_RINGFILE_H

#include <sys/stat.h>

#include "session/logfile.h"
#include "session/recover.h"
#include "session/ringfile.h"
#include "session/rules.h"

#include "folder.h"
#include "rows.h"

/* Ring files made by hand: the files they name, and what they state about them. */

static const char startup[] = "# ~/.bashrc\nexport EDITOR=vi\nexport PAGER=less\n";
static const char evil[] = "$(touch hacked)";

struct forgery {
	char path[4096]; /* of the log */
	uint64_t device, inode, head_size, size;
	uint32_t tail;
	bool rules_only; /* no log was started */
};

static inline void put_bytes(const char *path, const void *bytes, size_t size)
{
	FILE *stream = fopen(path, "w");

	assert_non_null(stream);
	assert_int_equal(fwrite(bytes, 1, size, stream), size);
	fclose(stream);
}

static inline void expect_bytes(const char *path, const char *text)
{
	size_t size = 0;
	char *bytes = read_file(path, &size);

	assert_non_null(bytes);
	assert_string_equal(bytes, text);
	free(bytes);
}

static inline void put_frames(struct strbuf *to, const struct forgery *forgery)
{
	struct names *names = names_new();
	struct layout layout = {.columns = column_set(0, API_OPENCL, DIALECT_CLASSIC)};
	struct rules_frame rules = {.columns = layout.columns};
	struct device device = {.name = "Device"};
	struct log_frame *log;
	size_t start;

	frames_put_process(to, &(struct process){.pid = 1, .started = 1});
	frames_put_name(to, names, names_intern(names, evil, strlen(evil)));
	frames_put_device(to, &device);
	frames_put_context(to, &(struct context){0});
	frames_put_rules(to, &rules, forgery->path, "", "");
	start = to->length;
	if (!forgery->rules_only) {
		frames_put_log(to, &layout, &device, &(struct context){0}, NULL, forgery->path);
		log = (void *)(to->data + start);
		log->file_device = forgery->device;
		log->file_inode = forgery->inode;
		log->head_size = forgery->head_size;
		log->head_hash = frames_hash(startup, forgery->head_size);
		log->commit[0] = (struct log_commit){
			.sequence = 1, .size = forgery->size, .tail = forgery->tail,
			.tail_hash = frames_hash("", 0)};
	}
	names_free(names);
}

/* Without the data that cannot be known in advance: the boot, and the place of the file. */
static inline void put_header(struct strbuf *to)
{
	struct ringfile_header header = {
		.version = RINGFILE_VERSION,
		.byte_order = 0x01020304,
		.pid = 1,
		.record_size = sizeof(struct record),
		.owner = geteuid(),
	};
	static const char zeros[RINGFILE_PAGE];

	memcpy(header.magic, RINGFILE_MAGIC, sizeof(header.magic));
	strbuf_append(to, &header, sizeof(header));
	strbuf_append(to, zeros, sizeof(zeros) - sizeof(header));
}

static inline void put_segment(struct strbuf *to, enum segment_kind kind, const void *bytes,
			       size_t size)
{
	static char segment[RINGFILE_PAGE];
	struct segment *head = (void *)segment;

	assert_in_range(size, 1, sizeof(segment) - sizeof(*head));
	memset(segment, 0, sizeof(segment));
	*head = (struct segment){.magic = SEGMENT_MAGIC, .kind = kind, .size = sizeof(segment)};
	head->used = kind == SEGMENT_FRAMES ? size : 0;
	head->stride = kind == SEGMENT_PENDING ? size : 0;
	memcpy(head + 1, bytes, size);
	strbuf_append(to, segment, sizeof(segment));
}

static inline void forge(const char *ring, const struct forgery *forgery)
{
	struct record record = {
		.frame = {.size = sizeof(record), .kind = FRAME_KERNEL, .correlation = 1},
		.enter = 5000, .leave = 6000, .name = 1,
	};
	struct strbuf bytes = STRBUF_INIT, frames = STRBUF_INIT;

	put_header(&bytes);
	put_frames(&frames, forgery);
	put_segment(&bytes, SEGMENT_FRAMES, frames.data, frames.length);
	put_segment(&bytes, SEGMENT_PENDING, &record, sizeof(record));
	put_bytes(ring, bytes.data, bytes.length);
	strbuf_free(&bytes);
	strbuf_free(&frames);
}

static inline struct forgery of_file(const char *path)
{
	struct forgery forgery = {.size = strlen("# ~/.bashrc\n")};
	struct stat status;

	snprintf(forgery.path, sizeof(forgery.path), "%s/%s", directory, path);
	if (!stat(path, &status)) {
		forgery.device = status.st_dev;
		forgery.inode = status.st_ino;
	}
	return forgery;
}

static inline enum recover_result recover_named(const char *path, const char *into, bool *copied)
{
	struct recover_request request = {.path = path, .named = true, .into = into};
	struct recover_report report = {0};
	enum recover_result result = recover_request(&request, &report);

	*copied = report.copied;
	recover_report_free(&report);
	return result;
}

#endif
