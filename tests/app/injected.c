/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <unistd.h>

/* A library for CUDA_INJECTION64_PATH: prints when and where it is called. */

__attribute__((visibility("default"))) int InitializeInjection(void);

int InitializeInjection(void)
{
	printf("injected on %s thread\n", gettid() == getpid() ? "the first" : "another");
	return 1;
}
