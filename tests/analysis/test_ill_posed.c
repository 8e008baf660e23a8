/* Mechanisms without a unique motion, laws without a value, steps and loads without sense: each
 * model of tests/ill-posed gets a right answer, or a message that names the joint, the key or the
 * coordinate, and the instant. Nothing that is stored is NaN unless a message says so. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "limber/limber.h"
#include "marked_models.h"
#include "program.h"
#include "support.h"

/* Whether the model expects to be told of numbers that are not finite. */
static bool tells_of_numbers(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[1000];
    bool tells = false;
    assert_non_null(file);
    while (!tells && fgets(line, sizeof line, file) && strncmp(line, "#! ", 3) == 0)
        tells = strstr(line, "is not a finite number") != NULL;
    fclose(file);
    return tells;
}

/* Numbers that there are not always: the damping ratio of a motion that does not swing, the instant
 * of an event that does not happen. */
static bool may_lack(const char *channel)
{
    const char *end = strrchr(channel, '.');
    return (end && strcmp(end, ".time") == 0) || strcmp(channel, "modes.damping") == 0 ||
           strcmp(channel, "modes.time_constant") == 0;
}

static void check_numbers(const char *path, const char *result)
{
    lmb_context *context = lmb_context_new();
    lmb_result *r;
    assert_int_equal(lmb_result_open(&r, context, result), LMB_OK);
    for (int a = 0; a < lmb_result_analysis_count(r); a++)
        for (int i = 0; i < lmb_result_channel_count(r, a); i++) {
            const lmb_channel *channel = lmb_result_channel(r, a, i);
            char name[300];
            lmb_series s;
            snprintf(name, sizeof name, "%s/%s", lmb_result_analysis_name(r, a), channel->name);
            assert_int_equal(lmb_result_read(r, context, name, &s), LMB_OK);
            for (size_t k = 0; k < (size_t)s.count * (size_t)s.size; k++)
                if (isnan(s.values[k]) && !may_lack(channel->name))
                    fail_msg("%s: %s is not a number", path, name);
            lmb_series_free(&s);
        }
    lmb_result_close(r);
    lmb_context_free(context);
}

static int values;

static void check_model(const char *path)
{
    const char *result = scratch_path("ill.h5");
    unlink(result);
    check_marked_model(path, result, true);
    values += check_marked_values(path, result);
    if (access(result, F_OK) == 0 && !tells_of_numbers(path))
        check_numbers(path, result);
}

static void ill_posed_models_get_a_right_answer_or_a_message(void **unused)
{
    (void)unused;
    for_each_model("tests/ill-posed", 60, check_model);
    assert_true(values >= 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ill_posed_models_get_a_right_answer_or_a_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
