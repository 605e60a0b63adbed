/* SPDX-License-Identifier: MIT */
#include "base/say.h"
#include "cli/command.h"
#include "cli/devices.h"
#include "cli/list/list.h"
#include "cli/sandbox.h"
#include "cli/table.h"

static int add(struct strbuf *rows, const char *api,
	       int (*devices)(struct strbuf *out, const char *argument))
{
	struct strbuf out = STRBUF_INIT;
	int result = sandbox_run(devices, NULL, &out);

	if (result)
		say("no %s devices: %s", api, strbuf_text(&out));
	else
		strbuf_append(rows, out.data, out.length);
	strbuf_free(&out);
	return result;
}

int list_devices(const struct flags *flags)
{
	struct strbuf rows = STRBUF_INIT;
	int missing = 0;

	(void)flags;
	strbuf_string(&rows, "API\tNUMBER\tDEVICE\tPLATFORM\n");
	missing += add(&rows, "OpenCL", devices_opencl) != 0;
	missing += add(&rows, "CUDA", devices_cuda) != 0;
	table_print(&rows);
	strbuf_free(&rows);
	return missing == 2 ? EXIT_PROBLEM : EXIT_DONE;
}
