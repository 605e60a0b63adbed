/* SPDX-License-Identifier: MIT */
#include "output/eventline.h"

#include <string.h>

#include "model/amount.h"
#include "model/api.h"
#include "model/method.h"
#include "output/jsontext.h"

enum { FRAMES = 1024 /* of a stack, at most */ };

static void begin(struct strbuf *to, const char *type)
{
	strbuf_string(to, "{\"type\":\"");
	strbuf_string(to, type);
	strbuf_char(to, '"');
}

static void end_line(struct strbuf *to)
{
	strbuf_append(to, "}\n", 2);
}

static void put_number(struct strbuf *to, const char *key, uint64_t value)
{
	json_member(to, key);
	json_number(to, value);
}

/* `word` is a constant of this file. */
static void put_word(struct strbuf *to, const char *key, const char *word)
{
	json_member(to, key);
	json_escaped(to, word, strlen(word));
}

static void put_name(struct strbuf *to, const struct catalog *catalog, const char *key, uint32_t id)
{
	size_t length;
	const char *text = names_text(catalog->names, id, &length);

	json_member(to, key);
	json_name(to, text, length);
}

/* Returns the time as one since 1970. */
static uint64_t epoch(const struct catalog *catalog, uint64_t monotonic)
{
	return monotonic + (uint64_t)catalog->process.monotonic_to_epoch;
}

static void put_interval(struct strbuf *to, uint64_t start, uint64_t end)
{
	put_number(to, "start", start);
	put_number(to, "end", end);
	put_number(to, "duration", amount_between(start, end));
}

/* A module and an address in it, or the name of a function of an interpreted program. */
static void put_frame(struct strbuf *to, const struct catalog *catalog,
		      const struct stack_node *node)
{
	const struct stack_module *module = stacks_module(&catalog->stacks, node->module);
	size_t length = module ? module->length : 0;
	const char *name = module ? module->path : "";

	if (!module && node->name)
		name = names_text(catalog->names, node->name, &length);
	json_name(to, name, length);
	if ((!module && node->name) || to->failed)
		return;
	to->length--; /* the quote */
	if (module)
		strbuf_char(to, '+');
	json_hex(to, node->offset);
	strbuf_char(to, '"');
}

/* From the outermost to the innermost frame, as in a folded stack. */
static void put_stack(struct strbuf *to, const struct catalog *catalog, uint32_t id)
{
	const struct stack_node *nodes[FRAMES], *node;
	int count = 0;

	for (; count < FRAMES && (node = stacks_node(&catalog->stacks, id)); id = node->parent)
		nodes[count++] = node;
	if (!count)
		return;
	json_member(to, "stack");
	strbuf_char(to, '[');
	while (count--) {
		put_frame(to, catalog, nodes[count]);
		if (count)
			strbuf_char(to, ',');
	}
	strbuf_char(to, ']');
}

/* Ends every line of a thread. */
static void put_origin(struct strbuf *to, const struct catalog *catalog, const struct frame *frame)
{
	put_number(to, "processId", catalog->process.pid);
	if (frame->thread)
		put_number(to, "threadId", frame->thread);
	put_stack(to, catalog, frame->stack);
	end_line(to);
}

static void put_device(struct strbuf *to, const struct catalog *catalog, uint32_t id)
{
	const struct device *device = catalog_device(catalog, id);

	if (device)
		put_number(to, "deviceId", device->number);
}

static void put_context(struct strbuf *to, const struct catalog *catalog, uint32_t id)
{
	const struct context *context = catalog_context(catalog, id);

	if (context)
		put_number(to, "contextId", context->index);
}

/* Returns CUPTI's word for one side of a copy. */
static const char *memory_word(const struct record *record, uint8_t memory)
{
	if (memory == MEMORY_ARRAY)
		return "ARRAY";
	if (memory != MEMORY_HOST)
		return "DEVICE";
	if (!(record->known & KNOWN_HOST_MEMORY))
		return "UNKNOWN";
	return record->host_memory == HOST_MEMORY_PAGE_LOCKED ? "PINNED" : "PAGEABLE";
}

static void put_copy(struct strbuf *to, const struct record *record)
{
	static const char letters[MEMORY_COUNT] = {[MEMORY_HOST] = 'H',
						   [MEMORY_DEVICE] = 'D',
						   [MEMORY_ARRAY] = 'A',
						   [MEMORY_PEER] = 'P'};
	char kind[] = {letters[record->source], 't', 'o', letters[record->target], '\0'};

	put_word(to, "copyKind", kind);
	put_word(to, "srcKind", memory_word(record, record->source));
	put_word(to, "dstKind", memory_word(record, record->target));
}

