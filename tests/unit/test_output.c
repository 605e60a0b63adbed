/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "output/rowcache.h"
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
		   "memtransferdir,memtransferhostmemtype,caller\n"
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
		   "memtransfersize,memtransferdir,memtransferhostmemtype,"
		   "caller\n"
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
		   "memtransferdir,memtransferhostmemtype,caller\n"
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

static const char *name_caller(void *data, uint32_t stack, size_t *length)
{
	const char *name = stack == 1 ? "f(int, char)" : NULL;

	assert_ptr_equal(data, &catalog);
	*length = name ? strlen(name) : 0;
	return name;
}

/* Adds the stacks 1: /opt/a,b], 2: libc in it, 3: a function of an interpreter, 4: cut off. */
static void add_stacks(void)
{
	const char *const texts[] = {"train", "/src/net.py", "[truncated]"};
	uint32_t ids[3];

	for (int i = 0; i < 3; i++)
		ids[i] = names_intern(names, texts[i], strlen(texts[i]));
	stacks_add_module(&catalog.stacks,
			  &(struct stack_module){.path = "/opt/a,b]", .length = 9});
	stacks_add_module(&catalog.stacks,
			  &(struct stack_module){.path = "/lib/libc.so.6", .length = 14});
	stacks_add_node(&catalog.stacks, &(struct stack_node){.module = 1, .offset = 0x12ab});
	stacks_add_node(&catalog.stacks,
			&(struct stack_node){.parent = 1, .module = 2, .offset = 5});
	stacks_add_node(&catalog.stacks,
			&(struct stack_node){.parent = 2, .name = ids[0],
					     .offset = (uint64_t)ids[1] << 32 | 42});
	stacks_add_node(&catalog.stacks, &(struct stack_node){.name = ids[2]});
}

/* The row cache does not have the stack, so it must not serve such rows. */
static void check_callers(enum format format, const struct output_callers *callers,
			  const char *expected)
{
	static struct rowcache cache;
	struct output_target target =
		make_target(API_CUDA, DIALECT_CUDA4, format, 1U << COLUMN_ID_CALLER);
	struct record record = bare;
	struct strbuf text = STRBUF_INIT;

	target.callers = callers;
	target.cache = &cache;
	for (int i = 0; i < 10; i++) {
		record.frame.stack = (uint32_t)i / 2;
		output_formats[format]->write(&target, &record, &text);
	}
	assert_string_equal(strbuf_text(&text), expected);
	strbuf_free(&text);
}

static void test_callers(void **state)
{
	const struct output_callers callers = {name_caller, &catalog};

	(void)state;
	add_stacks();
#define TWICE(text) text text
	check_callers(FORMAT_KEYVAL, NULL,
		      TWICE("method=[ memset ] cputime=[ 0.000 ] \n")
		      TWICE("method=[ memset ] cputime=[ 0.000 ] caller=[ a,b]+0x12ab ] \n")
		      TWICE("method=[ memset ] cputime=[ 0.000 ] caller=[ a,b]+0x12ab ] \n")
		      TWICE("method=[ memset ] cputime=[ 0.000 ] "
			    "caller=[ train\\x20(net.py:42) ] \n")
		      TWICE("method=[ memset ] cputime=[ 0.000 ] \n"));
	check_callers(FORMAT_CSV, NULL,
		      TWICE("memset,,0.000\n") TWICE("memset,,0.000,,a\\x2cb]+0x12ab\n")
		      TWICE("memset,,0.000,,a\\x2cb]+0x12ab\n")
		      TWICE("memset,,0.000,,train\\x20(net.py:42)\n") TWICE("memset,,0.000\n"));
	check_callers(FORMAT_CSV, &callers,
		      TWICE("memset,,0.000\n") TWICE("memset,,0.000,,f(int\\x2c\\x20char)\n")
		      TWICE("memset,,0.000\n") TWICE("memset,,0.000\n")
		      TWICE("memset,,0.000\n"));
	stacks_free(&catalog.stacks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_default_cuda4),
		cmocka_unit_test(test_default_classic),
		cmocka_unit_test(test_every_column_of_cuda),
		cmocka_unit_test(test_every_column_of_opencl),
		cmocka_unit_test(test_csv_leaves_gaps_but_no_tail),
		cmocka_unit_test(test_callers),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
