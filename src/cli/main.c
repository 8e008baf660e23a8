/* The program: finds the verb, reads its options, runs it, prints the messages. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"
#include "cli/print.h"
#include "cli/probe.h"
#include "math/blas.h"

/* Runs a verb with the words after it. */
static lmb_status run_verb(lmb_context *context, const lmb_verb *verb, int count, char **words)
{
    lmb_arguments arguments = {.verb = verb, .context = context, .arena = lmb_arena_new()};
    bool help;
    lmb_context_watch(context, verb->shows_results);
    lmb_status status = lmb_options_parse(&arguments, count, words, &help);
    if (status == LMB_OK && help)
        lmb_print_verb_help(stdout, verb);
    else if (status == LMB_OK)
        status = verb->run(&arguments);
    lmb_arena_free(arguments.arena);
    return status;
}

static lmb_status run_words(lmb_context *context, int count, char **words)
{
    if (count == 0) {
        lmb_print_help(stderr);
        return LMB_USAGE;
    }
    if (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0) {
        lmb_print_help(stdout);
        return LMB_OK;
    }
    if (strcmp(words[0], "--version") == 0) {
        printf("limber %s\n", lmb_version());
        return LMB_OK;
    }
    if (strcmp(words[0], "--probe") == 0 && count == 2)
        return lmb_probe_file(context, words[1]);
    lmb_context_guard(context);
    /* files that others may have made are read by a copy of the program first */
    const char *self = "/proc/self/exe";
    if (access(self, X_OK) == 0 && lmb_context_probe(context, self))
        return LMB_SOLVER;
    const lmb_verb *verb = lmb_verb_find(context, words[0]);
    return verb ? run_verb(context, verb, count - 1, words + 1) : LMB_USAGE;
}

/* Whether the standard output is a pipe that nobody reads any more, as behind `| head`. */
static bool reader_gone(void)
{
    struct pollfd output = {STDOUT_FILENO, POLLOUT, 0};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}

/* Makes sure that what was printed has arrived. */
static lmb_status finish_output(lmb_context *context, lmb_status status)
{
    errno = 0;
    bool failed = ferror(stdout) != 0;
    failed = fflush(stdout) != 0 || failed;
    if (!failed || reader_gone())
        return status;
    return lmb_fail(context, LMB_IO, "cannot write to the standard output%s%s", errno ? ": " : "",
                    errno ? strerror(errno) : "");
}

/* A missing standard file would let a result file take its number, and text go into it. */
static void open_standard_files(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDONLY) != fd)
            _exit(LMB_IO);
}

int main(int argc, char **argv)
{
    open_standard_files();
    lmb_context *context = lmb_context_new();
    lmb_catch_signals(context);
    lmb_blas_one_thread();
    if (!context || !lmb_escape_output()) {
        fputs("limber: error: out of memory\n", stderr);
        return LMB_SOLVER;
    }
    lmb_status status = run_words(context, argc - 1, argv + 1);
    status = lmb_final_status(context, finish_output(context, status));
    lmb_print_messages(context);
    lmb_restore_output();
    lmb_catch_signals(NULL);
    lmb_context_free(context);
    return (int)status;
}
