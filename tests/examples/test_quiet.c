/* The examples give no warnings, neither when they are read nor while they run: example_result
 * fails where one does. Bricard's mechanism has a redundant constraint, Lee's frame two limit
 * points, and the right-angled strip buckles: that is what they are for. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "support.h"

enum { LEAST_EXAMPLES = 30 };

/* How many warnings an example is to give. */
static int warnings_of(const char *name)
{
    if (strcmp(name, "bricard") == 0 || strcmp(name, "right-angle") == 0)
        return 1;
    return strcmp(name, "lee-frame") == 0 ? 2 : 0;
}

static void check_warnings(const char *name, int expected)
{
    lmb_run_result run =
        run_limber("run examples/%s/%s.yaml --quiet -o %s", name, name, scratch_path("warned.h5"));
    int count = 0;
    for (const char *at = run.err; (at = strstr(at, "warning: ")) != NULL; at++)
        count++;
    if (run.code || count != expected)
        fail_msg("%d warnings of %s instead of %d: %s", count, name, expected, run.err);
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
            if (warnings_of(name))
                check_warnings(name, warnings_of(name));
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
