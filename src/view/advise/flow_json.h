/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ADVISE_FLOW_JSON_H
#define VIEW_ADVISE_FLOW_JSON_H

#include "view/advise/advice.h"

/* Appends the member "flow" of the advice, after a comma: as doc/FORMAT has it. */
void flow_put_json(struct strbuf *to, struct advice *advice);

#endif
