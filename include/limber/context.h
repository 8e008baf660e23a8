/* The context of a program that uses Limber: messages, log and progress.
 *
 * The library never prints and never ends the process. Errors and warnings are
 * collected in a context as messages; a function that can fail returns an
 * lmb_status and adds a message with the reason.
 *
 * A NULL argument that is needed is refused: functions return LMB_USAGE with a message that names
 * the argument, or without an lmb_status 0, NULL, NaN or nothing. */
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

/* Status of a call; the values are the exit codes of the program. */
typedef enum lmb_status {
    LMB_OK = 0,
    LMB_USAGE = 2,     /* invalid arguments */
    LMB_BAD_INPUT = 3, /* an invalid model or other input */
    LMB_SOLVER = 4,    /* a solver failed, memory ran out, or the run was interrupted */
    LMB_IO = 5         /* a file could not be read or written */
} lmb_status;

typedef enum lmb_severity { LMB_ERROR, LMB_WARNING } lmb_severity;

/* One message. Strings are never NULL; line and column start at 1, 0 if none. */
typedef struct lmb_message {
    lmb_severity severity;
    const char *text;        /* what is wrong */
    const char *hint;        /* what to do about it, or "" */
    const char *file;        /* input file concerned, or "" */
    int line, column;        /* place in that input */
    int length;              /* number of characters marked */
    const char *source_line; /* text of that line, or "" */
} lmb_message;

typedef struct lmb_context lmb_context;

/* Creates a context; NULL when out of memory. */
LMB_API lmb_context *lmb_context_new(void);
LMB_API void lmb_context_free(lmb_context *context);

/* The messages so far, oldest first; none if `context` is NULL. lmb_message_at returns NULL if
 * there is no message `index`. lmb_messages_clear removes all. */
LMB_API size_t lmb_message_count(const lmb_context *context);
LMB_API const lmb_message *lmb_message_at(const lmb_context *context, size_t index);
LMB_API void lmb_messages_clear(lmb_context *context);

/* Receives a line of the solver's log (such as Newton iterations). */
typedef void lmb_log_function(void *user, const char *line);
LMB_API void lmb_context_on_log(lmb_context *context, lmb_log_function *log, void *user);

/* Receives the progress of a long computation, 0 to 1, or NaN where nobody knows how long it is;
 * returns true to stop it. A study may call it from any of its threads, one at a time. */
typedef bool lmb_progress_function(void *user, const char *what, double fraction);
LMB_API void lmb_context_on_progress(lmb_context *context, lmb_progress_function *progress,
                                     void *user);

/* Says whether to wait where a result is being written by somebody else, instead of failing with
 * LMB_IO at once; progress is called while waiting. At first that fails. */
LMB_API void lmb_context_wait(lmb_context *context, bool wait);

/* Has files that others may have made probed: result and body files that this context opens are
 * first read by a program in a process of its own, with limits on memory and time, so that one that
 * is damaged in a way that HDF5 crashes on is refused. The program is the path of `limber`; NULL:
 * files are trusted, as at first. A file that was written or probed by this user's Limber and has
 * not changed since is not probed again. */
LMB_API lmb_status lmb_context_probe(lmb_context *context, const char *program);

/* The version of the library, such as "0.1.0". */
LMB_API const char *lmb_version(void);

/* The version of this interface: it changes when programs must be compiled anew. */
#define LMB_ABI_VERSION 1

/* The version of the interface that the loaded library has: a program that was compiled with
 * another LMB_ABI_VERSION must not use it. */
LMB_API int lmb_abi_version(void);

#ifdef __cplusplus
}
#endif
#endif
