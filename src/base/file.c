/* Opens and reads files that others may have made; writes files under another name first. See
 * file.h. */
#define _GNU_SOURCE /* nftw, realpath, F_OFD_SETLK */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
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
    return strncmp(path, "/dev/std", 8) == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
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

static lmb_status fail_large(lmb_context *context, const char *path, size_t most)
{
    return lmb_fail(context, LMB_BAD_INPUT,
                    "'%s' is larger than what is read of such a file, %zu MiB", path, most >> 20);
}

lmb_status lmb_input_check_size(FILE *file, lmb_context *context, const char *path)
{
    const size_t most = (size_t)LMB_LARGEST_INPUT << 20;
    struct stat about;
    if (fstat(fileno(file), &about) != 0)
        return lmb_fail_read(context, path, errno);
    return about.st_size > (off_t)most ? fail_large(context, path, most) : LMB_OK;
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
        status = fail_large(context, path, most);
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

void lmb_input_note(lmb_context *context, const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0)
        lmb_context_reads(context, about.st_dev, about.st_ino);
}

lmb_status lmb_read_file(char **out, size_t *length, lmb_context *context, const char *path)
{
    lmb_input_note(context, path);
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

int lmb_file_lock(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_OFD_SETLK, &whole) == 0)
        return 0;
    return errno == EACCES ? EAGAIN : errno;
}

bool lmb_file_is(const char *path, int fd)
{
    struct stat named, open;
    return stat(path, &named) == 0 && fstat(fd, &open) == 0 && named.st_dev == open.st_dev &&
           named.st_ino == open.st_ino;
}

/* Remove a part that a killed process has left. The part of a process that lives is locked. */
static void remove_left(const char *name)
{
    struct stat about;
    int fd = open(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && lmb_file_lock(fd) == 0 &&
        lmb_file_is(name, fd))
        unlink(name);
    close(fd);
}

/* A new, locked file of a name beside a path: never one that is there already, be it a link to
 * somewhere else. Its descriptor, and its name to be freed; -1 with errno. */
static int create_beside(const char *path, char **name)
{
    enum { TRIES = 1000 };
    size_t room = strlen(path) + 48;
    int fd = -1;
    if (!(*name = lmb_malloc(room)))
        errno = ENOMEM;
    for (int i = 0; *name && i < TRIES && fd < 0; i++) {
        lmb_snprintf(*name, room, "%s.limber-%d.part", path, i);
        remove_left(*name);
        fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
        /* before it was locked, another process may have taken it for a part that was left */
        if (fd >= 0 && (lmb_file_lock(fd) == EAGAIN || !lmb_file_is(*name, fd))) {
            close(fd);
            fd = -1;
            errno = EEXIST;
        }
    }
    return fd;
}

/* Closes and forgets a file; `keep` says whether it gets its name. Returns 0 or what errno says. */
static int output_end(lmb_output *o, bool keep)
{
    errno = 0;
    int error = o->file && fclose(o->file) != 0 ? errno : 0;
    if (o->part && keep && !error && rename(o->part, o->path) != 0)
        error = errno;
    if (error == ENOMEM)
        lmb_memory_fail();
    if (o->part && (!keep || error))
        unlink(o->part);
    if (o->lock >= 0)
        close(o->lock); /* the part has its name, or is gone */
    free(o->path);
    free(o->part);
    *o = (lmb_output){.given = o->given, .lock = -1};
    return error;
}

/* Opens a file to be written. Returns 0 or what errno says. */
static int output_open(lmb_output *o, const char *path)
{
    struct stat old;
    bool there = stat(path, &old) == 0;
    int fd = -1;
    *o = (lmb_output){.given = path, .lock = -1};
    if (there && (!S_ISREG(old.st_mode) || is_descriptor(path))) {
        fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
    } else {
        /* the file itself, where its name is that of a link */
        errno = ENOMEM;
        if (!(o->path = there ? realpath(path, NULL) : lmb_strdup(path)))
            return errno;
        o->lock = create_beside(o->path, &o->part);
        if (o->lock >= 0)
            fd = fcntl(o->lock, F_DUPFD_CLOEXEC, 0);
        if (fd >= 0 && there)
            (void)!fchmod(fd, old.st_mode & 0777); /* others may read what they could before */
    }
    if (fd >= 0 && (o->file = fdopen(fd, "wb")))
        return 0;
    int error = errno;
    if (fd >= 0)
        close(fd);
    if (o->lock < 0) { /* there is none to be removed */
        free(o->part);
        o->part = NULL;
    }
    output_end(o, false);
    return error;
}

