/* Time, and models to measure. */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void give_up(const lmb_context *context)
{
    fprintf(stderr, "bench: %s\n", lmb_message_at(context, lmb_message_count(context) - 1)->text);
    exit(1);
}

static lmb_model *compile(lmb_context *context, lmb_spec *spec)
{
    lmb_model *model;
    if (lmb_model_compile(&model, context, spec))
        give_up(context);
    lmb_spec_free(spec);
    return model;
}

lmb_model *model_of_text(lmb_context *context, const char *text)
{
    lmb_spec *spec;
    if (lmb_spec_parse(&spec, context, "bench", text))
        give_up(context);
    return compile(context, spec);
}

lmb_model *model_of_file(lmb_context *context, const char *path)
{
    lmb_spec *spec;
    if (lmb_spec_load(&spec, context, path))
        give_up(context);
    return compile(context, spec);
}

void put_chain(FILE *f, int links)
{
    fprintf(f, "limber: 1\ndimension: 3\ngravity: [0, 0, -9.81]\nbodies:\n");
    for (int i = 0; i < links; i++)
        fprintf(f,
                "  b%d: {mass: 1, inertia: [0.01, 0.1, 0.1], position: [%g, 0, 0], "
                "points: {a: [-0.5, 0, 0], b: [0.5, 0, 0]}}\n",
                i, i + 0.5);
    fprintf(f, "joints:\n");
    for (int i = 0; i < links; i++) {
        fprintf(f, "  j%d: {type: revolute, axis: %s, between: [", i,
                i % 2 ? "[0, 0, 1]" : "[0, 1, 0]");
        fprintf(f, i ? "b%d.b" : "ground", i - 1);
        fprintf(f, ", b%d.a]}\n", i);
    }
}
