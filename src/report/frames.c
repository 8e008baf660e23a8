/* Frames of a video; see report.h. A headless Chromium shows the page and is asked to evaluate
 * expressions in it.
 *
 * It is run as a program and spoken to over a socket with the DevTools protocol, JSON texts that
 * end in a zero byte. It has a folder of its own for its profile, fetches nothing and listens on no
 * port. LIMBER_CHROMIUM names the program, else it is what is found in the path. */
#include "report/report.h"

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
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "result/read.h"
#include "result/series.h"

extern char **environ;

enum { LONGEST = 120, TICK = 100 }; /* s that an answer may take, and ms of one look for it */

typedef struct chromium {
    lmb_context *context;
    double fraction; /* of the work, shown while it waits */
    const char *program;
    char log[LMB_FOLDER_ROOM + 16]; /* the file with what it complains about */
    pid_t child;
    int socket;               /* -1: none */
    int asked;                /* number of the last question */
    char session[128];        /* of the page; "": none yet */
    char *text;               /* what has come, `used` bytes, with a zero behind them */
    size_t used, room, taken; /* the first `taken` bytes are an answer that was read */
} chromium;

/* --- the program ------------------------------------------------------------------------------ */

/* Starts a program that reads from 3 and writes to 4, both of which are one end of a socket. */
static int spawn(chromium *c, const char *program, char *const *arguments, int end)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawnattr_init(&attributes), flags = O_WRONLY | O_CREAT | O_TRUNC;
    if (error || (error = posix_spawn_file_actions_init(&actions)))
        return error;
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
static int spawn_any(chromium *c, const char *folder, int end)
{
    const char *set = getenv("LIMBER_CHROMIUM");
    const char *const names[] = {set && *set ? set : "chromium", "chromium-browser",
                                 "google-chrome", "google-chrome-stable"};
    char profile[2304];
    lmb_snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", folder);
    char *sandbox = geteuid() == 0 ? "--no-sandbox" : NULL; /* which root cannot have */
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
                         sandbox,
                         NULL};
    int error = ENOENT;
    for (size_t i = 0; i < (set && *set ? 1 : sizeof names / sizeof *names) && error; i++) {
        char name[2048];
        lmb_snprintf(name, sizeof name, "%s", names[i]);
        arguments[0] = name;
        c->program = names[i];
        error = spawn(c, names[i], arguments, end);
        if (error && error != ENOENT)
            break;
    }
    return error;
}

/* Starts it; the folder is for its own files. */
static lmb_status start(chromium *c, const char *folder)
{
    lmb_snprintf(c->log, sizeof c->log, "%s/log.txt", folder);
    int ends[2], error = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) ? errno : 0;
    if (!error) {
        c->socket = ends[0];
        error = spawn_any(c, folder, ends[1]);
        close(ends[1]);
    }
    if (error == ENOENT) {
        lmb_fail(c->context, LMB_IO, "frames are drawn by Chromium, and there is no program '%s'",
                 c->program);
        return lmb_hint(c->context, "install Chromium (Debian: apt install chromium), or set "
                                    "LIMBER_CHROMIUM to the program, which may also be Chrome");
    }
    return error ? lmb_fail(c->context, LMB_IO, "cannot run %s: %s", c->program, strerror(error))
                 : LMB_OK;
}

/* What it said last, for the message. */
static lmb_status fail_ended(const chromium *c)
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
    lmb_fail(c->context, LMB_IO, "%s ended before all frames were drawn%s%s", c->program,
             last[0] ? ": " : "", last);
    return lmb_hint(c->context,
                    "LIMBER_CHROMIUM takes another program, or a script that adds options to it");
}

/* --- questions and answers -------------------------------------------------------------------- */

static lmb_status send_text(chromium *c, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t n = write(c->socket, text, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_ended(c);
        text += n;
        size -= (size_t)n;
    }
    return LMB_OK;
}

