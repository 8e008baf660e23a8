/* Writing under another name first; see file_replace.h. */
#include "base/file_replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"

static int write_bytes(int fd, const unsigned char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, bytes, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        bytes += n;
        size -= (size_t)n;
    }
    return 0;
}

int lmb_file_replace(const char *path, const unsigned char *bytes, size_t size)
{
    char name[4096];
    if ((size_t)snprintf(name, sizeof name, "%s.%ld.part", path, (long)getpid()) >= sizeof name)
        return ENAMETOOLONG;
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    int error = write_bytes(fd, bytes, size);
    if (close(fd) != 0 && !error)
        error = errno;
    if (!error && rename(name, path) != 0)
        error = errno;
    if (error)
        unlink(name);
    return error;
}

lmb_status lmb_temporary_folder(lmb_context *context, char path[LMB_FOLDER_ROOM])
{
    const char *set = getenv("TMPDIR"), *parent = set && *set ? set : "/tmp";
    snprintf(path, LMB_FOLDER_ROOM, "%s/limber-XXXXXX", parent);
    if (mkdtemp(path))
        return LMB_OK;
    return lmb_fail(context, LMB_IO, "cannot make a folder in '%s': %s", parent, strerror(errno));
}
