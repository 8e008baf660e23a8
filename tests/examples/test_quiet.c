/* The examples give no warnings, neither when they are read nor while they run: example_result
 * fails where one does. Bricard's mechanism has a redundant constraint, and that is what it is for.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "support.h"

enum { LEAST_EXAMPLES = 30 };

static void check_bricard(void)
{
    lmb_run_result run =
        run_limber("run examples/bricard/bricard.yaml --quiet -o %s", scratch_path("bricard.h5"));
    const char *warning = strstr(run.err, "warning: ");
    if (run.code || !warning || strstr(warning + 1, "warning: "))
        fail_msg("not one warning: %s", run.err);
    free_run(&run);
}

static void examples_give_no_warnings(void **unused)
{
    (void)unused;
    struct dirent **entries;
    int all = scandir("examples", &entries, NULL, alphasort), count = 0;
    for (int i = 0; i < all; i++) {
        char path[600];
        const char *name = entries[i]->d_name;
        snprintf(path, sizeof path, "examples/%s/%s.yaml", name, name);
        if (access(path, R_OK) == 0) {
            if (strcmp(name, "bricard") == 0)
                check_bricard();
            else
                example_result("run", name);
            count++;
        }
        free(entries[i]);
    }
    free(entries);
    assert_true(count >= LEAST_EXAMPLES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples_give_no_warnings)};
    return cmocka_run_group_tests_name("quiet examples", tests, NULL, NULL);
}
