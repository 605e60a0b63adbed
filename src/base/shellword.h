/* SPDX-License-Identifier: MIT */
#ifndef BASE_SHELLWORD_H
#define BASE_SHELLWORD_H

#include "base/strbuf.h"

/* Appends `text` as one word of a shell's command, for commands in messages: unchanged if no byte
 * of it has a meaning in a shell, else in single quotes. Text with control bytes becomes $'...'
 * with octal escapes (POSIX.1-2024, bash), which say() does not change. */
void shellword_put(struct strbuf *to, const char *text);

#endif
