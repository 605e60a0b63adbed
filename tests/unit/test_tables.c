/* SPDX-License-Identifier: MIT */
/* Whole tables, as text. */
#include "tabletrace.h"

#include "tableprint.h"

#include "view/format/demangle.h"

#define SUMMARY (1u << TABLE_SUMMARY)
#define TRACE	(1u << TABLE_GPU_TRACE)
#define RESULT	"======== Profiling result:\n"
#define HEADING                                                                                    \
	"            Type  Time(%)      Time     Calls       Avg       Min       Max  Name\n"
#define CSV_HEAD "\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n"

/* Two kernels, three copies, a fill; no note applies. */
static void make_some(struct made_trace *trace)
{
	struct record fill = made_record(FRAME_FILL, 2500000, 2501344);

	made_begin(trace);
	made_put(trace, made_copy(0, 660840, MEMORY_HOST, MEMORY_DEVICE, 4 << 20));
	made_kernel(trace, "_Z9vectorAddPKfS0_Pfi", 660840, 1660840);
	made_kernel(trace, "_Z9vectorAddPKfS0_Pfi", 1660840, 2500001);
	fill.bytes = 8;
	fill.known |= KNOWN_BYTES;
	made_put(trace, fill);
	made_put(trace, made_copy(2502000, 2502896, MEMORY_DEVICE, MEMORY_HOST, 200000));
	made_kernel(trace, "other", 3000000, 4425290000);
}

static const char *vector_add(void)
{
	return demangle_built() ? "vectorAdd(float const*, float const*, float*, int)"
				  : "_Z9vectorAddPKfS0_Pfi";
}

static void test_summary(void **state)
{
	struct tables_options options = {
		.wanted = SUMMARY, .demangle = demangle_built(), .notes = true};
	struct made_trace trace;
	char expected[2048];

	(void)state;
	make_some(&trace);
	snprintf(expected, sizeof(expected),
		 "%s GPU activities:   99.94%%  4.42229s         1  4.42229s  4.42229s  4.42229s  "
		 "other\n"
		 "                    0.04%%  1.8392ms         2  919.58us  839.16us  1.0000ms  "
		 "%s\n"
		 "                    0.01%%  660.84us         1  660.84us  660.84us  660.84us  "
		 "[CUDA memcpy HtoD]\n"
		 "                    0.00%%  1.3440us         1  1.3440us  1.3440us  1.3440us  "
		 "[CUDA memset]\n"
		 "                    0.00%%     896ns         1     896ns     896ns     896ns  "
		 "[CUDA memcpy DtoH]\n"
		 "======== Records: 6 in the totals, 0 without times, 0 lost.\n",
		 RESULT HEADING, vector_add());
	expect_text(&trace, &options, expected);
	made_free(&trace);
}

static void test_summary_csv(void **state)
{
	struct tables_options options = {.wanted = SUMMARY, .csv = true};
	struct made_trace trace;

	(void)state;
	make_some(&trace);
	expect_text(&trace, &options,
		    RESULT CSV_HEAD
		    ",%,s,,s,s,s,\n"
		    "\"GPU activities\",99.943450,4.422290,1,4.422290,4.422290,4.422290,\"other\"\n"
		    "\"GPU activities\",0.041565,0.001839,2,0.000920,0.000839,0.001000,"
		    "\"_Z9vectorAddPKfS0_Pfi\"\n"
		    "\"GPU activities\",0.014935,0.000661,1,0.000661,0.000661,0.000661,"
		    "\"[CUDA memcpy HtoD]\"\n"
		    "\"GPU activities\",0.000030,0.000001,1,0.000001,0.000001,0.000001,"
		    "\"[CUDA memset]\"\n"
		    "\"GPU activities\",0.000020,0.000001,1,0.000001,0.000001,0.000001,"
		    "\"[CUDA memcpy DtoH]\"\n");
	options.unit = TABLES_US;
	options.kernels = "vectorAdd";
	expect_text(&trace, &options,
		    RESULT CSV_HEAD
		    ",%,us,,us,us,us,\n"
		    "\"GPU activities\",73.500554,1839.161000,2,919.580000,839.161000,1000.000000,"
		    "\"_Z9vectorAddPKfS0_Pfi\"\n"
		    "\"GPU activities\",26.409926,660.840000,1,660.840000,660.840000,660.840000,"
		    "\"[CUDA memcpy HtoD]\"\n"
		    "\"GPU activities\",0.053712,1.344000,1,1.344000,1.344000,1.344000,"
		    "\"[CUDA memset]\"\n"
		    "\"GPU activities\",0.035808,0.896000,1,0.896000,0.896000,0.896000,"
		    "\"[CUDA memcpy DtoH]\"\n");
	made_free(&trace);
}

