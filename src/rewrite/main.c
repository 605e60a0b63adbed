/* SPDX-License-Identifier: MIT */
/* computeprof-rewrite: reads OpenCL C and writes it with counters of its memory accesses. It is a
 * program of its own, so that libclang is in no profiled process. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "config.h"
#include "rewrite/arena.h"
#include "rewrite/cache.h"
#include "rewrite/compiler.h"
#include "rewrite/rewrite.h"

enum {
	EXIT_ORIGINAL = 1, /* nothing is rewritten: the output is the input */
	EXIT_USAGE = 2,	   /* or it cannot be read or written */
	EXIT_MEMORY = ARENA_EXIT,
	STRIPES = 16,
	MOST_STRIPES = 65536,
	SIZE = 64 << 20, /* of a source */
};

static const char usage[] =
	"Usage: computeprof-rewrite [OPTION...] [-- BUILD-OPTION...] <SOURCE >RESULT\n"
	"Rewrites OpenCL C: its kernels count their loads and stores of global memory.\n"
	"  --extensions NAMES  the device's extensions, separated by blanks [all known ones]\n"
	"  --file NAME         the source's name in the table of sites [kernel.cl]\n"
	"  --stripes COUNT     sets of counters, a power of two [16]\n"
	"  --sums WHERE        work-item, work-group or access [work-item]\n"
	"  --cache             use results of earlier calls, and keep this one\n"
	"  --cache-size KIB    of all results that are kept [131072]\n"
	"  --cache-state       print where results are kept, or why they are not\n"
	"  --help, --version\n";

static const struct option options[] = {
	{"extensions", required_argument, NULL, 'e'},
	{"file", required_argument, NULL, 'f'},
	{"stripes", required_argument, NULL, 's'},
	{"sums", required_argument, NULL, 'm'},
	{"cache", no_argument, NULL, 'c'},
	{"cache-size", required_argument, NULL, 'z'},
	{"cache-state", no_argument, NULL, 't'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'v'},
	{0},
};

static int fail(const char *what)
{
	fprintf(stderr, "computeprof-rewrite: %s\n", what);
	return EXIT_USAGE;
}

static struct cache cache = {.most = (uint64_t)CACHE_KIB << 10};

static unsigned read_stripes(const char *text)
{
	char *end;
	unsigned long count = strtoul(text, &end, 10);

	return *end || count > MOST_STRIPES || (count & (count - 1)) ? 0 : (unsigned)count;
}

static int read_cache_size(const char *text)
{
	char *end;
	unsigned long size = strtoul(text, &end, 10);

	cache.most = (uint64_t)size << 10;
	return *text < '0' || *text > '9' || *end || size > UINT32_MAX ? -1 : 0;
}

/* Reads standard input. Returns 0, or -1. */
static int read_source(struct strbuf *source)
{
	ssize_t size;
	char *to;

	do {
		to = strbuf_reserve(source, 65536);
		if (!to || source->length > SIZE) {
			errno = EFBIG;
			return -1;
		}
		size = read(STDIN_FILENO, to, 65536);
		if (size > 0)
			source->length += (size_t)size;
	} while (size > 0 || (size < 0 && errno == EINTR));
	return size < 0 ? -1 : 0;
}

static void say_messages(struct strbuf *messages)
{
	char *line = messages->length ? strdup(strbuf_text(messages)) : NULL, *rest = line, *at;

	while (rest && (at = strsep(&rest, "\n")) && *at)
		fprintf(stderr, "computeprof-rewrite: %s\n", at);
	free(line);
}

static int put(const struct strbuf *text)
{
	if (text->failed || (text->length && !fwrite(text->data, text->length, 1, stdout)) ||
	    fflush(stdout))
		return fail("cannot write the result");
	return 0;
}

static int put_result(struct rewrite_result *result, int code)
{
	say_messages(&result->messages);
	return put(&result->text) ? EXIT_USAGE : code;
}

static void free_result(struct rewrite_result *result)
{
	strbuf_free(&result->text);
	strbuf_free(&result->messages);
	strbuf_free(&result->included);
}

