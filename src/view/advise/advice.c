/* SPDX-License-Identifier: MIT */
#include "view/advise/advice.h"

#include "model/api.h"
#include "output/escape.h"
#include "view/advise/reuse.h"

/* Findings that are wrong if a use is missing, and those that are wrong if a release is. */
#define OF_USES ((1u << FINDING_KINDS) - 1 - (1u << FINDING_LEAK))
#define OF_ALL	((1u << FINDING_KINDS) - 1)

static void put_lost(struct advice *advice, const struct stream *stream)
{
	uint64_t lost = stream_lost(stream);

	advice->limits.left_out = OF_ALL;
	if (lost)
		strbuf_printf(&advice->note_text, "%llu %s lost", (unsigned long long)lost,
			      lost == 1 ? "record or event is" : "records or events are");
	else
		strbuf_string(&advice->note_text, "records or events are lost");
	strbuf_string(&advice->note_text,
		      ": a missing use can make a used object look unused, and a missing release "
		      "makes a leak, so all findings are left out; sizes may be incomplete\n");
}

static void put_left_out(struct strbuf *notes, uint64_t uses, const char *reason)
{
	if (uses)
		strbuf_printf(notes, "%llu %s memory was %s\n", (unsigned long long)uses,
			      uses == 1 ? "use is left out: its" : "uses are left out: their",
			      reason);
}

/* What is not known of some uses. */
static void put_unknown(struct strbuf *notes, const struct objects *objects)
{
	put_left_out(notes, objects->unknown_uses, "allocated before the trace begins");
	put_left_out(notes, objects->released_uses, "released before");
	if (objects->opaque)
		strbuf_printf(notes,
			      "%llu %s: %s may use any memory of %s context, so the findings of "
			      "this context are marked as assumed\n",
			      (unsigned long long)objects->opaque,
			      objects->opaque == 1
				      ? "command has no recorded uses, such as one of a command "
					"buffer or graph"
				      : "commands have no recorded uses, such as those of command "
					"buffers and graphs",
			      objects->opaque == 1 ? "it" : "they",
			      objects->opaque == 1 ? "its" : "their");
	if (objects->untimed_uses)
		strbuf_printf(notes,
			      "%llu %s call: findings that depend on %s order are marked as "
			      "assumed\n",
			      (unsigned long long)objects->untimed_uses,
			      objects->untimed_uses == 1
				      ? "use is by a command without times and counts at its"
				      : "uses are by commands without times and count at their",
			      objects->untimed_uses == 1 ? "its" : "their");
}

/* A trace that lacks something gives no finding that this could make wrong. */
static void limit(struct advice *advice, struct stream *stream)
{
	struct strbuf *notes = &advice->note_text;

	if (stream_lost(stream) || stream_has_uncounted_losses(stream) ||
	    stream_is_damaged(stream) || stream_is_incomplete(stream))
		put_lost(advice, stream);
	if (stream_has_gaps(stream) && !advice->limits.left_out) {
		advice->limits.left_out = OF_USES;
		strbuf_string(notes,
			      "a filter or the program left commands out of the trace: a missing "
			      "use can make a used object look unused, so all findings but memory "
			      "leaks are left out\n");
	}
	if (stream_is_cut_off(stream)) {
		advice->limits.open_ones = 1u << FINDING_UNUSED | 1u << FINDING_LEAK;
		strbuf_string(notes,
			      "the trace ends before its process: memory that was not released "
			      "until then is neither a leak nor unused\n");
	}
	put_unknown(notes, &advice->objects);
}

/* What the parts of the analysis collect. */
struct collects {
	struct collect *objects;
	struct flow_collect *flow;
};

static int add_line(struct source_lines *lines, const struct frame *frame, struct strbuf *error)
{
	if (!source_lines_add(lines, frame))
		return 0;
	strbuf_string(error, "out of memory for the values by source line");
	return -1;
}

static int read_frames(const struct collects *collects, struct source_lines *lines,
		       struct stream *stream, struct strbuf *error)
{
	const struct frame *frame;
	int result;

	while ((result = stream_next_frame(stream, &frame, error)) > 0)
		if (collect_add(collects->objects, frame, error) ||
		    flow_collect_add(collects->flow, frame, error) ||
		    add_line(lines, frame, error))
			return -1;
	return result;
}

static void tell(void *stream, const char *text)
{
	stream_put_message(stream, text);
}

static bool has_stacks(const struct advice *advice)
{
	for (uint32_t i = 0; i < advice->objects.count; i++)
		if (advice->objects.list[i].stack)
			return true;
	for (uint32_t i = 0; i < advice->flow.nodes.count; i++)
		if (flow_node(&advice->flow, i)->key.stack)
			return true;
	return false;
}

/* Returns -1 without memory. */
static int open_callers(struct advice *advice, struct stream *stream, bool mangled)
{
	if (!has_stacks(advice))
		return 0;
	advice->callers = caller_names_new(advice->catalog, mangled, tell, stream);
	return advice->callers ? 0 : -1;
}

static int analyze(struct advice *advice, struct stream *stream,
		   const struct advice_options *options, const struct collects *collects,
		   struct strbuf *error)
{
	const struct process *process = &advice->catalog->process;