/* clang-format off */
#define TRACE_HEAD                                                                                 \
	"   Start  Duration            Grid Size      Block Size     Regs*    SSMem*    DSMem*" \
	"      Size  Throughput  SrcMemType  DstMemType           Device   Context    Stream" \
	"  Name\n"
#define NONE "                    -               -         -         -         -"
#define FOOTNOTES                                                                                  \
	"\nRegs: Number of registers used per CUDA thread. This number includes registers used "   \
	"internally by the CUDA driver and/or tools and can be more than what the compiler "       \
	"shows.\nSSMem: Static shared memory allocated per CUDA block.\n"                          \
	"DSMem: Dynamic shared memory allocated per CUDA block.\n"
#define MEMORY_NOTES                                                                               \
	"SrcMemType: The type of source memory accessed by memory operation/copy\n"                \
	"DstMemType: The type of destination memory accessed by memory operation/copy\n"

/* clang-format on */

static void test_trace(void **state)
{
	struct tables_options options = {.wanted = TRACE};
	struct made_trace trace;

	(void)state;
	make_some(&trace);
	expect_text(&trace, &options,
		    RESULT TRACE_HEAD
		    "     0ns  660.84us" NONE "  4.0000MB  5.9110GB/s      Pinned      Device"
		    "  Tesla P100-PCIE         1         7  [CUDA memcpy HtoD]\n"
		    "660.84us  1.0000ms           (8192 1 1)       (128 1 1)        15  2.0000KB"
		    "        0B         -           -           -           -  Tesla P100-PCIE"
		    "         1         7  _Z9vectorAddPKfS0_Pfi [2]\n"
		    "1.6608ms  839.16us           (8192 1 1)       (128 1 1)        15  2.0000KB"
		    "        0B         -           -           -           -  Tesla P100-PCIE"
		    "         1         7  _Z9vectorAddPKfS0_Pfi [3]\n"
		    "2.5000ms  1.3440us" NONE "        8B  5.6766MB/s      Device           -"
		    "  Tesla P100-PCIE         1         7  [CUDA memset]\n"
		    "2.5020ms     896ns" NONE "  195.31KB  207.88GB/s      Device      Pinned"
		    "  Tesla P100-PCIE         1         7  [CUDA memcpy DtoH]\n"
		    "3.0000ms  4.42229s           (8192 1 1)       (128 1 1)        15  2.0000KB"
		    "        0B         -           -           -           -  Tesla P100-PCIE"
		    "         1         7  other [6]\n" FOOTNOTES MEMORY_NOTES);
	made_free(&trace);
}

#define NVPROF_20                                                                                  \
	"\"Start\",\"Duration\",\"Grid X\",\"Grid Y\",\"Grid Z\",\"Block X\",\"Block Y\","         \
	"\"Block Z\",\"Registers Per Thread\",\"Static SMem\",\"Dynamic SMem\",\"Size\","          \
	"\"Throughput\",\"SrcMemType\",\"DstMemType\",\"Device\",\"Context\",\"Stream\",\"Name\"," \
	"\"Correlation_ID\"\n"
#define ON_CUDA "\"Tesla P100-PCIE-16GB (0)\",\"1\",\"7\","

static void test_trace_csv(void **state)
{
	struct tables_options options = {.wanted = TRACE,
					 .csv = true,
					 .kernels = "^none$",
					 .unit = TABLES_US,
					 .pid = 9,
					 .ended = true};
	struct made_trace trace;

	(void)state;
	make_some(&trace);
	/* counted from the start of the process, a microsecond before */
	expect_text(&trace, &options,
		    "==9== NVPROF is profiling process 9, command: ./app -n \\x0a2\n"
		    "==9== Profiling application: ./app -n \\x0a2\n"
		    "==9== Profiling result:\n"
		    "\"Start\",\"Duration\",\"Size\",\"Throughput\",\"SrcMemType\",\"DstMemType\","
		    "\"Device\",\"Context\",\"Stream\",\"Name\",\"Correlation_ID\"\n"
		    "us,us,MB,GB/s,,,,,,,\n"
		    "1.000000,660.840000,4.000000,5.911037,\"Pinned\",\"Device\"," ON_CUDA
		    "\"[CUDA memcpy HtoD]\",1\n"
		    "2501.000000,1.344000,0.000008,0.005544,\"Device\",," ON_CUDA
		    "\"[CUDA memset]\",4\n"
		    "2503.000000,0.896000,0.190735,207.884503,\"Device\",\"Pinned\"," ON_CUDA
		    "\"[CUDA memcpy DtoH]\",5\n");
	made_free(&trace);
	made_begin(&trace);
	made_put(&trace, made_copy(1234, 1235, MEMORY_HOST, MEMORY_ARRAY, 128));
	made_kernel(&trace, "k", 1000, 2500);
	made_put(&trace, made_copy(1300, 1301, MEMORY_PEER, MEMORY_PEER, 128));
	made_put(&trace, made_copy(1400, 1401, MEMORY_PEER, MEMORY_DEVICE, 128)); /* one device */
	options = (struct tables_options){.wanted = TRACE, .csv = true};
	expect_text(
		&trace, &options,
		RESULT NVPROF_20
		"ns,us,,,,,,,,KB,B,B,GB/s,,,,,,,\n"
		"0.000000,1.500000,8192,1,1,128,1,1,15,2.000000,0.000000,,,,," ON_CUDA
		"\"k [2]\",2\n"
		"234.000000,0.001000,,,,,,,,,,128.000000,119.209290,\"Pinned\",\"Array\"," ON_CUDA
		"\"[CUDA memcpy HtoA]\",1\n"
		"300.000000,0.001000,,,,,,,,,,128.000000,119.209290,\"Device\",\"Device\"," ON_CUDA
		"\"[CUDA memcpy PtoP]\",3\n"
		"400.000000,0.001000,,,,,,,,,,128.000000,119.209290,\"Device\",\"Device\"," ON_CUDA
		"\"[CUDA memcpy]\",4\n");
	made_free(&trace);
}

