/* SPDX-License-Identifier: MIT */
/*
 * marks SCENARIO: makes marks and prints the functions' results. Exits with 3 if marks are not
 * used.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

#include "marker.h"

/* Prints results in the order of the calls. */
static void say(int level)
{
	printf("%d ", level);
}

static struct nvtx_attributes text(const char *message)
{
	return (struct nvtx_attributes){.version = 3,
					.size = sizeof(struct nvtx_attributes),
					.message_type = NVTX_ASCII,
					.message.text = message};
}

static void simple(void)
{
	uint64_t one, other;

	mark("a moment");
	say(push("outer"));
	say(push("inner"));
	say(pop());
	say(pop());
	say(pop());
	one = start("one");
	other = start("other");
	printf("%d\n", one && other && one != other);
	end(one);
	end(other);
	end(0);
	end(12345); /* of no range */
	mark("");
	mark(NULL);
	mark("bad \xff\n\"name\"");
	mark_wide(L"\x20ac\x1f600\xd800\x7fffffff\xe4");
}

static void full(void)
{
	const void *mine = domain("mine"), *yours = domain("yours");
	struct nvtx_attributes all = text("all");
	struct nvtx_attributes old = {.version = 1, .size = 4};

	call_it(7, "seven");
	domain_name(mine, 7, "another seven");
	all.category = 7;
	all.color_type = NVTX_ARGB;
	all.color = 0x80112233;
	all.payload_type = NVTX_INT32;
	all.payload.int32 = -5;
	mark_ex(&all);
	all.payload_type = NVTX_FLOAT;
	all.payload.real32 = 0.5f;
	all.message_type = NVTX_REGISTERED;
	all.message.registered = reg(mine, "registered");
	domain_mark(mine, &all);
	all = text("pushed");
	say(domain_push(mine, &all));
	say(domain_push(yours, &all));
	say(push("plain"));
	say(domain_push(mine, &all));
	for (int i = 0; i < 3; i++)
		say(domain_pop(mine));
	say(domain_pop(yours));
	say(pop());
	say(domain_push(mine, &old));
	say(domain_push(mine, NULL));
	all.payload_type = NVTX_UINT64;
	all.payload.uint64 = UINT64_MAX;
	domain_end(mine, domain_start(mine, &all));
	mark_ex(NULL);
}

enum { DEEP = 70000 };

static void deep(void)
{
	int levels = 0, popped = 0;

	for (int i = 0; i < DEEP; i++)
		levels += push("deep") == i;
	while (pop() >= 0)
		popped++;
	printf("%d %d\n", levels, popped);
}

/* Makes distinct texts. */
static void flood(void)
{
	char message[32];

	for (int i = 0; i < 600000; i++) {
		snprintf(message, sizeof(message), "turn %d", i);
		mark(message);
	}
	mark("turn 5");
}

/* Returns the resident memory in KiB. */
static long resident(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[128];
	long size = 0;

	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "VmRSS: %ld", &size);
	if (file)
		fclose(file);
	return size;
}

/* Makes distinct texts of `length` bytes and repeats the last one. Prints by how many MiB the
 * process has grown. */
static void many(int count, size_t length)
{
	char *message = malloc(length + 1);
	long before;

	memset(message, 'x', length);
	message[length] = '\0';
	before = resident();
	for (int i = 0; i < count; i++) {
		char digits[16];

		snprintf(digits, sizeof(digits), "%08d", i);
		memcpy(message, digits, 8);
		mark(message);
	}
	mark(message);
	printf("%ld\n", (resident() - before) >> 10);
	free(message);
}

static void longs(void)
{
	many(30000, 8000);
}

static void idle(void)
{
	many(600000, 400);
}

/* Characters of three bytes at the limit: one text that is kept whole, and two that are cut. */
static void cuts(void)
{
	static const size_t lengths[] = {4095, 4098, 4998};
	char message[5000];

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		for (size_t at = 0; at < lengths[i]; at += 3)
			memcpy(message + at, "\xe2\x82\xac", 3);
		message[lengths[i]] = '\0';
		mark(message);
	}
}

static void *thread(void *argument)
{
	uint64_t *range = argument;

	if (*range) {
		end(*range);
		return NULL;
	}
	for (int i = 0; i < 1000; i++) {
		push("of a thread");
		pop();
	}
	push("never popped");
	*range = start("across");
	return NULL;
}

static void threads(void)
{
	enum { THREADS = 8 };
	pthread_t made[THREADS];
	uint64_t ranges[THREADS] = {0};

	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < THREADS; i++)
			pthread_create(&made[i], NULL, thread, &ranges[i]);
		for (int i = 0; i < THREADS; i++)
			pthread_join(made[i], NULL);
	}
}

static void child(void)
{
	push("around");
	if (!fork()) {
		push("in the child");
		for (int i = 0; i < 3; i++)
			say(pop());
		exit(0);
	}
	wait(NULL);
	say(pop());
	say(pop());
}

static void killed(void)
{
	for (int i = 0; i < 5000; i++) {
		push("before the end");
		pop();
	}
	raise(SIGKILL);
}

static const struct {
	const char *name;
	void (*run)(void);
} scenarios[] = {
	{"simple", simple}, {"full", full},   {"deep", deep}, {"flood", flood},
	{"long", longs},    {"idle", idle},   {"cuts", cuts},
	{"threads", threads}, {"fork", child}, {"killed", killed},
};

int main(int count, char **arguments)
{
	int refused;

	setvbuf(stdout, NULL, _IONBF, 0);
	refused = marker_load();
	if (refused)
		return refused;
	for (size_t i = 0; count > 1 && i < sizeof(scenarios) / sizeof(scenarios[0]); i++)
		if (!strcmp(scenarios[i].name, arguments[1]))
			scenarios[i].run();
	return 0;
}
