/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "output/output.h"

#define EVERY_COLUMN ((1U << COLUMN_COUNT) - 1)

enum { LONG_NAME = 512 * 1024 };

static struct names *names;
static struct catalog catalog;

static const struct device device = {.number = 2, .name = "Tesla C2050"};
static const struct context context = {.index = 4};

static const struct record kernel = {
	.frame = {.kind = FRAME_KERNEL},
	.enter = 2155302000,
	.leave = 2155376730,
	.started = 0x114ab721d9c649e0,
	.ended = 0x114ab721d9c649e0 + 23802944,
	.grid = {4294967296, 3, 1},
	.block = {32, 8, 4},
	.stream = 7,
	.static_shared = 2068,
	.dynamic_shared = 512,
	.registers = 16,
	.occupancy = 1.0f / 3,
	.known = KNOWN_TIMES | KNOWN_GRID | KNOWN_BLOCK_GIVEN | KNOWN_STATIC_SHARED |
		 KNOWN_DYNAMIC_SHARED | KNOWN_REGISTERS | KNOWN_OCCUPANCY | KNOWN_STREAM |
		 KNOWN_CACHE | KNOWN_BLOCK,
	.block_given = 1,
	.cache_requested = 2,
	.cache_executed = 1,
};

static const struct record copy = {
	.frame = {.kind = FRAME_COPY, .flags = RECORD_ASYNCHRONOUS},
	.enter = 3000000000,
	.leave = 3000238159,
	.started = 0x114ab721d9c649e0,
	.ended = 0x114ab721d9c649e0 + 4864,
	.bytes = 8589934592,
	.stream = 7,
	.known = KNOWN_TIMES | KNOWN_STREAM | KNOWN_BYTES | KNOWN_DIRECTION | KNOWN_HOST_MEMORY,
	.direction = DIRECTION_DEVICE_TO_HOST,
	.host_memory = HOST_MEMORY_PAGE_LOCKED,
	.source = MEMORY_DEVICE,
	.target = MEMORY_HOST,
};

/* Known in nothing: the device never told. */
static const struct record bare = {
	.frame = {.kind = FRAME_FILL},
	.enter = 1000,
	.leave = 500,
	.started = 10,
	.ended = 20,
};

static struct output_target make_target(enum api api, enum dialect dialect, enum format format,
					uint32_t asked)
{
	return (struct output_target){
		.layout = {.api = api,
			   .dialect = dialect,
			   .format = format,
			   .columns = column_set(asked, api, dialect)},
		.catalog = &catalog,
		.device = &device,
		.context = &context,
		.warnings = "",
	};
}

static struct record with_name(const char *name, size_t length)
{
	struct record record = kernel;

	record.name = names_intern(names, name, length);
	return record;
}

static void check_file(enum api api, enum dialect dialect, enum format format, uint32_t asked,
		       const char *expected)
{
	struct output_target target = make_target(api, dialect, format, asked);
	const struct output *output = output_formats[format];
	struct record named = with_name("_Z9matrixMulPf", 14);
	struct strbuf text = STRBUF_INIT;

	output->open(&target, &text);
	output->write(&target, &named, &text);
	output->write(&target, &copy, &text);
	output->write(&target, &bare, &text);
	output->close(&target, &text);
	assert_string_equal(strbuf_text(&text), expected);
	assert_false(text.failed);
	strbuf_free(&text);
}

