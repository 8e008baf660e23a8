/* Running another program with little: a folder of its own, an almost empty environment, no open
 * files, and a limited time. */
#ifndef LMB_BASE_PROCESS_H
#define LMB_BASE_PROCESS_H

#include "base/message.h"

typedef struct lmb_process {
    char *const *words; /* the program, which is looked for in PATH, and its arguments */
    const char *folder; /* where it runs, and keeps temporary files */
    const char *home;   /* its home */
    const char *log;    /* the file for what it prints */
    double seconds;     /* that it may take */
} lmb_process;

/* How it has ended. */
typedef enum lmb_ended {
    LMB_ENDED_WELL,
    LMB_ENDED_BADLY,    /* by a signal, or with another code than 0 */
    LMB_ENDED_LATE,     /* its time was up */
    LMB_ENDED_NOT_BEGUN /* it could not be started: errno says why */
} lmb_ended;

/* Runs a program in a session of its own and waits for its end; then, or when its time is up or the
 * work is to stop, all processes of its group are killed. It has of the environment PATH and
 * LD_LIBRARY_PATH alone, besides HOME, TMPDIR and LC_ALL=C, and no file open but /dev/null and its
 * log. Fails only where the work is to stop. */
lmb_status lmb_process_run(lmb_context *context, const lmb_process *process, lmb_ended *ended);

#endif
