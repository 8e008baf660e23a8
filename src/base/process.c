/* Runs a program by posix_spawn, which unlike fork is safe in a process with threads. See
 * process.h. */
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np, ..._addclosefrom_np */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

enum { SHORTEST_LOOK = 1000000, LONGEST_LOOK = 50000000 }; /* ns between two looks */

/* --- the beginning ---------------------------------------------------------------------------- */

/* All files but the standard ones are closed. */
static int close_others(posix_spawn_file_actions_t *actions)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    return posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
#else
    enum { MOST_FILES = 1024 };
    int error = 0;
    for (int fd = STDERR_FILENO + 1; fd < MOST_FILES && !error; fd++)
        error = posix_spawn_file_actions_addclose(actions, fd);
    return error;
#endif
}

static int add_actions(posix_spawn_file_actions_t *actions, const lmb_process *p)
{
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, error;
    if ((error =
             posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)) ||
        (error = posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, p->log, flags, 0600)) ||
        (error = posix_spawn_file_actions_adddup2(actions, STDOUT_FILENO, STDERR_FILENO)) ||
        (error = close_others(actions)))
        return error;
    return posix_spawn_file_actions_addchdir_np(actions, p->folder);
}

/* A session of its own, so that Ctrl-C is for us and all of its processes can be ended; signals as
 * a program expects them. */
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error)
        error = posix_spawnattr_setsigdefault(attributes, &all);
    return error
               ? error
               : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK |
                                                          POSIX_SPAWN_SETSIGDEF);
}

/* Its environment, ended by NULL. */
static char **make_environment(lmb_arena *arena, const lmb_process *p)
{
    static const char *const kept[] = {"PATH", "LD_LIBRARY_PATH"};
    enum { KEPT = sizeof kept / sizeof *kept, OWN = 3 };
    char **list = lmb_arena_alloc(arena, KEPT + OWN + 1, sizeof *list), **next = list;
    for (int i = 0; list && i < KEPT; i++) {
        const char *value = getenv(kept[i]);
        if (value)
            *next++ = lmb_text_format(arena, "%s=%s", kept[i], value);
    }
    if (list) {
        *next++ = lmb_text_format(arena, "HOME=%s", p->home);
        *next++ = lmb_text_format(arena, "TMPDIR=%s", p->folder);
        *next++ = lmb_text_format(arena, "LC_ALL=C");
    }
    return lmb_arena_fine(arena) ? list : NULL;
}

/* Starts it; errno of what went wrong, or 0. */
static int start(const lmb_process *p, char **environment, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    if (!(error = posix_spawnattr_init(&attributes))) {
        if (!(error = set_attributes(&attributes)) && !(error = add_actions(&actions, p)))
            error = posix_spawnp(child, p->words[0], &actions, &attributes, p->words, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* --- the end ---------------------------------------------------------------------------------- */

/* Whether it has ended; it is kept, so that nobody else can have its number. */
static bool has_ended(pid_t child)
{
    siginfo_t about = {0};
    int result = waitid(P_PID, (id_t)child, &about, WEXITED | WNOHANG | WNOWAIT);
    return result == 0 ? about.si_pid == child : errno == ECHILD;
}

/* Kills what is left of its group, and takes its code. A host that ignores its children has none:
 * then the files that the program makes tell. */
static lmb_ended finish(pid_t child, bool late)
{
    int status = 0;
    pid_t taken;
    kill(-child, SIGKILL);
    do
        taken = waitpid(child, &status, 0);
    while (taken < 0 && errno == EINTR);
    bool well = taken < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return late ? LMB_ENDED_LATE : well ? LMB_ENDED_WELL : LMB_ENDED_BADLY;
}

static lmb_status wait_for(lmb_context *context, const lmb_process *p, pid_t child,
                           lmb_ended *ended)
{
    struct timespec begun, look = {.tv_nsec = SHORTEST_LOOK};
    clock_gettime(CLOCK_MONOTONIC, &begun);
    lmb_status status = LMB_OK;
    bool late = false;
    while (!status && !late && !has_ended(child)) {
        nanosleep(&look, NULL);
        look.tv_nsec = look.tv_nsec < LONGEST_LOOK ? 2 * look.tv_nsec : look.tv_nsec;
        status = lmb_continue(context, p->words[0], NAN);
        late = lmb_seconds_since(begun) > p->seconds;
    }
    *ended = finish(child, late);
    return status;
}

lmb_status lmb_process_run(lmb_context *context, const lmb_process *p, lmb_ended *ended)
{
    lmb_arena *arena = lmb_arena_new();
    char **environment = arena ? make_environment(arena, p) : NULL;
    pid_t child;
    *ended = LMB_ENDED_NOT_BEGUN;
    if (!environment) {
        lmb_arena_free(arena);
        return lmb_fail_memory(context);
    }
    int error = start(p, environment, &child);
    lmb_status status = error ? LMB_OK : wait_for(context, p, child, ended);
    lmb_arena_free(arena);
    if (error)
        errno = error;
    return status;
}
