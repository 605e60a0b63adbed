/* SPDX-License-Identifier: MIT */
/* Checks the OpenCL loader, its drivers and its devices. */
#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "cli/devices.h"
#include "cli/doctor/doctor.h"
#include "cli/library.h"
#include "cli/lines.h"
#include "cli/sandbox.h"

#define VENDORS "/etc/OpenCL/vendors"

/* Remedies. The packages are those of Debian and Ubuntu; other distributions use similar names. */
#define NEWER_LOADER                                                                               \
	" (layers need ocl-icd 2.3, package ocl-icd-libopencl1, or the Khronos loader)"
#define INSTALL_LOADER "the package ocl-icd-libopencl1 has it"
#define INSTALL_DRIVER                                                                             \
	"the package nvidia-opencl-icd, intel-opencl-icd or mesa-opencl-icd has one for a GPU, "   \
	"pocl-opencl-icd one for the processor"

/* Constants of clGetICDLoaderInfoOCLICD, an ocl-icd extension that Khronos adopted; from
 * ocl_icd.h. */
enum { LOADER_VERSION = 2, LOADER_NAME = 3 };

/* For sandbox_run: appends the loader's path, a newline and the loader's name and version. */
static int ask_loader(struct strbuf *out, const char *argument)
{
	void *handle = dlopen(argument, RTLD_NOW | RTLD_LOCAL);
	void *(*extension)(const char *name);
	int32_t (*info)(int name, size_t size, void *value, size_t *needed) = NULL;
	char name[128] = "", version[128] = "";

	if (!handle) {
		strbuf_string(out, dlerror());
		return 1;
	}
	strbuf_printf(out, "%s\n", sandbox_path(handle));
	*(void **)&extension = dlsym(handle, "clGetExtensionFunctionAddress");
	if (extension)
		*(void **)&info = extension("clGetICDLoaderInfoOCLICD");
	if (info) {
		info(LOADER_NAME, sizeof(name) - 1, name, NULL);
		info(LOADER_VERSION, sizeof(version) - 1, version, NULL);
	}
	strbuf_printf(out, "%s %s", *name ? name : "unnamed loader", version);
	return 0;
}

/* A loader that supports layers contains the variable's name. */
static bool knows_layers(const char *path)
{
	struct strbuf bytes = STRBUF_INIT;
	bool found;

	lines_read_file(&bytes, path);
	found = bytes.length && memmem(bytes.data, bytes.length, "OPENCL_LAYERS", 13);
	strbuf_free(&bytes);
	return found;
}

/* For sandbox_run: checks that the loader loads the layer `argument` when platforms are queried. */
static int try_layer(struct strbuf *out, const char *argument)
{
	void *handle;
	int32_t (*platforms)(uint32_t room, void **platforms, uint32_t *count) = NULL;
	uint32_t count;

	setenv("OPENCL_LAYERS", argument, 1);
	handle = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
	if (handle)
		*(void **)&platforms = dlsym(handle, "clGetPlatformIDs");
	if (platforms)
		platforms(0, NULL, &count);
	if (dlopen(argument, RTLD_LAZY | RTLD_NOLOAD))
		return 0;
	strbuf_string(out, "the loader did not load it");
	return 1;
}

static bool is_in(const void *address, const char *library)
{
	Dl_info info;

	return address && dladdr(address, &info) && info.dli_fname &&
	       !strcmp(info.dli_fname, library);
}

/* For sandbox_run: checks that the library `argument` replaces the functions of a loader without
 * layers, as in a program that loads the loader at run time. */
static int try_replacing(struct strbuf *out, const char *argument)
{
	void *handle;

	setenv("COMPUTE_PROFILE", "1", 1);
	if (!dlopen(argument, RTLD_NOW | RTLD_GLOBAL)) {
		strbuf_string(out, dlerror());
		return 1;
	}
	handle = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
	if (handle && is_in(dlsym(handle, "clCreateContext"), argument))
		return 0;
	strbuf_string(out, "its functions cannot be replaced");
	return 1;
}

/* Checks that this loader loads the library. */
static void check_way(struct doctor *doctor, const char *loader, bool has_layers)
{
	struct strbuf path = STRBUF_INIT, out = STRBUF_INIT;
	int (*way)(struct strbuf *, const char *) = has_layers ? try_layer : try_replacing;

	if (!doctor->layer || library_find(&path)) {
		doctor_blame(&doctor->opencl, "the profiler's library is missing or has no OpenCL");
	} else if (sandbox_run(way, strbuf_text(&path), &out)) {
		doctor_blame(&doctor->opencl, "%s: %s", loader, strbuf_text(&out));
		doctor_say(doctor, VERDICT_FAIL, "OpenCL layer: %s: %s: %s%s", loader,
			   strbuf_text(&path), strbuf_text(&out), has_layers ? "" : NEWER_LOADER);
	} else if (has_layers) {
		doctor_say(doctor, VERDICT_OK, "OpenCL layer: the loader loads the library");
	} else {
		doctor_say(doctor, VERDICT_OK,
			   "OpenCL layer: the loader has no layers; its functions are replaced "
			   "instead, and programs are logged" NEWER_LOADER);
	}
	strbuf_free(&path);
	strbuf_free(&out);
}

