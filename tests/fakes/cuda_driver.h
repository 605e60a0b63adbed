/* SPDX-License-Identifier: MIT */
#ifndef TESTS_FAKES_CUDA_DRIVER_H
#define TESTS_FAKES_CUDA_DRIVER_H

#include "cuda.h"

/* Internal declarations of the fake driver. It ignores many parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

enum {
	CUDA_DONE = 0,
	CUDA_INVALID_VALUE = 1,
	CUDA_OUT_OF_MEMORY = 2,
	CUDA_NOT_INITIALIZED = 3,
	CUDA_NO_DEVICE = 100,
	CUDA_INVALID_DEVICE = 101,
	CUDA_INVALID_IMAGE = 200,
	CUDA_INVALID_CONTEXT = 201,
	CUDA_INVALID_HANDLE = 400,
	CUDA_ILLEGAL_STATE = 401,
	CUDA_CAPTURE_UNSUPPORTED = 900,
	CUDA_CAPTURE_INVALIDATED = 901,
	CUDA_NOT_FOUND = 500,
	CUDA_NOT_READY = 600,
	CUDA_OUT_OF_RESOURCES = 701,
};

enum { MAX_DEVICES = 8, MAX_PARAMETERS = 4 };

enum kind {
	KIND_CONTEXT = 1,
	KIND_STREAM,
	KIND_MODULE,
	KIND_FUNCTION,
	KIND_EVENT,
	KIND_GRAPH,
	KIND_NODE,
	KIND_EXECUTABLE,
};

/* The common start of all objects. They are never freed, so that a use after release is
 * detected. */
struct object {
	enum kind kind;
	bool released;
	struct object *older;
};

struct stream {
	struct object object;
	struct context *context;
	uint32_t id;
	uint64_t end;	       /* of its last command */
	uint64_t due;	       /* time at which that is seen */
	struct graph *capture; /* where its commands go instead */
	long thread;	       /* thread whose default stream it is; 0: none */
	struct stream *older;  /* in the context */
};

struct context {
	struct object object;
	uint32_t id;
	int device;
	unsigned flags;
	unsigned retained; /* of the primary context */
	bool primary;
	struct stream null_stream;
	struct stream *streams;
};

struct function {
	struct object object;
	struct module *module;
	const char *name;
	uint32_t shared;
	uint32_t dynamic_shared; /* most, as set */
	uint32_t cache;
	struct function *older; /* in the module */
};

struct variable {
	const char *name;
	uint64_t address;
	size_t bytes;
	struct variable *older;
};

struct module {
	struct object object;
	struct context *context;
	uint32_t id;
	char *text;
	char *names; /* a mapping of its own */
	size_t names_size;
	size_t names_used;
	struct function *functions;
	struct variable *variables;
};

struct event {
	struct object object;
	bool recorded;
	uint32_t id;
	uint64_t end; /* of the preceding command in the stream */
	uint64_t due;
};

struct launch {
	struct function *function;
	unsigned grid[3];
	unsigned block[3];
	unsigned shared;
	uint8_t type; /* 1: cooperative */
};

/* A command to be made, with its memory. */
struct work {
	struct command command;
	struct function *function;
	uint64_t to; /* a kernel's arguments: see cuda_kernel.c */
	uint64_t from;
	uint64_t arguments[MAX_PARAMETERS];
	bool has_arguments;
};

struct node {
	struct object object;
	uint64_t id;
	struct work work;
	struct node *next;
};

struct graph {
	struct object object;
	uint32_t id;
	uint32_t count;
	struct node *first;
	struct node *last;
};

struct executable {
	struct object object;
	uint32_t id;
	struct node *first;
};

struct kernel_node { /* CUDA_KERNEL_NODE_PARAMS; later versions are longer */
	struct function *function;
	unsigned grid[3];
	unsigned block[3];
	unsigned shared;
	void **parameters;
	void **extra;
};

struct launch_attribute { /* CUlaunchAttribute */
	unsigned id;
	unsigned padding;
	union {
		int cooperative; /* 2 */
		char bytes[64];
	} value;
};

struct launch_config { /* CUlaunchConfig */
	unsigned grid[3];
	unsigned block[3];
	unsigned shared;
	struct stream *stream;
	const struct launch_attribute *attributes;
	unsigned count;
};

struct copy_end { /* either half of CUDA_MEMCPY3D */
	size_t x;
	size_t y;
	size_t z;
	size_t level;
	int type; /* 1 host, 2 device, 4 unified */
	uint64_t host;
	uint64_t device;
	void *array;
	void *reserved;
	size_t pitch;
	size_t height;
};

struct copy { /* CUDA_MEMCPY3D */
	struct copy_end source;
	struct copy_end target;
	size_t width; /* bytes */
	size_t height;
	size_t depth;
};

