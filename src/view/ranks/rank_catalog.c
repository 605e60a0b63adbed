/* SPDX-License-Identifier: MIT */
#include "view/ranks/rank_catalog.h"

#include <string.h>

#include "model/frames.h"

enum { NAME_MOST = 1000 /* bytes of a device's name */ };

int rank_catalog_open(struct rank_catalog *catalog)
{
	*catalog = (struct rank_catalog){0};
	return catalog_init(&catalog->merged);
}

static void forget_part(struct rank_catalog *catalog)
{
	strbuf_free(&catalog->names);
	strbuf_free(&catalog->device_ids);
	strbuf_free(&catalog->context_ids);
	strbuf_free(&catalog->counter_ids);
	strbuf_free(&catalog->module_ids);
	strbuf_free(&catalog->node_ids);
	map_free(&catalog->numbers);
}

void rank_catalog_close(struct rank_catalog *catalog)
{
	forget_part(catalog);
	map_free(&catalog->modules);
	map_free(&catalog->nodes);
	catalog_free(&catalog->merged);
}

void rank_catalog_begin(struct rank_catalog *catalog, const struct catalog *part, uint64_t rank)
{
	forget_part(catalog);
	catalog->part = part;
	catalog->rank = rank;
}

static int no_room(const char *what, struct strbuf *error)
{
	strbuf_printf(error, "a trace has no room for the %s of all processes", what);
	return -1;
}

/* Returns the place of an id in a table that grows with zeros; NULL without memory. */
static uint32_t *place_of(struct strbuf *table, uint32_t id)
{
	size_t needed = ((size_t)id + 1) * sizeof(id);
	char *more;

	if (needed > table->length) {
		more = strbuf_reserve(table, needed - table->length);
		if (!more)
			return NULL;
		memset(more, 0, needed - table->length);
		table->length = needed;
	}
	return (uint32_t *)(void *)table->data + id;
}

int rank_catalog_name(struct rank_catalog *catalog, uint32_t *id, struct strbuf *error)
{
	size_t length = 0;
	const char *text = *id ? names_text(catalog->part->names, *id, &length) : NULL;
	uint32_t *place;

	/* Only ids with a text have a place: others may be any number. */
	if (!text || !length) {
		*id = 0;
		return 0;
	}
	place = place_of(&catalog->names, *id);
	if (place && !*place) {
		*place = names_intern(catalog->merged.names, text, length) + 1;
		if (*place == 1)
			place = NULL;
	}
	if (!place)
		return no_room("names", error);
	*id = *place - 1;
	return 0;
}

/* A value of `numbers`: a new number, and whether a device of the merged catalog has it. */
enum { HAS_DEVICE = 1, NUMBER_SHIFT = 1 };

/* Sets the new number of a device. Devices of a part with one number have different new ones. */
static int set_number(struct rank_catalog *catalog, enum api api, uint32_t *number, bool has_device)
{
	uint64_t key = ((uint64_t)api << 32 | *number) + 1;
	uintptr_t known = (uintptr_t)map_get(&catalog->numbers, key);

	if (!known || (known & HAS_DEVICE && has_device))
		known = ((uintptr_t)catalog->devices[api]++ + 1) << NUMBER_SHIFT;
	known |= has_device ? HAS_DEVICE : 0;
	*number = (uint32_t)(known >> NUMBER_SHIFT) - 1;
	return map_set(&catalog->numbers, key, (void *)known);
}

/* Returns 1 + the id of the copy, or 0. */
static uint32_t copy_device(struct rank_catalog *catalog, const struct device *device)
{
	struct strbuf name = STRBUF_INIT;
	struct device copy = *device;
	int id = -1;

	strbuf_printf(&name, "rank %llu: %.*s", (unsigned long long)catalog->rank, NAME_MOST,
		      device->name);
	copy.name = strbuf_text(&name);
	if (!name.failed && !set_number(catalog, device->api, &copy.number, true))
		id = catalog_add_device(&catalog->merged, &copy);
	strbuf_free(&name);
	return (uint32_t)(id + 1);
}

int rank_catalog_device(struct rank_catalog *catalog, uint32_t *id, struct strbuf *error)
{
	const struct device *device = catalog_device(catalog->part, *id);
	uint32_t *place = device ? place_of(&catalog->device_ids, *id) : NULL;

	if (!device) {
		*id = UINT32_MAX;
		return 0;
	}
	if (place && !*place)
		*place = copy_device(catalog, device);
	if (!place || !*place)
		return no_room("devices", error);
	*id = *place - 1;
	return 0;
}

int rank_catalog_number(struct rank_catalog *catalog, enum api api, uint32_t *number,
			struct strbuf *error)
{
	const struct catalog *part = catalog->part;

	for (uint32_t id = 0; id < part->device_count; id++) {
		uint32_t own = id;

		if (part->devices[id].api != api || part->devices[id].number != *number)
			continue;
		if (rank_catalog_device(catalog, &own, error))
			return -1;
		*number = catalog->merged.devices[own].number;
		return 0;
	}
	return set_number(catalog, api, number, false) ? no_room("devices", error) : 0;
}

static uint32_t copy_context(struct rank_catalog *catalog, const struct context *context,
			     struct strbuf *error)
{
	struct context copy = *context;
	int id;

