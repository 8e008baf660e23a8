/* Chromium as a program; see chromium.h. */
#include "report/chromium.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"

extern char **environ;

enum { LONGEST = 120, TICK = 100 }; /* s that an answer may take, and ms of one look for it */

struct lmb_chromium {
    const char *program;
    char log[2048]; /* the file with what it complains about */
    pid_t child;
    int socket;               /* -1: none */
    int asked;                /* number of the last question */
    char session[128];        /* of the page; "": none yet */
    char *text;               /* what has come, `used` bytes, with a zero behind them */
    size_t used, room, taken; /* the first `taken` bytes are an answer that was read */
};

/* --- the program ------------------------------------------------------------------------------ */

/* Starts a program that reads from 3 and writes to 4, both of which are one end of a socket. */
static int spawn(lmb_chromium *c, const char *program, char *const *arguments, int end)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    int error, flags = O_WRONLY | O_CREAT | O_TRUNC;
    /* a group of its own: Ctrl-C is for us, and all of its processes can be ended */
    if (!(error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP)) &&
        !(error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)) &&
        !(error = posix_spawn_file_actions_addopen(&actions, 1, c->log, flags, 0600)) &&
        !(error = posix_spawn_file_actions_adddup2(&actions, 1, 2)) &&
        !(error = posix_spawn_file_actions_adddup2(&actions, end, 3)) &&
        !(error = posix_spawn_file_actions_adddup2(&actions, end, 4)))
        error = posix_spawnp(&c->child, program, &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

/* Tries the names that it may have; errno of the last one. */
static int spawn_any(lmb_chromium *c, const char *folder, int end)
{
    const char *set = getenv("LIMBER_CHROMIUM");
    const char *const names[] = {set && *set ? set : "chromium", "chromium-browser",
                                 "google-chrome", "google-chrome-stable"};
    char profile[2304];
    snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", folder);
    char *arguments[] = {NULL,
                         "--headless",
                         "--remote-debugging-pipe",
                         profile,
                         "--disable-gpu",
                         "--use-angle=swiftshader",
                         "--enable-unsafe-swiftshader",
                         "--disable-extensions",
                         "--disable-background-networking",
                         "--disable-component-update",
                         "--disable-sync",
                         "--disable-breakpad",
                         "--disable-dev-shm-usage",
                         "--force-device-scale-factor=1",
                         "--force-color-profile=srgb",
                         "--no-first-run",
                         "--no-default-browser-check",
                         "--hide-scrollbars",
                         "about:blank",
                         geteuid() == 0 ? "--no-sandbox" : NULL, /* which root cannot have */
                         NULL};
    int error = ENOENT;
    for (size_t i = 0; i < (set && *set ? 1 : sizeof names / sizeof *names) && error; i++) {
        char name[2048];
        snprintf(name, sizeof name, "%s", names[i]);
        arguments[0] = name;
        c->program = names[i];
        error = spawn(c, names[i], arguments, end);
        if (error && error != ENOENT)
            break;
    }
    return error;
}

static lmb_status start(lmb_chromium *c, lmb_context *context, const char *folder)
{
    int ends[2], error = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) ? errno : 0;
    if (!error) {
        c->socket = ends[0];
        error = spawn_any(c, folder, ends[1]);
        close(ends[1]);
    }
    if (error == ENOENT) {
        lmb_fail(context, LMB_IO, "frames are drawn by Chromium, and there is no program '%s'",
                 c->program);
        return lmb_hint(context, "install Chromium (Debian: apt install chromium), or set "
                                 "LIMBER_CHROMIUM to the program, which may also be Chrome");
    }
    return error ? lmb_fail(context, LMB_IO, "cannot run %s: %s", c->program, strerror(error))
                 : LMB_OK;
}

/* What it said last, for the message. */
static lmb_status fail_ended(const lmb_chromium *c, lmb_context *context)
{
    char line[512], last[512] = "";
    FILE *log = fopen(c->log, "r");
    while (log && fgets(line, sizeof line, log)) {
        line[strcspn(line, "\n")] = 0;
        if (line[0])
            memcpy(last, line, sizeof last);
    }
    if (log)
        fclose(log);
    lmb_fail(context, LMB_IO, "%s ended before all frames were drawn%s%s", c->program,
             last[0] ? ": " : "", last);
    return lmb_hint(context,
                    "LIMBER_CHROMIUM takes another program, or a script that adds options to it");
}

/* --- questions and answers -------------------------------------------------------------------- */

static lmb_status send_text(lmb_chromium *c, lmb_context *context, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t n = write(c->socket, text, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_ended(c, context);
        text += n;
        size -= (size_t)n;
    }
    return LMB_OK;
}

/* Waits for more bytes and takes them. */
static lmb_status take_bytes(lmb_chromium *c, lmb_context *context, double fraction)
{
    if (c->room - c->used < 65536) {
        char *grown = realloc(c->text, 2 * c->room + 65537);
        if (!grown)
            return lmb_fail_memory(context);
        c->text = grown;
        c->room = 2 * c->room + 65536;
    }
    struct pollfd look = {.fd = c->socket, .events = POLLIN};
    for (int waited = 0; waited < 1000 * LONGEST / TICK; waited++) {
        int ready = poll(&look, 1, TICK);
        ssize_t n = ready > 0 ? read(c->socket, c->text + c->used, c->room - c->used) : -1;
        if (n == 0)
            return fail_ended(c, context);
        if (n > 0) {
            c->used += (size_t)n;
            return LMB_OK;
        }
        lmb_status status = lmb_go_on(context, "export", fraction);
        if (status)
            return status;
    }
    return lmb_fail(context, LMB_IO, "%s has not answered for %d s", c->program, LONGEST);
}