static void put_kernel(struct strbuf *to, const struct catalog *catalog,
		       const struct record *record)
{
	size_t length;
	const char *name = method_text(record, DIALECT_CLASSIC, catalog->names, &length);
	uint64_t block[] = {record->block[0], record->block[1], record->block[2]};

	json_member(to, "name");
	json_name(to, name, length);
	if (record->known & KNOWN_GRID) {
		json_member(to, "grid");
		json_vector(to, record->grid);
	}
	if (record->known & (KNOWN_GRID | KNOWN_BLOCK)) {
		json_member(to, "block");
		json_vector(to, block);
	}
	if (!(record->known & (KNOWN_STATIC_SHARED | KNOWN_DYNAMIC_SHARED)))
		return;
	json_member(to, "sharedMemory");
	strbuf_char(to, '{');
	if (record->known & KNOWN_STATIC_SHARED)
		put_number(to, "static", record->static_shared);
	if (record->known & KNOWN_DYNAMIC_SHARED)
		put_number(to, "dynamic", record->dynamic_shared);
	strbuf_char(to, '}');
}

static const char *type_of(const struct record *record)
{
	if (record->frame.kind == FRAME_KERNEL)
		return "CONCURRENT_KERNEL";
	if (record->frame.kind == FRAME_FILL)
		return "MEMSET";
	return record->source == MEMORY_PEER ? "MEMCPY2" : "MEMCPY";
}

void eventline_record(struct strbuf *to, const struct catalog *catalog, const struct record *record)
{
	begin(to, type_of(record));
	if (record->known & KNOWN_TIMES)
		put_interval(to, record->started, record->ended);
	if (record->frame.kind == FRAME_KERNEL)
		put_kernel(to, catalog, record);
	else if (record->frame.kind == FRAME_COPY && record->source < MEMORY_COUNT &&
		 record->target < MEMORY_COUNT)
		put_copy(to, record);
	if (record->known & KNOWN_BYTES)
		put_number(to, "size", record->bytes);
	put_number(to, "correlationId", record->frame.correlation);
	put_device(to, catalog, record->device);
	put_context(to, catalog, record->context);
	if (record->known & KNOWN_STREAM)
		put_number(to, "streamId", record->stream);
	if (!(record->frame.flags & RECORD_NO_CALL)) {
		put_number(to, "callStart", epoch(catalog, record->enter));
		put_number(to, "callEnd", epoch(catalog, record->leave));
	}
	put_origin(to, catalog, &record->frame);
}

static bool begins(const char *name, size_t length, const char *start)
{
	return length >= strlen(start) && !memcmp(name, start, strlen(start));
}

/* Returns the type of the line of a call. */
static const char *call_type(const struct catalog *catalog, const struct call *call)
{
	size_t length;
	const char *name = names_text(catalog->names, call->name, &length);

	if (begins(name, length, "cuda"))
		return "RUNTIME";
	return begins(name, length, "cu") ? "DRIVER" : api_rows[call->api].header;
}

static void put_call(struct strbuf *to, const struct catalog *catalog, const struct call *call)
{
	begin(to, call_type(catalog, call));
	put_interval(to, epoch(catalog, call->enter), epoch(catalog, call->leave));
	put_name(to, catalog, "name", call->name);
	if (call->made)
		put_number(to, "correlationId", call->made);
	if (call->records > 1)
		put_number(to, "records", call->records);
	json_member(to, "result");
	if (call->result == INT32_MIN)
		strbuf_string(to, "\"failed\"");
	else
		json_signed(to, call->result);
	put_origin(to, catalog, &call->frame);
}

static void put_allocation(struct strbuf *to, const struct catalog *catalog,
			   const struct allocation *allocation)
{
	static const char *const kinds[MEMORY_KINDS] = {
		[MEMORY_KIND_UNKNOWN] = "UNKNOWN",	[MEMORY_KIND_PAGEABLE] = "PAGEABLE",
		[MEMORY_KIND_PINNED] = "PINNED",	[MEMORY_KIND_DEVICE] = "DEVICE",
		[MEMORY_KIND_ARRAY] = "ARRAY",		[MEMORY_KIND_MANAGED] = "MANAGED",
		[MEMORY_KIND_STATIC] = "DEVICE_STATIC", [MEMORY_KIND_PIPE] = "PIPE",
	};
	bool freed = allocation->frame.flags & ALLOCATION_FREED;
	const char *kind = allocation->memory < MEMORY_KINDS ? kinds[allocation->memory] : kinds[0];

	begin(to, "MEMORY2");
	put_number(to, "timestamp", epoch(catalog, allocation->enter));
	put_word(to, "memoryOperation", freed ? "RELEASE" : "ALLOCATE");
	put_word(to, "memoryKind", kind);
	put_number(to, "size", allocation->bytes);
	put_number(to, "address", allocation->address);
	put_device(to, catalog, allocation->device);
	put_context(to, catalog, allocation->context);
	if (allocation->name)
		put_name(to, catalog, "name", allocation->name);
	put_origin(to, catalog, &allocation->frame);
}

