/* SPDX-License-Identifier: MIT */
/* Checks the library and the variables that load it. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "cli/doctor/doctor.h"
#include "cli/library.h"
#include "cli/sandbox.h"

/* `computeprof PROGRAM` sets all of them; a shell profile may set the last two permanently. */
static const struct entry_point {
	const char *variable;
	const char *separators;
} entry_points[] = {
	{"LD_PRELOAD", ": "},
	{"OPENCL_LAYERS", ":"},
	{"CUDA_INJECTION64_PATH", ""},
};

static const char *const other_tools[] = {
	"NSYS_PROFILING_SESSION_ID",
	"NV_NSIGHT_INJECTION_PORT_BASE",
};

/* For sandbox_run: appends the interfaces whose entry points the library exports. */
static int list_entries(struct strbuf *out, const char *argument)
{
	void *handle = dlopen(argument, RTLD_LAZY | RTLD_LOCAL);

	if (!handle) {
		strbuf_string(out, dlerror());
		return 1;
	}
	strbuf_string(out, dlsym(handle, "clInitLayer") ? "OpenCL " : "");
	strbuf_string(out, dlsym(handle, "InitializeInjection") ? "CUDA " : "");
	return 0;
}

static void say_missing(struct doctor *doctor, const char *entries, const char *api)
{
	if (!strstr(entries, api))
		doctor_say(doctor, VERDICT_NOTE,
			   "library: built without %s, so its programs are not logged", api);
}

void doctor_library(struct doctor *doctor)
{
	struct strbuf path = STRBUF_INIT, out = STRBUF_INIT;

	if (library_find(&path)) {
		doctor_say(doctor, VERDICT_FAIL, "%s", strbuf_text(&path));
	} else if (sandbox_run(list_entries, strbuf_text(&path), &out)) {
		doctor_say(doctor, VERDICT_FAIL, "library: %s cannot be loaded: %s",
			   strbuf_text(&path), strbuf_text(&out));
	} else {
		doctor_say(doctor, VERDICT_OK, "library: %s", strbuf_text(&path));
		say_missing(doctor, strbuf_text(&out), "OpenCL");
		say_missing(doctor, strbuf_text(&out), "CUDA");
		doctor->layer = strstr(strbuf_text(&out), "OpenCL") != NULL;
	}
	strbuf_free(&path);
	strbuf_free(&out);
}

/* A removed package may leave its path in variables; programs then start without the profiler. */
static void check_entry(struct doctor *doctor, const char *variable, const char *entry,
			const char *library)
{
	bool ours = library_is_ours(entry, strlen(entry), library);
	struct strbuf out = STRBUF_INIT;

	if (sandbox_run(sandbox_load, entry, &out))
		doctor_say(doctor, ours ? VERDICT_FAIL : VERDICT_NOTE,
			   "%s: %s cannot be loaded: %s", variable, entry, strbuf_text(&out));
	else if (ours && strcmp(entry, library))
		doctor_say(doctor, VERDICT_NOTE, "%s: %s is not the copy of this tool, "
						 "%s", variable, entry,
			   library);
	strbuf_free(&out);
}

static void check_entries(struct doctor *doctor, const struct entry_point *point,
			  const char *library)
{
	char *list = strdup(getenv(point->variable)), *rest = list, *entry;

	if (!list)
		return;
	if (!*point->separators)
		check_entry(doctor, point->variable, list, library);
	while (*point->separators && (entry = strsep(&rest, point->separators)))
		if (*entry)
			check_entry(doctor, point->variable, entry, library);
	free(list);
}

static bool has_ours(const char *list, const char *separators, const char *library)
{
	while (*list) {
		size_t length = strcspn(list, separators);

		if (length && library_is_ours(list, length, library))
			return true;
		list += length;
		list += strspn(list, separators);
	}
	return false;
}

static void check_injection(struct doctor *doctor, const struct entry_point *point,
			    const char *library)
{
	const char *value = getenv(point->variable);

	if (!value || !*value)
		doctor_say(doctor, VERDICT_OK, "%s: not set; 'computeprof PROGRAM' sets it",
			   point->variable);
	else if (has_ours(value, point->separators, library))
		doctor_say(doctor, VERDICT_OK, "%s: %s", point->variable, value);
	else if (*point->separators)
		doctor_say(doctor, VERDICT_NOTE, "%s: %s is kept, and the profiler is added",
			   point->variable, value);
	else
		doctor_say(
			doctor, VERDICT_NOTE,
			"%s: %s belongs to another tool and is kept: CUDA may not be logged",
			point->variable, value);
	if (value && *value)
		check_entries(doctor, point, library);
}

void doctor_environment(struct doctor *doctor)
{
	struct strbuf library = STRBUF_INIT;

	library_find(&library);
	for (size_t i = 0; i < sizeof(entry_points) / sizeof(entry_points[0]); i++)
		check_injection(doctor, &entry_points[i], strbuf_text(&library));
	for (size_t i = 0; i < sizeof(other_tools) / sizeof(other_tools[0]); i++)
		if (getenv(other_tools[i]))
			doctor_say(doctor, VERDICT_NOTE,
				   "%s: this shell runs under another profiler, and CUDA allows "
				   "only one",
				   other_tools[i]);
	strbuf_free(&library);
}
