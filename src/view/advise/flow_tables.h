/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ADVISE_FLOW_TABLES_H
#define VIEW_ADVISE_FLOW_TABLES_H

#include "view/advise/advice.h"
#include "view/format/printer.h"

/* Appends the name of a node's command, such as a kernel, in at most `room` columns (0: no
 * limit). */
void flow_put_command(struct strbuf *to, struct advice *advice, const struct flow_node *node,
		      size_t room);

/* The reasons why results were not compared, for messages and for JSON. */
extern const char *const flow_reason_texts[CHANGE_REASONS];
extern const char *const flow_reason_words[CHANGE_REASONS];

/* Return the number of uses that could write; and of these, those whose result was not compared. */
uint64_t flow_writes(const struct flow *flow);
uint64_t flow_not_compared(const struct flow *flow);

/* Returns true if the trace lacks commands. FLOW_INCOMPLETE is the message for that. */
bool flow_is_incomplete(const struct advice *advice);
#define FLOW_INCOMPLETE                                                                            \
	"commands are missing in the trace: others may seem to read or overwrite what they wrote"

/* Appends the tables of the data flow: the writes that left bytes as they were, and the arguments
 * that no launch has changed. Nothing if the trace has no changes. Returns -1 without memory. */
int flow_put_tables(const struct printer_page *page, struct advice *advice);

#endif
