#include "results.h"

#include <math.h>
#include <stdio.h>

#include "program.h"
#include "support.h"

static lmb_context *context;
static lmb_result *result;

/* The path of a result of its own. */
static const char *run_with(const char *name, const char *settings)
{
    char file[64];
    snprintf(file, sizeof file, "%.40s.h5", name);
    const char *path = scratch_path(file);
    lmb_run_result run =
        run_limber("run examples/%s/%s.yaml --quiet -o %s %s", name, name, path, settings);
    if (run.code != 0)
        print_error("%s", run.err);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.err, "");
    free_run(&run);
    return path;
}

void run_example(const char *name, const char *settings)
{
    const char *path = *settings ? run_with(name, settings) : example_result("run", name);
    if (result)
        lmb_result_close(result);
    assert_int_equal(lmb_result_open(&result, context, path), LMB_OK);
}

lmb_series series(const char *channel)
{
    lmb_series s;
    if (lmb_result_read(result, context, channel, &s))
        fail_msg("%s", lmb_message_at(context, lmb_message_count(context) - 1)->text);
    return s;
}

double last_of(const char *channel)
{
    lmb_series s = series(channel);
    double x = s.values[s.count - 1];
    lmb_series_free(&s);
    return x;
}

double largest(const char *channel, double until)
{
    lmb_series s = series(channel);
    double most = 0;
    for (int i = 0; i < s.count && s.time[i] <= until + 1e-9; i++)
        most = fmax(most, fabs(s.values[i]));
    lmb_series_free(&s);
    return most;
}

int open_results(void **unused)
{
    (void)unused;
    context = lmb_context_new();
    return context ? 0 : -1;
}

int close_results(void **unused)
{
    (void)unused;
    lmb_result_close(result);
    lmb_context_free(context);
    return 0;
}
