/* Signals: the first asks the program to stop, with what comes along at the same moment; a later
 * one ends it. */
#include "base/file.h"
#include "cli/print.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "program.h"
#include "support.h"

static void pause_for(double seconds)
{
    struct timespec left = {.tv_sec = (time_t)seconds,
                            .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    while (nanosleep(&left, &left) != 0)
        ;
}

/* The file that a child is writing when it ends. */
static const char *begin_file(lmb_context *context)
{
    static lmb_output out;
    return lmb_file_create(&out, context, scratch_path("begun.csv")) ? out.part : NULL;
}

/* How a child ends that gets two signals at once and, where `later` is not 0, that one after a
 * while: what waitpid tells. It leaves with 4 if it was asked to stop and did so by itself. */
static int ending(int one, int two, int later)
{
    pid_t child = fork();
    if (child == 0) {
        lmb_context *context = lmb_context_new();
        lmb_catch_signals(context);
        if (!begin_file(context) || lmb_interrupted())
            _exit(1);
        raise(one);
        if (!lmb_interrupted())
            _exit(2);
        raise(two);
        pause_for(0.6);
        if (later)
            raise(later);
        _exit(4);
    }
    assert_true(child > 0);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void signals_of_one_moment_are_one(void **unused)
{
    (void)unused;
    static const int pairs[][2] = {{SIGINT, SIGINT}, {SIGTERM, SIGTERM}, {SIGTERM, SIGINT}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        int status = ending(pairs[i][0], pairs[i][1], 0);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 4);
    }
}

/* Work that does not ask for signals ends all the same, and the file it was writing is removed. */
static void a_file_is_not_left(void **unused)
{
    (void)unused;
    pid_t child = fork();
    if (child == 0) {
        lmb_context *context = lmb_context_new();
        lmb_catch_signals(context);
        if (!begin_file(context) || access(scratch_path("begun.csv.limber-0.part"), F_OK) != 0)
            _exit(1);
        raise(SIGINT);
        pause_for(30);
        _exit(2);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 4);
    assert_int_equal(access(scratch_path("begun.csv.limber-0.part"), F_OK), -1);
}

static void a_later_one_ends_the_program(void **unused)
{
    (void)unused;
    static const int later[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        int status = ending(SIGINT, SIGINT, later[i]);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), later[i]);
        assert_int_equal(access(scratch_path("begun.csv.limber-0.part"), F_OK), -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_of_one_moment_are_one),
        cmocka_unit_test(a_later_one_ends_the_program),
        cmocka_unit_test(a_file_is_not_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
