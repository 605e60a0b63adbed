/* SPDX-License-Identifier: MIT */
#include "rewrite/compiler.h"

#include <link.h>
#include <string.h>
#include <sys/stat.h>

/* No code is made: the target only decides the sizes of types. */
static const char *const fixed[] = {
	"-x",	    "cl",
	"-target",  "spir64-unknown-unknown",
	"-Xclang",  "-finclude-default-header",
	"-Xclang",  "-fdeclare-opencl-builtins",
	"-isystem", CLANG_HEADERS,
	"-w",
};

/* Options that decide about types, macros or the language; with a value if they end with "=". */
static const char *const kept[] = {
	"-cl-std=",
	"-cl-single-precision-constant",
	"-cl-finite-math-only",
	"-cl-fast-relaxed-math",
	"-cl-unsafe-math-optimizations",
};

static void add(struct compiler *compiler, const char *argument)
{
	compiler->arguments[compiler->count++] = argument;
}

static bool is_kept(const char *option)
{
	size_t length;

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		length = strlen(kept[i]);
		if (kept[i][length - 1] == '=' ? !strncmp(option, kept[i], length)
					       : !strcmp(option, kept[i]))
			return true;
	}
	return false;
}

/* "-cl-ext=-all,+A,+B" */
static const char *extension_argument(struct arena *arena, const char *extensions)
{
	struct strbuf text = STRBUF_INIT;
	const char *result;
	size_t length;

	strbuf_string(&text, "-cl-ext=-all");
	for (; *extensions; extensions += length) {
		extensions += strspn(extensions, " ");
		length = strcspn(extensions, " ");
		if (!length)
			continue;
		strbuf_string(&text, ",+");
		strbuf_append(&text, extensions, length);
	}
	result = arena_copy(arena, text.data, text.length);
	strbuf_free(&text);
	return result;
}

void compiler_open(struct compiler *compiler, struct arena *arena, const char *extensions,
		   const char *const *options)
{
	/* Two for the extensions of the device, and two for parse_with_half. */
	size_t count = sizeof(fixed) / sizeof(fixed[0]) + 2 + 2;

	for (size_t i = 0; options[i]; i++)
		count++;
	*compiler = (struct compiler){.arena = arena};
	compiler->arguments = arena_take(arena, count * sizeof(*compiler->arguments));
	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		add(compiler, fixed[i]);
	if (extensions) {
		add(compiler, "-Xclang");
		add(compiler, extension_argument(arena, extensions));
	}
	for (size_t i = 0; options[i]; i++)
		if (is_kept(options[i]))
			add(compiler, options[i]);
	compiler->index = clang_createIndex(0, 0);
}

static CXTranslationUnit parse(const struct compiler *compiler, const char *text, size_t length,
			       unsigned flags)
{
	struct CXUnsavedFile file = {COMPILER_FILE, text, length};
	CXTranslationUnit unit = NULL;

	if (clang_parseTranslationUnit2(compiler->index, COMPILER_FILE, compiler->arguments,
					compiler->count, &file, 1, flags, &unit))
		return NULL;
	return unit;
}

struct definitions {
	struct arena *arena;
	struct macros *macros;
	CXTranslationUnit unit;
};

/* The definition as the text behind #define. */
static void put_definition(struct definitions *definitions, CXCursor cursor, struct strbuf *text)
{
	CXToken *tokens = NULL;
	unsigned count = 0;
	CXString spelling;

	clang_tokenize(definitions->unit, clang_getCursorExtent(cursor), &tokens, &count);
	for (unsigned i = 0; i < count; i++) {
		if (i && (i > 1 || !clang_Cursor_isMacroFunctionLike(cursor)))
			strbuf_char(text, ' ');
		spelling = clang_getTokenSpelling(definitions->unit, tokens[i]);
		strbuf_string(text, clang_getCString(spelling));
		clang_disposeString(spelling);
	}
	clang_disposeTokens(definitions->unit, tokens, count);
}

