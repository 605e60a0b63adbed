/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cuptiuser.h"
#include "entry/computeprof.h"

/* The client's steps. This calls a function of CUPTI with integer and pointer parameters. */
#define CUPTI(name, types, ...)                                                                    \
	check("cupti" #name, ((int(*) types)cupti_function("cupti" #name))(__VA_ARGS__))

static cupti_subscriber subscriber;
static const char *in_callback = ""; /* step to perform in a callback */
static const char *in_buffer = "";   /* step to perform when a buffer is requested */
static const char *buffers = "";     /* kind of buffers */
static int quiet;
static int keeps; /* buffers, which may be of another client */
static pid_t main_thread;

static void flush(const char *value)
{
	CUPTI(ActivityFlushAll, (uint32_t), (uint32_t)atoi(value));
}

static void on_callback(void *user, uint32_t domain, uint32_t callback, const void *data)
{
	const struct cupti_call *call = data;

	(void)user;
	if (domain <= CUPTI_DOMAIN_RUNTIME) {
		printf("callback %u:%u %s %s correlation %u context %u", domain, callback,
		       call->function, call->site == CUPTI_ENTER ? "enter" : "exit",
		       call->correlation, call->context_id);
		if (call->symbol)
			printf(" of %s", call->symbol);
		if (domain == CUPTI_DOMAIN_DRIVER && callback == CUPTI_DRIVER_PROFILER_INITIALIZE) {
			const struct cupti_profiler_initialize *given = call->parameters;

			printf(" of %s, %s, %d", given->config, given->output, given->mode);
		}
		puts("");
	} else {
		printf("callback %u:%u\n", domain, callback);
	}
	if (!strcmp(in_callback, "flush"))
		flush("1");
	if (!strcmp(in_callback, "decode"))
		print_ranges("");
	if (!strcmp(in_callback, "query"))
		check("cuDriverGetVersion",
		      ((int (*)(int *))driver_function("cuDriverGetVersion"))(&(int){0}));
}

static void on_requested(uint8_t **buffer, size_t *size, size_t *most)
{
	*size = !strcmp(buffers, "tiny") ? 64 : !strcmp(buffers, "big") ? 1 << 20 : 4096;
	*most = strcmp(buffers, "two") ? 0 : 2;
	*buffer = strcmp(buffers, "null") ? aligned_alloc(8, *size + 8) : NULL;
	if (*buffer)
		memset(*buffer, strcmp(buffers, "clear") ? 0xa5 : 0, *size);
	if (!strcmp(buffers, "crooked"))
		*buffer += 4; /* never freed: the process ends */
}

static void on_completed(cuda_context context, uint32_t stream, uint8_t *buffer, size_t size,
			 size_t valid)
{
	(void)context;
	(void)stream;
	(void)size;
	if (!quiet)
		printf("buffer%s\n", gettid() == main_thread ? "" : " of another thread");
	if (!strcmp(in_buffer, "flush"))
		flush("1");
	print_buffer(buffer, valid, quiet < 2 ? UINT32_MAX : 0);
	if (!keeps)
		free(buffer);
}

static void subscribe(const char *value)
{
	(void)value;
	main_thread = gettid();
	CUPTI(Subscribe, (cupti_subscriber *, cupti_callback_function *, void *), &subscriber,
	      on_callback, NULL);
}

static void unsubscribe(const char *value)
{
	(void)value;
	CUPTI(Unsubscribe, (cupti_subscriber), subscriber);
}

static void use_buffers(const char *value)
{
	buffers = value;
	main_thread = gettid();
	CUPTI(ActivityRegisterCallbacks, (cupti_buffer_requested *, cupti_buffer_completed *),
	      on_requested, on_completed);
}

static void enable(const char *value)
{
	CUPTI(ActivityEnable, (uint32_t), (uint32_t)atoi(value));
}

static void disable(const char *value)
{
	CUPTI(ActivityDisable, (uint32_t), (uint32_t)atoi(value));
}

/* Enables the kinds that computeprof enables. */
static void all(const char *value)
{
	static const char *const kinds[] = {"9", "10", "1", "22", "2"};

	use_buffers(value);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		enable(kinds[i]);
}

static void driver_api(const char *value)
{
	CUPTI(ActivityEnableDriverApi, (uint32_t, uint8_t), (uint32_t)abs(atoi(value)),
	      *value != '-');
}

static void runtime_api(const char *value)
{
	CUPTI(ActivityEnableRuntimeApi, (uint32_t, uint8_t), (uint32_t)abs(atoi(value)),
	      *value != '-');
}

static void hear(const char *value)
{
	char *end;
	uint32_t domain = (uint32_t)strtoul(value, &end, 10);

	if (*end == ':')
		CUPTI(EnableCallback, (uint32_t, cupti_subscriber, uint32_t, uint32_t), 1,
		      subscriber, domain, (uint32_t)atoi(end + 1));
	else
		CUPTI(EnableDomain, (uint32_t, cupti_subscriber, uint32_t), 1, subscriber, domain);
}

static void in_callbacks(const char *value)
{
	in_callback = value;
}

static void in_buffers(const char *value)
{
	in_buffer = value;
}

static void set_quiet(const char *value)
{
	quiet = *value ? atoi(value) : 1;
}

static void keep(const char *value)
{
	(void)value;
	keeps = 1;
}

static void period(const char *value)
{
	CUPTI(ActivityFlushPeriod, (uint32_t), (uint32_t)atoi(value));
}

/* The client clears its buffers from now on. */
static void clearing(const char *value)
{
	uint8_t yes = 1;
	size_t size = sizeof(yes);

	(void)value;
	CUPTI(ActivitySetAttribute, (uint32_t, size_t *, void *), 5, &size, &yes);
}

static void thread_ids(const char *value)
{
	CUPTI(SetThreadIdType, (uint32_t), (uint32_t)atoi(value));
}

static void dropped(const char *value)
{
	size_t count = 0;

	(void)value;
	CUPTI(ActivityGetNumDroppedRecords, (cuda_context, uint32_t, size_t *), NULL, 0, &count);
	printf("dropped %zu\n", count);
}

static void version(const char *value)
{
	uint32_t number = 0;

	(void)value;
	CUPTI(GetVersion, (uint32_t *), &number);
	printf("version %u\n", number);
}

static void name(const char *value)
{
	const char *text = "none";
	char *end;
	uint32_t domain = (uint32_t)strtoul(value, &end, 10);

	CUPTI(GetCallbackName, (uint32_t, uint32_t, const char **), domain, (uint32_t)atoi(end + 1),
	      &text);
	printf("name %s\n", text);
}

static void timestamp(const char *value)
{
	uint64_t now = 0;

	(void)value;
	CUPTI(GetTimestamp, (uint64_t *), &now);
	printf("time %" PRIu64 "\n", now);
}

/* In a forked child, which then ends. */
static void flush_in_child(const char *value)
{
	int status;
	pid_t child = fork();

	if (!child) {
		flush(value);
		_exit(0);
	}
	waitpid(child, &status, 0);
	printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

static void has(const char *value)
{
	cupti_function(value);
}

/* Prints all names of the driver's and the runtime's calls. */
static void names(const char *value)
{
	int (*get)(uint32_t, uint32_t, const char **) =
		(int (*)(uint32_t, uint32_t, const char **))cupti_function("cuptiGetCallbackName");
	const char *text;

	(void)value;
	for (uint32_t domain = 1; domain <= 2; domain++)
		for (uint32_t id = 0; !get(domain, id, &text); id++)
			printf("%u:%u %s\n", domain, id, text);
}

static void stream_id(const char *value)
{
	cuda_context context = NULL;
	uint32_t id = 0;

	((int (*)(cuda_context *))driver_function("cuCtxGetCurrent"))(&context);
	CUPTI(GetStreamIdEx, (cuda_context, cuda_stream, uint8_t, uint32_t *), context, NULL,
	      (uint8_t)atoi(value), &id);
	printf("stream %u\n", id);
}

/* Calls computeprof's own functions, not CUPTI's. */
static void ask(const char *value)
{
	if (!strcmp(value, "start"))
		computeprof_start();
	else
		computeprof_stop();
}

/* Waits for at most 20 s until the log in this folder contains the text. */
static void await(const char *text)
{
	static char log[1 << 16];

	for (int i = 0; i < 2000 && !strstr(log, text); i++) {
		FILE *file = fopen("compute_profile.log", "r");

		if (file) {
			log[fread(log, 1, sizeof(log) - 1, file)] = 0;
			fclose(file);
		}
		usleep(10000);
	}
}

const struct step client_steps[] = {
	{"await", await},
	{"ask", ask},
	{"subscribe", subscribe},
	{"unsubscribe", unsubscribe},
	{"buffers", use_buffers},
	{"enable", enable},
	{"disable", disable},
	{"all", all},
	{"driverapi", driver_api},
	{"runtimeapi", runtime_api},
	{"hear", hear},
	{"incallbacks", in_callbacks},
	{"inbuffers", in_buffers},
	{"quiet", set_quiet},
	{"keep", keep},
	{"flush", flush},
	{"period", period},
	{"clearing", clearing},
	{"threadids", thread_ids},
	{"dropped", dropped},
	{"version", version},
	{"name", name},
	{"timestamp", timestamp},
	{"flushinchild", flush_in_child},
	{"has", has},
	{"names", names},
	{"streamid", stream_id},
	{"counts", print_counts},
	{"lastname", print_last_name},
	{"threads", run_threads},
	{NULL, NULL},
};
