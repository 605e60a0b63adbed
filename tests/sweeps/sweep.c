/* SPDX-License-Identifier: MIT */
/*
 * sweep KIND ERROR EVERY FAILING LIBRARY PROGRAM [ARGUMENT]...
 * Runs the program, profiled by LIBRARY, repeatedly: the first call of the profiler fails, then the
 * second one, up to its last call (or only every EVERYth). KIND is system or memory, see failing.h;
 * ERROR is the name of an error, "short" for writes of half the bytes, and ends in + if all later
 * calls fail, too. Prints errors, and on stderr the number of calls.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "failing.h"
#include "sweep.h"

enum { MOST_WRONG = 1000 };

static struct failing *failing;

static const struct {
	const char *name;
	int error;
} errors[] = {
	{"ENOSPC", ENOSPC}, {"EIO", EIO},	{"EINTR", EINTR}, {"EAGAIN", EAGAIN},
	{"EDQUOT", EDQUOT}, {"EMFILE", EMFILE}, {"EPERM", EPERM}, {"ENOMEM", ENOMEM},
	{"short", SHORT_WRITE},
};

static void read_error(const char *text)
{
	size_t length = strcspn(text, "+");

	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (strlen(errors[i].name) == length && !strncmp(errors[i].name, text, length))
			failing->error = errors[i].error;
	failing->ever = text[length] == '+';
	if (!failing->error)
		exit(EXIT_FAILURE);
}

static void open_failing(void)
{
	char path[4096];
	int fd = open("failing", O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || ftruncate(fd, sizeof(*failing)) || !realpath("failing", path) ||
	    setenv("FAILING", path, 1))
		exit(EXIT_FAILURE);
	failing = mmap(NULL, sizeof(*failing), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (failing == MAP_FAILED)
		exit(EXIT_FAILURE);
}

static void run(struct outcome *outcome, uint32_t number, char **program, const char *preload)
{
	failing->number = number;
	failing->count = 0;
	failing->failed = 0;
	memset(failing->calls, 0, sizeof(failing->calls));
	outcome_of_run(outcome, program, preload);
}

static int compare(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* Returns the number of places in the library that make these calls. */
static unsigned count_sites(void)
{
	static uint64_t sites[CALLS];
	uint32_t count = failing->count < CALLS ? failing->count : CALLS;
	unsigned different = 0;

	for (uint32_t i = 0; i < count; i++)
		sites[i] = failing->calls[i].site;
	qsort(sites, count, sizeof(*sites), compare);
	for (uint32_t i = 0; i < count; i++)
		different += !i || sites[i] != sites[i - 1];
	return different;
}

/* Returns true if the call of that number failed or was made but cannot fail in this way; false at
 * the end. */
static bool run_failing(uint32_t number, char **program, const char *preload,
			const struct outcome *reference, unsigned *wrong)
{
	const struct call *call = &failing->calls[(number - 1) % CALLS];
	struct outcome outcome;
	char what[128];
	bool reached;

	run(&outcome, number, program, preload);
	reached = failing->count >= number;
	if (reached) {
		snprintf(what, sizeof(what), "call %u, %s at %llx", number, call->name,
			 (unsigned long long)call->site);
		*wrong += outcome_is_wrong(&outcome, reference, what);
	}
	outcome_free(&outcome);
	return reached;
}

int main(int count, char **arguments)
{
	struct outcome native, reference;
	uint32_t number, every, runs = 0;
	unsigned wrong = 0, sites;
	char preload[8192];

	if (count < 7)
		return EXIT_FAILURE;
	open_failing();
	failing->kinds = strcmp(arguments[1], "memory") ? CALL_SYSTEM : CALL_MEMORY;
	read_error(arguments[2]);
	every = (uint32_t)atoi(arguments[3]);
	snprintf(preload, sizeof(preload), "%s %s", arguments[4], arguments[5]);
	run(&native, 0, arguments + 6, NULL);
	run(&reference, 0, arguments + 6, preload);
	sites = count_sites();
	if (native.status || reference.status ||
	    strcmp(native.out.data, reference.out.data) != 0 || reference.said.length ||
	    !reference.row_count || reference.row_count != reference.traced || !sites) {
		printf("nothing to compare with: %s\n", reference.said.data);
		return EXIT_FAILURE;
	}
	for (number = 1; wrong < MOST_WRONG; number += every, runs++)
		if (!run_failing(number, arguments + 6, preload, &reference, &wrong))
			break;
	fprintf(stderr, "%u runs, %u calls at %u sites\n", runs, number - 1, sites);
	outcome_free(&native);
	outcome_free(&reference);
	return EXIT_SUCCESS;
}
