/* SPDX-License-Identifier: MIT */
#include "view/otf2/otf2_definitions.h"

#include <stdlib.h>
#include <string.h>

#include "output/escape.h"
#include "view/format/system.h"

enum { RESOLUTION = 1000000000 /* ticks of a second */ };

/* Returns the number of the entry of an array of structs of this size. */
static uint32_t add(struct otf2_definitions *definitions, struct strbuf *array, const void *entry,
		    size_t size)
{
	size_t before = array->length;

	strbuf_append(array, entry, size);
	definitions->failed |= array->failed;
	return (uint32_t)(before / size);
}

int otf2_definitions_open(struct otf2_definitions *definitions)
{
	*definitions = (struct otf2_definitions){
		.texts = names_new(), .keys = names_new(), .attribute_keys = names_new()};
	if (definitions->texts && definitions->keys && definitions->attribute_keys)
		return 0;
	otf2_definitions_close(definitions);
	return -1;
}

void otf2_definitions_close(struct otf2_definitions *definitions)
{
	struct strbuf *const arrays[] = {&definitions->scratch,	   &definitions->nodes,
					 &definitions->groups,	   &definitions->regions,
					 &definitions->attributes, &definitions->locations,
					 &definitions->order};

	if (definitions->texts)
		names_free(definitions->texts);
	if (definitions->keys)
		names_free(definitions->keys);
	if (definitions->attribute_keys)
		names_free(definitions->attribute_keys);
	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
		strbuf_free(arrays[i]);
	*definitions = (struct otf2_definitions){0};
}

static uint32_t intern(struct otf2_definitions *definitions, struct names *names, const char *text,
		       size_t length)
{
	uint32_t id = names_intern(names, text, length);

	definitions->failed |= !id;
	return id;
}

uint32_t otf2_escaped(struct otf2_definitions *definitions, const struct strbuf *text)
{
	size_t length = text->length;

	definitions->failed |= text->failed;
	if (length > OTF2_TEXT_MOST) {
		length = OTF2_TEXT_MOST;
		while (length && (text->data[length] & 0xc0) == 0x80) /* inside a character */
			length--;
	}
	return length ? intern(definitions, definitions->texts, text->data, length) : 0;
}

uint32_t otf2_text(struct otf2_definitions *definitions, const char *text, size_t length)
{
	struct strbuf *scratch = &definitions->scratch;

	scratch->length = 0;
	escape_put(scratch, text, length, ESCAPE_TEXT);
	return otf2_escaped(definitions, scratch);
}

static uint32_t text_of(struct otf2_definitions *definitions, const char *text)
{
	return otf2_text(definitions, text, strlen(text));
}

/* Only this machine's name is known. */
static uint32_t name_node(struct otf2_definitions *definitions, const struct process *process,
			  uint32_t number)
{
	struct strbuf name = STRBUF_INIT;
	uint32_t text;

	if (!system_has_run(process) || system_put_node(&name))
		strbuf_printf(&name, "host %u", number + 1);
	text = otf2_escaped(definitions, &name);
	strbuf_free(&name);
	return text;
}

uint32_t otf2_add_node(struct otf2_definitions *definitions, const struct process *process)
{
	struct otf2_node node;
	uint32_t count = (uint32_t)(definitions->nodes.length / sizeof(node));

	for (uint32_t i = 0; i < count; i++) {
		memcpy(&node, definitions->nodes.data + i * sizeof(node), sizeof(node));
		if (!memcmp(node.boot, process->boot, sizeof(node.boot)))
			return i;
	}
	node.name = name_node(definitions, process, count);
	memcpy(node.boot, process->boot, sizeof(node.boot));
	return add(definitions, &definitions->nodes, &node, sizeof(node));
}

uint32_t otf2_add_region(struct otf2_definitions *definitions, const struct otf2_region *region)
{
	uint32_t key[] = {region->name, region->canonical, region->category,
			  (uint32_t)region->role << 8 | region->paradigm};
	uint32_t id = intern(definitions, definitions->keys, (const char *)key, sizeof(key));

	if (id > definitions->regions.length / sizeof(*region))
		add(definitions, &definitions->regions, region, sizeof(*region));
	return id - 1;
}

uint32_t otf2_add_attribute(struct otf2_definitions *definitions, const char *name, size_t length,
			    enum otf2_type type)
{
	const struct otf2_attribute attribute = {.name = otf2_text(definitions, name, length),
						 .type = (uint8_t)type};
	uint32_t key[] = {attribute.name, attribute.type};
	uint32_t id =
		intern(definitions, definitions->attribute_keys, (const char *)key, sizeof(key));

	if (id > definitions->attributes.length / sizeof(attribute))
		add(definitions, &definitions->attributes, &attribute, sizeof(attribute));
	return id - 1;
}

enum otf2_type otf2_attribute_type(const struct otf2_definitions *definitions, uint32_t attribute)
{
	const struct otf2_attribute *attributes = (void *)definitions->attributes.data;

	return (enum otf2_type)attributes[attribute].type;
}

uint32_t otf2_add_group(struct otf2_definitions *definitions, const struct otf2_group *group)
{
	return add(definitions, &definitions->groups, group, sizeof(*group));
}

uint32_t otf2_add_location(struct otf2_definitions *definitions,
			   const struct otf2_location *location)
{
	return add(definitions, &definitions->locations, location, sizeof(*location));
}

struct otf2_location *otf2_locations(const struct otf2_definitions *definitions, size_t *count)
{
	*count = definitions->locations.length / sizeof(struct otf2_location);
	return (void *)definitions->locations.data;
}

