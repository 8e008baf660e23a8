/* The context of a program that uses Limber: messages, log and progress.
 *
 * The library never prints and never ends the process. What it has to say is
 * collected in a context as messages; a function that can fail returns an
 * lmb_status and leaves the reason there. */
#ifndef LIMBER_CONTEXT_H
#define LIMBER_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LMB_API __attribute__((visibility("default")))
#define LMB_PRINTF(index, first) __attribute__((format(printf, index, first)))
#else
#define LMB_API
#define LMB_PRINTF(index, first)
#endif

/* How a call ended; the numbers are the exit codes of the program. */
typedef enum lmb_status {
    LMB_OK = 0,
    LMB_USAGE = 2,     /* the call itself was wrong */
    LMB_BAD_INPUT = 3, /* the model, or another input, was wrong */
    LMB_SOLVER = 4,    /* a solver failed, memory ran out, or the run was interrupted */
    LMB_IO = 5         /* a file could not be read or written */
} lmb_status;

typedef enum lmb_severity { LMB_ERROR, LMB_WARNING } lmb_severity;

/* One message. Strings are never NULL; line and column count from 1, 0 if none. */
typedef struct lmb_message {
    lmb_severity severity;
    const char *text;        /* what is wrong */
    const char *hint;        /* what to do about it, or "" */
    const char *file;        /* the input it is about, or "" */
    int line, column;        /* where in that input */
    int length;              /* how many characters are meant */
    const char *source_line; /* the line itself, or "" */
} lmb_message;

typedef struct lmb_context lmb_context;

/* Makes a context; NULL when out of memory. */
LMB_API lmb_context *lmb_context_new(void);
LMB_API void lmb_context_free(lmb_context *context);

/* The messages so far, oldest first, and their removal. */
LMB_API size_t lmb_message_count(const lmb_context *context);
LMB_API const lmb_message *lmb_message_at(const lmb_context *context, size_t index);
LMB_API void lmb_messages_clear(lmb_context *context);

/* Receives a line of what a solver is doing (Newton iterations, say). */
typedef void lmb_log_function(void *user, const char *line);
LMB_API void lmb_context_on_log(lmb_context *context, lmb_log_function *log, void *user);

/* Is told how far a long piece of work is, 0 to 1; returns true to stop it. */
typedef bool lmb_progress_function(void *user, const char *what, double fraction);
LMB_API void lmb_context_on_progress(lmb_context *context, lmb_progress_function *progress,
                                     void *user);

/* The version of the library, such as "0.1.0". */
LMB_API const char *lmb_version(void);

#ifdef __cplusplus
}
#endif
#endif