/* cuda.c. A block with LOCKED() holds the driver's lock; no hook is called in it. */
void driver_lock(void);
void driver_unlock(const int *unused);
#define LOCKED() __attribute__((cleanup(driver_unlock), unused)) int locked = (driver_lock(), 0)
void *object_make(enum kind kind, size_t size);
/* Reports an error for a released or another object; NULL gives false. */
bool object_is(const void *object, enum kind kind);
void *find_function(const char *name);
struct runtime_call {
	uint32_t driver;
	uint32_t runtime;
	const char *name;
	int64_t nvcc; /* the first that has it */
};
const struct runtime_call *find_runtime(uint32_t driver);

/* cuda_call.c */
/* Returns 0, or the error that the call returns at once. */
int call_enter(struct call *call);
int call_exit(struct call *call, int result);
/* The call of this thread; NULL: none that CUPTI knows. */
struct call *call_current(void);
void call_resource(uint32_t callback, struct context *context, struct stream *stream,
		   void *descriptor);
void call_command(const struct command *command);
bool call_is_serial(void);
unsigned call_passes(struct context *context);
void call_forget(const char *from, const char *to);
int call_initialize(void);
bool call_initialized(void);
void call_attach(const struct hooks *hooks);
uint64_t clock_now(void);
void clock_advance(uint64_t nanoseconds);
/* Waits until `when`. */
void clock_reach(uint64_t when);

void call_fact(const void *record, size_t size);

/* cuda_tell.c: CUPTI's records other than device work. `start` is in CUPTI's clock. */
void tell_wait(uint32_t type, const struct stream *stream, const struct event *event,
	       uint64_t start);
void tell_stream(const struct stream *stream, unsigned flags, int priority);
void tell_recorded(const struct event *event, const struct stream *stream);
void tell_memory(uint64_t address, size_t bytes, enum cupti_memory kind);
void tell_freed(uint64_t address, size_t bytes, enum cupti_memory kind, uint64_t made);
void tell_compiler(void);
/* `counter` is enum cupti_managed_kind; the kind tells which processor the device is. */
void tell_managed(uint32_t counter, uint64_t value, uint64_t address, uint32_t flags);

/* cuda_device.c */
bool device_is(int device);
uint32_t device_shared(void);

/* cuda_context.c */
struct context *context_current(void);
bool context_facts(struct context *context, uint32_t *id, uint32_t *device);
uint32_t context_null_stream(uint32_t context);
/* The id of the device's first context after this id (0: at all); 0: there is none. */
uint32_t context_next(int device, uint32_t id);

/* cuda_stream.c */
/* Returns the stream of a call; NULL: none, or without a context. */
struct stream *stream_of(struct stream *stream, bool per_thread);
void stream_wait(struct stream *stream);
void context_wait(struct context *context);

/* Returns true if a stream is being captured; the caller's wait for its context has invalidated the
 * capture. */
bool capture_breaks(void);
uint32_t stream_id(struct context *context, struct stream *stream, bool per_thread);
struct stream *stream_make(struct context *context, long thread);

/* cuda_module.c: bytes of the PTX variable that is declared at `text`; 0: of none */
uint32_t ptx_bytes(const char *text, const char *end);

/* cuda_memory.c */
enum cupti_memory memory_kind(uint64_t address);
/* Called with the lock held. */
uint64_t memory_make(enum cupti_memory kind, size_t size);
/* Returns true if `size` bytes at the address are known, or are the program's own. */
bool memory_is(uint64_t address, size_t size);
/* Returns the bytes from there to the end of the allocation; 0: unknown address. */
size_t memory_left(uint64_t address);
/* Managed memory: a kernel needs all of its context on the device, and the host that at an address
 * when it reads it. */
void memory_to_device(const struct context *context);
void memory_to_host(uint64_t address);
enum cupti_copy copy_kind(enum cupti_memory from, enum cupti_memory to);

/* cuda_launch.c */
/* Runs the work and reports it; in a stream that is captured it becomes a node. */
int work_do(struct stream *stream, struct work *work);
void work_launch(struct stream *stream, const struct node *node, uint32_t graph);
/* Returns the kernel's name, from the parameters of a call that launches one; NULL for other
 * calls. */
const char *launch_symbol(uint32_t call, const void *parameters);
int work_of_kernel(struct work *work, const struct launch *launch, void **parameters);

/* cuda_kernel.c */
/* Copies the arguments of a kernel that has an effect. */
void kernel_arguments(struct work *work, void **parameters);
/* Runs the kernel; returns its least duration in ns. */
uint64_t kernel_run(const struct work *work);
/* Returns false while the kernel waits for another one. */
bool kernel_has_ended(const struct work *work);

/* cuda_effort.c; of a kernel. */
void effort_of(const struct work *work, struct effort *effort);

/* cuda_graph.c */
struct graph *graph_make(void);
struct node *graph_add(struct graph *graph, const struct work *work);
uint64_t graph_node_id(const void *node);

/* The functions, each named fake_NAME. */
#define CALL(id, name, parameters, arguments)                                                      \
	int fake_##name parameters;                                                                \
	ENTRY_POINT int name parameters;
#define QUERY(id, name, parameters, arguments) CALL(id, name, parameters, arguments)
#define PLAIN(id, name)			       CALL(id, name, (void), ())
#include "cuda.def"
#undef CALL
#undef QUERY
#undef PLAIN

#endif
