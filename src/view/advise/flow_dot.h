/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ADVISE_FLOW_DOT_H
#define VIEW_ADVISE_FLOW_DOT_H

#include "view/advise/advice.h"

/* Appends the data flow as a graph for Graphviz, with the attributes of GVProf's data_flow.dot.
 * Returns -1 without memory. */
int flow_put_dot(struct strbuf *to, struct advice *advice);

#endif
