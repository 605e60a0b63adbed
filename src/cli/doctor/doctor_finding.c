/* SPDX-License-Identifier: MIT */
/* Prints findings and keeps the first failure and the causes for the last line. */
#include "cli/doctor/doctor.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/lines.h"
#include "cli/sandbox.h"

void doctor_say(struct doctor *doctor, enum verdict verdict, const char *format, ...)
{
	static const char *const words[] = {
		[VERDICT_OK] = "ok", [VERDICT_NOTE] = "note", [VERDICT_FAIL] = "FAIL"};
	char text[2 * PATH_MAX] = "";
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	printf("%-4s  %s\n", words[verdict], text);
	if (verdict != VERDICT_FAIL)
		return;
	if (!doctor->failures++)
		memcpy(doctor->first, text, sizeof(doctor->first) - 1); /* the rest is zero */
}

void doctor_blame(struct doctor_api *api, const char *format, ...)
{
	va_list arguments;

	api->logged = false;
	if (*api->cause)
		return;
	va_start(arguments, format);
	vsnprintf(api->cause, sizeof(api->cause), format, arguments);
	va_end(arguments);
}

/* "API<tab>NUMBER<tab>DEVICE<tab>PLATFORM" */
static void say_device(struct doctor *doctor, const char *line, size_t length)
{
	const char *end = line + length, *cells[4] = {line};

	for (int i = 1; i < 4; i++) {
		const char *tab = memchr(cells[i - 1], '\t', end - cells[i - 1]);

		if (!tab)
			return;
		cells[i] = tab + 1;
	}
	doctor_say(doctor, VERDICT_OK, "%.*s device %.*s: %.*s (%.*s)",
		   (int)(cells[1] - cells[0] - 1), cells[0], (int)(cells[2] - cells[1] - 1),
		   cells[1], (int)(cells[3] - cells[2] - 1), cells[2], (int)(end - cells[3]),
		   cells[3]);
}

int doctor_devices(struct doctor *doctor, struct doctor_api *api,
		   int (*devices)(struct strbuf *out, const char *argument))
{
	struct strbuf out = STRBUF_INIT;
	int result = sandbox_run(devices, NULL, &out);
	const char *at = strbuf_text(&out), *line;
	size_t length;

	if (result || !*at) {
		doctor_say(doctor, VERDICT_NOTE, "%s devices: %s", api->name, result ? at : "none");
		doctor_blame(api, "%s", result ? at : "no device found");
		result = -1;
	}
	while (!result && (line = lines_next(&at, &length)))
		say_device(doctor, line, length);
	strbuf_free(&out);
	api->devices = !result;
	api->logged = !result && !*api->cause;
	return result;
}
