/* Running the built program, and files that tests may write. */
#ifndef TESTS_PROGRAM_H
#define TESTS_PROGRAM_H

#include "limber/context.h"

/* How a run of the program ended. */
typedef struct lmb_run_result {
    int code;        /* exit code, or 128 + the signal that ended it */
    char *out, *err; /* what it printed */
} lmb_run_result;

/* Runs `limber` with words as one would type them in a shell (redirections, pipes and quotes
 * work); free the result with free_run. */
lmb_run_result run_limber(const char *format, ...) LMB_PRINTF(1, 2);

/* The same for a whole command, in which %LIMBER% stands for the program. */
lmb_run_result run_shell(const char *command);

void free_run(lmb_run_result *run);

/* The path of the program, for tests that start it without a shell. */
char *program_path(void);

/* Fails unless a run ended with a code and its output or errors contain a piece; frees it. */
void check_run(lmb_run_result run, int code, const char *piece);

/* The result of an example by a verb (run, rotor, reduce), made once for all tests: not to be
 * written to. The string stays. */
const char *example_result(const char *verb, const char *name);

/* The number behind a piece of a text, such as a key of JSON; fails where there is none. */
double number_behind(const char *text, const char *piece);

/* The numbers behind the first column of what `limber get` prints of a channel, `most` of them at
 * most; returns how many. */
int printed_column(const char *result, const char *channel, int most, double *out);

/* The path of a file in this test program's own folder, which is made first; an empty name gives
 * the folder itself. The string stays (for up to 99 different names). */
const char *scratch_path(const char *name);

/* Writes a text to such a file; returns its path. */
const char *scratch_text(const char *name, const char *text);

#endif
