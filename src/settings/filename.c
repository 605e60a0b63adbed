/* SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "settings/filename.h"

#define SLURM_RANK "SLURM_PROCID"

enum { RANK_DIGITS = 9 };

/* One part of a pattern: an expansion, or literal bytes up to the next percent sign. */
struct piece {
	char letter;          /* letter of the expansion, 0 for literal bytes */
	const char *argument; /* of %q{...} */
	size_t size;          /* of the argument */
};

/* Reads the first part of `pattern` and returns the rest. */
static const char *next_piece(struct piece *piece, const char *pattern)
{
	const char *end;

	*piece = (struct piece){0};
	if (*pattern != '%' || pattern[1] == '\0')
		return pattern + 1 + strcspn(pattern + 1, "%");
	if (strchr("dphr%", pattern[1])) {
		piece->letter = pattern[1];
		return pattern + 2;
	}
	end = strncmp(pattern, "%q{", 3) == 0 ? strchr(pattern + 3, '}') : NULL;
	if (!end)
		return pattern + 1 + strcspn(pattern + 1, "%");
	*piece = (struct piece){'q', pattern + 3, (size_t)(end - pattern - 3)};
	return end + 1;
}

/* Returns true if a dot appended to `to` could make the last component "." or "..". */
static bool only_dots(const struct strbuf *to, size_t start)
{
	size_t at = to->length;

	while (at > start && to->data[at - 1] == '.')
		at--;
	return at == start || to->data[at - 1] == '/';
}

/* An external value is part of one component; it must not lead into another directory. */
static void append_value(struct strbuf *to, size_t start, const char *value)
{
	for (; value && *value; value++) {
		bool steers = *value == '/' || (*value == '.' && only_dots(to, start));

		strbuf_char(to, steers ? '_' : *value);
	}
}

static void append_variable(struct strbuf *to, size_t start, const struct piece *piece)
{
	char name[256];

	if (piece->size >= sizeof(name))
		return;
	memcpy(name, piece->argument, piece->size);
	name[piece->size] = '\0';
	append_value(to, start, env_get(name));
}

static void append_host(struct strbuf *to, size_t start)
{
	char name[HOST_NAME_MAX + 1] = "";

	if (gethostname(name, sizeof(name)) == 0)
		append_value(to, start, name);
}

/* Appends %h, %r and %q{}, whose values are constant in a process. */
static void append_constant(struct strbuf *to, size_t start, const struct piece *piece)
{
	if (piece->letter == 'h')
		append_host(to, start);
	else if (piece->letter == 'r')
		append_value(to, start, filename_rank());
	else
		append_variable(to, start, piece);
}

/* Call before each part of a pattern is appended at `at`. Values before a slash may be empty: the
 * name must not become absolute by that. */
static void keep_relative(struct strbuf *to, size_t start, const char *pattern, const char *at)
{
	if (at != pattern && *at == '/' && to->length == start)
		strbuf_char(to, '.');
}

void filename_fix(struct strbuf *to, const char *pattern)
{
	const char *const whole = pattern;
	size_t start = to->length;
	const char *next;
	struct piece piece;

	for (; *pattern; pattern = next) {
		struct strbuf value = STRBUF_INIT;
		size_t before;

		next = next_piece(&piece, pattern);
		keep_relative(to, start, whole, pattern);
		/* A literal percent sign must not form an expansion with the text after it. */
		if (!piece.letter && *pattern == '%')
			strbuf_char(to, '%');
		if (!piece.letter || strchr("dp%", piece.letter)) {
			strbuf_append(to, pattern, (size_t)(next - pattern));
			continue;
		}
		/* The text before the value decides whether dots would change the directory. */
		if (to->length > start)
			strbuf_append(&value, to->data + start, to->length - start);
		before = value.length;
		append_constant(&value, 0, &piece);
		for (size_t i = before; i < value.length; i++) {
			strbuf_char(to, value.data[i]);
			if (value.data[i] == '%')
				strbuf_char(to, '%');
		}
		strbuf_free(&value);
	}
}

void filename_expand(struct strbuf *to, const char *pattern, uint32_t number, uint32_t pid)
{
	const char *const whole = pattern;
	size_t start = to->length;
	const char *next;
	struct piece piece;

	for (; *pattern; pattern = next) {
		next = next_piece(&piece, pattern);
		keep_relative(to, start, whole, pattern);
		switch (piece.letter) {
		case 'd':
			strbuf_printf(to, "%u", number);
			break;
		case 'p':
			strbuf_printf(to, "%u", pid);
			break;
		case 'h':
		case 'r':
		case 'q':
			append_constant(to, start, &piece);
			break;
		case '%':
			strbuf_char(to, '%');
			break;
		default:
			strbuf_append(to, pattern, (size_t)(next - pattern));
		}
	}
}

int filename_has(const char *pattern, char letter)
{
	struct piece piece;

	while (*pattern) {
		pattern = next_piece(&piece, pattern);
		if (piece.letter && piece.letter == letter)
			return 1;
	}
	return 0;
}

static bool is_word(char byte)
{
	return (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

const char *filename_mistake(const char *pattern, size_t *length)
{
	struct piece piece;
	const char *next;

	for (; *pattern; pattern = next) {
		bool unnamed;

		next = next_piece(&piece, pattern);
		unnamed = piece.letter == 'q' && !piece.size;
		if (*pattern != '%' || (piece.letter && !unnamed) || !is_word(pattern[1]))
			continue;
		*length = unnamed ? strlen("%q{}") : 2 + !strncmp(pattern, "%q{", 3);
		return pattern;
	}
	return NULL;
}

void filename_tag(struct strbuf *to, const char *path, const char *tag)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');
	size_t stem = dot && dot > name ? (size_t)(dot - path) : strlen(path);

	strbuf_append(to, path, stem);
	strbuf_char(to, '.');
	strbuf_string(to, tag);
	strbuf_string(to, path + stem);
}

/* Returns the first known rank variable that is set, or NULL. */
static const char *rank_variable(void)
{
	static const char *const variables[] = {
		"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "PALS_RANKID", SLURM_RANK,
		"MV2_COMM_WORLD_RANK", "FLUX_TASK_RANK", "RANK",
	};

	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *rank = env_get(variables[i]);

		if (rank && *rank)
			return variables[i];
	}
	return NULL;
}

const char *filename_rank(void)
{
	const char *variable = rank_variable();

	return variable ? env_get(variable) : NULL;
}

/* Returns true if the process is of a job step. Slurm sets SLURM_PROCID, but not this variable, in
 * the script of a batch job and in the shell of an interactive one. */
static bool is_of_step(void)
{
	const char *step = env_get("SLURM_STEP_ID");

	return step && *step;
}

const char *filename_job_rank(void)
{
	const char *variable = rank_variable(), *rank = variable ? env_get(variable) : NULL;
	size_t digits = rank ? strspn(rank, "0123456789") : 0;

	if (!digits || digits > RANK_DIGITS || rank[digits] ||
	    (!strcmp(variable, SLURM_RANK) && !is_of_step()))
		return NULL;
	return rank;
}
