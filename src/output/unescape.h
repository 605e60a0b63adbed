/* SPDX-License-Identifier: MIT */
#ifndef OUTPUT_UNESCAPE_H
#define OUTPUT_UNESCAPE_H

#include "base/strbuf.h"
#include "output/logreader.h"

/* Appends `text` with every \xNN decoded. */
void unescape_name(struct log_text text, struct strbuf *to);

#endif
