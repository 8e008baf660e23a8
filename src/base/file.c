/* Opens and reads files that others may have made; writes files under another name first. See
 * file.h. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

/* --- reading ---------------------------------------------------------------------------------- */

/* Whether a path is that of something the process was given open, such as /dev/stdin. */
static bool is_descriptor(const char *path)
{
    return strcmp(path, "/dev/stdin") == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
           strncmp(path, "/proc/self/fd/", 14) == 0;
}

/* A FIFO without a writer is opened at once with O_NONBLOCK, so that it can be refused. */
FILE *lmb_input_open(const char *path, lmb_source source)
{
    struct stat about;
    int links = source == LMB_SOURCE_ENTRY ? O_NOFOLLOW : 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | links);
    if (fd < 0)
        return NULL;
    int error = fstat(fd, &about) != 0 ? errno : 0;
    bool pipe = source == LMB_SOURCE_TEXT && S_ISFIFO(about.st_mode) && is_descriptor(path);
    if (!error && S_ISDIR(about.st_mode))
        error = EISDIR;
    else if (!error && !S_ISREG(about.st_mode) && !pipe)
        error = ENODEV;
    else if (!error && pipe && fcntl(fd, F_SETFL, O_RDONLY) != 0)
        error = errno;
    FILE *file = error ? NULL : fdopen(fd, "rb");
    if (!file) {
        error = error ? error : errno;
        close(fd);
        errno = error;
    }
    if (error == ENOMEM)
        lmb_memory_fail();
    return file;
}

lmb_status lmb_fail_read(lmb_context *context, const char *path, int error)
{
    if (error != ENODEV)
        return lmb_fail(context, LMB_IO, "cannot read '%s': %s", path, strerror(error));
    lmb_fail(context, LMB_IO, "cannot read '%s': it is a device, a pipe or a socket", path);
    lmb_hint(context, "only files are read; copy what it gives into one");
    return LMB_IO;
}

/* Reads a stream that says to have so many bytes; NULL when out of memory. */
static char *read_stream(FILE *file, size_t expected, size_t *length, size_t most)
{
    size_t least = 1 << 16, room = (expected < least ? least : expected) + 2;
    char *text = lmb_malloc(room);
    *length = 0;
    while (text) {
        size_t want =
            room - 1 <= most ? room - 1 : most + 1; /* one more shows that there is more */
        *length += fread(text + *length, 1, want - *length, file);
        if (*length < want || want > most)
            break;
        room *= 2;
        char *grown = lmb_realloc(text, room);
        if (!grown)
            free(text);
        text = grown;
    }
    if (text)
        text[*length] = 0;
    return text;
}

static lmb_status read_open(FILE *file, char **out, size_t *length, lmb_context *context,
                            const char *path, size_t most)
{
    struct stat about;
    if (fstat(fileno(file), &about) != 0)
        return lmb_fail_read(context, path, errno);
    size_t expected = about.st_size > 0 ? (size_t)about.st_size : 0;
    bool large = expected > most;
    char *text = large ? NULL : read_stream(file, expected, length, most);
    if (!large && !text)
        return lmb_fail_memory(context);
    large = large || *length > most;
    lmb_status status = LMB_OK;
    if (large)
        status =
            lmb_fail(context, LMB_BAD_INPUT,
                     "'%s' is larger than what is read of such a file, %zu MiB", path, most >> 20);
    else if (ferror(file))
        status = lmb_fail_read(context, path, errno);
    *out = status ? NULL : text;
    if (status)
        free(text);
    return status;
}

/* Reads a file of at most so many bytes, with a zero behind them. */
static lmb_status read_file(char **out, size_t *length, lmb_context *context, const char *path,
                            lmb_source source, size_t most)
{
    *out = NULL;
    FILE *file = lmb_input_open(path, source);
    if (!file)
        return lmb_fail_read(context, path, errno);
    lmb_status status = read_open(file, out, length, context, path, most);
    fclose(file);
    return status;
}

lmb_status lmb_read_file(char **out, size_t *length, lmb_context *context, const char *path)
{
    return read_file(out, length, context, path, LMB_SOURCE_FILE, (size_t)LMB_LARGEST_INPUT << 20);
}

lmb_status lmb_read_text(char **out, lmb_context *context, lmb_arena *arena, const char *path)
{
    char *text;
    size_t length, most = (size_t)LMB_LARGEST_MODEL << 20;
    *out = NULL;
    lmb_status status = read_file(&text, &length, context, path, LMB_SOURCE_TEXT, most);
    if (status)
        return status;
    if (memchr(text, 0, length))
        status = lmb_fail(context, LMB_BAD_INPUT, "'%s' is not a text file", path);
    else if (!(*out = lmb_text_copy(arena, text, length)))
        status = lmb_fail_memory(context);
    free(text);
    return status;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* A new file of a name beside a path: never one that is there already, be it a link to somewhere
 * else. NULL with errno. */
static FILE *create_beside(const char *path, char *name, size_t room)
{
    enum { TRIES = 1000 };
    int fd = -1;
    for (int i = 0; i < TRIES && fd < 0; i++) {
        int n = snprintf(name, room, "%s.%ld-%d.part", path, (long)getpid(), i);
        errno = ENAMETOOLONG;
        if (n < 0 || (size_t)n >= room)
            return NULL;
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            return NULL;
    }
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (fd >= 0 && !file) {
        int error = errno;
        if (error == ENOMEM)
            lmb_memory_fail();
        close(fd);
        unlink(name);
        errno = error;
    }
    return file;
}

int lmb_file_replace(const char *path, const unsigned char *bytes, size_t size)
{
    char name[4096];
    FILE *file = create_beside(path, name, sizeof name);
    if (!file)
        return errno;
    int error = fwrite(bytes, 1, size, file) == size ? 0 : errno;
    if (fclose(file) != 0 && !error)
        error = errno;
    if (!error && rename(name, path) != 0)
        error = errno;
    if (error)
        unlink(name);
    return error;
}

static lmb_status fail_write(lmb_context *context, const char *path, int error)
{
    return lmb_fail(context, LMB_IO, "cannot write '%s': %s", path, strerror(error));
}

lmb_status lmb_file_write(lmb_context *context, const char *path, const void *bytes, size_t size)
{
    lmb_status status = lmb_final_status(context, LMB_OK);
    int error = status ? 0 : lmb_file_replace(path, bytes, size);
    return error ? fail_write(context, path, error) : status;
}

FILE *lmb_file_create(lmb_context *context, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file && errno == ENOMEM)
        lmb_memory_fail();
    if (!file)
        fail_write(context, path, errno);
    errno = 0;
    return file;
}

lmb_status lmb_file_close(lmb_context *context, FILE *file, const char *path)
{
    bool failed = ferror(file) != 0;
    int error = errno; /* of the piece that was not written */
    if (fclose(file) == 0 && !failed)
        return lmb_final_status(context, LMB_OK);
    return fail_write(context, path, failed && error ? error : errno);
}

lmb_status lmb_temporary_folder(lmb_context *context, char path[LMB_FOLDER_ROOM])
{
    const char *set = getenv("TMPDIR"), *parent = set && *set ? set : "/tmp";
    snprintf(path, LMB_FOLDER_ROOM, "%s/limber-XXXXXX", parent);
    if (mkdtemp(path))
        return LMB_OK;
    return lmb_fail(context, LMB_IO, "cannot make a folder in '%s': %s", parent, strerror(errno));
}
