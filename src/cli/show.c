/* Starting another program to show a file. */
#include "cli/show.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"

enum { NOT_FOUND = 127 };

lmb_status lmb_open(lmb_context *context, const char *program, const char *file)
{
    pid_t child = fork();
    if (child < 0)
        return lmb_fail(context, LMB_IO, "cannot start '%s': %s", program, strerror(errno));
    if (child == 0) {
        execlp(program, program, file, (char *)NULL);
        _exit(NOT_FOUND);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return LMB_OK;
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        lmb_fail(context, LMB_IO, "the program '%s', which would open the report, was not found",
                 program);
    else
        lmb_fail(context, LMB_IO, "the program '%s' could not open the report", program);
    lmb_hint(context, "open '%s' with a browser", file);
    return LMB_IO;
}
