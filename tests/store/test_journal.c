/* A run that is killed in the middle of any of its writes leaves a file that it can go on from. */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "limber/limber.h"
#include "models.h"
#include "program.h"
#include "support.h"

/* Stands in for the function of the C library: the write of a number, counted from 1, is cut in
 * half and is the last thing that the process does. */
static long deadly, writes;

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset)
{
    bool last = ++writes == deadly;
    ssize_t done = lseek(fd, offset, SEEK_SET) < 0 ? -1 : write(fd, bytes, last ? size / 2 : size);
    if (last)
        raise(SIGKILL);
    return done;
}

static const char text[] =
    "limber: 1\ndimension: 2\ngravity: [0, -9.81]\n"
    "bodies: {rod: {mass: 1, inertia: 0.1, position: [1, 0], points: {O: [-1, 0]}}}\n"
    "joints: {pin: {type: revolute, between: [ground, rod.O]}}\n"
    "analyses:\n"
    "  swing: {type: dynamics, duration: 2.5, output_step: 0.001, tolerance: 1e-6}\n"
    "  rest: {type: statics}\n"
    "  glide: {type: dynamics, duration: 1.5, output_step: 0.001, integrator: euler, step: 1e-3}\n";

/* Runs or resumes in a process of its own, which dies in the given write (0: none of them). Returns
 * 0 if it did not come to that, -1 if it was killed, else how it failed. */
static int run_in_child(const lmb_model *m, const char *path, bool resume, long write)
{
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        bool complete;
        writes = 0;
        deadly = write;
        _exit(resume ? lmb_resume(context, m, NULL, path, &complete)
                     : lmb_run(context, m, NULL, path));
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? -1 : WEXITSTATUS(status);
}

static void assert_same(const char *one, const char *other)
{
    lmb_result *a, *b;
    assert_ok(lmb_result_open(&a, context, one));
    assert_ok(lmb_result_open(&b, context, other));
    assert_int_equal(lmb_result_analysis_count(b), 3);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < lmb_result_channel_count(a, i); k++) {
            char name[200];
            snprintf(name, sizeof name, "%s/%s", lmb_result_analysis_name(a, i),
                     lmb_result_channel(a, i, k)->name);
            lmb_series x, y;
            assert_ok(lmb_result_read(a, context, name, &x));
            assert_ok(lmb_result_read(b, context, name, &y));
            assert_int_equal(x.count, y.count);
            assert_memory_equal(x.time, y.time, (size_t)x.count * sizeof(double));
            assert_memory_equal(x.values, y.values, (size_t)(x.count * x.size) * sizeof(double));
            lmb_series_free(&x);
            lmb_series_free(&y);
        }
    lmb_result_close(a);
    lmb_result_close(b);
}

/* The first writes make the file before it has its name; a run that is killed there leaves none. */
static void any_write_may_be_the_last(void **unused)
{
    (void)unused;
    enum { FIRST = 40 };
    const char *whole = scratch_path("whole.h5"), *part = scratch_path("part.h5");
    lmb_model *m = model_of_text(text);
    assert_int_equal(run_in_child(m, whole, false, 0), 0);
    bool begun = false, killed = true;
    for (long write = 1; killed; write += write < FIRST ? 1 : 7) {
        remove(part);
        killed = run_in_child(m, part, false, write) == -1;
        /* again while it goes on, and then not */
        int again = run_in_child(m, part, true, 3 * write / 2);
        int status = again == 0 ? 0 : run_in_child(m, part, true, 0);
        if (status == LMB_IO && access(part, F_OK) != 0 && !begun && write < FIRST)
            continue;
        begun = true;
        if (status)
            fail_msg("killed in write %ld, then %ld: %d", write, 3 * write / 2, status);
        assert_same(whole, part);
    }
    lmb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_write_may_be_the_last)};
    return cmocka_run_group_tests(tests, open_models, close_models);
}
