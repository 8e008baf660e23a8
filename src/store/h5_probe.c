/* Files that others may have made. HDF5 can crash on a file of which a few bytes are wrong, or take
 * any amount of memory or time. So the program named in the context reads such a file first, in a
 * process of its own with limits (cli/probe.c), and says through a pipe that it is good; one that
 * crashes or gets stuck says nothing. The process is started with posix_spawn, which copies nothing
 * of the caller.
 *
 * Stamps spare this for a file that has not changed since this user's Limber wrote or probed it.
 * They are not in the file, where anybody can write them, but in a table in the user's cache
 * folder: a hash of where the file is (device and inode), its size, and when it was changed, of
 * which the last one (ctime) cannot be chosen by whoever makes a file. The table has a fixed size;
 * a stamp that gives way to another costs no more than a probe. */
#include "base/format.h"
#include "store/h5.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* --- stamps ----------------------------------------------------------------------------------- */

/* How many there are; which probe they tell of: another number where more is found. */
enum { STAMPS = 8192, PROBE = 4 };

/* Opens the table of the user's cache folder; -1: there is none. */
static int open_stamps(bool create)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char folder[2048], path[2100];
    struct stat about;
    bool own = cache && cache[0] == '/';
    if (!own && (!home || home[0] != '/'))
        return -1;
    int length =
        lmb_snprintf(folder, sizeof folder, "%s%s", own ? cache : home, own ? "" : "/.cache");
    if (length < 0 || (size_t)length + sizeof "/limber" > sizeof folder)
        return -1;
    if (create)
        mkdir(folder, 0700);
    strcat(folder, "/limber");
    if (create)
        mkdir(folder, 0700);
    lmb_snprintf(path, sizeof path, "%s/stamps", folder);
    int flags = create ? O_RDWR | O_CREAT : O_RDONLY;
    int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    bool fine = fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
                about.st_uid == geteuid() && (about.st_mode & 022) == 0;
    if (fd >= 0 && !fine)
        close(fd);
    return fine ? fd : -1;
}

/* The stamp of a file, and where it is in the table. */
static uint64_t stamp_of(const struct stat *s, off_t *place)
{
    const uint64_t where[] = {(uint64_t)s->st_dev, (uint64_t)s->st_ino};
    const uint64_t what[] = {PROBE,
                             (uint64_t)s->st_size,
                             (uint64_t)s->st_mtim.tv_sec,
                             (uint64_t)s->st_mtim.tv_nsec,
                             (uint64_t)s->st_ctim.tv_sec,
                             (uint64_t)s->st_ctim.tv_nsec};
    uint64_t hash = lmb_h5_hash(0, where, sizeof where);
    *place = (off_t)(hash % STAMPS * sizeof hash);
    return lmb_h5_hash(hash, what, sizeof what);
}

static bool has_stamp(const struct stat *about)
{
    off_t place;
    uint64_t stamp = stamp_of(about, &place), found = 0;
    int fd = open_stamps(false);
    bool same = fd >= 0 && pread(fd, &found, sizeof found, place) == sizeof found && found == stamp;
    if (fd >= 0)
        close(fd);
    return same;
}

/* A stamp that cannot be kept is none. */
static void put_stamp(const struct stat *about)
{
    off_t place;
    uint64_t stamp = stamp_of(about, &place);
    int fd = open_stamps(true);
    if (fd < 0)
        return;
    ssize_t written = pwrite(fd, &stamp, sizeof stamp, place);
    (void)written;
    close(fd);
}

void lmb_h5_stamp(const lmb_context *context, const char *path)
{
    struct stat about;
    if (lmb_context_prober(context) && stat(path, &about) == 0 && S_ISREG(about.st_mode))
        put_stamp(&about);
}

/* --- probing ---------------------------------------------------------------------------------- */

/* Starts `PROGRAM --probe PATH` with a pipe for its standard output; 0 or an errno. */
static int start(const char *program, const char *path, const int ends[2], pid_t *child)
{
    char *const words[] = {(char *)"limber", (char *)"--probe", (char *)path, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t usual, none;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXCPU);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    if (!error)
        error = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    if (!error)
        error = posix_spawn(child, program, &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Reads the line that it says, if it says one, for so many milliseconds at most; false: it took
 * longer. */
static bool listen_to(int fd, int limit, char *words, size_t room)
{
    size_t length = 0;
    struct pollfd input = {fd, POLLIN, 0};
    words[0] = 0;
    for (;;) {
        int ready = poll(&input, 1, limit);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready == 0)
            return false;
        ssize_t n = ready < 0 ? -1 : read(fd, words + length, room - 1 - length);
        if (n <= 0)
            return true;
        length += (size_t)n;
        words[length] = 0;
        if (length == room - 1 || words[length - 1] == '\n')
            return true;
    }
}

/* Waits for the end of the process; a host that ignores SIGCHLD has lost how it ended. */
static void reap(pid_t child)
{
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Has the program read the file: LMB_OK if it says that it is good. */
static lmb_status run_probe(lmb_context *context, const char *path, off_t size)
{
    const char *program = lmb_context_prober(context);
    char words[256];
    int ends[2], limit = 15000 + (int)(size >> 20 < 1 << 20 ? size >> 20 : 1 << 20) * 200;
    pid_t child;
    if (pipe(ends) != 0)
        return lmb_fail(context, LMB_IO, "cannot probe '%s': %s", path, strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    int error = start(program, path, ends, &child);
    close(ends[1]);
    bool ended = !error && listen_to(ends[0], limit, words, sizeof words);
    close(ends[0]);
    if (error)
        return lmb_fail(context, LMB_IO, "cannot probe '%s' with '%s': %s", path, program,
                        strerror(error));
    if (!ended)
        kill(child, SIGKILL);
    reap(child);
    if (ended && strcmp(words, "good\n") == 0)
        return LMB_OK;
    words[strcspn(words, "\n")] = 0;
    lmb_fail(context, LMB_BAD_INPUT, "'%s' is damaged and cannot be read: %s", path,
             !ended     ? "reading it takes too long"
             : words[0] ? words
                        : "reading it crashes, or takes too much memory or time");
    return lmb_hint(context, "take it from where it comes from again, or compute it again");
}

/* Whether nothing happened to a file in between. */
static bool unchanged(const struct stat *a, const struct stat *b)
{
    off_t places[2];
    return stamp_of(a, &places[0]) == stamp_of(b, &places[1]);
}

lmb_status lmb_h5_probe(lmb_context *context, const char *path)
{
    struct stat before, after;
    if (!lmb_context_prober(context) || stat(path, &before) != 0 || has_stamp(&before))
        return LMB_OK;
    lmb_status status = run_probe(context, path, before.st_size);
    if (!status && stat(path, &after) == 0 && unchanged(&before, &after))
        put_stamp(&after);
    return status;
}