/* Control bytes, invalid UTF-8, quotes, and formulas of a spreadsheet. */
static void test_hostile_names(void **state)
{
	struct tables_options options = {
		.wanted = SUMMARY, .csv = true, .demangle = demangle_built()};
	struct made_trace trace;
	struct record copy = made_copy(0, 10, MEMORY_HOST, MEMORY_DEVICE, 1);

	(void)state;
	made_begin(&trace);
	made_kernel(&trace, "a\"b,c\nd\x1b[2J\xff\xc3\xa9\\x41\\y", 0, 30);
	made_kernel(&trace, "=1+2", 30, 50);
	copy.device = OPENCL_DEVICE;
	copy.context = 1;
	made_put(&trace, copy);
	expect_text(&trace, &options,
		    RESULT CSV_HEAD ",%,ns,,ns,ns,ns,\n"
				    "\"GPU activities\",50.000000,30.000000,1,30.000000,30.000000,"
				    "30.000000,\"a\"\"b,c\\x0ad\\x1b[2J\\xff\xc3\xa9\\x5cx41\\y\"\n"
				    "\"GPU activities\",33.333333,20.000000,1,20.000000,20.000000,"
				    "20.000000,\"\\x3d1+2\"\n"
				    "\"GPU activities\",16.666667,10.000000,1,10.000000,10.000000,"
				    "10.000000,\"[OpenCL memcpy HtoD]\"\n");
	options = (struct tables_options){
		.wanted = TRACE, .csv = true, .devices = (const uint32_t[]){3}, .device_count = 1};
	expect_text(&trace, &options,
		    RESULT
		    "\"Start\",\"Duration\",\"Size\",\"Throughput\",\"SrcMemType\",\"DstMemType\","
		    "\"Device\",\"Context\",\"Stream\",\"Name\",\"Correlation_ID\"\n"
		    "ns,ns,B,MB/s,,,,,,,\n"
		    "0.000000,10.000000,1.000000,95.367432,\"Pinned\",\"Device\","
		    "\"A,\"\"device\"\"\\x0a (3)\",\"5\",\"7\",\"[OpenCL memcpy HtoD]\",3\n");
	made_free(&trace);
}

/* Of equal totals that of more launches is first, then that of the earlier name. */
static void test_equal_totals(void **state)
{
	struct tables_options options = {.wanted = SUMMARY, .csv = true, .unit = TABLES_NS};
	struct made_trace trace;

	(void)state;
	made_begin(&trace);
	made_kernel(&trace, "once", 0, 30);
	made_kernel(&trace, "once, later", 30, 60);
	made_kernel(&trace, "thrice", 60, 70);
	made_kernel(&trace, "thrice", 70, 80);
	made_kernel(&trace, "thrice", 80, 90);
	expect_text(&trace, &options,
		    RESULT CSV_HEAD ",%,ns,,ns,ns,ns,\n"
				    "\"GPU activities\",33.333333,30.000000,3,10.000000,"
				    "10.000000,10.000000,\"thrice\"\n"
				    "\"GPU activities\",33.333333,30.000000,1,30.000000,"
				    "30.000000,30.000000,\"once\"\n"
				    "\"GPU activities\",33.333333,30.000000,1,30.000000,"
				    "30.000000,30.000000,\"once, later\"\n");
	made_free(&trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_summary, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_summary_csv, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_trace, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_trace_csv, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_hostile_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_equal_totals, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
