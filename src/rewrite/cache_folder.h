/* SPDX-License-Identifier: MIT */
#ifndef REWRITE_CACHE_FOLDER_H
#define REWRITE_CACHE_FOLDER_H

#include <stdbool.h>

#include "base/strbuf.h"

/*
 * The folder of rewritten sources: the environment's COMPUTEPROF_CACHE, else
 * XDG_CACHE_HOME/computeprof, else HOME/.cache/computeprof. It is used only if it belongs to the
 * user and nobody else can write to it or replace it.
 */
struct cache_folder {
	int file;	      /* descriptor; -1: there is none */
	bool is_missing;      /* it can be used as soon as it exists */
	struct strbuf path;   /* "" if no variable tells it */
	struct strbuf reason; /* why it is not used, words without a full stop; or "" */
};

/* Finds and opens it. With `make` it is made if it is missing, and so is the one that it is in.
 * Returns false without a usable one. The caller closes it in any case. */
bool cache_folder_open(struct cache_folder *folder, bool make);

/* Returns false with a reason if no file can be added to it, as far as that is known without
 * trying. It may be missing. */
bool cache_folder_is_writable(struct cache_folder *folder);

void cache_folder_close(struct cache_folder *folder);

#endif
