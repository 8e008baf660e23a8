/* How far neighbours are: as near as the equations need it. */
#include <math.h>
#include <string.h>

#include "integrate/step_tangent.h"
#include "study/neighbours.h"

/* What is looked at with, and memory for it. */
typedef struct sampling {
    lmb_context *context;
    const lmb_model *model;
    lmb_arena *arena;
} sampling;

/* What is looked at to judge a distance: the slopes of coordinates and laws over the analyses. */
static lmb_status sample_slopes(sampling *f, const lmb_neighbours *n, const lmb_state *base,
                                double *slopes, size_t count)
{
    const lmb_model *m = f->model;
    size_t nv = (size_t)m->nv, one = nv + (size_t)m->nrows;
    enum { INSTANTS = 3 };
    double *numbers = lmb_arena_numbers(f->arena, LMB_NEIGHBOURS * count);
    double *inertia = lmb_arena_numbers(f->arena, nv);
    if (!lmb_arena_fine(f->arena))
        return lmb_fail_memory(f->context);
    double end = 0;
    for (int i = 0; i < m->analysis_count; i++)
        end = fmax(end, m->analyses[i].start + m->analyses[i].duration);
    for (int i = 0; i < LMB_NEIGHBOURS; i++) {
        lmb_state *s = lmb_state_new(n->models[i]);
        if (!s)
            return lmb_fail_memory(f->context);
        for (int k = 0; k < INSTANTS; k++) {
            double *out = numbers + (size_t)i * count + (size_t)k * one;
            memcpy(s->q, base->q, lmb_motion_numbers(m) * sizeof *s->q);
            lmb_update(s, end * k / (INSTANTS - 1));
            lmb_residual(s, inertia, out);
        }
        lmb_state_free(s);
    }
    for (size_t j = 0; j < count; j++) {
        double four[LMB_NEIGHBOURS];
        for (size_t i = 0; i < LMB_NEIGHBOURS; i++)
            four[i] = numbers[i * count + j];
        slopes[j] = lmb_neighbours_slope(n->d, four);
    }
    return LMB_OK;
}

/* A state in which all terms of the equations are seen; free with lmb_state_free. */
static lmb_state *lively_state(const lmb_model *m)
{
    lmb_state *s = lmb_state_new(m);
    for (int i = 0; s && i < m->nv; i++)
        s->a[i] = s->v[i] + 0.3 * sin(1 + i);
    for (int i = 0; s && i < m->nv; i++)
        s->v[i] += 0.2 * cos(1 + 2 * i);
    for (int r = 0; s && r < m->nrows; r++)
        s->lambda[r] = cos(2 + r) * m->heaviest;
    return s;
}

/* The largest difference of two lists, as a part of the largest number. */
static double part_that_differs(size_t count, const double *a, const double *b)
{
    double size = 0, difference = 0;
    for (size_t j = 0; j < count; j++) {
        size = fmax(size, fabs(b[j]));
        difference = fmax(difference, fabs(a[j] - b[j]));
    }
    return size > 0 ? difference / size : 0;
}

/* Where the slopes of a quarter of the distance are others, the distance is too large. What the
 * stencil leaves out falls by 4^4 with each quarter; where the difference does not fall it is
 * rounding, which only grows, and the larger distance stays. */
lmb_status lmb_neighbours_near(lmb_neighbours *n, lmb_context *context, lmb_arena *arena,
                               lmb_spec *spec, const lmb_model *m,
                               const lmb_integration_choice *choice, double part)
{
    enum { MOST = 6, INSTANTS = 3 };
    const double same = 1e-10, falls = 0.25;
    sampling f = {context, m, arena};
    size_t count = INSTANTS * ((size_t)m->nv + (size_t)m->nrows);
    const char *name = n->name;
    double value = n->value, d = part * (value != 0 ? fabs(value) : 1), before = INFINITY;
    double *slopes = lmb_arena_numbers(arena, count), *next = lmb_arena_numbers(arena, count);
    lmb_state *base = lively_state(m);
    lmb_status status = base && lmb_arena_fine(arena) ? LMB_OK : lmb_fail_memory(context);
    if (!status)
        status = lmb_neighbours_compile(n, context, spec, m, choice, name, value, d);
    if (!status)
        status = sample_slopes(&f, n, base, slopes, count);
    lmb_neighbours last = {0}; /* the distance before, while the one after it is being judged */
    for (int i = 0; i <= MOST && !status; i++) {
        lmb_neighbours nearer;
        d /= 4;
        status = lmb_neighbours_compile(&nearer, context, spec, m, choice, name, value, d);
        if (!status)
            status = sample_slopes(&f, &nearer, base, next, count);
        double differs = status ? 0 : part_that_differs(count, slopes, next);
        if (!status && differs > falls * before) { /* rounding: back by one */
            lmb_neighbours_free(n);
            *n = last;
            last = (lmb_neighbours){0};
        }
        if (status || differs > falls * before || differs <= same) {
            lmb_neighbours_free(&nearer);
            break;
        }
        lmb_neighbours_free(&last);
        last = *n;
        *n = nearer;
        before = differs;
        double *swap = slopes;
        slopes = next;
        next = swap;
    }
    lmb_neighbours_free(&last);
    lmb_state_free(base);
    return status;
}
