/* Stands between the program and malloc, fopen, pwrite and so on, see inject.h. Streams are made
 * with fopencookie, since the writes of the C library itself cannot be wrapped. */
#define _GNU_SOURCE /* fopencookie */
#include "inject.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"

#define SEEN __attribute__((visibility("default")))

static faults *use;

/* Whether this call of a kind is to fail. */
static bool fails(fault_kind kind)
{
    bool counts = use && (use->kind == kind || (use->kind == FAULT_PIECE && kind == FAULT_MEMORY));
    if (!counts)
        return false;
    unsigned long number = __atomic_add_fetch(&use->count, 1, __ATOMIC_SEQ_CST);
    if (!use->at || number < use->at || (number > use->at && !use->lasting))
        return false;
    if (number == use->at)
        use->depth = backtrace(use->trace, sizeof use->trace / sizeof *use->trace);
    errno = kind == FAULT_MEMORY || kind == FAULT_PIECE ? ENOMEM : ENOSPC;
    return true;
}

SEEN void faults_use(faults *shared)
{
    void *trace[1];
    backtrace(trace, 1); /* loads what it needs */
    use = shared;
}

/* --- memory ----------------------------------------------------------------------------------- */

#define WRAPPED(type, name, parameters)                                                            \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters

WRAPPED(void *, malloc, (size_t size))
{
    return fails(FAULT_MEMORY) ? NULL : __real_malloc(size);
}

WRAPPED(void *, calloc, (size_t count, size_t size))
{
    return fails(FAULT_MEMORY) ? NULL : __real_calloc(count, size);
}

WRAPPED(void *, realloc, (void *old, size_t size))
{
    return fails(FAULT_MEMORY) ? NULL : __real_realloc(old, size);
}

WRAPPED(char *, strdup, (const char *text))
{
    return fails(FAULT_MEMORY) ? NULL : __real_strdup(text);
}

/* A piece that no arena has room for makes it fail as any other. */
static const size_t TOO_MUCH = SIZE_MAX / 2;

WRAPPED(void *, lmb_arena_alloc, (lmb_arena * arena, size_t count, size_t size))
{
    return __real_lmb_arena_alloc(arena, size && fails(FAULT_PIECE) ? TOO_MUCH : count, size);
}

WRAPPED(double *, lmb_arena_numbers, (lmb_arena * arena, size_t count))
{
    return __real_lmb_arena_numbers(arena, fails(FAULT_PIECE) ? TOO_MUCH : count);
}

WRAPPED(int *, lmb_arena_integers, (lmb_arena * arena, size_t count))
{
    return __real_lmb_arena_integers(arena, fails(FAULT_PIECE) ? TOO_MUCH : count);
}

/* --- streams ---------------------------------------------------------------------------------- */

/* What is behind a stream of ours: a file, or text that grows. */
typedef struct stream {
    fault_kind kind;
    FILE *file;
    int fd;
    char **text;
    size_t *size;
} stream;

static ssize_t write_file(void *cookie, const char *bytes, size_t size)
{
    const stream *s = cookie;
    ssize_t done = fails(s->kind) ? 0 : write(s->fd, bytes, size);
    return done < 0 ? 0 : done;
}

static ssize_t write_text(void *cookie, const char *bytes, size_t size)
{
    const stream *s = cookie;
    char *grown = fails(FAULT_MEMORY) ? NULL : __real_realloc(*s->text, *s->size + size + 1);
    if (!grown)
        return 0;
    memcpy(grown + *s->size, bytes, size);
    grown[ *s->size += size] = 0;
    *s->text = grown;
    return (ssize_t)size;
}

static int seek_file(void *cookie, off64_t *offset, int whence)
{
    const stream *s = cookie;
    off_t at = lseek(s->fd, (off_t)*offset, whence);
    *offset = at;
    return at < 0 ? -1 : 0;
}

static int close_stream(void *cookie)
{
    stream *s = cookie;
    int status = s->file ? fclose(s->file) : 0;
    free(s);
    return status;
}

static FILE *open_stream(stream what, cookie_io_functions_t functions)
{
    stream *s = __real_malloc(sizeof *s);
    if (!s)
        abort();
    *s = what;
    functions.close = close_stream;
    return fopencookie(s, "w", functions);
}

static FILE *counted(FILE *file, const char *mode)
{
    static const cookie_io_functions_t functions = {.write = write_file, .seek = seek_file};
    if (!file || mode[0] == 'r')
        return file;
    return open_stream((stream){.kind = FAULT_WRITE, .file = file, .fd = fileno(file)}, functions);
}

WRAPPED(FILE *, fopen, (const char *path, const char *mode))
{
    return fails(FAULT_MEMORY) ? NULL : counted(__real_fopen(path, mode), mode);
}

WRAPPED(FILE *, fdopen, (int fd, const char *mode))
{
    return fails(FAULT_MEMORY) ? NULL : counted(__real_fdopen(fd, mode), mode);
}

WRAPPED(FILE *, open_memstream, (char **text, size_t *size))
{
    static const cookie_io_functions_t functions = {.write = write_text};
    if (fails(FAULT_MEMORY))
        return NULL;
    *text = __real_calloc(1, 1);
    *size = 0;
    return open_stream((stream){.text = text, .size = size}, functions);
}

SEEN void faults_print(void)
{
    static const cookie_io_functions_t functions = {.write = write_file};
    fflush(stdout);
    stdout = open_stream((stream){.kind = FAULT_PRINT, .fd = STDOUT_FILENO}, functions);
}

/* --- other writes ----------------------------------------------------------------------------- */

WRAPPED(ssize_t, pwrite, (int fd, const void *bytes, size_t size, off_t offset))
{
    return fails(FAULT_WRITE) ? -1 : __real_pwrite(fd, bytes, size, offset);
}

WRAPPED(ssize_t, write, (int fd, const void *bytes, size_t size))
{
    return fd > STDERR_FILENO && fails(FAULT_WRITE) ? -1 : __real_write(fd, bytes, size);
}
