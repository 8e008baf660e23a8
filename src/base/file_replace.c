/* Writing under another name first; see file_replace.h. */
#include "base/file_replace.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"

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
