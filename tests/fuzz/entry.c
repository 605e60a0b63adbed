/* SPDX-License-Identifier: MIT */
/* What libFuzzer calls. FUZZ_TARGET is the function of one target. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

/* Memory that was just given back is still in the cache. An abort is told with its stack. */
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=1:handle_abort=1:malloc_context_size=3";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_run(FUZZ_TARGET, data, size);
	return 0;
}