/* Waits for the answer to the last question; other messages are dropped. */
static lmb_status answer(lmb_chromium *c, lmb_context *context, double fraction, char **text)
{
    char head[32];
    snprintf(head, sizeof head, "{\"id\":%d,", c->asked);
    for (;;) {
        c->used -= c->taken;
        memmove(c->text, c->text + c->taken, c->used);
        c->taken = 0;
        size_t searched = 0;
        char *end = NULL;
        while (!end) {
            end = c->used > searched ? memchr(c->text + searched, 0, c->used - searched) : NULL;
            searched = c->used;
            lmb_status status = end ? LMB_OK : take_bytes(c, context, fraction);
            if (status)
                return status;
        }
        c->taken = (size_t)(end - c->text) + 1;
        *text = c->text;
        if (strncmp(c->text, head, strlen(head)) == 0)
            return LMB_OK;
    }
}

/* The text behind a key of an answer, up to an escape, ended by a zero; NULL if there is none. */
static char *text_of(char *answer, const char *key, size_t *size)
{
    char *at = strstr(answer, key);
    if (!at)
        return NULL;
    at += strlen(key);
    *size = strcspn(at, "\"\\");
    at[*size] = 0;
    return at;
}

/* Sends a question, a method and its parameters, JSON without quotes in texts, and waits for the
 * answer, of which it has the text behind a key. */
static lmb_status ask(lmb_chromium *c, lmb_context *context, double fraction, const char *key,
                      char **text, size_t *size, const char *method, const char *format, ...)
    LMB_PRINTF(8, 9);

static lmb_status ask(lmb_chromium *c, lmb_context *context, double fraction, const char *key,
                      char **text, size_t *size, const char *method, const char *format, ...)
{
    char question[8192], *whole = NULL;
    va_list args;
    size_t used = (size_t)snprintf(
        question, sizeof question, "{\"id\":%d,\"method\":\"%s\",%s%s%s\"params\":{", ++c->asked,
        method, c->session[0] ? "\"sessionId\":\"" : "", c->session, c->session[0] ? "\"," : "");
    va_start(args, format);
    used += (size_t)vsnprintf(question + used, sizeof question - used, format, args);
    va_end(args);
    if (used + 3 > sizeof question)
        return lmb_fail(context, LMB_IO, "the path of temporary files is too long");
    memcpy(question + used, "}}", 3);
    lmb_status status = send_text(c, context, question, used + 3);
    if (!status)
        status = answer(c, context, fraction, &whole);
    if (status)
        return status;
    *text = strstr(whole, "\"exceptionDetails\":") ? NULL : text_of(whole, key, size);
    if (*text)
        return LMB_OK;
    char *why = text_of(whole, "\"description\":\"", size);
    why = why ? why : text_of(whole, "\"message\":\"", size);
    return lmb_fail(context, LMB_IO, "%s cannot draw the frames%s%s", c->program, why ? ": " : "",
                    why ? why : "");
}

lmb_status lmb_chromium_ask(lmb_chromium *c, lmb_context *context, double fraction,
                            const char *expression, char **text, size_t *size)
{
    return ask(c, context, fraction, "\"value\":\"", text, size, "Runtime.evaluate",
               "\"expression\":\"%s\",\"awaitPromise\":true,\"returnByValue\":true", expression);
}

/* --- the page --------------------------------------------------------------------------------- */

static lmb_status show_page(lmb_chromium *c, lmb_context *context, const char *page)
{
    static const char ready[] = "new Promise((done, fail) => { const look = () => {"
                                " const failed = document.querySelector('.failed');"
                                " if (failed) fail(new Error(failed.textContent));"
                                " else if (document.documentElement?.dataset.ready) done('yes');"
                                " else setTimeout(look, 20); }; look(); })";
    char *text;
    size_t size;
    lmb_status status = ask(c, context, 0, "\"targetId\":\"", &text, &size, "Target.createTarget",
                            "\"url\":\"about:blank\"");
    if (!status)
        status = ask(c, context, 0, "\"sessionId\":\"", &text, &size, "Target.attachToTarget",
                     "\"targetId\":\"%s\",\"flatten\":true", text);
    if (status)
        return status;
    snprintf(c->session, sizeof c->session, "%s", text);
    status = ask(c, context, 0, "\"loaderId\":\"", &text, &size, "Page.navigate",
                 "\"url\":\"file://%s\"", page);
    return status ? status : lmb_chromium_ask(c, context, 0, ready, &text, &size);
}

lmb_status lmb_chromium_open(lmb_chromium **out, lmb_context *context, const char *folder,
                             const char *page)
{
    lmb_chromium *c = calloc(1, sizeof *c);
    *out = NULL;
    if (!c)
        return lmb_fail_memory(context);
    c->socket = -1;
    snprintf(c->log, sizeof c->log, "%s/log.txt", folder);
    lmb_status status = start(c, context, folder);
    if (!status)
        status = show_page(c, context, page);
    if (status)
        lmb_chromium_close(c);
    else
        *out = c;
    return status;
}

void lmb_chromium_close(lmb_chromium *c)
{
    if (!c)
        return;
    if (c->socket >= 0)
        close(c->socket);
    if (c->child > 0) {
        kill(-c->child, SIGKILL);
        while (waitpid(c->child, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    free(c->text);
    free(c);
}
