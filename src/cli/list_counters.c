/* SPDX-License-Identifier: MIT */
/* The counters that configuration files can name. */
#include "cli/command.h"
#include "cli/list.h"
#include "cli/table.h"
#include "cli/countertext.h"

int list_counters(bool man)
{
	struct strbuf rows = STRBUF_INIT;

	(void)man;
	strbuf_string(&rows, "COUNTER\tMEANING\n");
	for (int i = 0; i < COUNTER_COUNT; i++)
		strbuf_printf(&rows, "%s\t%s\n", counter_get(i).name,
			      counter_texts[i].help);
	table_print(&rows);
	strbuf_free(&rows);
	return EXIT_DONE;
}
