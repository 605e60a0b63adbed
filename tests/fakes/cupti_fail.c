/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cupti_fake.h"

/* Calls that fail by the script. */

enum { FAILING = 16 };

bool cupti_lists(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = list; at && (at = strstr(at, word)); at += length)
		if ((at == list || at[-1] == ',') && (!at[length] || at[length] == ','))
			return true;
	return false;
}

/* Counts the calls for item number `item` of the list failat. */
static int64_t count_call(unsigned item)
{
	static int64_t calls[FAILING];

	if (item >= FAILING)
		complain("failat has too many functions");
	return __atomic_add_fetch(&calls[item], 1, __ATOMIC_RELAXED);
}

int cupti_fails(const char *function)
{
	size_t length = strlen(function);
	unsigned item = 0;
	int result = CUPTI_DONE;

	if (cupti_lists(script.refuse35, function))
		return CUPTI_INSUFFICIENT_PRIVILEGES;
	if (cupti_lists(script.busy26, function))
		return RESULT_HARDWARE_BUSY;
	for (const char *at = script.failat; *at; item++) {
		size_t end = strcspn(at, ",");
		char *rest;
		int64_t wanted, now;

		if (!strncmp(at, function, length) && at[length] == ':') {
			wanted = strtoll(at + length + 1, &rest, 10);
			now = count_call(item);
			if (!wanted || now == wanted)
				result = (int)strtol(*rest == ':' ? rest + 1 : "999", NULL, 10);
		}
		at += end + (at[end] == ',');
	}
	return result;
}

int cupti_fails_taking(void)
{
	if (script.refuse35 && !*script.refuse35)
		return CUPTI_INSUFFICIENT_PRIVILEGES;
	if (script.busy26 && !*script.busy26)
		return RESULT_HARDWARE_BUSY;
	return CUPTI_DONE;
}
