/* Messages, log and progress of a context.
 *
 * That memory ran out is a mark of the context, not a message of its list: it takes no memory,
 * stays when newer messages are forgotten, and is more than any other failure, since those that
 * follow are mostly its consequences. */
#include "base/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/text.h"

enum { MOST_READ = 256 };

struct lmb_context {
    lmb_arena *arena;      /* owns the texts of the messages */
    lmb_message *messages; /* likewise of the arena */
    size_t count;
    lmb_status status;     /* of the newest failure */
    lmb_message exhausted; /* memory has run out: one message more, behind the others, if it has a
                              text */
    lmb_log_function *log;
    void *log_user;
    lmb_progress_function *progress;
    void *progress_user;
    /* the file that is being written, or NULL */
    const char *volatile unfinished;
    bool waits;   /* for other writers of a file */
    bool guards;  /* files that were read are not replaced */
    bool watches; /* warn of numbers of results that are not finite */
    struct {
        unsigned long long device, number;
    } read[MOST_READ]; /* files, the newest ones */
    size_t read_count; /* of all */
    char *probe;       /* the program that probes files, or NULL */
};

lmb_context *lmb_context_new(void)
{
    lmb_context *c = lmb_calloc(1, sizeof *c);
    if (c && (c->arena = lmb_arena_new()))
        return c;
    free(c);
    lmb_memory_failed(); /* the caller knows */
    return NULL;
}

void lmb_context_free(lmb_context *c)
{
    if (!c)
        return;
    lmb_arena_free(c->arena);
    free(c->probe);
    free(c);
}

static bool is_exhausted(const lmb_context *c)
{
    return c->exhausted.text;
}

size_t lmb_message_count(const lmb_context *c)
{
    return c ? c->count + is_exhausted(c) : 0;
}

const lmb_message *lmb_message_at(const lmb_context *c, size_t index)
{
    if (index >= lmb_message_count(c))
        return NULL;
    return index < c->count ? &c->messages[index] : &c->exhausted;
}

void lmb_messages_clear(lmb_context *c)
{
    if (!c)
        return;
    c->count = 0;
    c->exhausted.text = NULL;
    lmb_arena_clear(c->arena);
}

lmb_status lmb_context_probe(lmb_context *c, const char *program)
{
    if (!c)
        return LMB_USAGE;
    char *copy = program ? lmb_strdup(program) : NULL;
    if (program && !copy)
        return lmb_fail_memory(c);
    free(c->probe);
    c->probe = copy;
    return LMB_OK;
}

const char *lmb_context_prober(const lmb_context *c)
{
    return c->probe;
}

void lmb_context_on_log(lmb_context *c, lmb_log_function *log, void *user)
{
    if (!c)
        return;
    c->log = log;
    c->log_user = user;
}

void lmb_context_on_progress(lmb_context *c, lmb_progress_function *progress, void *user)
{
    if (!c)
        return;
    c->progress = progress;
    c->progress_user = user;
}

void lmb_context_wait(lmb_context *c, bool wait)
{
    if (c)
        c->waits = wait;
}

bool lmb_context_waits(const lmb_context *c)
{
    return c->waits;
}

bool lmb_context_has_read(const lmb_context *c, unsigned long long device,
                          unsigned long long number)
{
    for (size_t i = 0; i < c->read_count && i < MOST_READ; i++)
        if (c->read[i].device == device && c->read[i].number == number)
            return true;
    return false;
}

void lmb_context_guard(lmb_context *c)
{
    c->guards = true;
}

void lmb_context_watch(lmb_context *c, bool watch)
{
    c->watches = watch;
}

bool lmb_context_watches(const lmb_context *c)
{
    return c->watches;
}

void lmb_context_reads(lmb_context *c, unsigned long long device, unsigned long long number)
{
    if (!c->guards || lmb_context_has_read(c, device, number))
        return;
    c->read[c->read_count % MOST_READ].device = device;
    c->read[c->read_count++ % MOST_READ].number = number;
}

void lmb_context_writes(lmb_context *c, const char *part)
{
    c->unfinished = part;
}

const char *lmb_context_unfinished(const lmb_context *c)
{
    return c->unfinished;
}

/* The line of a text that a place is in, as a string of its own. */
static const char *line_of(lmb_arena *arena, const lmb_place *place)
{
    if (!place->text || place->line < 1)
        return "";
    const char *start = place->text;
    for (int line = 1; line < place->line; line++) {
        start = strchr(start, '\n');
        if (!start)
            return "";
        start++;
    }
    const char *copy = lmb_text_copy(arena, start, strcspn(start, "\r\n"));
    return copy ? copy : "";
}

/* Room for one more message; NULL when memory has run out. */
static lmb_message *make_room(lmb_context *c)
{
    lmb_message *grown = lmb_arena_append(c->arena, c->messages, (int)c->count, sizeof *grown);
    if (!grown)
        return NULL;
    c->messages = grown;
    return &grown[c->count];
}

/* Appends a message with the text of a format, all of it or, without memory, nothing. */
static void add(lmb_context *c, lmb_severity severity, const lmb_place *place, const char *format,
                va_list args)
{
    lmb_message *m = lmb_out_of_memory(c) ? NULL : make_room(c);
    const char *text = m ? lmb_text_vformat(c->arena, format, args) : NULL;
    if (!text) {
        lmb_fail_memory(c);
        return;
    }
    *m = (lmb_message){severity, text, "", "", 0, 0, 0, ""};
    if (place && place->file) {
        const char *file = lmb_text_copy(c->arena, place->file, strlen(place->file));
        m->file = file ? file : "";
        m->line = place->line;
        m->column = place->column;
        m->length = place->length > 0 ? place->length : 1;
        m->source_line = line_of(c->arena, place);
    }
    c->count++;
}

