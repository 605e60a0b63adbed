/* SPDX-License-Identifier: MIT */
/*
 * spawn COUNT PRELOAD PROGRAM
 * Runs PROGRAM COUNT times, one after the other, with LD_PRELOAD=PRELOAD in its environment (empty:
 * without it), and prints the wall and the CPU time of all runs in microseconds. This program
 * itself is not preloaded, so only PROGRAM is measured.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double wall(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static double cpu(void)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void set_preload(const char *preload)
{
	if (unsetenv("LD_PRELOAD") || (*preload && setenv("LD_PRELOAD", preload, 1))) {
		fprintf(stderr, "spawn: cannot set LD_PRELOAD\n");
		exit(EXIT_FAILURE);
	}
}

int main(int argc, char **argv)
{
	double wall_start, cpu_start;

	if (argc != 4) {
		fprintf(stderr, "usage: spawn COUNT PRELOAD PROGRAM\n");
		return EXIT_FAILURE;
	}
	set_preload(argv[2]);
	wall_start = wall();
	cpu_start = cpu();
	for (long i = atol(argv[1]); i > 0; i--) {
		int status;
		pid_t pid;

		if (posix_spawn(&pid, argv[3], NULL, NULL, argv + 3, environ) ||
		    waitpid(pid, &status, 0) != pid || status) {
			fprintf(stderr, "spawn: %s failed\n", argv[3]);
			return EXIT_FAILURE;
		}
	}
	printf("%.0f %.0f\n", wall() - wall_start, cpu() - cpu_start);
	return EXIT_SUCCESS;
}
