/* SPDX-License-Identifier: MIT */
#ifndef VIEW_OTF2_OTF2_DEFINITIONS_H
#define VIEW_OTF2_OTF2_DEFINITIONS_H

#include "base/names.h"
#include "base/strbuf.h"
#include "model/catalog.h"
#include "view/otf2/libotf2.h"

/*
 * The definitions of an archive: what its events refer to by numbers, which count up from 0. They
 * are collected in memory and written last. Texts are numbers of `texts`, 0 for no text.
 *
 * Without memory `failed` is set, and the numbers are not valid.
 */

/* A host: a boot of a machine. */
struct otf2_node {
	uint32_t name;
	uint8_t boot[PROCESS_BOOT];
};

/* A process, or a device in it. */
struct otf2_group {
	uint32_t name;
	uint32_t node;
	uint32_t creator; /* the process; OTF2_NONE: it is one */
};

/* The name of kernels, copies, calls and so on. */
struct otf2_region {
	uint32_t name;
	uint32_t canonical; /* as the compiler has it */
	uint32_t category;
	uint8_t role, paradigm;
};

struct otf2_attribute {
	uint32_t name;
	uint8_t type; /* enum otf2_type */
};

/* A track of the timeline. */
struct otf2_location {
	uint32_t name;
	uint32_t group;
	uint8_t type;	 /* enum otf2_location_type */
	uint64_t rank;	 /* sort key within the group */
	uint64_t events; /* enters, leaves and values; set when these are written */
	uint32_t number; /* this and `metric` are set by otf2_definitions_sort */
	uint32_t metric; /* OTF2_METRICS: the instance that its values belong to */
};

struct otf2_definitions {
	struct names *texts;
	struct names *keys; /* of regions, and of attributes */
	struct names *attribute_keys;
	struct strbuf scratch;
	/* Arrays of the structs above. */
	struct strbuf nodes, groups, regions, attributes, locations;
	struct strbuf order; /* uint32_t: indexes of the locations, by number */
	bool failed;
};

/* Returns -1 without memory; then it is freed. */
int otf2_definitions_open(struct otf2_definitions *definitions);
void otf2_definitions_close(struct otf2_definitions *definitions);

/* Each returns the text, which ends after OTF2_TEXT_MOST bytes. Dangerous bytes are written as \xNN
 * by otf2_text; otf2_escaped is for what has none. */
enum { OTF2_TEXT_MOST = 1 << 16 };
uint32_t otf2_text(struct otf2_definitions *definitions, const char *text, size_t length);
uint32_t otf2_escaped(struct otf2_definitions *definitions, const struct strbuf *text);

/* Each adds a definition, unless it is there, and returns its number. */
uint32_t otf2_add_node(struct otf2_definitions *definitions, const struct process *process);
uint32_t otf2_add_region(struct otf2_definitions *definitions, const struct otf2_region *region);
uint32_t otf2_add_attribute(struct otf2_definitions *definitions, const char *name, size_t length,
			    enum otf2_type type);

/* Each adds a new one and returns its number. */
uint32_t otf2_add_group(struct otf2_definitions *definitions, const struct otf2_group *group);
uint32_t otf2_add_location(struct otf2_definitions *definitions,
			   const struct otf2_location *location);

struct otf2_location *otf2_locations(const struct otf2_definitions *definitions, size_t *count);
enum otf2_type otf2_attribute_type(const struct otf2_definitions *definitions, uint32_t attribute);

/* Numbers the locations, and then their metrics, in the order in which viewers list them: by group,
 * then by rank. Returns -1 without memory. */
int otf2_definitions_sort(struct otf2_definitions *definitions);

/* The clock: nanoseconds since 1970. Without events `first` is UINT64_MAX. */
struct otf2_clock {
	uint64_t first, last;
};

/* Writes all of them. Errors are those of the library (otf2_heard). */
void otf2_definitions_write(struct otf2_definitions *definitions, struct otf2_global *writer,
			    const struct otf2_clock *clock);

#endif
