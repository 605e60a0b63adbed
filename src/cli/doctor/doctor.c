/* SPDX-License-Identifier: MIT */
/* computeprof doctor: checks whether profiling works on this machine. */
#include "cli/doctor/doctor.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/python_layout.h"
#include "base/strbuf.h"
#include "cli/command.h"
#include "cli/counters/cupti_query.h"
#include "cli/library.h"
#include "cli/lines.h"
#include "cli/run/program.h"
#include "config.h"
#include "view/format/demangle.h"
#include "view/symbols/symbols.h"
#include "view/view.h"

static void (*const checks[])(struct doctor *doctor) = {
	doctor_library,	 doctor_environment, doctor_settings, doctor_opencl, doctor_cuda,
	doctor_counters, doctor_any_device,  doctor_configs,  doctor_names,  doctor_files,
	doctor_samples,	 doctor_rewrite,     doctor_program,
};

void doctor_any_device(struct doctor *doctor)
{
	if (!doctor->opencl.devices && !doctor->cuda.devices)
		doctor_say(doctor, VERDICT_FAIL,
			   "devices: neither OpenCL nor CUDA has a device here, so there is "
			   "nothing to log. OpenCL: %s. CUDA: %s",
			   doctor->opencl.cause, doctor->cuda.cause);
	else if (!doctor->opencl.logged && !doctor->cuda.logged && !doctor->failures)
		doctor_say(doctor, VERDICT_FAIL,
			   "devices: programs are not logged on any device. OpenCL: %s. CUDA: %s",
			   doctor->opencl.cause, doctor->cuda.cause);
}

void doctor_configs(struct doctor *doctor)
{
	const char *path = library_configs();
	DIR *directory = opendir(path);

	if (directory)
		doctor_say(doctor, VERDICT_OK, "configurations: %s", path);
	else
		doctor_say(doctor, VERDICT_NOTE,
			   "configurations: %s: %m; ready-made configurations are not "
			   "available",
			   path);
	if (directory)
		closedir(directory);
}

void doctor_names(struct doctor *doctor)
{
	struct strbuf why = STRBUF_INIT;

	if (demangle_built())
		doctor_say(doctor, VERDICT_OK, "names: tables show demangled C++ names of kernels");
	else
		doctor_say(doctor, VERDICT_NOTE,
			   "names: tables show mangled C++ names of kernels: this computeprof was "
			   "built without libiberty (libiberty-dev)");
	if (!symbols_check(&why))
		doctor_say(doctor, VERDICT_OK,
			   "names: flame graphs show the functions of call "
			   "stacks");
	else
		doctor_say(doctor, VERDICT_NOTE,
			   "names: flame graphs show files instead of functions: %s",
			   strbuf_text(&why));
	strbuf_free(&why);
}

/* Whether the library that the view needs is here. */
static void say_view(struct doctor *doctor, const struct view *view, const char *files)
{
	struct strbuf why = STRBUF_INIT;

	if (view->check && view->check(&why))
		doctor_say(doctor, VERDICT_NOTE, "files: %s cannot be used: %s", files,
			   strbuf_text(&why));
	else
		doctor_say(doctor, VERDICT_OK, "files: %s can be used", files);
	strbuf_free(&why);
}

void doctor_files(struct doctor *doctor)
{
	say_view(doctor, &view_sqlite, "databases (.sqlite, .nvprof)");
	say_view(doctor, &view_chrome_gz, "compressed files (.gz)");
}

/* Returns 0x030b for "libpython3.11.so.1.0" and "python3.11", 0 for other names. */
static uint32_t python_version(const char *name)
{
	unsigned minor;
	char dot;

	if (!strncmp(name, "lib", 3))
		name += 3;
	if (sscanf(name, "python3.%3u%c", &minor, &dot) < 1 || minor > 255)
		return 0;
	return 0x0300 | minor;
}