static int by_place(const void *left, const void *right)
{
	const struct otf2_location *one = *(struct otf2_location *const *)left;
	const struct otf2_location *other = *(struct otf2_location *const *)right;

	if (one->group != other->group)
		return one->group < other->group ? -1 : 1;
	if (one->rank != other->rank)
		return one->rank < other->rank ? -1 : 1;
	return one < other ? -1 : one > other; /* of one array */
}

int otf2_definitions_sort(struct otf2_definitions *definitions)
{
	size_t count;
	struct otf2_location *locations = otf2_locations(definitions, &count);
	struct otf2_location **order = calloc(count + 1, sizeof(struct otf2_location *));
	uint32_t metrics = 0;

	if (!order)
		return -1;
	for (size_t i = 0; i < count; i++)
		order[i] = &locations[i];
	qsort(order, count, sizeof(struct otf2_location *), by_place);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t index = (uint32_t)(order[i] - locations);

		order[i]->number = i;
		order[i]->metric = metrics + 1;
		metrics += order[i]->type == OTF2_METRICS ? 2 : 0;
		strbuf_append(&definitions->order, &index, sizeof(index));
	}
	free(order);
	return definitions->order.failed ? -1 : 0;
}

/* The metric has the location's name: a class with one member, and an instance that tells whose
 * memory it is. Classes and instances are numbered together. */
static void write_metric(struct otf2_definitions *definitions, struct otf2_global *writer,
			 const struct otf2_location *location)
{
	uint32_t class = location->metric - 1, member = class / 2;

	otf2.GlobalDefWriter_WriteMetricMember(writer, member, location->name, 0, OTF2_METRIC_OTHER,
					       OTF2_METRIC_FROM_NOW_ON, OTF2_UINT64, OTF2_BINARY, 0,
					       text_of(definitions, "bytes"));
	otf2.GlobalDefWriter_WriteMetricClass(writer, class, 1, &member, OTF2_ASYNCHRONOUS,
					      OTF2_ABSTRACT);
	otf2.GlobalDefWriter_WriteMetricInstance(writer, location->metric, class, location->number,
						 OTF2_SCOPE_GROUP_OF_LOCATIONS, location->group);
}

static void write_texts(struct otf2_definitions *definitions, struct otf2_global *writer)
{
	uint32_t count = names_count(definitions->texts);
	size_t length;

	otf2.GlobalDefWriter_WriteString(writer, 0, "");
	for (uint32_t id = 1; id <= count; id++)
		otf2.GlobalDefWriter_WriteString(writer, id,
						 names_text(definitions->texts, id, &length));
}

static void write_nodes(struct otf2_definitions *definitions, struct otf2_global *writer,
			uint32_t machine, uint32_t host)
{
	const struct otf2_node *nodes = (void *)definitions->nodes.data;
	uint32_t count = (uint32_t)(definitions->nodes.length / sizeof(*nodes));

	otf2.GlobalDefWriter_WriteSystemTreeNode(writer, 0, machine, machine, OTF2_NONE);
	for (uint32_t i = 0; i < count; i++)
		otf2.GlobalDefWriter_WriteSystemTreeNode(writer, i + 1, nodes[i].name, host, 0);
}

static void write_groups(struct otf2_definitions *definitions, struct otf2_global *writer)
{
	const struct otf2_group *groups = (void *)definitions->groups.data;
	uint32_t count = (uint32_t)(definitions->groups.length / sizeof(*groups));

	for (uint32_t i = 0; i < count; i++) {
		const struct otf2_group *group = &groups[i];

		otf2.GlobalDefWriter_WriteLocationGroup(
			writer, i, group->name,
			group->creator == OTF2_NONE ? OTF2_PROCESS : OTF2_ACCELERATOR,
			group->node + 1, group->creator);
	}
}

static void write_regions(struct otf2_definitions *definitions, struct otf2_global *writer)
{
	const struct otf2_region *regions = (void *)definitions->regions.data;
	const struct otf2_attribute *attributes = (void *)definitions->attributes.data;
	uint32_t count = (uint32_t)(definitions->regions.length / sizeof(*regions));

	for (uint32_t i = 0; i < count; i++) {
		const struct otf2_region *region = &regions[i];

		otf2.GlobalDefWriter_WriteRegion(writer, i, region->name, region->canonical,
						 region->category, region->role, region->paradigm,
						 0, 0, 0, 0);
	}
	count = (uint32_t)(definitions->attributes.length / sizeof(*attributes));
	for (uint32_t i = 0; i < count; i++)
		otf2.GlobalDefWriter_WriteAttribute(writer, i, attributes[i].name, 0,
						    attributes[i].type);
}

static void write_locations(struct otf2_definitions *definitions, struct otf2_global *writer)
{
	size_t count;
	const struct otf2_location *locations = otf2_locations(definitions, &count);
	const uint32_t *order = (void *)definitions->order.data;

	for (size_t i = 0; i < count; i++) {
		const struct otf2_location *location = &locations[order[i]];

		otf2.GlobalDefWriter_WriteLocation(writer, location->number, location->name,
						   location->type, location->events,
						   location->group);
		if (location->type == OTF2_METRICS)
			write_metric(definitions, writer, location);
	}
}

void otf2_definitions_write(struct otf2_definitions *definitions, struct otf2_global *writer,
			    const struct otf2_clock *clock)
{
	bool empty = clock->first == UINT64_MAX;
	uint32_t machine = text_of(definitions, "machine"), host = text_of(definitions, "node");

	text_of(definitions, "bytes");
	otf2.GlobalDefWriter_WriteClockProperties(writer, RESOLUTION, empty ? 0 : clock->first,
						  empty ? 0 : clock->last - clock->first,
						  empty ? OTF2_NO_NUMBER : clock->first);
	write_texts(definitions, writer);
	write_nodes(definitions, writer, machine, host);
	write_groups(definitions, writer);
	write_regions(definitions, writer);
	write_locations(definitions, writer);
}
