/* SPDX-License-Identifier: MIT */
#include "mpi/share.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The least cost of a file, in bytes that are read in the same time. */
enum { OPENING = 1 << 16 };

void share_put_plan(struct strbuf *to, const struct merge_job *job, char *const *list, int count)
{
	const char *kernels = job->flags->value[FLAG_KERNELS];
	struct stat status;

	rank_wire_put(to, job->demangle);
	rank_wire_put(to, kernels != NULL);
	rank_wire_put_text(to, kernels ? kernels : "", kernels ? strlen(kernels) + 1 : 0);
	rank_wire_put(to, (uint64_t)count);
	for (int i = 0; i < count; i++)
		rank_wire_put(to, stat(list[i], &status) ? 0 : (uint64_t)status.st_size);
	for (int i = 0; i < count; i++)
		rank_wire_put_text(to, list[i], strlen(list[i]) + 1);
}

/* The plan as a rank reads it. */
struct plan {
	bool demangle;
	const char *kernels;	    /* or NULL */
	uint64_t count, first, end; /* this rank has the files from `first` to before `end` */
	struct rank_wire paths;
};

/* Sets the share of this rank. A file belongs to the rank in whose part its middle is, if all files
 * are divided into parts of equal cost. */
static void divide(struct plan *plan, const struct exchange *exchange, struct rank_wire sizes)
{
	struct rank_wire again = sizes;
	double all = 0, before = 0;

	for (uint64_t i = 0; i < plan->count; i++)
		all += OPENING + (double)rank_wire_get(&sizes);
	for (uint64_t i = 0; i < plan->count; i++) {
		double cost = OPENING + (double)rank_wire_get(&again);
		int rank = (int)((before + cost / 2) / all * exchange->size);

		before += cost;
		plan->first += rank < exchange->rank;
		plan->end += rank <= exchange->rank;
	}
	plan->paths = again;
}

static struct plan read_plan(const struct exchange *exchange, struct rank_wire from)
{
	struct plan plan = {.demangle = rank_wire_get(&from)};
	bool filtered = rank_wire_get(&from);
	size_t length;
	const char *kernels = rank_wire_get_text(&from, &length);

	plan.kernels = filtered ? kernels : NULL;
	plan.count = rank_wire_get(&from);
	divide(&plan, exchange, from);
	return plan;
}

/* Appends what was read of a file. */
static void put_part(struct share *share, int result, const struct rank_sums *part,
		     struct strbuf *error)
{
	struct strbuf values = STRBUF_INIT;

	rank_wire_put(&share->outcomes, result < 0   ? SHARE_NOT_READ
					: result > 0 ? SHARE_READ_WITH_SENTENCE
						     : SHARE_READ);
	rank_wire_put_text(&share->outcomes, strbuf_text(error), error->length);
	if (result >= 0) {
		rank_wire_put_processes(&share->outcomes, part);
		rank_wire_put_values(&values, part);
	}
	rank_wire_put_text(&share->values, values.data, values.length);
	share->values.failed |= values.failed;
	strbuf_free(&values);
}

static void read_file(struct share *share, const struct plan *plan, const char *path)
{
	struct strbuf error = STRBUF_INIT;
	struct rank_sums part;

	if (rank_sums_open(&part, plan->kernels, plan->demangle, &error)) {
		rank_wire_put(&share->outcomes, SHARE_NO_MEMORY);
		rank_wire_put_text(&share->outcomes, strbuf_text(&error), error.length);
		rank_wire_put_text(&share->values, "", 0);
	} else {
		int result = merge_job_read(&part, path, &error);

		put_part(share, result, &part, &error);
	}
	rank_sums_close(&part);
	strbuf_free(&error);
}

void share_read(struct share *share, const struct exchange *exchange, struct rank_wire from)
{
	struct plan plan = read_plan(exchange, from);

	for (uint64_t i = 0; i < plan.end; i++) {
		size_t length;
		const char *path = rank_wire_get_text(&plan.paths, &length);

		if (i >= plan.first)
			read_file(share, &plan, path);
	}
}

void share_put_refusal(struct strbuf *to)
{
	rank_wire_put(to, 0);
}

void share_put_places(struct strbuf *to, const uint32_t *places, size_t count)
{
	rank_wire_put(to, count + 1);
	for (size_t i = 0; i < count; i++)
		rank_wire_put(to, places[i]);
}

/* Adds the values of a file whose processes have these indexes. */
static int add_values(struct rank_sums *sums, struct rank_wire values, const uint32_t *places,
		      uint64_t count)
{
	struct strbuf error = STRBUF_INIT;
	struct rank_sums part;
	int result = rank_sums_open(&part, NULL, false, &error) ||
		     rank_wire_get_values(&part, &values, count) ||
		     rank_sums_add_values(sums, &part, places);

	rank_sums_close(&part);
	strbuf_free(&error);
	return result ? -1 : 0;
}

/* Reads a decision, and adds the values unless they are NULL. */
static int add_by_decision(struct rank_sums *sums, struct rank_wire *decisions,
			   const struct rank_wire *values)
{
	uint64_t count = rank_wire_get(decisions), room = values ? count : 0;
	uint32_t *places = calloc(room + 1, sizeof(*places));
	int result = 0;

	for (uint64_t i = 0; i + 1 < count; i++) {
		uint64_t place = rank_wire_get(decisions);

		if (places && i < room)
			places[i] = (uint32_t)place;
	}
	if (!places)
		result = -1;
	else if (values && count)
		result = add_values(sums, *values, places, count - 1);
	free(places);
	return result;
}

int share_add(const struct share *share, const struct exchange *exchange, struct rank_wire from,
	      struct rank_wire decisions, struct rank_sums *sums)
{
	struct plan plan = read_plan(exchange, from);
	struct rank_wire all = rank_wire_of(&share->values);
	int result = share->values.failed ? -1 : 0;

	for (uint64_t i = 0; i < plan.end && !result; i++) {
		struct rank_wire values = {0};
		size_t length;

		if (i >= plan.first) {
			values.at = rank_wire_get_text(&all, &length);
			values.end = values.at + length;
		}
		result = add_by_decision(sums, &decisions, i >= plan.first ? &values : NULL);
	}
	rank_sums_trim_launches(sums);
	return result;
}

void share_free(struct share *share)
{
	strbuf_free(&share->outcomes);
	strbuf_free(&share->values);
}