static void test_default_cuda4(void **state)
{
	(void)state;
	check_file(API_CUDA, DIALECT_CUDA4, FORMAT_KEYVAL, 0,
		   "# CUDA_PROFILE_LOG_VERSION 2.0\n"
		   "# CUDA_DEVICE 2 Tesla C2050\n"
		   "# CUDA_CONTEXT 5\n"
		   "# TIMESTAMPFACTOR fffff6a1151ceeb0\n"
		   "method,gputime,cputime,occupancy\n"
		   "method=[ _Z9matrixMulPf ] gputime=[ 23802.943 ] cputime=[ 74.730 ] "
		   "occupancy=[ 0.333 ] \n"
		   "method=[ memcpyDtoHasync ] gputime=[ 4.864 ] cputime=[ 238.159 ] \n"
		   "method=[ memset ] cputime=[ 0.000 ] \n");
	check_file(API_OPENCL, DIALECT_CUDA4, FORMAT_CSV, 0,
		   "# OPENCL_PROFILE_LOG_VERSION 2.0\n"
		   "# OPENCL_DEVICE 2 Tesla C2050\n"
		   "# OPENCL_CONTEXT 5\n"
		   "# OPENCL_PROFILE_CSV 1\n"
		   "# TIMESTAMPFACTOR fffff6a1151ceeb0\n"
		   "method,gputime,cputime,occupancy\n"
		   "_Z9matrixMulPf,23802.943,74.730,0.333\n"
		   "memcpyDtoHasync,4.864,238.159\n"
		   "memset,,0.000\n");
}

static void test_default_classic(void **state)
{
	(void)state;
	check_file(API_CUDA, DIALECT_CLASSIC, FORMAT_KEYVAL, 0,
		   "# CUDA_PROFILE_LOG_VERSION 2.0\n"
		   "# CUDA_DEVICE_NAME 2 Tesla C2050\n"
		   "timestamp,method,gputime,cputime,occupancy\n"
		   "timestamp=[ 2155.302 ] method=[ _Z9matrixMulPf ] gputime=[ 23802.943 ] "
		   "cputime=[ 74.730 ] occupancy=[ 0.333 ] \n"
		   "timestamp=[ 846853.312 ] method=[ memcopy ] gputime=[ 4.864 ] "
		   "cputime=[ 238.159 ] \n"
		   "timestamp=[ 0.000 ] method=[ memset ] cputime=[ 0.000 ] \n");
	check_file(API_OPENCL, DIALECT_CLASSIC, FORMAT_CSV, 0,
		   "# OPENCL_PROFILE_LOG_VERSION 2.0\n"
		   "# OPENCL_PROFILE_CSV 1\n"
		   "# OPENCL_DEVICE 2 Tesla C2050\n"
		   "# TIMESTAMPFACTOR fffff6a1151ceeb0\n"
		   "timestamp,method,gputime,cputime,occupancy\n"
		   "2155.302,_Z9matrixMulPf,23802.943,74.730,0.333\n"
		   "846853.312,memcopy,4.864,238.159\n"
		   "0.000,memset,,0.000\n");
}

static void test_every_column_of_cuda(void **state)
{
	(void)state;
	check_file(API_CUDA, DIALECT_CUDA4, FORMAT_KEYVAL, EVERY_COLUMN,
		   "# CUDA_PROFILE_LOG_VERSION 2.0\n"
		   "# CUDA_DEVICE 2 Tesla C2050\n"
		   "# CUDA_CONTEXT 5\n"
		   "# TIMESTAMPFACTOR fffff6a1151ceeb0\n"
		   "timestamp,gpustarttimestamp,gpuendtimestamp,method,gputime,cputime,"
		   "gridsizeX,gridsizeY,gridsizeZ,threadblocksizeX,threadblocksizeY,"
		   "threadblocksizeZ,dynsmemperblock,stasmemperblock,regperthread,occupancy,"
		   "streamid,cacheconfigexecuted,cacheconfigrequested,memtransfersize,"
		   "memtransferdir,memtransferhostmemtype\n"
		   "timestamp=[ 2155.302 ] gpustarttimestamp=[ 114ab721d9c649e0 ] "
		   "gpuendtimestamp=[ 114ab721db317e20 ] method=[ _Z9matrixMulPf ] "
		   "gputime=[ 23802.943 ] cputime=[ 74.730 ] gridsize=[ 4294967296, 3, 1 ] "
		   "threadblocksize=[ 32, 8, 4 ] dynsmemperblock=[ 512 ] "
		   "stasmemperblock=[ 2068 ] regperthread=[ 16 ] occupancy=[ 0.333 ] "
		   "streamid=[ 7 ] cacheconfigexecuted=[ 1 ] cacheconfigrequested=[ 2 ] \n"
		   "timestamp=[ 846853.312 ] gpustarttimestamp=[ 114ab721d9c649e0 ] "
		   "gpuendtimestamp=[ 114ab721d9c65ce0 ] method=[ memcpyDtoHasync ] "
		   "gputime=[ 4.864 ] cputime=[ 238.159 ] streamid=[ 7 ] "
		   "memtransfersize=[ 8589934592 ] memtransferdir=[ 1 ] "
		   "memtransferhostmemtype=[ 1 ] \n"
		   "timestamp=[ 0.000 ] method=[ memset ] cputime=[ 0.000 ] \n");
}

