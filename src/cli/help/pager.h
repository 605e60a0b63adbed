/* SPDX-License-Identifier: MIT */
#ifndef CLI_HELP_PAGER_H
#define CLI_HELP_PAGER_H

/*
 * Shows text that is longer than the terminal with the user's pager: $PAGER, otherwise less or
 * more, if one is installed. Without a terminal, and if PAGER is empty or cat, the text is only
 * printed.
 */
struct pager {
	int terminal; /* the standard output, or -1 if the text is not collected */
	int text;     /* what is printed meanwhile, in memory */
};

/* What is printed to stdout until pager_end() is collected. */
void pager_begin(struct pager *pager);

/* Shows it. stdout is as before. */
void pager_end(struct pager *pager);

#endif