	copy.index = catalog->contexts[context->api];
	if (rank_catalog_device(catalog, &copy.device, error))
		return 0;
	id = catalog_add_context(&catalog->merged, &copy);
	if (id >= 0)
		catalog->contexts[context->api]++;
	return (uint32_t)(id + 1);
}

int rank_catalog_context(struct rank_catalog *catalog, uint32_t *id, struct strbuf *error)
{
	const struct context *context = catalog_context(catalog->part, *id);
	uint32_t *place = context ? place_of(&catalog->context_ids, *id) : NULL;

	if (!context) {
		*id = UINT32_MAX;
		return 0;
	}
	if (place && !*place)
		*place = copy_context(catalog, context, error);
	if (!place || !*place)
		return error->length ? -1 : no_room("contexts", error);
	*id = *place - 1;
	return 0;
}

int rank_catalog_counters(struct rank_catalog *catalog, uint32_t *id, struct strbuf *error)
{
	const struct counter_set *set = catalog_counters(catalog->part, *id);
	uint32_t *place = set ? place_of(&catalog->counter_ids, *id) : NULL;
	struct counter_set copy;

	if (place && !*place) {
		copy = *set;
		if (rank_catalog_device(catalog, &copy.device, error))
			return -1;
		*place = (uint32_t)(catalog_add_counters(&catalog->merged, &copy) + 1);
	}
	if (!place || !*place)
		return no_room("counters", error);
	*id = *place - 1;
	return 0;
}

static bool is_module(const struct stack_module *one, const struct stack_module *other)
{
	return one->length == other->length && !memcmp(one->path, other->path, one->length) &&
	       one->build_id_length == other->build_id_length &&
	       !memcmp(one->build_id, other->build_id, one->build_id_length);
}

static bool is_node(const struct stack_node *one, const struct stack_node *other)
{
	return one->parent == other->parent && one->module == other->module &&
	       one->name == other->name && one->exact == other->exact &&
	       one->offset == other->offset;
}

/* Returns the id of the module in `merged`, 0 for none and without room. */
static uint32_t merge_module(struct rank_catalog *catalog, uint32_t id)
{
	struct stacks *merged = &catalog->merged.stacks;
	const struct stack_module *module = stacks_module(&catalog->part->stacks, id);
	uint32_t *place = module ? place_of(&catalog->module_ids, id) : NULL;
	uint64_t key;
	uintptr_t known;

	if (!place)
		return 0;
	if (*place)
		return *place - 1;
	key = frames_hash(module->path, module->length) | 1;
	while ((known = (uintptr_t)map_get(&catalog->modules, key)) &&
	       !is_module(stacks_module(merged, (uint32_t)known), module))
		key += 2;
	if (!known)
		known = stacks_add_module(merged, module);
	*place = (uint32_t)known + 1;
	return map_set(&catalog->modules, key, (void *)known) ? 0 : (uint32_t)known;
}

/* Converts the members of a node other than its parent. */
static int convert_node(struct rank_catalog *catalog, struct stack_node *node, struct strbuf *error)
{
	uint32_t file = (uint32_t)(node->offset >> 32);

	node->module = merge_module(catalog, node->module);
	if (!node->name)
		return 0;
	if (rank_catalog_name(catalog, &node->name, error) ||
	    rank_catalog_name(catalog, &file, error))
		return -1;
	node->offset = (uint64_t)file << 32 | (uint32_t)node->offset;
	return 0;
}

/* Returns the id of the node in `merged`, 0 without room. */
static uint32_t merge_node(struct rank_catalog *catalog, const struct stack_node *node)
{
	struct stacks *merged = &catalog->merged.stacks;
	uint64_t words[3] = {(uint64_t)node->parent << 32 | node->module,
			     (uint64_t)node->name << 1 | node->exact, node->offset};
	uint64_t key = frames_hash((const char *)words, sizeof(words)) | 1;
	uintptr_t known;

	while ((known = (uintptr_t)map_get(&catalog->nodes, key)) &&
	       !is_node(stacks_node(merged, (uint32_t)known), node))
		key += 2;
	if (!known)
		known = stacks_add_node(merged, node);
	return map_set(&catalog->nodes, key, (void *)known) ? 0 : (uint32_t)known;
}

/* Callers have lower ids than the nodes that they call. */
int rank_catalog_stack(struct rank_catalog *catalog, uint32_t *id, struct strbuf *error)
{
	const struct stack_node *node;
	uint32_t *ids = *id ? place_of(&catalog->node_ids, *id) : NULL;
	uint32_t wanted = *id, first = *id;

	if (!*id)
		return 0;
	if (!ids)
		return no_room("call stacks", error);
	ids = (void *)catalog->node_ids.data;
	while (first > 1 && !ids[first - 1])
		first--;
	for (uint32_t i = first; i <= wanted && !ids[wanted]; i++) {
		struct stack_node copy;

		node = stacks_node(&catalog->part->stacks, i);
		copy = node ? *node : (struct stack_node){0};
		copy.parent = copy.parent ? ids[copy.parent] - 1 : 0;
		if (node && convert_node(catalog, &copy, error))
			return -1;
		/* A node whose caller has no place has none either. */
		ids[i] = 1 +
			 (node && (!node->parent || copy.parent) ? merge_node(catalog, &copy) : 0);
	}
	*id = ids[wanted] - 1;
	catalog->lost_stacks += !*id;
	return 0;
}
