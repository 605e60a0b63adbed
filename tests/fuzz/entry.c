/* SPDX-License-Identifier: MIT */
/* The entry point for libFuzzer. FUZZ_TARGET is the function of one target. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

/* Freed memory is reused at once from the cache. An abort is reported with its stack. */
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=1:handle_abort=1:malloc_context_size=3";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_run(FUZZ_TARGET, data, size);
	return 0;
}
