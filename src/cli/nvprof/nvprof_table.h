/* SPDX-License-Identifier: MIT */
#ifndef CLI_NVPROF_NVPROF_TABLE_H
#define CLI_NVPROF_NVPROF_TABLE_H

#include <stdbool.h>

/*
 * The options of nvprof's guide (CUDA 10), in its order. Options that computeprof has, too, are
 * passed on; others change a setting, or print one sentence about what does the same.
 */
enum nvprof_action {
	NVPROF_SAME,	  /* passed on, as option `to` or else under its own name */
	NVPROF_FORM,	  /* the same, for the form or choice of tables: not with -o alone */
	NVPROF_NONE,	  /* nothing to do: this is always so */
	NVPROF_TELL,	  /* prints `does`, unless the value is `usual` */
	NVPROF_REFUSE,	  /* likewise, and runs no program */
	NVPROF_OUTPUT,	  /* names the database */
	NVPROF_COUNTERS,  /* names counters */
	NVPROF_AGGREGATE, /* these four change the configuration of the counters */
	NVPROF_CONCURRENT,
	NVPROF_REPLAY,
	NVPROF_API,	/* none: no calls are recorded */
	NVPROF_SYSTEM,	/* on: reads the devices' sensors */
	NVPROF_MANAGED, /* per-process-device: records managed memory */
	NVPROF_TRACED,	/* which activities the summary has */
	NVPROF_HELP,
};

struct nvprof_option {
	const char *name;
	char letter;	       /* 0 if it has none */
	const char *argument;  /* name of its argument, or NULL if it takes none */
	enum nvprof_action action;
	const char *to;	       /* see NVPROF_SAME; NULL: `name` */
	const char *usual;     /* the value that is nvprof's default, or NULL */
	const char *does;      /* what it does here: one sentence without a full stop */
};

/* The last row has no name. */
extern const struct nvprof_option nvprof_options[];

/* Returns the row of this name without dashes, or NULL. */
const struct nvprof_option *nvprof_option_find(const char *name);

#endif
