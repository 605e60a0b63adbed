/* SPDX-License-Identifier: MIT */
/*
 * Opens modules one after another and calls clmodule_run() of each that has it:
 *
 *	clhost [lazy | now | global | close | apart] MODULE...
 *
 * A word applies to the modules after it: how they are opened, or that each is closed again, or
 * that each has a namespace of its own (dlmopen).
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int flags = RTLD_NOW;
static bool closes, apart;

static bool is_word(const char *text)
{
	if (!strcmp(text, "lazy"))
		flags = RTLD_LAZY;
	else if (!strcmp(text, "now"))
		flags = RTLD_NOW;
	else if (!strcmp(text, "global"))
		flags = RTLD_LAZY | RTLD_GLOBAL;
	else if (!strcmp(text, "close"))
		closes = true;
	else if (!strcmp(text, "apart"))
		apart = true;
	else
		return false;
	return true;
}

static int use(const char *path)
{
	void *module = apart ? dlmopen(LM_ID_NEWLM, path, flags) : dlopen(path, flags);
	int (*run)(void), status = EXIT_SUCCESS;

	if (!module) {
		fprintf(stderr, "clhost: %s\n", dlerror());
		return EXIT_FAILURE;
	}
	*(void **)&run = dlsym(module, "clmodule_run");
	if (run)
		status = run();
	if (closes)
		dlclose(module);
	return status;
}

int main(int count, char **arguments)
{
	int status = EXIT_SUCCESS;

	for (int i = 1; i < count && !status; i++)
		if (!is_word(arguments[i]))
			status = use(arguments[i]);
	return status;
}
