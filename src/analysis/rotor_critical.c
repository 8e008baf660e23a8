/* Critical speeds, directly.
 *
 * A motion whose frequency is r times the speed W, without damping, has s = i r W, so that
 *
 *   K x = W^2 (r^2 M - i r G) x
 *
 * is an eigenvalue problem of its own for W^2. With complex unknowns r > 0 gives forward and r < 0
 * backward whirl. Where bearings depend on speed, K(W) is brought up to date until W repeats. The
 * damped critical speed, Im s(W) = r W, follows from there by the secant method. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/rotor.h"
#include "analysis/rotor_eigen.h"

typedef struct synchronous {
    lmb_rotor_system *s;
    lmb_band right; /* r^2 M - i r G */
} synchronous;

static void apply(void *user, const lmb_complex *x, lmb_complex *y)
{
    synchronous *w = user;
    lmb_band_multiply(&w->right, x, y);
    lmb_band_solve(&w->s->factor, y);
}

static bool depends_on_speed(const lmb_rotor_law *law)
{
    for (int i = 0; i < law->size; i++)
        if (!lmb_expr_is_constant(law->of[i]))
            return true;
    return false;
}

static bool bearings_depend(const lmb_rotor *r)
{
    for (int i = 0; i < r->bearing_count; i++)
        if (depends_on_speed(&r->bearings[i].stiffness) || depends_on_speed(&r->bearings[i].mass) ||
            depends_on_speed(&r->bearings[i].support_stiffness))
            return true;
    return false;
}

/* The critical speeds with the stiffness at a speed, ascending; returns how many or below 0. */
static int solve(lmb_rotor_system *s, lmb_arena *arena, double speed, double ratio, int count,
                 double *speeds, lmb_complex *vectors)
{
    size_t n = (size_t)s->n;
    synchronous w = {.s = s};
    int want = s->isotropic ? 2 * count + 2 : 2 * count + 4;
    want = want < s->n ? want : s->n;
    lmb_complex *values = lmb_arena_alloc(arena, (size_t)want + 1, sizeof *values);
    lmb_complex *x = lmb_arena_alloc(arena, (size_t)want * n + 1, sizeof *x);
    if (!values || !x || !lmb_band_new(&w.right, arena, s->n, s->K.width))
        return -1;
    lmb_rotor_set_speed(s, speed);
    lmb_band_copy(&w.right, &s->gyroscopic);
    lmb_rotor_hold_band(s, &w.right, 0);
    lmb_band_copy(&s->work, &w.right);
    lmb_band_clear(&w.right);
    lmb_band_sum(&w.right, CMPLX(0, -ratio), &s->work);
    lmb_band_sum(&w.right, ratio * ratio, &s->M);
    if (!lmb_band_factorise(&s->factor, &s->symmetric))
        return -3;
    int found = lmb_arnoldi(arena, s->n, apply, &w, want, (lmb_arnoldi_options){0}, values, x),
        used = 0;
    double largest = found > 0 ? cabs(values[0]) : 0;
    for (int k = 0; k < found && used < count; k++) {
        /* a negative one belongs to discs so flat that they never whirl forward at their speed */
        if (creal(values[k]) < 1e-13 * largest || fabs(cimag(values[k])) > 1e-6 * cabs(values[k]))
            continue;
        speeds[used] = 1 / sqrt(creal(values[k]));
        memcpy(vectors + (size_t)used++ * n, x + (size_t)k * n, n * sizeof *x);
    }
    return found < 0 ? found : used;
}

/* Critical speed number k with bearings that depend on speed: W = f(W) by secants. */
static int settle(lmb_rotor_system *s, lmb_arena *arena, double ratio, int k, double *speeds,
                  lmb_complex *vectors)
{
    double before = NAN, off_before = NAN, at = speeds[k];
    for (int i = 0; i < 60; i++) {
        int found = solve(s, arena, at, ratio, k + 1, speeds, vectors);
        if (found <= k)
            return found < 0 ? found : 0;
        double off = speeds[k] - at;
        if (fabs(off) <= 1e-12 * speeds[k])
            return 1;
        double next = speeds[k];
        if (i > 0 && off != off_before)
            next = at - off * (at - before) / (off - off_before);
        if (!(next > 0.2 * at) || !(next < 5 * at))
            next = speeds[k];
        before = at;
        off_before = off;
        at = next;
    }
    return 0;
}

/* The damped vibration near i r W that is most like a shape; its Im s - r W. */
static double gap(lmb_rotor_system *s, lmb_arena *arena, double speed, double ratio,
                  const lmb_complex *shape, lmb_complex *value, int *found)
{
    enum { NEAR = 4 };
    size_t n = (size_t)s->n;
    lmb_complex values[NEAR];
    lmb_complex *x = lmb_arena_alloc(arena, NEAR * n + 1, sizeof *x);
    lmb_rotor_set_speed(s, speed);
    /* a little off the axis, or an undamped one would make it singular */
    lmb_complex shift = CMPLX(1e-4 * speed, 1.001 * ratio * speed);
    *found = x ? lmb_rotor_nearest(s, arena, shift, NEAR, values, x) : -1;
    double best = 0;
    for (int k = 0; k < *found; k++) {
        lmb_complex product = 0;
        double size = 0;
        for (size_t i = 0; i < n; i++) {
            product += conj(shape[i]) * x[(size_t)k * n + i];
            size += creal(conj(x[(size_t)k * n + i]) * x[(size_t)k * n + i]);
        }
        double fit = cabs(product) / sqrt(size) / (1 + cabs(values[k] - shift) / fabs(speed));
        if (fit > best && cimag(values[k]) * ratio > 0) {
            best = fit;
            *value = values[k];
        }
    }
    if (!(best > 0))
        *found = *found < 0 ? *found : 0;
    return cimag(*value) - ratio * speed;
}