static void test_every_column_of_opencl(void **state)
{
	uint32_t asked = EVERY_COLUMN & ~(1U << COLUMN_ID_GRID3D);

	(void)state;
	check_file(API_OPENCL, DIALECT_CLASSIC, FORMAT_KEYVAL, asked,
		   "# OPENCL_PROFILE_LOG_VERSION 2.0\n"
		   "# OPENCL_DEVICE 2 Tesla C2050\n"
		   "# TIMESTAMPFACTOR fffff6a1151ceeb0\n"
		   "timestamp,gpustarttimestamp,gpuendtimestamp,method,gputime,cputime,"
		   "ndrangesizeX,ndrangesizeY,workgroupsizeX,workgroupsizeY,workgroupsizeZ,"
		   "localblocksize,stapmemperworkgroup,regperworkitem,occupancy,streamid,"
		   "memtransfersize,memtransferdir,memtransferhostmemtype\n"
		   "timestamp=[ 2155.302 ] gpustarttimestamp=[ 114ab721d9c649e0 ] "
		   "gpuendtimestamp=[ 114ab721db317e20 ] method=[ _Z9matrixMulPf ] "
		   "gputime=[ 23802.943 ] cputime=[ 74.730 ] NDRangesize=[ 4294967296, 3 ] "
		   "workgroupsize=[ 32, 8, 4 ] localblocksize=[ 1 ] "
		   "stapmemperworkgroup=[ 2068 ] regperworkitem=[ 16 ] occupancy=[ 0.333 ] "
		   "streamid=[ 7 ] \n"
		   "timestamp=[ 846853.312 ] gpustarttimestamp=[ 114ab721d9c649e0 ] "
		   "gpuendtimestamp=[ 114ab721d9c65ce0 ] method=[ memcopy ] gputime=[ 4.864 ] "
		   "cputime=[ 238.159 ] streamid=[ 7 ] memtransfersize=[ 8589934592 ] "
		   "memtransferdir=[ 1 ] memtransferhostmemtype=[ 1 ] \n"
		   "timestamp=[ 0.000 ] method=[ memset ] cputime=[ 0.000 ] \n");
}

static void test_csv_leaves_gaps_but_no_tail(void **state)
{
	(void)state;
	check_file(API_CUDA, DIALECT_CLASSIC, FORMAT_CSV, EVERY_COLUMN,
		   "# CUDA_PROFILE_LOG_VERSION 2.0\n"
		   "# CUDA_PROFILE_CSV 1\n"
		   "# CUDA_DEVICE_NAME 2 Tesla C2050\n"
		   "timestamp,gpustarttimestamp,gpuendtimestamp,method,gputime,cputime,"
		   "gridsizeX,gridsizeY,gridsizeZ,threadblocksizeX,threadblocksizeY,"
		   "threadblocksizeZ,dynsmemperblock,stasmemperblock,regperthread,occupancy,"
		   "streamid,cacheconfigexecuted,cacheconfigrequested,memtransfersize,"
		   "memtransferdir,memtransferhostmemtype\n"
		   "2155.302,114ab721d9c649e0,114ab721db317e20,_Z9matrixMulPf,23802.943,74.730,"
		   "4294967296,3,1,32,8,4,512,2068,16,0.333,7,1,2\n"
		   "846853.312,114ab721d9c649e0,114ab721d9c65ce0,memcopy,4.864,238.159,"
		   ",,,,,,,,,,7,,,8589934592,1,1\n"
		   "0.000,,,memset,,0.000\n");
	check_file(API_CUDA, DIALECT_CUDA4, FORMAT_CSV, 1U << COLUMN_ID_GPU_START,
		   "# CUDA_PROFILE_LOG_VERSION 2.0\n"
		   "# CUDA_DEVICE 2 Tesla C2050\n"
		   "# CUDA_CONTEXT 5\n"
		   "# CUDA_PROFILE_CSV 1\n"
		   "# TIMESTAMPFACTOR fffff6a1151ceeb0\n"
		   "gpustarttimestamp,method,gputime,cputime,occupancy\n"
		   "114ab721d9c649e0,_Z9matrixMulPf,23802.943,74.730,0.333\n"
		   "114ab721d9c649e0,memcpyDtoHasync,4.864,238.159\n"
		   ",memset,,0.000\n");
}

