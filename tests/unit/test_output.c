/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "records.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_default_cuda4),
		cmocka_unit_test(test_default_classic),
		cmocka_unit_test(test_every_column_of_cuda),
		cmocka_unit_test(test_every_column_of_opencl),
		cmocka_unit_test(test_csv_leaves_gaps_but_no_tail),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
