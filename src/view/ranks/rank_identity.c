/* SPDX-License-Identifier: MIT */
#include "view/ranks/rank_identity.h"

#include "base/text.h"

static const char *path_of(const struct rank_sums *sums, const struct rank_process *process)
{
	return rank_sums_text(sums, process->path);
}

uint64_t rank_identity_key(uint32_t pid, uint64_t started)
{
	const uint64_t words[] = {pid, started};

	return text_hash((const char *)words, sizeof(words)) | 1;
}

void rank_identity_put_twice(struct strbuf *to, const char *path, size_t found, size_t count,
			     const char *other)
{
	strbuf_printf(to, "%llu of %llu processes of %s are in other inputs already, such as %s",
		      (unsigned long long)found, (unsigned long long)count, path, other);
}

/* Returns the process of `sums` that is this one or, in a merged trace, has it; NULL if there is
 * none. */
static const struct rank_process *find(const struct rank_sums *sums, uint32_t pid, uint64_t started)
{
	size_t count;
	const struct rank_process *list = rank_sums_processes(sums, &count);
	uintptr_t number =
		started ? (uintptr_t)map_get(&sums->starts, rank_identity_key(pid, started)) : 0;

	return number ? &list[number - 1] : NULL;
}

/* Of sums it is not known whether they have the records of the other input. */
static void put_summed(struct strbuf *to, const char *path, const struct rank_process *process,
		       const char *other, const struct rank_process *known)
{
	strbuf_printf(to, "the process of %s is in other inputs already, as %s", path, other);
	if (known->records && process->records)
		strbuf_printf(to, ", with %llu records instead of %llu",
			      (unsigned long long)known->records,
			      (unsigned long long)process->records);
}

/* Other files of one process have different records (cli/copies.h), and count. */
static int find_process(const struct rank_sums *sums, const struct rank_process *process,
			const char *path, struct strbuf *error)
{
	const struct rank_process *known = find(sums, process->pid, process->started);
	const char *other = known ? path_of(sums, known) : NULL;

	if (!known)
		return 0;
	if (known->pid != process->pid || known->started != process->started)
		strbuf_printf(error, "the process of %s is in %s already", path, other);
	else if (known->records == process->records)
		strbuf_printf(error, "%s has the same process and records as %s", path, other);
	else if (known->summed || process->summed)
		put_summed(error, path, process, other, known);
	else
		return 0;
	return 1;
}

/* The processes of merged traces. */
static int find_parts(const struct rank_sums *sums, const struct rank_sums *from,
		      struct strbuf *error)
{
	size_t count, processes, found = 0;
	const struct rank_part *list = rank_sums_parts(from, &count);
	const struct rank_process *process = rank_sums_processes(from, &processes), *known = NULL;
	uint32_t merged = 0;

	for (size_t i = 0; i < count; i++) {
		const struct rank_process *at = find(sums, list[i].pid, list[i].started);

		merged = known ? merged : list[i].process;
		known = known ? known : at;
		found += at != NULL;
	}
	if (known)
		rank_identity_put_twice(error, path_of(from, &process[merged]), found, count,
					path_of(sums, known));
	return known ? 1 : 0;
}

int rank_identity_find_twice(const struct rank_sums *sums, const struct rank_sums *from,
			     struct strbuf *error)
{
	size_t count;
	const struct rank_process *list = rank_sums_processes(from, &count);

	for (size_t i = 0; i < count; i++)
		if (find_process(sums, &list[i], path_of(from, &list[i]), error))
			return 1;
	return find_parts(sums, from, error);
}

/* The ids of the processes whose start is known, the number of these, and whether any id is. */
struct known {
	struct map pids;
	size_t starts;
	bool has_pids;
};

static int add_known(struct known *known, uint32_t pid, uint64_t started)
{
	known->has_pids |= pid != 0;
	known->starts += started != 0;
	return pid && started ? map_set(&known->pids, pid, known) : 0;
}

static int list_known(struct known *known, const struct rank_sums *sums)
{
	size_t count, parts;
	const struct rank_process *list = rank_sums_processes(sums, &count);
	const struct rank_part *part = rank_sums_parts(sums, &parts);
	int result = 0;

	for (size_t i = 0; !result && i < count; i++)
		result = add_known(known, list[i].pid, list[i].started);
	for (size_t i = 0; !result && i < parts; i++)
		result = add_known(known, part[i].pid, part[i].started);
	return result;
}

/* Files of one kind, such as the logs of all ranks, are distinguished by their names. */
static bool is_unknown(const struct known *known, const struct rank_process *process)
{
	if (process->started || process->merged)
		return false;
	return process->pid ? map_get(&known->pids, process->pid) != NULL
			    : known->starts || known->has_pids;
}

int rank_identity_put_unknown(const struct rank_sums *sums, struct strbuf *to)
{
	size_t count, unknown = 0;
	const struct rank_process *list = rank_sums_processes(sums, &count), *first = NULL;
	struct known known = {.starts = 0};
	int result = list_known(&known, sums);

	for (size_t i = 0; !result && i < count; i++) {
		if (!is_unknown(&known, &list[i]))
			continue;
		first = first ? first : &list[i];
		unknown++;
	}
	if (first && unknown == 1)
		strbuf_printf(to, "it is not known to which process %s belongs",
			      path_of(sums, first));
	else if (first)
		strbuf_printf(to, "it is not known to which processes %s and %llu more belong",
			      path_of(sums, first), (unsigned long long)unknown - 1);
	if (first)
		strbuf_string(to,
			      ": if another input is of the same process, its records count twice");
	map_free(&known.pids);
	return result;
}
