/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_CONDITION_H
#define REWRITE_CONDITION_H

#include "rewrite/macro.h"

/* Evaluates the tokens of an #if or #elif, up to TOKEN_END. Returns 0 with the result, or -1 if
 * they are no integer constant expression. */
int condition_evaluate(struct macros *macros, const struct token *tokens, bool *result);

#endif