static void put_mark(struct strbuf *to, const struct catalog *catalog, const struct mark *mark)
{
	unsigned flags = mark->frame.flags;

	begin(to, "MARKER");
	put_number(to, "timestamp", epoch(catalog, mark->enter));
	put_word(to, "flag", flags & MARK_START ? "START" : flags & MARK_END ? "END" : "INSTANT");
	if (mark->name)
		put_name(to, catalog, "name", mark->name);
	if (mark->domain)
		put_name(to, catalog, "domain", mark->domain);
	if (mark->id)
		put_number(to, "id", mark->id);
	put_origin(to, catalog, &mark->frame);
}

static void put_sample(struct strbuf *to, const struct catalog *catalog,
		       const struct sample *sample)
{
	begin(to, "SAMPLE");
	put_number(to, "timestamp", epoch(catalog, sample->enter));
	put_number(to, "weight", sample->weight);
	if (sample->frame.flags & SAMPLE_DEVICE)
		put_number(to, "device", 1);
	put_origin(to, catalog, &sample->frame);
}

static void put_use(struct strbuf *to, const struct catalog *catalog, const struct use *use)
{
	static const char *const words[] = {
		[USE_NONE] = "NONE",
		[USE_READ] = "READ",
		[USE_WRITE] = "WRITE",
		[USE_READ_WRITE] = "READ_WRITE",
	};

	begin(to, "USE");
	put_number(to, "timestamp", epoch(catalog, use->enter));
	put_word(to, "access", words[use->access & USE_READ_WRITE]);
	if (use->frame.flags & USE_ASSUMED)
		put_number(to, "assumed", 1);
	if (use->frame.flags & USE_PARTIAL)
		put_number(to, "partial", 1);
	put_number(to, "address", use->address);
	put_number(to, "offset", use->offset);
	put_number(to, "size", use->bytes);
	if (use->argument != USE_NO_ARGUMENT)
		put_number(to, "argument", use->argument);
	if (use->record)
		put_number(to, "correlationId", use->record);
	put_origin(to, catalog, &use->frame);
}

static const char *const results[CHANGE_REASONS] = {
	[CHANGE_COMPARED] = "COMPARED",
	[CHANGE_LARGE] = "LARGE",
	[CHANGE_MEMORY] = "MEMORY",
	[CHANGE_TIME] = "TIME",
	[CHANGE_PENDING] = "PENDING",
	[CHANGE_KIND] = "KIND",
	[CHANGE_UNREADABLE] = "UNREADABLE",
	[CHANGE_FAILED] = "FAILED",
	[CHANGE_LOST] = "LOST",
	[CHANGE_SKIPPED] = "SKIPPED",
};

static void put_change(struct strbuf *to, const struct catalog *catalog,
		       const struct change *change)
{
	bool is_known = change->reason < CHANGE_REASONS;

	begin(to, "CHANGE");
	put_number(to, "timestamp", epoch(catalog, change->enter));
	put_word(to, "result", is_known ? results[change->reason] : "UNKNOWN");
	put_number(to, "use", change->use);
	if (change->reason == CHANGE_COMPARED) {
		put_number(to, "same", change->same);
		put_number(to, "sameWords", change->same_words);
		put_number(to, "changed", change->changed);
		put_number(to, "hash", change->hash);
	}
	put_origin(to, catalog, &change->frame);
}

bool eventline_has(const struct frame *event)
{
	return event->kind == FRAME_CALL || event->kind == FRAME_ALLOCATION ||
	       event->kind == FRAME_MARK || event->kind == FRAME_SAMPLE ||
	       event->kind == FRAME_USE || event->kind == FRAME_CHANGE;
}

void eventline_event(struct strbuf *to, const struct catalog *catalog, const struct frame *event)
{
	const void *at = event;

	if (event->kind == FRAME_CALL)
		put_call(to, catalog, at);
	else if (event->kind == FRAME_ALLOCATION)
		put_allocation(to, catalog, at);
	else if (event->kind == FRAME_MARK)
		put_mark(to, catalog, at);
	else if (event->kind == FRAME_SAMPLE)
		put_sample(to, catalog, at);
	else if (event->kind == FRAME_USE)
		put_use(to, catalog, at);
	else if (event->kind == FRAME_CHANGE)
		put_change(to, catalog, at);
}

void eventline_process(struct strbuf *to, const struct catalog *catalog)
{
	const struct process *process = &catalog->process;
	size_t length = process->command_length;

	begin(to, "PROCESS");
	put_number(to, "version", 1);
	put_number(to, "processId", process->pid);
	put_number(to, "start", epoch(catalog, process->started));
	if (length) {
		json_member(to, "name");
		json_name(to, process->command, strnlen(process->command, length));
	}
	end_line(to);
}

void eventline_lost(struct strbuf *to, uint32_t pid, uint64_t count)
{
	begin(to, "LOST");
	put_number(to, "count", count);
	put_number(to, "processId", pid);
	end_line(to);
}

void eventline_end(struct strbuf *to, uint32_t pid, uint64_t count)
{
	begin(to, "END");
	put_number(to, "lost", count);
	put_number(to, "processId", pid);
	end_line(to);
}
