/* SPDX-License-Identifier: MIT */
#ifndef VIEW_ADVISE_FLOW_PATTERNS_H
#define VIEW_ADVISE_FLOW_PATTERNS_H

#include "view/advise/advice.h"
#include "view/format/printer.h"

/* Appends the table of the patterns of values; nothing if the trace has none. Returns -1 without
 * memory. */
int flow_put_patterns(const struct printer_page *page, struct advice *advice);

/* Appends ", \"patterns\": [...]", or null if the trace has none. */
void flow_put_patterns_json(struct strbuf *to, struct advice *advice);

/* Appends the patterns in the text of GVProf's value_pattern. */
void flow_put_patterns_text(struct strbuf *to, const struct advice *advice);

/* Returns the patterns that only the rounded values have. */
static inline unsigned flow_approximate(const struct flow_pattern *pattern)
{
	return pattern->key.rounded_kinds & ~(unsigned)pattern->key.kinds;
}

/* Appends the type of the elements, such as "float4". */
void flow_put_type(struct strbuf *to, const struct flow_pattern *pattern);

/* Appends a value of this type as a decimal number. */
void flow_put_value(struct strbuf *to, uint8_t type, uint64_t bits);

/* Appends a number, or "LEAST-MOST" if it is not the same for all contents. */
void flow_put_range(struct strbuf *to, uint64_t least, uint64_t most);

/* As flow_put_range, for the number of different values: the least of all contents, and `most`.
 * `more` is put before a number if there are more different values than were counted: in all
 * contents for the least number, in any contents (`has_more`) for `most`. */
void flow_put_distinct(struct strbuf *to, const struct flow_values *values, uint32_t most,
		       bool has_more, const char *more);

/* Appends a number with up to 17 digits. */
void flow_put_real(struct strbuf *to, double number);

#endif
