/* What the fuzz targets share: contexts that stop, files in memory. See fuzz.h. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Says what is wrong and ends as a crash does, so that the input is kept. */
static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

/* --- contexts --------------------------------------------------------------------------------- */

static bool count_down(void *user, const char *what, double fraction)
{
    (void)what, (void)fraction;
    int *left = user;
    return --*left < 0;
}

lmb_context *fuzz_context(int calls)
{
    static int left;
    lmb_context *context = lmb_context_new();
    if (!context)
        give_up("out of memory");
    setenv("PATH", "/nonexistent", 1); /* no other program is run */
    left = calls;
    lmb_context_on_progress(context, count_down, &left);
    return context;
}

void fuzz_end(lmb_context *context, lmb_status status)
{
    size_t errors = 0;
    for (size_t i = 0; i < lmb_message_count(context); i++)
        errors += lmb_message_at(context, i)->severity == LMB_ERROR;
    if (status && !errors)
        give_up("a failure without a message");
    if (!status && errors)
        give_up(lmb_message_at(context, 0)->text);
    lmb_context_free(context);
}

/* --- files ------------------------------------------------------------------------------------ */

enum { MOST_FILES = 32, MOST_PATH = 256 };

static char scratch_folder[MOST_PATH];

static struct {
    struct {
        char path[MOST_PATH];
        int fd;
    } files[MOST_FILES];
    int count;
} scratch;

static void remove_files(void)
{
    for (int i = 0; i < scratch.count; i++)
        remove(scratch.files[i].path);
    rmdir(scratch_folder);
}

/* Makes a file of a name in a folder that is removed at the end: a link to one in memory, or, for
 * HDF5, which asks for the real path, one on the disk. */
static int add_file(const char *name, bool on_disk)
{
    const char *above = getenv("TMPDIR");
    char target[64];
    if (!scratch_folder[0]) {
        snprintf(scratch_folder, MOST_PATH, "%.200s/fuzz-XXXXXX", above ? above : "/tmp");
        if (!mkdtemp(scratch_folder) || atexit(remove_files) != 0)
            give_up("no folder for files");
    }
    int i = scratch.count;
    if (i == MOST_FILES ||
        snprintf(scratch.files[i].path, MOST_PATH, "%s/%s", scratch_folder, name) >= MOST_PATH)
        give_up("too many files");
    const char *path = scratch.files[i].path;
    int fd =
        on_disk ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : memfd_create(name, MFD_CLOEXEC);
    snprintf(target, sizeof target, "/proc/self/fd/%d", fd);
    if (fd < 0 || (!on_disk && symlink(target, path) != 0))
        give_up("a file cannot be made");
    scratch.files[i].fd = fd;
    return scratch.count++;
}

static const char *put_file(const char *name, const void *data, size_t size, bool on_disk)
{
    int i = 0;
    while (i < scratch.count && strcmp(strrchr(scratch.files[i].path, '/') + 1, name) != 0)
        i++;
    if (i == scratch.count)
        i = add_file(name, on_disk);
    int fd = scratch.files[i].fd;
    if (ftruncate(fd, 0) != 0 || (size && pwrite(fd, data, size, 0) != (ssize_t)size))
        give_up("a file cannot be written");
    return scratch.files[i].path;
}

const char *fuzz_file(const char *name, const void *data, size_t size)
{
    return put_file(name, data, size, false);
}

const char *fuzz_disk_file(const char *name, const void *data, size_t size)
{
    return put_file(name, data, size, true);
}

/* --- inputs ----------------------------------------------------------------------------------- */

size_t fuzz_part(const uint8_t **data, size_t *size, const uint8_t **part)
{
    static const char line[] = "====\n";
    const size_t length = sizeof line - 1;
    *part = *data;
    size_t end = 0;
    while (end + length <= *size && memcmp(*data + end, line, length) != 0)
        end++;
    bool last = end + length > *size;
    size_t found = last ? *size : end, taken = last ? *size : end + length;
    if (taken)
        *data += taken;
    *size -= taken;
    return found;
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        give_up("out of memory");
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    return text;
}
