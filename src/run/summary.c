/* The summary of a run as JSON; see run_summary.h. */
#include "run/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

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

static void put_counts(FILE *out, const lmb_mobility *c)
{
    fprintf(out,
            ", \"bodies\": %d, \"coordinates\": %d, \"joint_rows\": %d, \"driver_rows\": %d, "
            "\"redundant\": %d, \"free\": %d, \"free_undriven\": %d",
            c->bodies, c->coordinates, c->joint_rows, c->driver_rows, c->redundant, c->free,
            c->free_undriven);
}

void lmb_summary_end(lmb_run_summary *s, const lmb_analysis *a, const char *type, int rows)
{
    static const char *const integrators[] = {"rk45", "euler",   "adams", "generalized-alpha",
                                              "hht",  "newmark", "ida"};
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds =
        (double)(now.tv_sec - s->began.tv_sec) + 1e-9 * (double)(now.tv_nsec - s->began.tv_nsec);
    if (!s->out && !(s->out = open_memstream(&s->analyses, &s->size)))
        return;
    fprintf(s->out, "%s{\"name\": \"%s\", \"type\": \"%s\", \"seconds\": %.6f, \"rows\": %d",
            s->count++ ? ", " : "", a->name, type, seconds, rows);
    if (s->counted)
        put_counts(s->out, &s->counts);
    if (s->moved)
        fprintf(s->out,
                ", \"integrator\": \"%s\", \"tolerance\": %.9g, \"steps\": %ld, \"rejected\": %ld, "
                "\"iterations\": %ld, \"factorisations\": %ld",
                integrators[a->integration.integrator], s->tolerance, s->steps, s->rejected,
                s->iterations, s->factorisations);
    fputs("}", s->out);
    fflush(s->out);
}

char *lmb_summary_text(lmb_run_summary *s, const lmb_context *context, size_t first)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "{\"analyses\": [%s], \"messages\": [", s->analyses ? s->analyses : "");
    for (size_t i = first; i < lmb_message_count(context); i++) {
        const lmb_message *m = lmb_message_at(context, i);
        fprintf(out, "%s{\"severity\": \"%s\", \"text\": ", i > first ? ", " : "",
                m->severity == LMB_ERROR ? "error" : "warning");
        lmb_json_quote(out, m->text);
        fputs(", \"hint\": ", out);
        lmb_json_quote(out, m->hint);
        fputs("}", out);
    }
    fputs("]}", out);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

void lmb_summary_free(lmb_run_summary *s)
{
    if (s->out)
        fclose(s->out);
    free(s->analyses);
    *s = (lmb_run_summary){0};
}
