/* SPDX-License-Identifier: MIT */
/*
 * Usage: taker THREADS
 * One thread repeatedly opens a file of the program on the lowest free descriptor and closes it.
 * Meanwhile THREADS other threads make EACH numbered commands each; none ends before all have.
 * Prints "rows N", and an error if the file has changed.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "numbered.h"

#define THEIRS "their"

enum { EACH = 50, MOST = 64 /* threads */ };

static pthread_barrier_t all_made;
static _Atomic int over;
static int theirs;

/* Between close and dup2 the number is free, as in many programs. */
static void *take_lowest(void *nothing)
{
	while (!atomic_load(&over)) {
		int lowest = dup(theirs);

		close(lowest);
		dup2(theirs, lowest);
		close(lowest);
	}
	return nothing;
}

static void *make_some(void *nothing)
{
	struct numbered numbered;

	numbered_begin(&numbered);
	numbered_copy(&numbered, EACH);
	numbered_finish(&numbered);
	pthread_barrier_wait(&all_made);
	return nothing;
}

static void check(bool good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(EXIT_FAILURE);
}

static void look(void)
{
	char bytes[sizeof(THEIRS)] = "";
	struct stat status;

	check(!fstat(theirs, &status), "fstat");
	check(pread(theirs, bytes, sizeof(THEIRS) - 1, 0) >= 0, "pread");
	if (status.st_size != sizeof(THEIRS) - 1 || strcmp(bytes, THEIRS) != 0)
		printf("theirs: %lld bytes, begins with %s\n", (long long)status.st_size, bytes);
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 0;
	pthread_t taker, threads[MOST];

	if (count < 1 || count > MOST)
		return EXIT_FAILURE;

	numbered_open();
	theirs = open("../theirs", O_RDWR | O_CREAT | O_TRUNC, 0600);
	check(theirs >= 0 && write(theirs, THEIRS, sizeof(THEIRS) - 1) > 0, "../theirs");
	check(!pthread_create(&taker, NULL, take_lowest, NULL), "pthread_create");
	pthread_barrier_init(&all_made, NULL, (unsigned)count);
	for (int i = 0; i < count; i++)
		check(!pthread_create(&threads[i], NULL, make_some, NULL), "pthread_create");
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	atomic_store(&over, 1);
	pthread_join(taker, NULL);
	numbered_say(count * EACH);
	look();
	return EXIT_SUCCESS;
}
