/* SPDX-License-Identifier: MIT */
/* The advice for machines: JSON, as doc/FORMAT has it. */
#include "view/advise/advice_json.h"

#include <string.h>

#include "model/amount.h"
#include "model/api.h"
#include "output/jsontext.h"
#include "view/advise/flow_json.h"
#include "view/format/json_command.h"

static void put_text(struct strbuf *to, const char *key, const char *text, size_t length)
{
	strbuf_printf(to, ", \"%s\": ", key);
	if (length)
		json_name(to, text, length);
	else
		strbuf_string(to, "null");
}

/* Appends the names of the kinds in the set as a list. */
static void put_kinds(struct strbuf *to, const char *key, unsigned set)
{
	const char *between = "";

	strbuf_printf(to, ",\n \"%s\": [", key);
	for (int kind = 0; kind < FINDING_KINDS; kind++) {
		if (!(set & 1u << kind))
			continue;
		strbuf_printf(to, "%s\"%s\"", between, finding_words[kind]);
		between = ", ";
	}
	strbuf_char(to, ']');
}

static void put_notes(struct strbuf *to, const char *notes)
{
	const char *at = notes, *end, *between = "";

	strbuf_string(to, ",\n \"warnings\": [");
	for (; (end = strchr(at, '\n')); at = end + 1) {
		strbuf_string(to, between);
		json_name(to, at, (size_t)(end - at));
		between = ", ";
	}
	strbuf_char(to, ']');
}

static void put_place(struct strbuf *to, const struct advice *advice, uint32_t number,
		      const struct memory_place *place)
{
	const struct context *context = advice_context(advice, number);
	const struct device *device =
		context ? catalog_device(advice->catalog, context->device) : NULL;
	bool limits = advice_has(advice, FINDING_EARLY);

	strbuf_string(to, "{\"context\": ");
	if (context)
		strbuf_printf(to, "%u, \"api\": \"%s\"", context->index,
			      api_row(context->api)->name);
	else
		strbuf_string(to, "null, \"api\": null");
	json_add_known(to, "device", device ? device->number : 0, device);
	put_text(to, "device_name", device ? device->name : "", device ? strlen(device->name) : 0);
	strbuf_printf(to, ", \"memory\": \"%s\"", number < DEVICE_PLACES ? "device" : "host");
	json_add_number(to, "peak_bytes", place->peak);
	json_add_number(to, "peak_ns", amount_between(advice->origin, place->peak_time));
	json_add_number(to, "peak_objects", place->peak_objects);
	json_add_known(to, "needed_bytes", place->needed_peak, limits);
	json_add_known(to, "in_use_bytes", place->active_peak, limits);
	strbuf_char(to, '}');
}

static void put_places(struct strbuf *to, const struct advice *advice)
{
	const struct memory_place *place;
	const char *between = "\n  ";

	strbuf_string(to, ",\n \"peaks\": [");
	for (uint32_t i = 0; (place = advice_place(advice, &i)); i++) {
		strbuf_string(to, between);
		put_place(to, advice, i, place);
		between = ",\n  ";
	}
	strbuf_string(to, "\n ]");
}

static void put_use(struct strbuf *to, const struct advice *advice, const char *key,
		    const struct use_place *use, uint64_t time)
{
	static const char *const kinds[] = {"kernel", "copy", "fill"};
	bool known = use->kind >= FRAME_KERNEL && use->kind <= FRAME_FILL;
	const char *name;
	size_t length;

	strbuf_printf(to, ", \"%s\": {\"ns\": ", key);
	json_number(to, amount_between(advice->origin, time));
	strbuf_printf(to, ", \"kind\": \"%s\"", known ? kinds[use->kind - FRAME_KERNEL] : "call");
	if (use->kind == FRAME_KERNEL) {
		name = names_text(advice->catalog->names, use->name, &length);
		put_text(to, "name", name, length);
		json_add_known(to, "argument", use->argument, use->argument != USE_NO_ARGUMENT);
	}
	strbuf_char(to, '}');
}

