/* SPDX-License-Identifier: MIT */
#include "backend/opencl/lines_event.h"

#include <string.h>

#include "base/clock.h"
#include "base/say.h"
#include "base/strbuf.h"
#include "model/event.h"
#include "session/probe.h"
#include "session/session.h"

static const char *const left_out[] = {
	[LINES_LEFT_NO_SIZE] =
		("launches without a work-group size, since its program depends on it and the "
		 "driver may choose another one for rewritten kernels"),
	[LINES_LEFT_TIME] = "launches beyond the bound of time ([values] time)",
	[LINES_LEFT_WAITING] =
		"launches while user events or callbacks of the program are not complete",
	[LINES_LEFT_BUSY] = "launches at the same time as another one of its program",
};

static void put(enum line_kind kind, uint32_t text, uint64_t enter, const struct lines_sum *sum)
{
	struct probe probe;
	struct source_line *line =
		(void *)probe_past_event(&probe, FRAME_SOURCE_LINE, enter, enter);

	if (line) {
		line->count = sum->count;
		line->zeros = sum->zeros;
		line->silent = sum->silent;
		line->api = API_OPENCL;
		line->kind = (uint16_t)kind;
		line->text = text;
		line->same = sum->same;
		probe_commit();
	}
	probe_end(&probe);
}

/* The last tab of the text separates name and reason: names of drivers may have tabs. */
static void put_reason(const char *kernel, const char *reason)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "%s\t", kernel);
	for (const char *at = reason; *at; at++)
		strbuf_char(&text, *at == '\t' ? ' ' : *at);
	put(LINE_NOT_COUNTED, session_text(strbuf_text(&text), text.length), clock_monotonic(),
	    &(struct lines_sum){.count = 1});
	strbuf_free(&text);
}

void lines_event_not_counted(const char *kernel, const char *reason)
{
	say_new("kernel %s is not counted by source line: %s", kernel, reason);
	put_reason(kernel, reason);
}

/* The bound of time concerns all kernels, so it is said once. */
void lines_event_left_out(const char *kernel, atomic_uint *told, enum lines_left_out why)
{
	static int said;

	if (atomic_fetch_or(told, 1u << why) & 1u << why)
		return;
	if (why == LINES_LEFT_TIME)
		say_once(&said, "%s are not counted by source line", left_out[why]);
	else
		say_new("kernel %s is not counted by source line: %s", kernel, left_out[why]);
	put_reason(kernel, left_out[why]);
}

static uint32_t text_of(struct lines_program *program, const char *kernel, uint32_t number)
{
	struct lines_source *source = &program->source;
	const struct lines_site *site = &source->table.list[number];
	const char *text = strbuf_text(&source->rewritten), *line;
	struct strbuf to = STRBUF_INIT;
	size_t length;
	uint32_t id;

	line = lines_table_line(lines_source_text(source, site), site->line, &length);
	strbuf_printf(&to, "%s\t%.*s\t%u\t%.*s\t", kernel, (int)site->file_length,
		      text + site->file_at, site->line, (int)site->function_length,
		      text + site->function_at);
	strbuf_append(&to, line, length < LINES_TEXT ? length : LINES_TEXT);
	id = session_text(strbuf_text(&to), to.length);
	strbuf_free(&to);
	return id;
}

void lines_event_sums(struct lines_program *program, const char *kernel, uint32_t *texts)
{
	put(LINE_LAUNCH, session_name(kernel, strlen(kernel)), program->entered,
	    &(struct lines_sum){.count = 1});
	for (uint32_t i = 0; i < program->source.table.sites; i++) {
		struct lines_sum added = lines_program_sum(program, i);

		if (!added.count)
			continue;
		if (!texts[i])
			texts[i] = text_of(program, kernel, i);
		put(program->source.table.list[i].is_store ? LINE_STORE : LINE_LOAD, texts[i],
		    program->entered, &added);
	}
}
