/* SPDX-License-Identifier: MIT */
#include "session/recover_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/pathlist.h"
#include "model/frames.h"

void recover_list_path(struct strbuf *list, const char *path)
{
	pathlist_put(list, path);
	strbuf_char(list, '\n');
}

static void add_name(struct strbuf *list, const char *name, size_t length)
{
	char *path = strndup(name, length);

	if (path)
		recover_list_path(list, path);
	free(path);
}

static int add_file(void *argument, const struct frame *frame)
{
	struct recover_report *report = argument;
	const struct log_frame *log = (const void *)frame;
	const struct trace_frame *trace = (const void *)frame;

	if (frame->kind == FRAME_LOG && log->path_length <= frame->size - sizeof(*log))
		add_name(frame->flags & LOG_API ? &report->api_logs : &report->logs, log->path,
			 log->path_length);
	else if (frame->kind == FRAME_TRACE && trace->length <= frame->size - sizeof(*trace))
		add_name(&report->traces, trace->path, trace->length);
	return 0;
}

void recover_list_files(struct ringfile_reader *reader, struct recover_report *report)
{
	ringfile_reader_frames(reader, add_file, report);
}
