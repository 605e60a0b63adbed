/* SPDX-License-Identifier: MIT */
#include "view/ranks/rank_clocks.h"

#include <string.h>

#include "view/format/quantity.h"

static struct rank_host *hosts_of(const struct rank_clocks *clocks)
{
	return (void *)clocks->hosts.data;
}

size_t rank_clocks_hosts(const struct rank_clocks *clocks)
{
	return clocks->hosts.length / sizeof(struct rank_host);
}

/* Returns the index of the host of this boot; the number of hosts if there is none. */
static size_t find_host(const struct rank_clocks *clocks, const struct process *process)
{
	size_t count = rank_clocks_hosts(clocks), i = 0;
	struct process other = {0};

	for (; i < count; i++) {
		memcpy(other.boot, hosts_of(clocks)[i].boot, sizeof(other.boot));
		if (process_shares_clock(process, &other))
			break;
	}
	return i;
}

static void widen(struct rank_host *host, int64_t offset)
{
	host->least = offset < host->least ? offset : host->least;
	host->most = offset > host->most ? offset : host->most;
}

int rank_clocks_add(struct rank_clocks *clocks, const struct process *process,
		    const int64_t *at_end)
{
	uint32_t index = (uint32_t)find_host(clocks, process);
	struct rank_host host = {.least = process->monotonic_to_epoch,
				 .most = process->monotonic_to_epoch};

	memcpy(host.boot, process->boot, sizeof(host.boot));
	if (index == rank_clocks_hosts(clocks))
		strbuf_append(&clocks->hosts, &host, sizeof(host));
	strbuf_append(&clocks->parts, &index, sizeof(index));
	if (clocks->hosts.failed || clocks->parts.failed)
		return -1;
	widen(&hosts_of(clocks)[index], process->monotonic_to_epoch);
	if (at_end)
		widen(&hosts_of(clocks)[index], *at_end);
	hosts_of(clocks)[index].has_end |= at_end != NULL;
	return 0;
}

void rank_clocks_free(struct rank_clocks *clocks)
{
	strbuf_free(&clocks->hosts);
	strbuf_free(&clocks->parts);
}

/* Any numbers may be in a file. */
static uint64_t distance(const struct rank_host *host)
{
	return (uint64_t)host->most - (uint64_t)host->least;
}

int64_t rank_clocks_epoch(const struct rank_clocks *clocks, size_t part)
{
	const uint32_t *parts = (const void *)clocks->parts.data;
	const struct rank_host *host = &hosts_of(clocks)[parts[part]];

	return (int64_t)((uint64_t)host->least + distance(host) / 2);
}

bool rank_clocks_error(const struct rank_clocks *clocks, uint64_t *error)
{
	uint64_t largest = 0, second = 0;
	size_t count = rank_clocks_hosts(clocks);
	bool known = true;

	for (size_t i = 0; i < count; i++) {
		const struct rank_host *host = &hosts_of(clocks)[i];
		uint64_t own = distance(host) / 2 + RANK_CLOCK_READING;

		known &= host->has_end;
		if (own > largest) {
			second = largest;
			largest = own;
		} else if (own > second) {
			second = own;
		}
	}
	if (count < 2)
		*error = 0;
	else if (__builtin_add_overflow(largest, second, error))
		*error = UINT64_MAX;
	return known || count < 2;
}

void rank_clocks_put(const struct rank_clocks *clocks, struct strbuf *to)
{
	unsigned long long hosts = rank_clocks_hosts(clocks);
	struct strbuf text = STRBUF_INIT;
	uint64_t error;
	bool known = rank_clocks_error(clocks, &error);

	if (hosts < 2) {
		strbuf_string(to, "clocks: all processes are of one host and have one clock");
		return;
	}
	quantity_put(&text, &quantity_time, QUANTITY_AUTO, (double)error);
	strbuf_printf(to, "clocks: %llu hosts or time namespaces, aligned by their wall clocks, ",
		      hosts);
	if (known)
		strbuf_printf(to, "with an error of at most %s", strbuf_text(&text));
	else
		strbuf_printf(to,
			      "with an error of %s or more, as not all have a reading at the "
			      "end",
			      strbuf_text(&text));
	strbuf_string(to, " besides that of the wall clocks themselves");
	strbuf_free(&text);
}
