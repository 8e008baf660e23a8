/* Claims on files; see claim.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "base/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"

enum { OWNER_ROOM = 256, LOOK = 20000000 /* ns from one look at a lock to the next */ };

/* How long the lock of a process that has been killed may last, until the system has taken all from
 * it; and how long one waits to see that it has been. */
static const double ENDING = 10, JUST_KILLED = 0.2; /* s */

struct lmb_claim {
    lmb_arena *arena;
    const char *given;              /* the path for messages, */
    const char *path, *part, *lock; /* and those of the files, from the root */
    bool direct;                    /* it is no file, and written as it is */
    bool made, appeared;            /* the part; under its name */
    int fd;                         /* of the lock; -1: none */
};

/* --- names ------------------------------------------------------------------------------------ */

/* The path from the root of a file that may not be there yet; NULL with errno. */
static const char *resolve(lmb_arena *arena, const char *path)
{
    char *real = realpath(path, NULL);
    const char *whole = NULL;
    if (!real && errno == ENOENT) {
        char *one = lmb_text_copy(arena, path, strlen(path));
        char *two = lmb_text_copy(arena, path, strlen(path));
        real = one ? realpath(dirname(one), NULL) : NULL;
        whole = real && two ? lmb_text_format(arena, "%s/%s", real, basename(two)) : NULL;
    } else if (real)
        whole = lmb_text_copy(arena, real, strlen(real));
    int error = lmb_arena_fine(arena) ? errno : ENOMEM;
    free(real);
    errno = error;
    return whole;
}

/* Finds the names of the files; errno of what is wrong, or 0. */
static int name_files(lmb_claim *c)
{
    struct stat about;
    c->direct = stat(c->given, &about) == 0 && !S_ISREG(about.st_mode);
    if (!(c->path = resolve(c->arena, c->given)))
        return errno;
    const char *name = strrchr(c->path, '/') + 1;
    int folder = (int)(name - c->path);
    c->lock = lmb_text_format(c->arena, "%.*s.%s.lock", folder, c->path, name);
    c->part = lmb_text_format(c->arena, "%.*s.%s.part", folder, c->path, name);
    return lmb_arena_fine(c->arena) ? 0 : ENOMEM;
}

static lmb_claim *claim_new(const char *path)
{
    lmb_arena *arena;
    lmb_claim *c = lmb_arena_object(&arena, sizeof *c);
    if (!c)
        return NULL;
    *c = (lmb_claim){.arena = arena, .given = lmb_text_copy(arena, path, strlen(path)), .fd = -1};
    if (c->given)
        return c;
    lmb_arena_free(arena);
    return NULL;
}

/* --- the lock --------------------------------------------------------------------------------- */

static void close_lock(lmb_claim *c)
{
    if (c->fd >= 0)
        close(c->fd);
    c->fd = -1;
}

/* Opens the lock's file; errno, or 0. */
static int open_lock(lmb_claim *c, int flags)
{
    struct stat about;
    close_lock(c);
    c->fd = open(c->lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | flags, 0666);
    if (c->fd < 0)
        return errno;
    int error = fstat(c->fd, &about) != 0 ? errno : S_ISREG(about.st_mode) ? 0 : ENODEV;
    if (error)
        close_lock(c);
    return error;
}

/* Takes the lock. Its file may have gone with its owner between opening and locking: then it is
 * made anew. */
static int take_lock(lmb_claim *c)
{
    for (;;) {
        int error = open_lock(c, O_CREAT);
        if (!error)
            error = lmb_file_lock(c->fd);
        if (error || lmb_file_is(c->lock, c->fd))
            return error;
    }
}