/* A result without rewritten kernels is not kept: it may be for lack of memory. */
static int rewrite(const struct rewrite_request *request, struct strbuf *source)
{
	struct rewrite_result result = {.text = STRBUF_INIT};
	unsigned rewritten = rewrite_source(request, strbuf_text(source), source->length, &result);
	int code;

	if (rewritten)
		cache_keep(&cache, &result);
	code = put_result(&result, rewritten ? EXIT_SUCCESS : EXIT_ORIGINAL);
	free_result(&result);
	return code;
}

/* Rewrites in a child process, which writes nothing before it is done: if expressions are nested
 * too deeply, libclang ends the process with a signal. */
static int rewrite_apart(const struct rewrite_request *request, struct strbuf *source)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		return rewrite(request, source);
	if (!child)
		exit(rewrite(request, source));
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return fail("cannot wait for a child process");
	if (WIFEXITED(status) && WEXITSTATUS(status) != EXIT_MEMORY)
		return WEXITSTATUS(status);
	if (WIFSIGNALED(status))
		fprintf(stderr,
			"computeprof-rewrite: %s: not rewritten: signal %d ended libclang\n",
			request->file, WTERMSIG(status));
	return put(source) ? EXIT_USAGE : EXIT_ORIGINAL;
}

static int find_or_rewrite(const struct rewrite_request *request, struct strbuf *source)
{
	struct rewrite_result kept = {.text = STRBUF_INIT};
	struct strbuf compiler = STRBUF_INIT;
	int code;

	compiler_identify(&compiler);
	cache_begin(&cache, request, &compiler, source);
	if (cache_find(&cache, &kept))
		code = put_result(&kept, EXIT_SUCCESS);
	else
		code = rewrite_apart(request, source);
	cache_end(&cache);
	strbuf_free(&compiler);
	free_result(&kept);
	return code;
}

static int rewrite_input(const struct rewrite_request *request)
{
	struct strbuf source = STRBUF_INIT;
	int code = EXIT_USAGE;

	if (read_source(&source))
		fprintf(stderr, "computeprof-rewrite: cannot read the source: %m\n");
	else
		code = find_or_rewrite(request, &source);
	strbuf_free(&source);
	return code;
}

static int describe_cache(void)
{
	struct strbuf text = STRBUF_INIT;
	bool is_kept = cache_describe(&text);
	bool done = puts(strbuf_text(&text)) >= 0 && !fflush(stdout);

	strbuf_free(&text);
	return !done ? EXIT_USAGE : is_kept ? EXIT_SUCCESS : EXIT_ORIGINAL;
}

int main(int argc, char **argv)
{
	struct rewrite_request request = {.file = "kernel.cl", .stripes = STRIPES};
	int option;

	/* If SIGCHLD is ignored, waitpid() cannot get the status of a child. */
	signal(SIGCHLD, SIG_DFL);
	umask(S_IRWXG | S_IRWXO); /* of the cache */
	while ((option = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		switch (option) {
		case 'e':
			request.extensions = optarg;
			break;
		case 'f':
			request.file = optarg;
			break;
		case 's':
			request.stripes = read_stripes(optarg);
			if (!request.stripes)
				return fail("--stripes is a power of two up to 65536");
			break;
		case 'm':
			if (!counting_parse(optarg, &request.sums))
				return fail("--sums is work-item, work-group or access");
			break;
		case 'c':
			cache.is_on = true;
			break;
		case 'z':
			if (read_cache_size(optarg))
				return fail("--cache-size is a number of KiB");
			break;
		case 't':
			return describe_cache();
		case 'h':
			return fputs(usage, stdout) < 0 || fflush(stdout) ? EXIT_USAGE : 0;
		case 'v':
			puts("computeprof-rewrite " PACKAGE_VERSION);
			return fflush(stdout) ? EXIT_USAGE : 0;
		default:
			fputs(usage, stderr);
			return EXIT_USAGE;
		}
	}
	request.options = (const char *const *)argv + optind;
	return rewrite_input(&request);
}
