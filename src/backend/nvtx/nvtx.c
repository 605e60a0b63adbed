/* SPDX-License-Identifier: MIT */
#include "backend/nvtx/nvtx.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "backend/nvtx/slots.h"
#include "base/say.h"
#include "session/session.h"

#define ENTRY_POINT	 __attribute__((visibility("default")))
#define VARIABLE (sizeof(void *) == 4 ? "NVTX_INJECTION32_PATH" : "NVTX_INJECTION64_PATH")

static struct settings settings[API_COUNT];
static enum api requesting_api = API_COUNT; /* the API whose settings request events */

void nvtx_arm(const char *library)
{
	const char *value = getenv(VARIABLE);

	if ((!value || !*value) && setenv(VARIABLE, library, 1))
		say_no_memory();
}

/* Each mark checks the control state itself (mark.c), which may differ between back ends. */
void nvtx_control(bool on)
{
	(void)on;
}

/* Marks are written to the trace of an API whose settings request events, even if it is not
 * used. */
static void attach(void)
{
	for (int api = 0; api < API_COUNT; api++) {
		settings_load(&settings[api], api);
		if (settings[api].enabled && settings[api].api_calls && !settings[api].bad_config &&
		    !session_attach_marks(api, &settings[api])) {
			requesting_api = api;
			break;
		}
	}
}

/* `give` returns the tables of the program's copy of NVTX, of which there may be several. Returns 0
 * if no function is to be replaced; none is called then. */
ENTRY_POINT int InitializeInjectionNvtx2(const void *(*give)(uint32_t table));
int InitializeInjectionNvtx2(const void *(*give)(uint32_t table))
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const struct nvtx_callbacks *callbacks = give(NVTX_CALLBACKS);

	if (!callbacks || callbacks->size < sizeof(*callbacks))
		return 0;
	pthread_once(&once, attach);
	return requesting_api != API_COUNT && !slots_fill_in(callbacks, &settings[requesting_api]);
}
