/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cupti_fake.h"

/* Device records that wait for the end of their command, also those that have a place in a buffer
 * (script.withhold). */

static struct pending {
	struct command command;
	uint32_t kind;
	struct buffer *buffer; /* NULL: it has no place */
	size_t at;
	int64_t number; /* of the record */
	struct pending *next;
} * pending, **pending_end = &pending;
static int64_t written; /* or dropped */
static size_t dropped;

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

static void spoil(struct command *command, uint32_t kind, int64_t number, bool is_over)
{
	if (!is_over || script_means(script.zero, number) ||
	    (script.graphzero && kind == CUPTI_KIND_KERNEL && command->graph)) {
		command->start = 0;
		command->end = 0;
	} else if (script_means(script.backwards, number)) {
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

/* Returns true if the record is one that the script drops. */
static bool is_dropped(void)
{
	written++;
	if (!script.drop || written % script.drop != 0)
		return false;
	dropped++;
	return true;
}

/* The record takes its place in the buffer of the thread that launches. */
static void reserve(struct pending *this)
{
	struct command command = this->command;
	uint8_t record[RECORD_SIZE];
	size_t size;

	command.start = command.end = 0;
	size = record_of_command(&command, this->kind, record);
	this->buffer = buffer_write(BUFFER_DEVICE, record, size);
	if (!this->buffer)
		return;
	this->number = written;
	this->at = this->buffer->used - size;
	this->buffer->incomplete++;
}

void pending_add(const struct command *command)
{
	struct pending *new = calloc(1, sizeof(*new));

	if (!new)
		abort();
	new->command = *command;
	new->kind = kind_of(command);
	if (script.withhold && new->kind && !is_dropped())
		reserve(new);
	*pending_end = new;
	pending_end = &new->next;
}

static void fill_in(struct pending *this, bool is_over)
{
	uint8_t record[RECORD_SIZE];
	size_t size;

	if (!this->buffer)
		return;
	spoil(&this->command, this->kind, this->number, is_over);
	make_stale(&this->command);
	size = record_of_command(&this->command, this->kind, record);
	memcpy(this->buffer->bytes + this->at, record, size);
	this->buffer->incomplete--;
}

static void write_down(struct command *command, bool is_over)
{
	uint8_t record[RECORD_SIZE];
	uint32_t kind = kind_of(command);

	if (!kind || is_dropped())
		return;
	spoil(command, kind, written, is_over);
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
		if (script.withhold)
			fill_in(this, this->command.due <= now);
		else
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
