/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_STACKFRAMES_H
#define TESTS_UNIT_STACKFRAMES_H

/* STACK and MODULE frames for tests. */
#include <string.h>

#include "base/strbuf.h"
#include "model/frames.h"

static inline void put_module(struct strbuf *to, uint32_t id, const char *path,
			      const void *build_id, uint32_t build_id_length)
{
	uint32_t length = (uint32_t)strlen(path);
	struct module_frame frame = {
		.frame = {.size = (uint32_t)(sizeof(frame) + length + 7) / 8 * 8,
			  .kind = FRAME_MODULE},
		.id = id,
		.length = length,
		.build_id_length = build_id_length,
	};
	size_t end = to->length + frame.frame.size;

	memcpy(frame.build_id, build_id, build_id_length);
	strbuf_append(to, &frame, sizeof(frame));
	strbuf_append(to, path, length);
	while (to->length < end && !to->failed)
		strbuf_char(to, '\0');
}

static inline void put_node(struct strbuf *to, const struct stack_frame *node)
{
	struct stack_frame frame = *node;

	frame.frame.size = sizeof(frame);
	frame.frame.kind = FRAME_STACK;
	strbuf_append(to, &frame, sizeof(frame));
}

#endif
