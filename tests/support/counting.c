/* malloc, calloc and realloc that count. */
#include "counting.h"

#include <stdlib.h>

static unsigned long count;

#ifndef __SANITIZE_ADDRESS__
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

void *malloc(size_t size)
{
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    count++;
    return __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
    count++;
    return __libc_realloc(p, size);
}
#endif

unsigned long allocations(void)
{
    return count;
}