static enum CXChildVisitResult define(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct definitions *definitions = data;
	struct strbuf text = STRBUF_INIT;
	const char *kept_text;

	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_MacroDefinition)
		return CXChildVisit_Continue;
	put_definition(definitions, cursor, &text);
	/* The program is not compiled for this target. */
	if (text.length && strncmp(strbuf_text(&text), "__SPIR", 6)) {
		kept_text = arena_copy(definitions->arena, text.data, text.length);
		macro_define(definitions->macros,
			     token_read(definitions->arena, "", kept_text, text.length), true);
	}
	strbuf_free(&text);
	return CXChildVisit_Continue;
}

/* Returns the first error, or NULL. */
static const char *first_error(struct arena *arena, CXTranslationUnit unit, unsigned *offset)
{
	const char *result = NULL;
	CXDiagnostic diagnostic;
	CXString text;

	for (unsigned i = 0; !result && i < clang_getNumDiagnostics(unit); i++) {
		diagnostic = clang_getDiagnostic(unit, i);
		if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
			text = clang_getDiagnosticSpelling(diagnostic);
			result = arena_print(arena, "%s", clang_getCString(text));
			clang_disposeString(text);
			clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), NULL, NULL,
					      NULL, offset);
		}
		clang_disposeDiagnostic(diagnostic);
	}
	return result;
}

int compiler_macros(const struct compiler *compiler, struct macros *macros)
{
	struct definitions definitions = {.arena = compiler->arena, .macros = macros};
	unsigned offset;
	bool failed;

	definitions.unit = parse(compiler, "", 0, CXTranslationUnit_DetailedPreprocessingRecord);
	if (!definitions.unit)
		return -1;
	clang_visitChildren(clang_getTranslationUnitCursor(definitions.unit), define, &definitions);
	failed = first_error(compiler->arena, definitions.unit, &offset);
	clang_disposeTranslationUnit(definitions.unit);
	return failed ? -1 : 0;
}

/* clang declares vload_half and the like only with cl_khr_fp16, although they need no extension.
 * They are not declared for all sources: more functions make more calls ambiguous. Returns NULL if
 * they do not help. */
static CXTranslationUnit parse_with_half(const struct compiler *compiler, const struct strbuf *text)
{
	struct compiler extended = *compiler;
	CXTranslationUnit unit;
	unsigned offset;

	if (!memmem(text->data, text->length, "_half", 5))
		return NULL;
	add(&extended, "-Xclang");
	add(&extended, "-cl-ext=+cl_khr_fp16");
	unit = parse(&extended, text->data, text->length, 0);
	if (!unit || !first_error(compiler->arena, unit, &offset))
		return unit;
	clang_disposeTranslationUnit(unit);
	return NULL;
}

CXTranslationUnit compiler_parse(const struct compiler *compiler, struct strbuf *text,
				 const char **error, unsigned *offset)
{
	CXTranslationUnit unit = parse(compiler, strbuf_text(text), text->length, 0), other = NULL;

	*offset = 0;
	*error = unit ? first_error(compiler->arena, unit, offset) : "libclang cannot parse it";
	if (unit && *error)
		other = parse_with_half(compiler, text);
	if (!other)
		return unit;
	clang_disposeTranslationUnit(unit);
	*error = NULL;
	return other;
}

static void put_file(struct strbuf *to, const char *path)
{
	struct stat status = {0};

	stat(path, &status);
	strbuf_printf(to, "%s %lld %lld.%09ld\n", path, (long long)status.st_size,
		      (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

static int put_library(struct dl_phdr_info *library, size_t size, void *to)
{
	(void)size;
	if (library->dlpi_name[0] == '/')
		put_file(to, library->dlpi_name);
	return 0;
}

void compiler_identify(struct strbuf *to)
{
	CXString version = clang_getClangVersion();

	strbuf_printf(to, "%s\n", clang_getCString(version));
	clang_disposeString(version);
	put_file(to, CLANG_HEADERS "/opencl-c-base.h");
	put_file(to, CLANG_HEADERS "/opencl-c.h");
	dl_iterate_phdr(put_library, to);
}

void compiler_close(struct compiler *compiler)
{
	clang_disposeIndex(compiler->index);
}
