/* SPDX-License-Identifier: MIT */
#include "cli/run/program.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { SCRIPT_DEPTH = 4, SCRIPT_LINE = 256 };

static bool is_file(const char *path, int mode)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode) && !access(path, mode);
}

int program_find(struct strbuf *path, const char *name)
{
	const char *list = getenv("PATH");
	size_t start = path->length, length;

	if (strchr(name, '/')) {
		strbuf_string(path, name);
		return is_file(name, F_OK) ? 0 : -1;
	}
	for (list = list ? list : "/bin:/usr/bin"; *name; list += length + 1) {
		length = strcspn(list, ":");
		path->length = start;
		strbuf_printf(path, "%.*s%s%s", (int)length, list, length ? "/" : "./", name);
		if (is_file(strbuf_text(path) + start, X_OK))
			return 0;
		if (!list[length])
			break;
	}
	path->length = start;
	strbuf_string(path, name);
	return -1;
}

/* The kernel ignores LD_PRELOAD if the program gains rights (set-user-ID, capabilities). */
static bool gains_rights(int file)
{
	struct stat status;
	char capability[64];

	if (fstat(file, &status))
		return false;
	if ((status.st_mode & S_ISUID) && status.st_uid != getuid())
		return true;
	if ((status.st_mode & S_ISGID) && status.st_gid != getgid())
		return true;
	return getuid() &&
	       fgetxattr(file, "security.capability", capability, sizeof(capability)) > 0;
}

/* Reads the interpreter of a script: its path, or the name that env(1) searches for. */
static bool script_interpreter(int file, char *line, const char **interpreter)
{
	ssize_t got = pread(file, line, SCRIPT_LINE - 1, 0);
	const char *words[4] = {NULL};
	char *rest;
	int count = 0;

	if (got < 3 || line[0] != '#' || line[1] != '!')
		return false;
	line[got] = '\0';
	line[strcspn(line, "\n")] = '\0';
	for (char *word = strtok_r(line + 2, " \t\r", &rest); word && count < 4;
	     word = strtok_r(NULL, " \t\r", &rest))
		words[count++] = word;
	*interpreter = words[0];
	if (count > 1 && !strcmp(basename(words[0]), "env"))
		*interpreter = !strcmp(words[1], "-S") ? words[2] : words[1];
	return *interpreter != NULL;
}

static bool uses_musl(const struct elf *elf)
{
	return strstr(elf->interpreter, "ld-musl") != NULL;
}

/* Returns true if the tool is built for musl. The library is built for the same C library. */
static bool built_for_musl(void)
{
	struct elf own = {0};
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	bool musl;

	if (file < 0)
		return false;
	elf_read(file, &own);
	musl = uses_musl(&own);
	elf_free(&own);
	close(file);
	return musl;
}

static void find_obstacle(struct program *program, int file)
{
	const char *path = strbuf_text(&program->path);
	struct strbuf *obstacle = &program->obstacle;

	elf_read(file, &program->elf);
	if (program->elf.kind == ELF_NONE)
		strbuf_printf(obstacle, "%s is neither an ELF program nor a script", path);
	else if (program->elf.kind == ELF_FOREIGN)
		strbuf_printf(obstacle,
			      "%s is a %d-bit program for another processor (machine %d), "
			      "which cannot load this library",
			      path, program->elf.wide ? 64 : 32, program->elf.machine);
	else if (program->elf.kind == ELF_DAMAGED)
		strbuf_printf(obstacle, "%s is a damaged ELF file or not a program", path);
	else if (program->elf.kind == ELF_STATIC)
		strbuf_printf(obstacle,
			      "%s is statically linked, so no library can be loaded into it", path);
	else if (gains_rights(file))
		strbuf_printf(obstacle,
			      "%s gains privileges when it starts (setuid, setgid or "
			      "capabilities), so LD_PRELOAD is ignored",
			      path);
	else if (uses_musl(&program->elf) != built_for_musl())
		strbuf_printf(
			obstacle,
			"%s uses %s, but the library was built for %s and may not work there",
			path, uses_musl(&program->elf) ? "musl" : "glibc",
			built_for_musl() ? "musl" : "glibc");
}

static void put_none(struct strbuf *to, const char *name)
{
	struct stat status;

	if (!strchr(name, '/') || stat(name, &status))
		strbuf_printf(to, "no program '%s'", name);
	else
		strbuf_printf(to, "%s is %s and cannot be run", name,
			      S_ISDIR(status.st_mode) ? "a directory" : "not a regular file");
}

/* Returns 1 if the file is a script; `name` is then its interpreter. */
static int examine_one(struct program *program, const char **name, char *line)
{
	const char *path, *interpreter;
	int file, again;

	program->path.length = 0;
	if (program_find(&program->path, *name)) {
		put_none(&program->obstacle, *name);
		return 0;
	}
	path = strbuf_text(&program->path);
	file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file < 0) {
		strbuf_printf(&program->obstacle, "%s cannot be read: %m", path);
		return 0;
	}
	again = script_interpreter(file, line, &interpreter);
	if (again && access(path, X_OK)) {
		strbuf_printf(&program->obstacle, "%s is a script that is not executable", path);
		again = 0;
	} else if (again)
		strbuf_printf(&program->scripts, "%s is a script for %s\n", path, interpreter);
	else
		find_obstacle(program, file);
	if (!again && !program->obstacle.length && access(path, X_OK))
		strbuf_printf(&program->obstacle, "%s is not executable", path);
	close(file);
	if (again)
		*name = interpreter;
	return again;
}

/* Returns true for programs that pass on only few environment variables. */
static bool clears_environment(const char *name)
{
	static const char *const programs[] = {"sudo", "doas", "pkexec"};
	const char *base = basename(name);

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (!strcmp(base, programs[i]))
			return true;
	return false;
}

int program_examine(struct program *program, const char *name)
{
	char lines[2][SCRIPT_LINE]; /* `name` points into the line that was read before */
	int depth = 0;

	if (clears_environment(name) && !program_find(&program->path, name)) {
		strbuf_printf(&program->obstacle,
			      "%s starts programs without LD_PRELOAD; put it first: '%s "
			      "computeprof PROGRAM'",
			      name, basename(name));
		return -1;
	}
	while (examine_one(program, &name, lines[depth % 2]) && ++depth < SCRIPT_DEPTH)
		;
	if (depth == SCRIPT_DEPTH)
		strbuf_printf(&program->obstacle, "%s: the script's interpreters are scripts "
						  "themselves, too many levels deep",
			      strbuf_text(&program->path));
	return program->obstacle.length ? -1 : 0;
}

void program_free(struct program *program)
{
	strbuf_free(&program->path);
	strbuf_free(&program->scripts);
	strbuf_free(&program->obstacle);
	elf_free(&program->elf);
}
