/* SPDX-License-Identifier: MIT */
#include "output/pflog.h"

#include <string.h>

#include "model/api.h"

/* The names are in the rows: pointers would be relocated at the start of every program. */
static const struct {
	char name[PFLOG_NAME];
	enum pflog_row row; /* unless names are native */
} rows[PFLOG_ROWS] = {
#define PFLOG(id, function, common) [PFLOG_##id] = {function, PFLOG_##common},
#include "output/pflog.def"
#undef PFLOG
};

enum { COMMON_ROWS = PFLOG_PLATFORMS /* rows from this one on are OpenCL's: their calls are counted
					in an earlier row */ };

/* The first row whose text begins the name counts. */
static const struct {
	char begin[PFLOG_NAME];
	enum pflog_row row;
} beginnings[] = {
	{"cuLaunchHostFunc", PFLOG_NONE},
	{"cudaLaunchHostFunc", PFLOG_NONE},
	{"cuLaunch", PFLOG_LAUNCH},
	{"cudaLaunch", PFLOG_LAUNCH},
	{"cuGetProcAddress", PFLOG_LOOKUP},
	{"cudaMemcpyAsync", PFLOG_RUNTIME_COPY_ASYNC},
	{"cudaMemcpy_", PFLOG_RUNTIME_COPY},
	{"cuMemcpy", PFLOG_COPY},
	{"cudaMemcpy", PFLOG_COPY},
};

static enum pflog_row row_of_name(const char *name)
{
	for (int row = 0; row < PFLOG_ROWS; row++)
		if (!strcmp(name, rows[row].name))
			return (enum pflog_row)row;
	return PFLOG_NONE;
}

enum pflog_row pflog_row_of_function(const char *name)
{
	enum pflog_row row = row_of_name(name);

	if (row != PFLOG_NONE) {
		bool memory = rows[row].row == PFLOG_ALLOCATE || rows[row].row == PFLOG_FREE;

		return memory ? PFLOG_NONE : row;
	}
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++) {
		if (strncmp(name, beginnings[i].begin, strlen(beginnings[i].begin)) != 0)
			continue;
		row = beginnings[i].row;
		return row == PFLOG_COPY && strstr(name, "Async") ? PFLOG_COPY_ASYNC : row;
	}
	return PFLOG_NONE;
}

enum pflog_row pflog_row_of_memory(const struct allocation *event)
{
	const struct api_row *api = api_row(event->api);
	const char *name = "";

	if (event->memory < MEMORY_KINDS)
		name = event->frame.flags & ALLOCATION_FREED ? api->releases[event->memory]
							     : api->allocates[event->memory];
	return *name ? row_of_name(name) : PFLOG_NONE;
}

static enum pflog_row row_of_copy(enum pflog_kind kind, bool asynchronous)
{
	if (kind == PFLOG_HOST_TO_DEVICE)
		return asynchronous ? PFLOG_TO_DEVICE_ASYNC : PFLOG_TO_DEVICE;
	return kind == PFLOG_DEVICE_TO_HOST ? PFLOG_TO_HOST : PFLOG_NONE;
}

enum pflog_row pflog_final_row(enum pflog_row row, enum pflog_kind kind, bool native_names)
{
	if (row < PFLOG_ROWS && !native_names)
		row = rows[row].row;
	if (row == PFLOG_COPY || row == PFLOG_COPY_ASYNC)
		return row_of_copy(kind, row == PFLOG_COPY_ASYNC);
	return row;
}

bool pflog_is_copy(enum pflog_row row)
{
	static const bool copies[PFLOG_NONE + 1] = {
		[PFLOG_TO_DEVICE] = true,	   [PFLOG_TO_HOST] = true,
		[PFLOG_TO_DEVICE_ASYNC] = true,	   [PFLOG_RUNTIME_COPY] = true,
		[PFLOG_RUNTIME_COPY_ASYNC] = true, [PFLOG_COPY] = true,
		[PFLOG_COPY_ASYNC] = true,
	};

	return copies[row < PFLOG_ROWS ? rows[row].row : row];
}

bool pflog_is_in_timeline(enum pflog_row row)
{
	return row < PFLOG_ROWS && rows[row].row != PFLOG_LAUNCH && rows[row].row != PFLOG_LOOKUP;
}

static void put_number(struct strbuf *to, const char *name, uint64_t value)
{
	strbuf_string(to, name);
	strbuf_decimal(to, value);
}

static void put_exporter(struct strbuf *to, const struct pflog_counts *counts)
{
	uint64_t launches = 0;

	for (int row = 0; row < PFLOG_ROWS; row++)
		if (rows[row].row == PFLOG_LAUNCH)
			launches += counts->rows[row].calls;
	put_number(to, "pid:", counts->pid);
	put_number(to, "\nkernel-cnt:", launches);
	put_number(to, "\nmem-used:", counts->memory);
	put_number(to, "\ntoken-cnt:", 0); /* there is no quota */
	strbuf_char(to, '\n');
}

void pflog_put_metrics(struct strbuf *to, const struct metrics_settings *settings,
		       const struct pflog_counts *counts)
{
	if (settings->format == METRICS_EXPORTER) {
		put_exporter(to, counts);
		return;
	}
	put_number(to, "name:mem_used,count:", counts->memory);
	for (int row = 0; row < (settings->native_names ? PFLOG_ROWS : COMMON_ROWS); row++) {
		strbuf_string(to, "\nname:");
		strbuf_string(to, rows[row].name);
		put_number(to, ",count:", counts->rows[row].calls);
		put_number(to, ",burst:", counts->rows[row].time / 1000);
	}
	strbuf_char(to, '\n');
}

static bool tells_kind(enum pflog_row row)
{
	return row == PFLOG_RUNTIME_COPY || row == PFLOG_RUNTIME_COPY_ASYNC;
}

void pflog_put_line(struct strbuf *to, const struct metrics_settings *settings,
		    const struct pflog_line *line)
{
	strbuf_string(to, "name:");
	strbuf_string(to, rows[line->row].name);
	put_number(to, ", start:", line->start);
	put_number(to, ", burst:", line->duration / 1000);
	put_number(to, ", bytes:", line->bytes);
	if (settings->version >= 2 && tells_kind(line->row) && line->kind != PFLOG_KIND_NONE)
		put_number(to, ", kind:", (uint64_t)line->kind);
	else if (settings->version >= 2)
		strbuf_string(to, ", kind:-1");
	strbuf_char(to, '\n');
}