int lmb_file_replace(const char *path, const unsigned char *bytes, size_t size)
{
    lmb_output o;
    int error = output_open(&o, path);
    if (error)
        return error;
    error = fwrite(bytes, 1, size, o.file) == size ? 0 : errno;
    int end = output_end(&o, !error);
    return error ? error : end;
}

static lmb_status fail_write(lmb_context *context, const char *path, int error)
{
    if (error == ENOMEM)
        return lmb_fail_memory(context);
    return lmb_fail(context, LMB_IO, "cannot write '%s': %s", path, strerror(error));
}

/* Whether a file begins like a model: a text, in which one of the first lines has the key 'limber'.
 */
static bool is_model(const char *path)
{
    char text[(1 << 15) + 1];
    FILE *file = lmb_input_open(path, LMB_SOURCE_FILE);
    size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    bool found = false, is_text = !memchr(text, 0, size);
    if (file)
        fclose(file);
    text[size] = 0;
    for (const char *line = text; line && *line && is_text && !found;) {
        const char *key = line + strspn(line, " \t{\"'");
        found = strncmp(key, "limber", 6) == 0 && key[6 + strspn(key + 6, "\"' ")] == ':';
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return found;
}

/* Refuses to replace what cannot be made again. */
static lmb_status check_output(lmb_context *context, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return LMB_OK;
    if (lmb_context_has_read(context, about.st_dev, about.st_ino))
        lmb_fail(context, LMB_IO, "'%s' is read here, and is not overwritten", path);
    else if (is_model(path))
        lmb_fail(context, LMB_IO, "'%s' is a model, and is not overwritten", path);
    else
        return LMB_OK;
    return lmb_hint(context, "give another name for what is to be written");
}

lmb_status lmb_file_write(lmb_context *context, const char *path, const void *bytes, size_t size)
{
    lmb_output o;
    if (!lmb_file_create(&o, context, path))
        return lmb_last_status(context);
    if (bytes)
        fwrite(bytes, 1, size, o.file);
    return lmb_file_close(&o, context, LMB_OK);
}

FILE *lmb_file_create(lmb_output *o, lmb_context *context, const char *path)
{
    *o = (lmb_output){.given = path};
    if (check_output(context, path))
        return NULL;
    int error = output_open(o, path);
    if (error)
        fail_write(context, path, error);
    lmb_context_writes(context, o->part);
    errno = 0;
    return o->file;
}

lmb_status lmb_file_close(lmb_output *o, lmb_context *context, lmb_status status)
{
    bool failed = ferror(o->file) != 0;
    int error = errno; /* of the piece that was not written */
    if (!status)
        status = lmb_final_status(context, LMB_OK);
    lmb_context_writes(context, NULL);
    int end = output_end(o, !failed && !status);
    if (status || (!failed && !end))
        return status;
    return fail_write(context, o->given, failed && error ? error : end ? end : EIO);
}

const char *lmb_temporary_parent(void)
{
    const char *set = getenv("TMPDIR");
    return set && *set == '/' ? set : "/tmp";
}

lmb_status lmb_temporary_folder(lmb_context *context, const char *use, char path[LMB_FOLDER_ROOM])
{
    const char *parent = lmb_temporary_parent();
    lmb_snprintf(path, LMB_FOLDER_ROOM, "%s/limber-%s-XXXXXX", parent, use);
    if (mkdtemp(path))
        return LMB_OK;
    return lmb_fail(context, LMB_IO, "cannot make a folder in '%s': %s", parent, strerror(errno));
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    remove(path);
    return 0;
}

void lmb_folder_remove(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