static void put_life(struct strbuf *to, const struct advice *advice, const struct object *object)
{
	const struct life *life = object_life(object);

	json_add_number(to, "uses", object->lives[LIFE_ALL].uses);
	json_add_number(to, "device_uses", object->lives[LIFE_DEVICE].uses);
	if (!life)
		return;
	put_use(to, advice, "first_use", &object->first_use, life->first);
	put_use(to, advice, "last_use", &object->last_use, life->last);
}

static void put_object(struct strbuf *to, const struct advice *advice, const struct object *object)
{
	const struct context *context = catalog_context(advice->catalog, object->context);
	uint16_t memory = object->memory < MEMORY_KINDS ? object->memory : MEMORY_KIND_UNKNOWN;
	struct strbuf caller = STRBUF_INIT;
	size_t length;
	const char *name = names_text(advice->catalog->names, object->name, &length);

	strbuf_printf(to, "{\"object\": %u, \"api\": \"%s\", \"memory\": \"%s\"", object->number,
		      api_row(object->api)->name, advice_memories[memory]);
	json_add_known(to, "context", context ? context->index : 0, context);
	put_text(to, "name", name, object->name ? length : 0);
	strbuf_string(to, ", \"address\": \"");
	json_hex(to, object->address);
	strbuf_char(to, '"');
	json_add_number(to, "bytes", object->bytes);
	json_add_number(to, "allocated_ns", amount_between(advice->origin, object->allocated));
	json_add_known(to, "released_ns", amount_between(advice->origin, object->released),
		       object->flags & OBJECT_RELEASED);
	strbuf_printf(to, ", \"at_peak\": %s",
		      object->flags & OBJECT_AT_PEAK ? "true" : "false");
	advice_put_caller(&caller, advice, object);
	strbuf_string(to, ", \"caller\": ");
	if (caller.length)
		json_escaped(to, caller.data, caller.length);
	else
		strbuf_string(to, "null");
	strbuf_free(&caller);
	put_life(to, advice, object);
	strbuf_char(to, '}');
}

static void put_finding(struct strbuf *to, const struct advice *advice,
			const struct finding *finding)
{
	const struct object *list = advice->objects.list, *object = &list[finding->object];
	double memory = advice->findings.memory;

	strbuf_printf(to, "{\"kind\": \"%s\", \"object\": %u, \"assumed\": %s",
		      finding_words[finding->kind], object->number,
		      finding->is_assumed ? "true" : "false");
	json_add_number(to, "bytes", object->bytes);
	json_add_number(to, "time_ns", finding->time);
	json_add_known(to, "commands", finding->commands, finding->has_commands);
	strbuf_printf(to, ", \"waste_percent\": ");
	json_real(to, memory > 0 ? 100 * finding->waste / memory : 0);
	if (finding->kind == FINDING_REDUNDANT)
		json_add_number(to, "reuses", list[object->reuses].number);
	strbuf_char(to, '}');
}

void advice_put_json(struct strbuf *to, struct advice *advice)
{
	uint32_t pid = advice->catalog->process.pid;

	strbuf_string(to, "{\"process\": ");
	if (pid)
		strbuf_decimal(to, pid);
	else
		strbuf_string(to, "null");
	json_command_put(to, &advice->catalog->process);
	json_add_number(to, "uses", advice->objects.uses);
	json_add_number(to, "kernels", advice->objects.kernels);
	json_add_number(to, "idle_kernels", advice->objects.idle);
	put_kinds(to, "left_out", advice->limits.left_out);
	put_kinds(to, "left_out_unreleased", advice->limits.left_out | advice->limits.open_ones);
	put_notes(to, advice->notes);
	put_places(to, advice);
	strbuf_string(to, ",\n \"findings\": [");
	for (size_t i = 0; i < advice->findings.count; i++) {
		strbuf_string(to, i ? ",\n  " : "\n  ");
		put_finding(to, advice, &advice->findings.list[i]);
	}
	strbuf_string(to, "\n ],\n \"objects\": [");
	for (uint32_t i = 0; i < advice->objects.count; i++) {
		strbuf_string(to, i ? ",\n  " : "\n  ");
		put_object(to, advice, advice_object(advice, i));
	}
	strbuf_string(to, "\n ]");
	flow_put_json(to, advice);
	source_lines_put_json(to, advice);
	strbuf_char(to, '}');
}