static lmb_status set_damped(lmb_rotor_system *s, lmb_context *context, double ratio,
                             const lmb_complex *shape, lmb_critical *c)
{
    lmb_complex value = 0;
    double at = c->undamped, before = NAN, off_before = NAN;
    c->damped = c->ratio = c->decrement = NAN;
    for (int i = 0; i < 40; i++) {
        int found;
        lmb_arena *room = lmb_arena_new();
        double off = room ? gap(s, room, at, ratio, shape, &value, &found) : (found = -1, 0);
        lmb_arena_free(room);
        if (found == -1)
            return lmb_fail_memory(context);
        if (found <= 0)
            return LMB_OK;
        /* good, or as good as rounding lets it be */
        double size = fabs(off) / (at * fabs(ratio));
        if (size <= 1e-10 || (size <= 1e-6 && fabs(off) > 0.3 * fabs(off_before))) {
            c->damped = at;
            c->ratio = 0 - creal(value) / cabs(value);
            c->decrement = -2 * 3.14159265358979323846 * creal(value) / fabs(cimag(value));
            return LMB_OK;
        }
        double next = at + off / ratio;
        if (i > 0 && off != off_before)
            next = at - off * (at - before) / (off - off_before);
        if (!(next > 0.3 * at) || !(next < 3 * at))
            next = at * (off * ratio > 0 ? 1.1 : 0.9);
        before = at;
        off_before = off;
        at = next;
    }
    return LMB_OK;
}

/* Those of one direction of the ratio, added to a list. */
static lmb_status add_criticals(lmb_rotor_system *s, lmb_context *context, lmb_arena *arena,
                                int count, double ratio, lmb_critical_list *out)
{
    size_t n = (size_t)s->n;
    bool depends = bearings_depend(s->rotor);
    lmb_arena *room = lmb_arena_new();
    double *speeds = room ? lmb_arena_numbers(room, (size_t)count + 1) : NULL;
    lmb_complex *x = room ? lmb_arena_alloc(room, (size_t)count * n + 1, sizeof *x) : NULL;
    int found = speeds && x ? solve(s, room, s->rotor->speed, ratio, count, speeds, x) : -1;
    double *first = room ? lmb_arena_numbers(room, (size_t)count + 1) : NULL;
    lmb_status status = found >= 0 && first ? LMB_OK : lmb_fail_whirl(context, found, 0);
    for (int k = 0; k < found && first; k++)
        first[k] = speeds[k];
    for (int k = 0; k < found && !status; k++) {
        lmb_whirl mode;
        speeds[k] = first[k];
        if (depends) {
            int settled = settle(s, room, ratio, k, speeds, x);
            if (settled < 0)
                status = lmb_fail_whirl(context, settled, first[k]);
            if (settled != 1)
                continue;
        }
        lmb_critical *c = &out->of[out->count];
        *c = (lmb_critical){.undamped = speeds[k]};
        lmb_rotor_set_speed(s, speeds[k]);
        if (!lmb_set_whirl(s, arena, CMPLX(0, ratio * speeds[k]), x + (size_t)k * n, &mode))
            status = lmb_fail_memory(context);
        c->sense = mode.sense;
        c->mixed = mode.mixed;
        if (!status)
            status = set_damped(s, context, ratio, x + (size_t)k * n, c);
        out->count++;
    }
    lmb_arena_free(room);
    return status;
}

static int by_speed(const void *a, const void *b)
{
    const lmb_critical *x = a, *y = b;
    if (fabs(x->undamped - y->undamped) <= 1e-9 * x->undamped)
        return (x->sense > y->sense) - (x->sense < y->sense);
    return x->undamped > y->undamped ? 1 : -1;
}

lmb_status lmb_find_criticals(lmb_rotor_system *s, lmb_context *context, lmb_arena *arena,
                              int count, double ratio, lmb_critical_list *out)
{
    *out = (lmb_critical_list){0};
    out->of = lmb_arena_alloc(arena, 2 * (size_t)count + 1, sizeof *out->of);
    if (!out->of)
        return lmb_fail_memory(context);
    if (s->rotor->bearing_count == 0)
        return LMB_OK;
    lmb_status status = add_criticals(s, context, arena, count, ratio, out);
    if (!status && s->isotropic)
        status = add_criticals(s, context, arena, count, -ratio, out);
    qsort(out->of, (size_t)out->count, sizeof *out->of, by_speed);
    out->count = out->count < count ? out->count : count;
    return status;
}
