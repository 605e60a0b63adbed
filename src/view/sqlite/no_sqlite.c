/* SPDX-License-Identifier: MIT */
/* Replaces nvprof.c and related files in a build without SQLite. */
#include "view/stream/streamops.h"
#include "view/view.h"

static void *refuse_open(const char *path, struct strbuf *error)
{
	strbuf_printf(error, "%s is a database: this computeprof was built without SQLite", path);
	return NULL;
}

/* The other callbacks are only used after a successful open or check. */
const struct stream_ops stream_database = {
	.open = refuse_open,
};

static int refuse(struct strbuf *error)
{
	strbuf_string(error, "this computeprof was built without SQLite");
	return -1;
}

const struct view view_sqlite = {
	.extension = ".sqlite",
	.help = "a database; this computeprof was built without SQLite",
	.check = refuse,
};

const struct view view_nvprof = {
	.extension = ".nvprof",
	.help = "a database; this computeprof was built without SQLite",
	.check = refuse,
};

const struct view view_nsys = {
	.extension = ".nsys.sqlite",
	.help = "a database; this computeprof was built without SQLite",
	.check = refuse,
};