	if (read_frames(collects, &advice->lines, stream, error) ||
	    collect_end(collects->objects, options->idle, &advice->objects, error) ||
	    flow_collect_end(collects->flow, &advice->objects, &advice->flow, error))
		return -1;
	advice->origin = process->started + (uint64_t)process->monotonic_to_epoch;
	if (!process->started || advice->origin > advice->objects.start)
		advice->origin = advice->objects.start;
	if (!advice->objects.apis)
		return 0;
	limit(advice, stream);
	advice->notes = strbuf_text(&advice->note_text);
	if (reuse_find(&advice->objects, error) ||
	    findings_make(&advice->findings, &advice->objects, &advice->limits, error))
		return -1;
	if (!open_callers(advice, stream, !options->demangle))
		return 0;
	strbuf_string(error, "out of memory for the callers");
	return -1;
}

int advice_read(struct advice *advice, struct stream *stream, const struct advice_options *options,
		struct strbuf *error)
{
	const struct catalog *catalog = stream_catalog(stream);
	const struct collects collects = {collect_new(&catalog->process),
					  flow_collect_new(&catalog->process)};
	int result = -1;

	*advice = (struct advice){
		.catalog = catalog,
		.notes = "",
		.label = {.names = catalog->names, .demangled = options->demangle},
	};
	stream_end_at_damage(stream, "the advice");
	if (collects.objects && collects.flow)
		result = analyze(advice, stream, options, &collects, error);
	else
		strbuf_string(error, "out of memory for the objects");
	collect_free(collects.objects);
	flow_collect_free(collects.flow);
	return result;
}

void advice_free(struct advice *advice)
{
	objects_free(&advice->objects);
	findings_free(&advice->findings);
	flow_free(&advice->flow);
	source_lines_free(&advice->lines);
	strbuf_free(&advice->note_text);
	label_free(&advice->label);
	caller_names_free(advice->callers);
}

/* The kernel that uses an object identifies it best: memory has no names. */
static void put_kernel(struct strbuf *to, struct advice *advice, const struct object *object)
{
	const struct use_place *use = &object->first_use;
	const struct record like = {.frame.kind = FRAME_KERNEL, .name = use->name};

	if (use->kind != FRAME_KERNEL || !use->name)
		return;
	if (use->argument != USE_NO_ARGUMENT)
		strbuf_printf(to, ", argument %u of ", use->argument);
	else
		strbuf_string(to, ", used by ");
	label_short(to, object->api, &like, &advice->label, 0);
}

const char *const advice_memories[MEMORY_KINDS] = {
	[MEMORY_KIND_UNKNOWN] = "unknown", [MEMORY_KIND_PAGEABLE] = "pageable",
	[MEMORY_KIND_PINNED] = "pinned",   [MEMORY_KIND_DEVICE] = "device",
	[MEMORY_KIND_ARRAY] = "array",	   [MEMORY_KIND_MANAGED] = "managed",
	[MEMORY_KIND_STATIC] = "static",   [MEMORY_KIND_PIPE] = "pipe",
};

void advice_put_object(struct strbuf *to, struct advice *advice, const struct object *object,
		       size_t room)
{
	uint16_t memory = object->memory < MEMORY_KINDS ? object->memory : MEMORY_KIND_UNKNOWN;
	size_t start = to->length, length;
	const char *name;

	strbuf_printf(to, "#%u %s", object->number, advice_memories[memory]);
	name = names_text(advice->catalog->names, object->name, &length);
	if (object->name && length) {
		strbuf_char(to, ' ');
		escape_put(to, name, length, ESCAPE_SHOWN);
	}
	put_kernel(to, advice, object);
	label_shorten(to, start, room);
}

const char *advice_caller(const struct advice *advice, uint32_t stack, size_t *length)
{
	return advice->callers && stack ? caller_names_get(advice->callers, stack, length) : NULL;
}

void advice_put_caller(struct strbuf *to, const struct advice *advice, const struct object *object)
{
	size_t length;
	const char *name = advice_caller(advice, object->stack, &length);

	if (name)
		strbuf_append(to, name, length);
}

const struct context *advice_context(const struct advice *advice, uint32_t place)
{
	uint32_t number = place % DEVICE_PLACES;

	return number ? catalog_context(advice->catalog, number - 1) : NULL;
}

void advice_put_place(struct strbuf *to, const struct advice *advice, uint32_t place)
{
	const struct context *context = advice_context(advice, place);

	if (context) {
		strbuf_printf(to, "%s context %u on ", api_row(context->api)->name,
			      context->index);
		label_device(to, advice->catalog, context->device);
	} else {
		strbuf_string(to, "unknown context");
	}
	if (place >= DEVICE_PLACES)
		strbuf_string(to, ", memory of the host");
}

const struct memory_place *advice_place(const struct advice *advice, uint32_t *number)
{
	for (; *number < MEMORY_PLACES; (*number)++)
		if (*number % DEVICE_PLACES <= advice->catalog->context_count &&
		    advice->objects.places[*number].is_used)
			return &advice->objects.places[*number];
	return NULL;
}
