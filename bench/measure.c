/* Time, and a count of allocations by standing in front of malloc. */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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

double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void give_up(const lmb_context *context)
{
    fprintf(stderr, "bench: %s\n", lmb_message_at(context, lmb_message_count(context) - 1)->text);
    exit(1);
}

static lmb_model *compile(lmb_context *context, lmb_spec *spec)
{
    lmb_model *model;
    if (lmb_model_compile(&model, context, spec))
        give_up(context);
    lmb_spec_free(spec);
    return model;
}

lmb_model *model_of_text(lmb_context *context, const char *text)
{
    lmb_spec *spec;
    if (lmb_spec_parse(&spec, context, "bench", text))
        give_up(context);
    return compile(context, spec);
}

lmb_model *model_of_file(lmb_context *context, const char *path)
{
    lmb_spec *spec;
    if (lmb_spec_load(&spec, context, path))
        give_up(context);
    return compile(context, spec);
}
