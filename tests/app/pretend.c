/* SPDX-License-Identifier: MIT */
/*
 * A program with a pretended device: it records what a profiled process would, with the profiler's
 * own session linked in, and ends as it is told. For tests of the tool.
 *
 *	pretend [-n ROWS] [-d DEVICES] [-s] [-x CODE | -k SIGNAL | -w]
 *
 * -s: its first record never gets an answer from the device; -w: it says "ready" and waits for a
 * signal; else it ends with CODE. Without *_PROFILE=1 it records nothing.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/probe.h"
#include "session/session.h"

struct wishes {
	unsigned rows;
	unsigned devices;
	bool stuck;
	bool wait;
	int code;
	int signal;
};

static struct wishes wishes = {.rows = 3, .devices = 1};
static unsigned made;

/* Every command takes 1.5 us, one after the other. */
static int poll_device(struct record *record)
{
	const uint64_t epoch = UINT64_C(1500000000000000000);

	if (wishes.stuck && record->handle == 1)
		return 0;
	record->queued = record->submitted = epoch + record->handle * 2000;
	record->started = record->submitted + 100;
	record->ended = record->started + 1500;
	record->known |= KNOWN_TIMES;
	record->handle = 0;
	return 1;
}

static void release(struct record *record)
{
	record->handle = 0;
}

static void fill_in(struct record *record, unsigned row)
{
	record->device = row % wishes.devices;
	record->context = record->device;
	record->handle = row + 1;
	record->known = KNOWN_STREAM;
	if (record->frame.kind == FRAME_KERNEL) {
		record->name = session_name("saxpy", strlen("saxpy"));
		record->grid[0] = 50;
		record->grid[1] = record->grid[2] = 1;
		record->block[0] = 32;
		record->block[1] = record->block[2] = 1;
		record->known |= KNOWN_GRID;
		return;
	}
	record->bytes = 4096;
	record->source = MEMORY_HOST;
	record->target = MEMORY_DEVICE;
	record->frame.flags |= RECORD_ASYNCHRONOUS;
	record->known |= KNOWN_BYTES | KNOWN_DIRECTION;
}

/* A copy to the device, then kernels. */
static void make_record(unsigned row)
{
	struct probe probe;
	struct record *record;

	probe_begin(&probe);
	record = probe_record(&probe, row < wishes.devices ? FRAME_COPY : FRAME_KERNEL);
	if (record) {
		fill_in(record, row);
		probe_commit();
		made++;
	}
	probe_end(&probe);
}

static int attach(void)
{
	static const struct source source = {.poll = poll_device, .release = release};
	static struct settings settings;
	char name[32];

	settings_load(&settings, API_OPENCL);
	if (!settings.enabled || session_attach(API_OPENCL, &settings, &source))
		return -1;
	for (unsigned i = 0; i < wishes.devices; i++) {
		struct device device = {.api = API_OPENCL, .number = i, .name = name};
		struct context context = {.api = API_OPENCL, .index = i};

		snprintf(name, sizeof(name), "Pretended %u", i);
		context.device = session_device(&device);
		session_context(&context);
	}
	return 0;
}

static int take_arguments(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "n:d:sx:k:w")) != -1) {
		int number = optarg ? atoi(optarg) : 0;

		switch (option) {
		case 'n':
			wishes.rows = number;
			break;
		case 'd':
			wishes.devices = number;
			break;
		case 's':
			wishes.stuck = true;
			break;
		case 'x':
			wishes.code = number;
			break;
		case 'k':
			wishes.signal = number;
			break;
		case 'w':
			wishes.wait = true;
			break;
		default:
			return -1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (take_arguments(argc, argv))
		return 2;
	if (!attach())
		for (unsigned row = 0; row < wishes.rows; row++)
			make_record(row);
	if (wishes.wait) {
		printf("ready\n");
		fflush(stdout);
		pause();
	}
	if (wishes.signal)
		raise(wishes.signal);
	session_stop();
	session_end();
	printf("made %u\n", made);
	return wishes.code;
}
