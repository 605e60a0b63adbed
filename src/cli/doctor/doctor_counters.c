/* SPDX-License-Identifier: MIT */
/* Checks the hardware counters of the configuration. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/counters/hostapi.h"
#include "backend/cuda/libcupti_path.h"
#include "base/shellword.h"
#include "cli/counters/passes.h"
#include "cli/devices.h"
#include "cli/doctor/doctor.h"
#include "cli/lines.h"
#include "cli/sandbox.h"
#include "model/api.h"
#include "settings/config.h"
#include "settings/configfile.h"
#include "settings/environ.h"

enum {
	NAMED = 8,		      /* refused counters that are named */
	FIRST_WITHOUT_EVENTS = 13000, /* driver version, as the driver reports it */
	CUPTI_13 = 130000,
};

/* Loads the configuration of CUDA programs. Returns false if there is none or it cannot be read;
 * another check reports that. */
static bool load(struct settings *settings)
{
	struct environ_values values;
	struct strbuf text = STRBUF_INIT;
	const char *name;
	char *path;
	bool good;

	environ_read(&values, api_with_counters());
	name = values.value[ENVIRON_CONFIG];
	path = name ? config_find(name) : NULL;
	good = path && !config_read(&text, path);
	if (good)
		config_load(settings, name);
	free(path);
	strbuf_free(&text);
	return good && !settings->bad_config;
}

static bool is_refused(const struct passes *passes, unsigned number)
{
	return passes_counter(passes, number).way.grade == COUNTER_NONE ||
	       passes_apart(passes, number);
}

static void say_refused(struct doctor *doctor, const struct passes *passes, const char *where,
			const char *config)
{
	struct strbuf names = STRBUF_INIT, word = STRBUF_INIT;
	unsigned refused = 0;

	shellword_put(&word, config);

	for (unsigned i = 0; i < passes->settings->counters.count; i++)
		if (is_refused(passes, i) && refused++ < NAMED)
			strbuf_printf(&names, "%s%s", names.length ? ", " : "",
				      passes->settings->counters.items[i].name);
	if (refused > NAMED)
		strbuf_printf(&names, " and %u more", refused - NAMED);
	if (refused)
		doctor_say(doctor, VERDICT_NOTE,
			   "counters: refused on %s: %s; for the reasons, run: computeprof list "
			   "counters -c %s --chip %s",
			   where, strbuf_text(&names), strbuf_text(&word), passes->chip->name);
	strbuf_free(&word);
	strbuf_free(&names);
}

static int take_version(const char *path, void *argument)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int (*get)(uint32_t * version) = NULL;

	if (library)
		*(void **)&get = dlsym(library, "cuptiGetVersion");
	if (library && hostapi_needs_driver(library))
		*(uint32_t *)argument = CUPTI_13;
	return get && (*(uint32_t *)argument || !get(argument));
}

/* Runs in a child: appends the reason why events cannot be counted here, or nothing. */
static int find_obstacle(struct strbuf *out, const char *argument)
{
	void *cuda = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
	int (*get)(int *version) = NULL;
	uint32_t release = 0;
	int known = 0;

	(void)argument;
	if (cuda)
		*(void **)&get = dlsym(cuda, "cuDriverGetVersion");
	if (get && !get(&known) && known >= FIRST_WITHOUT_EVENTS)
		strbuf_string(out, "the driver is 580 or later");
	else if (libcupti_path_walk(take_version, &release) != 1)
		strbuf_string(out, "no libcupti found; the program may bring one, or "
				   "COMPUTEPROF_CUPTI may name one");
	else if (release >= CUPTI_13)
		strbuf_string(out, "the libcupti found is of CUDA 13; set COMPUTEPROF_CUPTI to an "
				   "older one");
	return 0;
}

/* Reports a known reason why all counters are refused on a device of this machine. */
static void say_obstacle(struct doctor *doctor, const struct passes *passes)
{
	struct strbuf out = STRBUF_INIT;

	/* Devices of 7.0 and 7.2 also support metrics. */
	if (passes->chip->capability < 70 && !sandbox_run(find_obstacle, NULL, &out) && out.length)
		doctor_say(doctor, VERDICT_NOTE,
			   "counters: all of them are refused, because events need a CUPTI before "
			   "CUDA 13 and a driver before 580: %s",
			   strbuf_text(&out));
	if (chip_access(passes->chip) == CHIP_METRICS && !passes->answer.known)
		doctor_say(doctor, VERDICT_NOTE,
			   "counters: all of them are refused without such a libcupti; the program "
			   "may bring one, or COMPUTEPROF_CUPTI may name one");
	strbuf_free(&out);
}

/* `there`: it is a device of this machine, so driver and CUPTI are checked, too. */
static void say_chip(struct doctor *doctor, const struct settings *settings,
		     const struct chip *chip, const char *where, bool there)
{
	static struct passes passes;
	struct strbuf how = STRBUF_INIT;
	unsigned measured;
	bool good;

	passes_ask(&passes, settings, chip);
	passes_say(&passes, where, &how);
	measured = passes_measured(&passes);
	good = measured == settings->counters.count && passes.answer.known;
	doctor_say(doctor, good ? VERDICT_OK : VERDICT_NOTE, "counters: %s", strbuf_text(&how));
	if (there && measured)
		say_obstacle(doctor, &passes);
	say_refused(doctor, &passes, where, settings->config);
	strbuf_free(&how);
	passes_free(&passes);
}

static void say_device(struct doctor *doctor, const struct settings *settings, const char *line)
{
	unsigned long number = strtoul(line, NULL, 10);
	const char *tab = strchr(line, '\t');
	unsigned capability = tab ? (unsigned)strtoul(tab + 1, NULL, 10) : 0;
	const struct chip *chip = chip_of_capability(capability);
	struct strbuf where = STRBUF_INIT;

	strbuf_printf(&where, "CUDA device %lu (compute capability %u.%u%s%s)", number,
		      capability / 10, capability % 10, chip ? ", as " : "",
		      chip ? chip->name : "");
	if (chip)
		say_chip(doctor, settings, chip, strbuf_text(&where), true);
	else
		doctor_say(doctor, VERDICT_NOTE, "counters: unknown device: %s",
			   strbuf_text(&where));
	strbuf_free(&where);
}

/* Returns the number of devices. */
static unsigned say_devices(struct doctor *doctor, const struct settings *settings)
{
	struct strbuf out = STRBUF_INIT;
	const char *at, *line;
	unsigned devices = 0;
	size_t length;

	if (!sandbox_run(devices_capabilities, NULL, &out)) {
		at = strbuf_text(&out);
		while ((line = lines_next(&at, &length)) && ++devices)
			say_device(doctor, settings, line);
	}
	strbuf_free(&out);
	return devices;
}

void doctor_counters(struct doctor *doctor)
{
	struct settings settings = {.layout.api = api_with_counters(), .only_looked_at = true};
	struct strbuf word = STRBUF_INIT;
	unsigned count;

	if (load(&settings) && (count = settings.counters.count)) {
		shellword_put(&word, settings.config);
		if (doctor->chip)
			say_chip(doctor, &settings, doctor->chip, doctor->chip->name, false);
		else if (!say_devices(doctor, &settings))
			doctor_say(doctor, VERDICT_NOTE,
				   "counters: %u configured, but no CUDA device found; for the "
				   "counters of another device, run: computeprof list counters -c "
				   "%s --chip GH100",
				   count, strbuf_text(&word));
	}
	strbuf_free(&word);
	settings_free(&settings);
}