/* Takes down the status of a failure and returns it. */
static lmb_status fail(lmb_context *c, lmb_status status)
{
    return c->status = lmb_final_status(c, status);
}

lmb_status lmb_fail(lmb_context *c, lmb_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(c, LMB_ERROR, NULL, format, args);
    va_end(args);
    return fail(c, status);
}

bool lmb_is_null(lmb_context *c, const char *names, const void *const *arguments, size_t count)
{
    for (size_t i = 0; c && i < count; i++) {
        size_t length = strcspn(names, ",");
        if (!arguments[i]) {
            lmb_fail(c, LMB_USAGE, "the argument `%.*s` is NULL", (int)length, names);
            return true;
        }
        names += length + strspn(names + length, ", ");
    }
    return !c;
}

lmb_status lmb_fail_hint(lmb_context *c, const char *hint, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(c, LMB_ERROR, NULL, format, args);
    va_end(args);
    fail(c, LMB_BAD_INPUT);
    return lmb_hint(c, "%s", hint);
}

lmb_status lmb_fail_at(lmb_context *c, lmb_place place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(c, LMB_ERROR, &place, format, args);
    va_end(args);
    return fail(c, LMB_BAD_INPUT);
}

lmb_status lmb_fail_memory(lmb_context *c)
{
    const char *reason = lmb_memory_failed(); /* reported now */
    if (!is_exhausted(c))
        c->exhausted =
            (lmb_message){LMB_ERROR, reason ? reason : "out of memory", "", "", 0, 0, 0, ""};
    return c->status = LMB_SOLVER;
}

bool lmb_out_of_memory(lmb_context *c)
{
    const char *reason = lmb_memory_failed();
    lmb_memory_fail_for(reason);
    if (reason)
        lmb_fail_memory(c);
    return is_exhausted(c);
}

lmb_status lmb_final_status(lmb_context *c, lmb_status status)
{
    return lmb_out_of_memory(c) ? LMB_SOLVER : status;
}

lmb_status lmb_check_memory(lmb_context *c, const lmb_arena *arena)
{
    return lmb_arena_fine(arena) ? LMB_OK : lmb_fail_memory(c);
}

void lmb_warn(lmb_context *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(c, LMB_WARNING, NULL, format, args);
    va_end(args);
}

void lmb_warn_at(lmb_context *c, lmb_place place, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(c, LMB_WARNING, &place, format, args);
    va_end(args);
}

lmb_status lmb_hint(lmb_context *c, const char *format, ...)
{
    if (c->count == 0 || is_exhausted(c))
        return c->status;
    va_list args;
    va_start(args, format);
    const char *hint = lmb_text_vformat(c->arena, format, args);
    va_end(args);
    if (hint)
        c->messages[c->count - 1].hint = hint;
    return fail(c, c->status);
}

lmb_status lmb_last_status(const lmb_context *c)
{
    return c->status;
}

void lmb_messages_forget(lmb_context *c, size_t count)
{
    if (count < c->count)
        c->count = count;
}

void lmb_messages_drop(lmb_context *c, size_t from, size_t count)
{
    if (!count || from > c->count || count > c->count - from)
        return;
    memmove(c->messages + from, c->messages + from + count,
            (c->count - from - count) * sizeof *c->messages);
    c->count -= count;
}

static const char *copied(lmb_context *c, const char *text)
{
    const char *copy = text[0] ? lmb_text_copy(c->arena, text, strlen(text)) : "";
    return copy ? copy : "";
}

void lmb_messages_pass(lmb_context *to, const lmb_context *from, bool errors)
{
    for (size_t i = 0; i < from->count; i++) {
        const lmb_message *m = &from->messages[i];
        if (m->severity == LMB_ERROR && !errors)
            continue;
        lmb_message *copy = make_room(to);
        if (!copy)
            break;
        *copy = *m;
        copy->text = copied(to, m->text);
        copy->hint = copied(to, m->hint);
        copy->file = copied(to, m->file);
        copy->source_line = copied(to, m->source_line);
        to->count++;
    }
    if (errors && from->status)
        fail(to, from->status);
    lmb_memory_fail_for(from->exhausted.text);
    if (is_exhausted(from))
        lmb_fail_memory(to);
}

bool lmb_logging(const lmb_context *c)
{
    return c->log != NULL;
}

void lmb_log(lmb_context *c, const char *format, ...)
{
    if (!c->log)
        return;
    char line[512];
    va_list args;
    va_start(args, format);
    lmb_vsnprintf(line, sizeof line, format, args);
    va_end(args);
    c->log(c->log_user, line);
}

bool lmb_progress(lmb_context *c, const char *what, double fraction)
{
    return lmb_out_of_memory(c) || (c->progress && c->progress(c->progress_user, what, fraction));
}

lmb_status lmb_continue(lmb_context *c, const char *what, double fraction)
{
    return lmb_progress(c, what, fraction) ? lmb_fail(c, LMB_SOLVER, "interrupted") : LMB_OK;
}

const char *lmb_version(void)
{
    return LMB_VERSION;
}

int lmb_abi_version(void)
{
    return LMB_ABI_VERSION;
}
