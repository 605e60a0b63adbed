/* SPDX-License-Identifier: MIT */
/* Lists NVIDIA's chips by the names that --chip takes. */
#include "cli/command.h"
#include "cli/list/list.h"
#include "cli/table.h"

int list_chips(const struct flags *flags)
{
	struct strbuf rows = STRBUF_INIT;

	(void)flags;
	strbuf_string(&rows, "CHIP\tCAPABILITY\tFOR EXAMPLE\n");
	for (int i = 0; i < CHIP_COUNT; i++)
		strbuf_printf(&rows, "%s\t%u.%u\t%s\n", chips[i].name, chips[i].capability / 10,
			      chips[i].capability % 10, chips[i].products);
	table_print(&rows);
	strbuf_free(&rows);
	return EXIT_DONE;
}
