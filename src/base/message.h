/* Saying what is wrong: the inner side of limber/context.h. */
#ifndef LMB_BASE_MESSAGE_H
#define LMB_BASE_MESSAGE_H

#include "base/arena.h"
#include "limber/context.h"

/* A piece of an input text: where a message points to. */
typedef struct lmb_place {
    const char *file; /* name of the input, or NULL for none */
    const char *text; /* its whole text, or NULL */
    int line, column; /* from 1; 0 for none */
    int length;       /* characters meant, at least 1 */
} lmb_place;

/* Adds an error message and returns status, so that one can write
 * `return lmb_fail(context, LMB_SOLVER, "...")`. */
lmb_status lmb_fail(lmb_context *context, lmb_status status, const char *format, ...)
    LMB_PRINTF(3, 4);

/* The same with a place in an input; the status is LMB_BAD_INPUT. */
lmb_status lmb_fail_at(lmb_context *context, lmb_place place, const char *format, ...)
    LMB_PRINTF(3, 4);

/* LMB_BAD_INPUT with a hint of what to do about it. */
lmb_status lmb_fail_hint(lmb_context *context, const char *hint, const char *format, ...)
    LMB_PRINTF(3, 4);

/* Returns LMB_USAGE from a public function if the context or another pointer is NULL; a message in
 * the context names the pointer. LMB_REQUIRE_OUT also requires `out` and sets *out to NULL. */
#define LMB_REQUIRE(context, ...)                                                                  \
    do {                                                                                           \
        const void *const required[] = {__VA_ARGS__};                                              \
        if (lmb_is_null(context, #__VA_ARGS__, required, sizeof required / sizeof *required))      \
            return LMB_USAGE;                                                                      \
    } while (0)
#define LMB_REQUIRE_OUT(context, out, ...)                                                         \
    do {                                                                                           \
        if (out)                                                                                   \
            *(out) = NULL;                                                                         \
        LMB_REQUIRE(context, __VA_ARGS__, out);                                                    \
    } while (0)

/* Return whether the context or one of `count` arguments is NULL. The message has its name in
 * `names`, which are separated by commas. */
bool lmb_is_null(lmb_context *context, const char *names, const void *const *arguments,
                 size_t count);

/* Memory has run out: its message is kept ready, and from now on it is the reason of every failure
 * of this context, until its messages are cleared. */
lmb_status lmb_fail_memory(lmb_context *context);

/* The same if an allocation of the arena has failed, or it is NULL; else LMB_OK. */
lmb_status lmb_check_memory(lmb_context *context, const lmb_arena *arena);

/* Whether memory has run out, be it in a function that has no context (base/memory.h). */
bool lmb_out_of_memory(lmb_context *context);

/* The status with which work ends that believes to end with `status`: LMB_SOLVER where memory has
 * run out on the way, be it that this was passed over or taken for a mistake in the input. */
lmb_status lmb_final_status(lmb_context *context, lmb_status status);

void lmb_warn(lmb_context *context, const char *format, ...) LMB_PRINTF(2, 3);
void lmb_warn_at(lmb_context *context, lmb_place place, const char *format, ...) LMB_PRINTF(3, 4);

/* Adds a hint to the newest message; returns the status that goes with it. */
lmb_status lmb_hint(lmb_context *context, const char *format, ...) LMB_PRINTF(2, 3);

/* The status of the newest failure. */
lmb_status lmb_last_status(const lmb_context *context);

/* Removes the newest messages, so that so many remain. */
void lmb_messages_forget(lmb_context *context, size_t count);

/* Removes some messages from the middle. */
void lmb_messages_drop(lmb_context *context, size_t from, size_t count);

/* Adds copies of the messages of another context: of its warnings, and of its errors if wanted. */
void lmb_messages_pass(lmb_context *to, const lmb_context *from, bool errors);

/* Whether somebody listens to the log, and a line for it. */
bool lmb_logging(const lmb_context *context);
void lmb_log(lmb_context *context, const char *format, ...) LMB_PRINTF(2, 3);

/* Whether a writer waits for another one of the same file (lmb_context_wait). */
bool lmb_context_waits(const lmb_context *context);

/* From now on files that the context reads are not replaced by what it writes: for a program that
 * does one thing. */
void lmb_context_guard(lmb_context *context);

/* Whether to warn of the next channel of a result that has a number which is not finite. The
 * reader of results warns once and then turns this off. Default: off. */
void lmb_context_watch(lmb_context *context, bool watch);
bool lmb_context_watches(const lmb_context *context);

/* Notes that a file was read, by the numbers of its device and on it; the last few hundred are
 * remembered. */
void lmb_context_reads(lmb_context *context, unsigned long long device, unsigned long long number);
bool lmb_context_has_read(const lmb_context *context, unsigned long long device,
                          unsigned long long number);

/* Note a file that is being written under another name (NULL: none any more), which a signal
 * handler removes before it ends the process; and return it. */
void lmb_context_writes(lmb_context *context, const char *part);
const char *lmb_context_unfinished(const lmb_context *context);

/* Reports progress; true when the work is to stop, also because memory has run out. */
bool lmb_progress(lmb_context *context, const char *what, double fraction);

/* The same as a status: fails with the message "interrupted" when the work is to stop. */
lmb_status lmb_continue(lmb_context *context, const char *what, double fraction);

/* The program that probes files of others (lmb_context_probe), or NULL. */
const char *lmb_context_prober(const lmb_context *context);

#endif
