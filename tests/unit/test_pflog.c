/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "output/pflog.h"

/* The text of the metrics logs, byte by byte. */

static const struct metrics_settings first = {.version = 1}, second = {.version = 2};

static void check_line(const struct metrics_settings *settings, struct pflog_line line,
		       const char *expected)
{
	struct strbuf text = STRBUF_INIT;

	pflog_put_line(&text, settings, &line);
	assert_string_equal(strbuf_text(&text), expected);
	strbuf_free(&text);
}

/* The lines of the files that this form is from. */
static void test_lines(void **state)
{
	(void)state;
	check_line(&first,
		   (struct pflog_line){PFLOG_INIT, 1662678141402204280, 4270333999, 0,
				       PFLOG_KIND_NONE},
		   "name:cuInit, start:1662678141402204280, burst:4270333, bytes:0\n");
	check_line(&first,
		   (struct pflog_line){PFLOG_TO_DEVICE, 1662678179542395214, 18000, 112,
				       PFLOG_HOST_TO_DEVICE},
		   "name:cuMemcpyH2D, start:1662678179542395214, burst:18, bytes:112\n");
	check_line(&second,
		   (struct pflog_line){PFLOG_TO_DEVICE, 1, 18000, 112, PFLOG_HOST_TO_DEVICE},
		   "name:cuMemcpyH2D, start:1, burst:18, bytes:112, kind:-1\n");
	check_line(&second,
		   (struct pflog_line){PFLOG_RUNTIME_COPY, 1, 999, 3456, PFLOG_HOST_TO_HOST},
		   "name:cudaMemcpy, start:1, burst:0, bytes:3456, kind:0\n");
	check_line(&second,
		   (struct pflog_line){PFLOG_RUNTIME_COPY_ASYNC, 1, 1000, 1,
				       PFLOG_DEVICE_TO_DEVICE},
		   "name:cudaMemcpyAsync, start:1, burst:1, bytes:1, kind:3\n");
}

static void check_metrics(const struct metrics_settings *settings,
			  const struct pflog_counts *counts, const char *expected)
{
	struct strbuf text = STRBUF_INIT;

	pflog_put_metrics(&text, settings, counts);
	assert_string_equal(strbuf_text(&text), expected);
	strbuf_free(&text);
}

static void test_metrics(void **state)
{
	struct pflog_counts counts = {.memory = 421527552, .pid = 17};

	(void)state;
	counts.rows[PFLOG_INIT] = (struct pflog_count){4, 6202325999};
	counts.rows[PFLOG_LAUNCH] = (struct pflog_count){537826, 4159812000};
	check_metrics(&first, &counts,
		      "name:mem_used,count:421527552\nname:cuInit,count:4,burst:6202325\n"
		      "name:cuMemAlloc,count:0,burst:0\nname:cuMemFree,count:0,burst:0\n"
		      "name:cuLaunchKernel,count:537826,burst:4159812\n"
		      "name:cuMemcpyH2D,count:0,burst:0\nname:cuMemcpyD2H,count:0,burst:0\n"
		      "name:cuGetProcAddress,count:0,burst:0\n"
		      "name:cuMemcpyH2D_ASYNC,count:0,burst:0\nname:cudaMemcpy,count:0,burst:0\n"
		      "name:cudaMemcpyAsync,count:0,burst:0\n");
	/* Native names: kernels of both APIs are launches. */
	counts.rows[PFLOG_KERNEL].calls = 2;
	check_metrics(&(struct metrics_settings){.format = METRICS_EXPORTER}, &counts,
		      "pid:17\nkernel-cnt:537828\nmem-used:421527552\ntoken-cnt:0\n");
}

