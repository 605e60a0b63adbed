/* SPDX-License-Identifier: MIT */
#include "session/recover_totals.h"

#include <string.h>

#include "session/manifest.h"
#include "session/ringfile_path.h"

/* Returns the path of the list of the tool that keeps the ring file, or NULL. */
static const char *list_of(const struct ringfile_reader *reader)
{
	const struct ringfile_header *header = reader->header;
	bool kept = header->finished && !reader->unproven && header->keeper[0] &&
		    memchr(header->keeper, '\0', sizeof(header->keeper));

	return kept ? header->keeper : NULL;
}

bool recover_totals_are_read(const struct ringfile_reader *reader)
{
	const char *list = list_of(reader);

	return list && manifest_has_tool(list);
}

void recover_totals_remove_list(const struct ringfile_reader *reader)
{
	const char *list = list_of(reader);

	if (list)
		manifest_remove_unread(list);
}

static int find_trace(void *argument, const struct frame *frame)
{
	bool *found = argument;

	*found |= frame->kind == FRAME_TRACE;
	return 0;
}

/* The trace of a process that keeps totals begins with its first range. */
static bool has_trace(struct ringfile_reader *reader, const struct settings *settings)
{
	bool begun = false;

	if (!settings->trace || !settings->trace_from_ranges || !settings->totals ||
	    reader->header->totals_off)
		return settings->trace != NULL;
	ringfile_reader_frames(reader, find_trace, &begun);
	return begun;
}

bool recover_totals_are_alone(struct ringfile_reader *reader,
			      const struct settings *const *settings)
{
	bool alone = true, known = false;

	for (int api = 0; api < API_COUNT; api++) {
		known |= settings[api] != NULL;
		alone &= !settings[api] ||
			 (!has_trace(reader, settings[api]) && !settings[api]->api_log &&
			  !settings_have_log(settings[api]));
	}
	/* A ring file that could not grow may lack its settings. */
	return alone && (known || !reader->header->in_memory);
}

enum recover_result recover_totals_keep(const struct ringfile_reader *reader,
					const struct recover_request *request,
					struct recover_report *report, bool copied)
{
	report->lost = ringfile_lost(reader->header);
	report->copied = copied;
	if (report->totals.length && request->keep_totals(request, report)) {
		strbuf_printf(&report->reason, "its totals could not be kept; %s is kept",
			      request->path);
		return RECOVER_FAILED;
	}
	if (!copied)
		report->left = ringfile_path_remove(request->path, reader->fd);
	return RECOVER_DONE;
}
