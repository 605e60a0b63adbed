/* SPDX-License-Identifier: MIT */
/* The row of a call. */
#include "view/sqlite/nvprof.h"

/* The calls that readers search for, with CUPTI's numbers. */
static const struct {
	const char *name;
	int64_t number;
} kinds[NVPROF_KINDS] = {
	[KIND_LAUNCH] = {"cudaLaunchKernel_v7000", 211},   [KIND_COPY] = {"cudaMemcpy_v3020", 31},
	[KIND_COPY_ASYNC] = {"cudaMemcpyAsync_v3020", 41}, [KIND_FILL] = {"cudaMemset_v3020", 49},
	[KIND_FILL_ASYNC] = {"cudaMemsetAsync_v3020", 51},
};

/* The function's name for a call that is known by its record only. */
static int set_kind_name(struct nvprof *nvprof, uint8_t kind, struct strbuf *error)
{
	const char *name = kinds[kind].name;

	if (name && !nvprof->kinds[kind] && nvprof->form->all_names)
		nvprof->kinds[kind] = nvprof_string(nvprof, name, strlen(name), error);
	nvprof->values[VALUE_CALL_NAME] = nvprof->kinds[kind];
	return nvprof->kinds[kind] < 0 ? -1 : 0;
}

static void set_moments(struct nvprof *nvprof, const struct nvprof_call *call)
{
	const struct process *process = &nvprof->catalog->process;
	uint64_t shift = (uint64_t)process->monotonic_to_epoch;
	uint64_t from = shift - nvprof->origin;

	nvprof->values[VALUE_ENTER] = (int64_t)(call->enter + from);
	nvprof->values[VALUE_LEAVE] = (int64_t)(call->leave + from);
	if (call->leave + shift > nvprof->last)
		nvprof->last = call->leave + shift;
}

/* The driver API of CUDA has its own numbers; the names of its functions are cuName. */
static enum nvprof_table table_of(const struct nvprof *nvprof, const struct nvprof_call *call,
				  const char *name, size_t length)
{
	bool of_driver = call->cupti && length > 2 && !memcmp(name, "cu", 2) && name[2] >= 'A' &&
			 name[2] <= 'Z';

	return of_driver && nvprof->form->tables[NVPROF_DRIVER_CALL].name ? NVPROF_DRIVER_CALL
									  : NVPROF_CALL;
}

int nvprof_put_row(struct nvprof *nvprof, const struct nvprof_call *call, struct strbuf *error)
{
	int64_t *values = nvprof->values;
	size_t length = 0;
	const char *name =
		call->name ? names_text(nvprof->catalog->names, call->name, &length) : NULL;

	nvprof_set_process(nvprof);
	set_moments(nvprof, call);
	values[VALUE_CALL] = call->cupti ? call->cupti : kinds[call->kind].number;
	values[VALUE_THREAD] = call->thread;
	values[VALUE_GLOBAL_THREAD] = values[VALUE_GLOBAL_PROCESS] | (call->thread & 0xffffff);
	values[VALUE_CORRELATION] = call->number;
	values[VALUE_RESULT] = call->result;
	if (length ? nvprof_set_name(nvprof, call->name, name, length, error)
		   : set_kind_name(nvprof, call->kind, error))
		return -1;
	if (length)
		values[VALUE_CALL_NAME] = values[VALUE_NAME];
	if (nvprof_put(nvprof, table_of(nvprof, call, name, length), error))
		return -1;
	if (!call->is_own || !nvprof->form->tables[NVPROF_FUNCTION].name)
		return 0;
	return nvprof_put(nvprof, NVPROF_FUNCTION, error);
}
