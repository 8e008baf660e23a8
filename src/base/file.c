/* Reads whole files, whose size is not asked for, so that they may be pipes; writes files under
 * another name first. See file.h. */
#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

static const size_t largest_model = (size_t)64 << 20;

/* Reads a stream; NULL when out of memory. */
static char *read_stream(FILE *file, size_t *length, size_t most)
{
    size_t room = 1 << 16;
    char *text = malloc(room);
    *length = 0;
    while (text) {
        size_t want = room - 1 < most ? room - 1 : most;
        *length += fread(text + *length, 1, want - *length, file);
        if (*length < want || want == most)
            break;
        room *= 2;
        char *grown = realloc(text, room);
        if (!grown)
            free(text);
        text = grown;
    }
    if (text)
        text[*length] = 0;
    return text;
}

lmb_status lmb_read_file(char **out, size_t *length, lmb_context *context, const char *path,
                         size_t most)
{
    *out = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return lmb_fail(context, LMB_IO, "cannot read '%s': %s", path, strerror(errno));
    char *text = read_stream(file, length, most);
    lmb_status status = text ? LMB_OK : lmb_fail_memory(context);
    if (!status && ferror(file))
        status = lmb_fail(context, LMB_IO, "cannot read '%s': %s", path, strerror(errno));
    fclose(file);
    if (status) {
        free(text);
        return status;
    }
    *out = text;
    return LMB_OK;
}

lmb_status lmb_read_text(char **out, lmb_context *context, lmb_arena *arena, const char *path)
{
    char *text;
    size_t length;
    *out = NULL;
    lmb_status status = lmb_read_file(&text, &length, context, path, largest_model + 1);
    if (status)
        return status;
    if (length > largest_model)
        status =
            lmb_fail(context, LMB_BAD_INPUT, "'%s' is larger than a model file can be (%zu MiB)",
                     path, largest_model >> 20);
    else if (memchr(text, 0, length))
        status = lmb_fail(context, LMB_BAD_INPUT, "'%s' is not a text file", path);
    else if (!(*out = lmb_text_copy(arena, text, length)))
        status = lmb_fail_memory(context);
    free(text);
    return status;
}

int lmb_file_replace(const char *path, const unsigned char *bytes, size_t size)
{
    char name[4096];
    if ((size_t)snprintf(name, sizeof name, "%s.%ld.part", path, (long)getpid()) >= sizeof name)
        return ENAMETOOLONG;
    FILE *file = fopen(name, "wbe"); /* e: not for programs that are started meanwhile */
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
    int error = lmb_file_replace(path, bytes, size);
    return error ? fail_write(context, path, error) : LMB_OK;
}

FILE *lmb_file_create(lmb_context *context, const char *path)
{
    FILE *file = fopen(path, "wb");
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
        return LMB_OK;
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
