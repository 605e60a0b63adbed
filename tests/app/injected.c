/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <unistd.h>

/* What a CUDA driver is told to load: says when it is called, and where. */

__attribute__((visibility("default"))) int InitializeInjection(void);

int InitializeInjection(void)
{
	printf("injected on %s thread\n", gettid() == getpid() ? "the first" : "another");
	return 1;
}
