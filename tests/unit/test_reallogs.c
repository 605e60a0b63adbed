/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sharedlogs.h"
#include "values.h"

/* The expected contents of a whole log. */
struct expected {
	const char *name;
	unsigned int rows, damaged, columns, warnings;
	const char *device; /* NULL: not in the log */
	const char *first;  /* method of the first row */
	const char *last;   /* value of `key` in the last row */
	const char *key;
	bool csv;
	enum api api;
};

/* clang-format off */
static const struct expected logs[] = {
	{ .name = "01_MatrixPowers_cuda_profile_0.log", .rows = 396, .columns = 4, .csv = true,
	  .device = "Tesla C2050", .api = API_CUDA, .key = "cputime", .last = "1779.000",
	  .first = "_ZN6thrust6detail7backend4cuda6detail23launch_closure_by_valueINS2_18for_"
		   "each_n_closureINS_10device_ptrIyEEjNS0_23device_generate_functorINS0_12fill_"
		   "functorIyEEEEEEEEvT_" },
	{ .name = "02_cudak_cuda_profile_0.log", .rows = 4, .columns = 4, .device = "Tesla C2050",
	  .api = API_CUDA, .first = "memcpyHtoD", .key = "gputime", .last = "219.456" },
	{ .name = "05_tune_stencil_cuda_profile_0.log", .rows = 410, .columns = 4,
	  .device = "Tesla M2090", .api = API_CUDA, .first = "memset128", .key = "gputime",
	  .last = "139776.609" },
	{ .name = "07_svm-cuda_v1.4_cuda_profile.log", .rows = 3, .columns = 8,
	  .device = "GeForce 8600 GT", .api = API_CUDA, .first = "memcopy", .key = "gputime",
	  .last = "4.192" },
	{ .name = "08_ATFViewer_cuda_profile_0.log", .warnings = 2 },
	{ .name = "10_ATFViewer_GTX260_memo.log", .rows = 9, .columns = 4,
	  .device = "GeForce GTX 260", .api = API_CUDA, .first = "_Z5dummyv", .key = "cputime",
	  .last = "8683145.000" },
	{ .name = "11_K40c_opencl_kvp.log", .rows = 15, .columns = 4, .device = "Tesla K40c",
	  .api = API_OPENCL, .first = "memcpyHtoDasync", .key = "cputime", .last = "26.873" },
	{ .name = "13_RTX2080_cuda_csv_counters.csv", .rows = 1, .columns = 21, .csv = true,
	  .device = "GeForce RTX 2080", .api = API_CUDA, .first = "_Z6kernelPm",
	  .key = "active_cycles", .last = "0" },
	{ .name = "14_GT520_pycuda_kvp.log", .rows = 4, .columns = 4, .device = "GeForce GT 520",
	  .api = API_CUDA, .first = "memcpyHtoD", .key = "cputime", .last = "27.000" },
	{ .name = "15_GTX560Ti_pycuda_kvp.log", .rows = 4, .columns = 4,
	  .device = "GeForce GTX 560 Ti", .api = API_CUDA, .first = "memcpyHtoD", .key = "cputime",
	  .last = "21.000" },
	{ .name = "17_C2050_NV_Warning_forum_fragment.txt", .rows = 1, .warnings = 4,
	  .device = "Tesla C2050", .api = API_CUDA, .first = "memcpyHtoA", .key = "gputime",
	  .last = "62290.113" },
	{ .name = "18_C2070_book_kvp_fragment.log", .rows = 3, .columns = 4,
	  .device = "Tesla C2070", .api = API_CUDA, .first = "memcpyHtoD", .key = "occupancy",
	  .last = "0.500" },
	{ .name = "20_seed_cuda_kvp_haar.log", .rows = 4, .columns = 5, .device = "GeForce GTX 280",
	  .api = API_CUDA, .first = "_Z10fhaar1dwtdiPf", .key = "timestamp", .last = "2876.413" },
	{ .name = "21_seed_cuda_kvp_matmul.log", .rows = 2, .columns = 15,
	  .device = "GeForce GTX 280", .api = API_CUDA, .first = "_Z10dmatrixmulPfiiS_iiS_",
	  .key = "memtransferdir", .last = "1" },
	{ .name = "22_seed_cuda_csv_matmul.log", .rows = 2, .columns = 15, .csv = true,
	  .device = "GeForce GTX 280", .api = API_CUDA, .first = "_Z10dmatrixmulPfiiS_iiS_",
	  .key = "memtransfersize", .last = "8192" },
	{ .name = "23_seed_opencl_kvp_scan.log", .rows = 3, .columns = 7,
	  .device = "GeForce GTX 280", .api = API_OPENCL, .first = "workgroupScanInclusive",
	  .key = "gpuendtimestamp", .last = "114ab721dacecc00" },
	{ .name = "24_seed_opencl_kvp_matmul.log", .rows = 2, .columns = 15,
	  .device = "GeForce GTX 280", .api = API_OPENCL, .first = "matrixMul",
	  .key = "memtransfersize", .last = "8192" },
	{ .name = "25_seed_opencl_csv_matmul.log", .rows = 2, .columns = 15, .csv = true,
	  .device = "GeForce GTX 280", .api = API_OPENCL, .first = "matrixMul",
	  .key = "memtransferdir", .last = "1" },
	{ .name = "26_cudak_85788ac.log", .rows = 3, .columns = 4, .device = "Tesla C2050",
	  .api = API_CUDA, .first = "memcpyHtoD", .key = "cputime", .last = "305.000" },
	{ .name = "26_cudak_876f6b2.log", .rows = 3, .columns = 4, .device = "Tesla C2050",
	  .api = API_CUDA, .first = "memcpyHtoD", .key = "cputime", .last = "162.000" },
	{ .name = NULL },
};
/* clang-format on */

static const struct expected *find_expected(const char *name)
{
	const struct expected *log = logs;

	while (log->name && strcmp(log->name, name) != 0)
		log++;
	return log->name ? log : NULL;
}

static void check_header(const struct logreader *reader, const struct expected *log)
{
	size_t count;

	assert_int_equal(reader->header.csv, log->csv);
	assert_int_equal(reader->header.device_known, log->device != NULL);
	if (log->device) {
		assert_text(reader->header.device_name, log->device);
		assert_int_equal(reader->header.api, log->api);
	}
	logreader_columns(reader, &count);
	assert_int_equal(count, log->columns);
	logreader_warnings(reader, &count);
	assert_int_equal(count, log->warnings);
}

static void check_log(const struct strbuf *text, const char *name)
{
	const struct expected *log = find_expected(name);
	struct logreader reader;
	unsigned int rows = 0;
	int result;

	assert_int_equal(logreader_open(&reader, text->data, text->length), 0);
	if (log)
		check_header(&reader, log);
	while ((result = logreader_next(&reader))) {
		if (result < 0)
			fail_msg("line %llu: %s", (unsigned long long)reader.line, reader.error);
		if (!rows++ && log)
			assert_value(&reader, "method", log->first);
		if (log && rows == log->rows)
			assert_value(&reader, log->key, log->last);
	}
	if (log)
		assert_int_equal(rows, log->rows);
	logreader_close(&reader);
}

static void test_real_logs(void **state)
{
	(void)state;
	each_log(check_log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_real_logs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