/* Who has the lock, as the file says. */
static void read_owner(const lmb_claim *c, char owner[OWNER_ROOM])
{
    ssize_t size = pread(c->fd, owner, OWNER_ROOM - 1, 0);
    owner[size > 0 ? size : 0] = 0;
    owner[strcspn(owner, "\n")] = 0;
    for (char *at = owner; *at; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
    if (!owner[0])
        lmb_snprintf(owner, OWNER_ROOM, "another process");
}

/* Says in the file who has the lock. Returns 0 or what errno says. */
static int write_owner(const lmb_claim *c)
{
    char host[128] = "", when[64] = "", owner[OWNER_ROOM];
    time_t now = time(NULL);
    struct tm parts;
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = 0;
    if (gmtime_r(&now, &parts))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", &parts);
    int size = lmb_snprintf(owner, sizeof owner, "process %ld on %s since %s\n", (long)getpid(),
                            host, when);
    if (ftruncate(c->fd, 0) != 0)
        return errno;
    for (ssize_t done = 0, n; done < size; done += n)
        if ((n = pwrite(c->fd, owner + done, (size_t)(size - done), done)) <= 0)
            return n < 0 ? errno : ENOSPC;
    return 0;
}

static lmb_status fail_owned(lmb_context *context, const lmb_claim *c)
{
    char owner[OWNER_ROOM];
    read_owner(c, owner);
    lmb_fail(context, LMB_IO, "'%s' is being written by %s", c->given, owner);
    return lmb_hint(context, "--wait waits for the end of that; -o gives the result another name");
}

/* Opens what the system says about a process, /proc/NUMBER/NAME. */
static FILE *open_about(long process, const char *name)
{
    char path[64];
    lmb_snprintf(path, sizeof path, "/proc/%ld/%s", process, name);
    return fopen(path, "re");
}

/* Whether a process has been killed, and not yet noticed it. */
static bool is_killed(long process)
{
    enum { KILLED = 1 << (SIGKILL - 1) };
    FILE *file = open_about(process, "status");
    char line[256];
    unsigned long long waiting = 0, all = 0;
    while (file && fgets(line, sizeof line, file))
        if (lmb_sscanf(line, "SigPnd: %llx", &waiting) == 1 ||
            lmb_sscanf(line, "ShdPnd: %llx", &waiting) == 1)
            all |= waiting;
    if (file)
        fclose(file);
    return all & KILLED;
}

/* Whether the owner is a process of this host that has ended, or is about to. */
static bool is_ending(const char *owner)
{
    enum { EXITING = 4 }; /* PF_EXITING of the kernel */
    char host[128] = "", owners[128] = "", state = 0;
    long process = 0;
    unsigned flags = 0;
    if (gethostname(host, sizeof host - 1) != 0 ||
        lmb_sscanf(owner, "process %ld on %127s", &process, owners) != 2 ||
        strcmp(host, owners) != 0)
        return false;
    bool killed = is_killed(process); /* first: it is noticed before the other two */
    FILE *file = open_about(process, "stat");
    if (!file)
        return errno == ENOENT;
    /* number, (name), state, parent, group, session, terminal, its group, flags */
    int found = lmb_fscanf(file, "%*d (%*[^)]) %c %*d %*d %*d %*d %*d %u", &state, &flags);
    fclose(file);
    return killed || (found == 2 && (state == 'Z' || state == 'X' || (flags & EXITING)));
}

/* Takes the lock as soon as its owner is gone, if the context waits for that, or if the owner is
 * about to end by itself; *error is that of the last try. */
static lmb_status wait_for_owner(lmb_context *context, lmb_claim *c, int *error)
{
    char owner[OWNER_ROOM], what[OWNER_ROOM + 32];
    struct timespec begun;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    while (*error == EAGAIN) {
        read_owner(c, owner);
        double most = lmb_context_waits(context) ? HUGE_VAL
                      : is_ending(owner)         ? ENDING
                                                 : JUST_KILLED;
        if (lmb_seconds_since(begun) > most)
            return fail_owned(context, c);
        lmb_snprintf(what, sizeof what, "waiting for %s", owner);
        lmb_status status = lmb_continue(context, what, NAN);
        if (status)
            return status;
        nanosleep(&(struct timespec){.tv_nsec = LOOK}, NULL);
        *error = take_lock(c);
    }
    return LMB_OK;
}

static lmb_status claim(lmb_claim *c, lmb_context *context)
{
    int error = name_files(c);
    if (!error && c->direct)
        return LMB_OK;
    if (!error)
        error = take_lock(c);
    lmb_status status = wait_for_owner(context, c, &error);
    if (status)
        return status;
    if (error && c->fd >= 0) {
        /* the file is there, and its file system has no locks */
        lmb_warn(context, "cannot lock '%s': %s; see to it that no other run writes it", c->given,
                 strerror(error));
        return LMB_OK;
    }
    if (error == ENOMEM)
        return lmb_fail_memory(context);
    if (!error && (error = write_owner(c)))
        unlink(c->lock);
    return error ? lmb_fail(context, LMB_IO, "cannot write '%s': %s", c->given, strerror(error))
                 : LMB_OK;
}

/* --- claims ----------------------------------------------------------------------------------- */

/* Lets go of a lock that somebody else has. */
static void forget(lmb_claim *c)
{
    close_lock(c);
    lmb_arena_free(c->arena);
}

lmb_status lmb_claim_take(lmb_claim **out, lmb_context *context, const char *path)
{
    lmb_claim *c = claim_new(path);
    *out = NULL;
    if (!c)
        return lmb_fail_memory(context);
    lmb_status status = claim(c, context);
    if (status)
        forget(c);
    else
        *out = c;
    return status;
}

const char *lmb_claim_path(const lmb_claim *c)
{
    return c->given;
}

int lmb_claim_open(lmb_claim *c)
{
    if (c->direct)
        return open(c->path, O_RDWR | O_CLOEXEC);
    unlink(c->part); /* of a process that was killed */
    int fd = open(c->part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    struct stat old;
    c->made = fd >= 0;
    if (c->made && stat(c->path, &old) == 0)
        (void)!fchmod(fd, old.st_mode & 0777); /* others may read what they could before */
    return fd;
}

int lmb_claim_appear(lmb_claim *c)
{
    if (c->appeared || c->direct)
        return 0;
    if (rename(c->part, c->path) != 0)
        return errno;
    c->appeared = true;
    return 0;
}

bool lmb_claim_appeared(const lmb_claim *c)
{
    return c->appeared || c->direct;
}

bool lmb_claim_holds(const lmb_claim *c, int fd)
{
    return c->direct || lmb_file_is(c->appeared ? c->path : c->part, fd);
}

void lmb_claim_drop(lmb_claim *c)
{
    if (!c)
        return;
    if (c->made && !c->appeared)
        unlink(c->part);
    if (c->fd >= 0)
        unlink(c->lock); /* while it is locked, so that it is ours */
    forget(c);
}

lmb_status lmb_claim_check(lmb_context *context, const char *path)
{
    lmb_claim *c = claim_new(path);
    if (!c)
        return lmb_fail_memory(context);
    int error = name_files(c);
    if (!error && !c->direct && !(error = open_lock(c, 0)))
        error = lmb_file_lock(c->fd);
    lmb_status status = error == EAGAIN ? wait_for_owner(context, c, &error) : LMB_OK;
    if (error)
        forget(c);
    else
        lmb_claim_drop(c); /* with the file that somebody has left */
    return status;
}