/* An interpreter is linked with the library of Python, or has its name. */
static void say_python(struct doctor *doctor, struct program *program)
{
	char *path = realpath(strbuf_text(&program->path), NULL), *slash;
	const char *at = strbuf_text(&program->elf.needed), *line;
	uint32_t version = 0;
	size_t length;

	slash = path ? strrchr(path, '/') : NULL;
	if (slash)
		version = python_version(slash + 1);
	while ((line = lines_next(&at, &length)))
		if (!version && !strncmp(line, "libpython3.", 11))
			version = python_version(line);
	free(path);
	if (python_layout_has(version))
		doctor_say(doctor, VERDICT_OK,
			   "program: Python 3.%u: call stacks have its functions",
			   (unsigned)version & 255);
	else if (version)
		doctor_say(doctor, VERDICT_NOTE,
			   "program: Python 3.%u: call stacks have [python] instead of its "
			   "functions, which are known for " PYTHON_VERSIONS,
			   (unsigned)version & 255);
}

static void say_apis(struct doctor *doctor, const struct program *program)
{
	bool opencl = elf_needs(&program->elf, "libOpenCL.so");
	bool cuda =
		elf_needs(&program->elf, "libcuda.so") || elf_needs(&program->elf, "libcudart.so");

	if (opencl)
		doctor_say(doctor, VERDICT_OK, "program: linked with OpenCL");
	if (cuda)
		doctor_say(doctor, VERDICT_OK, "program: linked with CUDA");
	if (!opencl && !cuda)
		doctor_say(doctor, VERDICT_NOTE, "program: not linked with OpenCL or CUDA itself%s",
			   doctor->opencl.logged || doctor->cuda.logged
				   ? "; its libraries and libraries that it loads later are "
				     "logged, too"
				   : "");
	if (elf_needs(&program->elf, "libasan.so"))
		doctor_say(
			doctor, VERDICT_NOTE,
			"program: built with gcc's address sanitizer; 'computeprof PROGRAM' sets "
			"ASAN_OPTIONS=verify_asan_link_order=0 for it");
}

void doctor_program(struct doctor *doctor)
{
	struct program program = {0};
	const char *at, *line;
	size_t length;

	if (!doctor->program)
		return;
	program_examine(&program, doctor->program);
	at = strbuf_text(&program.scripts);
	while ((line = lines_next(&at, &length)))
		doctor_say(doctor, VERDICT_NOTE, "program: %.*s", (int)length, line);
	if (program.obstacle.length) {
		doctor_say(doctor, VERDICT_FAIL, "program: %s", strbuf_text(&program.obstacle));
	} else {
		doctor_say(doctor, VERDICT_OK, "program: %s can load the library",
			   strbuf_text(&program.path));
		say_python(doctor, &program);
		say_apis(doctor, &program);
		doctor_modules(doctor, strbuf_text(&program.path), &program.elf);
	}
	program_free(&program);
}

/* Prints the last line, which sums up all findings. */
static void say_verdict(const struct doctor *doctor)
{
	const struct doctor_api *good = doctor->opencl.logged ? &doctor->opencl : &doctor->cuda;
	const struct doctor_api *bad = good == &doctor->opencl ? &doctor->cuda : &doctor->opencl;

	if (doctor->failures)
		printf("verdict: profiling does not work: %s\n", doctor->first);
	else if (bad->logged)
		printf("verdict: profiling works: OpenCL and CUDA programs are logged\n");
	else
		printf("verdict: profiling works: %s programs are logged; %s programs are not: "
		       "%s\n",
		       good->name, bad->name, bad->cause);
}

int doctor_command(const struct flags *flags)
{
	struct doctor doctor = {.opencl = {.name = "OpenCL"}, .cuda = {.name = "CUDA"}};

	doctor.program = flags->arguments[0]; /* the words after it are its arguments */
	doctor.chip = cupti_query_chip(flags);
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		checks[i](&doctor);
	say_verdict(&doctor);
	return doctor.failures ? EXIT_PROBLEM : EXIT_DONE;
}
