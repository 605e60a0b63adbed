#include <stdint.h>
#include <stddef.h>
static inline uint32_t stacks_intern(const uintptr_t *pcs, size_t count){ (void)pcs; return (uint32_t)count; }
