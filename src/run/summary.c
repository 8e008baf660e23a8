/* The summary of a run as JSON; see run.h. */
#include "run/run.h"

#include <stdlib.h>

#include "analysis/analysis.h"

/* The text up to the list of analyses. */
static lmb_json *started(lmb_run_summary *s)
{
    if (!s->json.out) {
        lmb_json_start_text(&s->json);
        lmb_json_open_flat(&s->json, NULL, '{');
        lmb_json_open(&s->json, "analyses", '[');
    }
    return &s->json;
}

void lmb_summary_begin(lmb_run_summary *s, const lmb_analysis *a)
{
    clock_gettime(CLOCK_MONOTONIC, &s->began);
    lmb_json_open(started(s), NULL, '{');
    lmb_json_put(&s->json, "name %s, type %s", a->name, a->kind->name);
}

void lmb_summary_counts(lmb_run_summary *s, const lmb_mobility *c)
{
    lmb_json_put(&s->json,
                 "bodies %d, coordinates %d, joint_rows %d, driver_rows %d, redundant %d, "
                 "free %d, free_undriven %d",
                 c->bodies, c->coordinates, c->joint_rows, c->driver_rows, c->redundant, c->free,
                 c->free_undriven);
}

void lmb_summary_motion(lmb_run_summary *s, const lmb_motion *m)
{
    lmb_json_put(&s->json,
                 "integrator %s, tolerance %.9g, steps %ld, rejected %ld, iterations %ld, "
                 "factorisations %ld",
                 m->options.integrator->name, m->options.tolerance, m->steps, m->rejected,
                 m->iterations, m->factorisations);
}

void lmb_summary_end(lmb_run_summary *s, int rows)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds =
        (double)(now.tv_sec - s->began.tv_sec) + 1e-9 * (double)(now.tv_nsec - s->began.tv_nsec);
    lmb_json_put(&s->json, "seconds %.6g, rows %d", seconds, rows);
    lmb_json_close(&s->json);
}

char *lmb_summary_text(lmb_run_summary *s, const lmb_context *context, size_t first)
{
    lmb_json *j = started(s);
    lmb_json_close(j);
    lmb_json_open(j, "messages", '[');
    for (size_t i = first; i < lmb_message_count(context); i++) {
        const lmb_message *m = lmb_message_at(context, i);
        lmb_json_object(j, NULL, "severity %s, text %s, hint %s",
                        m->severity == LMB_ERROR ? "error" : "warning", m->text, m->hint);
    }
    lmb_json_close(j);
    lmb_json_close(j);
    return lmb_json_end_text(j);
}

void lmb_summary_free(lmb_run_summary *s)
{
    free(lmb_json_end_text(&s->json));
}
