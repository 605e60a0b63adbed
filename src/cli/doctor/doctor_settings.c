/* SPDX-License-Identifier: MIT */
/* Checks the *_PROFILE variables for invalid values and contradictions. */
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/doctor/doctor.h"
#include "cli/variables.h"
#include "settings/config.h"
#include "settings/configfile.h"
#include "settings/environ.h"

/* Returns the value of the variable, NULL if it is unset or empty. Sets `name` to its name. */
static const char *look_up(struct strbuf *name, int family, enum environ_id id)
{
	const char *value;

	name->length = 0;
	strbuf_printf(name, "%s%s", environ_prefix(&environ_rows[id], (unsigned)family),
		      environ_rows[id].suffix);
	value = getenv(strbuf_text(name));
	return value && *value ? value : NULL;
}

static bool is_switch_value(const char *value)
{
	return !strcmp(value, "0") || !strcmp(value, "1");
}

/* Reports the variables that COMPUTE_PROFILE... overrides. */
static void check_winner(struct doctor *doctor, enum environ_id id)
{
	struct strbuf first = STRBUF_INIT, other = STRBUF_INIT;
	const char *value = look_up(&first, 0, id), *hidden;

	for (int family = 1; family < ENVIRON_FAMILIES; family++) {
		if (!value || !environ_rows[id].family)
			break;
		hidden = look_up(&other, family, id);
		if (hidden && strcmp(hidden, value))
			doctor_say(doctor, VERDICT_NOTE, "%s: ignored, because %s is set",
				   strbuf_text(&other), strbuf_text(&first));
	}
	strbuf_free(&first);
	strbuf_free(&other);
}

/* Checks each variable of the row. Returns the number of variables that are set. */
static unsigned check_values(struct doctor *doctor, enum environ_id id)
{
	const struct environ_row *row = &environ_rows[id];
	struct strbuf name = STRBUF_INIT;
	unsigned found = 0;

	for (int family = 0; family < (row->family ? ENVIRON_FAMILIES : 1); family++) {
		const char *value = look_up(&name, family, id), *wrong;

		if (!value)
			continue;
		found++;
		wrong = settings_wrong_value(id, value);
		if (row->on_off && !is_switch_value(value))
			doctor_say(doctor, VERDICT_FAIL,
				   "%s: '%s' is neither 1 nor 0; it counts as 0",
				   strbuf_text(&name), value);
		else if (wrong)
			doctor_say(doctor, VERDICT_FAIL, "%s: it %s, not '%s'", strbuf_text(&name),
				   wrong, value);
		else
			doctor_say(doctor, VERDICT_OK, "%s: %s", strbuf_text(&name), value);
	}
	strbuf_free(&name);
	check_winner(doctor, id);
	return found;
}

/* Returns the name of a switch of one API that is set, NULL if there is none or COMPUTE_PROFILE is
 * set. 'computeprof PROGRAM' sets no switch then. */
static const char *single_switch(void)
{
	const char *all = getenv(environ_family(0)), *set = NULL;

	for (int api = 0; api < API_COUNT && !(all && *all); api++) {
		const char *value = getenv(api_rows[api].variable);

		if (value && *value)
			set = api_rows[api].variable;
	}
	return set;
}

static void check_single(struct doctor *doctor)
{
	const char *set = single_switch();

	for (int api = 0; api < API_COUNT && set; api++) {
		const char *own = api_rows[api].variable, *value = getenv(own);
		bool is_opencl = !strcmp(doctor->opencl.name, api_rows[api].name);
		struct doctor_api *found = is_opencl ? &doctor->opencl : &doctor->cuda;

		if (value && !strcmp(value, "1"))
			continue;
		doctor_blame(found, "%s is not 1; set it, or COMPUTE_PROFILE", own);
		doctor_say(doctor, VERDICT_NOTE, "%s programs are not logged: %s%s", found->name,
			   found->cause,
			   value && *value ? "" : ", since another API's switch is set");
	}
}

/* COMPUTE_PROFILE=0 also overrides the switches of one API. */
static void check_switches(struct doctor *doctor, unsigned others, bool metrics)
{
	const char *ignored = metrics ? ", so the variables of logs and traces have no effect"
				      : ", so other variables have no effect";
	struct strbuf name = STRBUF_INIT;
	const char *all = look_up(&name, 0, ENVIRON_PROFILE);

	if (all && strcmp(all, "1"))
		doctor_say(
			doctor, VERDICT_FAIL,
			"COMPUTE_PROFILE: not 1, so nothing is logged, regardless of other "
			"variables; unset it");
	else if (!environ_any_enabled() && !single_switch())
		doctor_say(doctor, others ? VERDICT_NOTE : VERDICT_OK,
			   "COMPUTE_PROFILE: not set%s; 'computeprof PROGRAM' sets it",
			   others ? ignored : "");
	strbuf_free(&name);
}