/* Waits for more bytes and takes them. */
static lmb_status take_bytes(chromium *c)
{
    if (c->room - c->used < 65536) {
        char *grown = lmb_realloc(c->text, 2 * c->room + 65537);
        if (!grown)
            return lmb_fail_memory(c->context);
        c->text = grown;
        c->room = 2 * c->room + 65536;
    }
    struct pollfd look = {.fd = c->socket, .events = POLLIN};
    for (int waited = 0; waited < 1000 * LONGEST / TICK; waited++) {
        int ready = poll(&look, 1, TICK);
        ssize_t n = ready > 0 ? read(c->socket, c->text + c->used, c->room - c->used) : -1;
        if (n == 0)
            return fail_ended(c);
        if (n > 0) {
            c->used += (size_t)n;
            return LMB_OK;
        }
        lmb_status status = lmb_continue(c->context, "export", c->fraction);
        if (status)
            return status;
    }
    return lmb_fail(c->context, LMB_IO, "%s has not answered for %d s", c->program, LONGEST);
}

/* Waits for the answer to the last question; other messages are dropped. */
static lmb_status answer(chromium *c, char **text)
{
    char head[32];
    lmb_snprintf(head, sizeof head, "{\"id\":%d,", c->asked);
    for (;;) {
        c->used -= c->taken;
        if (c->taken > 0) /* else there may be no text yet */
            memmove(c->text, c->text + c->taken, c->used);
        c->taken = 0;
        size_t searched = 0;
        char *end = NULL;
        while (!end) {
            end = c->used > searched ? memchr(c->text + searched, 0, c->used - searched) : NULL;
            searched = c->used;
            lmb_status status = end ? LMB_OK : take_bytes(c);
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
static lmb_status ask(chromium *c, const char *key, char **text, size_t *size, const char *method,
                      const char *format, ...) LMB_PRINTF(6, 7);

static lmb_status ask(chromium *c, const char *key, char **text, size_t *size, const char *method,
                      const char *format, ...)
{
    char question[8192], *whole = NULL;
    va_list args;
    size_t used = (size_t)lmb_snprintf(
        question, sizeof question, "{\"id\":%d,\"method\":\"%s\",%s%s%s\"params\":{", ++c->asked,
        method, c->session[0] ? "\"sessionId\":\"" : "", c->session, c->session[0] ? "\"," : "");
    va_start(args, format);
    used += (size_t)lmb_vsnprintf(question + used, sizeof question - used, format, args);
    va_end(args);
    if (used + 3 > sizeof question)
        return lmb_fail(c->context, LMB_IO, "the path of temporary files is too long");
    memcpy(question + used, "}}", 3);
    lmb_status status = send_text(c, question, used + 3);
    if (!status)
        status = answer(c, &whole);
    if (status)
        return status;
    *text = strstr(whole, "\"exceptionDetails\":") ? NULL : text_of(whole, key, size);
    if (*text)
        return LMB_OK;
    char *why = text_of(whole, "\"description\":\"", size);
    why = why ? why : text_of(whole, "\"message\":\"", size);
    return lmb_fail(c->context, LMB_IO, "%s cannot draw the frames%s%s", c->program,
                    why ? ": " : "", why ? why : "");
}

/* The text that an expression of JavaScript has as its value, without escapes; it stays until the
 * next question. */
static lmb_status evaluate(chromium *c, const char *expression, char **text, size_t *size)
{
    return ask(c, "\"value\":\"", text, size, "Runtime.evaluate",
               "\"expression\":\"%s\",\"awaitPromise\":true,\"returnByValue\":true", expression);
}

/* --- the page --------------------------------------------------------------------------------- */

/* Shows a page and waits until it is ready. */
static lmb_status show_page(chromium *c, const char *page)
{
    static const char ready[] = "new Promise((done, fail) => { const look = () => {"
                                " const failed = document.querySelector('.failed');"
                                " if (failed) fail(new Error(failed.textContent));"
                                " else if (document.documentElement?.dataset.ready) done('yes');"
                                " else setTimeout(look, 20); }; look(); })";
    char *text;
    size_t size;
    lmb_status status =
        ask(c, "\"targetId\":\"", &text, &size, "Target.createTarget", "\"url\":\"about:blank\"");
    if (!status)
        status = ask(c, "\"sessionId\":\"", &text, &size, "Target.attachToTarget",
                     "\"targetId\":\"%s\",\"flatten\":true", text);
    if (status)
        return status;
    lmb_snprintf(c->session, sizeof c->session, "%s", text);
    status =
        ask(c, "\"loaderId\":\"", &text, &size, "Page.navigate", "\"url\":\"file://%s\"", page);
    return status ? status : evaluate(c, ready, &text, &size);
}

static void end(chromium *c)
{
    if (c->socket >= 0)
        close(c->socket);
    if (c->child > 0) {
        kill(-c->child, SIGKILL);
        while (waitpid(c->child, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    free(c->text);
}

/* --- the result ------------------------------------------------------------------------------- */

typedef struct work {
    lmb_context *context;
    lmb_result *result;
    lmb_arena *arena;
    lmb_frame_style style;
    const char *folder;
} work;

/* What is asked for must be in the result. */
static lmb_status check_result(const work *w)
{
    lmb_skin *skins = NULL;
    int count = 0;
    if (!lmb_result_text(w->result, "geometry"))
        return lmb_fail(w->context, LMB_BAD_INPUT, "'%s' has no shapes of bodies in it",
                        lmb_result_path(w->result));
    lmb_status status = lmb_skins_read(&skins, &count, w->arena, w->context,
                                       lmb_result_file(w->result), lmb_result_path(w->result));
    bool stresses = false;
    for (int i = 0; i < count && !status; i++)
        stresses = stresses || skins[i].stresses;
    if (!status && w->style.stress && !stresses)
        status = lmb_fail(w->context, LMB_BAD_INPUT,
                          "--stress: no body of the result has stresses to be drawn");
    if (!status && w->style.exaggerate != 1 && count == 0)
        status =
            lmb_fail(w->context, LMB_BAD_INPUT, "--exaggerate: no body of the result is flexible");
    return status;
}

/* --- files ------------------------------------------------------------------------------------ */

static void frame_path(char path[4096], const char *folder, int number)
{
    lmb_snprintf(path, 4096, "%s/frame-%04d.png", folder, number);
}

static lmb_status write_all(const work *w, chromium *c)
{
    lmb_status status = LMB_OK;
    for (int i = 0; i < w->style.count && !status; i++) {
        char expression[64], path[4096], *text;
        size_t size;
        lmb_snprintf(expression, sizeof expression, "limber.frame(%d)", i);
        c->fraction = (double)i / w->style.count;
        if ((status = evaluate(c, expression, &text, &size)))
            break;
        unsigned char *bytes = lmb_malloc(size + 1);
        frame_path(path, w->folder, i + 1);
        status = bytes ? lmb_file_write(w->context, path, bytes, lmb_base64_read(bytes, text, size))
                       : lmb_fail_memory(w->context);
        free(bytes);
        if (!status)
            status = lmb_continue(w->context, "export", (double)(i + 1) / w->style.count);
    }
    return status;
}

/* Frames of a longer export before this one would be taken into the same video. */
static void warn_of_older(const work *w)
{
    char path[4096];
    frame_path(path, w->folder, w->style.count + 1);
    if (access(path, F_OK) != 0)
        return;
    lmb_warn(w->context, "'%s' and what follows it are older frames, which stay", path);
    lmb_hint(w->context, "remove them, or write into a new folder");
}

/* --- all -------------------------------------------------------------------------------------- */

/* Makes the page and has its frames drawn. */
static lmb_status draw(const work *w, const char *temporary)
{
    chromium c = {.context = w->context, .socket = -1};
    char *page = lmb_text_format(w->arena, "%s/page.html", temporary);
    lmb_report_request report = {.path = page, .frames = &w->style};
    lmb_status status =
        page ? lmb_report_result(w->context, w->result, &report) : lmb_fail_memory(w->context);
    if (!status && !(status = start(&c, temporary)) && !(status = show_page(&c, page)))
        status = write_all(w, &c);
    end(&c);
    return status;
}

lmb_status lmb_frames_write(lmb_context *context, lmb_result *result, const lmb_frame_style *style,
                            double step, const char *folder)
{
    char temporary[LMB_FOLDER_ROOM];
    work w = {.context = context, .result = result, .style = *style, .folder = folder};
    w.arena = lmb_arena_new();
    lmb_status status = lmb_result_instants(result, context, w.arena, style->analysis, step,
                                            &w.style.time, &w.style.count);
    if (!status)
        status = check_result(&w);
    if (!status && mkdir(folder, 0777) != 0 && errno != EEXIST)
        status =
            lmb_fail(context, LMB_IO, "cannot make the folder '%s': %s", folder, strerror(errno));
    if (!status)
        status = lmb_temporary_folder(context, "frames", temporary);
    if (!status) {
        status = draw(&w, temporary);
        lmb_folder_remove(temporary);
    }
    if (!status)
        warn_of_older(&w);
    lmb_arena_free(w.arena);
    return status;
}
