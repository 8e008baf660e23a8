/* How far the neighbours of a parameter are apart: as near as the equations need it.
 *
 * The slopes of the equations in a state that shows all terms are compared with those of a quarter
 * of the distance d. The error of the stencil falls with d^4, rounding grows with 1 / d:
 *
 *   slopes differ                          d is too large, and a quarter of it is taken
 *   nearly the same, but the next ones     what is seen is rounding, and the larger d is better
 *   differ more                                                                                  */
#include <math.h>
#include <string.h>

#include "study/neighbours.h"
#include "integrate/step_tangent.h"

typedef struct work {
    lmb_context *context;
    lmb_spec *spec;
    const lmb_model *model;
    const lmb_integration_choice *choice;
    lmb_gradient_basis basis;
    const char *name;
    double value;
    lmb_arena *room;
    lmb_state *base;
    size_t count; /* of slopes */
    double level; /* the size of what they are slopes of, */
    double size;  /* of the slopes, */
    double unit;  /* and of the parameter */
} work;

enum { INSTANTS = 3 };

/* What is looked at to judge a distance: the slopes of coordinates and laws over the analyses. */
static lmb_status sample_slopes(work *w, const lmb_neighbours *n, double *slopes)
{
    const lmb_model *m = w->model;
    const lmb_state *base = w->base;
    size_t count = w->count;
    size_t nv = (size_t)m->nv, one = nv + (size_t)m->nrows;
    double *numbers = lmb_arena_numbers(w->room, LMB_NEIGHBOURS * count);
    double *inertia = lmb_arena_numbers(w->room, nv);
    if (!lmb_arena_fine(w->room))
        return lmb_fail_memory(w->context);
    double end = 0;
    for (int i = 0; i < m->analysis_count; i++)
        end = fmax(end, m->analyses[i].start + m->analyses[i].duration);
    for (int i = 0; i < LMB_NEIGHBOURS; i++) {
        lmb_state *s = lmb_state_new(n->models[i]);
        if (!s)
            return lmb_fail_memory(w->context);
        for (int k = 0; k < INSTANTS; k++) {
            double *out = numbers + (size_t)i * count + (size_t)k * one;
            memcpy(s->q, base->q, lmb_motion_numbers(m) * sizeof *s->q);
            lmb_update(s, end * k / (INSTANTS - 1));
            lmb_residual(s, inertia, out);
        }
        lmb_state_free(s);
    }
    w->level = w->size = 0;
    for (size_t j = 0; j < count; j++) {
        double four[LMB_NEIGHBOURS];
        for (size_t i = 0; i < LMB_NEIGHBOURS; i++) {
            four[i] = numbers[i * count + j];
            w->level = fmax(w->level, fabs(four[i]));
        }
        slopes[j] = lmb_neighbours_slope(n, four);
        w->size = fmax(w->size, fabs(slopes[j]));
    }
    return LMB_OK;
}

/* A state that all terms are seen in; NULL: out of memory. */
static lmb_state *sample_state(const lmb_model *m)
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

static lmb_status compile_at(work *w, lmb_neighbours *n, double d, double *slopes)
{
    lmb_status status = lmb_neighbours_compile(n, w->context, w->spec, w->model, w->choice,
                                               w->basis, w->name, w->value, d);
    return status ? status : sample_slopes(w, n, slopes);
}

/* From a distance d on; slopes: room for two times `count`. */
static lmb_status search(work *w, lmb_neighbours *n, double d, double *slopes)
{
    enum { MOST = 6 };
    const double same = 1e-10, nearly = 1e-6, falls = 0.25, unit = w->unit;
    double last = INFINITY, *now = slopes, *next = slopes + w->count;
    lmb_neighbours farther = {0}, nearer = {0};
    lmb_status status = compile_at(w, n, d, now);
    for (int i = 0; i < MOST && !status; i++) {
        double size = 0, difference = 0;
        if ((status = compile_at(w, &nearer, d / 4, next)))
            break;
        for (size_t j = 0; j < w->count; j++) {
            size = fmax(size, fabs(next[j]));
            difference = fmax(difference, fabs(next[j] - now[j]));
        }
        if (difference <= same * size)
            break;
        if (last <= nearly * fmax(size, w->level / unit) && difference >= falls * last) {
            /* rounding: what the stencil leaves out would fall by 4^4 */
            lmb_neighbours_free(n);
            *n = farther;
            farther = (lmb_neighbours){0};
            break;
        }
        lmb_neighbours_free(&farther);
        farther = *n;
        *n = nearer;
        nearer = (lmb_neighbours){0};
        d /= 4;
        last = difference;
        double *keep = now;
        now = next;
        next = keep;
    }
    lmb_neighbours_free(&nearer);
    lmb_neighbours_free(&farther);
    return status;
}

/* A parameter that is next to nothing, beside what it is added to, has neighbours so near that
 * their slopes are rounding. */
static void warn_rounding(const work *w, const lmb_neighbours *n)
{
    const double rounding = 2e-16, much = 1e-5;
    double part = w->size > 0 ? rounding * w->level / (fabs(n->d) * w->size) : 0;
    /* slopes that are rounding by themselves are those of what cancels in the equations */
    if (!(part > much) || w->size < 1e-6 * w->level)
        return;
    lmb_warn(
        w->context,
        "the derivative by '%s' is uncertain by %.0e of it: neighbours of %.3g differ by little "
        "more than rounding",
        w->name, part, w->value);
    lmb_hint(w->context, "take it at 0, or at a value that makes a difference");
}

lmb_status lmb_neighbours_near(lmb_neighbours *out, lmb_context *context, lmb_spec *spec,
                               const lmb_model *base, const lmb_integration_choice *choice,
                               lmb_gradient_basis basis, const char *name, double value,
                               double size, double part)
{
    work w = {.context = context,
              .spec = spec,
              .model = base,
              .choice = choice,
              .basis = basis,
              .name = name,
              .value = value,
              .unit = fmax(fabs(value), size) > 0 ? fmax(fabs(value), size) : 1,
              .room = lmb_arena_new(),
              .base = sample_state(base),
              .count = INSTANTS * ((size_t)base->nv + (size_t)base->nrows)};
    double *slopes = lmb_arena_numbers(w.room, 2 * w.count + 1);
    lmb_status status = slopes && w.base ? LMB_OK : lmb_fail_memory(context);
    if (!status)
        status = search(&w, out, part * w.unit, slopes);
    if (!status)
        warn_rounding(&w, out);
    lmb_state_free(w.base);
    lmb_arena_free(w.room);
    return status;
}
