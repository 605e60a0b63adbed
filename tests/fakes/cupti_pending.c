/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "cupti_fake.h"

/* Device records that wait for the end of their command. */

static struct pending {
	struct command command;
	struct pending *next;
} * pending, **pending_end = &pending;
static int64_t written; /* or dropped */
static size_t dropped;

void pending_add(const struct command *command)
{
	struct pending *new = calloc(1, sizeof(*new));

	if (!new)
		abort();
	new->command = *command;
	*pending_end = new;
	pending_end = &new->next;
}

/* 0: no record is requested. */
static uint32_t kind_of(const struct command *command)
{
	uint32_t kind = 0;

	switch (command->kind) {
	case COMMAND_KERNEL:
		kind = cupti_kind_is_on(CUPTI_KIND_CONCURRENT_KERNEL, command->context)
			       ? CUPTI_KIND_CONCURRENT_KERNEL
			       : CUPTI_KIND_KERNEL;
		break;
	case COMMAND_COPY:
		kind = CUPTI_KIND_MEMCPY;
		break;
	case COMMAND_PEER:
		kind = CUPTI_KIND_MEMCPY_PEER;
		break;
	case COMMAND_SET:
		kind = CUPTI_KIND_MEMSET;
		break;
	}
	return cupti_kind_is_on(kind, command->context) ? kind : 0;
}

static void spoil(struct command *command, uint32_t kind, bool is_over)
{
	if (!is_over || script_means(script.zero, written) ||
	    (script.graphzero && kind == CUPTI_KIND_KERNEL && command->graph)) {
		command->start = 0;
		command->end = 0;
	} else if (script_means(script.backwards, written)) {
		command->end = command->start - 50;
	}
}

/* NVIDIA does not say which ids are wrong in the sessions after the first, before CUDA 13.1 Update
 * 1; these are those of the first one. */
static void make_stale(struct command *command)
{
	enum { GRAPHS = 64 };
	static uint32_t firsts[GRAPHS];
	uint32_t *first = &firsts[command->graph % GRAPHS];

	if (!script.stalegraph || !command->graph || command->kind != COMMAND_KERNEL)
		return;
	if (!*first)
		*first = command->correlation;
	else if (cupti_sessions() > 1)
		command->correlation = *first;
}

static void write_down(struct command *command, bool is_over)
{
	uint8_t record[RECORD_SIZE];
	uint32_t kind = kind_of(command);

	if (!kind)
		return;
	written++;
	if (script.drop && written % script.drop == 0) {
		dropped++;
		return;
	}
	spoil(command, kind, is_over);
	make_stale(command);
	buffer_write(BUFFER_DEVICE, record, record_of_command(command, kind, record));
}

void pending_collect(bool forced)
{
	uint64_t now;

	if (!pending)
		return;
	now = cupti_driver()->clock();
	for (struct pending **at = &pending; *at;) {
		struct pending *this = *at;

		if (this->command.due > now && !forced) {
			if (script.inorder)
				return;
			at = &this->next;
			continue;
		}
		*at = this->next;
		if (!this->next)
			pending_end = at;
		write_down(&this->command, this->command.due <= now);
		free(this);
	}
}

void pending_forget(const char *from, const char *to)
{
	for (struct pending *this = pending; this; this = this->next)
		if (this->command.name >= from && this->command.name < to)
			this->command.name = "garbage";
}

size_t pending_dropped(void)
{
	size_t now = dropped;

	dropped = 0;
	return now;
}