static int is_icd(const struct dirent *entry)
{
	return text_ends(entry->d_name, ".icd");
}

/* `library` has been read from `place`. */
static void say_driver(struct doctor *doctor, const char *place, const char *library)
{
	struct strbuf out = STRBUF_INIT;

	if (sandbox_run(sandbox_load, library, &out))
		doctor_say(doctor, VERDICT_NOTE,
			   "OpenCL driver: %s: %s; no program can use its devices", place,
			   strbuf_text(&out));
	else
		doctor_say(doctor, VERDICT_OK, "OpenCL driver: %s: %s", place, strbuf_text(&out));
	strbuf_free(&out);
}

static void check_driver(struct doctor *doctor, const char *path)
{
	struct strbuf text = STRBUF_INIT;
	char *library;

	lines_read_file(&text, path);
	library = strndup(strbuf_text(&text), strcspn(strbuf_text(&text), "\r\n"));
	if (library && *library)
		say_driver(doctor, path, library);
	else
		doctor_say(doctor, VERDICT_NOTE, "OpenCL driver: %s: it names no library", path);
	free(library);
	strbuf_free(&text);
}

static void check_directory(struct doctor *doctor, const char *directory)
{
	struct strbuf path = STRBUF_INIT;
	struct dirent **entries = NULL;
	int count = scandir(directory, &entries, is_icd, alphasort);

	if (count <= 0) {
		doctor_say(doctor, VERDICT_NOTE, "OpenCL drivers: none in %s; %s",
			   directory, INSTALL_DRIVER);
		doctor_blame(&doctor->opencl, "no driver in %s; %s", directory,
			     INSTALL_DRIVER);
	}
	for (int i = 0; i < count; i++) {
		path.length = 0;
		strbuf_printf(&path, "%s/%s", directory, entries[i]->d_name);
		check_driver(doctor, strbuf_text(&path));
		free(entries[i]);
	}
	free(entries);
	strbuf_free(&path);
}

static bool has_type(const char *path, mode_t type)
{
	struct stat status;

	return !stat(path, &status) && (status.st_mode & S_IFMT) == type;
}

/* ocl-icd also takes one file: a .icd file, or a driver itself. */
static void check_drivers(struct doctor *doctor)
{
	static const char variable[] = "OCL_ICD_VENDORS";
	const char *other = getenv(variable);
	struct strbuf file = STRBUF_INIT;

	if (!other || !*other)
		other = VENDORS;
	strbuf_printf(&file, "%s%s", strchr(other, '/') ? "" : VENDORS "/", other);
	if (text_ends(other, ".icd") && has_type(strbuf_text(&file), S_IFREG))
		check_driver(doctor, strbuf_text(&file));
	else if (strstr(other, ".so") && !has_type(other, S_IFDIR))
		say_driver(doctor, variable, other);
	else
		check_directory(doctor, other);
	strbuf_free(&file);
}

/* A loader without a device loads no layer, so the check needs a device. */
void doctor_opencl(struct doctor *doctor)
{
	struct strbuf out = STRBUF_INIT;
	char *answer, *name;

	if (sandbox_run(ask_loader, "libOpenCL.so.1", &out)) {
		doctor_say(doctor, VERDICT_NOTE,
			   "OpenCL loader: %s; only programs that bring a loader, such as "
			   "pyopencl's wheel, can use OpenCL; %s",
			   strbuf_text(&out), INSTALL_LOADER);
		doctor_blame(&doctor->opencl,
			     "the system has no loader, but programs may bring one; %s",
			     INSTALL_LOADER);
		strbuf_free(&out);
		return;
	}
	answer = strdup(strbuf_text(&out));
	name = answer ? strchr(answer, '\n') : NULL;
	if (name) {
		*name++ = '\0';
		doctor_say(doctor, VERDICT_OK, "OpenCL loader: %s: %s", answer, name);
	}
	check_drivers(doctor);
	if (!doctor_devices(doctor, &doctor->opencl, devices_opencl) && name)
		check_way(doctor, answer, knows_layers(answer));
	free(answer);
	strbuf_free(&out);
}
