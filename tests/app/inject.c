/* SPDX-License-Identifier: MIT */
/*
 * Usage: inject FILE
 *
 * Simulates the start of the CUDA driver: loads the library that CUDA_INJECTION64_PATH names and
 * calls its InitializeInjection. Its result is written to FILE, or "none". Then a child exits by
 * itself, and the program exits with code 3.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEAVE = 3 };

static void inject(FILE *file, const char *path)
{
	void *library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*initialize)(void);

	if (!library) {
		fprintf(file, "none\n");
		return;
	}
	initialize = (int (*)(void))dlsym(library, "InitializeInjection");
	fprintf(file, "%d\n", initialize ? initialize() : -1);
}

int main(int argc, char **argv)
{
	FILE *file = argc == 2 ? fopen(argv[1], "we") : NULL;
	pid_t child;
	int status;

	if (!file)
		return EXIT_FAILURE;
	inject(file, getenv("CUDA_INJECTION64_PATH"));
	fclose(file);
	printf("injected\n");
	fflush(stdout);
	child = fork();
	if (child == 0)
		exit(LEAVE);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return EXIT_FAILURE;
	printf("the child has left with %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	return LEAVE;
}