static void test_functions(void **state)
{
	static const struct {
		const char *name;
		enum pflog_row row;
	} names[] = {
		{"cuInit", PFLOG_INIT},
		{"cuLaunchKernel", PFLOG_LAUNCH},
		{"cuLaunchKernelEx_ptsz", PFLOG_LAUNCH},
		{"cudaLaunchCooperativeKernel", PFLOG_LAUNCH},
		{"cudaLaunchHostFunc", PFLOG_NONE},
		{"cuLaunchHostFunc", PFLOG_NONE},
		{"cuGetProcAddress_v2", PFLOG_LOOKUP},
		{"cudaMemcpy", PFLOG_RUNTIME_COPY},
		{"cudaMemcpy_ptds", PFLOG_RUNTIME_COPY},
		{"cudaMemcpyAsync_ptsz", PFLOG_RUNTIME_COPY_ASYNC},
		{"cudaMemcpy2D", PFLOG_COPY},
		{"cudaMemcpy2DAsync", PFLOG_COPY_ASYNC},
		{"cuMemcpyHtoD_v2", PFLOG_COPY},
		{"cuMemcpyHtoDAsync_v2", PFLOG_COPY_ASYNC},
		{"clEnqueueReadImage", PFLOG_READ_IMAGE},
		{"clEnqueueTask", PFLOG_TASK},
		/* Allocations are events of their own. */
		{"cuMemAlloc", PFLOG_NONE},
		{"cuMemAlloc_v2", PFLOG_NONE},
		{"clCreateBuffer", PFLOG_NONE},
		{"clReleaseMemObject", PFLOG_NONE},
		{"clFinish", PFLOG_NONE},
		{"", PFLOG_NONE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_int_equal(pflog_row_of_function(names[i].name), names[i].row);
}

static void test_final_rows(void **state)
{
	(void)state;
	assert_int_equal(pflog_final_row(PFLOG_COPY, PFLOG_HOST_TO_DEVICE, false),
			 PFLOG_TO_DEVICE);
	assert_int_equal(pflog_final_row(PFLOG_COPY_ASYNC, PFLOG_HOST_TO_DEVICE, false),
			 PFLOG_TO_DEVICE_ASYNC);
	assert_int_equal(pflog_final_row(PFLOG_COPY_ASYNC, PFLOG_DEVICE_TO_HOST, true),
			 PFLOG_TO_HOST);
	assert_int_equal(pflog_final_row(PFLOG_COPY, PFLOG_DEVICE_TO_DEVICE, false), PFLOG_NONE);
	assert_int_equal(pflog_final_row(PFLOG_WRITE_IMAGE, PFLOG_HOST_TO_DEVICE, false),
			 PFLOG_TO_DEVICE);
	assert_int_equal(pflog_final_row(PFLOG_WRITE_IMAGE, PFLOG_HOST_TO_DEVICE, true),
			 PFLOG_WRITE_IMAGE);
	assert_int_equal(pflog_final_row(PFLOG_PLATFORMS, PFLOG_KIND_NONE, false), PFLOG_INIT);
	assert_true(pflog_is_copy(PFLOG_SHARED_COPY) && pflog_is_copy(PFLOG_COPY_ASYNC));
	assert_false(pflog_is_copy(PFLOG_INIT) || pflog_is_copy(PFLOG_NONE));
	assert_true(pflog_is_in_timeline(PFLOG_INIT) && pflog_is_in_timeline(PFLOG_SHARED_COPY));
	assert_false(pflog_is_in_timeline(PFLOG_LAUNCH) || pflog_is_in_timeline(PFLOG_TASK));
}

static enum pflog_row memory_of(enum api api, enum memory_kind kind, bool freed)
{
	struct allocation event = {.frame.flags = freed ? ALLOCATION_FREED : 0,
				   .api = (uint16_t)api,
				   .memory = (uint16_t)kind};

	return pflog_row_of_memory(&event);
}

static void test_memory(void **state)
{
	(void)state;
	assert_int_equal(memory_of(API_CUDA, MEMORY_KIND_DEVICE, false), PFLOG_ALLOCATE);
	assert_int_equal(memory_of(API_CUDA, MEMORY_KIND_MANAGED, true), PFLOG_FREE);
	assert_int_equal(memory_of(API_CUDA, MEMORY_KIND_PINNED, false), PFLOG_NONE);
	assert_int_equal(memory_of(API_CUDA, MEMORY_KIND_STATIC, false), PFLOG_NONE);
	assert_int_equal(memory_of(API_OPENCL, MEMORY_KIND_PINNED, false), PFLOG_BUFFER);
	assert_int_equal(memory_of(API_OPENCL, MEMORY_KIND_ARRAY, true), PFLOG_RELEASE);
	assert_int_equal(memory_of(API_OPENCL, MEMORY_KIND_MANAGED, true), PFLOG_SHARED_FREE);
	assert_int_equal(memory_of(API_OPENCL, MEMORY_KINDS, false), PFLOG_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),	   cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_functions),  cmocka_unit_test(test_final_rows),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
