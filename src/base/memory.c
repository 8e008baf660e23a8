/* Memory from the system, and the mark of a thread that there was none; see memory.h. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static _Thread_local const char *failed; /* why, or NULL */

static const char out_of_memory[] = "out of memory";

void lmb_memory_fail_for(const char *reason)
{
    failed = failed ? failed : reason;
}

void lmb_memory_fail(void)
{
    lmb_memory_fail_for(out_of_memory);
}

const char *lmb_memory_failed(void)
{
    const char *was = failed;
    failed = NULL;
    return was;
}

/* Room of no bytes is none that failed. */
static void *checked(void *memory, size_t size)
{
    if (!memory && size)
        lmb_memory_fail();
    return memory;
}

void *lmb_malloc(size_t size)
{
    return checked(malloc(size), size);
}

void *lmb_calloc(size_t count, size_t size)
{
    return checked(calloc(count, size), count && size);
}

void *lmb_realloc(void *old, size_t size)
{
    return checked(realloc(old, size), size);
}

char *lmb_strdup(const char *text)
{
    return checked(strdup(text), 1);
}

FILE *lmb_text_open(char **text, size_t *size)
{
    *text = NULL;
    return checked(open_memstream(text, size), 1);
}

bool lmb_text_close(FILE *stream)
{
    if (!stream)
        return false; /* which has left its mark */
    bool fine = !ferror(stream);
    fine = fclose(stream) == 0 && fine;
    if (!fine)
        lmb_memory_fail();
    return fine;
}
