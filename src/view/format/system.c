/* SPDX-License-Identifier: MIT */
#include "view/format/system.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/boot_id.h"
#include "output/escape.h"

enum { LINE = 512 };

static void put(struct strbuf *to, const char *text)
{
	escape_put(to, text, strcspn(text, "\n"), ESCAPE_SHOWN);
}

bool system_has_run(const struct process *process)
{
	static const uint8_t unknown[BOOT_ID];
	uint8_t boot[BOOT_ID];

	boot_id_read(boot);
	return memcmp(boot, unknown, sizeof(boot)) && !memcmp(boot, process->boot, sizeof(boot));
}

int system_put_node(struct strbuf *to)
{
	struct utsname name;

	if (uname(&name))
		return -1;
	put(to, name.nodename);
	return 0;
}

int system_put_host(struct strbuf *to)
{
	struct utsname name;

	if (uname(&name))
		return -1;
	put(to, name.nodename);
	strbuf_printf(to, ", %s %s", name.sysname, name.release);
	return 0;
}

int system_put_driver(struct strbuf *to)
{
	FILE *file = fopen("/proc/driver/nvidia/version", "re");
	char line[LINE];
	bool any;

	if (!file)
		return -1;
	any = fgets(line, sizeof(line), file);
	fclose(file);
	if (any)
		put(to, line);
	return any ? 0 : -1;
}
