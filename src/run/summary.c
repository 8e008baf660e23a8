/* The summary of a run as JSON; see run.h. */
#include "run/run.h"

#include <stdlib.h>
void lmb_summary_begin(lmb_run_summary *s)
{
    clock_gettime(CLOCK_MONOTONIC, &s->began);
    s->counted = s->moved = false;
}

void lmb_summary_counts(lmb_run_summary *s, const lmb_mobility *counts)
{
    s->counts = *counts;
    s->counted = true;
}

void lmb_summary_motion(lmb_run_summary *s, const lmb_motion *m)
{
    s->moved = true;
    s->steps = m->steps;
    s->rejected = m->rejected;
    s->iterations = m->iterations;
    s->factorisations = m->factorisations;
    s->tolerance = m->options.tolerance;
}

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

void lmb_summary_end(lmb_run_summary *s, const lmb_analysis *a, const char *type, int rows)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds =
        (double)(now.tv_sec - s->began.tv_sec) + 1e-9 * (double)(now.tv_nsec - s->began.tv_nsec);
    lmb_json *j = started(s);
    const lmb_mobility *c = &s->counts;
    lmb_json_open(j, NULL, '{');
    lmb_json_put(j, "name %s, type %s, seconds %.6g, rows %d", a->name, type, seconds, rows);
    if (s->counted)
        lmb_json_put(j,
                     "bodies %d, coordinates %d, joint_rows %d, driver_rows %d, redundant %d, "
                     "free %d, free_undriven %d",
                     c->bodies, c->coordinates, c->joint_rows, c->driver_rows, c->redundant,
                     c->free, c->free_undriven);
    if (s->moved)
        lmb_json_put(j,
                     "integrator %s, tolerance %.9g, steps %ld, rejected %ld, iterations %ld, "
                     "factorisations %ld",
                     a->integration.integrator->name, s->tolerance, s->steps, s->rejected,
                     s->iterations, s->factorisations);
    lmb_json_close(j);
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