static void test_grid_keys(void **state)
{
	static const char *const expected[API_COUNT][DIALECT_COUNT] = {
		[API_OPENCL] = {" NDRangesize=[ 4294967296, 3 ] ",
				" ndrangesize=[ 4294967296, 3 ] "},
		[API_CUDA] = {" gridSize=[ 4294967296, 3 ] ", " gridsize=[ 4294967296, 3 ] "},
	};

	(void)state;
	for (unsigned int i = 0; i < API_COUNT * DIALECT_COUNT; i++) {
		struct output_target target = make_target(i / DIALECT_COUNT, i % DIALECT_COUNT,
							  FORMAT_KEYVAL, 1U << COLUMN_ID_GRID);
		struct strbuf text = STRBUF_INIT;

		output_keyval.write(&target, &kernel, &text);
		assert_non_null(
			strstr(strbuf_text(&text), expected[i / DIALECT_COUNT][i % DIALECT_COUNT]));
		strbuf_free(&text);
	}
}

static void test_header(void **state)
{
	static const struct device forging = {.number = 0, .name = "A\nmethod=[ x ] \x1b\xff\t"};
	struct output_target target = make_target(API_CUDA, DIALECT_CLASSIC, FORMAT_KEYVAL, 0);
	struct strbuf text = STRBUF_INIT;

	(void)state;
	target.device = &forging;
	target.warnings = "NV_Warning: one\nNV_Warning: two\n";
	output_keyval.open(&target, &text);
	assert_string_equal(strbuf_text(&text),
			    "NV_Warning: one\nNV_Warning: two\n"
			    "# CUDA_PROFILE_LOG_VERSION 2.0\n"
			    "# CUDA_DEVICE_NAME 0 A\\x0amethod=[ x ] \\x1b\\xff\\x09\n"
			    "timestamp,method,gputime,cputime,occupancy\n");
	strbuf_free(&text);
}

static void test_long_name(void **state)
{
	struct output_target target = make_target(API_CUDA, DIALECT_CUDA4, FORMAT_KEYVAL, 0);
	struct strbuf text = STRBUF_INIT;
	char *name = malloc(LONG_NAME);
	struct record record;

	(void)state;
	assert_non_null(name);
	memset(name, ' ', LONG_NAME);
	record = with_name(name, LONG_NAME);
	output_keyval.write(&target, &record, &text);
	assert_int_equal(text.length,
			 LONG_NAME * 4 + strlen("method=[  ] gputime=[ 23802.943 ] "
						"cputime=[ 74.730 ] occupancy=[ 0.333 ] \n"));
	strbuf_free(&text);
	free(name);
}

static int set_up(void **state)
{
	(void)state;
	names = names_new();
	catalog.names = names;
	catalog.process.started = 2153146698;
	catalog.process.monotonic_to_epoch = (int64_t)0xfffff6a1151ceeb0;
	return names ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	names_free(names);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_default_cuda4),
		cmocka_unit_test(test_default_classic),
		cmocka_unit_test(test_every_column_of_cuda),
		cmocka_unit_test(test_every_column_of_opencl),
		cmocka_unit_test(test_csv_leaves_gaps_but_no_tail),
		cmocka_unit_test(test_grid_keys),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_long_name),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
