/* SPDX-License-Identifier: MIT */
/* The functions of NVTX, as its headers declare them; each makes a mark (mark.h). */
#include "backend/nvtx/slots.h"

#include "backend/nvtx/mark.h"
#include "backend/nvtx/text.h"

static void mark_domain(const void *domain, const struct nvtx_attributes *attributes)
{
	struct mark_content given = {.domain = text_of_handle(domain)};

	if (!mark_read(&given, attributes))
		mark_record(&given);
}

static void mark_attributes(const struct nvtx_attributes *attributes)
{
	mark_domain(NULL, attributes);
}

static void mark_text(const char *text)
{
	mark_record(&(struct mark_content){.text = text});
}

static void mark_wide(const wchar_t *text)
{
	mark_record(&(struct mark_content){.wide = text});
}

static uint64_t start_domain(const void *domain, const struct nvtx_attributes *attributes)
{
	struct mark_content given = {.domain = text_of_handle(domain)};

	return mark_read(&given, attributes) ? 0 : mark_start(&given);
}

static uint64_t start_attributes(const struct nvtx_attributes *attributes)
{
	return start_domain(NULL, attributes);
}

static uint64_t start_text(const char *text)
{
	return mark_start(&(struct mark_content){.text = text});
}

static uint64_t start_wide(const wchar_t *text)
{
	return mark_start(&(struct mark_content){.wide = text});
}

static void end_domain(const void *domain, uint64_t id)
{
	if (id)
		mark_record(&(struct mark_content){
			.domain = text_of_handle(domain), .flags = MARK_END, .id = id});
}

static void end_range(uint64_t id)
{
	end_domain(NULL, id);
}

static int push_domain(const void *domain, const struct nvtx_attributes *attributes)
{
	struct mark_content given = {.domain = text_of_handle(domain)};

	return mark_read(&given, attributes) ? -1 : mark_push(&given);
}

static int push_attributes(const struct nvtx_attributes *attributes)
{
	return push_domain(NULL, attributes);
}

static int push_text(const char *text)
{
	return mark_push(&(struct mark_content){.text = text});
}

static int push_wide(const wchar_t *text)
{
	return mark_push(&(struct mark_content){.wide = text});
}

static int pop_domain(const void *domain)
{
	return mark_pop(text_of_handle(domain));
}

static int pop_range(void)
{
	return mark_pop(0);
}

static void name_category(uint32_t category, const char *name)
{
	category_name(0, category, text_of(name));
}

static void name_category_wide(uint32_t category, const wchar_t *name)
{
	category_name(0, category, text_of_wide(name));
}

static void name_domain_category(const void *domain, uint32_t category, const char *name)
{
	category_name(text_of_handle(domain), category, text_of(name));
}

static void name_domain_category_wide(const void *domain, uint32_t category, const wchar_t *name)
{
	category_name(text_of_handle(domain), category, text_of_wide(name));
}

static const void *create_domain(const char *text)
{
	return text_handle(text_of(text));
}

static const void *create_domain_wide(const wchar_t *text)
{
	return text_handle(text_of_wide(text));
}

static const void *register_text(const void *domain, const char *text)
{
	(void)domain;
	return text_handle(text_of(text));
}

static const void *register_wide(const void *domain, const wchar_t *text)
{
	(void)domain;
	return text_handle(text_of_wide(text));
}

static const struct {
	enum nvtx_module module;
	unsigned int number; /* number of the slot */
	void (*function)(void);
} functions[] = {
#define SLOT(module, number, function) {module, number, (void (*)(void))(function)}
	SLOT(NVTX_CORE, 1, mark_attributes),
	SLOT(NVTX_CORE, 2, mark_text),
	SLOT(NVTX_CORE, 3, mark_wide),
	SLOT(NVTX_CORE, 4, start_attributes),
	SLOT(NVTX_CORE, 5, start_text),
	SLOT(NVTX_CORE, 6, start_wide),
	SLOT(NVTX_CORE, 7, end_range),
	SLOT(NVTX_CORE, 8, push_attributes),
	SLOT(NVTX_CORE, 9, push_text),
	SLOT(NVTX_CORE, 10, push_wide),
	SLOT(NVTX_CORE, 11, pop_range),
	SLOT(NVTX_CORE, 12, name_category),
	SLOT(NVTX_CORE, 13, name_category_wide),
	SLOT(NVTX_CORE2, 1, mark_domain),
	SLOT(NVTX_CORE2, 2, start_domain),
	SLOT(NVTX_CORE2, 3, end_domain),
	SLOT(NVTX_CORE2, 4, push_domain),
	SLOT(NVTX_CORE2, 5, pop_domain),
	SLOT(NVTX_CORE2, 8, name_domain_category),
	SLOT(NVTX_CORE2, 9, name_domain_category_wide),
	SLOT(NVTX_CORE2, 10, register_text),
	SLOT(NVTX_CORE2, 11, register_wide),
	SLOT(NVTX_CORE2, 12, create_domain),
	SLOT(NVTX_CORE2, 13, create_domain_wide),
};

int slots_fill_in(const struct nvtx_callbacks *callbacks, const struct settings *settings)
{
	int filled = 0;

	mark_begin(settings);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void (***slots)(void);
		unsigned int count;

		if (callbacks->get(functions[i].module, &slots, &count) != 1 ||
		    functions[i].number >= count || !slots[functions[i].number])
			continue;
		*slots[functions[i].number] = functions[i].function;
		filled++;
	}
	return filled ? 0 : -1;
}