/* With this variable an empty log may be intended. */
static void check_wait(struct doctor *doctor, const struct environ_values *values)
{
	const char *value = values->value[ENVIRON_WAIT];

	if (value && !strcmp(value, "1"))
		doctor_say(doctor, VERDICT_NOTE,
			   "COMPUTE_PROFILE_WAIT: nothing is recorded until the program calls "
			   "computeprof_start() or, for CUDA, cudaProfilerStart()");
}

static void check_config(struct doctor *doctor, const char *name)
{
	struct strbuf text = STRBUF_INIT;
	char *path = config_find(name);
	const char *reason = path ? config_read(&text, path) : strerror(errno);

	if (reason)
		doctor_say(doctor, VERDICT_FAIL,
			   "configuration file: %s: %s; programs are not logged", name,
			   reason);
	else
		doctor_say(doctor, VERDICT_OK, "configuration file: %s", path);
	free(path);
	strbuf_free(&text);
}

/* Checks the directory, unless it has parts that are only known in the process. An existing file,
 * such as /dev/null, can be in a directory that cannot be changed. */
static void check_directory(struct doctor *doctor, enum environ_id id, const char *pattern)
{
	const char *slash = strrchr(pattern, '/');
	char *copy = strdup(pattern);
	const char *directory = copy ? dirname(copy) : ".";

	if (slash && memchr(pattern, '%', slash - pattern))
		directory = NULL;
	if (directory && access(pattern, W_OK) && access(directory, W_OK | X_OK))
		doctor_say(doctor, VERDICT_FAIL, "%s: cannot create files in %s: %m",
			   id == ENVIRON_LOG ? "log"
			   : id == ENVIRON_TRACE ? "trace"
						 : "event stream",
			   directory);
	free(copy);
}

static void check_file(struct doctor *doctor, enum environ_id id, const char *value)
{
	if (id == ENVIRON_CONFIG && value)
		check_config(doctor, value);
	else if (id == ENVIRON_LOG)
		check_directory(doctor, id, value ? value : "./");
	else if ((id == ENVIRON_TRACE || id == ENVIRON_EVENTS) && value)
		check_directory(doctor, id, value);
}

static bool same(const char *left, const char *right)
{
	return left == right || (left && right && !strcmp(left, right));
}

/* Returns true if an earlier API has the same value. */
static bool is_repeated(const struct environ_values *values, int api, enum environ_id id)
{
	for (int earlier = 0; earlier < api; earlier++)
		if (same(values[earlier].value[id], values[api].value[id]))
			return true;
	return false;
}

static void check_files(struct doctor *doctor)
{
	struct environ_values values[API_COUNT];

	for (int api = 0; api < API_COUNT; api++)
		environ_read(&values[api], api);
	check_wait(doctor, &values[0]);
	for (int id = 0; id < ENVIRON_COUNT; id++)
		for (int api = 0; api < API_COUNT; api++)
			if (!is_repeated(values, api, id))
				check_file(doctor, id, values[api].value[id]);
}

static void check_unknown(struct doctor *doctor)
{
	struct strbuf text = STRBUF_INIT;

	for (char **entry = environ; *entry; entry++) {
		text.length = 0;
		if (variables_unknown(&text, *entry))
			doctor_say(doctor, VERDICT_NOTE, "variables: %s", strbuf_text(&text));
	}
	strbuf_free(&text);
}

void doctor_settings(struct doctor *doctor)
{
	unsigned others = 0;
	bool metrics = false;

	check_values(doctor, ENVIRON_PROFILE);
	for (int id = ENVIRON_PROFILE + 1; id < ENVIRON_PFLOG; id++)
		others += check_values(doctor, id);
	for (int id = ENVIRON_PFLOG; id < ENVIRON_COUNT; id++)
		metrics |= check_values(doctor, id) && id == ENVIRON_PFLOG;
	check_switches(doctor, others, metrics);
	check_single(doctor);
	check_unknown(doctor);
	check_files(doctor);
}
