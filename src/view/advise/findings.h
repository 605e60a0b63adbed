/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ADVISE_FINDINGS_H
#define VIEW_ADVISE_FINDINGS_H

#include "view/advise/objects.h"

/* Memory that is wasted, after DrGPUM (ASPLOS 2023). The manual page defines each kind. */
enum finding_kind {
	FINDING_EARLY,
	FINDING_LATE,
	FINDING_IDLE,
	FINDING_UNUSED,
	FINDING_REDUNDANT,
	FINDING_DEAD_WRITE,
	FINDING_LEAK,
	FINDING_KINDS
};

struct finding {
	uint32_t object; /* in objects.list */
	uint16_t kind;	 /* enum finding_kind */
	bool is_assumed; /* it depends on the order of commands without times, on an assumed
			    access, or on uses that no argument shows */
	bool has_commands;
	uint64_t commands; /* kernels in the gap, the most in one; dead writes */
	uint64_t time;	   /* wasted, ns */
	double waste;	   /* bytes multiplied by ns */
};

extern const char *const finding_names[FINDING_KINDS];
extern const char *const finding_words[FINDING_KINDS]; /* in JSON */

/* The kinds that cannot be found in this trace, as bits: 1 << enum finding_kind. */
struct findings_limits {
	unsigned left_out;  /* of all objects */
	unsigned open_ones; /* of objects that were not released in the trace */
};

struct findings {
	struct finding *list; /* the most waste first */
	size_t count;
	uint64_t kinds[FINDING_KINDS]; /* number of findings */
	double memory; /* bytes multiplied by ns, of all objects */
};

/* Makes the list, which the caller frees with findings_free also after an error. Returns 0,
 * or -1 with one sentence in `error`. */
int findings_make(struct findings *findings, const struct objects *objects,
		  const struct findings_limits *limits, struct strbuf *error);
void findings_free(struct findings *findings);

#endif
