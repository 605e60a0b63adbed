/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ADVISE_ADVICE_JSON_H
#define VIEW_ADVISE_ADVICE_JSON_H

#include "view/advise/advice.h"

/* Appends an object of JSON, as doc/FORMAT has it. */
void advice_put_json(struct strbuf *to, struct advice *advice);

#endif
