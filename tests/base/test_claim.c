/* Claims on files, files that are whole or not there, and programs with limits. */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/claim.h"
#include "base/file.h"
#include "base/process.h"
#include "models.h"
#include "program.h"

static bool is_there(const char *name)
{
    return access(scratch_path(name), F_OK) == 0;
}

static void a_file_has_one_owner(void **unused)
{
    (void)unused;
    const char *path = scratch_path("one.h5");
    lmb_claim *claim, *other;
    unlink(path);
    assert_ok(lmb_claim_take(&claim, context, path));
    assert_int_equal(lmb_claim_take(&other, context, path), LMB_IO);
    assert_null(other);
    assert_int_equal(lmb_claim_check(context, path), LMB_IO);
    assert_message(context, "is being written by process ");
    lmb_claim_drop(claim);
    assert_false(is_there(".one.h5.lock"));
    assert_ok(lmb_claim_check(context, path));
    assert_ok(lmb_claim_check(context, "/no/such/folder/x.h5"));
    assert_int_equal(lmb_claim_take(&claim, context, "/no/such/folder/x.h5"), LMB_IO);
    assert_message(context, "cannot write '/no/such/folder/x.h5'");
}

static void a_file_appears_and_is_missed(void **unused)
{
    (void)unused;
    const char *path = scratch_path("two.h5");
    lmb_claim *claim;
    unlink(path);
    assert_ok(lmb_claim_take(&claim, context, path));
    int fd = lmb_claim_open(claim);
    assert_true(fd >= 0 && !is_there("two.h5") && is_there(".two.h5.part"));
    assert_false(lmb_claim_appeared(claim));
    assert_int_equal(lmb_claim_appear(claim), 0);
    assert_true(lmb_claim_appeared(claim) && is_there("two.h5") && !is_there(".two.h5.part"));
    assert_true(lmb_claim_holds(claim, fd));
    unlink(path);
    assert_false(lmb_claim_holds(claim, fd));
    close(fd);
    lmb_claim_drop(claim);
    /* one that has not appeared leaves nothing */
    assert_ok(lmb_claim_take(&claim, context, path));
    close(lmb_claim_open(claim));
    lmb_claim_drop(claim);
    assert_false(is_there("two.h5") || is_there(".two.h5.part") || is_there(".two.h5.lock"));
}

static void files_are_whole_or_not_there(void **unused)
{
    (void)unused;
    const char *path = scratch_path("table.csv");
    lmb_output out;
    unlink(path);
    assert_null(lmb_file_create(&out, context, "/no/such/folder/x.csv"));
    assert_null(lmb_file_create(&out, context, scratch_path("")));
    FILE *file = lmb_file_create(&out, context, path);
    assert_non_null(file);
    fputs("half", file);
    assert_int_equal(lmb_file_close(&out, context, LMB_SOLVER), LMB_SOLVER);
    assert_false(is_there("table.csv"));
    file = lmb_file_create(&out, context, path);
    assert_non_null(file);
    fputs("limber: 1\n", file);
    assert_false(is_there("table.csv"));
    assert_ok(lmb_file_close(&out, context, LMB_OK));
    assert_true(is_there("table.csv"));
    /* now it looks like a model */
    assert_null(lmb_file_create(&out, context, path));
    assert_int_equal(lmb_file_write(context, path, "b", 1), LMB_IO);
    assert_message(context, "is a model, and is not overwritten");
    assert_ok(lmb_file_write(context, "/dev/null", "b", 1));
}

/* Begin a file in a process that is killed. */
static void leave_part(const char *path)
{
    pid_t child = fork();
    if (child == 0) {
        lmb_output out;
        FILE *file = lmb_file_create(&out, context, path);
        if (file && fputs("half", file) >= 0 && fflush(file) == 0)
            raise(SIGKILL);
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

static void what_a_killed_process_left_is_removed(void **unused)
{
    (void)unused;
    const char *path = scratch_path("killed.csv"), *part = scratch_path("killed.csv.limber-0.part");
    unlink(path);
    leave_part(path);
    assert_true(is_there("killed.csv.limber-0.part"));
    assert_ok(lmb_file_write(context, path, "whole", 5));
    assert_true(is_there("killed.csv") && !is_there("killed.csv.limber-0.part"));
    /* but not a part that is being written now, also by this process, nor the target of a link */
    lmb_output out;
    leave_part(path);
    assert_non_null(lmb_file_create(&out, context, path));
    assert_ok(lmb_file_write(context, path, "other", 5));
    assert_true(is_there("killed.csv.limber-0.part"));
    fputs("first", out.file);
    assert_ok(lmb_file_close(&out, context, LMB_OK));
    assert_false(is_there("killed.csv.limber-0.part") || is_there("killed.csv.limber-1.part"));
    assert_int_equal(symlink(scratch_text("victim.csv", "mine"), part), 0);
    assert_ok(lmb_file_write(context, path, "whole", 5));
    assert_true(is_there("victim.csv"));
    unlink(part);
}

static void programs_end_in_time(void **unused)
{
    (void)unused;
    char folder[LMB_FOLDER_ROOM], log[LMB_FOLDER_ROOM + 8];
    assert_ok(lmb_temporary_folder(context, "test", folder));
    snprintf(log, sizeof log, "%s/log", folder);
    static char *const words[][4] = {{"sh", "-c", "echo x; exit 0", NULL},
                                     {"sh", "-c", "exit 3", NULL},
                                     {"sh", "-c", "sleep 300 & wait", NULL},
                                     {"no-such-program", NULL}};
    static const lmb_ended expected[] = {LMB_ENDED_WELL, LMB_ENDED_BADLY, LMB_ENDED_LATE,
                                         LMB_ENDED_NOT_BEGUN};
    for (int i = 0; i < 4; i++) {
        lmb_process process = {words[i], folder, folder, log, i == 2 ? 0.2 : 60};
        lmb_ended ended;
        unlink(log);
        assert_ok(lmb_process_run(context, &process, &ended));
        assert_true(i < 3 || errno == ENOENT);
        assert_int_equal(ended, expected[i]);
    }
    lmb_folder_remove(folder);
    assert_int_equal(access(folder, F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_file_has_one_owner, open_models, close_models),
        cmocka_unit_test_setup_teardown(a_file_appears_and_is_missed, open_models, close_models),
        cmocka_unit_test_setup_teardown(files_are_whole_or_not_there, open_models, close_models),
        cmocka_unit_test_setup_teardown(what_a_killed_process_left_is_removed, open_models,
                                        close_models),
        cmocka_unit_test_setup_teardown(programs_end_in_time, open_models, close_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
